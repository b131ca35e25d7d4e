"""Google Gemini's Interactions API: `function_result` steps.

The shapes are those of `google.genai.interactions.FunctionResultStep` and `UserInputStep`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import Kind, Limits, Piece
from toolresult.adapters._reading import (
    Found,
    Reading,
    flag_at,
    is_list,
    items_of,
    optional_text_at,
    text_at,
    word_at,
)
from toolresult.adapters._turn import (
    CallResult,
    Laid,
    OnLoss,
    OnPending,
    chosen,
    chosen_limits,
    lay_out,
    named_items,
    plain_items,
)

__all__ = ["CAPABILITIES", "LIMITS", "from_gemini_interactions", "to_gemini_interactions"]

Media = Literal["inline", "user", "text"]
_MEDIA: Mapping[str, Media] = {"inline": "inline", "user": "user", "text": "text"}

# The names of google.genai.interactions for types that the registry, or this library, calls otherwise.
_THEIRS = {
    "audio/mp4": "audio/m4a",
    "video/quicktime": "video/mov",
    "video/x-msvideo": "video/avi",
    "video/x-ms-wmv": "video/wmv",
}
_NAMES = {theirs: ours for ours, theirs in _THEIRS.items()}
_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_NESTED = frozenset({"image/png", "image/jpeg", "image/webp"})

LIMITS: Final = Limits(
    call_id="[!-~]+",
    name="[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}",
    # google.genai.interactions: ImageContentMimeType, AudioContentMimeType, VideoContentMimeType,
    # DocumentContentMimeType. The enumerations are open; what they do not name is left out.
    image=Kind(
        types=_NESTED | {"image/heic", "image/heif", "image/gif", "image/bmp", "image/tiff"},
    ),
    audio=Kind(
        types=frozenset(
            {
                "audio/wav",
                "audio/mpeg",
                "audio/aiff",
                "audio/aac",
                "audio/ogg",
                "audio/flac",
                "audio/mp4",
                "audio/opus",
                "audio/webm",
            }
        )
    ),
    video=Kind(
        types=frozenset(
            {
                "video/mp4",
                "video/mpeg",
                "video/quicktime",
                "video/x-msvideo",
                "video/x-flv",
                "video/webm",
                "video/x-ms-wmv",
                "video/3gpp",
            }
        )
    ),
    file=Kind(
        types=frozenset(
            {
                "application/pdf",
                "application/msword",
                "application/vnd.ms-excel",
                "application/vnd.ms-powerpoint",
                f"{_OOXML}presentationml.presentation",
                f"{_OOXML}wordprocessingml.document",
                f"{_OOXML}wordprocessingml.template",
                f"{_OOXML}spreadsheetml.sheet",
                f"{_ODF}presentation",
                f"{_ODF}text",
                f"{_ODF}spreadsheet",
            }
        )
    ),
    # Which models take what in a result is unconfirmed beyond images.
    nested=_NESTED,
    # Unconfirmed; 20 MB is what the docs gave for a whole request.
    total_bytes=20_000_000,
    url="(?i:https?|gs)://.+",
    file_id="(https|gs)://[!-~]+",
    owners=frozenset({"gemini", "google"}),
)
"""What the API takes."""

CAPABILITIES: Final[Table] = {
    "gemini": {
        "image": ("inline", "inline", "inline"),
        "audio": ("moved", "moved", "moved"),
        "video": ("moved", "moved", "moved"),
        "pdf": ("moved", "moved", "moved"),
    }
}


def to_gemini_interactions(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    media: Media = "inline",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: a step each, and a `user_input` step with media that cannot stand in a result.

    `media` is `"inline"`, `"user"` to have all media follow, or `"text"` to send texts only.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    media = chosen(_MEDIA, media, "media")
    plain = plain_items(results, on_loss, on_pending, {"type": "function_result"}, "call_id", "result")
    if limits is None and named_items(plain, results):
        return plain or []
    limits = chosen_limits(limits, LIMITS, has_media=media != "text")
    nested = limits.nested if media == "inline" else frozenset[str]()

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]]:  # noqa: ARG001, FBT001
        is_nested = nested is None or piece.mime_type in nested or (bool(nested) and _is_untyped_image(piece))
        return "inline" if is_nested else "moved", _block(piece)

    laid = lay_out(results, limits, on_loss, on_pending, place)
    steps: list[Any] = [_step(one) for one in laid]
    follows: list[Any] = []
    for one in laid:
        for introduction, block in one.moved:
            follows += [{"type": "text", "text": introduction}, block]
    return [*steps, {"type": "user_input", "content": follows}] if follows else steps


def from_gemini_interactions(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in steps; other steps are passed over.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=True)
    for path, step in items_of(items):
        kind = word_at(step, "type")
        if kind == "function_result":
            _read(reading, step, path)
        elif kind != "user_input":
            reading.end_turn()
        elif is_list(step.get("content"), f"{path}.content"):
            reading.follow(step["content"], f"{path}.content", _part, lambda block: word_at(block, "type") != "text")
    return reading.results()


def _is_untyped_image(piece: Piece) -> bool:
    return piece.kind == "image" and piece.mime_type is None


def _step(one: Laid) -> dict[str, Any]:
    step: dict[str, Any] = {"type": "function_result", "call_id": one.call_id}
    if one.name is not None:
        step["name"] = one.name
    text = one.text(has_flag=True)
    # A mapping is in the type, but was refused by the API (zenml-io/kitaru#377).
    step["result"] = text or [{"type": "text", "text": p} if isinstance(p, str) else p for p in one.slot]
    if one.is_error:
        step["is_error"] = True
    return step


def _block(piece: Piece) -> dict[str, Any]:
    part = piece.part
    block: dict[str, Any] = {"type": "document" if piece.kind == "file" else piece.kind}
    if part.data is not None:
        block["data"] = part.base64()
    else:
        block["uri"] = part.url or part.file_id
    if piece.mime_type is not None:
        block["mime_type"] = _THEIRS.get(piece.mime_type, piece.mime_type)
    return block


def _read(reading: Reading, step: dict[str, Any], at: str) -> None:
    found = reading.add(text_at(step, "call_id", at), optional_text_at(step, "name", at), f"{at}.call_id")
    found.is_error = flag_at(step, "is_error", at)
    result: object = step.get("result")
    if isinstance(result, Mapping):
        found.parts.append(found.json(cast("object", result), f"{at}.result"))
    else:
        found.read(result, f"{at}.result", _part)


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind == "text":
        return found.text(text_at(block, "text", at))
    if kind not in ("image", "audio", "video", "document"):
        return found.unknown(block, at)
    name = optional_text_at(block, "name", at)
    claim = optional_text_at(block, "mime_type", at)
    claim = None if claim is None else _NAMES.get(claim, claim)
    data = optional_text_at(block, "data", at)
    if data is not None:
        return found.base64(data, claim, f"{at}.data", name, label_path=f"{at}.mime_type")
    uri = text_at(block, "uri", at)
    return found.uri(uri, claim, "gemini", f"{at}.uri", name, kind="file" if kind == "document" else kind)
