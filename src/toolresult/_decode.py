"""The wire form to values. Nothing of the input is trusted: what is wrong with it is one error that names the place."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from toolresult import _json, _rfc3339
from toolresult._content import TYPES, ContentPart
from toolresult._encode import DERIVED, TAG, is_object, is_whole_block
from toolresult._frozen import FrozenList, type_name
from toolresult._json import NO_STACK, RefusedError
from toolresult._result import FACTS, PENDING, ToolResult
from toolresult._suspension import Answer, Request
from toolresult._text import repair
from toolresult.errors import DecodeError

T = TypeVar("T")
ALIASES = {"is_error": "isError", "mime_type": "mimeType", "file_id": "fileId", "expires_at": "expiresAt"}
"""Spellings that are read and never written. A result whose `is_error` was ignored would become a success."""

_LISTS = frozenset({list, FrozenList})
_items: Callable[[dict[Any, Any]], Iterable[tuple[Any, Any]]] = dict[Any, Any].items
_CONTAINERS = frozenset({list, dict})
_SCALARS = frozenset({str, bool, type(None)})


class Reader:
    """Reads the wire form of one value, within limits."""

    __slots__ = ("_heights", "max_depth", "max_digits")

    def __init__(self, max_depth: int, max_digits: int) -> None:
        self.max_depth = max_depth
        self.max_digits = max_digits
        self._heights: dict[int, int] = {}

    def read(self, kind: type[T], obj: object) -> T:
        """Read a value of `kind`, or take one as it is.

        Raises:
            DecodeError: `path` is the place in the object, or the name of the type for the object itself.
            TypeError: `kind` is not one of the four types.
        """
        reader = _READERS.get(kind) if isinstance(cast("object", kind), type) else None
        if reader is None:
            raise TypeError("kind: must be ToolResult, ContentPart, Request or Answer")
        if type(obj) is kind:
            return obj
        try:
            return cast("T", reader(self, obj, ""))
        except RecursionError:
            pass
        raise DecodeError(kind.__name__, NO_STACK)

    def result(self, obj: object, at: str) -> ToolResult:
        """Read a result."""
        members = _members(obj, at, "ToolResult")
        output = _required(members, "output", str, at)
        is_error = _required(members, "isError", bool, at)
        parts: object = members.get("parts", [])
        if type(parts) not in _LISTS and type(parts) is not tuple:
            raise DecodeError(f"{at}parts", f"must be an array, got {type_name(parts)}")
        return _built(
            ToolResult,
            at,
            output=output,
            is_error=is_error,
            parts=[self.part(part, f"{at}parts[{n}].") for n, part in enumerate(cast("list[object]", parts))],
            metadata=self._metadata(members, output, at),
        )

    def part(self, obj: object, at: str) -> ContentPart:
        """Read a part; a block of an unknown type is kept as its original."""
        if type(obj) is ContentPart:
            return obj
        members = _members(obj, at, "ContentPart")
        kind: str = _required(members, "type", str, at)
        if kind not in TYPES:
            block: dict[str, Any] = dict(_items(cast("dict[str, Any]", obj)))
            if is_whole_block(block, kind):
                self._check(block, at[:-1] or "ContentPart")
                return _built(ContentPart, at, type=kind, raw=block)
            self._check(block["raw"], f"{at}raw")
            return _built(ContentPart, at, type=kind, raw=block["raw"])
        data: str | None = _optional(members, "data", at)
        return _built(
            ContentPart,
            at,
            type=kind,
            text=_optional(members, "text", at),
            mime_type=_optional(members, "mimeType", at),
            data=None if data is None else _from_base64(data, f"{at}data"),
            url=_optional(members, "url", at),
            file_id=_optional(members, "fileId", at),
            name=_optional(members, "name", at),
            metadata=self._object(members, "metadata", at),
        )

    def request(self, obj: object, at: str) -> Request:
        """Read a request."""
        members = _members(obj, at, "Request")
        moment: str | None = _optional(members, "expiresAt", at)
        return _built(
            Request,
            at,
            id=_required(members, "id", str, at),
            kind=_required(members, "kind", str, at),
            prompt=_required(members, "prompt", str, at),
            url=_optional(members, "url", at),
            data=self._object(members, "data", at),
            expires_at=None if moment is None else _from_rfc3339(moment, f"{at}expiresAt"),
        )

    def answer(self, obj: object, at: str) -> Answer:
        """Read an answer."""
        members = _members(obj, at, "Answer")
        data: object = members.get("data")
        self._check(data, f"{at}data")
        return _built(
            Answer,
            at,
            id=_required(members, "id", str, at),
            ok=_required(members, "ok", bool, at),
            data=data,
            reason=_optional(members, "reason", at),
        )

    def _metadata(self, members: dict[str, Any], output: str, at: str) -> dict[str, Any] | None:
        source: object = members.get("metadata")
        if source is None:
            return None
        here = f"{at}metadata"
        if not is_object(source):
            raise DecodeError(here, f"must be an object, got {type_name(source)}")
        metadata = dict(source)
        pending: object = metadata.pop(PENDING, None)
        self._check(metadata, here)
        facts: object = metadata.get(FACTS)
        if facts is None:
            metadata.pop(FACTS, None)
        if is_object(facts) and DERIVED in facts:
            metadata[FACTS] = self._with_derived_value(facts, output, f"{here}.{FACTS}")
        if pending is not None:
            metadata[PENDING] = pending if type(pending) is Request else self.request(pending, f"{here}.{PENDING}.")
        return metadata

    def _with_derived_value(self, facts: dict[str, Any], output: str, path: str) -> dict[str, Any]:
        """Read the value of a result back from its output, of which it says that it is its compact JSON."""
        if facts[DERIVED] is not True:
            raise DecodeError(f"{path}.{DERIVED}", "must be true, or absent")
        if "value" in facts:
            raise DecodeError(f"{path}.value", "is there beside derived; leave one out")
        try:
            value = _json.parse(output)
            self._check(value, path)
        except DecodeError:
            pass
        else:
            return {**{key: fact for key, fact in facts.items() if key != DERIVED}, "value": value}
        raise DecodeError(f"{path}.{DERIVED}", "is true, and the output is not the JSON of a value")

    def _object(self, members: dict[str, Any], name: str, at: str) -> dict[str, Any] | None:
        value: object = members.get(name)
        if value is None:
            return None
        if not is_object(value):
            raise DecodeError(f"{at}{name}", f"must be an object, got {type_name(value)}")
        self._check(value, f"{at}{name}")
        return value

    def _check(self, value: object, field: str) -> None:
        """Refuse what JSON text cannot have brought, and what is deeper or longer than the limits."""
        self._heights.clear()  # it goes by identity, which lasts only as long as the input
        try:
            self._height(value, 1)
        except RefusedError as refused:
            path, problem = refused.path(field), refused.problem
        else:
            return
        raise DecodeError(path, problem)

    def _height(self, value: object, depth: int) -> int:
        """Return how many containers are nested in a value. What is shared is walked once."""
        kind = type(value)
        if kind in _SCALARS:
            return 0
        if kind is int:
            _json.integer(cast("int", value), self.max_digits)
            return 0
        if kind is float:
            number = cast("float", value)
            if number - number != 0:
                raise RefusedError("is not a finite number, which JSON cannot hold")
            return 0
        known = self._heights.get(id(value), 0)
        if depth + known > self.max_depth + (known > 0):
            raise RefusedError(f"contains itself, or is nested more than {self.max_depth} levels deep; flatten it")
        if known:
            return known
        height = 0
        for key, item in _children(value):
            try:
                height = max(height, self._height(item, depth + 1))
            except RefusedError as refused:
                refused.trail.append(key)
                raise
        self._heights[id(value)] = height + 1
        return height + 1


def untagged(reader: Reader, tree: object) -> Any:
    """Turn a tree of JSON text into what `dumps` was given."""
    try:
        return _untagged(reader, tree, 1)
    except RefusedError as refused:
        path, problem = refused.path("obj"), refused.problem
    except RecursionError:
        path, problem = "obj", NO_STACK
    raise DecodeError(path, problem)


def _untagged(reader: Reader, node: object, depth: int) -> Any:
    if type(node) not in _CONTAINERS:
        return node
    if is_object(node) and TAG in node:
        name, inner = _tagged(node)
        kind = _NAMES.get(name)
        if kind is not None:
            return _read_tagged(reader, kind, inner)
        if name != "dict" or not is_object(inner) or TAG not in inner:
            raise RefusedError(f"is an object with {TAG}, whose name is unknown here or does not fit what follows")
        node = inner
    if depth > reader.max_depth:
        raise RefusedError(f"is nested more than {reader.max_depth} levels deep; flatten it")
    read: list[tuple[Any, object]] = []
    for key, item in _children(node):
        try:
            read.append((key, _untagged(reader, item, depth + 1)))
        except RefusedError as refused:
            refused.trail.append(key)
            raise
    return dict(read) if is_object(node) else [item for _, item in read]


def _tagged(node: dict[str, Any]) -> tuple[str, object]:
    tagged: object = node[TAG]
    if len(node) == 1 and type(tagged) is list:
        pair = cast("list[object]", tagged)
        if len(pair) == 2 and type(pair[0]) is str:
            return pair[0], pair[1]
    raise RefusedError(f"is an object with {TAG}, which must be alone and hold a name and a wire form")


def _read_tagged(reader: Reader, kind: type[Any], inner: object) -> object:
    try:
        return reader.read(kind, inner)
    except DecodeError as error:
        refused = RefusedError(error.problem, "" if error.path == kind.__name__ else f".{error.path}")
    raise refused


def _children(value: object) -> list[tuple[Any, object]]:
    if type(value) in _LISTS:
        return list(enumerate(cast("list[object]", value)))
    if not is_object(value):
        raise RefusedError(f"is of type {type_name(value)}, which is not JSON")
    items = list(_items(value))
    for key, _ in items:
        if type(key) is not str:
            refused = RefusedError(f"is a key of type {type_name(key)}, which is not JSON")
            refused.trail.append(key)
            raise refused
    if not all(key.isascii() for key, _ in items):
        _refuse_same_keys(items)
    return items


def _refuse_same_keys(items: list[tuple[Any, object]]) -> None:
    """Refuse keys that are the same text once they are written again, which repairs lone surrogates."""
    seen: set[str] = set()
    for key, _ in items:
        name = repair(key)
        if name in seen:
            refused = RefusedError("is the same text as another key; rename one")
            refused.trail.append(key)
            raise refused
        seen.add(name)


def _members(obj: object, at: str, kind: str) -> dict[str, Any]:
    """Read the members of an object by the names that are written; an explicit null is as good as absent."""
    if not issubclass(type(obj), dict):
        raise DecodeError(at[:-1] or kind, f"must be an object, got {type_name(obj)}")
    found: dict[str, Any] = {}
    for key, item in list(_items(cast("dict[Any, Any]", obj))):
        if type(key) is not str or item is None:
            continue
        name = ALIASES.get(key, key)
        if name in found:
            raise DecodeError(f"{at}{name}", "is there in two spellings; leave one out")
        found[name] = item
    return found


def _required(members: dict[str, Any], name: str, kind: type, at: str) -> Any:
    value: object = members.get(name)
    if type(value) is kind:
        return value
    problem = "it is missing or null" if value is None else f"got {type_name(value)}"
    raise DecodeError(f"{at}{name}", f"must be a {'string' if kind is str else 'boolean'}; {problem}")


def _optional(members: dict[str, Any], name: str, at: str) -> str | None:
    return None if members.get(name) is None else cast("str", _required(members, name, str, at))


def _from_base64(text: str, path: str) -> bytes:
    try:
        data = a2b_base64(text, strict_mode=True)
    except ValueError:
        data = None
    # Some decoders pass what the last group has too much of: padding, or bits that no byte holds.
    if data is None or len(text) != (len(data) + 2) // 3 * 4 or text[-4:] != _last_group(data):
        raise DecodeError(path, "must be base64: the standard alphabet, padded, on one line")
    return data


def _last_group(data: bytes) -> str:
    rest = len(data) % 3 or 3
    return b2a_base64(data[-rest:], newline=False).decode("ascii")


def _from_rfc3339(text: str, path: str) -> Any:
    try:
        return _rfc3339.from_text(text)
    except ValueError as error:
        problem = str(error)
    raise DecodeError(path, problem)


def _built(kind: Callable[..., T], at: str, /, **fields: Any) -> T:
    """Build a value by its constructor, whose rules are the rules of the wire form too."""
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        field, _, problem = str(error).partition(": ")
    field, dot, rest = field.partition(".")
    spelling = ALIASES.get(field, field)
    raise DecodeError(f"{at}{spelling}{dot}{rest}", problem)


_READERS: dict[Any, Callable[[Reader, object, str], object]] = {
    ToolResult: Reader.result,
    ContentPart: Reader.part,
    Request: Reader.request,
    Answer: Reader.answer,
}

_NAMES: dict[str, type[Any]] = {kind.__name__: kind for kind in (ToolResult, ContentPart, Request, Answer)}
