"""Our JSON form of results, parts, requests and answers: strict, deterministic, and exact both ways.

What JSON types can say reads back equal; a tuple reads back as a list. Decoding trusts nothing: whatever is wrong with
the input is a `DecodeError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from toolresult import _json
from toolresult._content import ContentPart
from toolresult._decode import Reader
from toolresult._encode import to_tree
from toolresult._frozen import MAX_DEPTH, type_name
from toolresult._json import MAX_DIGITS
from toolresult._result import ToolResult
from toolresult._suspension import Answer, Request
from toolresult.errors import DecodeError

__all__ = ["from_json", "from_wire", "to_json", "to_wire"]

Value = ToolResult | ContentPart | Request | Answer
V = TypeVar("V", ToolResult, ContentPart, Request, Answer)


def to_wire(value: Value, *, default: Callable[[Any], object] | None = None) -> dict[str, Any]:
    """Write a value as plain dicts, lists and scalars, new ones each time.

    `default` is called with what JSON cannot hold in metadata or data, and returns what is written in its place.

    Raises:
        EncodeError: `path` says where metadata or data holds what JSON cannot, for example `metadata.hits[3].when`.
    """
    return cast("dict[str, Any]", to_tree(value, default))


def from_wire(kind: type[V], obj: object, *, max_depth: int = MAX_DEPTH, max_digits: int = MAX_DIGITS) -> V:
    """Read a value of `kind` from what `to_wire` wrote; a value of that type is taken as it is.

    `max_depth` bounds the containers nested in metadata and data (at most 100), `max_digits` the digits of an integer.

    Raises:
        DecodeError: `path` is the place in the object, for example `parts[0].data`.
    """
    if not 1 <= max_depth <= MAX_DEPTH:
        raise ValueError(f"max_depth: must be from 1 to {MAX_DEPTH}")
    return Reader(max_depth, max_digits).read(kind, obj)


def to_json(value: Value, *, default: Callable[[Any], object] | None = None, indent: int | str | None = None) -> str:
    """Write a value as JSON text: the wire form on one line without spaces, or with `indent` as `json.dumps` does.

    Raises:
        EncodeError: as `to_wire`.
    """
    return _json.write(to_tree(value, default), indent=indent)


def from_json(
    kind: type[V],
    text: str | bytes,
    *,
    max_depth: int = MAX_DEPTH,
    max_digits: int = MAX_DIGITS,
    max_bytes: int | None = None,
) -> V:
    """Read a value of `kind` from JSON text, which as `bytes` is UTF-8 with or without a byte order mark.

    `max_bytes` bounds the size of the text; the other limits are those of `from_wire`.

    Raises:
        DecodeError: `path` is the place in the data, or a line and column where the text is no JSON.
    """
    tree = _json.parse(_decoded(text, max_bytes), kind.__name__, max_digits)
    return from_wire(kind, tree, max_depth=max_depth, max_digits=max_digits)


def _decoded(text: object, max_bytes: int | None) -> str:
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"text: must be str or bytes, got {type_name(text)}")
    if max_bytes is not None and len(text) > max_bytes:
        raise DecodeError("text", f"is longer than {max_bytes} bytes")
    if isinstance(text, str):
        if max_bytes is not None and len(text.encode("utf-8", "surrogatepass")) > max_bytes:
            raise DecodeError("text", f"is longer than {max_bytes} bytes")
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        position = error.start
    raise DecodeError("text", f"is not UTF-8 at byte {position}")
