"""The exact types of `ToolResult`. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any, assert_type

from toolresult import ContentPart, Request, ToolResult


def constructors(part: ContentPart, request: Request) -> None:
    assert_type(ToolResult(), ToolResult)
    assert_type(ToolResult("text", True, parts=[part], metadata={"k": 1}), ToolResult)
    assert_type(ToolResult(output="text", is_error=False, parts=None, metadata=None), ToolResult)
    assert_type(ToolResult.ok(), ToolResult)
    assert_type(ToolResult.ok("text", parts=[part], metadata={"k": 1}, value=[1]), ToolResult)
    assert_type(ToolResult.error("no"), ToolResult)
    assert_type(
        ToolResult.error("no", parts=[part], metadata={"k": 1}, value=[1], code="gone", retryable=True), ToolResult
    )
    assert_type(ToolResult.pending(request), ToolResult)
    assert_type(ToolResult.pending(request, metadata={"k": 1}), ToolResult)
    assert_type(ToolResult.json({"rows": [1, None]}, metadata={"k": 1}), ToolResult)
    assert_type(ToolResult.tsv("a\tb", metadata={"k": 1}), ToolResult)
    assert_type(ToolResult.tsv([["a", 1]]), ToolResult)
    assert_type(ToolResult.from_parts([part]), ToolResult)
    assert_type(ToolResult.from_parts([], metadata={"k": 1}), ToolResult)


def loaders() -> None:
    assert_type(
        ToolResult.image("a.png", output="text", mime_type="image/png", name="a", max_bytes=1, root=".", metadata={}),
        ToolResult,
    )
    assert_type(
        ToolResult.audio("a.wav", output="text", mime_type="audio/wav", name="a", max_bytes=1, root=".", metadata={}),
        ToolResult,
    )
    assert_type(
        ToolResult.video("a.mp4", output="text", mime_type="video/mp4", name="a", max_bytes=1, root=".", metadata={}),
        ToolResult,
    )
    assert_type(
        ToolResult.file("a.pdf", output="text", mime_type=None, name=None, max_bytes=None, root=None, metadata=None),
        ToolResult,
    )


def fields(result: ToolResult) -> None:
    assert_type(result.output, str)
    assert_type(result.is_error, bool)
    assert_type(result.parts, tuple[ContentPart, ...] | None)
    assert_type(result.metadata, Mapping[str, Any] | None)


def properties(result: ToolResult) -> None:
    assert_type(result.is_pending, bool)
    assert_type(result.request, Request | None)
    assert_type(result.is_done, bool)
    assert_type(result.error_message, str | None)
    assert_type(result.value, object)
    assert_type(result.is_derived, bool)
    assert_type(result.error_code, str | None)
    assert_type(result.is_retryable, bool)
    assert_type(result.mime_type, str | None)
    assert_type(result.data, bytes | None)
    assert_type(result.content, tuple[ContentPart, ...])


def methods(result: ToolResult) -> None:
    assert_type(result.as_text(), str | None)
    assert_type(result.raise_for_error(), ToolResult)
    assert_type(result.render_for_model(), str)


def manners(result: ToolResult) -> None:
    assert_type(str(result), str)
    assert_type(hash(result), int)
    assert_type(copy(result), ToolResult)
    assert_type(deepcopy(result), ToolResult)
    assert_type(replace(result, output="text", parts=None), ToolResult)
    assert_type({result: result.output}, dict[ToolResult, str])
