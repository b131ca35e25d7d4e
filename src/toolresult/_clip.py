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


def clip(result: ToolResult, max_chars: int | None = None, *, max_bytes: int | None = None) -> ToolResult:
    """Cut the text that a model reads of a result to at most `max_chars` characters, or `max_bytes` in UTF-8.

    Head and tail of each text are kept, cut between code points, with a line between them that says how much was left
    out; short texts stay whole at the cost of long ones. `output`, and what `str(result)` returns apart from summaries
    of parts that are not text, fit. Those parts, parts that are not for the model, and `value` are not touched. Of a
    text that was cut, `mime_type` is dropped, since it may be no JSON any more. A result that fits, and one that is
    pending, is returned as it is.

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
    texts = [part.text for part in result.content if part.text is not None]
    is_marked = bool(texts) and texts[0].startswith(ERROR_MARKER)
    room = max(0, limit - len(ERROR_MARKER)) if result.is_error and not is_marked else limit
    return _clipped(result, _Cutter(room, in_bytes=max_bytes is not None))


def _clipped(result: ToolResult, cutter: _Cutter) -> ToolResult:
    parts = result.parts or ()
    seen = [part for part in parts if is_for_model(part)]
    is_projected = bool(parts) and (is_blank(result.output) or result.output == projection(seen))
    own = [] if is_projected else [result.output]
    texts = cutter.cut_all([*own, *(part.text for part in seen if part.text is not None)])
    if not cutter.left_out:
        return result
    shorter = iter(texts[len(own) :])
    kept = [part if part.text is None or not is_for_model(part) else _with_text(part, next(shorter)) for part in parts]
    if not is_projected:
        output = texts[0]
    else:
        output = result.output and projection([part for part in kept if is_for_model(part)])
    facts: dict[str, Any] = dict(cast("dict[str, Any]", (result.metadata or {}).get(FACTS, {})))
    if output != result.output:
        facts.pop("mime_type", None)
    facts[CLIPPED] = {cutter.unit: cutter.left_out}
    return ToolResult(output, result.is_error, parts=kept, metadata={**(result.metadata or {}), FACTS: facts})


def _with_text(part: ContentPart, text: str) -> ContentPart:
    return part if text == part.text else replace(part, text=text, mime_type=None)


class _Cutter:
    """Cuts texts that share so much room, and counts what it leaves out."""

    def __init__(self, room: int, *, in_bytes: bool) -> None:
        self.room = room
        self.size: Callable[[str], int] = _size_in_bytes if in_bytes else len
        self.unit = "bytes" if in_bytes else "characters"
        self.left_out = 0

    def cut_all(self, texts: list[str]) -> list[str]:
        """Cut texts that are read one after the other, the longest first, so that they fit together."""
        room = self.room - _JOIN * max(0, len(texts) - 1)
        shares: dict[int, int] = {}
        by_size = sorted(range(len(texts)), key=lambda n: self.size(texts[n]))
        for rank, n in enumerate(by_size):
            shares[n] = min(self.size(texts[n]), max(0, room) // (len(texts) - rank))
            room -= shares[n]
        return [self.cut(text, shares[n]) for n, text in enumerate(texts)]

    def cut(self, text: str, limit: int) -> str:
        """Cut one text to `limit`, the line about it included."""
        size = self.size(text)
        if size <= limit:
            return text
        line = f"\n[... {size} {self.unit} left out ...]\n"  # never shorter than the one with what is left out
        room = limit - len(line)
        if room < 0:
            kept = self._head(text, limit - len("[cut]")) + "[cut]" if limit >= len("[cut]") else ""
            self.left_out += size - self.size(kept.removesuffix("[cut]"))
            return kept
        head = self._head(text, room - room // 3)
        tail = self._tail(text, room // 3)
        gone = size - self.size(head) - self.size(tail)
        self.left_out += gone
        return f"{head}\n[... {gone} {self.unit} left out ...]\n{tail}"

    def _head(self, text: str, room: int) -> str:
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


def _size_in_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
