"""Our JSON form of results, parts, requests and answers: strict, deterministic, and exact both ways.

What JSON types can say reads back equal; a tuple reads back as a list. Decoding trusts nothing: whatever is wrong with
the input is a `DecodeError` that names the place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from toolresult import _json
from toolresult._content import ContentPart
from toolresult._decode import Reader, untagged
from toolresult._encode import Tree, as_sha256, to_text, to_tree
from toolresult._frozen import MAX_DEPTH, VALUE_TYPES, type_name
from toolresult._json import MAX_DIGITS
from toolresult._redacted import to_log
from toolresult._result import ToolResult
from toolresult._suspension import Answer, Request
from toolresult.errors import ConversionError, DecodeError, EncodeError

if TYPE_CHECKING:
    from toolresult._wire_types import WireAnswer, WirePart, WireRequest, WireResult
else:

    def __getattr__(name):  # noqa: ANN001, ANN202
        if name not in ("WireAnswer", "WirePart", "WireRequest", "WireResult"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from toolresult import _wire_types

        return getattr(_wire_types, name)


__all__ = [
    "Stored",
    "WireAnswer",
    "WirePart",
    "WireRequest",
    "WireResult",
    "canonical",
    "default",
    "digest",
    "dumps",
    "from_json",
    "from_wire",
    "json_schema",
    "loads",
    "to_json",
    "to_wire",
]

Value = ToolResult | ContentPart | Request | Answer
V = TypeVar("V", bound=Value)
_DICTS = frozenset({dict})


# Keyword-only parameters would make the commonest call of both functions a third slower.
def to_wire(
    value: Value,
    default: Callable[[Any], object] | None = None,
    payload: bool = True,  # noqa: FBT001, FBT002
) -> dict[str, Any]:
    """Write a value as plain dicts, lists and scalars, new ones each time.

    `default` is called with what JSON cannot hold in metadata or data, and returns what is written in its place.

    Without `payload` it is the log form, which is not for reading back: the data of a part is replaced by its type and
    size, metadata values and an answer's data by their types, ids are cut, URLs have no user, query or fragment, and
    a request has no data. Output, texts and prompts stay.

    Raises:
        EncodeError: `path` says where metadata or data holds what JSON cannot, for example `metadata.hits[3].when`.
    """
    if type(value) is ToolResult and value.parts is None and value.metadata is None:
        output = value.output
        if output.isascii():
            return {"output": output, "isError": value.is_error}
    return cast("dict[str, Any]", to_tree(value, default) if payload else to_log(value))


def from_wire(kind: type[V], obj: object, max_depth: int = MAX_DEPTH, max_digits: int = MAX_DIGITS) -> V:
    """Read a value of `kind` from what `to_wire` wrote; a value of that type is taken as it is.

    `max_depth` bounds the containers nested in metadata and data (at most 100), `max_digits` the digits of an integer
    (at most 4300).

    Raises:
        DecodeError: `path` is the place in the object, for example `parts[0].data`, or the name of the type.
    """
    if kind is ToolResult and type(obj) in _DICTS:
        wire = cast("dict[str, object]", obj)
        # A result without parts is most of what there is.
        if len(wire) == 2 and "output" in wire and "isError" in wire:
            output, is_error = wire["output"], wire["isError"]
            if type(output) is str and type(is_error) is bool:
                return cast("V", ToolResult(output, is_error))
    _check_limits(max_depth, max_digits)
    return Reader(max_depth, max_digits).read(kind, obj)


def to_json(
    value: Value,
    *,
    default: Callable[[Any], object] | None = None,
    indent: int | str | None = None,
    payload: bool = True,
) -> str:
    """Write a value as JSON text: the wire form on one line without spaces, or with `indent` as `json.dumps` does.

    Raises:
        EncodeError: as `to_wire`.
    """
    return to_text(value, default, indent) if payload else _json.write(to_log(value), indent=indent)


def default(obj: object) -> dict[str, Any]:
    """Write a value of ours for an encoder that asks: `json.dumps(data, default=wire.default)`.

    Raises:
        TypeError: anything else, as such an encoder expects.
    """
    if type(obj) not in VALUE_TYPES:
        raise TypeError(f"obj: of type {type_name(obj)} is not JSON serializable")
    return to_wire(cast("Value", obj))


def canonical(obj: object) -> str:
    """Write a value of ours, or plain data, as JSON text that is equal exactly when the JSON is: keys sorted.

    The integer 10 and the float 10.0 are told apart.

    Raises:
        EncodeError: `path` says where there is something that JSON cannot hold, NaN included.
    """
    if type(obj) in VALUE_TYPES:
        return _json.write(to_tree(obj), sort_keys=True)
    try:
        return _json.canonical(obj)
    except ConversionError as error:
        path, problem = error.path, error.problem
    raise EncodeError(path, problem)


def digest(value: Value) -> str:
    """Return the SHA-256 of a value, 64 lower-case hexadecimal digits: equal exactly when the wire texts are equal.

    It is taken over the UTF-8 bytes of the canonical text in which the data of each part is the SHA-256 of its bytes.

    Raises:
        EncodeError: as `to_wire`.
    """
    from hashlib import sha256

    return sha256(_json.write(to_tree(value, payload=as_sha256), sort_keys=True).encode()).hexdigest()


def dumps(obj: object, *, default: Callable[[Any], object] | None = None, indent: int | str | None = None) -> str:
    """Write JSON types that hold our values anywhere as JSON text, from which `loads` reads the same.

    A value of ours is `{"$toolresult": [NAME, WIRE FORM]}`; a mapping that has this key itself is
    `{"$toolresult": ["dict", MAPPING]}`.

    Raises:
        EncodeError: `path`, which starts with `obj`, says where there is something that JSON cannot hold.
    """
    return _json.write(Tree(default, tagged=True).of(obj, "obj"), indent=indent)


def loads(
    text: str | bytes,
    *,
    max_depth: int = MAX_DEPTH,
    max_digits: int = MAX_DIGITS,
    max_bytes: int | None = None,
) -> Any:
    """Read what `dumps` wrote; the limits are those of `from_json`.

    Raises:
        DecodeError: `path`, which starts with `obj`, is the place in the data, or a line and column in the text.
    """
    _check_limits(max_depth, max_digits)
    tree = _json.parse(_decoded(text, max_bytes), "obj", max_digits)
    return untagged(Reader(max_depth, max_digits), tree)


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
    _check_limits(max_depth, max_digits)
    return Reader(max_depth, max_digits).read(kind, _json.parse(_decoded(text, max_bytes), max_digits=max_digits))


def json_schema(
    kind: type[Value] = ToolResult,
) -> dict[str, Any]:
    """Build the JSON Schema (2020-12) of the wire form of a type: a new one each time, without references.

    What is written is valid, and what is not valid is not read. What is read is a little narrower: a schema cannot
    say the grammar of MIME types, URLs and printable words, that a time exists, that a `derived` value is in the
    output, or the limits.
    """
    from toolresult._schema import schema_of

    return schema_of(kind)


class Stored:
    """For pydantic: `Annotated[ToolResult, Stored]` is the full wire form, both ways. It fits each of the four types.

    Without it pydantic writes a value as text for a model, so that what is private does not leak.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: Any) -> Any:
        """Tell pydantic to read and write the wire form."""
        from toolresult._pydantic import stored_schema

        return stored_schema(source, handler)


def _check_limits(max_depth: object, max_digits: object) -> None:
    for name, limit, most in (("max_depth", max_depth, MAX_DEPTH), ("max_digits", max_digits, MAX_DIGITS)):
        if type(limit) is not int or not 1 <= limit <= most:
            raise ValueError(f"{name}: must be an int from 1 to {most}")


def _decoded(text: object, max_bytes: object) -> str:
    if max_bytes is not None and (type(max_bytes) is not int or max_bytes < 0):
        raise ValueError("max_bytes: must be an int from 0, or None for no limit")
    if issubclass(type(text), bytes):
        data = bytes(memoryview(cast("bytes", text)))
        _check_size(len(data), max_bytes)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            position = error.start
        raise DecodeError("text", f"is not UTF-8 at byte {position}")
    if not issubclass(type(text), str):
        raise TypeError(f"text: must be str or bytes, got {type_name(text)}")
    plain = str.__str__(cast("str", text))
    if max_bytes is not None:
        _check_size(len(plain) if plain.isascii() else len(plain.encode("utf-8", "surrogatepass")), max_bytes)
    return plain


def _check_size(size: int, max_bytes: int | None) -> None:
    if max_bytes is not None and size > max_bytes:
        raise DecodeError("text", f"is longer than {max_bytes} bytes")
