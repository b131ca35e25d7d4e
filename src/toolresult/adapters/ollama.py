"""Ollama's `/api/chat`: `tool` messages of text and images.

The shape is that of the server's own struct. `ollama.Message` of the Python client has all of it but `tool_call_id`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, Kind, Limits, Piece
from toolresult.adapters._reading import (
    Found,
    Reading,
    bytes_of,
    dumped,
    items_of,
    list_at,
    optional_text_at,
    text_at,
    word_at,
)
from toolresult.adapters._turn import (
    ATTACHED,
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

__all__ = ["CAPABILITIES", "LIMITS", "from_ollama", "to_ollama"]

Media = Literal["inline", "user", "text"]

LIMITS: Final = Limits(
    # Ids may be missing: the server matches nothing by them, and the Python client does not know them.
    call_id="[!-~]*",
    # No form is documented.
    name=r"[\w.:/-]+",
    # What is taken depends on the model; the two that every model that sees takes. The slot has no URL.
    image=Kind(types=frozenset({"image/png", "image/jpeg"}), sources=frozenset({DATA})),
)
"""What the server takes."""

CAPABILITIES: Final[Table] = {"ollama": {"image": ("inline", "described", "described")}}


def to_ollama(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    media: Media = "inline",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn: a `tool` message each, with the name of the tool if there is one.

    The id of a call may be `""`. `media` is `"inline"`, `"user"` to have each image follow in a user message of its
    own, for models that see none in a tool message or one in a message, or `"text"` to send texts only.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    where = chosen(_WHERE, media, "media")
    plain = plain_items(results, on_loss, on_pending, {"role": "tool"}, "tool_call_id", "content")
    plain = named_items(plain, results, "tool_name", is_needed=False)
    if plain and limits is None:
        return plain
    limits = chosen_limits(limits, LIMITS, has_media=where is not None)

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]] | str:  # noqa: ARG001, FBT001
        # Whatever the limits of the caller say.
        if where is None or piece.kind != "image" or piece.part.data is None:
            return "images are accepted as data only"
        # Bare base64: the server decodes it, and the client would take other text for the path of a file.
        return where, {"images": [piece.part.base64()]}

    laid = lay_out(results, limits, on_loss, on_pending, place, reference=_reference)
    follows = [{"role": "user", "content": introduction, **block} for one in laid for introduction, block in one.moved]
    return [*map(_message, laid), *follows]


_WHERE: Mapping[str, Literal["inline", "moved"] | None] = {"inline": "inline", "user": "moved", "text": None}


def _reference(n: int, call: CallResult) -> str:
    # By its place, and not by its id, which the Python client drops.
    return _position(call.name, n + 1)


def _position(name: str | None, n: int) -> str:
    # No id has a space in it.
    return f"{name or 'call'} #{n}"


def _message(one: Laid) -> dict[str, Any]:
    images = [image for block in one.slot if not isinstance(block, str) for image in block["images"]]
    texts = one._replace(slot=[piece for piece in one.slot if isinstance(piece, str)])
    message: dict[str, Any] = {"role": "tool"}
    if one.call_id:
        message["tool_call_id"] = one.call_id
    # A text always: the client drops an empty one, and the server takes no list.
    message["content"] = ATTACHED if images and not texts.slot and not one.is_error else texts.text()
    if one.name is not None:
        message["tool_name"] = one.name
    if images:
        message["images"] = images
    return message


def from_ollama(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in messages; other messages are passed over.

    A result without id gets the id `""`.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=False)
    n = 0
    for path, message in items_of(items):
        role = word_at(message, "role")
        if role == "tool":
            n += 1
            _read(reading, message, path, n)
            continue
        n = 0
        if role == "assistant":
            reading.end_turn()
        introduced = reading.introduced({"text": message.get("content")}) if role == "user" else None
        if introduced is not None:
            found, label = introduced
            found.moved += [(label, part) for part in _images(found, message, path)]
    return reading.results()


def _read(reading: Reading, message: dict[str, Any], at: str, n: int) -> None:
    call_id, name = (optional_text_at(message, key, at) for key in ("tool_call_id", "tool_name"))
    found = reading.add(call_id or "", name, f"{at}.tool_call_id", _position(name, n))
    content = optional_text_at(message, "content", at)
    images = _images(found, message, at)
    if content is not None and not (images and content in ("", ATTACHED)):
        found.parts.append(found.text(content))
    found.parts += images


def _images(found: Found, message: dict[str, Any], at: str) -> list[ContentPart]:
    """Read the images of a message: base64, or bytes, which the client takes too."""
    if message.get("images") is None:
        return []
    parts: list[ContentPart] = []
    for n, image in enumerate(list_at(message["images"], f"{at}.images")):
        key = f"images[{n}]"
        given = dumped(image, f"{at}.{key}")
        data = bytes_of(given)
        if data is not None:
            parts.append(found.data(data, None, f"{at}.{key}"))
        else:
            parts.append(found.base64(text_at({key: given}, key, at), None, f"{at}.{key}"))
    return parts
