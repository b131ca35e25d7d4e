"""Anthropic's Messages API: `tool_result` blocks of one user message.

The shape is that of `anthropic.types.ToolResultBlockParam`, the same on Amazon Bedrock (InvokeModel)
and Google Vertex AI.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult._text import is_blank, repair
from toolresult.adapters._capabilities import Outcome, Table
from toolresult.adapters._limits import DATA, Kind, Limits, Piece, clean
from toolresult.adapters._reading import (
    Found,
    Reading,
    flag_at,
    is_list,
    items_of,
    mapping_at,
    mappings_in,
    optional_text_at,
    text_at,
    word_at,
)
from toolresult.adapters._turn import CallResult, Laid, OnLoss, OnPending, chosen, chosen_limits, lay_out, plain_items

__all__ = ["CAPABILITIES", "LIMITS", "from_anthropic", "to_anthropic"]

Platform = Literal["anthropic", "bedrock", "vertex"]

_DIRECT = Limits(
    # The API's own message: "String should match pattern '^[a-zA-Z0-9_-]+$'"; maximhq/bifrost#5097.
    call_id="[a-zA-Z0-9_-]+",
    image=Kind(
        # anthropic.types.Base64ImageSourceParam
        types=frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"}),
        # Measured on the base64 text. 10 MB since 2026 (docs, Vision), 5 MiB before and in Anthropic's own SDK.
        chars=5 * 1024 * 1024,
        # Docs, Vision: on models with a context of 200,000 tokens; 600 on the others.
        count=100,
        # Docs, Vision: either side.
        side=8000,
    ),
    file=Kind(
        types=frozenset({"application/pdf"}),
        # 20 MiB of bytes in the file tool of Anthropic's own SDK.
        chars=(20 * 1024 * 1024 + 2) // 3 * 4,
    ),
    # Docs, Vision: with more than 20 images in the request.
    crowd=(20, 2000),
    # Docs, Errors: 32 MB for a request.
    total_bytes=32_000_000,
    owners=frozenset({"anthropic"}),
)
# Docs, Vision and PDF support: base64 sources only. Bedrock takes 20 MB in a request; for Vertex no figure is
# published.
_HOSTED = replace(
    _DIRECT,
    image=replace(_DIRECT.image, sources=frozenset({DATA})),
    file=replace(_DIRECT.file, sources=frozenset({DATA}), chars=15_000_000),
    total_bytes=20_000_000,
    # Docs, Vision: documents count towards the 20.
    crowd_kinds=frozenset({"image", "file"}),
)
LIMITS: Final[Mapping[str, Limits]] = {"anthropic": _DIRECT, "bedrock": _HOSTED, "vertex": _HOSTED}
"""What each platform takes."""

_HOSTED_MEDIA: Mapping[str, tuple[Outcome, Outcome, Outcome]] = {
    "image": ("inline", "described", "described"),
    "pdf": ("inline", "described", "described"),
    "text file": ("inline", "described", "described"),
}
CAPABILITIES: Final[Table] = {
    "anthropic": {
        "image": ("inline", "inline", "inline"),
        "pdf": ("inline", "inline", "inline"),
        "text file": ("inline", "described", "described"),
    },
    "bedrock": _HOSTED_MEDIA,
    "vertex": _HOSTED_MEDIA,
}

_TITLE = 200
_MEDIA = ("image", "document")


def to_anthropic(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    platform: Platform = "anthropic",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn as one user message; no results give no message.

    Append it right after the assistant message, before anything else. The media of an error follow after all results in
    the same message, since an error may hold text only.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    usual = chosen(LIMITS, platform, "platform")
    plain = plain_items(results, on_loss, on_pending, {"type": "tool_result"}, "tool_use_id", "content")
    if plain and limits is None:
        return [{"role": "user", "content": plain}]
    laid = lay_out(results, chosen_limits(limits, usual), on_loss, on_pending, _place, _document)
    if not laid:
        return []
    content = [_block(one, is_hosted=platform != "anthropic") for one in laid]
    for one in laid:
        for introduction, block in one.moved:
            content += [{"type": "text", "text": introduction}, block]
    return [{"role": "user", "content": content}]


def from_anthropic(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in messages; other messages and blocks are passed over.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=True)
    for path, message in items_of(items):
        content: object = message.get("content")
        if word_at(message, "role") != "user" or not is_list(content, f"{path}.content"):
            if word_at(message, "role") == "assistant":
                reading.end_turn()
            continue
        for at, block in mappings_in(content, f"{path}.content"):
            if word_at(block, "type") == "tool_result":
                _read(reading, block, at)
        reading.follow(content, f"{path}.content", _part, lambda block: word_at(block, "type") in _MEDIA)
    return reading.results()


def _place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]]:  # noqa: FBT001
    part = piece.part
    if part.data is not None:
        source = {"type": "base64", "media_type": piece.mime_type, "data": part.base64()}
    elif part.url is not None:
        source = {"type": "url", "url": part.url}
    else:
        source = {"type": "file", "file_id": part.file_id}
    block: dict[str, Any] = {"type": "image" if piece.kind == "image" else "document", "source": source}
    if piece.kind != "image":
        block.update(_title(piece))
    # "all content must be type `text` if `is_error` is true", says the API.
    return "moved" if is_error else "inline", block


def _document(piece: Piece) -> dict[str, Any]:
    source = {"type": "text", "media_type": "text/plain", "data": piece.text}
    return {"type": "document", "source": source, **_title(piece)}


def _title(piece: Piece) -> dict[str, str]:
    name = clean(piece.part.name or "").strip()[:_TITLE]
    return {} if is_blank(name) else {"title": name}


def _block(one: Laid, *, is_hosted: bool) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": one.call_id}
    text = one.text(has_flag=True)
    if text is None:
        block["content"] = [{"type": "text", "text": p} if isinstance(p, str) else p for p in one.slot]
    elif one.slot or one.is_error or is_hosted:
        block["content"] = text
    if one.is_error:
        block["is_error"] = True
    return block


def _read(reading: Reading, block: dict[str, Any], at: str) -> None:
    found = reading.add(text_at(block, "tool_use_id", at), None, f"{at}.tool_use_id")
    found.is_error = flag_at(block, "is_error", at)
    content = block.get("content")
    if content is not None:
        found.read(content, f"{at}.content", _part)


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind == "text":
        return found.text(text_at(block, "text", at))
    if kind not in _MEDIA:
        return found.unknown(block, at)
    source = mapping_at(block.get("source"), f"{at}.source")
    ours = "image" if kind == "image" else "file"
    name = optional_text_at(block, "title", at)
    match word_at(source, "type"):
        case "base64":
            media_type = optional_text_at(source, "media_type", f"{at}.source")
            data, label_path = text_at(source, "data", f"{at}.source"), f"{at}.source.media_type"
            return found.base64(data, media_type, f"{at}.source.data", name, label_path=label_path)
        case "text":
            text = text_at(source, "data", f"{at}.source")
            return found.data(repair(text).encode(), "text/plain", f"{at}.source.data", name)
        case "url":
            url = text_at(source, "url", f"{at}.source")
            claim = None if kind == "image" else "application/pdf"
            return found.url(ours, url, claim, f"{at}.source.url", name)
        case "file":
            file_id = text_at(source, "file_id", f"{at}.source")
            return found.file_id(ours, file_id, "anthropic", f"{at}.source.file_id", name)
        case _:
            return found.unknown(block, at)
