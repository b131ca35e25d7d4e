"""The log form: the shape of the wire form without what must not be in a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from toolresult import _rfc3339
from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._result import PENDING, ToolResult
from toolresult._suspension import Answer, Request
from toolresult._text import place_of, repair, scheme_of


def to_log(value: object) -> Any:
    """Build the log form of any value of ours. It cannot be read back."""
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise TypeError(f"value: must be a ToolResult, ContentPart, Request or Answer, got {type_name(value)}")
    return writer(value)


def _result(result: ToolResult) -> dict[str, Any]:
    wire: dict[str, Any] = {"output": repair(result.output), "isError": result.is_error}
    if result.parts is not None:
        wire["parts"] = [_part(part) for part in result.parts]
    if result.metadata is not None:
        wire["metadata"] = _types(result.metadata)
        if result.request is not None:
            wire["metadata"][PENDING] = _request(result.request)
    return wire


def _part(part: ContentPart) -> dict[str, Any]:
    if part.raw is not None:
        return {**_types(part.raw), "type": repair(part.type)}
    data = None if part.data is None else f"[{part.mime_type}, {len(part.data)} byte{'s' if part.size != 1 else ''}]"
    members = {
        "type": part.type,
        "text": part.text,
        "mimeType": part.mime_type,
        "data": data,
        "url": None if part.url is None else _without_secrets(part.url),
        "fileId": part.file_id,
        "name": part.name,
    }
    wire: dict[str, Any] = {name: repair(text) for name, text in members.items() if text is not None}
    if part.metadata is not None:
        wire["metadata"] = _types(part.metadata)
    return wire


def _request(request: Request) -> dict[str, Any]:
    wire: dict[str, Any] = {"id": _cut(request.id), "kind": repair(request.kind), "prompt": repair(request.prompt)}
    if request.url is not None:
        wire["url"] = _without_secrets(request.url)
    if request.expires_at is not None:
        wire["expiresAt"] = _rfc3339.to_text(request.expires_at)
    return wire


def _answer(answer: Answer) -> dict[str, Any]:
    wire: dict[str, Any] = {"id": _cut(answer.id), "ok": answer.ok}
    if answer.data is not None:
        wire["data"] = type_name(answer.data)
    if answer.reason is not None:
        wire["reason"] = answer.reason
    return wire


def _types(mapping: Mapping[str, object]) -> dict[str, Any]:
    return {repair(key): type_name(value) for key, value in mapping.items()}


def _cut(key: str) -> str:
    """Show enough of an id to find it by, never all of it: who knows it can answer."""
    return f"{key[: min(8, len(key) // 2)]}…"


def _without_secrets(url: str) -> str:
    place = place_of(url)
    scheme = cast("str", scheme_of(url))
    return repair(place if place.startswith(f"{url[: len(scheme)]}:") else f"{scheme}://{place}")


_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    ToolResult: _result,
    ContentPart: _part,
    Request: _request,
    Answer: _answer,
}
