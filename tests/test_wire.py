"""The wire form: what is written, what is refused and where, and the codec of structures that hold our values."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import sys
from datetime import UTC, datetime
from decimal import Decimal
from unittest.mock import MagicMock, Mock

import pytest

from toolresult import Answer, ContentPart, DecodeError, EncodeError, Request, ToolResult
from toolresult._decode import Reader, untagged
from toolresult.wire import canonical, default, digest, dumps, from_json, from_wire, loads, to_json, to_wire

IMAGE = ContentPart("image", data=b"abc", mime_type="image/png", name="a.png", metadata={"alt": "A"})
REQUEST = Request.authorization("https://u:p@h.test/x?token=SECRET#f", "Log in", id="0123456789")
ANSWER = Answer("0123456789", False, data={"comment": "SECRET"}, reason="declined")
RESULT = ToolResult(
    "o",
    True,
    parts=[IMAGE, ContentPart.from_url("s3://b/k?sig=SECRET", type="file"), ContentPart("z", raw={"a": "SECRET"})],
    metadata={"k": "SECRET", "pending": REQUEST, "toolresult": {"value": [1]}},
)
PART = {"type": "text", "text": "x"}


def wire_of(**members):
    return {"output": "x", "isError": False, **members}


def request_of(**members):
    return {"id": "r", "kind": "k", "prompt": "p", **members}


def test_the_keys_and_their_order():
    assert to_json(RESULT) == (
        '{"output":"o","isError":true,"parts":['
        '{"type":"image","mimeType":"image/png","data":"YWJj","name":"a.png","metadata":{"alt":"A"}},'
        '{"type":"file","url":"s3://b/k?sig=SECRET"},'
        '{"type":"z","raw":{"a":"SECRET"}}],'
        '"metadata":{"k":"SECRET","pending":{"id":"0123456789","kind":"authorization","prompt":"Log in",'
        '"url":"https://u:p@h.test/x?token=SECRET#f"},"toolresult":{"value":[1]}}}'
    )
    assert to_json(ANSWER) == '{"id":"0123456789","ok":false,"data":{"comment":"SECRET"},"reason":"declined"}'
    part = ContentPart.from_file_id("f1", type="file", provider="p", mime_type="text/csv")
    assert to_wire(part) == {
        "type": "file",
        "mimeType": "text/csv",
        "fileId": "f1",
        "metadata": {"provider": "p"},
    }


def test_indent_is_that_of_json():
    assert ToolResult("x").to_json(indent=2) == '{\n  "output": "x",\n  "isError": false\n}'
    assert ToolResult("x").to_json(indent="\t") == '{\n\t"output": "x",\n\t"isError": false\n}'


@pytest.mark.parametrize("value", [RESULT, IMAGE, REQUEST, ANSWER], ids=lambda value: type(value).__name__)
def test_the_methods_are_the_functions(value):
    kind = type(value)
    assert value.to_wire() == to_wire(value) == default(value)
    assert value.to_json() == to_json(value)
    assert value.to_json(payload=False) == to_json(value, payload=False)
    assert kind.from_wire(value.to_wire()) == kind.from_json(value.to_json()) == value
    assert kind.from_wire(value) is value


@pytest.mark.parametrize("value", [RESULT, IMAGE, REQUEST, ANSWER], ids=lambda value: type(value).__name__)
def test_the_log_form_has_the_same_keys_and_no_secret(value):
    text = to_json(value, payload=False)
    assert "SECRET" not in text
    assert "YWJj" not in text
    assert "u:p" not in text
    assert set(to_wire(value, payload=False)) <= set(to_wire(value))


def test_the_log_form():
    assert to_wire(RESULT, payload=False)["parts"] == [
        {
            "type": "image",
            "mimeType": "image/png",
            "data": "[image/png, 3 bytes]",
            "name": "a.png",
            "metadata": {"alt": "str"},
        },
        {"type": "file", "url": "s3://b/k"},
        {"a": "str", "type": "z"},
    ]
    assert to_wire(REQUEST, payload=False)["url"] == "https://h.test/x"
    assert to_wire(REQUEST, payload=False)["id"] == "01234…"
    assert to_wire(Answer("r", True), payload=False) == {"id": "…", "ok": True}
    timed = Request("k", "p", id="r", url=None, expires_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert to_wire(timed, payload=False)["expiresAt"] == "2026-01-01T00:00:00Z"
    urn = ContentPart.from_url("urn:x:y?q=SECRET", type="file")
    assert to_wire(urn, payload=False)["url"] == "urn:x:y"
    one = ContentPart("file", data=b"1", mime_type="text/plain")
    assert to_wire(one, payload=False)["data"] == "[text/plain, 1 byte]"


@pytest.mark.parametrize(
    ("metadata", "path"),
    [
        ({"a": [1, {"b": Decimal(1)}]}, "metadata.a[1].b"),
        ({"a": {1: 2}}, "metadata.a[1]"),
        ({"a": math.nan}, "metadata.a"),
        ({"a": b"x"}, "metadata.a"),
        ({"a": frozenset()}, "metadata.a"),
        ({"a": IMAGE}, "metadata.a"),
        ({"a": {"\ud800": 1, chr(0xFFFD): 2}}, "metadata.a['\\ufffd']"),
        ({"toolresult": {"raw": Decimal(1)}}, "metadata.toolresult.raw"),
    ],
)
def test_what_json_cannot_hold_is_an_error_with_its_place(metadata, path):
    with pytest.raises(EncodeError) as caught:
        to_wire(ToolResult("x", metadata=metadata))
    assert caught.value.path.replace("\ufffd", "\\ufffd") == path
    part = ContentPart.from_text("x", metadata={"k": Decimal(1)})
    with pytest.raises(EncodeError) as caught:
        to_wire(ToolResult("x", parts=[part]))
    assert caught.value.path == "parts[0].metadata.k"


def test_default_replaces_what_json_cannot_hold():
    result = ToolResult("x", metadata={"a": [Decimal("1.5")], "b": {1, 2}})
    assert to_wire(result, default=lambda obj: sorted(obj) if isinstance(obj, frozenset) else str(obj)) == wire_of(
        metadata={"a": ["1.5"], "b": [1, 2]}
    )
    with pytest.raises(EncodeError, match="default= raised ZeroDivisionError") as caught:
        to_wire(result, default=lambda _: 1 // 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(EncodeError, match="let default= do so"):
        to_wire(result, default=lambda obj: obj)
    circle = []
    circle.append(circle)
    with pytest.raises(EncodeError, match="100 levels"):
        dumps(circle, default=str)


def test_a_value_without_json_form_is_left_out_and_any_other_written_once():
    assert to_wire(ToolResult("x", metadata={"toolresult": {"value": object()}})) == wire_of()
    assert to_wire(ToolResult.json([1]))["metadata"]["toolresult"]["derived"] is True
    assert "value" not in to_wire(ToolResult.json([1]))["metadata"]["toolresult"]
    aside = ToolResult.ok("one", value=Decimal("1.0"))
    assert to_wire(aside)["metadata"]["toolresult"] == {"value": "1.0"}
    opaque = ToolResult("x", metadata={"toolresult": {"value": object()}})
    assert to_wire(opaque, default=lambda _: "o")["metadata"]["toolresult"] == {"value": "o"}
    assert to_wire(ToolResult("x", metadata={"toolresult": {"value": None}}))["metadata"]["toolresult"] == {
        "value": None
    }


@pytest.mark.parametrize(
    ("kind", "obj", "path"),
    [
        (ToolResult, [], "ToolResult"),
        (ToolResult, "x", "ToolResult"),
        (ToolResult, {"isError": False}, "output"),
        (ToolResult, {"output": "x"}, "isError"),
        (ToolResult, wire_of(isError="false"), "isError"),
        (ToolResult, wire_of(isError=1), "isError"),
        (ToolResult, wire_of(is_error=True), "isError"),
        (ToolResult, wire_of(parts={}), "parts"),
        (ToolResult, wire_of(parts=[PART, 1]), "parts[1]"),
        (ToolResult, wire_of(parts=[{"text": "x"}]), "parts[0].type"),
        (ToolResult, wire_of(parts=[{"type": "text"}]), "parts[0].text"),
        (ToolResult, wire_of(parts=[{**PART, "metadata": []}]), "parts[0].metadata"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "YWJj"}]), "parts[0].mimeType"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "YW\nJj", "mimeType": "a/b"}]), "parts[0].data"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "YQ", "mimeType": "a/b"}]), "parts[0].data"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "YR==", "mimeType": "a/b"}]), "parts[0].data"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "YQ====", "mimeType": "a/b"}]), "parts[0].data"),
        (ToolResult, wire_of(parts=[{"type": "image", "data": "é", "mimeType": "a/b"}]), "parts[0].data"),
        (ToolResult, wire_of(parts=[{"type": "zz", "x": {1}}]), "parts[0].x"),
        (ToolResult, wire_of(metadata=[]), "metadata"),
        (ToolResult, wire_of(metadata={"a": {"\ud800": 1, chr(0xDFFF): 2}}), "metadata.a['\\udfff']"),
        (
            ToolResult,
            {**wire_of(metadata={"toolresult": {"derived": True}}), "output": '{"\ud800":1,"\udfff":2}'},
            "metadata.toolresult.derived",
        ),
        (ToolResult, wire_of(metadata={1: 2}), "metadata[1]"),
        (ToolResult, wire_of(metadata={"a": [math.inf]}), "metadata.a[0]"),
        (ToolResult, wire_of(metadata={"a": (1,)}), "metadata.a"),
        (ToolResult, wire_of(metadata={"a": IMAGE}), "metadata.a"),
        (ToolResult, wire_of(metadata={"toolresult": 1}), "metadata.toolresult"),
        (ToolResult, wire_of(metadata={"toolresult": {"derived": 1}}), "metadata.toolresult.derived"),
        (ToolResult, wire_of(metadata={"toolresult": {"derived": True}}), "metadata.toolresult.derived"),
        (ToolResult, wire_of(metadata={"toolresult": {"derived": True, "value": 1}}), "metadata.toolresult.value"),
        (ToolResult, wire_of(metadata={"toolresult": {"code": 1}}), "metadata.toolresult.code"),
        (ToolResult, wire_of(metadata={"pending": 1}), "metadata.pending"),
        (ToolResult, wire_of(metadata={"pending": request_of(id=" ")}), "metadata.pending.id"),
        (ToolResult, wire_of(metadata={"pending": request_of()}), "isError"),
        (Request, request_of(url="ftp://x"), "url"),
        (Request, request_of(data=[]), "data"),
        (Request, request_of(data={"schema": 1}), "data.schema"),
        (Request, request_of(expiresAt=1), "expiresAt"),
        (Request, request_of(expires_at="x"), "expiresAt"),
        (Answer, {"id": "r", "ok": "yes"}, "ok"),
        (Answer, {"id": "r", "ok": True, "reason": "declined"}, "reason"),
        (Answer, {"id": "r", "ok": True, "data": [object()]}, "data[0]"),
    ],
)
def test_malformed_input_is_one_typed_error_with_its_place(kind, obj, path):
    with pytest.raises(DecodeError) as caught:
        from_wire(kind, obj)
    assert caught.value.path == path
    assert caught.value.problem


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "line 1, column 1"),
        ("{\n1", "line 2, column 1"),
        (b"\xff", "text"),
        ("[" * 100_000, "text"),
        ('{"output":"x","output":"y","isError":false}', "output"),
        ('{"output":"x","isError":false,"metadata":{"a":[NaN]}}', "metadata.a[0]"),
        ('{"output":"x","isError":false,"metadata":{"a":-1e400}}', "metadata.a"),
        ('{"output":"x","isError":false,"metadata":' + '{"a":' * 101 + "1" + "}" * 102, "metadata" + ".a" * 46),
    ],
)
def test_text_that_is_no_strict_json_is_a_typed_error(text, path):
    with pytest.raises(DecodeError) as caught:
        from_json(ToolResult, text)
    assert caught.value.path.partition("…")[0] == path


def test_aliases_nulls_unknown_keys_and_byte_order_marks_are_read():
    text = (
        b'\xef\xbb\xbf{"output":"x","is_error":true,"parts":[{"type":"file","mime_type":"a/b","file_id":"f","url":null}]'
        b',"metadata":null,"else":1}'
    )
    part = ContentPart("file", mime_type="a/b", file_id="f")
    assert from_json(ToolResult, text) == ToolResult("x", True, parts=[part])
    assert from_wire(ToolResult, wire_of(parts=(IMAGE, PART))).parts == (IMAGE, ContentPart.from_text("x"))
    assert from_wire(ToolResult, {**wire_of(isError=True), "metadata": {"pending": REQUEST}}).request is REQUEST


@pytest.mark.parametrize(
    "limits",
    [{"max_depth": True}, {"max_depth": "5"}, {"max_digits": -1}, {"max_digits": 4301}, {"max_digits": None}],
    ids=repr,
)
def test_a_limit_is_an_int_in_its_range(limits):
    for call in (
        lambda: from_wire(Answer, {"id": "r", "ok": True}, **limits),
        lambda: from_json(Answer, "{}", **limits),
        lambda: loads("1", **limits),
    ):
        with pytest.raises(ValueError, match=f"^{next(iter(limits))}: must be an int from 1 to"):
            call()
    for size in (-1, True, "5"):
        with pytest.raises(ValueError, match=r"^max_bytes: must be an int from 0"):
            loads("1", max_bytes=size)


def test_texts_of_subclasses_are_read_and_measured_as_what_they_are():
    class Bytes(bytes):
        def __len__(self):
            return 0

        def decode(self, *args):
            raise KeyError("SECRET")

    class Text(str):
        __slots__ = ()

        def __len__(self):
            return 0

        def encode(self, *args):
            raise KeyError("SECRET")

    for text in (Bytes(b'"aaaaaaaa"'), Text('"aaaaaaaa"')):
        assert loads(text) == "aaaaaaaa"
        with pytest.raises(DecodeError, match="longer than 5 bytes"):
            loads(text, max_bytes=5)
    for other in (Mock(spec=str), Mock(spec=bytes), bytearray(b"1"), None):
        with pytest.raises(TypeError, match=r"^text: must be str or bytes"):
            loads(other)


def test_the_limits_can_be_set():
    deep = wire_of(metadata={"a": [[1]]})
    assert from_wire(ToolResult, deep, max_depth=3).metadata == {"a": [[1]]}
    for limits in ({"max_depth": 2},):
        with pytest.raises(DecodeError, match="more than 2 levels"):
            from_wire(ToolResult, deep, **limits)
    with pytest.raises(DecodeError, match="more than 3 digits"):
        ToolResult.from_json('{"output":"x","isError":false,"metadata":{"n":1234}}', max_digits=3)
    with pytest.raises(DecodeError, match="more than 3 digits"):
        ToolResult.from_wire(wire_of(metadata={"n": 1234}), max_digits=3)
    for text in (to_json(ToolResult("é" * 10)), to_json(ToolResult("é" * 10)).encode(), "x" * 100):
        with pytest.raises(DecodeError, match="longer than 40 bytes"):
            ToolResult.from_json(text, max_bytes=40)
    for depth in (0, 101):
        with pytest.raises(ValueError, match="max_depth: must be an int from 1 to 100"):
            from_wire(ToolResult, deep, max_depth=depth)


def call_below(frames, function):
    return call_below(frames - 1, function) if frames else function()


def test_what_the_call_stack_has_no_room_for_is_a_typed_error():
    nested = 1
    for _ in range(95):
        nested = [nested]
    result = ToolResult("x", metadata={"a": nested})
    wire, text, structure = to_wire(result), to_json(result), dumps([result])
    room = sys.getrecursionlimit() - len(inspect.stack())
    for function, error in (
        (lambda: to_wire(result), EncodeError),
        (lambda: from_wire(ToolResult, wire), DecodeError),
        (lambda: from_json(ToolResult, text), DecodeError),
        (lambda: loads(structure), DecodeError),
        (lambda: untagged(Reader(100, 4300), nested), DecodeError),
        (lambda: dumps(nested), EncodeError),
        (lambda: canonical(nested), EncodeError),
    ):
        problems = set()
        for left in range(40, 200, 4):
            try:
                call_below(room - left, function)
            except error as caught:
                problems.add(caught.problem.partition(";")[0])
        assert problems
        assert all("deep" in problem for problem in problems)


def test_shared_and_circular_input_ends():
    shared = [1]
    for _ in range(90):
        shared = [shared, shared]
    assert from_wire(ToolResult, wire_of(metadata={"a": shared})).metadata is not None
    for _ in range(10):
        shared = [shared, shared]
    circle = []
    circle.append(circle)
    for value in (shared, circle):
        with pytest.raises(DecodeError, match="100 levels"):
            from_wire(ToolResult, wire_of(metadata={"a": value}))


def test_programmer_mistakes_are_builtin_errors():
    for call in (
        lambda: to_wire({}),
        lambda: to_wire({}, payload=False),
        lambda: from_wire(dict, {}),
        lambda: from_json(ToolResult, 1),
        lambda: from_json(None, "{}"),
        lambda: from_wire({}, ToolResult),
        lambda: default({}),
        lambda: digest({}),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert type(caught.value) is TypeError


def test_the_mark_of_a_derived_value_is_for_the_wire_form_only():
    with pytest.raises(ValueError, match=r"metadata\.toolresult\.derived"):
        ToolResult("x", metadata={"toolresult": {"derived": True}})


def test_a_block_of_an_unknown_type_keeps_its_original():
    for raw in (
        {"type": "z", "a": 1},
        {"a": 1},
        {"type": "z", "raw": {"a": 1}},
        {"type": "z", "raw": {"type": "z", "a": 1}},
        {"type": "z", "raw": {"type": "y"}},
        {"type": "z", "raw": 1},
    ):
        part = ContentPart("z", raw=raw)
        assert from_wire(ContentPart, to_wire(part)) == part


def test_canonical_text():
    assert canonical({"b": 10.0, "a": [10, True, None, "é"]}) == '{"a":[10,true,null,"é"],"b":10.0}'
    assert canonical(ToolResult("x")) == '{"isError":false,"output":"x"}'
    with pytest.raises(EncodeError) as caught:
        canonical({"a": math.nan})
    assert caught.value.path == "value.a"


def test_a_digest_is_that_of_the_canonical_text_with_payload_by_its_hash():
    plain = b'{"isError":false,"output":"x"}'
    assert digest(ToolResult("x")) == hashlib.sha256(plain).hexdigest()
    wire = to_wire(RESULT)
    wire["parts"][0]["data"] = IMAGE.sha256()
    text = json.dumps(wire, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert digest(RESULT) == hashlib.sha256(text.encode()).hexdigest()


def test_structures_that_hold_our_values():
    structure = {
        "result": RESULT,
        "all": [IMAGE, REQUEST, ANSWER, {"$toolresult": ["ToolResult", {"output": 1}]}],
        "plain": {"$toolresult": {"$toolresult": 1}},
    }
    assert loads(dumps(structure)) == structure
    assert loads(dumps(structure, indent=1).encode()) == structure
    assert dumps({"$toolresult": ANSWER}) == (
        '{"$toolresult":["dict",{"$toolresult":{"$toolresult":["Answer",'
        '{"id":"0123456789","ok":false,"data":{"comment":"SECRET"},"reason":"declined"}]}}]}'
    )
    assert dumps([Decimal(1)], default=str) == '["1"]'
    with pytest.raises(EncodeError) as caught:
        dumps([{"r": ToolResult("x", metadata={"k": Decimal(1)})}])
    assert caught.value.path == "obj[0].r.metadata.k"
    with pytest.raises(EncodeError, match="default= raised"):
        dumps(ToolResult("x", metadata={"k": Decimal(1)}), default=lambda _: 1 // 0)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"$toolresult":1}', "obj"),
        ('[{"$toolresult":["ToolResult",{"output":1}]}]', "obj[0].output"),
        ('{"a":{"$toolresult":["ToolResult",1]}}', "obj.a"),
        ('{"$toolresult":["Other",{}]}', "obj"),
        ('{"$toolresult":[1,{}]}', "obj"),
        ('{"$toolresult":["dict",{}]}', "obj"),
        ('{"$toolresult":["dict",{"$toolresult":1}],"a":1}', "obj"),
        ("[" * 101 + "]" * 101, "obj" + "[0]" * 32 + "["),
        ('{"a":1,"a":2}', "obj.a"),
    ],
)
def test_text_that_dumps_did_not_write_is_a_typed_error(text, path):
    with pytest.raises(DecodeError) as caught:
        loads(text)
    assert caught.value.path.partition("…")[0] == path


def test_an_encoder_that_asks():
    assert json.loads(json.dumps({"r": RESULT}, default=default)) == {"r": to_wire(RESULT)}


def test_subclasses_of_json_types_are_written_as_json_does():
    class Text(str):
        __slots__ = ()

    class Unreadable(dict):
        def items(self):
            raise RuntimeError("SECRET")

    class Circle(list):
        pass

    circle = Circle()
    circle.append(circle)
    assert dumps([Text("a"), {Text("k"): (True, 1.5)}]) == '["a",{"k":[true,1.5]}]'
    with pytest.raises(EncodeError, match="cannot be read: RuntimeError") as caught:
        dumps({"a": Unreadable(b=1)})
    assert "SECRET" not in str(caught.value)
    with pytest.raises(EncodeError, match="100 levels"):
        dumps(circle)
    loop = {}
    loop["a"] = loop
    with pytest.raises(EncodeError, match="100 levels"):
        dumps(loop)


def test_the_log_form_of_a_result_in_each_shape():
    assert to_wire(ToolResult("x"), payload=False) == wire_of()
    assert to_wire(ToolResult("x", metadata={"a": 1}), payload=False) == wire_of(metadata={"a": "int"})


def test_an_interpreter_that_reads_fewer_digits_is_obeyed():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1000)
    try:
        with pytest.raises(DecodeError, match="more than 1000 digits"):
            loads("1" * 2000)
        with pytest.raises(EncodeError, match="more than 1000 digits"):
            dumps(10**2000)
    finally:
        sys.set_int_max_str_digits(before)
    with pytest.raises(DecodeError, match="more than 4300 characters"):
        loads("0." + "1" * 5000)


class Liar:
    """Says that it is of another class."""

    def __init__(self, kind):
        self.kind = kind

    @property
    def __class__(self):
        return self.kind


class Pairs(dict):
    def __init__(self, pairs):
        super().__init__(a=1)
        self.pairs = pairs

    def items(self):
        return self.pairs


@pytest.mark.parametrize(
    "hostile",
    [
        Mock(spec=list),
        Mock(spec=dict),
        MagicMock(spec=dict),
        Mock(spec=str),
        Mock(spec=float),
        Liar(bool),
        Liar(int),
        Liar(ToolResult),
        Pairs([(1, 2, 3)]),
        Pairs([1]),
        Pairs(None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_objects_that_lie_are_refused_or_given_to_default(hostile):
    result = ToolResult("x", metadata={"a": [hostile]})
    with pytest.raises(EncodeError) as caught:
        to_wire(result)
    assert caught.value.path.startswith("metadata.a[0]")
    assert to_wire(result, default=lambda obj: "instead")["metadata"] == {"a": ["instead"]}
    assert to_wire(ToolResult("x", metadata={"toolresult": {"value": Liar(bool)}})) == wire_of()


@pytest.mark.parametrize("kind", [str, int, bool])
def test_keys_that_lie_are_refused(kind):
    with pytest.raises(EncodeError) as caught:
        to_wire(ToolResult("x", metadata={"a": {Liar(kind): 1}}))
    assert caught.value.path == "metadata.a[Liar]"


def test_a_value_is_not_lost_where_the_call_stack_is_full():
    nested = 1
    for _ in range(60):
        nested = [nested]
    result = ToolResult.ok("o", value=nested)
    text = to_json(result)

    room = sys.getrecursionlimit() - len(inspect.stack())
    seen = set()
    for left in range(20, 300, 3):
        try:
            seen.add(call_below(room - left, lambda: to_json(result)))
        except EncodeError:
            seen.add(None)
    assert seen == {text, None}


def test_what_is_at_the_limit_of_depth_is_read_again():
    nested = {"k": 1}
    for _ in range(99):
        nested = {"k": nested}
    part = ContentPart("z", raw=nested)
    assert from_wire(ContentPart, to_wire(part)) == part
    structure = ToolResult("x")
    for _ in range(100):
        structure = {"k": structure}
    assert loads(dumps(structure)) == structure


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("jdbc:postgresql://u:PW@h/db", "jdbc:h/db"),
        ("blob:https://u:PW@h/x", "blob:h/x"),
        ("ftp:////u:PW@h/x", "ftp://h/x"),
        ("https://u:PW?w@h/", "https://u"),
        ("mailto:a@b.test", "mailto:a@b.test"),
        ("https://[::1]:80/a", "https://[::1]:80/a"),
        ("file:///a/b", "file:///a/b"),
    ],
)
def test_the_log_form_of_a_url_has_no_password(url, shown):
    assert to_wire(ContentPart.from_url(url, type="file"), payload=False)["url"] == shown


def test_the_log_form_of_an_id_is_never_the_id():
    for key in ("a", "ab", "call_1:0", "x" * 128):
        log = to_wire(Request.approval("Go?", id=key), payload=False)
        assert key not in log["id"]
        with pytest.raises(DecodeError):
            from_wire(Request, log)
