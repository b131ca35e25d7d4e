"""Mistral's chat API: `tool` messages.

The shapes are those of `mistralai.client.models.ToolMessageTypedDict` and `UserMessageTypedDict`; the rules are those
of mistral-common, by which the server checks a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, URL, Kind, Limits, Piece
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
from toolresult.adapters._turn import (
    CallResult,
    OnLoss,
    OnPending,
    chosen,
    chosen_limits,
    lay_out,
    named_items,
    plain_items,
)

__all__ = ["CAPABILITIES", "LIMITS", "from_mistral", "to_mistral"]

Media = Literal["text", "inline", "user"]

LIMITS: Final = Limits(
    # The API's own message: "must be a-z, A-Z, 0-9, with a length of 9" (code 3280); karthink/gptel#1203.
    call_id="[a-zA-Z0-9]{9}",
    # mistral-common, validation of names.
    name="[a-zA-Z0-9_-]{1,64}",
    image=Kind(
        # Unconfirmed. An animated GIF is said to be refused, so GIF is left out.
        types=frozenset({"image/png", "image/jpeg", "image/webp"}),
        sources=frozenset({DATA, URL}),
        # Unconfirmed: 10 MB for an image, eight in a request.
        chars=10_000_000,
        count=8,
    ),
    owners=frozenset({"mistral"}),
)
"""What the API takes, with `media="inline"` or `"user"`; by default it gets no media."""

CAPABILITIES: Final[Table] = {"mistral": {}}

_BETWEEN = "I will look at what the tools returned."
"""Said by the assistant, since a user must not speak right after a tool."""


def to_mistral(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    media: Media = "text",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: a `tool` message each.

    Ids have nine letters and digits. `media` is `"text"` to send texts only, `"inline"` for models that see images in
    tool messages (tokenizer v15 and newer), or `"user"` to have images follow in a user message. Since a user must not
    speak right after a tool, a short message of the assistant stands before it.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be, an id of another form among them.
    """
    where = chosen(_WHERE, media, "media")
    plain = plain_items(results, on_loss, on_pending, {"role": "tool"}, "tool_call_id", "content")
    plain = named_items(plain, results, is_needed=False)
    if plain and limits is None and all(LIMITS.takes_id(message["tool_call_id"]) for message in plain):
        return plain
    limits = chosen_limits(limits, LIMITS, has_media=where is not None)

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]] | str:  # noqa: ARG001, FBT001
        part = piece.part
        # Whatever the limits of the caller say.
        if where is None or piece.kind != "image" or part.file_id is not None:
            return "images are accepted as data or by URL only"
        # A text, as in the docs; servers that follow OpenAI take it too.
        return where, {"type": "image_url", "image_url": part.url if part.data is None else piece.data_url}

    laid = lay_out(results, limits, on_loss, on_pending, place)
    messages: list[Any] = []
    follows: list[Any] = []
    for one in laid:
        content: object = one.text()
        if content is None:
            content = [{"type": "text", "text": p} if isinstance(p, str) else p for p in one.marked()]
        message = {"role": "tool", "tool_call_id": one.call_id, "content": content}
        messages.append(message if one.name is None else {**message, "name": one.name})
        for introduction, block in one.moved:
            follows += [{"type": "text", "text": introduction}, block]
    if not follows:
        return messages
    # "Unexpected role 'user' after role 'tool'" (code 3230): datapizza-labs/datapizza-ai#98, BerriAI/litellm#6323.
    return [*messages, {"role": "assistant", "content": _BETWEEN}, {"role": "user", "content": follows}]


_WHERE: Mapping[str, Literal["inline", "moved"] | None] = {"text": None, "inline": "inline", "user": "moved"}


def from_mistral(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
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


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind == "text":
        return found.text(text_at(block, "text", at))
    if kind == "image_url":
        if block.get("image_url") is None or isinstance(block["image_url"], str):
            return found.url("image", text_at(block, "image_url", at), None, f"{at}.image_url")
        inner = mapping_at(block["image_url"], f"{at}.image_url")
        return found.url("image", text_at(inner, "url", f"{at}.image_url"), None, f"{at}.image_url.url")
    if kind == "document_url":
        name = optional_text_at(block, "document_name", at)
        return found.url("file", text_at(block, "document_url", at), None, f"{at}.document_url", name)
    if kind == "file":
        return found.file_id("file", text_at(block, "file_id", at), "mistral", f"{at}.file_id")
    if kind == "input_audio":
        audio = text_at(block, "input_audio", at)
        if audio[:5].lower() == "data:" or "://" in audio[:10]:
            return found.url("audio", audio, None, f"{at}.input_audio")
        return found.base64(audio, None, f"{at}.input_audio")
    return found.unknown(block, at)
