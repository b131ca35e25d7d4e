"""Libraries that rebuild values from their fields: what they build is checked and frozen like anything else."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import cattrs
import msgspec
import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult._frozen import FrozenDict, FrozenList

PNG = (Path(__file__).parent.parent / "examples" / "data" / "fixture.png").read_bytes()
REQUEST = Request.approval(
    "Delete 3 files?", arguments={"count": 3}, id="r1", expires_at=datetime(2030, 1, 1, tzinfo=UTC)
)
RESULT = ToolResult(
    "chart",
    parts=[
        ContentPart("image", data=PNG, mime_type="image/png", name="chart.png", metadata={"page": [1]}),
        ContentPart("text", text="hi", mime_type="text/markdown"),
    ],
    metadata={"ids": [1, 2], "nested": {"a": [{"b": None}]}},
)
RESULT_FIELDS = {
    "output": "chart",
    "is_error": False,
    "parts": [
        {"type": "image", "data": PNG, "mime_type": "IMAGE/PNG", "name": "chart.png", "metadata": {"page": [1]}},
        {"type": "text", "text": "hi", "mime_type": "text/markdown", "metadata": {}},
    ],
    "metadata": {"ids": [1, 2], "nested": {"a": [{"b": None}]}},
}
INVALID_FIELDS = {
    "pending mapping": {"is_error": True, "metadata": {"pending": {"id": "r1"}}},
    "pending success": {"metadata": {"pending": REQUEST}},
    "unknown part type": {"parts": [{"type": "hologram", "text": "x"}]},
    "part without content": {"parts": [{"type": "image"}]},
    "malformed mime type": {"parts": [{"type": "image", "data": b"x", "mime_type": "png"}]},
    "reserved facts": {"metadata": {"toolresult": 5}},
}


@dataclasses.dataclass
class Row:
    call_id: str
    result: ToolResult


def passing_converter() -> cattrs.Converter:
    """Build a converter that passes values that exist. A part comes before the result that holds it."""
    converter = cattrs.Converter()
    for kind in (ContentPart, Request, Answer, ToolResult):
        build = converter.get_structure_hook(kind)
        converter.register_structure_hook(kind, lambda v, t, build=build: v if isinstance(v, t) else build(v, t))
    return converter


def assert_frozen(result: ToolResult) -> None:
    nested = result.metadata["nested"]
    assert [
        type(level) for level in (result.metadata, result.metadata["ids"], nested, nested["a"], nested["a"][0])
    ] == [
        FrozenDict,
        FrozenList,
        FrozenDict,
        FrozenList,
        FrozenDict,
    ]
    assert type(result.parts) is tuple
    assert [type(part) for part in result.parts] == [ContentPart, ContentPart]
    assert type(result.parts[0].metadata) is FrozenDict


def converted(fields: object) -> ToolResult:
    return msgspec.convert(fields, ToolResult)


def structured(fields: object) -> ToolResult:
    return cattrs.Converter().structure(fields, ToolResult)


def structured_with_the_recipe(fields: object) -> ToolResult:
    return passing_converter().structure(fields, ToolResult)


each_builder = pytest.mark.parametrize(
    "build", [converted, structured, structured_with_the_recipe], ids=["msgspec", "cattrs", "cattrs with the recipe"]
)


@each_builder
def test_a_result_built_from_its_fields_is_normalised_and_frozen(build):
    result = build(RESULT_FIELDS)
    assert result == RESULT
    assert hash(result) == hash(RESULT)
    assert_frozen(result)


@each_builder
def test_absent_and_empty_fields_are_the_defaults(build):
    assert build({}) == ToolResult()
    assert build({"output": "x", "parts": [], "metadata": {}}) == ToolResult("x")
    assert build({"output": "x", "parts": None, "metadata": None}) == ToolResult("x")


@each_builder
def test_a_result_built_from_its_fields_does_not_share_them(build):
    metadata = {"ids": [1]}
    result = build({"metadata": metadata})
    metadata["ids"].append(2)
    assert result.metadata == {"ids": [1]}


@each_builder
def test_a_pending_result_can_be_built_from_its_fields(build):
    result = build({"output": "Delete 3 files?", "is_error": True, "metadata": {"pending": REQUEST}})
    assert result == ToolResult.pending(REQUEST)
    assert result.request is REQUEST


@pytest.mark.parametrize("fields", INVALID_FIELDS.values(), ids=INVALID_FIELDS)
def test_msgspec_reports_fields_that_the_constructor_refuses(fields):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(fields, ToolResult)


@pytest.mark.parametrize("fields", INVALID_FIELDS.values(), ids=INVALID_FIELDS)
def test_cattrs_reports_fields_that_the_constructor_refuses(fields):
    with pytest.raises(cattrs.ClassValidationError):
        structured(fields)
    with pytest.raises(cattrs.ClassValidationError):
        structured_with_the_recipe(fields)


@pytest.mark.parametrize("value", [RESULT, ToolResult.pending(REQUEST), RESULT.parts[0], REQUEST, REQUEST.accept([1])])
def test_msgspec_passes_a_value_that_exists_through_unchanged(value):
    assert msgspec.convert(value, type(value)) is value


@pytest.mark.parametrize("value", [RESULT, ToolResult.pending(REQUEST), RESULT.parts[0], REQUEST, REQUEST.accept([1])])
def test_cattrs_passes_a_value_that_exists_through_unchanged_with_the_recipe(value):
    assert passing_converter().structure(value, type(value)) is value


@pytest.mark.parametrize(
    "build",
    [lambda fields: msgspec.convert(fields, Row), lambda fields: passing_converter().structure(fields, Row)],
    ids=["msgspec", "cattrs with the recipe"],
)
def test_a_value_that_exists_passes_unchanged_inside_other_fields(build):
    assert build({"call_id": "c1", "result": RESULT}).result is RESULT
    parts = [RESULT.parts[0], {"type": "text", "text": "hi", "mime_type": "text/markdown"}]
    row = build({"call_id": "c1", "result": {**RESULT_FIELDS, "parts": parts}})
    assert row == Row("c1", RESULT)
    assert row.result.parts[0] is RESULT.parts[0]


def test_msgspec_builds_requests_and_answers_with_the_same_checks():
    fields = {"kind": "approval", "prompt": "Delete 3 files?", "id": "r1", "data": {"arguments": {"count": 3}}}
    request = msgspec.convert({**fields, "expires_at": "2030-01-01T01:00:00+01:00"}, Request)
    assert request == REQUEST
    assert request.expires_at.tzinfo is UTC
    answer = msgspec.convert({"id": "r1", "ok": True, "data": [{"a": 1}]}, Answer)
    assert answer == REQUEST.accept([{"a": 1}])
    assert type(answer.data) is FrozenList
    for kind, wrong in (
        (Request, {**fields, "id": ""}),
        (Request, {**fields, "url": "ftp://host.test/"}),
        (Answer, {"id": "r1", "ok": True, "reason": "declined"}),
        (Answer, {"id": "r1", "ok": "yes"}),
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, kind)


def test_cattrs_builds_answers_with_the_same_checks():
    answer = cattrs.Converter().structure({"id": "r1", "ok": True, "data": [{"a": 1}]}, Answer)
    assert answer == REQUEST.accept([{"a": 1}])
    assert type(answer.data) is FrozenList
    with pytest.raises(cattrs.ClassValidationError):
        cattrs.Converter().structure({"id": "r1", "ok": True, "reason": "declined"}, Answer)


def plain(value: object) -> object:
    """Turn frozen containers into plain ones, and leave our own values as they are."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


CHECKPOINTED = {
    "result": RESULT,
    "empty": ToolResult(),
    "error": ToolResult.error("x", code="io", retryable=True, value={"free": [0]}),
    "pending": ToolResult.pending(REQUEST, metadata={"ids": [1]}),
    "part": RESULT.parts[0],
    "unknown part": ContentPart("hologram", raw={"type": "hologram", "frames": [1]}),
    "request": REQUEST,
    "answer": Answer("r1", False, data={"comment": "no"}, reason="declined"),
}
each_checkpointed = pytest.mark.parametrize("value", CHECKPOINTED.values(), ids=CHECKPOINTED)


@each_checkpointed
def test_a_value_is_rebuilt_from_keywords_with_plain_containers(value):
    fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    again = type(value)(**fields)
    assert again == value
    assert hash(again) == hash(value)


def test_what_is_rebuilt_from_plain_containers_is_frozen():
    fields = {field.name: plain(getattr(RESULT, field.name)) for field in dataclasses.fields(RESULT)}
    assert_frozen(ToolResult(**fields))


@pytest.fixture
def serializer() -> JsonPlusSerializer:
    ours = (ToolResult, ContentPart, Request, Answer)
    return JsonPlusSerializer(allowed_msgpack_modules=[(kind.__module__, kind.__name__) for kind in ours])


@each_checkpointed
def test_a_langgraph_checkpoint_gives_an_equal_value_of_the_same_type(serializer, value):
    again = serializer.loads_typed(serializer.dumps_typed(value))
    assert type(again) is type(value)
    assert again == value


def test_a_langgraph_checkpoint_of_a_whole_state_keeps_results_frozen(serializer):
    state = {"messages": [RESULT, {"nested": [REQUEST]}], "count": 1}
    again = serializer.loads_typed(serializer.dumps_typed(state))
    assert again == state
    assert_frozen(again["messages"][0])


def test_classes_are_stored_under_the_paths_that_old_checkpoints_name():
    stored = {kind.__name__: kind.__module__ for kind in (ToolResult, ContentPart, Request, Answer)}
    assert stored == {
        "ToolResult": "toolresult._result",
        "ContentPart": "toolresult._content",
        "Request": "toolresult._suspension",
        "Answer": "toolresult._suspension",
    }
