"""Our types in pydantic: text for a model under the bare name, the wire form where it says `Stored`."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pydantic_core
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult.strategies import answers, content_parts, requests, tool_results
from toolresult.wire import Stored, json_schema, to_json, to_wire

pytestmark = pytest.mark.filterwarnings("ignore:pydantic wrote a ToolResult as its text")

IMAGE = ContentPart("image", data=b"abc", mime_type="image/png")
PRIVATE = ContentPart.from_text("PRIVATE", metadata={"audience": ["user"]})
RESULT = ToolResult.ok("2 rows", value={"v": "VALUE"}, parts=[IMAGE, PRIVATE], metadata={"key": "SECRET"})
REQUEST = Request.authorization("https://h.test/?t=TOKEN", "Log in", id="r1")
TEXTS = [
    pytest.param(RESULT, "2 rows\n\nimage (image/png, 3 bytes)", id="result"),
    pytest.param(ToolResult.error("no"), "[tool error] no", id="error"),
    pytest.param(IMAGE, "image (image/png, 3 bytes)", id="image"),
    pytest.param(ContentPart.from_text("words"), "words", id="text"),
    pytest.param(PRIVATE, "[no content for the model]", id="private"),
    pytest.param(REQUEST.accept({"code": "TOKEN"}), "Approved.", id="answer"),
    pytest.param(REQUEST.decline("PRIVATE"), "Not executed: declined by the user.", id="decline"),
]
KINDS = {
    ToolResult: TypeAdapter(Annotated[ToolResult, Stored]),
    ContentPart: TypeAdapter(Annotated[ContentPart, Stored]),
    Request: TypeAdapter(Annotated[Request, Stored]),
    Answer: TypeAdapter(Annotated[Answer, Stored]),
}
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
own_values = st.one_of(tool_results(raw=True), content_parts(raw=True), requests(), answers())


class Turn(BaseModel):
    """A model of somebody who knows how to store results."""

    shown: ToolResult
    stored: Annotated[ToolResult, Stored]
    asked: Annotated[Request, Stored] | None = None
    all: list[Annotated[ToolResult, Stored]] = []


@pytest.mark.parametrize(("value", "text"), TEXTS)
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "any"])
def test_a_bare_type_is_written_as_text_for_a_model(value, text, declared):
    adapter: TypeAdapter[Any] = TypeAdapter(type(value) if declared else Any)
    assert adapter.dump_python(value) == adapter.dump_python(value, mode="json") == text
    assert pydantic_core.from_json(adapter.dump_json(value)) == text
    assert pydantic_core.to_jsonable_python({"a": [value]}) == {"a": [text]}
    assert pydantic_core.from_json(pydantic_core.to_json(value, fallback=str)) == text


def test_a_request_is_written_without_its_url():
    text = TypeAdapter(Request).dump_python(REQUEST)
    assert "Log in" in text
    assert "TOKEN" not in text


def test_a_dataclass_with_a_result_in_it_is_written_as_text():
    @dataclass
    class Step:
        result: ToolResult

    assert TypeAdapter(Step).dump_python(Step(ToolResult("x"))) == {"result": "x"}


@given(own_values)
def test_stored_is_the_wire_form_both_ways(value: Any) -> None:
    adapter = KINDS[type(value)]
    assert adapter.dump_python(value) == adapter.dump_python(value, mode="json") == to_wire(value)
    assert adapter.validate_python(to_wire(value)) == adapter.validate_json(to_json(value)) == value
    assert adapter.validate_python(value) is value


def test_models_hold_both():
    turn = Turn(shown=RESULT, stored=RESULT, asked=REQUEST, all=[RESULT])
    assert turn.shown is RESULT
    dumped = turn.model_dump(mode="json")
    assert dumped == {
        "shown": "2 rows\n\nimage (image/png, 3 bytes)",
        "stored": RESULT.to_wire(),
        "asked": REQUEST.to_wire(),
        "all": [RESULT.to_wire()],
    }
    assert Turn.model_validate({**dumped, "shown": RESULT.to_wire()}) == turn


@pytest.mark.parametrize("bad", ["2 rows", b"2 rows", {"output": "x"}, {"output": "x", "isError": "no"}, 1, None])
@pytest.mark.parametrize("annotation", [ToolResult, Annotated[ToolResult, Stored]], ids=["bare", "stored"])
def test_anything_but_an_instance_or_the_wire_form_is_refused(bad, annotation):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(annotation).validate_python(bad)
    assert len(caught.value.errors()) == 1


def test_the_refusal_of_a_text_says_how_to_store():
    with pytest.raises(ValidationError, match=r"annotate it with toolresult\.wire\.Stored"):
        Turn.model_validate({"shown": "2 rows", "stored": RESULT})


def test_a_bare_answer_is_read_from_an_instance_only():
    answer = REQUEST.accept()
    adapter = TypeAdapter(Answer)
    assert adapter.validate_python(answer) is answer
    for forged in (answer.to_wire(), "Approved.", True):
        with pytest.raises(ValidationError):
            adapter.validate_python(forged)
    with pytest.raises(ValidationError):
        adapter.validate_json(answer.to_json())
    with pytest.raises(PydanticInvalidForJsonSchema):
        adapter.json_schema()
    assert adapter.json_schema(mode="serialization") == {"type": "string"}


@each_kind
def test_json_schemas_say_what_is_read_and_what_is_written(kind):
    form = json_schema(kind)
    del form["$schema"]
    for mode in ("validation", "serialization"):
        assert KINDS[kind].json_schema(mode=mode) == form
    if kind is not Answer:
        assert TypeAdapter(kind).json_schema(mode="validation") == form
        assert TypeAdapter(kind).json_schema(mode="serialization") == {"type": "string"}


@each_kind
def test_a_field_that_holds_something_else_past_validation_is_not_written(kind):
    other = Request.approval("x") if kind is not Request else ToolResult("x")
    for adapter in (TypeAdapter(kind), KINDS[kind]):
        for value in (other, "text", {"output": "x"}):
            with pytest.raises(pydantic_core.PydanticSerializationError, match=f"must be a {kind.__name__}"):
                adapter.dump_python(value)


def test_what_the_wire_form_cannot_hold_is_an_error_with_its_place():
    result = ToolResult("x", metadata={"a": [Decimal(1)]})
    with pytest.raises(pydantic_core.PydanticSerializationError, match=r"metadata\.a\[0\]"):
        KINDS[ToolResult].dump_json(result)


@pytest.mark.parametrize("annotation", [list[ToolResult], ToolResult | None, str], ids=str)
def test_stored_fits_our_types_only(annotation):
    with pytest.raises(TypeError, match="Stored: must annotate"):
        TypeAdapter(Annotated[annotation, Stored])


@pytest.mark.parametrize("annotation", [ToolResult | str, str | ToolResult, ToolResult | None, list[ToolResult]])
def test_unions_and_lists_write_the_text_too(annotation):
    value = [RESULT] if annotation == list[ToolResult] else RESULT
    written = TypeAdapter(annotation).dump_json(value).decode()
    assert "2 rows" in written
    assert "SECRET" not in written


def test_one_warning_per_process_says_how_to_store():
    program = (
        "from pydantic import TypeAdapter\n"
        "from toolresult import ToolResult\n"
        "for _ in range(3): TypeAdapter(ToolResult).dump_python(ToolResult('x'))\n"
    )
    command = [sys.executable, "-W", "always", "-c", program]
    errors = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert errors.count("toolresult.wire.Stored") == 1


def test_nothing_of_pydantic_is_imported_unless_pydantic_asks():
    program = (
        "import sys, toolresult, toolresult.wire\n"
        "toolresult.ToolResult('x').to_json()\n"
        "assert not [name for name in sys.modules if name.startswith('pydantic')]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
