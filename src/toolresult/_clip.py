"""Results that fit: what a model reads of a result, cut to so many characters or bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from toolresult._content import ContentPart, is_for_model
from toolresult._frozen import type_name
from toolresult._result import FACTS, ToolResult, projection
from toolresult._text import is_blank
from toolresult.render import ERROR_MARKER

CLIPPED = "clipped"
"""The fact of a result that says how much of its text was left out."""

_JOIN = 2  # a blank line between texts
_CUT = "[cut]"
_READABLE = 100  # of a long text, when there are others


def clip(result: ToolResult, max_chars: int | None = None, *, max_bytes: int | None = None) -> ToolResult:
    """Cut the text that a model reads of a result to at most `max_chars` characters, or `max_bytes` in UTF-8.

    Head and tail of each text are kept, cut between code points, with a line between them that says how much was left
    out; short texts stay whole at the cost of long ones. Of texts for which there is no room at all the last are left
    out, and the one before them says so. `output`, and what `str(result)` returns apart from summaries of parts that
    are not text, fit; an error keeps at least `[tool error] [cut]`. Those parts, parts that are not for the model, and
    `value` are not touched. Of a text that was cut, `mime_type` is dropped, since it may be no JSON any more. A result
    that fits, and one that is pending, is returned as it is.

    Raises:
        TypeError: not exactly one of the limits, or something else than a result.
        ValueError: a limit below zero.
    """
    if type(result) is not ToolResult:
        raise TypeError(f"result: must be a ToolResult, got {type_name(result)}")
    if (max_chars is None) == (max_bytes is None):
        raise TypeError("max_chars: pass it or max_bytes")
    name, limit = ("max_chars", max_chars) if max_bytes is None else ("max_bytes", max_bytes)
    if type(limit) is not int or limit < 0:
        raise ValueError(f"{name}: must be an int from 0")
    if result.is_pending:
        return result
    room = max(len(_CUT), limit - len(ERROR_MARKER)) if result.is_error else limit
    return _clipped(result, _Cutter(room, in_bytes=max_bytes is not None))


def _clipped(result: ToolResult, cutter: _Cutter) -> ToolResult:
    parts = result.parts or ()
    seen = [part for part in parts if is_for_model(part)]
    is_projected = bool(parts) and (is_blank(result.output) or result.output == projection(seen))
    own = [] if is_projected else [result.output]
    texts = [*own, *(part.text for part in seen if part.text is not None)]
    # The marker of an error is put in front of its text, unless it is there already: either way it has its own room.
    marker = ERROR_MARKER if result.is_error and texts and texts[0].startswith(ERROR_MARKER) else ""
    cut: list[str | None] = [
        *cutter.cut_all([text.removeprefix(marker) if not n else text for n, text in enumerate(texts)])
    ]
    is_long_blank = is_projected and is_blank(result.output) and cutter.size(result.output) > cutter.room
    if not cutter.left_out and None not in cut and not is_long_blank:
        return result
    if cut and cut[0] is not None:
        cut[0] = marker + cut[0]
    shorter = iter(cut[len(own) :])
    kept = [part if part.text is None or not is_for_model(part) else _with_text(part, next(shorter)) for part in parts]
    left = [part for part in kept if part is not None]
    output = cut[0] or "" if own else ""
    if is_projected and not is_blank(result.output):
        output = projection([part for part in left if is_for_model(part)])
    facts: dict[str, Any] = dict(cast("dict[str, Any]", (result.metadata or {}).get(FACTS, {})))
    if output != result.output:
        facts.pop("mime_type", None)
    before: object = facts.get(CLIPPED)
    known: object = cast("dict[str, object]", before).get(cutter.unit) if isinstance(before, dict) else 0
    facts[CLIPPED] = {cutter.unit: cutter.left_out + (known if type(known) is int else 0)}
    return ToolResult(output, result.is_error, parts=left, metadata={**(result.metadata or {}), FACTS: facts})


def _with_text(part: ContentPart, text: str | None) -> ContentPart | None:
    if text is None:
        return None
    return part if text == part.text else replace(part, text=text, mime_type=None)


class _Cutter:
    """Cuts texts that share so much room, and counts what it leaves out."""

    def __init__(self, room: int, *, in_bytes: bool) -> None:
        self.room = room
        self.size: Callable[[str], int] = _size_in_bytes if in_bytes else len
        self.unit = "bytes" if in_bytes else "characters"
        self.left_out = 0

    def cut_all(self, texts: list[str]) -> list[str | None]:
        """Cut texts that are read one after the other, the longest first, so that they fit together.

        What there is no room for is `None`.
        """
        sizes = [self.size(text) for text in texts]
        if sum(sizes) + _JOIN * max(0, len(texts) - 1) <= self.room:
            return [*texts]
        count = self._count_with_room(sizes)
        gone = sum(sizes[count:])
        shares = _shares(sizes[:count], self.room - _JOIN * (count - 1), has_more=gone > 0)
        last = count - 1
        cut = [self.cut(text, shares[n], gone if n == last else 0) for n, text in enumerate(texts[:count])]
        return [*cut, *[None] * (len(texts) - count)]

    def _count_with_room(self, sizes: list[int]) -> int:
        """Count the first texts of which each can be read."""
        used = 0
        for n, size in enumerate(sizes):
            need = min(size, _READABLE)
            used += need + (_JOIN if n else 0)
            if used + max(0, len(_CUT) - need) > self.room:  # it may have to say that it is the last
                return max(1, n)
        return len(sizes)

    def cut(self, text: str, limit: int, more: int = 0) -> str:
        """Cut one text to `limit`, the line about it included; `more` is what was left out behind it."""
        size = self.size(text)
        if size <= limit and not more:
            return text
        line = self._line(size + more)  # never shorter than the one with what is left out
        room = limit - len(line)
        if room < 0:
            head = self._head(text, limit - len(_CUT))
            self.left_out += size + more - self.size(head)
            return head + _CUT[: max(0, limit)]
        if size <= room:
            self.left_out += more
            return text + self._line(more)
        head, tail = self._head(text, room - room // 3), self._tail(text, room // 3)
        gone = size - self.size(head) - self.size(tail) + more
        self.left_out += gone
        return head + self._line(gone) + tail

    def _line(self, gone: int) -> str:
        return f"\n[... {gone} {self.unit} left out ...]\n"

    def _head(self, text: str, room: int) -> str:
        room = max(0, room)
        if self.unit == "characters":
            return text[:room]
        encoded = text[:room].encode("utf-8", "surrogatepass")
        while room and len(encoded) > room and encoded[room] & 0xC0 == 0x80:  # within a character
            room -= 1
        return encoded[:room].decode("utf-8", "surrogatepass")

    def _tail(self, text: str, room: int) -> str:
        if room == 0 or self.unit == "characters":
            return text[-room:] if room else ""
        encoded = text[-room:].encode("utf-8", "surrogatepass")
        start = max(0, len(encoded) - room)
        while start < len(encoded) and encoded[start] & 0xC0 == 0x80:
            start += 1
        return encoded[start:].decode("utf-8", "surrogatepass")


def _shares(sizes: list[int], room: int, *, has_more: bool) -> list[int]:
    """Share out room: what a short text does not need goes to the long ones, and each has enough to say that it is cut.

    With `has_more` the last one says more, and counts as long.
    """
    least = min(len(_CUT), max(0, room))
    shares = [min(size, least) for size in sizes]
    if has_more:
        shares[-1] = least
    room = max(0, room - sum(shares))
    wanted = [size - share for size, share in zip(sizes, shares, strict=True)]
    if has_more:
        wanted[-1] = room
    by_size = sorted(range(len(sizes)), key=lambda n: wanted[n])
    for rank, n in enumerate(by_size):
        extra = min(wanted[n], room // (len(sizes) - rank))
        shares[n] += extra
        room -= extra
    return shares


def _size_in_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
