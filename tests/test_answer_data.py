"""The data of an answer against the schema of its request: flat schemas, defaults, and what is refused at once."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
import sys
import time
from datetime import UTC, datetime

import mcp_types
import pytest
from mcp_types import _v2025_11_25 as v2025
from mcp_types import _v2026_07_28 as v2026

from toolresult import Answer, AnswerError, Request, ToolResult, match_answers

SECRET = "hunter2"
SOON = 20
"""Seconds of work that no check takes, even while coverage is measured: most take one."""
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def asking(schema) -> Request:
    return Request("input", "?", id="r1", data={"schema": schema})


def form(required=(), **properties) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(required)}


def problem(schema, data) -> tuple[str, str]:
    request = asking(schema)
    with pytest.raises(AnswerError) as caught:
        request.check(request.accept(data))
    error = caught.value
    assert error.kind == "schema"
    assert SECRET not in str(error)
    assert SECRET not in repr(error)
    assert str(error).startswith(f"schema: {error.path}: ")
    return error.path, error.args[1]


def path_of(schema, data) -> str:
    return problem(schema, data)[0]


def passes(schema, data) -> bool:
    request = asking(schema)
    answer = request.accept(data)
    return request.check(answer) is answer


EVERY_FIELD = {
    "email": {"type": "string", "title": "E-mail", "description": "Work", "format": "email", "maxLength": 40},
    "site": {"type": "string", "format": "uri"},
    "born": {"type": "string", "format": "date"},
    "at": {"type": "string", "format": "date-time"},
    "code": {"type": "string", "pattern": "^[A-Z]{3}$", "minLength": 3, "maxLength": 3},
    "age": {"type": "integer", "minimum": 0, "maximum": 150},
    "score": {"type": "number", "minimum": 0.5, "maximum": 1},
    "agree": {"type": "boolean"},
    "plain": {"type": "string", "enum": ["a", "b"]},
    "named": {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]},
    "titled": {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]},
    "several": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2},
    "more": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}},
    "once": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "uniqueItems": True},
}
MODELS = {
    **{name: ["StringSchema"] for name in ("email", "site", "born", "at")},
    **{name: ["NumberSchema"] for name in ("age", "score")},
    "agree": ["BooleanSchema"],
    "plain": ["UntitledSingleSelectEnumSchema", "LegacyTitledEnumSchema"],
    "named": ["LegacyTitledEnumSchema"],
    "titled": ["TitledSingleSelectEnumSchema"],
    "several": ["UntitledMultiSelectEnumSchema"],
    "more": ["TitledMultiSelectEnumSchema"],
}
EVERYTHING = {
    "email": "ada@example.test",
    "site": "https://example.test/a",
    "born": "1815-12-10",
    "at": "2026-01-02T03:04:05Z",
    "code": "ABC",
    "age": 36,
    "score": 0.5,
    "agree": False,
    "plain": "a",
    "named": "b",
    "titled": "a",
    "several": ["a", "c"],
    "more": ["b", "b"],
    "once": ["c", "a"],
}
NOT_THESE = {
    "email": ["ada", "", 5, None, "a" * 40 + "@b.test"],
    "site": ["example.test", "/a", 5],
    "born": ["10.12.1815", "1815-13-10", 18151210],
    "at": ["2026-01-02", "2026-01-02T03:04:05", 0],
    "code": ["ABCD", "AB", "abc", "ABC\n", None],
    "age": [-1, 151, 36.5, "36", True, None, [36]],
    "score": [0.4, 1.1, "0.5", False],
    "agree": ["true", "yes", 1, 0, None, "", []],
    "plain": ["c", "A", "", None, 0, ["a"]],
    "named": ["B", "c", None],
    "titled": ["A", "c", None],
    "several": ["a", [], ["a", "b", "c"], ["d"], ["a", None], [["a"]], {"a": True}],
    "more": ["a", ["A"], ["c"], [1]],
    "once": [["a", "a"], ["d"]],
}


@pytest.mark.parametrize("name", EVERY_FIELD)
def test_every_field_of_a_form_takes_what_it_says_and_nothing_else(name):
    schema = form(**{name: EVERY_FIELD[name]})
    assert passes(schema, {name: EVERYTHING[name]})
    assert passes(schema, {})
    assert [path_of(schema, {name: value}).partition("[")[0] for value in NOT_THESE[name]] == (
        [f"answer.data.{name}"] * len(NOT_THESE[name])
    )


@pytest.mark.parametrize("revision", [v2025, v2026], ids=["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("name", MODELS)
def test_these_are_the_fields_of_the_protocol(name, revision):
    for model in MODELS[name]:
        read = getattr(revision, model).model_validate(EVERY_FIELD[name])
        assert read.model_dump(by_alias=True, exclude_none=True) == EVERY_FIELD[name]
    asked = {"type": "object", "properties": {name: EVERY_FIELD[name]}}
    mcp_types.ElicitRequestFormParams.model_validate({"mode": "form", "message": "?", "requestedSchema": asked})
    mcp_types.ElicitResult.model_validate({"action": "accept", "content": {name: EVERYTHING[name]}})


def test_a_whole_form_passes_at_once_and_names_the_one_field_that_is_wrong():
    schema = form(EVERY_FIELD, **EVERY_FIELD)
    assert passes(schema, EVERYTHING)
    assert path_of(schema, {**EVERYTHING, "age": SECRET}) == "answer.data.age"
    assert path_of(schema, {**EVERYTHING, "several": ["a", SECRET]}) == "answer.data.several[1]"
    assert path_of(schema, {name: value for name, value in EVERYTHING.items() if name != "code"}) == "answer.data.code"


def test_limits_may_be_zero_and_whole_floats():
    none = {"type": "string", "minLength": 0, "maxLength": 0.0}
    assert passes(none, "")
    assert path_of(none, "a") == "answer.data"
    assert passes({"type": "array", "minItems": 0, "maxItems": 1.0}, [1])
    assert path_of({"type": "array", "maxItems": 1.0}, [1, 2]) == "answer.data"
    assert passes({"minimum": 0, "exclusiveMaximum": 1}, 0)
    assert path_of({"minimum": 0, "exclusiveMaximum": 1}, 1) == "answer.data"
    assert path_of({"exclusiveMinimum": 0}, 0) == "answer.data"
    assert passes({"minimum": 5, "maximum": 1}, "no number")


def test_whole_floats_are_integers_and_more_members_may_be_there():
    assert passes(form(n={"type": "integer"}), {"n": 3.0, "other": {"deep": [1]}})
    assert path_of({**form(n={"type": "integer"}), "additionalProperties": False}, {"x y": 1}) == "answer.data['x y']"
    assert passes({**form(n={"type": "integer"}), "additionalProperties": True}, {"x": 1})


def test_values_are_compared_as_json_schema_compares_them():
    schema = {"enum": [1, "a", None, [1.0], {"k": [2]}]}
    assert [passes(schema, value) for value in (1, 1.0, "a", None, [1], {"k": [2.0]})] == [True] * 6
    assert [path_of(schema, value) for value in (True, "1", 0, [True], {"k": 2}, {})] == ["answer.data"] * 6
    assert passes({"enum": [{"a": 1, "b": 2}]}, {"b": 2, "a": 1.0})
    assert passes({"const": 0}, -0.0)
    assert path_of({"const": 0}, False) == "answer.data"
    assert path_of({"type": "array", "uniqueItems": True}, [1, 1.0]) == "answer.data"
    assert passes({"type": "array", "uniqueItems": True}, [1, True, "1", None])


def test_a_choice_of_schemas_may_hold_any_flat_one():
    schema = form(at={"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}, {"const": 0}], "default": None})
    assert [passes(schema, {"at": value}) for value in ("2026-01-02", None, 0)] == [True] * 3
    assert path_of(schema, {"at": "2026"}) == "answer.data.at"
    one = {"oneOf": [{"minimum": 2}, {"maximum": 4}]}
    assert [passes(one, number) for number in (1, 5)] == [True, True]
    assert path_of(one, 3) == "answer.data"
    twice = {"oneOf": [{"const": "a"}, {"const": "a"}]}
    assert path_of(twice, "a") == "answer.data"
    assert passes({"anyOf": [{"const": "a"}, {"const": "a"}]}, "a")
    assert passes({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}, ["a"])


def test_a_schema_may_be_of_one_value_or_of_none():
    assert passes({"type": "string"}, "Ada")
    assert path_of({"type": "string"}, None) == "answer.data"
    assert passes({"type": ["string", "null"]}, None)
    assert passes({}, {"anything": [1]})
    assert passes({}, None)
    assert path_of({"properties": {"a": False}}, {"a": 1}) == "answer.data.a"
    assert passes({"properties": {"a": True}, "minLength": 9}, {"a": 1})
    assert passes({"type": "array"}, [[1]])
    assert passes({"type": "array", "items": True}, [[1]])


def test_what_only_describes_is_not_looked_at():
    described = {"title": 5, "description": None, "examples": 1, "x-order": [1], "$comment": "c", "readOnly": True}
    assert passes({**form(a={**described, "type": "string", "format": "x"}), **described, "$defs": {}}, {"a": "b"})
    assert passes({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}, "a")


@pytest.mark.parametrize(
    ("keyword", "wrong"),
    [
        ("type", ["strnig", 5, [], ["string", 5], None, {}]),
        ("enum", ["abc", {"a": 1}, None]),
        ("minLength", ["3", -1, 1.5, True, None]),
        ("maxLength", ["3", -1]),
        ("minItems", [-1, None]),
        ("maxItems", ["1"]),
        ("minimum", ["0", True, None]),
        ("maximum", [[]]),
        ("exclusiveMinimum", [True]),
        ("exclusiveMaximum", ["1"]),
        ("pattern", ["(", 5, "(a)\\1", "(?<=a)b", "[z-a]"]),
        ("format", [5]),
        ("uniqueItems", [1, "true"]),
        ("items", ["string", 5, None]),
        ("oneOf", ["a", {"const": "a"}]),
        ("anyOf", [5]),
    ],
)
def test_a_malformed_schema_is_named_whatever_the_data_are(keyword, wrong):
    for value in wrong:
        for data in ({}, {"a": 1}, {"a": SECRET}):
            assert path_of(form(a={keyword: value}), data) == f"request.data.schema.properties.a.{keyword}"


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "object", "properties": []}, "properties"),
        ({"type": "object", "properties": {"a": "string"}}, "properties.a"),
        ({"type": "object", "required": "name"}, "required"),
        ({"type": "object", "required": [1]}, "required"),
        ({"type": "object", "additionalProperties": "no"}, "additionalProperties"),
        ({"oneOf": [{"const": "a"}, 5]}, "oneOf[1]"),
        ({"anyOf": [{"enum": 5}]}, "anyOf[0].enum"),
        ({"type": "array", "items": {"type": "strnig"}}, "items.type"),
    ],
)
def test_the_path_leads_to_what_is_malformed(schema, path):
    assert path_of(schema, {}) == f"request.data.schema.{path}"


def test_defaults_are_added_where_an_optional_member_is_missing():
    schema = form(
        ["name"],
        name={"type": "string", "default": "nobody"},
        unit={"type": "string", "enum": ["C", "F"], "default": "C"},
        tags={"type": "array", "items": {"type": "string"}, "default": ["a"]},
        note={"type": "string", "default": None},
        on={"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
    )
    request = asking(schema)
    answer = request.accept({"name": "Ada", "unit": "F"})
    checked = request.check(answer)
    assert checked == request.accept({"name": "Ada", "unit": "F", "tags": ["a"], "on": None})
    assert answer.data == {"name": "Ada", "unit": "F"}
    assert request.check(checked) is checked
    assert match_answers([request], [answer]) == {"r1": checked}
    with pytest.raises(TypeError):
        checked.data["tags"].append("b")


def test_a_default_never_stands_for_what_a_person_has_to_say():
    schema = form(["approved"], approved={"type": "boolean", "default": True})
    assert path_of(schema, {}) == "answer.data.approved"
    assert path_of(schema, None) == "answer.data.approved"


def test_a_default_that_does_not_fit_is_a_flaw_of_the_schema():
    schema = form(n={"type": "integer", "default": SECRET})
    path, text = problem(schema, {})
    assert path == "request.data.schema.properties.n.default"
    assert text.startswith("must be of type integer, got string; ")
    assert "ask again" not in text
    assert passes(schema, {"n": 1})


def test_a_form_that_comes_back_without_content_is_an_empty_one():
    request = asking(form(unit={"type": "string", "default": "C"}))
    assert request.check(request.accept()) == request.accept({"unit": "C"})
    bare = asking(form(unit={"type": "string"}))
    assert bare.check(bare.accept()) == bare.accept({})
    assert path_of(form(["unit"], unit={"type": "string"}), None) == "answer.data.unit"


def test_the_data_of_a_no_are_not_looked_at():
    request = asking(form(["n"], n={"type": "integer"}))
    for no in (request.decline("later"), request.cancel(), request.expire(), Answer("r1", False, data={"n": "x"})):
        assert request.check(no) is no
        assert match_answers([request], [no]) == {"r1": no}


def test_the_other_checks_come_first():
    schema = {"arguments": {"n": 1}, "schema": {"type": "string"}}
    request = Request("input", "?", data=schema, expires_at=NOON)
    wrong = request.accept(5)
    kinds = []
    for answer, now, arguments in [
        (Answer("r2", True), NOON, {"n": 2}),
        (wrong, NOON, {"n": 2}),
        (wrong, datetime(2026, 1, 1, tzinfo=UTC), {"n": 2}),
        (wrong, datetime(2026, 1, 1, tzinfo=UTC), {"n": 1}),
    ]:
        with pytest.raises(AnswerError) as caught:
            request.check(answer, now=now, arguments=arguments)
        kinds.append(caught.value.kind)
    assert kinds == ["unknown_id", "expired", "arguments", "schema"]


def test_match_checks_the_data_of_every_answer():
    first, second = asking({"type": "string"}), Request.input("?", schema={"type": "integer"}, id="r2")
    with pytest.raises(AnswerError) as caught:
        match_answers([first, second], [first.accept("a"), second.accept("b")])
    assert (caught.value.kind, caught.value.path) == ("schema", "answer.data")


@dataclasses.dataclass
class Person:
    name: str


def test_data_are_held_against_the_schema_in_their_json_form():
    assert passes(form(["name"], name={"type": "string"}), Person("Ada"))
    assert passes({"type": "string", "format": "date"}, datetime(2026, 1, 2).date())  # noqa: DTZ001
    assert path_of({"type": "object"}, {"a": [object()]}) == "answer.data.a[0]"
    assert path_of({"type": "object"}, {"a": float("nan")}) == "answer.data.a"
    assert path_of({"type": "object"}, {1: "a", "1": "b"}) == "answer.data['1']"
    assert path_of({"enum": [object()]}, "a") == "request.data.schema.enum[0]"
    assert path_of({"minimum": float("inf")}, 1) == "request.data.schema.minimum"


def test_an_error_about_data_is_a_value_like_the_others():
    request = asking({"type": "string"})
    errors = []
    for data in (1, 2):
        with pytest.raises(AnswerError) as caught:
            request.check(request.accept(data))
        errors.append(caught.value)
    assert errors[0] == errors[1]
    assert pickle.loads(pickle.dumps(errors[0])) == errors[0]
    assert pickle.loads(pickle.dumps(errors[0])).path == "answer.data"
    assert AnswerError("expired", "late").path is None
    assert AnswerError("schema", "no", "a") != AnswerError("schema", "no", "b")
    assert ToolResult.of(errors[0]).is_error


def nested(depth: int, leaf: object) -> object:
    for _ in range(depth):
        leaf = [leaf]
    return leaf


MANY = {f"p{n}": {"type": "string"} for n in range(30_000)}
HOSTILE = {
    "too many properties": (form(**MANY), {}, "request.data.schema"),
    "too many values": (form(), {"a": [0] * 200_000}, "answer.data"),
    "a pattern that backtracks": (
        form(a={"pattern": "^(a+)+$"}),
        {"a": "a" * 500_000 + "!"},
        "answer.data.a",
    ),
    "a pattern in a choice": (
        form(a={"anyOf": [{"pattern": "(a|aa)+$"}, True]}),
        {"a": "a" * 500_000 + "!"},
        "answer.data.a",
    ),
    "a pattern in an item of a choice": (
        form(a={"anyOf": [{"items": {"pattern": "(a|aa)+$"}}, True]}),
        {"a": ["a", "a" * 500_000 + "!"]},
        "answer.data.a[1]",
    ),
    "a pattern that grows": (form(a={"pattern": "((a{99}){99}){99}"}), {}, "request.data.schema.properties.a.pattern"),
    "a long pattern": (form(a={"pattern": "a" * 10**6}), {}, "request.data.schema.properties.a.pattern"),
    "choices of long texts": (
        form(a={"anyOf": [{"enum": ["a"], "title": str(n)} for n in range(4_000)]}),
        {"a": "a" * 10**6},
        "answer.data.a",
    ),
    "choices of many items": (
        form(a={"anyOf": [{"items": {"const": "b"}, "title": str(n), "minItems": 1} for n in range(3_000)]}),
        {"a": ["b"] * 90_000 + ["c"]},
        "answer.data.a",
    ),
    "many patterns that grow": (
        form(**{f"p{n}": {"pattern": "((a{9}){9}){9}" + str(n)} for n in range(3_000)}),
        {},
        "request.data.schema.properties.p",
    ),
    "many long patterns": (
        form(**{f"p{n}": {"pattern": "a" * 1_900 + str(n)} for n in range(3_000)}),
        {},
        "request.data.schema.properties.p",
    ),
    "choices of unique items": (
        form(a={"anyOf": [{"uniqueItems": True, "title": str(n)} for n in range(3_000)]}),
        {"a": [*range(50_000), 1]},
        "answer.data.a",
    ),
    "choices of long lists": (
        form(a={"anyOf": [{"enum": [n]} for n in range(3_000)]}),
        {"a": list(range(90_000))},
        "answer.data.a",
    ),
    "choices of formats": (
        form(a={"oneOf": [{"format": "uri", "title": str(n)} for n in range(4_000)]}),
        {"a": "a:" + "b" * 10**6},
        "answer.data.a",
    ),
}


@pytest.mark.parametrize(("schema", "data", "path"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_schemas_and_data_are_one_error_and_soon(schema, data, path):
    start = time.process_time()
    found = path_of(schema, data)
    assert time.process_time() - start < SOON
    assert found.startswith(path)


def test_many_answers_against_many_choices_do_not_take_long():
    options = [{"const": f"option {n}", "title": f"Option {n}"} for n in range(6_000)]
    schema = form(a={"type": "array", "items": {"anyOf": options}, "uniqueItems": True})
    start = time.process_time()
    assert passes(schema, {"a": [f"option {n}" for n in range(6_000)]})
    assert time.process_time() - start < SOON


def test_choices_within_choices_may_be_deep():
    schema: object = {"type": "string"}
    for _ in range(40):
        schema = {"anyOf": [schema]}
    assert passes(schema, "a")
    assert path_of(schema, 1) == "answer.data"


@pytest.mark.parametrize("room", range(40, 400, 20))
def test_a_stack_that_is_nearly_used_up_is_an_answer_error_or_no_matter(room):
    schema: object = {"type": "string"}
    for _ in range(45):
        schema = {"anyOf": [schema]}
    request = asking(schema)
    answer = request.accept("a")
    found = at_depth(sys.getrecursionlimit() - len(inspect.stack()) - room, lambda: outcome(request, answer))
    assert found in ("passed", "request.data.schema")
    assert found == "passed" or room < 380


@pytest.mark.parametrize("room", [60, 100, 150])
def test_a_pattern_that_is_deeper_than_the_stack_is_an_answer_error(room):
    request = asking({"type": "string", "pattern": "(" * 50 + "a" + ")" * 50})
    answer = request.accept("a")
    assert outcome(request, answer) == "passed"
    found = at_depth(sys.getrecursionlimit() - len(inspect.stack()) - room, lambda: outcome(request, answer))
    assert found == "request.data.schema"


def outcome(request: Request, answer: Answer) -> str | None:
    try:
        request.check(answer)
    except AnswerError as error:
        return error.path
    return "passed"


def at_depth(depth: int, call):
    return at_depth(depth - 1, call) if depth > 0 else call()
