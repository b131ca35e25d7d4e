"""The contract of all adapters: the results of one turn, losses, and the texts that stand in for what is not sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._result import ToolResult
from toolresult._text import escape, is_blank
from toolresult.adapters._limits import Limits, Piece, Room, look_at
from toolresult.errors import LossError, PendingResultError
from toolresult.render import ERROR_MARKER, NO_MESSAGE, WAITING, waiting

T = TypeVar("T")

DONE = "[done] The tool returned nothing."
"""Stands for a success with nothing to say where a shape needs a text."""
ATTACHED = "[done] The result is attached."
"""Stands for the text of a result that has media only, where a shape keeps the two apart."""

_SAID = (ERROR_MARKER, WAITING)
"""Texts that begin so say by themselves that the call failed, or was not executed."""
_LABEL = 160


class CallResult(NamedTuple):
    """The result of one tool call. A plain tuple in this order is taken too."""

    call_id: str
    """The id by which the provider named the call."""
    result: ToolResult
    """What the tool returned."""
    name: str | None = None
    """The name of the tool; Gemini's `generateContent` needs it."""


class Loss(NamedTuple):
    """What `on_loss` is told: a part that a shape cannot carry where it stands, and what became of it.

    A part may give two: one that is carried with another label, and moved.
    """

    call_id: str
    """The call whose result holds the part; empty over MCP, which converts one result."""
    part: ContentPart
    """The part as the result holds it, or as it was read."""
    reason: str
    """Why, in a few words, which the model is told too. They never hold payload, queries of URLs or metadata."""
    fallback: Literal["moved", "text", "relabelled", "raw"]
    """`moved`: carried whole, after all results of the turn. `text`: a text says what was left out. `relabelled`:
    carried with the type that its bytes have. `raw`: of a kind that is not known; kept as it was read."""


OnLoss: TypeAlias = Literal["raise"] | Callable[[Loss], object] | None
"""Called once per loss; `"raise"` refuses the turn with `LossError`; `None` tells the model only."""

OnPending: TypeAlias = Literal["raise", "placeholder"]
"""What to do with a suspended result: refuse it with `PendingResultError`, or send a text that says it waits."""


class Laid(NamedTuple):
    """A result laid out for a provider: texts and blocks of its slot in order, and what follows after all results."""

    call_id: str
    name: str | None
    slot: list[str | dict[str, Any]]
    moved: list[tuple[str, dict[str, Any]]]
    """Each with the text that introduces it."""
    is_error: bool
    result: ToolResult

    def text(self, *, has_flag: bool = False) -> str | None:
        """Return the slot as one text that is not blank, or `None` when it holds blocks.

        Where the shape has no flag, the marker stands before an error once, unless it says that the call waits.
        """
        texts = [piece for piece in self.slot if isinstance(piece, str)]
        if len(texts) < len(self.slot):
            return None
        text = "\n\n".join(texts)
        if not self.is_error:
            return text or DONE
        text = text or NO_MESSAGE
        return text if has_flag or text.startswith(_SAID) else ERROR_MARKER + text

    def marked(self) -> list[str | dict[str, Any]]:
        """Return the slot with the marker in front, if it is an error."""
        if not self.is_error:
            return self.slot
        first = self.slot[0]
        if isinstance(first, str):
            return self.slot if first.startswith(_SAID) else [ERROR_MARKER + first, *self.slot[1:]]
        return [ERROR_MARKER.rstrip(), *self.slot]


Place: TypeAlias = Callable[[Piece, bool], "tuple[Literal['inline', 'moved'], dict[str, Any]] | str"]
"""Makes a block of media that passed the limits, given whether the result is an error; a text is why it cannot."""


def lay_out(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    limits: Limits,
    on_loss: OnLoss,
    on_pending: OnPending,
    place: Place,
    document: Callable[[Piece], dict[str, Any]] | None = None,
    reference: Callable[[int, CallResult], str] | None = None,
) -> list[Laid]:
    """Lay out the results of one turn.

    `place` makes the block of a part that passed `limits`; `document` that of a text-like file, which otherwise becomes
    readable text; `reference` names a call in the texts that introduce its parts, by default by its id. Losses are
    reported when the whole turn has been found sound.
    """
    _check_options(on_loss, on_pending)
    calls = calls_of(results, limits)
    contents = [_content(n, call, on_pending) for n, call in enumerate(calls)]
    looked_at = [[look_at(part) for part in content] for content in contents]
    room = Room(limits, [piece for pieces in looked_at for piece in pieces])
    losses: list[Loss] = []
    laid: list[Laid] = []
    for n, (call, pieces) in enumerate(zip(calls, looked_at, strict=True)):
        name = call.call_id if reference is None else reference(n, call)
        laid.append(_lay_out(call, name, pieces, room, losses, place, document))
    for loss in losses:
        report(loss, on_loss)
    return laid


def plain_items(
    results: Any, on_loss: OnLoss, on_pending: Any, start: dict[str, Any], id_key: str, text_key: str
) -> list[dict[str, Any]] | None:
    """Write a turn in which there is nothing to do but to write its texts; `None` for any other.

    That is the most common turn, and this is the fast way through it: all are successes without parts, with ASCII text
    that does not begin with white space, and the ids are letters, digits and underscores, which every provider takes.
    `start` is what each item begins with.
    """
    if type(results) is not list or (on_loss is not None and not callable(on_loss)):
        return None
    if type(on_pending) is not str or on_pending not in _ON_PENDING:
        return None
    turn = as_list(results)
    if len(turn) > _MANY:
        return None
    items: dict[str, dict[str, Any]] = {}
    try:
        for call in turn:
            if type(call) not in _CALLS:
                return None
            call_id, result, name = call
            if (
                type(call_id) is not str
                or type(result) is not ToolResult
                or result.is_error
                or result.parts is not None
                or (text := result.output) <= _BLANK
                or "\0" in text
                or not text.isascii()
                or len(text) > _LONG
                or (name is not None and type(name) is not str)
            ):
                return None
            item = start.copy()
            item[id_key] = call_id
            item[text_key] = text
            items[call_id] = item
        ids = "".join(items)
    except (AttributeError, TypeError, ValueError):  # no such tuples; the slow way says what is wrong
        return None
    is_short = len(ids) <= _ID or max(map(len, items)) <= _ID
    is_sound = len(items) == len(turn) and "" not in items and is_short and ids.isidentifier() and ids.isascii()
    return list(items.values()) if is_sound else None


def as_list(value: Any) -> list[Any]:
    """Say of a list what type checkers are to take it for."""
    return value  # type: ignore[no-any-return]


def named_items(
    items: list[dict[str, Any]] | None, results: Any, key: str = "name", *, is_needed: bool = True
) -> list[dict[str, Any]] | None:
    """Add the name of its tool to each of `plain_items`; `None` if one has another than letters and digits, or none."""
    if items is None:
        return None
    for item, (_, _, name) in zip(items, results, strict=True):
        if name is None and not is_needed:
            continue
        if type(name) is not str or not name.isidentifier() or not name.isascii() or len(name) > _ID:
            return None
        item[key] = name
    return items


_CALLS = (CallResult, tuple)
_ON_PENDING = ("raise", "placeholder")
_BLANK = " \x7f"
"""Every ASCII text that is greater begins with something to read."""
# Together less than what any provider takes in one turn.
_LONG = 65_536
_MANY = 256
_ID = 64


def _lay_out(
    call: CallResult,
    reference: str,
    pieces: list[Piece],
    room: Room,
    losses: list[Loss],
    place: Place,
    document: Callable[[Piece], dict[str, Any]] | None,
) -> Laid:
    slot: list[str | dict[str, Any]] = []
    moved: list[tuple[str, dict[str, Any]]] = []
    is_error = call.result.is_error
    for piece in pieces:
        text = piece.text
        reason = room.refuses(piece) if text is None else room.refuses_text(text)
        if text is not None and reason is None:
            if piece.kind != "text" and document is not None and not is_error and not is_blank(text):
                slot.append(document(piece))
            elif piece.kind != "text":
                slot.append(f"[{label(piece)}]\n{text}")
            elif not is_blank(text):
                slot.append(text)
            continue
        placed = place(piece, is_error) if reason is None else reason
        if isinstance(placed, str):
            # That a call waits is said however long its question is.
            slot.append(f"{WAITING if call.result.is_pending else ''}[{label(piece)} was left out: {placed}]")
            losses.append(Loss(call.call_id, piece.part, placed, "text"))
            continue
        if piece.correction is not None:
            losses.append(Loss(call.call_id, piece.part, piece.correction, "relabelled"))
        where, block = placed
        if where == "inline":
            slot.append(block)
        else:
            slot.append(pointer(label(piece)))
            moved.append((introduction(reference, label(piece)), block))
            losses.append(Loss(call.call_id, piece.part, "has no place in the result of a tool call here", "moved"))
    return Laid(call.call_id, call.name, slot, moved, is_error, call.result)


def calls_of(results: Iterable[object], limits: Limits) -> list[CallResult]:
    """Read the results of one turn and check their ids and names.

    Raises:
        TypeError: something that is no `CallResult`.
        ValueError: an id or a name that the provider refuses, or an id twice.
    """
    given = type_name(results)
    if not isinstance(cast("object", results), Iterable) or isinstance(results, (str, bytes, Mapping)):
        raise TypeError(f"results: must be an iterable of CallResult, got {given}; pass [CallResult(call_id, result)]")
    if any(type(member) is ToolResult for member in _members(cast("object", results))):
        raise TypeError("results: is the result of one call; pass the list of all that belong to the turn")
    calls: list[CallResult] = []
    seen: set[str] = set()
    for n, item in enumerate(results):
        call = _call(n, item)
        if not limits.takes_id(call.call_id):
            raise ValueError(
                f"results[{n}].call_id: {_fault(call.call_id, limits.call_id)}; pass the id of the call as the "
                "provider gave it, or rename it in the call and here"
            )
        if not limits.takes_name(call.name):
            raise ValueError(
                f"results[{n}].name: {_fault(call.name, limits.name)}; pass the name of the tool, as in "
                "CallResult(call_id, result, name)"
            )
        if call.call_id and call.call_id in seen:
            raise ValueError(f"results[{n}].call_id: was given before; a call has one result")
        seen.add(call.call_id)
        calls.append(call)
    return calls


def _fault(value: str | None, pattern: str | None) -> str:
    taken = f"of the form {pattern} that this provider takes"
    if not value:
        return f"is {'missing' if value is None else 'empty'}; it must be {taken}"
    return f"has {len(value)} character{'' if len(value) == 1 else 's'} and is not {taken}"


def _call(n: int, item: object) -> CallResult:
    members = _members(item)
    if not 2 <= len(members) <= 3:
        raise TypeError(f"results[{n}]: must be a CallResult or a tuple (call_id, result), got {type_name(item)}")
    call_id, result, name = [*members, None][:3]
    if not isinstance(call_id, str):
        raise TypeError(f"results[{n}].call_id: must be a str, got {type_name(call_id)}")
    if type(result) is not ToolResult:
        repair = (
            "await the tool first"
            if isinstance(cast("object", result), Awaitable)
            else "make one with ToolResult.of(value)"
        )
        raise TypeError(f"results[{n}].result: must be a ToolResult, got {type_name(result)}; {repair}")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"results[{n}].name: must be a str, got {type_name(name)}")
    return CallResult(str.__str__(call_id), result, None if name is None else str.__str__(name))


def _members(item: Any) -> list[Any]:
    members = item
    return list(tuple[Any, ...].__iter__(members)) if isinstance(item, tuple) else []


def _content(n: int, call: CallResult, on_pending: OnPending) -> tuple[ContentPart, ...]:
    request = call.result.request
    if request is None:
        return call.result.content
    if on_pending == "raise":
        raise PendingResultError(
            f"results[{n}]: is pending; wait for its answer, or pass on_pending='placeholder' to say that it waits",
            call_id=call.call_id,
        )
    return (ContentPart("text", text=waiting(request)),)


def chosen(table: Mapping[str, T], word: Any, option: str) -> T:
    """Look up what an option stands for.

    Raises:
        ValueError: it is none of the words.
    """
    known: Any = word if type(word) is str else str.__str__(word) if isinstance(word, str) else None
    if known not in table:
        raise ValueError(f"{option}: must be one of {', '.join(map(repr, table))}")
    return table[known]


def chosen_limits(limits: Limits | None, usual: Limits, *, has_media: bool = True) -> Limits:
    """Take the limits of the caller, if there are any, else the usual ones; for texts only without media.

    Raises:
        TypeError: they are no `Limits`.
    """
    found = usual if limits is None else limits
    if type(found) is not Limits:
        raise TypeError(f"limits: must be Limits, got {type_name(limits)}; use dataclasses.replace on LIMITS")
    return found if has_media else found.without_media()


def _check_options(on_loss: object, on_pending: object) -> None:
    check_on_loss(on_loss)
    if not isinstance(on_pending, str) or str.__str__(on_pending) not in _ON_PENDING:
        raise ValueError("on_pending: must be 'raise' or 'placeholder'")


def check_on_loss(on_loss: object) -> None:
    """Refuse what cannot be told of a loss before there is one."""
    is_sound = str.__str__(on_loss) == "raise" if isinstance(on_loss, str) else on_loss is None or callable(on_loss)
    if not is_sound:
        raise TypeError(f"on_loss: must be 'raise', a function or None, got {type_name(on_loss)}")


def report(loss: Loss, on_loss: OnLoss) -> None:
    """Tell the caller of a loss.

    Raises:
        LossError: the caller asked to be stopped.
    """
    if isinstance(on_loss, str):
        of_call = f"call {escape(loss.call_id, 80)}: " if loss.call_id else ""
        raise LossError(
            f"{of_call}{loss.part.summary()}: {loss.reason}; pass a function as on_loss to be told and go on",
            loss=loss,
        )
    if on_loss is not None:
        on_loss(loss)


def label(piece: Piece) -> str:
    """Name a part by kind, name, type and size: `image chart.png (image/png, 82 bytes)`."""
    part = piece.part
    if piece.correction is not None:
        part = ContentPart(piece.kind, data=part.data, mime_type=piece.mime_type)
    summary = part.summary()
    if piece.part.name is None or is_blank(piece.part.name):
        return summary
    kind, _, facts = summary.partition(" ")
    return f"{kind} {escape(piece.part.name, _LABEL)} {facts}"


def pointer(labelled: str) -> str:
    """Stand where a part was that follows after all results of the turn."""
    return f"[{labelled} follows after the tool results]"


def introduction(reference: str, labelled: str) -> str:
    """Say of a part that follows which call it belongs to."""
    return f"[from tool call {reference}] {labelled}"
