"""Regular expressions of a JSON Schema, searched for in time that is linear in the text, whatever the pattern.

They are those of ECMA-262 with the flag `u`, as JSON Schema says (2020-12 Core, section 6.4). The module `re` takes
exponential time for some patterns, and a pattern may come from a stranger.
"""

from __future__ import annotations

from toolresult._pattern_syntax import WORD, Chars, Node, PatternError, parse

_MAX_LENGTH = 2_000
_MAX_PROGRAM = 5_000
_STEPS_TO_READ_A_CHARACTER = 10


class TooLongError(Exception):
    """Never leaves the library: there are no steps left."""


class Steps:
    """How much work may still be done, in steps of about a microsecond."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, count: int) -> None:
        """Take steps.

        Raises:
            TooLongError: there are fewer.
        """
        self.left -= count
        if self.left < 0:
            raise TooLongError


class Pattern:
    """A pattern as a program that visits all its states at once (Thompson, 1968).

    Raises:
        PatternError: it is malformed, too large, or needs backtracking.
        TooLongError: to read it takes more than `steps`.
    """

    def __init__(self, text: str, steps: Steps) -> None:
        if len(text) > _MAX_LENGTH:
            raise PatternError(f"is longer than {_MAX_LENGTH} characters")
        steps.spend(_STEPS_TO_READ_A_CHARACTER * len(text))
        self._program: list[Node] = []
        self._work = 0
        self._emit(parse(text))
        steps.spend(self._work)
        self._program.append(("match",))

    def _emit(self, node: Node) -> None:
        program = self._program
        self._work += 1
        if max(self._work, len(program)) > _MAX_PROGRAM:
            raise PatternError("repeats too much")
        kind = node[0]
        if kind == "all":
            for term in node[1]:
                self._emit(term)
        elif kind == "any":
            self._emit_options(node[1])
        elif kind == "repeat":
            self._emit_repeat(*node[1:])
        elif kind == "look":
            here = len(program)
            program.append(())
            self._emit(node[1])
            program.append(("match",))
            program[here] = ("look", len(program), node[2])
        else:
            program.append(node)

    def _emit_options(self, options: list[Node]) -> None:
        ends: list[int] = []
        for option in options[:-1]:
            here = len(self._program)
            self._program.append(())
            self._emit(option)
            ends.append(len(self._program))
            self._program.append(())
            self._program[here] = ("fork", here + 1, len(self._program))
        self._emit(options[-1])
        for end in ends:
            self._program[end] = ("fork", len(self._program), len(self._program))

    def _emit_repeat(self, term: Node, least: int, most: int | None) -> None:
        for _ in range(least):
            self._emit(term)
        here = len(self._program)
        if most is None:
            self._program.append(())
            self._emit(term)
            self._program.append(("fork", here, here))
            self._program[here] = ("fork", here + 1, len(self._program))
            return
        forks: list[int] = []
        for _ in range(most - least):
            forks.append(len(self._program))
            self._program.append(())
            self._emit(term)
        for fork in forks:
            self._program[fork] = ("fork", fork + 1, len(self._program))

    def is_in(self, text: str, steps: Steps) -> bool:
        """Say whether it is found anywhere in `text`.

        Raises:
            TooLongError: that takes more than `steps`.
        """
        return self._runs(0, text, 0, steps, anywhere=True)

    def _runs(self, start: int, text: str, at: int, steps: Steps, *, anywhere: bool = False) -> bool:
        states: list[int] = [start]
        while True:
            waiting = self._waiting(states, text, at, steps)
            if waiting is None:
                return True
            if at == len(text):
                return False
            char = text[at]
            states = [state + 1 for state in waiting if char in self._program[state][1]]
            at += 1
            if anywhere:
                states.append(start)
            elif not states:
                return False

    def _waiting(self, states: list[int], text: str, at: int, steps: Steps) -> list[int] | None:
        """Follow what takes no character, to the states that wait for one; `None` if the end is reached."""
        waiting: list[int] = []
        seen: set[int] = set()
        while states:
            state = states.pop()
            if state in seen:
                continue
            seen.add(state)
            steps.spend(1)
            kind, *rest = self._program[state]
            if kind == "chars":
                waiting.append(state)
            elif kind == "match":
                return None
            elif kind == "fork":
                states.extend(rest)
            elif kind == "assert":
                if _holds(rest[0], text, at):
                    states.append(state + 1)
            elif self._runs(state + 1, text, at, steps) is rest[1]:
                states.append(rest[0])
        return waiting


def _holds(assertion: str, text: str, at: int) -> bool:
    if assertion == "^":
        return at == 0
    if assertion == "$":
        return at == len(text)
    word = Chars(WORD, negated=False)
    is_edge = (at > 0 and text[at - 1] in word) is not (at < len(text) and text[at] in word)
    return is_edge is (assertion == "b")
