"""The published JSON Schema against the codec, in both directions, with the `jsonschema` package."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolresult import Answer, ContentPart, DecodeError, Request, ToolResult
from toolresult.strategies import answers, content_parts, json_values, requests, tool_results
from toolresult.wire import from_wire, json_schema, to_wire

KINDS = [ToolResult, ContentPart, Request, Answer]
VALIDATORS: dict[Any, Draft202012Validator] = {kind: Draft202012Validator(json_schema(kind)) for kind in KINDS}

own_values = st.one_of(tool_results(raw=True), content_parts(raw=True), requests(), answers())
odd_values = (
    st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from(["", "x", "YQ==", "https://h", "declined"])
)


@st.composite
def edits(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """A type and its wire form, with a few members taken out, renamed or replaced anywhere in it."""
    value = draw(own_values)
    wire = json.loads(json.dumps(to_wire(value)))
    names = [
        "output",
        "isError",
        "is_error",
        "parts",
        "metadata",
        "type",
        "text",
        "data",
        "url",
        "mimeType",
        "mime_type",
    ]
    names += ["fileId", "file_id", "name", "id", "kind", "prompt", "expiresAt", "expires_at", "ok", "reason", "pending"]
    for _ in range(draw(st.integers(1, 3))):
        here = wire
        while draw(st.booleans()):
            below = [
                item for item in (here.values() if isinstance(here, dict) else here) if isinstance(item, dict | list)
            ]
            if not below:
                break
            here = draw(st.sampled_from(below))
        if isinstance(here, dict):
            name = draw(st.sampled_from(sorted({*here, *names})))
            if draw(st.booleans()):
                here.pop(name, None)
            else:
                here[name] = draw(odd_values | json_values(max_leaves=2))
        else:
            here.append(draw(odd_values))
    return type(value), wire


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_is_a_schema_and_a_new_one_each_time(kind):
    Draft202012Validator.check_schema(json_schema(kind))
    first = json_schema(kind)
    first["properties"].clear()
    assert json_schema(kind)["properties"]
    assert json_schema() == json_schema(ToolResult)
    assert "$ref" not in json.dumps(json_schema(kind))


def test_a_schema_is_of_our_types_only():
    with pytest.raises(TypeError, match="kind: must be ToolResult"):
        json_schema(dict)


@given(own_values)
def test_what_is_written_is_valid(value: Any) -> None:
    VALIDATORS[type(value)].validate(json.loads(json.dumps(to_wire(value))))


@given(edits())
def test_what_is_not_valid_is_not_read(edited: tuple[Any, dict[str, Any]]) -> None:
    kind, wire = edited
    if VALIDATORS[kind].is_valid(wire):
        return
    with pytest.raises(DecodeError):
        from_wire(kind, wire)


def test_a_null_is_valid_where_it_is_read():
    wire = {"output": "x", "isError": False, "parts": None, "metadata": {"toolresult": None, "pending": None}}
    VALIDATORS[ToolResult].validate(wire)
    assert from_wire(ToolResult, wire) == ToolResult("x")


@pytest.mark.parametrize(
    ("kind", "wire"),
    [
        (ToolResult, {"output": "x"}),
        (ToolResult, {"output": None, "isError": False}),
        (ToolResult, {"output": "x", "isError": False, "is_error": False}),
        (ToolResult, {"output": "x", "isError": None}),
        (ToolResult, {"output": "x", "isError": False, "metadata": {"pending": {"id": "a", "kind": "", "prompt": ""}}}),
        (ToolResult, {"output": "1", "isError": False, "metadata": {"toolresult": {"derived": True, "value": 1}}}),
        (Request, {"id": "r", "kind": "", "prompt": "p"}),
        (ContentPart, {"type": "text"}),
        (ContentPart, {"type": "text", "text": "x", "file_id": "y"}),
        (ContentPart, {"type": "image", "url": "https://h", "fileId": "x"}),
        (ContentPart, {"type": "image", "url": "data:,x"}),
        (ContentPart, {"type": "image", "data": "YQ=="}),
        (ContentPart, {"type": "image", "data": "YR==", "mimeType": "a/b"}),
        (ContentPart, {"type": "image", "data": "YQ==", "mimeType": "a/b", "mime_type": "a/b"}),
        (Request, {"id": "a b", "kind": "k", "prompt": "p"}),
        (Request, {"id": "a", "kind": "k", "prompt": "p", "url": "ftp://h"}),
        (Request, {"id": "a", "kind": "k", "prompt": "p", "expiresAt": "2026-01-01"}),
        (Answer, {"id": "a", "ok": True, "reason": "declined"}),
        (Answer, {"id": "a", "ok": False, "reason": "else"}),
    ],
)
def test_what_a_schema_can_say_it_says(kind, wire):
    assert not VALIDATORS[kind].is_valid(wire)
    with pytest.raises(DecodeError):
        from_wire(kind, wire)
