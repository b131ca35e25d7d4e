"""Data that a shape holds as JSON values rather than as text."""

from __future__ import annotations

import json
from typing import cast

from toolresult._result import ToolResult
from toolresult.adapters._limits import clean

# Every number is a double in a protobuf Struct, and so it is to most readers of JSON; a parser of a Struct stops at a
# hundred levels, of which each of ours takes up to three.
_MOST_INT = 2**53
_MOST_DEPTH = 30


def structured(result: ToolResult) -> object:
    """Return the mapping or list that the output is the JSON text of, if every reader would have the same data.

    It is what the text says, to the letter, with the texts in it repaired; `None` if there is no such data.
    """
    is_text = result.parts is not None or not result.output.startswith(("{", "["))
    if is_text or not isinstance(result.value, (dict, list)) or not result.is_derived:
        return None
    try:
        return _plain(json.loads(result.output), 0)
    except _NoDataError:
        return None


class _NoDataError(Exception):
    pass


def _plain(value: object, depth: int) -> object:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (int, float)) and abs(value) <= _MOST_INT:
        return value
    if depth < _MOST_DEPTH and isinstance(value, list):
        return [_plain(item, depth + 1) for item in cast("list[object]", value)]
    if depth < _MOST_DEPTH and isinstance(value, dict):
        members = cast("dict[str, object]", value)
        plain = {clean(key): _plain(item, depth + 1) for key, item in members.items()}
        if len(plain) == len(members):
            return plain
    raise _NoDataError
