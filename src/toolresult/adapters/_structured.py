"""The data of which an output is the JSON text, for shapes that have a place for data."""

from __future__ import annotations

import json
from typing import cast

from toolresult._result import ToolResult
from toolresult.adapters._limits import clean

# Every number is a double in a protobuf Struct, and may be one in a document of Smithy; a parser of a Struct stops at a
# hundred levels, of which each of ours takes up to three.
_MOST_INT = 2**53
_MOST_DEPTH = 30


class _NotHeldError(Exception):
    pass


def structured(result: ToolResult) -> dict[str, object] | list[object] | None:
    """Read the output, where it is the JSON of `value`, as exactly the data that its text says, strings repaired.

    `None` if there is no such data, if it is neither a mapping nor a list, and if a provider would change it.
    """
    if result.parts is not None or not result.output.startswith(("{", "[")) or not result.is_derived:
        return None
    try:
        return cast("dict[str, object] | list[object]", _plain(json.loads(result.output), 0))
    except _NotHeldError:
        return None


def _plain(value: object, depth: int) -> object:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, (int, float)):
        if abs(value) <= _MOST_INT:
            return value
    elif depth < _MOST_DEPTH and isinstance(value, list):
        return [_plain(item, depth + 1) for item in cast("list[object]", value)]
    elif depth < _MOST_DEPTH:
        members = cast("dict[str, object]", value)
        plain = {clean(key): _plain(item, depth + 1) for key, item in members.items()}
        if len(plain) == len(members):
            return plain
    raise _NotHeldError
