"""OpenAI's Responses API: `function_call_output` items.

The shapes are those of `openai.types.responses.response_input_item_param`. An item for a custom tool differs by its
type only: set it to `custom_tool_call_output`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, Kind, Limits, Piece
from toolresult.adapters._reading import Found, Reading, is_list, items_of, optional_text_at, text_at, word_at
from toolresult.adapters._turn import CallResult, Laid, OnLoss, OnPending, chosen, chosen_limits, lay_out, plain_items

__all__ = ["CAPABILITIES", "LIMITS", "from_openai_responses", "to_openai_responses"]

Dialect = Literal["openai", "azure"]
Media = Literal["inline", "user", "text"]

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPENAI = Limits(
    # openai-openapi, FunctionCallOutputItemParam: 1 to 64 characters.
    call_id="[!-~]{1,64}",
    # Docs, Images; openai-openapi, InputImageContentParamAutoParam: a URL, with its data, of 20,971,520 characters.
    image=Kind(types=frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"}), chars=20_971_000),
    # Docs, File inputs: PDF, rich documents, presentations and spreadsheets, under 50 MB each. Text goes as text.
    file=Kind(
        types=frozenset(
            {
                "application/pdf",
                "application/msword",
                "application/rtf",
                "application/vnd.ms-excel",
                "application/vnd.ms-powerpoint",
                "application/vnd.oasis.opendocument.text",
                f"{_OFFICE}wordprocessingml.document",
                f"{_OFFICE}presentationml.presentation",
                f"{_OFFICE}spreadsheetml.sheet",
            }
        ),
        chars=50_000_000 // 3 * 4,
    ),
    # openai-openapi: 10,485,760 characters; some are left for the line that names a file.
    text_chars=10_485_000,
    # The same number as for the data of images.
    url_chars=20_971_520,
    total_bytes=512_000_000,
    owners=frozenset({"openai"}),
)
LIMITS: Final[Mapping[str, Limits]] = {
    "openai": _OPENAI,
    # PDF is the only documented file; URLs are fetched unreliably, and ids of images do not work.
    "azure": replace(
        _OPENAI,
        image=replace(_OPENAI.image, sources=frozenset({DATA})),
        file=replace(_OPENAI.file, types=frozenset({"application/pdf"}), sources=frozenset({DATA})),
    ),
}
"""What each dialect takes."""

CAPABILITIES: Final[Table] = {
    "openai": {"image": ("inline", "inline", "inline"), "pdf": ("inline", "inline", "inline")},
    "azure": {"image": ("inline", "described", "described"), "pdf": ("inline", "described", "described")},
}

_MOST_TEXT = 10_485_760
_TEXT = "input_text"
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


def to_openai_responses(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    dialect: Dialect = "openai",
    media: Media = "inline",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: an item each.

    `media` is `"inline"`, `"user"` for servers that take strings only in an item (media then follow in one message), or
    `"text"` to send texts only.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    usual, where = chosen(LIMITS, dialect, "dialect"), chosen(_WHERE, media, "media")
    plain = plain_items(results, on_loss, on_pending, {"type": "function_call_output"}, "call_id", "output")
    if plain and limits is None:
        return plain
    limits = chosen_limits(limits, usual, has_media=media != "text")

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]]:  # noqa: ARG001, FBT001
        return where, _block(piece)

    laid = lay_out(results, limits, on_loss, on_pending, place)
    items: list[Any] = []
    follows: list[Any] = []
    for one in laid:
        items.append({"type": "function_call_output", "call_id": one.call_id, "output": _output(one)})
        for introduction, block in one.moved:
            follows += [{"type": "input_text", "text": introduction}, block]
    return [*items, {"role": "user", "content": follows}] if follows else items


_WHERE: Mapping[str, Literal["inline", "moved"]] = {"inline": "inline", "user": "moved", "text": "moved"}


def _output(one: Laid) -> object:
    text = one.text()
    if text is not None and len(text) <= _MOST_TEXT:
        return text
    return [{"type": "input_text", "text": p} if isinstance(p, str) else p for p in one.marked()]


def _block(piece: Piece) -> dict[str, Any]:
    part = piece.part
    if piece.kind == "image":
        # `detail` is optional in a `function_call_output` and required in a `custom_tool_call_output`.
        source = {"file_id": part.file_id} if part.file_id else {"image_url": part.url or piece.data_url}
        return {"type": "input_image", "detail": "auto", **source}
    if part.file_id is not None:
        return {"type": "input_file", "file_id": part.file_id}
    if part.url is not None:
        return {"type": "input_file", "file_url": part.url}
    return {"type": "input_file", "filename": piece.file_name, "file_data": piece.data_url}


def from_openai_responses(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in items, those of custom tools too; other items are passed over.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=False)
    for path, item in items_of(items):
        if word_at(item, "type") in _OUTPUTS:
            name = optional_text_at(item, "name", path)
            found = reading.add(text_at(item, "call_id", path), name, f"{path}.call_id")
            found.read(item.get("output"), f"{path}.output", _part)
        elif word_at(item, "role") != "user":
            reading.end_turn()
        elif is_list(item.get("content"), f"{path}.content"):
            reading.follow(item["content"], f"{path}.content", _part, lambda block: word_at(block, "type") != _TEXT)
    return reading.results()


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind in (_TEXT, "output_text"):
        return found.text(text_at(block, "text", at))
    if kind not in ("input_image", "input_file"):
        return found.unknown(block, at)
    ours = kind.removeprefix("input_")
    name = optional_text_at(block, "filename", at)
    file_id = optional_text_at(block, "file_id", at)
    if file_id is not None:
        return found.file_id(ours, file_id, "openai", f"{at}.file_id", name)
    for key in ("image_url", "file_url"):
        url = optional_text_at(block, key, at)
        if url is not None:
            return found.url(ours, url, None, f"{at}.{key}", name)
    return found.file(text_at(block, "file_data", at), f"{at}.file_data", name)
