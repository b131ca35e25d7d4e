"""Objects of the `mcp` package that a tool returned, recognised by their class. Nothing is imported."""

from __future__ import annotations

from typing import Any

from toolresult._content import ContentPart
from toolresult._result import FACTS, ToolResult

_PACKAGES = frozenset({"mcp", "mcp_types"})


def part_of(value: Any) -> ContentPart | None:
    """Make a part of a content block; `None` for any other object.

    Raises:
        ContentPartError: a block that holds what no part may hold.
    """
    maker = _MAKERS.get(_class_name(value))
    return None if maker is None else maker(value)


def result_of(value: Any) -> ToolResult | None:
    """Make a result of the result of a call; `None` for any other object.

    Raises:
        ContentPartError: as `part_of`.
    """
    if _class_name(value) != "CallToolResult":
        return None
    parts = [part for block in value.content if (part := part_of(block)) is not None]
    result = ToolResult.from_parts(parts)
    structured = _either(value, "structured_content", "structuredContent")
    metadata = dict(result.metadata or {})
    if structured is not None:
        metadata[FACTS] = {**metadata.get(FACTS, {}), "value": structured}
    is_error = _either(value, "is_error", "isError") is True
    return ToolResult(result.output, is_error, parts=result.parts, metadata=metadata)


def _class_name(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__.partition(".")[0] in _PACKAGES else ""


def _either(value: Any, name: str, older: str) -> Any:
    return getattr(value, name, None) if hasattr(value, name) else getattr(value, older, None)


def _text(block: Any) -> ContentPart:
    return ContentPart("text", text=block.text, metadata=_audience(block))


def _media(block: Any) -> ContentPart:
    from toolresult._data_url import decode_base64

    mime_type = _either(block, "mime_type", "mimeType")
    data = decode_base64(block.data.encode("ascii", "replace"), None)
    return ContentPart(block.type, data=data, mime_type=mime_type, metadata=_audience(block))


def _embedded(block: Any) -> ContentPart:
    resource = block.resource
    mime_type = _either(resource, "mime_type", "mimeType")
    name = str(resource.uri)
    if hasattr(resource, "text"):
        return ContentPart("text", text=resource.text, mime_type=mime_type, name=name, metadata=_audience(block))
    from toolresult._data_url import decode_base64

    data = decode_base64(resource.blob.encode("ascii", "replace"), None)
    mime_type = mime_type or "application/octet-stream"
    return ContentPart("file", data=data, mime_type=mime_type, name=name, metadata=_audience(block))


def _link(block: Any) -> ContentPart:
    mime_type = _either(block, "mime_type", "mimeType")
    url = str(block.uri)
    return ContentPart("file", url=url, mime_type=mime_type, name=block.name, metadata=_audience(block))


def _audience(block: Any) -> dict[str, Any] | None:
    audience = getattr(block.annotations, "audience", None)
    return None if audience is None else {"audience": [str(reader) for reader in audience]}


_MAKERS = {
    "TextContent": _text,
    "ImageContent": _media,
    "AudioContent": _media,
    "EmbeddedResource": _embedded,
    "ResourceLink": _link,
}
