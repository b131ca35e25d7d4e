"""Objects of the `mcp` package that a tool returned, recognised by their class. Nothing is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._media import normalise, resolve
from toolresult._result import FACTS, ToolResult
from toolresult._text import escape
from toolresult.errors import ContentPartError

_mro_of: Callable[[type], tuple[type[Any], ...]] = type.__dict__["__mro__"].__get__
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_PACKAGES = frozenset({"mcp", "mcp_types"})


def part_of(value: Any) -> ContentPart | None:
    """Make a part of a content block, or of the contents of a resource; `None` for any other object.

    What is broken in a block of somebody else becomes a text that says so, and a wrong label is corrected.
    """
    maker = next((_MAKERS[name] for name in _class_names(value) if name in _MAKERS), None)
    if maker is None:
        return None
    try:
        return maker(value)
    except Exception:  # noqa: BLE001 - one broken block must not lose the others
        return ContentPart("text", text=f"[{escape(type_name(value), 60)} that cannot be read]")


def is_result(value: object) -> bool:
    """Say whether an object is the result of a whole call."""
    return "CallToolResult" in _class_names(value)


def result_of(value: Any) -> ToolResult | None:
    """Make a result of the result of a call; `None` for any other object."""
    if not is_result(value):
        return None
    parts = [_block(block) for block in value.content]
    structured = _either(value, "structured_content", "structuredContent")
    is_error = _either(value, "is_error", "isError") is True
    has_text = parts or structured is None
    result = ToolResult.from_parts(parts) if has_text else ToolResult.json(structured)
    metadata = dict(result.metadata or {})
    if structured is not None:
        metadata[FACTS] = {**metadata.get(FACTS, {}), "value": structured}
    return ToolResult(result.output, is_error, parts=result.parts, metadata=metadata)


def _block(block: object) -> ContentPart:
    part = part_of(block)
    return ContentPart("text", text=f"[{escape(type_name(block), 60)}]") if part is None else part


def _class_names(value: object) -> list[str]:
    """Name the classes of an object that are of the package, the nearest first."""
    bases = _mro_of(type(value))
    return [kind.__name__ for kind in bases if str(_module_of(kind)).partition(".")[0] in _PACKAGES]


def _either(value: Any, name: str, older: str) -> Any:
    return getattr(value, name, None) if hasattr(value, name) else getattr(value, older, None)


def _text(block: Any) -> ContentPart:
    return ContentPart("text", text=block.text, metadata=_audience(block))


def _media(block: Any) -> ContentPart:
    from toolresult._data_url import decode_base64

    mime_type = _either(block, "mime_type", "mimeType")
    data = decode_base64(block.data.encode("ascii", "replace"), None) or b""
    kind, mime_type = _labelled(block.type, mime_type, data)
    return ContentPart(kind, data=data, mime_type=mime_type, metadata=_audience(block))


def _labelled(kind: str, claim: Any, data: bytes) -> tuple[str, str]:
    """Believe the bytes where the label contradicts them."""
    try:
        return kind, resolve(kind, claim=normalise(claim), data=data, suffix_type=None)
    except ContentPartError:
        found = resolve("file", claim=None, data=data, suffix_type=None)
        return (kind if found.startswith(f"{kind}/") else "file"), found


def _embedded(block: Any) -> ContentPart:
    return _contents(block.resource, _audience(block))


def _contents(resource: Any, audience: dict[str, Any] | None = None) -> ContentPart:
    mime_type = _either(resource, "mime_type", "mimeType")
    name = str(resource.uri)
    if hasattr(resource, "text"):
        return ContentPart("text", text=resource.text, mime_type=mime_type, name=name, metadata=audience)
    from toolresult._data_url import decode_base64

    data = decode_base64(resource.blob.encode("ascii", "replace"), None)
    mime_type = mime_type or "application/octet-stream"
    return ContentPart("file", data=data, mime_type=mime_type, name=name, metadata=audience)


def _link(block: Any) -> ContentPart:
    mime_type = _either(block, "mime_type", "mimeType")
    url = str(block.uri)
    return ContentPart("file", url=url, mime_type=mime_type, name=block.name, metadata=_audience(block))


def _audience(block: Any) -> dict[str, Any] | None:
    audience = getattr(block.annotations, "audience", None)
    return None if audience is None else {"audience": [str(reader) for reader in audience]}


_MAKERS: dict[str, Callable[[Any], ContentPart]] = {
    "TextContent": _text,
    "ImageContent": _media,
    "AudioContent": _media,
    "EmbeddedResource": _embedded,
    "ResourceLink": _link,
    "TextResourceContents": _contents,
    "BlobResourceContents": _contents,
}
