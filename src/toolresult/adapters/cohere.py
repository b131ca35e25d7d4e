"""Cohere's chat API, version 2: `tool` messages of text, or of JSON documents that can be cited.

The shapes are those of `cohere.types.ToolChatMessageV2` and `UserChatMessageV2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, cast

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, URL, Kind, Limits, Piece, clean
from toolresult.adapters._reading import Found, Reading, is_list, items_of, mapping_at, mappings_at, text_at, word_at
from toolresult.adapters._structured import structured
from toolresult.adapters._turn import CallResult, Laid, OnLoss, OnPending, chosen, chosen_limits, lay_out, plain_items

__all__ = ["CAPABILITIES", "LIMITS", "from_cohere", "to_cohere"]

Media = Literal["text", "user"]
_MEDIA = {"text": "text", "user": "user"}
_JSON = "application/json"

LIMITS: Final = Limits(
    image=Kind(
        # Unconfirmed. An animated GIF is said to be refused, so GIF is left out.
        types=frozenset({"image/png", "image/jpeg", "image/webp"}),
        sources=frozenset({DATA, URL}),
        # Docs, Command A Vision: twenty images in a request.
        count=20,
    ),
)
"""What the API takes, with `media="user"`; by default it gets no media."""

CAPABILITIES: Final[Table] = {"cohere": {}}


def to_cohere(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    media: Media = "text",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: a `tool` message each.

    Data becomes documents, which the model can cite: a mapping one, a list of mappings one for each. `media` is
    `"text"` to send texts only, or `"user"` to have images follow in a user message, for models that see.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    chosen(_MEDIA, media, "media")
    plain = plain_items(results, on_loss, on_pending, {"role": "tool"}, "tool_call_id", "content")
    if plain and limits is None and not any(call[1].metadata for call in cast("list[Any]", results)):
        return plain
    limits = chosen_limits(limits, LIMITS, has_media=media != "text")
    laid = lay_out(results, limits, on_loss, on_pending, _place)
    messages: list[Any] = []
    follows: list[Any] = []
    for one in laid:
        messages.append({"role": "tool", "tool_call_id": one.call_id, "content": _documents(one) or one.text()})
        for introduction, block in one.moved:
            follows += [{"type": "text", "text": introduction}, block]
    return [*messages, {"role": "user", "content": follows}] if follows else messages


def from_cohere(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
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
            found = reading.add(text_at(message, "tool_call_id", path), None, f"{path}.tool_call_id")
            if content is not None:
                _read(found, content, f"{path}.content")
        elif role == "user" and is_list(content, f"{path}.content"):
            reading.follow(content, f"{path}.content", _part, lambda block: word_at(block, "type") != "text")
        elif role == "assistant":
            reading.end_turn()
    return reading.results()


def _place(piece: Piece, is_error: bool) -> tuple[Literal["moved"], dict[str, Any]] | str:  # noqa: ARG001, FBT001
    # Whatever the limits of the caller say.
    if piece.kind != "image" or piece.part.file_id is not None:
        return "images are accepted as data or by URL only"
    url = piece.part.url if piece.part.data is None else piece.data_url
    return "moved", {"type": "image_url", "image_url": {"url": url}}


def _documents(one: Laid) -> list[dict[str, Any]] | None:
    """Make a document of each record; `None` if the result is no data, or its text was left out."""
    if one.is_error or one.slot != [clean(one.result.output)]:
        return None
    value = structured(one.result)
    records = value if isinstance(value, list) else [value]
    # A document without members says nothing; the text says that there are none.
    if not all(isinstance(record, dict) and record != {} for record in records):
        return None
    documents: list[dict[str, Any]] = [{"data": record} for record in records]
    if isinstance(value, list):
        # By its id a citation names the record, and a reader knows a list of one from a mapping.
        documents = [{**document, "id": _id(one, n)} for n, document in enumerate(documents)]
    return [{"type": "document", "document": document} for document in documents]


def _id(one: Laid | Found, n: int) -> str:
    return f"{one.call_id}:{n}"


def _read(found: Found, content: object, at: str) -> None:
    if isinstance(content, str):
        found.read(content, at, _part)
        return
    blocks = [*mappings_at(content, at)]
    parts = [_part(found, block, path) for path, block in blocks]
    texts = [part.text or "" for part in parts if part.text is not None and part.mime_type == _JSON]
    if texts and len(texts) == len(parts) and (len(texts) > 1 or _document_id(blocks[0]) == _id(found, 0)):
        parts = [ContentPart("text", text=f"[{','.join(texts)}]", mime_type=_JSON)]
    found.parts += parts


def _document_id(block: tuple[str, dict[str, Any]]) -> str | None:
    return word_at(mapping_at(block[1]["document"], f"{block[0]}.document"), "id")


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    kind = word_at(block, "type")
    if kind == "text":
        return found.text(text_at(block, "text", at))
    if kind == "image_url":
        inner = mapping_at(block.get("image_url"), f"{at}.image_url")
        return found.url("image", text_at(inner, "url", f"{at}.image_url"), None, f"{at}.image_url.url")
    if kind != "document":
        return found.unknown(block, at)
    document = mapping_at(block.get("document"), f"{at}.document")
    if isinstance(document.get("data"), str):
        # Some write the data as JSON text.
        return found.text(text_at(document, "data", f"{at}.document"))
    return found.json(mapping_at(document.get("data"), f"{at}.document.data"), f"{at}.document.data")
