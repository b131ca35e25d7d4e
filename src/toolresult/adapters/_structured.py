"""The data of a result whose output is its JSON text, for shapes that take data as data."""

from __future__ import annotations

import json
from typing import cast

from toolresult._result import ToolResult
from toolresult.adapters._limits import clean

# Beyond this a reader that makes a double of every number loses digits.
_MOST_INT = 2**53
# A parser of a protobuf Struct stops at a hundred levels, of which each of ours takes up to three.
_MOST_DEPTH = 30


def structured(result: ToolResult) -> object:
    """Return the data of which the output is the JSON text, repaired as text is.

    `None` if the output is another text, or if there are parts, numbers beyond 2**53, more than 30 levels, or keys that
    are equal once they are repaired.
    """
    if result.parts is not None or not result.is_derived:
        return None
    try:
        return _plain(json.loads(result.output), 0)
    except ValueError:
        return None


def _plain(value: object, depth: int) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (int, float)):
        if abs(value) > _MOST_INT:
            raise ValueError("a number that a double does not hold")
        return value
    if depth >= _MOST_DEPTH:
        raise ValueError("too many levels")
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in cast("list[object]", value)]
    members = cast("dict[str, object]", value)
    plain = {clean(key): _plain(item, depth + 1) for key, item in members.items()}
    if len(plain) < len(members):
        raise ValueError("keys that become equal")
    return plain
