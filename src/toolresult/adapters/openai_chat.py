"""OpenAI's Chat Completions API: `tool` messages, and one `user` message for media.

The shapes are those of `openai.types.chat.ChatCompletionToolMessageParam` and `ChatCompletionUserMessageParam`, which
many servers take. A `tool` message holds text only; media put there are refused or, worse, ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, NOTHING, URL, Kind, Limits, Piece
from toolresult.adapters._reading import (
    Found,
    Reading,
    is_list,
    items_of,
    mapping_at,
    optional_text_at,
    text_at,
    word_at,
)
from toolresult.adapters._turn import CallResult, OnLoss, OnPending, chosen, chosen_limits, lay_out, plain_items

__all__ = ["CAPABILITIES", "LIMITS", "from_openai_chat", "to_openai_chat"]

Dialect = Literal["openai", "azure", "xai", "groq", "deepseek", "openrouter", "ollama", "text"]
Media = Literal["user", "inline", "text"]

_PNG_JPEG = frozenset({"image/png", "image/jpeg"})
_PICTURES = _PNG_JPEG | {"image/webp", "image/gif"}
_PDF = frozenset({"application/pdf"})
# openai.types.chat ChatCompletionContentPartInputAudioParam: `format` is "wav" or "mp3".
_AUDIO = {"audio/wav": "wav", "audio/mpeg": "mp3"}

_OPENAI = Limits(
    # Printable ASCII. The Responses API documents 64 characters; 51 were seen to be taken here (vercel/ai#17233), and
    # some servers took 40 (camel-ai/camel#2215).
    call_id="[!-~]{1,64}",
    # Docs, Images: up to 512 MB in one request. File ids have no place in an `image_url`.
    image=Kind(types=_PICTURES, sources=frozenset({DATA, URL})),
    audio=Kind(types=frozenset(_AUDIO), sources=frozenset({DATA})),
    # Docs, PDF files: PDF only, each under 50 MB; the part has no URL.
    file=Kind(types=_PDF, sources=frozenset({DATA, "file_id"}), chars=50_000_000 // 3 * 4),
    # The limit that the schema of the Responses API gives for a text; this one gives none.
    text_chars=10_000_000,
    total_bytes=512_000_000,
    owners=frozenset({"openai"}),
)
_NO_MEDIA = replace(_OPENAI, image=NOTHING, audio=NOTHING, file=NOTHING)

LIMITS: Final[Mapping[str, Limits]] = {
    "openai": _OPENAI,
    # URLs are fetched unreliably ("Error while downloading"), and parts of type `file` were refused
    # (openai/openai-dotnet#396).
    "azure": replace(_OPENAI, image=Kind(types=_PICTURES, sources=frozenset({DATA})), file=NOTHING),
    # xai_sdk.chat: JPEG and PNG, 10 MiB.
    "xai": replace(_NO_MEDIA, image=Kind(types=_PNG_JPEG, sources=frozenset({DATA, URL}), chars=10 * 1024 * 1024)),
    # Unconfirmed, hence the smallest that is quoted: 4 MB of base64, five images.
    "groq": replace(_NO_MEDIA, image=Kind(types=_PICTURES, sources=frozenset({DATA, URL}), chars=4_000_000, count=5)),
    # Docs: a body of 48 MiB, a URL of 8,192 characters.
    "deepseek": replace(
        _NO_MEDIA,
        image=Kind(types=_PICTURES, sources=frozenset({DATA, URL})),
        total_bytes=48 * 1024 * 1024,
        url_chars=8192,
    ),
    # openrouter.components.ChatContentItems: also `video_url`, and a URL as `file_data`. Ids belong to one provider.
    "openrouter": replace(
        _OPENAI,
        video=Kind(
            types=frozenset({"video/mp4", "video/mpeg", "video/quicktime", "video/webm"}),
            sources=frozenset({DATA, URL}),
        ),
        file=Kind(types=_PDF, sources=frozenset({DATA, URL}), chars=50_000_000 // 3 * 4),
        owners=frozenset({"openrouter"}),
    ),
    # The server's own source: data URLs of three types, no others. It takes a list in a tool message apart, and the
    # parts lose the id of the call.
    "ollama": replace(_NO_MEDIA, image=Kind(types=_PNG_JPEG | {"image/webp"}, sources=frozenset({DATA}))),
    "text": _NO_MEDIA,
}
"""What each dialect takes."""

CAPABILITIES: Final[Table] = {
    "openai": {
        "image": ("moved", "moved", "described"),
        "audio": ("moved", "described", "described"),
        "pdf": ("moved", "described", "moved"),
    },
    "azure": {"image": ("moved", "described", "described"), "audio": ("moved", "described", "described")},
    "xai": {"image": ("moved", "moved", "described")},
    "groq": {"image": ("moved", "moved", "described")},
    "deepseek": {},
    "openrouter": {
        "image": ("moved", "moved", "described"),
        "audio": ("moved", "described", "described"),
        "video": ("moved", "moved", "described"),
        "pdf": ("moved", "moved", "described"),
    },
    "ollama": {"image": ("moved", "described", "described")},
    "text": {},
}

# Text models of DeepSeek refuse images ("unknown variant `image_url`, expected `text`"; rikkahub/rikkahub#1433).
_DEFAULT_MEDIA: dict[str, Media] = {"deepseek": "text", "text": "text"}
# Tool messages with images: the types of groq and openrouter have them, DeepSeek's vision models take them
# (vercel/ai#21174).
_INLINE = frozenset({"groq", "deepseek", "openrouter"})
_MEDIA: Mapping[str, Media] = {"user": "user", "inline": "inline", "text": "text"}


def to_openai_chat(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    dialect: Dialect = "openai",
    media: Media | None = None,
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: a `tool` message each, and a `user` message with their media, if there are any.

    Append them right after the assistant message. `dialect` names the server; `"text"` is one that takes strings only.
    `media` is `"user"` for the message that follows, `"text"` to send texts only (the default of `deepseek` and
    `text`), `"inline"` for models of Groq, DeepSeek and OpenRouter that see images in tool messages.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    usual = chosen(LIMITS, dialect, "dialect")
    plain = plain_items(results, on_loss, on_pending, {"role": "tool"}, "tool_call_id", "content")
    if plain and limits is None and media is None:
        return plain
    media = _DEFAULT_MEDIA.get(dialect, "user") if media is None else chosen(_MEDIA, media, "media")
    if media == "inline" and dialect not in _INLINE:
        raise ValueError("media: must be 'user' or 'text', or 'inline' for groq, deepseek and openrouter")
    limits = chosen_limits(limits, usual, has_media=media != "text")
    is_inline = media == "inline"

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]] | str:  # noqa: ARG001, FBT001
        block = _block(piece)
        return block if isinstance(block, str) else ("inline" if is_inline else "moved", block)

    laid = lay_out(results, limits, on_loss, on_pending, place)
    messages: list[Any] = []
    follows: list[Any] = []
    for one in laid:
        content: object = one.text()
        if content is None:
            content = [{"type": "text", "text": p} if isinstance(p, str) else p for p in one.marked()]
        messages.append({"role": "tool", "tool_call_id": one.call_id, "content": content})
        for introduction, block in one.moved:
            follows += [{"type": "text", "text": introduction}, block]
    # All tool messages of a turn stand before any other role.
    return [*messages, {"role": "user", "content": follows}] if follows else messages


def from_openai_chat(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in messages; other messages are passed over.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=False)
    for path, message in items_of(items):
        content: object = message.get("content")
        role = word_at(message, "role")
        if role == "tool":
            call_id = text_at(message, "tool_call_id", path)
            found = reading.add(call_id, optional_text_at(message, "name", path), f"{path}.tool_call_id")
            if content is not None:
                found.read(content, f"{path}.content", _part)
        elif role == "user" and is_list(content, f"{path}.content"):
            reading.follow(content, f"{path}.content", _part, lambda block: word_at(block, "type") != "text")
        elif role == "assistant":
            reading.end_turn()
    return reading.results()


def _block(piece: Piece) -> dict[str, Any] | str:
    """Make the block of a part; a text is why the shape has none, whatever the limits of the caller say."""
    part = piece.part
    if piece.kind == "audio":
        word = _AUDIO.get(piece.mime_type or "")
        if word is None or part.data is None:
            return "audio is accepted as bytes of WAV or MP3 only"
        return {"type": "input_audio", "input_audio": {"data": part.base64(), "format": word}}
    if part.file_id is not None and piece.kind != "file":
        return "file ids are accepted of files only"
    url = piece.data_url if part.data is not None else part.url
    if piece.kind in ("image", "video"):
        return {"type": f"{piece.kind}_url", f"{piece.kind}_url": {"url": url}}
    if part.file_id is not None:
        return {"type": "file", "file": {"file_id": part.file_id}}
    return {"type": "file", "file": {"filename": piece.file_name, "file_data": url}}


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind == "text":
        return found.text(text_at(block, "text", at))
    if kind not in ("image_url", "video_url", "input_audio", "file"):
        return found.unknown(block, at)
    inner, path = mapping_at(block.get(kind), f"{at}.{kind}"), f"{at}.{kind}"
    if kind == "input_audio":
        word = text_at(inner, "format", path)
        claim = next((mime_type for mime_type, known in _AUDIO.items() if known == word), f"audio/{word}")
        return found.base64(text_at(inner, "data", path), claim, f"{path}.data", label_path=f"{path}.format")
    if kind != "file":
        return found.url(kind.removesuffix("_url"), text_at(inner, "url", path), None, f"{path}.url")
    name = optional_text_at(inner, "filename", path)
    file_id = optional_text_at(inner, "file_id", path)
    if file_id is not None:
        return found.file_id("file", file_id, "openai", f"{path}.file_id", name)
    return found.file(text_at(inner, "file_data", path), f"{path}.file_data", name)
