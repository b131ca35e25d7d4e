"""Values in the containers of other libraries: the recipes of `docs/containers.md`, and what is written without."""

from __future__ import annotations

import dataclasses
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

import attrs
import cattrs
import cattrs.preconf.json
import cattrs.preconf.orjson
import kombu.exceptions
import msgspec
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from kombu.serialization import SerializerRegistry

from toolresult import Answer, ContentPart, DecodeError, EncodeError, Request, ToolResult, wire

T = TypeVar("T")

PNG = (Path(__file__).parent.parent / "examples" / "data" / "fixture.png").read_bytes()
EXPIRY = datetime(2030, 1, 2, 3, 4, 5, 678900, tzinfo=UTC)
IMAGE = ContentPart("image", data=PNG, mime_type="image/png", name="a.png", metadata={"audience": ["user"], "page": 1})
BLOCK = ContentPart("hologram", raw={"type": "hologram", "depth": 3, "note": None})
OTHER_BLOCK = ContentPart("hologram", raw={"depth": 3})
REQUEST = Request(
    "approval", "Refund 10?", id="c:0", url="https://h.test/x", data={"arguments": {"n": 10}}, expires_at=EXPIRY
)
ANSWER = Answer("c:0", False, data={"comment": "no"}, reason="declined")

KNOWN = {
    "text": ToolResult("x"),
    "error": ToolResult.error("no such key", code="unknown_key", retryable=True),
    "image": ToolResult.ok("a picture", parts=[IMAGE, ContentPart.from_text("t", mime_type="text/markdown")]),
    "pointers": ToolResult.ok(
        "o",
        parts=[
            ContentPart.from_url("s3://b/k", type="file"),
            ContentPart.from_file_id("f", type="image", provider="p"),
        ],
    ),
    "metadata": ToolResult.ok("x", metadata={"a": [1, 2.5, None, "ü"], "mine": {"is_error": True, "$toolresult": 1}}),
    "value": ToolResult.ok("two", value={"rows": [{"id": 1}]}),
    "derived value": ToolResult.json([1, 2]),
    "pending": ToolResult.pending(REQUEST),
    "nul": ToolResult("a\0b"),
    "part": IMAGE,
    "request": REQUEST,
    "answer": ANSWER,
    "falsy answer": Answer("c:0", True, data=0),
}
UNKNOWN = {
    "unknown block": ToolResult.ok("x", parts=[BLOCK]),
    "unknown block, other original": ToolResult.ok("x", parts=[OTHER_BLOCK]),
    "unknown part": BLOCK,
}
VALUES = KNOWN | UNKNOWN
RESULTS = {name: value for name, value in VALUES.items() if type(value) is ToolResult}

LONG = 2**70 + 1
NO_JSON = ToolResult.ok("x", metadata={"when": EXPIRY})

each_value = pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
each_known = pytest.mark.parametrize("value", KNOWN.values(), ids=KNOWN.keys())
each_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS.keys())


class Boxed(Generic[T]):
    """Any class that msgspec does not know, and so asks about."""

    def __init__(self, value: T) -> None:
        self.value = value


class Message(msgspec.Struct):
    result: Boxed[ToolResult]
    part: Boxed[ContentPart]
    request: Boxed[Request]
    answer: Boxed[Answer] | None = None


class Bare(msgspec.Struct):
    result: ToolResult


class Embedded(msgspec.Struct):
    result: msgspec.Raw


def write_boxed(obj: Any) -> object:
    return wire.to_wire(obj.value)


def read_boxed(kind: Any, obj: object) -> object:
    return Boxed(wire.from_wire(get_args(kind)[0], obj))


each_format = pytest.mark.parametrize("format_", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])


@each_format
@each_result
def test_msgspec_writes_and_reads_the_wire_form_of_a_boxed_value(result, format_):
    message = Message(Boxed(result), Boxed(BLOCK), Boxed(REQUEST), Boxed(ANSWER))
    written = format_.encode(message, enc_hook=write_boxed)
    assert format_.decode(written) == {
        "result": result.to_wire(),
        "part": BLOCK.to_wire(),
        "request": REQUEST.to_wire(),
        "answer": ANSWER.to_wire(),
    }
    read = format_.decode(written, type=Message, dec_hook=read_boxed)
    assert (read.result.value, read.part.value, read.request.value) == (result, BLOCK, REQUEST)
    assert read.answer.value == ANSWER


def test_msgspec_names_the_place_of_a_malformed_boxed_value():
    text = b'{"result": {"output": "x", "isError": "false"}, "part": {}, "request": {}}'
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(text, type=Message, dec_hook=read_boxed)
    assert str(caught.value).startswith("isError: ")
    assert "$.result" in str(caught.value)


@each_result
def test_msgspec_embeds_wire_text_byte_by_byte(result):
    text = result.to_json().encode()
    written = msgspec.json.encode(Embedded(msgspec.Raw(text)))
    assert written == b'{"result":' + text + b"}"
    assert ToolResult.from_json(bytes(msgspec.json.decode(written, type=Embedded).result)) == result


def test_msgspec_never_asks_about_our_types_and_writes_their_fields():
    def never_asked(obj: object) -> object:
        raise AssertionError(obj)

    message = Bare(ToolResult.error("x", parts=[ContentPart("file", data=b"abc", mime_type="text/csv")]))
    assert msgspec.json.encode(message, enc_hook=never_asked) == (
        b'{"result":{"output":"x","is_error":true,"parts":[{"type":"file","text":null,"mime_type":"text/csv",'
        b'"data":"YWJj","url":null,"file_id":null,"name":null,"metadata":null,"raw":null}],"metadata":null}}'
    )


@each_known
def test_the_fields_that_msgspec_writes_read_back(value):
    kind = type(value)
    assert wire.from_wire(kind, msgspec.to_builtins(value)) == value
    assert wire.from_json(kind, msgspec.json.encode(value)) == value


def test_the_fields_of_a_block_of_an_unknown_type_read_back_as_another_block():
    fields = {
        "type": "hologram",
        "text": None,
        "mime_type": None,
        "data": None,
        "url": None,
        "file_id": None,
        "name": None,
        "metadata": None,
        "raw": {"type": "hologram", "depth": 3, "note": None},
    }
    assert msgspec.to_builtins(BLOCK) == fields
    assert ContentPart.from_wire(fields) == ContentPart("hologram", raw=fields)


@pytest.mark.parametrize(
    "dump",
    [
        pytest.param(partial(msgspec.to_builtins, builtin_types=(bytes, datetime)), id="msgspec.to_builtins"),
        pytest.param(lambda value: msgspec.msgpack.decode(msgspec.msgpack.encode(value)), id="msgspec.msgpack"),
        pytest.param(cattrs.Converter().unstructure, id="cattrs"),
        pytest.param(dataclasses.asdict, id="dataclasses.asdict"),
    ],
)
def test_fields_in_which_bytes_stayed_bytes_are_refused(dump):
    with pytest.raises(DecodeError) as caught:
        ToolResult.from_wire(dump(KNOWN["image"]))
    assert caught.value.path == "parts[0].data"


@pytest.mark.parametrize(
    "dump",
    [
        pytest.param(partial(msgspec.to_builtins, builtin_types=(datetime,)), id="msgspec.to_builtins"),
        pytest.param(cattrs.Converter().unstructure, id="cattrs"),
        pytest.param(dataclasses.asdict, id="dataclasses.asdict"),
    ],
)
def test_fields_in_which_times_stayed_times_are_refused(dump):
    with pytest.raises(DecodeError) as caught:
        ToolResult.from_wire(dump(KNOWN["pending"]))
    assert caught.value.path == "metadata.pending.expiresAt"


@pytest.mark.parametrize(
    ("kept", "written"),
    [
        pytest.param(EXPIRY, "2030-01-02T03:04:05.678900Z", id="time"),
        pytest.param(b"abc", "YWJj", id="bytes"),
        pytest.param(frozenset([1]), [1], id="set"),
        pytest.param(float("inf"), None, id="infinity"),
    ],
)
def test_the_fields_that_msgspec_writes_say_something_else_where_the_wire_form_refuses(kept, written):
    result = ToolResult.ok("x", metadata={"kept": kept})
    assert ToolResult.from_json(msgspec.json.encode(result)) == ToolResult.ok("x", metadata={"kept": written})
    with pytest.raises(EncodeError):
        result.to_wire()


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda value: msgspec.convert(value.to_wire(), type(value)), id="msgspec.convert"),
        pytest.param(lambda value: msgspec.json.decode(value.to_json(), type=type(value)), id="msgspec.json"),
    ],
)
def test_msgspec_ignores_the_keys_of_the_wire_form_where_a_type_of_ours_is_declared(read):
    assert read(ToolResult.error("no")) == ToolResult("no")
    assert read(REQUEST) == dataclasses.replace(REQUEST, expires_at=None)
    with pytest.raises(msgspec.ValidationError):
        read(KNOWN["pending"])
    with pytest.raises(msgspec.ValidationError):
        read(KNOWN["image"])


@attrs.define
class Turn:
    call_id: str
    result: ToolResult
    parts: list[ContentPart] = attrs.field(factory=list)
    answers: dict[str, Answer] = attrs.field(factory=dict)
    request: Request | None = None


def with_hooks(converter: cattrs.Converter) -> cattrs.Converter:
    for kind in (ToolResult, ContentPart, Request, Answer):
        converter.register_unstructure_hook(kind, wire.to_wire)
        converter.register_structure_hook(kind, lambda obj, kind: wire.from_wire(kind, obj))
    return converter


JSON_CONVERTERS = [
    pytest.param(cattrs.preconf.json.make_converter, id="json"),
    pytest.param(cattrs.preconf.orjson.make_converter, id="orjson"),
]
each_converter = pytest.mark.parametrize(
    "make_converter", [pytest.param(cattrs.Converter, id="plain"), *JSON_CONVERTERS]
)


@each_converter
@each_result
def test_cattrs_writes_and_reads_the_wire_form_with_hooks(result, make_converter):
    converter = with_hooks(make_converter())
    turn = Turn("c", result, [IMAGE, BLOCK, OTHER_BLOCK], {"c:0": ANSWER}, REQUEST)
    written = converter.unstructure(turn)
    assert written == {
        "call_id": "c",
        "result": result.to_wire(),
        "parts": [IMAGE.to_wire(), BLOCK.to_wire(), OTHER_BLOCK.to_wire()],
        "answers": {"c:0": ANSWER.to_wire()},
        "request": REQUEST.to_wire(),
    }
    assert converter.structure(written, Turn) == turn


@pytest.mark.parametrize("make_converter", JSON_CONVERTERS)
def test_cattrs_writes_and_reads_json_text_with_hooks(make_converter):
    converter = with_hooks(make_converter())
    turn = Turn("c", KNOWN["pending"], [IMAGE, BLOCK], {"c:0": ANSWER})
    assert converter.loads(converter.dumps(turn), Turn) == turn


def test_cattrs_names_the_place_of_a_malformed_value():
    with pytest.raises(cattrs.ClassValidationError) as caught:
        with_hooks(cattrs.Converter()).structure({"call_id": "c", "result": {"output": "x", "isError": 0}}, Turn)
    assert [(type(error), error.path) for error in caught.value.exceptions] == [(DecodeError, "isError")]


def test_attrs_leaves_a_value_of_ours_to_the_encoder():
    turn = Turn("c", KNOWN["pending"], [IMAGE])
    fields = attrs.asdict(turn)
    assert fields == {"call_id": "c", "result": KNOWN["pending"], "parts": [IMAGE], "answers": {}, "request": None}
    assert json.loads(json.dumps(fields, default=wire.default)) == {
        **fields,
        "result": KNOWN["pending"].to_wire(),
        "parts": [IMAGE.to_wire()],
    }


def test_cattrs_without_hooks_takes_a_failure_in_the_wire_form_for_a_success():
    assert cattrs.structure({"output": "no", "isError": True}, ToolResult) == ToolResult("no")
    assert cattrs.unstructure(ToolResult.error("no")) == {
        "output": "no",
        "is_error": True,
        "parts": None,
        "metadata": None,
    }


def test_cattrs_without_hooks_writes_base85_that_reads_back_as_other_data():
    part = ContentPart("file", data=bytes(16), mime_type="application/octet-stream")
    converter = cattrs.preconf.json.make_converter()
    assert ContentPart.from_json(converter.dumps(part)).data == b"\xd3\x4d\x34" * 5
    assert with_hooks(converter).loads(converter.dumps(part), ContentPart) == part


write_orjson = partial(orjson.dumps, default=wire.default, option=orjson.OPT_PASSTHROUGH_DATACLASS)


@each_value
def test_orjson_writes_the_wire_form_if_told_to_ask(value):
    text = write_orjson({"history": [value]})
    assert text == b'{"history":[' + value.to_json().encode() + b"]}"
    assert wire.from_wire(type(value), orjson.loads(text)["history"][0]) == value


def test_orjson_gives_the_place_of_what_json_cannot_hold_as_the_cause():
    with pytest.raises(orjson.JSONEncodeError) as caught:
        write_orjson([NO_JSON])
    assert type(caught.value.__cause__) is EncodeError
    assert caught.value.__cause__.path == "metadata.when"


def test_orjson_not_told_to_ask_writes_fields_and_no_data():
    assert orjson.dumps(KNOWN["pending"], default=wire.default) == (
        b'{"output":"Refund 10?","is_error":true,"parts":null,"metadata":{"pending":{"kind":"approval",'
        b'"prompt":"Refund 10?","id":"c:0","url":"https://h.test/x","data":{"arguments":{"n":10}},'
        b'"expires_at":"2030-01-02T03:04:05.678900+00:00"}}}'
    )
    assert ToolResult.from_json(orjson.dumps(KNOWN["pending"])) == KNOWN["pending"]
    assert ContentPart.from_json(orjson.dumps(BLOCK)) != BLOCK
    with pytest.raises(orjson.JSONEncodeError):
        orjson.dumps(IMAGE, default=wire.default)


def test_orjson_reads_a_long_integer_as_a_float_and_refuses_to_write_one():
    result = ToolResult.ok("x", metadata={"n": LONG})
    assert ToolResult.from_json(result.to_json()) == result
    assert ToolResult.from_wire(orjson.loads(result.to_json())) == ToolResult.ok("x", metadata={"n": float(LONG)})
    with pytest.raises(orjson.JSONEncodeError):
        write_orjson(result)


@each_value
def test_json_writes_the_wire_form_if_given_our_default(value):
    text = json.dumps({"history": [value], "n": 1}, default=wire.default)
    read = json.loads(text)
    assert read == {"history": [value.to_wire()], "n": 1}
    assert wire.from_wire(type(value), read["history"][0]) == value


def test_json_refuses_our_values_without_it_and_what_json_cannot_hold_with_it():
    with pytest.raises(TypeError):
        json.dumps([ToolResult("x")])
    with pytest.raises(EncodeError) as caught:
        json.dumps([NO_JSON], default=wire.default)
    assert caught.value.path == "metadata.when"


@contextmanager
def sqlite() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)) as connection:
        connection.execute("CREATE TABLE calls (id TEXT PRIMARY KEY, result TOOLRESULT)")
        yield connection


@pytest.fixture
def unregistered(monkeypatch):
    """Forget, until the test is over, what this process has told sqlite3 about our types."""
    monkeypatch.delitem(sqlite3.adapters, (ToolResult, sqlite3.PrepareProtocol), raising=False)
    monkeypatch.delitem(sqlite3.converters, "TOOLRESULT", raising=False)


@pytest.fixture
def registered(unregistered, monkeypatch):
    monkeypatch.setitem(sqlite3.adapters, (ToolResult, sqlite3.PrepareProtocol), None)
    monkeypatch.setitem(sqlite3.converters, "TOOLRESULT", None)
    sqlite3.register_adapter(ToolResult, wire.to_json)
    sqlite3.register_converter("toolresult", partial(wire.from_json, ToolResult))


@each_result
@pytest.mark.usefixtures("registered")
def test_sqlite_keeps_a_result_as_wire_text(result):
    with sqlite() as connection:
        connection.execute("INSERT INTO calls VALUES (?, ?)", ("c", result))
        assert connection.execute("SELECT result FROM calls").fetchone() == (result,)
        stored = connection.execute("SELECT CAST(result AS TEXT), typeof(result) FROM calls").fetchone()
        assert stored == (result.to_json(), "text")


@pytest.mark.usefixtures("registered")
def test_sqlite_looks_into_wire_text():
    with sqlite() as connection:
        connection.executemany("INSERT INTO calls VALUES (?, ?)", [*RESULTS.items(), ("nothing", None)])
        failed = "SELECT id FROM calls WHERE json_extract(result, '$.isError') ORDER BY id"
        assert connection.execute(failed).fetchall() == [("error",), ("pending",)]
        waiting = "SELECT result FROM calls WHERE json_extract(result, '$.metadata.pending.id') = ?"
        assert connection.execute(waiting, ("c:0",)).fetchall() == [(KNOWN["pending"],)]
        assert connection.execute("SELECT result FROM calls WHERE id = 'nothing'").fetchone() == (None,)


@pytest.mark.usefixtures("unregistered")
def test_sqlite_refuses_a_result_that_it_was_not_told_about():
    with sqlite() as connection, pytest.raises(sqlite3.ProgrammingError):
        connection.execute("INSERT INTO calls VALUES (?, ?)", ("c", ToolResult("x")))


class WireText(sa.TypeDecorator[ToolResult]):
    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value, dialect):
        return None if value is None else value.to_json()

    def process_result_value(self, value, dialect):
        return None if value is None else ToolResult.from_json(value)


class WireObject(sa.TypeDecorator[ToolResult]):
    impl = sa.JSON(none_as_null=True)
    cache_ok = True

    def coerce_compared_value(self, op, value):
        return self.impl_instance.coerce_compared_value(op, value)

    def process_bind_param(self, value, dialect):
        return None if value is None else value.to_wire()

    def process_result_value(self, value, dialect):
        return None if value is None else ToolResult.from_wire(value)


CALLS = sa.Table(
    "calls",
    sa.MetaData(),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("text", WireText),
    sa.Column("object", WireObject),
    sa.Column("state", sa.JSON),
)


@contextmanager
def database(**options: Any) -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://", **options)
    try:
        with engine.begin() as connection:
            CALLS.metadata.create_all(connection)
            yield connection
    finally:
        engine.dispose()


each_database = pytest.mark.parametrize(
    "options",
    [{}, {"json_serializer": wire.dumps, "json_deserializer": wire.loads}],
    ids=["json of Python", "our codec"],
)


@each_database
@each_result
def test_sqlalchemy_keeps_a_result_in_a_column_of_its_own_type(result, options):
    with database(**options) as connection:
        connection.execute(CALLS.insert().values(id="c", text=result, object=result))
        assert connection.execute(sa.select(CALLS.c.text, CALLS.c.object)).one() == (result, result)
        assert connection.scalar(sa.text("SELECT text FROM calls")) == result.to_json()


@each_database
def test_sqlalchemy_looks_into_a_column_of_objects(options):
    with database(**options) as connection:
        connection.execute(CALLS.insert(), [{"id": name, "object": result} for name, result in RESULTS.items()])
        connection.execute(CALLS.insert().values(id="nothing"))
        failed = sa.select(CALLS.c.id).where(CALLS.c.object["isError"].as_boolean()).order_by(CALLS.c.id)
        assert connection.scalars(failed).all() == ["error", "pending"]
        asked = CALLS.c.object[("metadata", "pending", "id")].as_string()
        assert connection.scalars(sa.select(CALLS.c.object).where(asked == "c:0")).all() == [KNOWN["pending"]]
        nothing = sa.select(CALLS.c.text, CALLS.c.object).where(CALLS.c.object.is_(None))
        assert connection.execute(nothing).all() == [(None, None)]


@each_value
def test_sqlalchemy_keeps_a_structure_with_our_codec(value):
    state = {"history": [value, {"at": value}], "$toolresult": "mine", "empty": None}
    with database(json_serializer=wire.dumps, json_deserializer=wire.loads) as connection:
        connection.execute(CALLS.insert().values(id="c", state=state))
        assert connection.scalar(sa.select(CALLS.c.state)) == state


@pytest.mark.parametrize("column", ["text", "object"])
def test_sqlalchemy_gives_the_place_of_what_json_cannot_hold_and_shows_no_metadata(column):
    with database() as connection, pytest.raises(sa.exc.StatementError) as caught:
        connection.execute(CALLS.insert().values(id="c", **{column: NO_JSON}))
    assert type(caught.value.orig) is EncodeError
    assert caught.value.orig.path == "metadata.when"
    assert "2030" not in str(caught.value)


def test_sqlalchemy_refuses_a_value_in_a_plain_json_column():
    with database() as connection, pytest.raises(sa.exc.StatementError) as caught:
        connection.execute(CALLS.insert().values(id="c", state={"history": [ToolResult("x")]}))
    assert type(caught.value.orig) is TypeError


def test_a_parquet_column_of_wire_text_keeps_every_result():
    results = list(RESULTS.values())
    file = io.BytesIO()
    pd.DataFrame({"call_id": RESULTS.keys(), "result": [result.to_json() for result in results]}).to_parquet(file)
    column = pd.read_parquet(io.BytesIO(file.getvalue()))["result"]
    assert column.map(ToolResult.from_json).tolist() == results
    table = pq.read_table(io.BytesIO(file.getvalue()))
    assert table.schema.field("result").type in (pa.string(), pa.large_string())
    assert [ToolResult.from_json(text) for text in table["result"].to_pylist()] == results


@each_known
def test_a_parquet_file_of_pyarrow_keeps_the_wire_text_of_each_type(value):
    file = io.BytesIO()
    pq.write_table(pa.table({"wire": pa.array([value.to_json(), None], pa.string())}), file)
    text, nothing = pq.read_table(io.BytesIO(file.getvalue()))["wire"].to_pylist()
    assert wire.from_json(type(value), text) == value
    assert nothing is None


def test_a_missing_text_in_a_parquet_column_is_skipped_on_request_only():
    file = io.BytesIO()
    pd.DataFrame({"result": [ToolResult("x").to_json(), None]}).to_parquet(file)
    column = pd.read_parquet(io.BytesIO(file.getvalue()))["result"]
    assert column.dropna().map(ToolResult.from_json).tolist() == [ToolResult("x")]
    with pytest.raises(TypeError):
        column.map(ToolResult.from_json)


def test_pandas_takes_a_list_of_results_apart_into_fields():
    frame = pd.DataFrame([KNOWN["text"], KNOWN["value"]])
    assert frame.to_dict("list") == {
        "output": ["x", "two"],
        "is_error": [False, False],
        "parts": [None, None],
        "metadata": [None, {"toolresult": {"value": {"rows": [{"id": 1}]}}}],
    }


def test_pandas_writes_the_attributes_of_objects_as_json_and_crashes_on_data():
    part = ContentPart("file", data=b"abc", mime_type="text/csv")
    written = json.loads(pd.DataFrame({"value": [KNOWN["value"], part]}).to_json())["value"]
    assert {"output", "is_error", "is_pending", "content", "value"} <= written["0"].keys()
    assert "isError" not in written["0"]
    assert written["1"]["data"] == "abc"
    with pytest.raises((UnicodeDecodeError, OverflowError)):
        pd.DataFrame({"value": [IMAGE]}).to_json()


def test_parquet_refuses_a_column_of_objects():
    with pytest.raises(pa.ArrowInvalid):
        pd.DataFrame({"result": [ToolResult("x")]}).to_parquet(io.BytesIO())
    with pytest.raises(pa.ArrowInvalid):
        pa.array([ToolResult("x")])


CONTENT_TYPE = "application/x-toolresult+json"


@pytest.fixture
def registry():
    registry = SerializerRegistry()
    registry.register("toolresult", wire.dumps, wire.loads, content_type=CONTENT_TYPE, content_encoding="utf-8")
    return registry


@each_value
def test_kombu_sends_our_values_with_our_codec(value, registry):
    body = [[value], {"answer": ANSWER, "$toolresult": "mine"}, {"callbacks": None}]
    content_type, encoding, payload = registry.dumps(body, serializer="toolresult")
    assert (content_type, encoding) == (CONTENT_TYPE, "utf-8")
    assert registry.loads(payload, content_type, encoding, accept=[CONTENT_TYPE]) == body
    assert registry.loads(payload.encode(), content_type, encoding, accept=[CONTENT_TYPE]) == body


def test_kombu_wraps_our_errors_in_its_own(registry):
    with pytest.raises(kombu.exceptions.DecodeError) as unread:
        registry.loads('{"$toolresult": 1}', CONTENT_TYPE, "utf-8", accept=[CONTENT_TYPE])
    assert [(type(error), error.path) for error in unread.value.args] == [(DecodeError, "obj")]
    with pytest.raises(kombu.exceptions.EncodeError) as unwritten:
        registry.dumps([NO_JSON], serializer="toolresult")
    assert [(type(error), error.path) for error in unwritten.value.args] == [(EncodeError, "obj[0].metadata.when")]
    with pytest.raises(kombu.exceptions.EncodeError):
        kombu.serialization.dumps([ToolResult("x")], serializer="json")
