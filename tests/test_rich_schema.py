"""The data of an answer against a schema that is not flat: by the `jsonschema` package, under guards."""

from __future__ import annotations

import inspect
import socket
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import jsonschema
import pytest

from toolresult import AnswerError, Request

SECRET = "hunter2"
SOON = 20
"""Seconds of work that no check takes, even while coverage is measured: most take one."""
ORDER = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"sku": {"type": "string", "pattern": "^[A-Z]+$"}, "count": {"$ref": "#/$defs/count"}},
                "required": ["sku"],
                "additionalProperties": False,
            },
        },
        "due": {"type": "string", "format": "date"},
        "to": {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
    },
    "required": ["lines"],
    "$defs": {"count": {"type": "integer", "multipleOf": 2}},
}


def asking(schema) -> Request:
    return Request("input", "?", id="r1", data={"schema": schema})


def problem(schema, data) -> tuple[str, str]:
    request = asking(schema)
    with pytest.raises(AnswerError) as caught:
        request.check(request.accept(data))
    error = caught.value
    assert error.kind == "schema"
    assert SECRET not in str(error)
    assert error.__cause__ is None
    return error.path, error.args[1]


def path_of(schema, data) -> str:
    return problem(schema, data)[0]


def passes(schema, data) -> bool:
    request = asking(schema)
    answer = request.accept(data)
    return request.check(answer) is answer


def test_nested_data_that_fit_pass_and_others_are_named_by_their_place():
    good = {"lines": [{"sku": "ABC", "count": 4}], "due": "2026-01-02", "to": {"x-a": 1}}
    assert passes(ORDER, good)
    for change, path in [
        ({"lines": []}, "answer.data.lines"),
        ({"lines": SECRET}, "answer.data.lines"),
        ({"lines": [{"sku": "ABC"}, {"sku": SECRET}]}, "answer.data.lines[1].sku"),
        ({"lines": [{"count": 2}]}, "answer.data.lines[0].sku"),
        ({"lines": [{"sku": "A", "count": 3}]}, "answer.data.lines[0].count"),
        ({"lines": [{"sku": "A", "other": SECRET}]}, "answer.data.lines[0].other"),
        ({"due": SECRET}, "answer.data.due"),
        ({"to": {"x-a": SECRET}}, "answer.data.to['x-a']"),
        ({"to": {"y": 1}}, "answer.data.to.y"),
    ]:
        assert path_of(ORDER, {**good, **change}) == path


def test_a_form_that_comes_back_without_content_is_an_empty_one():
    schema = {"type": "object", "minProperties": 0}
    request = asking(schema)
    assert request.check(request.accept()) == request.accept({})
    assert path_of({"type": "object", "minProperties": 1}, None) == "answer.data"
    assert passes({"not": {"type": "string"}}, None)


def test_no_defaults_are_added_where_only_the_package_knows_what_they_mean():
    assert passes({"type": "object", "properties": {"a": {"default": 1}}, "minProperties": 0}, {})


each_package = pytest.mark.parametrize("package", ["jsonschema", "referencing"])


@each_package
def test_without_the_package_a_nested_schema_is_an_error_that_says_where_it_nests(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    for schema, path in [
        (ORDER, "request.data.schema.properties.lines.items"),
        ({"properties": {"a": {"anyOf": [{"type": "string"}, {"not": {}}]}}}, "properties.a.anyOf[1].not"),
        ({"properties": {"a": {"properties": {}}}}, "properties.a.properties"),
        ({"properties": {"a": {"items": {"items": {}}}}}, "properties.a.items.items"),
        ({"additionalProperties": {"type": "string"}}, "additionalProperties"),
        ({"type": "array", "items": [{"type": "string"}]}, "items"),
        ({"$ref": "#/$defs/a"}, "request.data.schema['$ref']"),
        ({"allOf": []}, "allOf"),
    ]:
        found, text = problem(schema, {})
        assert found.startswith(path if path.startswith("request") else f"request.data.schema.{path}")
        assert "jsonschema" in text


def test_a_package_that_would_fetch_is_none(monkeypatch):
    monkeypatch.setattr(jsonschema, "Draft202012Validator", lambda schema: schema)
    path, text = problem({"$ref": "#/$defs/a", "$defs": {"a": {}}}, {})
    assert path == "request.data.schema['$ref']"
    assert "4.18" in text


@each_package
def test_without_the_package_flat_schemas_are_checked(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    schema = {"type": "object", "properties": {"a": {"type": "string", "format": "email"}}, "required": ["a"]}
    assert passes(schema, {"a": "a@b.test"})
    assert path_of(schema, {"a": SECRET}) == "answer.data.a"


DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def test_the_dialect_is_the_one_that_the_schema_names():
    pair = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": False}
    for dialect in (DRAFT_7, DRAFT_7.rstrip("#"), DRAFT_2019):
        schema = {"$schema": dialect, **pair}
        assert passes(schema, ["a", 1])
        assert path_of(schema, ["a", "b"]) == "answer.data[1]"
    assert path_of(pair, ["a", 1]).startswith("request.data.schema.items")
    assert passes({"prefixItems": [{"type": "string"}], "items": False}, ["a"])


@pytest.mark.parametrize(
    "dialect", ["http://json-schema.org/draft-04/schema#", "https://example.test/mine", "", 5, None], ids=repr
)
def test_a_dialect_that_is_not_known_is_refused(dialect):
    assert path_of({"$schema": dialect, "allOf": []}, {}) == "request.data.schema['$schema']"


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"allOf": {}}, "allOf"),
        ({"not": {"type": "strnig"}}, "not.type"),
        ({"allOf": [{"minLength": "3"}]}, "allOf[0].minLength"),
        ({"allOf": [{"required": "name"}]}, "allOf[0].required"),
        ({"allOf": [{"properties": []}]}, "allOf[0].properties"),
        ({"not": {"pattern": "(a)\\1"}}, "not.pattern"),
        ({"$ref": 5}, "['$ref']"),
        ({"$ref": "#/enum/0", "enum": [{"minLength": "x"}]}, ""),
        ({"$ref": "#/enum/0", "enum": [5]}, ""),
        ({"$ref": "a", "$id": "http://[::1"}, ""),
    ],
)
def test_a_malformed_schema_is_named_by_its_place(schema, path):
    dot = "" if path.startswith("[") or not path else "."
    assert path_of(schema, "a") == f"request.data.schema{dot}{path}"


def test_a_pattern_that_is_not_searched_for_is_named_where_it_is_used():
    names = {"patternProperties": {"(?<=a)": {}}}
    assert path_of(names, {"a": 1}) == "request.data.schema.patternProperties"
    assert path_of({**names, "additionalProperties": False}, {"a": 1}) == "request.data.schema.patternProperties"
    assert passes(names, {})
    assert passes(names, "a")
    example = {"properties": {"pattern": {"type": "string"}}, "examples": [{"pattern": "*.py"}], "allOf": [True]}
    assert passes(example, {"pattern": "*.py"})


def test_a_schema_may_be_false():
    path, text = problem({"properties": {"a": False, "b": {"not": {}}}}, {"a": 1})
    assert (path, text) == ("answer.data", "has no place in the schema; leave it out")
    assert path_of({"allOf": [False]}, 1) == "answer.data"
    assert passes({"additionalProperties": {"not": {}}}, 5)
    assert path_of({"additionalProperties": {"type": "string"}}, {"a": 5}) == "answer.data.a"


def test_formats_and_patterns_are_those_of_flat_schemas():
    for schema, good, bad in [
        ({"format": "email"}, "a@b.test", "a"),
        ({"format": "uri"}, "https://a.test", "a"),
        ({"format": "date-time"}, "2026-01-02T03:04:05Z", "2026-01-02"),
        ({"format": "x-other"}, "a", None),
        ({"pattern": r"^\p{L}+$"}, "Zoë", "1"),
        ({"pattern": "a$"}, "a", "a\n"),
        ({"uniqueItems": True}, [1, True, {"a": [1]}, "1"], [{"a": 1}, {"a": 1.0}]),
        ({"uniqueItems": False}, [1, 1], None),
    ]:
        assert passes({"allOf": [schema]}, good)
        assert passes({"allOf": [schema]}, 5)
        if bad is not None:
            assert path_of({"allOf": [schema]}, bad) == "answer.data"


class Counting(BaseHTTPRequestHandler):
    seen: list[str]

    def do_GET(self):
        self.server.seen.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with HTTPServer(("127.0.0.1", 0), Counting) as server:
        server.seen = []
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_nothing_is_ever_fetched(server, keyword):
    url = f"http://127.0.0.1:{server.server_port}/schema.json"
    for schema in [
        {keyword: url},
        {"properties": {"a": {"properties": {"b": {keyword: url}}}}},
        {"$id": url, keyword: "other.json"},
        {"$id": url, "allOf": [{"$id": "sub/", keyword: "x#/a"}]},
    ]:
        path, text = problem(schema, {"a": {"b": 1}})
        assert path.endswith(f"['{keyword}']")
        assert "fetched" in text
    assert server.seen == []


def test_no_reference_leads_to_a_file_or_a_socket(monkeypatch, tmp_path):
    target = tmp_path / "schema.json"
    target.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(socket, "socket", None)
    for reference in (target.as_uri(), str(target), "ftp://h.test/a", "urn:x:y", "#/$defs/none", "#none", "//h.test/a"):
        assert path_of({"$ref": reference}, {}) == "request.data.schema['$ref']"


def test_what_a_schema_brings_along_may_be_referred_to():
    assert passes({"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}, 1)
    bundled = {"$id": "https://h.test/root", "$ref": "item", "$defs": {"i": {"$id": "item", "type": "integer"}}}
    assert passes(bundled, 1)
    assert path_of(bundled, "a") == "answer.data"
    tree = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}
    assert passes(tree, {"next": {"next": {}}})
    assert path_of(tree, {"next": {"other": 1}}) == "answer.data.next.other"


def doubled(levels: int, keyword: str) -> dict[str, object]:
    definitions: dict[str, object] = {f"d{levels}": {"type": "string"}}
    for n in range(levels):
        definitions[f"d{n}"] = {keyword: [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
    return {"$defs": definitions, "$ref": "#/$defs/d0"}


def deep(levels: int, keyword: str) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(levels):
        schema = {keyword: [schema]} if keyword == "allOf" else {keyword: schema}
    return schema


NO_END = {
    "itself": {"$ref": "#"},
    "each other": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "itself, dynamically": {"$dynamicRef": "#x", "$dynamicAnchor": "x"},
    "itself, recursively": {"$schema": DRAFT_2019, "$recursiveRef": "#", "$recursiveAnchor": True},
    "itself, of unevaluated properties": {"unevaluatedProperties": False, "$ref": "#"},
    "itself, of unevaluated items": {"unevaluatedItems": False, "allOf": [{"$ref": "#"}]},
    "twice itself": doubled(40, "allOf"),
    "twice itself or": doubled(40, "oneOf"),
    "huge": {"allOf": [{"type": "string"}] * 3_000},
}
EVIL = "^(a|a)*$"
LONG = "a" * 400_000 + "!"
HOSTILE = {
    "pattern": ({"allOf": [{"pattern": EVIL}]}, LONG),
    "pattern below a dialect": (
        {"$schema": DRAFT_7, "not": {"not": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"pattern": EVIL}}},
        LONG,
    ),
    "pattern of names": ({"patternProperties": {EVIL: {}}}, {LONG: 1}),
    "pattern of other names": ({"patternProperties": {EVIL: {}}, "additionalProperties": False}, {LONG: 1}),
    "pattern of all names": ({"propertyNames": {"pattern": EVIL}}, {LONG: 1}),
    "many failures of long data": (
        {"allOf": [{"not": {"not": {"anyOf": [{"minProperties": 9}, True]}}}] * 200},
        {"a": LONG},
    ),
    "many items": ({"items": {"not": {"type": "string"}}}, [1] * 90_000),
    "many checks of many items": ({"allOf": [{"items": {}, "title": str(n)} for n in range(600)]}, [1] * 90_000),
    "many checks of many members": (
        {"allOf": [{"additionalProperties": {}, "title": str(n)} for n in range(600)]},
        {str(n): 1 for n in range(90_000)},
    ),
    "many checks of unique items": ({"allOf": [{"uniqueItems": True}] * 900}, list(range(90_000))),
    "many checks of formats": ({"allOf": [{"format": "uri"}] * 900}, "ab:" + "b" * 10**6),
    "unevaluated members": (
        {"allOf": [{"properties": {"a": True}, "additionalProperties": True}], "unevaluatedProperties": False},
        {str(n): 1 for n in range(60_000)},
    ),
    "unevaluated items": ({"allOf": [{"items": {"type": "integer"}}], "unevaluatedItems": False}, [1] * 60_000),
}


@pytest.mark.parametrize("schema", NO_END.values(), ids=NO_END)
def test_a_schema_without_end_is_one_error_and_soon(schema):
    start = time.process_time()
    path, text = problem(schema, "a")
    assert time.process_time() - start < SOON
    assert (path, text.partition(" ")[0]) in (
        ("request.data.schema", "nests"),
        ("request.data.schema", "holds"),
        ("answer.data", "takes"),
    )


@pytest.mark.parametrize(("schema", "data"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_schemas_and_data_take_too_long_and_soon(schema, data):
    start = time.process_time()
    path, text = problem(schema, data)
    assert time.process_time() - start < SOON
    assert path == "answer.data"
    assert text.startswith("takes too long")


def test_too_many_patterns_that_grow_are_a_flaw_of_the_schema():
    patterns = [{"pattern": "((a{9}){9}){40}" + str(n)} for n in range(600)]
    start = time.process_time()
    assert path_of({"allOf": patterns}, "a").startswith("request.data.schema.allOf[")
    assert time.process_time() - start < SOON


def test_what_the_package_cannot_work_out_is_a_flaw_of_the_schema():
    path, text = problem({"multipleOf": 0.1}, 10**400)
    assert path == "request.data.schema"
    assert "OverflowError" in text


def test_items_that_do_not_compare_may_be_many():
    start = time.process_time()
    assert path_of({"allOf": [{"uniqueItems": True}]}, [1, "a", None, {}] * 20_000) == "answer.data"
    assert time.process_time() - start < SOON


@pytest.mark.parametrize("room", [200, 300, 400])
def test_a_stack_that_is_nearly_used_up_is_the_same_error(room):
    schema = deep(45, "allOf")
    assert passes(schema, "a")  # what has to be imported is
    depth = sys.getrecursionlimit() - len(inspect.stack()) - room
    assert at_depth(depth, lambda: path_of(schema, "a")) == "request.data.schema"


def at_depth(depth: int, call):
    return at_depth(depth - 1, call) if depth > 0 else call()


def test_a_schema_cannot_slip_out_of_the_guards_by_naming_its_dialect_again():
    dialect = "https://json-schema.org/draft/2020-12/schema"
    inner = {"$schema": dialect, "$id": "https://h.test/a", "pattern": EVIL}
    assert path_of({"allOf": [inner]}, LONG) == "request.data.schema.allOf[0]['$schema']"
    start = time.process_time()
    evil = {"$schema": dialect, "properties": {"a": {"$ref": "#"}}, "pattern": EVIL, "allOf": []}
    path_of({**evil, "allOf": [{}]}, {"a": LONG})
    assert time.process_time() - start < SOON


def test_unevaluated_members_are_checked_where_no_patterns_are():
    schema = {"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": False}
    assert passes(schema, {"a": "b"})
    assert path_of(schema, {"b": 1}) == "answer.data"
    assert passes({"properties": {"a": {"pattern": "b"}}, "unevaluatedProperties": False}, {"a": "b"})
    beside = {"allOf": [{"patternProperties": {"a": {}}}], "not": {"unevaluatedProperties": False}}
    assert path_of(beside, {}) == "request.data.schema.not.unevaluatedProperties"
    assert path_of({"unevaluatedItems": False}, [1]) == "answer.data"


def test_a_schema_holds_2000_values_at_most():
    assert passes({"allOf": [True] * 1_999}, 1)
    assert path_of({"allOf": [True] * 2_000}, 1) == "request.data.schema"


def test_a_thousand_lines_are_no_hostile_data():
    lines = [{"sku": "ABC", "count": 2} for _ in range(1_000)]
    assert passes(ORDER, {"lines": lines})
