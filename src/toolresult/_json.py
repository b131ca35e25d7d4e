"""The JSON form of plain Python values: a tree, compact text, canonical text, and TSV text.

Conversion is total over the types listed in `plain` and refuses everything else with a path: never a `repr`, never
invalid JSON. NaN and the infinities have no JSON form and become null; lone surrogates become U+FFFD.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from enum import Enum
from os import PathLike, fsdecode
from typing import Any, NoReturn, cast

from toolresult._frozen import MAX_DEPTH, VALUE_TYPES, type_name
from toolresult._text import join_path, repair
from toolresult.errors import ConversionError

MAX_DIGITS = 4300
"""Digits of an integer: the default limit of CPython, above which neither side can read it."""

_TOO_MANY_DIGITS = 10**MAX_DIGITS
_TSV_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class _RefusedError(Exception):
    """Internal: a value without a JSON form; `trail` grows from the innermost key outwards."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        self.trail: list[object] = []


def plain(value: object, field: str = "value") -> Any:
    """Turn a value into a tree of `dict list str int float bool None`.

    Takes JSON types and their subclasses, mappings, tuples, sets (sorted), named tuples and dataclasses (as objects),
    enums (their value), dates and times (ISO 8601), timedeltas (ISO 8601 durations), `Decimal` and `UUID` (as
    strings) and paths (as text).

    Raises:
        ConversionError: any other type, two keys that become the same string, an integer of more than `MAX_DIGITS`
            digits, a cycle, or more than `MAX_DEPTH` nested containers.
    """
    try:
        return _plain(value, 1)
    except _RefusedError as refused:
        path, problem = join_path(field, reversed(refused.trail)), refused.problem
    raise ConversionError(path, problem)


def compact(value: object, field: str = "value") -> str:
    """Write a value as JSON text without white space, non-ASCII characters as they are."""
    return _write(plain(value, field), sort_keys=False)


def canonical(value: object, field: str = "value") -> str:
    """Write a value as JSON text that is equal exactly when the JSON forms are equal: keys sorted, 10 apart from 10.0.

    Raises:
        ConversionError: as `plain`, and for NaN and the infinities, which must not pass for null in a comparison.
    """
    try:
        tree = _plain(value, 1, non_finite=False)
    except _RefusedError as refused:
        path, problem = join_path(field, reversed(refused.trail)), refused.problem
    else:
        return _write(tree, sort_keys=True)
    raise ConversionError(path, problem)


def parse(text: str) -> object:
    """Read strict JSON text. Whatever is wrong with it is a `ValueError`."""
    import json

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not JSON")

    def read_float(digits: str) -> float:
        number = float(digits)
        if number - number != 0:
            raise ValueError("a number is too large")
        return number

    def read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        tree = dict(pairs)
        if len(tree) != len(pairs):
            raise ValueError("an object has a key twice")
        return tree

    try:
        return json.loads(text, parse_constant=refuse, parse_float=read_float, object_pairs_hook=read_object)
    except RecursionError:
        pass
    raise ValueError("nested too deep")


def tsv(rows: Iterable[Iterable[object] | Mapping[str, object]], field: str = "rows") -> str:
    r"""Write rows as tab-separated lines. Rows that are mappings get a header, from the keys in order of appearance.

    A cell is the text of its JSON form, nothing for `None`; a backslash, tab, newline or carriage return in it is
    written as `\\ \t \n \r`.
    """
    table: list[Any] = [_snapshot(row, f"{field}[{n}]") for n, row in enumerate(rows)]
    names: list[object] = []
    if any(isinstance(row, dict) for row in table):
        for n, row in enumerate(table):
            if not isinstance(row, dict):
                raise ConversionError(f"{field}[{n}]", "is a sequence among mappings; use one kind for all rows")
        names = list(dict.fromkeys(key for row in table for key in row))
        table = [[row.get(name) for name in names] for row in table]
    lines = [_line(row, f"{field}[{n}]") for n, row in enumerate(table)]
    return "\n".join([_line(names, f"{field}[0]"), *lines] if names else lines)


def _snapshot(row: object, field: str) -> dict[object, object] | list[object]:
    kind = type_name(row)
    if isinstance(row, (str, bytes, bytearray, memoryview)) or not isinstance(row, Iterable):
        raise ConversionError(field, f"must be a sequence of cells or a mapping, got {kind}")
    try:
        if isinstance(row, Mapping):
            return dict(cast("Mapping[object, object]", row))
        return list(cast("Iterable[object]", row))
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        problem = f"cannot be read: {type(error).__name__}; convert it to plain data first"
    raise ConversionError(field, problem)


def _line(cells: list[object], field: str) -> str:
    return "\t".join(_cell(cell, f"{field}[{n}]").translate(_TSV_ESCAPES) for n, cell in enumerate(cells))


def _cell(value: object, field: str) -> str:
    tree = plain(value, field)
    if tree is None:
        return ""
    return tree if isinstance(tree, str) else _write(tree, sort_keys=False)


def _write(tree: object, *, sort_keys: bool) -> str:
    import json

    return json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)


def _plain(value: object, depth: int, *, non_finite: bool = True) -> Any:
    if type(value) is str:
        return repair(value)
    if value is None or value is True or value is False:
        return value
    if type(value) is int:
        return _integer(value)
    if type(value) is float:
        return _float(value, non_finite=non_finite)
    try:
        scalar = _scalar(value, non_finite=non_finite)
        if scalar is not _NO_SCALAR:
            return scalar
        return _container(value, depth, non_finite=non_finite)
    except _RefusedError:
        raise
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        problem = f"cannot be read: {type(error).__name__}; convert it to plain data first"
    raise _RefusedError(problem)


_NO_SCALAR: Any = object()


def _unwrapped(value: object) -> object:
    """Give the value of a member of an enum, which may be a member of another; one that is its own has none."""
    for _ in range(MAX_DEPTH):
        if not isinstance(value, Enum):
            return value
        value = value.value
    raise _RefusedError("is an enum member that is its own value; convert it to plain data first")


def _scalar(value: object, *, non_finite: bool) -> Any:
    """Give the JSON form of what is one text or number; `_NO_SCALAR` for anything else."""
    form: Any = _NO_SCALAR
    value = _unwrapped(value)
    if value is None or isinstance(value, bool):
        form = value
    elif isinstance(value, str):
        form = repair(str.__str__(value))
    elif isinstance(value, int):
        form = _integer(int.__int__(value))
    elif isinstance(value, float):
        form = _float(float.__float__(value), non_finite=non_finite)
    elif isinstance(value, timedelta):
        form = _duration(value)
    elif isinstance(value, (date, time)):
        # A missing timestamp of a data-frame library is a `datetime` that does not equal itself.
        form = repair(str(value.isoformat())) if value == value else None  # noqa: PLR0124
    elif isinstance(value, PathLike):
        form = repair(fsdecode(cast("PathLike[str]", value)))
    else:
        for module, name in (("decimal", "Decimal"), ("uuid", "UUID")):
            # Nobody holds a value of a class whose module has not been imported.
            loaded = sys.modules.get(module)
            if loaded is not None and isinstance(value, getattr(loaded, name)):
                form = str(value)
    return form


def _container(value: object, depth: int, *, non_finite: bool) -> Any:
    value = _unwrapped(value)
    if depth > MAX_DEPTH:
        raise _RefusedError(f"contains itself, or is nested more than {MAX_DEPTH} levels deep; flatten it")
    if type(value) in VALUE_TYPES:
        raise _RefusedError(f"is a {type(value).__name__}, which is not data; give it to the result itself")
    if isinstance(value, Mapping):
        return _object(cast("Mapping[object, object]", value).items(), depth, non_finite=non_finite)
    if isinstance(value, (list, tuple)):
        items = cast("list[object]", value)
        names: tuple[str, ...] | None = getattr(type(items), "_fields", None)
        if names is not None:
            return _object(zip(names, items, strict=True), depth, non_finite=non_finite)
        return _array(items, depth, non_finite=non_finite)
    if isinstance(value, (set, frozenset)):
        return _set(cast("set[object]", value), depth, non_finite=non_finite)
    if is_dataclass(value) and not isinstance(value, type):
        pairs = [(f.name, _attribute(value, f.name)) for f in fields(value)]
        return _object(pairs, depth, non_finite=non_finite)
    kind = type_name(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise _RefusedError(f"is {kind}, which JSON cannot hold; return it as a content part")
    raise _RefusedError(f"is of type {kind}, which has no JSON form; convert it to plain data first")


def _attribute(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except Exception as error:  # noqa: BLE001 - somebody's property may raise anything
        refused = _RefusedError(f"cannot be read: {type(error).__name__}")
    refused.trail.append(name)
    raise refused


def _object(items: Iterable[tuple[object, object]], depth: int, *, non_finite: bool) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, item in items:
        try:
            name = repair(key) if type(key) is str else _key(key)
            if name in tree:
                raise _RefusedError("is the same text as another key; rename one")
            tree[name] = _plain(item, depth + 1, non_finite=non_finite)
        except _RefusedError as refused:
            refused.trail.append(key)
            raise
    return tree


def _array(items: Iterable[object], depth: int, *, non_finite: bool) -> list[Any]:
    tree: list[Any] = []
    for item in items:
        try:
            tree.append(_plain(item, depth + 1, non_finite=non_finite))
        except _RefusedError as refused:
            refused.trail.append(len(tree))
            raise
    return tree


def _set(items: Iterable[object], depth: int, *, non_finite: bool) -> list[Any]:
    """Order the items: as they compare, or else by their text. Neither order nor path may depend on hashes."""
    tree: list[Any] = []
    for item in items:
        try:
            tree.append(_plain(item, depth + 1, non_finite=non_finite))
        except _RefusedError as refused:
            refused.trail.append(item)  # of which a path shows the type
            raise
    tree.sort(key=lambda item: _write(item, sort_keys=True))
    try:
        return sorted(tree)
    except TypeError:
        return tree


def _key(key: object) -> str:
    """Write a key: the text of its JSON form, which must be a scalar."""
    try:
        form = _scalar(key, non_finite=False)
    except _RefusedError:
        raise
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        raise _RefusedError(f"is a key that cannot be read: {type(error).__name__}") from None
    if form is _NO_SCALAR:
        raise _RefusedError(f"is a key of type {type(key).__name__}, which has no JSON form; use str keys")
    return form if isinstance(form, str) else _write(form, sort_keys=False)


def _integer(value: int) -> int:
    if -_TOO_MANY_DIGITS < value < _TOO_MANY_DIGITS:
        return value
    raise _RefusedError(f"is an integer of more than {MAX_DIGITS} digits; write it as text in another base")


def _float(value: float, *, non_finite: bool) -> float | None:
    if value - value == 0:
        return value
    if non_finite:
        return None
    raise _RefusedError("is not a finite number, which JSON cannot hold; use null or text")


def _duration(value: timedelta) -> str:
    """Write an ISO 8601 duration: days, then seconds with up to six decimals."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{value.seconds}.{value.microseconds:06d}".rstrip("0").rstrip(".")
    days = f"{value.days}D" if value.days else ""
    return f"{sign}P{days}T{seconds}S" if seconds != "0" or not days else f"{sign}P{days}"
