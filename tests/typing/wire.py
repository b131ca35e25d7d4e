"""The exact types of the wire form. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from typing import Annotated, Any, assert_type

from pydantic import BaseModel

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult import wire as w


def functions(result: ToolResult, part: ContentPart, request: Request, answer: Answer, obj: object) -> None:
    assert_type(w.to_wire(result), dict[str, Any])
    assert_type(w.to_wire(part, default=str, payload=False), dict[str, Any])
    assert_type(w.to_json(request, indent=2), str)
    assert_type(w.from_wire(ToolResult, obj), ToolResult)
    assert_type(w.from_wire(ContentPart, obj, max_depth=9, max_digits=9), ContentPart)
    assert_type(w.from_json(Request, "{}"), Request)
    assert_type(w.from_json(Answer, b"{}", max_bytes=9), Answer)
    assert_type(w.canonical(answer), str)
    assert_type(w.digest(result), str)
    assert_type(w.dumps({"a": [result]}), str)
    assert_type(w.json_schema(), dict[str, Any])
    assert_type(w.json_schema(Answer), dict[str, Any])


def methods(result: ToolResult, part: ContentPart, request: Request, answer: Answer, obj: object) -> None:
    assert_type(result.to_wire(), dict[str, Any])
    assert_type(part.to_json(), str)
    assert_type(ToolResult.from_wire(obj), ToolResult)
    assert_type(ContentPart.from_json("{}"), ContentPart)
    assert_type(request.from_wire(obj), Request)
    assert_type(answer.from_json(b"{}"), Answer)


def typed_dicts() -> None:
    result: w.WireResult = {
        "output": "x",
        "isError": False,
        "parts": [{"type": "image", "data": "", "mimeType": "image/png"}],
    }
    assert_type(result["isError"], bool)
    request: w.WireRequest = {"id": "r", "kind": "k", "prompt": "p"}
    answer: w.WireAnswer = {"id": "r", "ok": False, "reason": "expired"}
    part: w.WirePart = {"type": "text", "text": "x"}
    str([request, answer, part])


class Turn(BaseModel):
    """A model with results in it."""

    shown: ToolResult
    stored: Annotated[ToolResult, w.Stored]
    asked: Annotated[Request, w.Stored] | None = None


def models(turn: Turn) -> None:
    assert_type(turn.stored, ToolResult)
    assert_type(turn.asked, Request | None)
