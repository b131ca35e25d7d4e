"""Values to the wire form: plain dicts, in three ways to write the payload of a part."""

from __future__ import annotations

import os
from binascii import b2a_base64
from collections.abc import Callable, Mapping
from itertools import chain
from types import NoneType
from typing import Any, TypeGuard, cast

from toolresult import _json, _rfc3339
from toolresult._content import ContentPart
from toolresult._frozen import MAX_DEPTH, VALUE_TYPES, FrozenDict, is_frozen_dict, type_name
from toolresult._json import NO_STACK, RefusedError
from toolresult._result import FACTS, PENDING, ToolResult
from toolresult._suspension import Answer, Request
from toolresult._text import repair
from toolresult.errors import ConversionError, EncodeError

Default = Callable[[Any], object]
DERIVED = "derived"
"""Stands among the facts of a result in place of a `value` that is read back from the output."""

TAG = "$toolresult"
"""The one key of the object that stands for a value of ours in the text of `dumps`."""

_PLAIN = frozenset({NoneType, bool})


class Tree:
    """Turns application data into a tree of JSON types: what JSON cannot hold goes to `default`, or is refused.

    With `tagged`, our own values in it are written too, each in an object with the key `TAG`.
    """

    __slots__ = ("default", "tagged")

    def __init__(self, default: Default | None = None, *, tagged: bool = False) -> None:
        self.default = default
        self.tagged = tagged

    def of(self, value: object, field: str) -> Any:
        """Build the tree of `value`.

        Raises:
            EncodeError: `path` starts with `field`.
        """
        try:
            return self._node(value, 1)
        except RefusedError as refused:
            path, problem, cause = refused.path(field), refused.problem, refused.__cause__
        except RecursionError:
            path, problem, cause = field, NO_STACK, None
        raise EncodeError(path, problem) from cause

    def _node(self, value: object, depth: int) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is str:
            return repair(cast("str", value))
        try:
            return self._other(value, depth)
        except RefusedError as refused:
            # A trail means that the culprit is below, and was offered to `default` there.
            if self.default is None or refused.trail or refused.below:
                raise
            return self._replaced(value, refused, depth)

    def _replaced(self, value: object, refused: RefusedError, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise refused
        try:
            replacement = cast("Default", self.default)(value)
        except Exception as error:
            raise RefusedError(f"{refused.problem}; default= raised {type(error).__name__}") from error
        return self._node(replacement, depth + 1)

    def _other(self, value: object, depth: int) -> Any:
        kind = type(value)  # which some objects lie about when they are asked
        if issubclass(kind, int):
            return _json.integer(int.__int__(cast("int", value)))
        if issubclass(kind, float):
            number = float.__float__(cast("float", value))
            if number - number == 0:
                return number
            raise RefusedError("is not a finite number, which JSON cannot hold; use null or text")
        if issubclass(kind, str):
            return repair(str.__str__(cast("str", value)))
        if issubclass(kind, dict):
            return self._object(cast("dict[object, object]", value), depth)
        if issubclass(kind, (list, tuple)):
            return self._array(cast("list[object]", value), depth)
        if kind in VALUE_TYPES:
            if self.tagged:
                return self._tagged(value)
            raise RefusedError(f"is of type {kind.__name__}, which metadata is not stored with; write its wire form")
        raise RefusedError(f"is of type {type_name(value)}, which JSON cannot hold; convert it, or let default= do so")

    def _tagged(self, value: object) -> dict[str, Any]:
        try:
            return {TAG: [type(value).__name__, to_tree(value, self.default)]}
        except EncodeError as error:
            raise RefusedError(error.problem, f".{error.path}") from error.__cause__

    def _object(self, source: dict[object, object], depth: int) -> dict[str, Any]:
        if depth > MAX_DEPTH:
            raise RefusedError(f"contains itself, or is nested more than {MAX_DEPTH} levels deep; flatten it")
        tree: dict[str, Any] = {}
        for key, item in _read(lambda: [(name, below) for name, below in source.items()]):  # noqa: C416 - what is no pair fails here
            try:
                name = repair(str.__str__(cast("str", key))) if issubclass(type(key), str) else _refuse_key(key)
                if name in tree:
                    raise RefusedError("is the same text as another key; rename one")
                tree[name] = self._node(item, depth + 1)
            except RefusedError as refused:
                refused.trail.append(key)
                raise
        return {TAG: ["dict", tree]} if self.tagged and TAG in tree else tree

    def _array(self, source: list[object], depth: int) -> list[Any]:
        if depth > MAX_DEPTH:
            raise RefusedError(f"contains itself, or is nested more than {MAX_DEPTH} levels deep; flatten it")
        tree: list[Any] = []
        for item in _read(lambda: list(source)):
            try:
                tree.append(self._node(item, depth + 1))
            except RefusedError as refused:
                refused.trail.append(len(tree))
                raise
        return tree


def _read(read: Callable[[], list[Any]]) -> list[Any]:
    try:
        return read()
    except (RecursionError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a subclass may raise anything
        problem = f"cannot be read: {type(error).__name__}; convert it to plain data first"
    raise RefusedError(problem)


def _refuse_key(key: object) -> str:
    raise RefusedError(f"is a key of type {type_name(key)}, which JSON cannot hold; use str keys")


def to_tree(value: object, default: Default | None = None, payload: Callable[[ContentPart], str] | None = None) -> Any:
    """Build the wire form of any value of ours; `payload` writes the data of a part in another way than base64."""
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise TypeError(f"value: must be a ToolResult, ContentPart, Request or Answer, got {type_name(value)}")
    return writer(value, "", Tree(default), payload or in_base64)


def to_text(value: object, default: Default | None, indent: int | str | None) -> str:
    """Write the wire form of any value of ours as text.

    JSON has nothing to escape in base64, and looking for it takes longer than all the rest. So the data is put in at
    the end, where a mark stands that nobody could foresee and have in a text of his own.
    """
    blobs: list[str] = []
    mark = os.urandom(16).hex()

    def set_aside(part: ContentPart) -> str:
        blobs.append(in_base64(part))
        return mark

    text = _json.write(to_tree(value, default, set_aside), indent=indent)
    if not blobs:
        return text
    pieces = text.split(mark)
    return "".join(chain.from_iterable(zip(pieces, [*blobs, ""], strict=True)))


def in_base64(part: ContentPart) -> str:
    """Write the data of a part as the wire form does."""
    return b2a_base64(cast("bytes", part.data), newline=False).decode("ascii")


def as_sha256(part: ContentPart) -> str:
    """Write the data of a part as a digest does."""
    return part.sha256()


def _result(result: ToolResult, path: str, tree: Tree, payload: Callable[[ContentPart], str]) -> dict[str, Any]:
    output = repair(result.output)
    wire: dict[str, Any] = {"output": output, "isError": result.is_error}
    if result.parts is not None:
        wire["parts"] = [_part(part, f"{path}parts[{n}].", tree, payload) for n, part in enumerate(result.parts)]
    if result.metadata is not None:
        metadata = _metadata(cast("FrozenDict[str, Any]", result.metadata), f"{path}metadata", output, tree, payload)
        if metadata:
            wire["metadata"] = metadata
    return wire


def _metadata(
    metadata: FrozenDict[str, Any], path: str, output: str, tree: Tree, payload: Callable[[ContentPart], str]
) -> dict[str, Any]:
    free = {key: value for key, value in metadata.items() if key not in (PENDING, FACTS)}
    written: dict[str, Any] = tree.of(free, path)
    if PENDING in metadata:
        written[PENDING] = _request(metadata[PENDING], f"{path}.{PENDING}.", tree, payload)
    if FACTS in metadata:
        facts = _facts(metadata[FACTS], f"{path}.{FACTS}", output, tree)
        if facts or not metadata[FACTS]:
            written[FACTS] = facts
    return written


def _facts(facts: FrozenDict[str, Any], path: str, output: str, tree: Tree) -> dict[str, Any]:
    written: dict[str, Any] = tree.of({key: fact for key, fact in facts.items() if key != "value"}, path)
    value: object = facts.get("value")
    try:
        form = _json.plain(value)
    except ConversionError as error:
        if error.problem == NO_STACK:
            raise EncodeError(f"{path}.value", NO_STACK) from None
        # Nobody but the application reads the value, so it is no reason to refuse a result that is fine without.
        form = None if tree.default is None else tree.of(value, f"{path}.value")
    if form is None:
        if "value" in facts and value is None:
            written["value"] = None
    elif output == _json.write(form):
        written[DERIVED] = True
    else:
        written["value"] = form
    return written


def _part(part: ContentPart, path: str, tree: Tree, payload: Callable[[ContentPart], str]) -> dict[str, Any]:
    if part.raw is not None:
        return _raw(part, path, tree)
    wire: dict[str, Any] = {"type": part.type}
    if part.text is not None:
        wire["text"] = repair(part.text)
    if part.mime_type is not None:
        wire["mimeType"] = part.mime_type
    if part.data is not None:
        wire["data"] = payload(part)
    if part.url is not None:
        wire["url"] = part.url
    if part.file_id is not None:
        wire["fileId"] = repair(part.file_id)
    if part.name is not None:
        wire["name"] = repair(part.name)
    if part.metadata is not None:
        wire["metadata"] = tree.of(part.metadata, f"{path}metadata")
    return wire


def _raw(part: ContentPart, path: str, tree: Tree) -> dict[str, Any]:
    kind = repair(part.type)
    raw: dict[str, Any] = tree.of(part.raw, f"{path}raw")
    return raw if is_whole_block(raw, kind) else {"type": kind, "raw": raw}


def is_whole_block(raw: Mapping[str, Any], kind: str) -> bool:
    """Say whether the original of a part of unknown type is a block of that type, which is then written as it is.

    Any other original is written inside a block, under the key `raw`. A block that looks like such a one is whole only
    if what is inside is, so that the two can be told apart.
    """
    while raw.get("type") == kind:
        inner: object = raw.get("raw")
        if len(raw) != 2 or not is_object(inner) or not inner:
            return True
        raw = inner
    return False


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Say whether a value can be an object of the wire form: a plain `dict`, or one of our frozen ones."""
    return type(value) is dict or is_frozen_dict(value)


def _request(request: Request, path: str, tree: Tree, payload: object) -> dict[str, Any]:  # noqa: ARG001
    wire: dict[str, Any] = {"id": request.id, "kind": request.kind, "prompt": repair(request.prompt)}
    if request.url is not None:
        wire["url"] = request.url
    if request.data is not None:
        wire["data"] = tree.of(request.data, f"{path}data")
    if request.expires_at is not None:
        wire["expiresAt"] = _rfc3339.to_text(request.expires_at)
    return wire


def _answer(answer: Answer, path: str, tree: Tree, payload: object) -> dict[str, Any]:  # noqa: ARG001
    wire: dict[str, Any] = {"id": answer.id, "ok": answer.ok}
    if answer.data is not None:
        wire["data"] = tree.of(answer.data, f"{path}data")
    if answer.reason is not None:
        wire["reason"] = answer.reason
    return wire


_WRITERS: dict[type, Callable[..., dict[str, Any]]] = {
    ToolResult: _result,
    ContentPart: _part,
    Request: _request,
    Answer: _answer,
}
