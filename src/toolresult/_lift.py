"""Data URLs that stand in text, made into the parts that they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from toolresult._content import DEFAULT_MAX_BYTES, ContentPart, is_for_model
from toolresult._frozen import type_name
from toolresult._result import ToolResult, projection
from toolresult.errors import ContentPartError

# Padded, in the standard alphabet, and followed by nothing that could be more of it: nobody can tell where base64 ends
# that runs into text.
_DATA_URL = re.compile(
    r"data:[\w.+-]+/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,"
    r"(?=[A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?![A-Za-z0-9+/=_%:-])",
    re.IGNORECASE,
)


def lift_data_urls(result: ToolResult, *, max_bytes: int | None = DEFAULT_MAX_BYTES) -> ToolResult:
    """Find base64 `data:` URLs in the output and in text parts, and make them parts.

    In the text stands the summary of the part in brackets, `[image (image/png, 82 bytes)]`. A part from the output
    comes last, one from a text part comes after that part and is for the same audience. The same URL twice in one text
    is one part. What is malformed, of more than `max_bytes` decoded, or not of the type that it says stays text. A
    result in which there is nothing to lift, and one that is pending, is returned as it is.
    """
    if type(result) is not ToolResult:
        raise TypeError(f"result: must be a ToolResult, got {type_name(result)}")
    if result.is_pending:
        return result
    kept: list[ContentPart] = []
    for part in result.parts or ():
        text, lifted = _lifted(part.text or "", max_bytes)
        audience = part.metadata.get("audience") if part.metadata else None
        if audience is not None:
            lifted = [replace(picture, metadata={"audience": audience}) for picture in lifted]
        kept += [replace(part, text=text), *lifted] if lifted else [part]
    is_projected = bool(result.parts) and result.output == projection(_seen(result.parts or ()))
    output, lifted = ("", []) if is_projected else _lifted(result.output, max_bytes)
    kept += lifted
    if len(kept) == len(result.parts or ()):
        return result
    if is_projected:
        output = projection(_seen(kept))
    return ToolResult(output, result.is_error, parts=kept, metadata=result.metadata)


def _seen(parts: Iterable[ContentPart]) -> list[ContentPart]:
    return [part for part in parts if is_for_model(part)]


def _lifted(text: str, max_bytes: int | None) -> tuple[str, list[ContentPart]]:
    found: dict[str, ContentPart | None] = {}

    def stand_in(match: re.Match[str]) -> str:
        url = match.group()
        if url not in found:
            found[url] = _part_of(url, max_bytes)
        part = found[url]
        return url if part is None else f"[{part.summary()}]"

    text = _DATA_URL.sub(stand_in, text)
    return text, [part for part in found.values() if part is not None]


def _part_of(url: str, max_bytes: int | None) -> ContentPart | None:
    try:
        part = ContentPart.file(url, max_bytes=max_bytes)
    except ContentPartError:
        return None
    kind = str(part.mime_type).partition("/")[0]
    return replace(part, type=kind) if kind in ("image", "audio", "video") else part
