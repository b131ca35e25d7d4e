"""The grammar of the regular expressions of ECMA-262, as a tree.

Without what only backtracking can match: back-references and lookbehind.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any
from unicodedata import category

_MAX_NESTING = 50
_MAX_CODE = 0x10FFFF

_DIGITS = ((48, 57),)
WORD = ((48, 57), (65, 90), (95, 95), (97, 122))
_BREAKS = ((10, 10), (13, 13), (0x2028, 0x2029))
_SPACE = (
    *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
    *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
_CLASSES = {"d": _DIGITS, "w": WORD, "s": _SPACE}
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_COUNT = re.compile(r"\{([0-9]{1,9})(,([0-9]{0,9}))?\}")
_CODE = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}")
_CATEGORY = re.compile(r"[pP]\{(?:General_Category=|gc=)?([A-Z][a-z]?)\}")

_Ranges = tuple[tuple[int, int], ...]
_Categories = tuple[tuple[str, bool], ...]
Node = tuple[Any, ...]


class PatternError(Exception):
    """Never leaves the library: a pattern that is malformed, or that is not searched for here."""


class Chars:
    """A set of characters: sorted ranges of code points, and Unicode categories by their first letters."""

    __slots__ = ("categories", "ends", "negated", "starts")

    def __init__(self, ranges: _Ranges, categories: _Categories = (), *, negated: bool) -> None:
        merged = _merged(ranges)
        self.starts = [start for start, _ in merged]
        self.ends = [end for _, end in merged]
        self.categories = categories
        self.negated = negated

    def __contains__(self, char: object) -> bool:
        code = ord(str(char))
        place = bisect_right(self.starts, code) - 1
        found = place >= 0 and code <= self.ends[place]
        if not found and self.categories:
            name = category(str(char))
            found = any(name.startswith(prefix) is wanted for prefix, wanted in self.categories)
        return found is not self.negated


def _merged(ranges: _Ranges) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _complement(ranges: _Ranges) -> _Ranges:
    """List what is between ranges that neither touch nor start at zero, and after them."""
    gaps: list[tuple[int, int]] = []
    after = 0
    for start, end in ranges:
        gaps.append((after, start - 1))
        after = end + 1
    return (*gaps, (after, _MAX_CODE))


class _Parser:
    """Reads a pattern into a tree of nodes: `chars`, `all`, `any`, `repeat`, `assert` and `look`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Node:
        node = self.alternatives(0)
        if self.at < len(self.text):
            raise PatternError("closes a group that is not open")
        return node

    def alternatives(self, depth: int) -> Node:
        if depth > _MAX_NESTING:
            raise PatternError(f"nests more than {_MAX_NESTING} groups")
        options = [self.sequence(depth)]
        while self.took("|"):
            options.append(self.sequence(depth))
        return options[0] if len(options) == 1 else ("any", options)

    def sequence(self, depth: int) -> Node:
        terms: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            term = self.term(depth)
            terms.append(self.repeated(term))
        return ("all", terms)

    def term(self, depth: int) -> Node:
        char = self.next()
        if char == "(":
            return self.group(depth)
        if char == "[":
            return ("chars", self.bracketed())
        if char == ".":
            return ("chars", Chars(_BREAKS, negated=True))
        if char in "^$":
            return ("assert", char)
        if char in "*+?" or _COUNT.match(self.text, self.at - 1):
            raise PatternError("repeats nothing")
        if char != "\\":
            return ("chars", Chars(_one(ord(char)), negated=False))
        if self.text[self.at : self.at + 1] in ("b", "B"):
            return ("assert", self.next())
        ranges, categories = self.escape()
        return ("chars", Chars(ranges, categories, negated=False))

    def group(self, depth: int) -> Node:
        wrap = None
        if self.took("?"):
            if self.took("=") or self.took("!"):
                wrap = self.text[self.at - 1]
            elif self.text.startswith(("<=", "<!"), self.at):
                raise PatternError("looks behind, which is not searched for here")
            elif self.took("<"):
                name, closed, _ = self.text[self.at :].partition(">")
                if not closed or not name.isidentifier():
                    raise PatternError("has a group without a proper name")
                self.at += len(name) + 1
            elif not self.took(":"):
                raise PatternError("has a group of an unknown kind")
        node = self.alternatives(depth + 1)
        if not self.took(")"):
            raise PatternError("leaves a group open")
        return node if wrap is None else ("look", node, wrap == "=")

    def repeated(self, term: Node) -> Node:
        counts = _COUNT.match(self.text, self.at)
        if counts:
            self.at = counts.end()
            least = int(counts[1])
            most = least if counts[2] is None else int(counts[3]) if counts[3] else None
        elif self.took("*"):
            least, most = 0, None
        elif self.took("+"):
            least, most = 1, None
        elif self.took("?"):
            least, most = 0, 1
        else:
            return term
        self.took("?")  # a lazy repetition matches the same texts
        if term[0] in ("assert", "look"):
            raise PatternError("repeats an assertion")
        if most is not None and most < least:
            raise PatternError("has the numbers of a repetition out of order")
        return ("repeat", term, least, most)

    def bracketed(self) -> Chars:
        negated = self.took("^")
        ranges: list[tuple[int, int]] = []
        categories: list[tuple[str, bool]] = []
        while not self.took("]"):
            some, more = self.member()
            code = _single(some, more)
            if code is not None and self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 :][:1] != "]":
                self.next()
                last = _single(*self.member())
                if last is None or last < code:
                    raise PatternError("has a range of characters out of order")
                some = ((code, last),)
            ranges.extend(some)
            categories.extend(more)
        return Chars(tuple(ranges), tuple(categories), negated=negated)

    def member(self) -> tuple[_Ranges, _Categories]:
        char = self.next("leaves a set of characters open")
        if char != "\\":
            return _one(ord(char)), ()
        if self.took("b"):
            return _one(8), ()
        return self.escape()

    def escape(self) -> tuple[_Ranges, _Categories]:
        named = _CATEGORY.match(self.text, self.at)
        if named:
            wanted = self.text[self.at] == "p"
            self.at = named.end()
            return (), ((named[1], wanted),)
        code = _CODE.match(self.text, self.at)
        if code:
            self.at = code.end()
            return _one(self.code_point(int(code[1] or code[2] or code[3], 16))), ()
        char = self.next("ends in a backslash")
        if char.lower() in _CLASSES:
            ranges = _CLASSES[char.lower()]
            return (ranges if char.islower() else _complement(ranges)), ()
        if char in _CONTROLS:
            return _one(_CONTROLS[char]), ()
        if char == "0" and not self.text[self.at : self.at + 1].isdigit():
            return _one(0), ()
        if char == "c" and self.text[self.at : self.at + 1].isascii() and self.text[self.at : self.at + 1].isalpha():
            return _one(ord(self.next()) % 32), ()
        if char.isdigit() or char == "k":
            raise PatternError("refers back to a group, which is not searched for here")
        if char.isalnum():
            raise PatternError("has an escape that ECMA-262 does not know")
        return _one(ord(char)), ()

    def code_point(self, code: int) -> int:
        low = _CODE.match(self.text, self.at + 1)
        if 0xD800 <= code < 0xDC00 and self.text[self.at : self.at + 1] == "\\" and low and low[2]:
            second = int(low[2], 16)
            if 0xDC00 <= second < 0xE000:
                self.at = low.end()
                return 0x10000 + ((code - 0xD800) << 10) + second - 0xDC00
        if code > _MAX_CODE:
            raise PatternError("has a character that does not exist")
        return code

    def next(self, problem: str = "") -> str:
        if self.at == len(self.text):
            raise PatternError(problem)
        self.at += 1
        return self.text[self.at - 1]

    def took(self, char: str) -> bool:
        found = self.text.startswith(char, self.at)
        self.at += found
        return found


def _one(code: int) -> _Ranges:
    return ((code, code),)


def _single(ranges: _Ranges, categories: _Categories) -> int | None:
    """Return the code point that a member of a set stands for, if it is one character."""
    is_one = not categories and len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return ranges[0][0] if is_one else None


def parse(text: str) -> Node:
    """Read a pattern.

    Raises:
        PatternError: it is malformed, or needs backtracking.
    """
    return _Parser(text).whole()
