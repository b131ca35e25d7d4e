"""Laws of the wire form, over generated values of every type."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult.strategies import answers, content_parts, json_values, requests, tool_results
from toolresult.wire import from_json, from_wire, to_json, to_wire

own_values = st.one_of(
    st.tuples(st.just(ToolResult), tool_results(raw=True)),
    st.tuples(st.just(ContentPart), content_parts(raw=True)),
    st.tuples(st.just(Request), requests()),
    st.tuples(st.just(Answer), answers()),
)


@settings(max_examples=max(300, settings.default.max_examples if settings.default else 0))
@given(own_values)
def test_what_is_written_reads_back_equal(drawn: tuple[Any, Any]) -> None:
    kind, value = drawn
    assert from_wire(kind, to_wire(value)) == value
    assert from_json(kind, to_json(value)) == value
    assert from_json(kind, to_json(value, indent=2).encode()) == value


@given(own_values)
def test_text_and_dicts_say_the_same_in_strict_json_and_the_same_each_time(drawn: tuple[Any, Any]) -> None:
    kind, value = drawn
    text = to_json(value)
    assert json.loads(text) == to_wire(value)
    assert "NaN" not in text or "NaN" in repr(to_wire(value))
    assert to_json(from_json(kind, text)) == text
    text.encode()


@given(tool_results(metadata=None).filter(lambda result: result.parts is None and result.metadata is None))
def test_a_result_without_parts_is_output_and_is_error(result: ToolResult) -> None:
    assert to_wire(result) == {"output": result.output, "isError": result.is_error}


@given(own_values, st.text(max_size=5))
def test_metadata_that_looks_like_a_wire_form_comes_back_as_the_same_mapping(drawn: tuple[Any, Any], key: str) -> None:
    result = ToolResult("x", metadata={f"my {key}": to_wire(drawn[1])})
    back = from_json(ToolResult, to_json(result))
    assert back == result
    assert isinstance((back.metadata or {})[f"my {key}"], dict)


@given(json_values())
def test_a_value_is_read_back_and_not_written_twice(value: Any) -> None:
    result = ToolResult.json(value)
    back = from_json(ToolResult, to_json(result))
    assert back == result
    assert back.value == value
    if value is not None:
        assert to_wire(result)["metadata"]["toolresult"].get("derived") is True
