"""Ways in which tool results have gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import os
import pickle
import subprocess
import sys
import typing
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

import pytest

from toolresult import Answer, ContentPart, Request, Suspend, ToolError, ToolResult, match_answers
from toolresult._frozen import rebuild

PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
MOMENT = datetime(2030, 1, 1, tzinfo=UTC)
VALUES = [
    ToolResult("x", parts=[IMAGE], metadata={"a": [1, {"b": (2,)}]}),
    ToolResult.pending(Request.approval("Go?", arguments={"n": 1}, id="r1", expires_at=MOMENT)),
    ContentPart("text", text="x", name="n", metadata={"a": 1}),
    Request("input", "Name?", id="r1", url="https://h.test/", data={"options": ["a"]}, expires_at=MOMENT),
    Answer("r1", False, data={"comment": "no"}, reason="declined"),
]
each_value = pytest.mark.parametrize("value", VALUES, ids=["result", "pending", "part", "request", "answer"])
each_type = pytest.mark.parametrize("kind", [ToolResult, ContentPart, Request, Answer])


class Connection:
    """Somebody else's object, of a kind that can be changed."""

    def __init__(self, name):
        self.name = name


# crewAIInc/crewAI#5156
def test_an_error_is_not_falsy_so_nobody_tests_a_result_by_its_truth():
    assert [bool(result) for result in (ToolResult.ok("x"), ToolResult(), ToolResult.error("x"))] == [True] * 3
    assert not hasattr(ToolResult, "__len__")


# crewAIInc/crewAI#5156
def test_the_error_flag_shows_first_and_stops_who_asks():
    result = ToolResult.error("row limit exceeded")
    assert repr(result).startswith("ToolResult(ERROR")
    assert str(result).startswith("[tool error] ")
    with pytest.raises(ToolError, match="row limit exceeded"):
        result.raise_for_error()
    with pytest.raises(Suspend):
        ToolResult.pending(Request.approval("Go?")).raise_for_error()


# CALLE-AI/call-e-integrations#128
def test_repr_of_a_remote_error_cannot_steer_a_terminal():
    text = "bad\x1b]8;;http://x.test\x07link\nok: true"
    result = ToolResult.error(text)
    assert result.output == text
    assert repr(result).isprintable()
    assert "\x1b" not in repr(result)
    assert "\n" not in repr(result)


# CALLE-AI/call-e-integrations#128
def test_the_summary_of_a_part_cannot_steer_a_terminal():
    part = ContentPart("file", file_id="bad\x1b]8;;http://x.test\x07link\nok: true")
    assert part.file_id == "bad\x1b]8;;http://x.test\x07link\nok: true"
    for shown in (part.summary(), repr(part), str(part)):
        assert shown.isprintable()


# 1024XEngineer/neo-code#233
def test_metadata_stays_private_even_when_there_is_nothing_else():
    result = ToolResult.ok("", metadata={"rows": 3})
    assert result.metadata == {"rows": 3}
    assert result.output == ""
    assert result.content == ()
    assert result.render_for_model() == ""
    assert result.as_text() == ""


# steve-goldberg/NocoBot#3, CALLE-AI/call-e-integrations#128
def test_repr_of_a_login_request_shows_the_place_and_no_query():
    request = Request.authorization("https://idp.test/cb?state=S&token=SYNTH", "Log in")
    for shown in (repr(request), repr(ToolResult.pending(request)), str(ToolResult.pending(request))):
        assert "SYNTH" not in shown
        assert "state=" not in shown
    assert "idp.test/cb" in repr(request)


# steve-goldberg/NocoBot#3, CALLE-AI/call-e-integrations#128
def test_repr_and_summary_of_a_part_show_the_place_and_no_query():
    part = ContentPart("image", url="https://u:SYNTH@cdn.test/a.png?sig=SYNTH#SYNTH")
    assert "cdn.test/a.png" in repr(part)
    assert "SYNTH" not in repr(part) + part.summary() + str(part)


# steve-goldberg/NocoBot#3, CALLE-AI/call-e-integrations#128
def test_repr_prints_keys_of_metadata_and_no_values():
    secrets = {"api_key": "SYNTH", "nested": {"token": ["SYNTH"]}}
    shown = [
        repr(ToolResult.error("x", metadata=secrets)),
        repr(ContentPart.from_text("x", metadata=secrets)),
        repr(Request("input", "?", data=secrets)),
        repr(Answer("r1", True, data=secrets)),
    ]
    assert all("api_key" in text for text in shown)
    assert "SYNTH" not in "".join(shown)


# juspay/neurolink#1618, pydantic/pydantic-ai#7505, pipefunc/pipefunc#905
def test_an_edit_of_the_callers_own_data_does_not_reach_the_result():
    metadata, parts, payload = {"a": {"b": [1]}}, [IMAGE], bytearray(PNG)
    part = ContentPart("image", data=payload, mime_type="image/png")
    result = ToolResult.ok("x", parts=parts, metadata=metadata)
    metadata["a"]["b"].append(2)
    metadata["c"] = 1
    parts.append(IMAGE)
    payload[:4] = b"JUNK"
    assert result.metadata == {"a": {"b": [1]}}
    assert result.parts == (IMAGE,)
    assert part.data == PNG


# stanfordnlp/dspy#10373, truenas/middleware#11568
def test_an_edit_of_what_was_read_from_a_result_is_refused():
    result = ToolResult.ok("x", parts=[IMAGE], metadata={"a": {"b": [1]}})
    for edit in (
        lambda: result.metadata["a"]["b"].append(3),
        lambda: result.metadata["a"].update(b=[]),
        lambda: result.metadata.pop("a"),
    ):
        with pytest.raises(TypeError):
            edit()
    assert result == ToolResult.ok("x", parts=[IMAGE], metadata={"a": {"b": [1]}})


# python/cpython#88165, python/cpython#104035, ericvsmith/dataclasses#154
@each_value
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_frozen_slotted_value_survives_every_pickle_protocol(value, protocol):
    again = pickle.loads(pickle.dumps(value, protocol))
    assert type(again) is type(value)
    assert again == value


# python/cpython#105877, taskcluster/tc-admin#328
@each_type
def test_a_subclass_cannot_lose_fields_because_there_is_none(kind):
    with pytest.raises(TypeError):
        type("Sub", (kind,), {"__slots__": ("more",)})


# python/cpython#88165, python/cpython#104035
def test_unpickling_freezes_and_checks_like_the_constructor():
    again = pickle.loads(pickle.dumps(ToolResult("x", metadata={"a": {"b": [1]}})))
    with pytest.raises(TypeError):
        again.metadata["a"]["b"].append(2)
    with pytest.raises(TypeError, match=r"^output:"):
        pickle.loads(pickled(b"toolresult._result\nToolResult", b"S'output'\nI5\n"))


def pickled(kind: bytes, fields: bytes) -> bytes:
    """Write by hand what the library stores: the rebuild function, a class, and its fields by name."""
    return b"ctoolresult._frozen\nrebuild\n(c" + kind + b"\n(" + fields + b"dtR."


# pydantic/pydantic#11769, python/cpython#104035
@pytest.mark.parametrize(
    ("stored", "value"),
    [
        (pickled(b"toolresult._result\nToolResult", b"S'output'\nS'x'\n"), ToolResult("x")),
        (pickled(b"toolresult._result\nToolResult", b"S'is_error'\nI01\nS'new'\nI1\n"), ToolResult("", True)),
        (
            pickled(b"toolresult._content\nContentPart", b"S'type'\nS'text'\nS'text'\nS'x'\n"),
            ContentPart("text", text="x"),
        ),
        (
            pickled(b"toolresult._suspension\nRequest", b"S'kind'\nS'input'\nS'prompt'\nS'?'\nS'id'\nS'r1'\n"),
            Request("input", "?", id="r1"),
        ),
        (
            pickled(b"toolresult._suspension\nAnswer", b"S'id'\nS'r1'\nS'ok'\nI00\nS'new'\nN"),
            Answer("r1", False),
        ),
    ],
    ids=["a field is missing", "a field is unknown", "part", "request", "answer"],
)
def test_a_pickle_of_another_version_loads_by_the_names_of_its_fields(stored, value):
    again = pickle.loads(stored)
    assert type(again) is type(value)
    assert again == value


# pydantic/pydantic#11769
@each_value
def test_a_value_is_rebuilt_from_fields_of_an_older_or_newer_writer(value):
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    needed = {name: content for name, content in fields.items() if content is not None}
    assert rebuild(type(value), needed) == value
    assert rebuild(type(value), {**fields, "from_a_later_version": [1]}) == value


# hyroai/gamla#210
@each_value
def test_no_hash_travels_with_a_pickle_to_a_process_with_other_hashes(value):
    hash(value)
    script = (
        "import pickle, sys\n"
        "value = pickle.load(sys.stdin.buffer)\n"
        "twin = type(value)(**{name: getattr(value, name) for name in value.__dataclass_fields__})\n"
        "assert value == twin and hash(value) == hash(twin) and {value} == {twin}\n"
        "print(hash('x'), end='')\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=pickle.dumps(value),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 2


# ericvsmith/dataclasses#74
def test_replace_normalises_again_and_keeps_the_other_fields():
    result = ToolResult("x", parts=[IMAGE], metadata={"a": 1})
    assert dataclasses.replace(result, output="y") == ToolResult("y", parts=[IMAGE], metadata={"a": 1})
    part = ContentPart("image", data=PNG, mime_type="image/png")
    replaced = dataclasses.replace(part, mime_type="IMAGE/JPG", data=bytearray(b"x"))
    assert replaced == ContentPart("image", data=b"x", mime_type="image/jpeg")
    assert type(replaced.data) is bytes


# ericvsmith/dataclasses#74
def test_nothing_derived_goes_stale_after_replace():
    result = ToolResult.ok(parts=[IMAGE])
    other = ContentPart("audio", data=b"abc", mime_type="audio/wav")
    replaced = dataclasses.replace(result, output="sound", parts=[other])
    assert (replaced.mime_type, replaced.data) == ("audio/wav", b"abc")
    assert replaced.content == (ContentPart.from_text("sound"), other)
    assert all(field.init for kind in (ToolResult, ContentPart, Request, Answer) for field in dataclasses.fields(kind))


# ericvsmith/dataclasses#74
@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is new in Python 3.13")
def test_copy_replace_keeps_the_other_fields():
    result = ToolResult("x", parts=[IMAGE], metadata={"a": 1})
    assert copy.replace(result, output="y") == ToolResult("y", parts=[IMAGE], metadata={"a": 1})


# agno-agi/agno#9380
def test_deepcopy_copies_a_foreign_object_and_shares_what_cannot_change():
    connection = Connection("db")
    result = ToolResult("x", parts=[IMAGE], metadata={"connection": connection, "again": [connection], "ids": [1]})
    twin = copy.deepcopy(result)
    assert result.metadata["connection"] is connection
    assert twin.metadata["connection"] is not connection
    assert twin.metadata["connection"] is twin.metadata["again"][0]
    twin.metadata["connection"].name = "changed"
    assert connection.name == "db"
    assert twin.metadata["ids"] is result.metadata["ids"]
    assert twin.parts[0] is IMAGE


# agno-agi/agno#9380
def test_deepcopy_is_the_value_itself_only_when_nothing_below_is_foreign():
    plain = ToolResult("x", parts=[IMAGE], metadata={"ids": [1]})
    assert copy.deepcopy(plain) is plain
    foreign = ToolResult("x", metadata={"deep": [{"connection": Connection("db")}]})
    assert copy.deepcopy(foreign) is not foreign


def public_callables():
    for kind in (ToolResult, ContentPart, Request, Answer):
        yield pytest.param(kind.__init__, id=kind.__name__)
        for name in vars(kind):
            member = getattr(kind, name)
            if not name.startswith("_") and inspect.isroutine(member):
                yield pytest.param(member, id=f"{kind.__name__}.{name}")
    yield pytest.param(match_answers, id="match_answers")


# microsoft/pyright#2592, openai/openai-python#1123
@pytest.mark.parametrize("function", list(public_callables()))
def test_no_parameter_asks_for_an_invariant_container(function):
    hints = typing.get_type_hints(function, {**vars(sys.modules["toolresult"]), **function.__globals__})
    hints.pop("return", None)
    asked_for = {typing.get_origin(part) for hint in hints.values() for part in (hint, *typing.get_args(hint))}
    assert asked_for.isdisjoint({list, dict, set})


# microsoft/pyright#2592
def test_parameters_take_a_narrower_list_and_any_mapping():
    hints = typing.get_type_hints(ToolResult.__init__)
    assert hints["parts"] == Iterable[ContentPart] | None
    assert hints["metadata"] == Mapping[str, object] | None
    images: list[ContentPart] = [IMAGE]
    assert ToolResult("x", parts=images) == ToolResult("x", parts=iter(images)) == ToolResult("x", parts=tuple(images))


# dagster-io/dagster#12293
def test_frozen_containers_are_used_like_plain_ones():
    result = ToolResult("x", parts=[IMAGE], metadata={"a": 1})
    assert result.parts[0] is IMAGE
    assert list(result.parts) == [IMAGE]
    assert dict(result.metadata) == {"a": 1}
    assert result.metadata | {"b": 2} == {"a": 1, "b": 2}
    assert {**result.metadata, "b": 2} == {"a": 1, "b": 2}
    assert type(result.metadata | {"b": 2}) is dict


# dagster-io/dagster#12293
@each_type
def test_public_annotations_name_no_private_type(kind):
    assert "_frozen" not in str(typing.get_type_hints(kind))
    assert not any("Frozen" in hint for hint in map(str, inspect.get_annotations(kind).values()))
