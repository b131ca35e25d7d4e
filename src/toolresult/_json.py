"""The JSON form of plain Python values: a tree, compact text, canonical text, and TSV text.

Conversion is total over the types listed in `plain` and refuses everything else with a path: never a `repr`, never
invalid JSON. NaN and the infinities have no JSON form and become null; lone surrogates become U+FFFD.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from enum import Enum
from functools import lru_cache
from itertools import islice
from os import PathLike, fsdecode
from typing import Any, Literal, cast

from toolresult import _foreign
from toolresult._frozen import MAX_DEPTH, VALUE_TYPES, FrozenDict, FrozenList, type_name
from toolresult._text import join_path, repair
from toolresult.errors import ConversionError, DecodeError, ToolError

MAX_DIGITS = 4300
"""Digits of an integer: the default limit of CPython, above which neither side can read it."""

NO_STACK = "is nested deeper than the call stack has room for here; flatten it, or call from higher up"
_FEW_DIGITS = 10**640
"""The lowest limit that an interpreter can be given has 640 digits: below, there is nothing to ask."""
_MAX_INDENT = 40
_BUFFERS = (bytes, bytearray, memoryview)
_TSV_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


class RefusedError(Exception):
    """Never leaves the library: what is wrong with a value; `trail` grows from the innermost key outwards.

    `below` is the rest of the path, when somebody else knows it, and `cause` what the value raised.
    """

    def __init__(self, problem: str, below: str = "", cause: BaseException | None = None) -> None:
        self.problem = problem
        self.below = below
        self.cause = cause
        self.trail: list[object] = []

    def path(self, field: str) -> str:
        """Name the place of the culprit."""
        return join_path(field, reversed(self.trail)) + self.below


NonFinite = Literal["null", "text", "refuse"]


class Rules:
    """What becomes of that which JSON has no form for.

    `non_finite` is "null", "text" or "refuse". `lift` is asked about an object of no plain type, and `stand_in` when
    nobody else knows it; each gives a form or `_foreign.UNKNOWN`. `room` bounds how many values there may be.
    """

    __slots__ = ("lift", "non_finite", "room", "stand_in")

    def __init__(
        self,
        non_finite: NonFinite,
        lift: Callable[[object], object] | None = None,
        stand_in: Callable[[object], object] | None = None,
        room: int | None = None,
    ) -> None:
        self.non_finite: NonFinite = non_finite
        self.lift = lift
        self.stand_in = stand_in
        self.room = room

    def spend(self, count: int) -> None:
        """Count values, of which what is shared counts each time that it is written."""
        if self.room is not None:
            self.room -= count
            if self.room < 0:
                raise RefusedError("holds too many values, or the same ones too often; return fewer")


LENIENT = Rules("null")
STRICT = Rules("refuse")
_PASSING = (RefusedError, RecursionError, MemoryError, ToolError)
"""What says nothing about the value of which a method was called, or is meant for somebody else."""


def plain(value: object, field: str = "value") -> Any:
    """Turn a value into a tree of `dict list str int float bool None`.

    Takes JSON types and their subclasses, mappings, tuples, sets (sorted), named tuples and dataclasses (as objects),
    enums (their value), dates and times (ISO 8601), timedeltas (ISO 8601 durations), `Decimal` and `UUID` (as
    strings), paths (as text), and the objects of other libraries that `_foreign.unwrap` knows.

    Raises:
        ConversionError: any other type, two keys that become the same string, an integer of more than `MAX_DIGITS`
            digits, a cycle, or more than `MAX_DEPTH` nested containers.
    """
    try:
        return _plain(value, 1, LENIENT)
    except RefusedError as refused:
        path, problem = refused.path(field), refused.problem
    except RecursionError:
        path, problem = field, NO_STACK
    raise ConversionError(path, problem)


def plain_tree(value: object, rules: Rules) -> Any:
    """Turn a value into a tree, as `plain` does.

    Raises:
        RefusedError: what has no form.
    """
    return _plain(value, 1, rules)


def compact(value: object, field: str = "value") -> str:
    """Write a value as JSON text without white space, non-ASCII characters as they are."""
    return write(plain(value, field))


def canonical(value: object, field: str = "value") -> str:
    """Write a value as JSON text that is equal exactly when the JSON forms are equal: keys sorted, 10 apart from 10.0.

    Raises:
        ConversionError: as `plain`, and for NaN and the infinities, which must not pass for null in a comparison.
    """
    try:
        tree = _plain(value, 1, STRICT)
    except RefusedError as refused:
        path, problem = refused.path(field), refused.problem
    except RecursionError:
        path, problem = field, NO_STACK
    else:
        return write(tree, sort_keys=True)
    raise ConversionError(path, problem)


class _Flaw:
    """Stands in a parsed tree where the text is JSON to look at and still not allowed."""

    __slots__ = ("problem", "trail")

    def __init__(self, problem: str, *trail: object) -> None:
        self.problem = problem
        self.trail = trail


def parse(text: str, field: str = "", max_digits: int = MAX_DIGITS) -> Any:
    """Read strict JSON text (RFC 8259): no key twice, no NaN, no number that a float or `max_digits` cannot hold.

    Paths in errors start with `field`; without one, those within the data start with the first key.

    Raises:
        DecodeError: `path` is a line and column where it is no JSON at all, else the place in the data.
    """
    import json

    flaws: list[_Flaw] = []

    def flaw(problem: str, *trail: object) -> _Flaw:
        flaws.append(_Flaw(problem, *trail))
        return flaws[-1]

    def read_constant(constant: str) -> _Flaw:
        return flaw(f"is {constant}, which is not JSON; use null or text")

    def read_integer(digits: str) -> int | _Flaw:
        if len(digits) <= max_digits or len(digits.lstrip("-")) <= max_digits:
            try:
                return int(digits)
            except ValueError:  # this interpreter was told to read fewer
                pass
        return flaw(f"is an integer of more than {_readable(max_digits)} digits; write it as text")

    def read_float(digits: str) -> float | _Flaw:
        if len(digits) > MAX_DIGITS:
            return flaw(f"is a number of more than {MAX_DIGITS} characters; write it as text")
        number = float(digits)
        return number if number - number == 0 else flaw("is too large for a float; write it as text")

    def read_object(pairs: list[tuple[str, object]]) -> dict[str, object] | _Flaw:
        tree = dict(pairs)
        if len(tree) == len(pairs):
            return tree
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return flaw("is there twice; leave one out", twice)

    try:
        tree: Any = json.loads(
            text,
            parse_constant=read_constant,
            parse_int=read_integer,
            parse_float=read_float,
            object_pairs_hook=read_object,
        )
    except json.JSONDecodeError as error:
        path, problem = f"line {error.lineno}, column {error.colno}", f"is not JSON: {error.msg}"
    except RecursionError:
        path, problem = field, "is nested too deep; flatten it"
    else:
        if not flaws:
            return tree
        path, problem = _place_of_flaw(tree, field)
    raise DecodeError(path.removeprefix(".") or "text", problem)


def _readable(max_digits: int) -> int:
    """Return how many digits of an integer may be read or written, which the interpreter may limit further."""
    return min(max_digits, sys.get_int_max_str_digits() or max_digits)


def _place_of_flaw(tree: object, field: str) -> tuple[str, str]:
    """Find the first flaw of a tree, in the order of the text."""
    pending: list[tuple[object, tuple[Any, ...]]] = [(tree, ())]
    while True:
        node, trail = pending.pop()
        if isinstance(node, _Flaw):
            keys = list(node.trail)
            while trail:
                trail, key = trail
                keys.insert(0, key)
            return join_path(field, keys), node.problem
        children: Iterable[tuple[object, object]] = ()
        if isinstance(node, dict):
            children = cast("dict[object, object]", node).items()
        elif isinstance(node, list):
            children = enumerate(cast("list[object]", node))
        pending.extend(reversed([(child, (trail, key)) for key, child in children]))


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
        problem = f"cannot be read: {type_name(error)}; convert it to plain data first"
    raise ConversionError(field, problem)


def _line(cells: list[object], field: str) -> str:
    return "\t".join(_cell(cell, f"{field}[{n}]").translate(_TSV_ESCAPES) for n, cell in enumerate(cells))


def _cell(value: object, field: str) -> str:
    tree = plain(value, field)
    if tree is None:
        return ""
    return tree if isinstance(tree, str) else write(tree)


def check_indent(indent: int | str | None) -> None:
    """Refuse what would write something else than JSON.

    Raises:
        ValueError: text that is not white space, or a number out of range.
    """
    if indent is None or (type(indent) is int and 0 <= indent <= _MAX_INDENT):
        return
    if type(indent) is not str or indent.strip(" \t") or len(indent) > _MAX_INDENT:
        raise ValueError(f"indent: must be a number from 0 to {_MAX_INDENT}, or spaces or tabs")


def write(tree: object, *, sort_keys: bool = False, indent: int | str | None = None) -> str:
    """Write a tree of `plain` as JSON text: without white space, unless `indent` asks for lines."""
    import json

    check_indent(indent)
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(
        tree, ensure_ascii=False, allow_nan=False, separators=separators, sort_keys=sort_keys, indent=indent
    )


def _plain(value: object, depth: int, rules: Rules) -> Any:
    kind = type(value)
    if kind is str:
        return repair(cast("str", value))
    if value is None or value is True or value is False:
        return value
    if kind is int:
        return integer(cast("int", value))
    if kind is float:
        return _float(cast("float", value), rules)
    if kind in _ARRAYS or kind in _OBJECTS:  # most of what there is needs no further look
        if depth > MAX_DEPTH:
            raise RefusedError(_TOO_DEEP)
        rules.spend(len(cast("list[object]", value)))
        if kind in _OBJECTS:
            return _object(cast("dict[object, object]", value).items(), depth, rules)
        return _array(cast("list[object]", value), depth, rules)
    try:
        scalar = _scalar(value, rules)
        if scalar is not _NO_SCALAR:
            return scalar
        return _container(value, depth, rules)
    except _PASSING:
        raise
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        problem, cause = f"cannot be read: {type_name(error)}; convert it to plain data first", error
    raise RefusedError(problem, cause=cause)


_ARRAYS = frozenset({list, tuple, FrozenList})
_OBJECTS = frozenset({dict, FrozenDict})
_TOO_DEEP = f"contains itself, or is nested more than {MAX_DEPTH} levels deep; flatten it"
_NO_SCALAR: Any = object()


def _unwrapped(value: object) -> object:
    """Give the value of a member of an enum, which may be a member of another; one that is its own has none."""
    for _ in range(MAX_DEPTH):
        if not isinstance(value, Enum):
            return value
        value = value.value
    raise RefusedError("is an enum member that is its own value; convert it to plain data first")


def _scalar(value: object, rules: Rules) -> Any:
    """Give the JSON form of what is one text or number; `_NO_SCALAR` for anything else."""
    form: Any = _NO_SCALAR
    value = _unwrapped(value)
    kind = type(value)  # which some objects lie about when they are asked
    if value is None or kind is bool:
        form = value
    elif issubclass(kind, str):
        form = repair(str.__str__(cast("str", value)))
    elif issubclass(kind, int):
        form = integer(int.__int__(cast("int", value)))
    elif issubclass(kind, float):
        form = _float(float.__float__(cast("float", value)), rules)
    elif isinstance(value, timedelta):
        form = _duration(value)
    elif isinstance(value, (date, time)):
        # A missing timestamp of a data-frame library is a `datetime` that does not equal itself.
        is_missing = not (value == value)  # noqa: PLR0124, SIM201
        form = _float(float("nan"), rules) if is_missing else repair(str(value.isoformat()))
    elif isinstance(value, PathLike):
        form = repair(fsdecode(cast("PathLike[str]", value)))
    else:
        for module, name in (("decimal", "Decimal"), ("uuid", "UUID"), ("collections", "UserString")):
            # Nobody holds a value of a class whose module has not been imported.
            loaded = sys.modules.get(module)
            known: Any = None if loaded is None else getattr(loaded, name)
            if known is not None and issubclass(kind, known):
                form = repair(str.__str__(known.__str__(value)))
    return form


def _container(value: object, depth: int, rules: Rules) -> Any:
    value = _unwrapped(value)
    if depth > MAX_DEPTH:
        raise RefusedError(_TOO_DEEP)
    kind = type(value)  # which some objects lie about when they are asked
    if issubclass(kind, Mapping):
        most = _length_of(value) if issubclass(kind, dict) else _foreign.MAX_ELEMENTS
        return _object(_at_most(cast("Mapping[object, object]", value).items(), most, rules), depth, rules)
    if kind is _foreign.SortedList:
        return _set(cast("list[object]", value), depth, rules)
    if issubclass(kind, (list, tuple)):
        items = (_in_list if issubclass(kind, list) else _in_tuple)(value)
        names: object = getattr(cast("Any", kind), "_fields", None)
        if type(names) is tuple:
            return _object(zip(cast("tuple[str, ...]", names), items, strict=True), depth, rules)
        return _array(_at_most(items, None, rules), depth, rules)
    if issubclass(kind, (set, frozenset)):
        members = (_in_set if issubclass(kind, set) else _in_frozenset)(value)
        return _set(_at_most(members, None, rules), depth, rules)
    if is_dataclass(cast("Any", type(value))) and type(value) not in VALUE_TYPES:
        pairs = [(f.name, _attribute(value, f.name)) for f in fields(cast("Any", value))]
        return _object(pairs, depth, rules)
    return _other(value, depth, rules)


def _other(value: object, depth: int, rules: Rules) -> Any:
    """Give the form of an object that is no container of plain Python."""
    kind = type(value)
    lifted = _foreign.UNKNOWN if rules.lift is None else rules.lift(value)
    if lifted is not _foreign.UNKNOWN:
        return _plain(lifted, depth + 1, rules)
    name = type_name(value)
    if kind in VALUE_TYPES:
        problem = f"is of type {name}, which is not data; give it to the result itself"
        return _stood_in(value, problem, depth, rules)
    if issubclass(kind, _BUFFERS):
        problem = f"is {name}, which JSON cannot hold; return it as a content part"
        return _stood_in(value, problem, depth, rules)
    refusals: list[RefusedError] = []

    def form(item: object) -> object:
        try:
            return _plain(item, depth + 1, rules)
        except RefusedError as refused:
            refusals.append(refused)
            raise

    try:
        unwrapped = _foreign.unwrap(value, form, lifts=rules.lift is not None)
    except _foreign.NoFormError as error:
        raise RefusedError(str(error)) from None
    except Exception:
        if refusals:  # which the library it went through has made its own error of
            raise refusals[0] from None
        raise
    if unwrapped is not _foreign.UNKNOWN:
        return _plain(unwrapped, depth + 1, rules)
    problem = f"is of type {name}, which has no JSON form; convert it to plain data first"
    return _stood_in(value, problem, depth, rules)


# Past the methods of a subclass, which may have no end.
_length_of: Callable[[Any], int] = dict[Any, Any].__len__
_in_list: Callable[[Any], Iterator[object]] = list[Any].__iter__
_in_tuple: Callable[[Any], Iterator[object]] = tuple[Any, ...].__iter__
_in_set: Callable[[Any], Iterator[object]] = set[Any].__iter__
_in_frozenset: Callable[[Any], Iterator[object]] = frozenset[Any].__iter__


def _at_most(items: Iterable[Any], most: int | None, rules: Rules) -> list[Any]:
    """Read the items of an object that may have no end, or is as long as it says."""
    kept = list(items if most is None else islice(items, most + 1))
    if most is not None and len(kept) > most:
        raise RefusedError(f"gives more than {most} items; return fewer")
    rules.spend(len(kept))
    return kept


def _stood_in(value: object, problem: str, depth: int, rules: Rules) -> Any:
    form = _foreign.UNKNOWN if rules.stand_in is None else rules.stand_in(value)
    if form is _foreign.UNKNOWN:
        raise RefusedError(problem)
    if form is value:
        raise RefusedError(f"{problem}; default= returned the same object")
    return _plain(form, depth + 1, rules)


def _attribute(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except _PASSING:
        raise
    except Exception as error:  # noqa: BLE001 - somebody's property may raise anything
        refused = RefusedError(f"cannot be read: {type_name(error)}", cause=error)
    refused.trail.append(name)
    raise refused


def _object(items: Iterable[tuple[object, object]], depth: int, rules: Rules) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, item in items:
        try:
            name = repair(key) if type(key) is str else _key(key, rules)
            if name in tree:
                raise RefusedError("is the same text as another key; rename one")
            tree[name] = _plain(item, depth + 1, rules)
        except RefusedError as refused:
            refused.trail.append(key)
            raise
    return tree


def _array(items: Iterable[object], depth: int, rules: Rules) -> list[Any]:
    tree: list[Any] = []
    for item in items:
        try:
            tree.append(_plain(item, depth + 1, rules))
        except RefusedError as refused:
            refused.trail.append(len(tree))
            raise
    return tree


def _set(items: Iterable[object], depth: int, rules: Rules) -> list[Any]:
    """Order the items: as they compare, or else by their text. Neither order nor path may depend on hashes."""
    rules = Rules(rules.non_finite, None, rules.stand_in, rules.room)  # whoever lifts counts what it is asked
    tree: list[Any] = []
    culprits: list[RefusedError] = []
    for item in items:
        try:
            tree.append(_plain(item, depth + 1, rules))
        except RefusedError as refused:
            refused.trail.append(item)  # of which a path shows the type
            culprits.append(refused)
    if culprits:
        raise min(culprits, key=lambda refused: (refused.path(""), refused.problem))
    tree.sort(key=lambda item: write(item, sort_keys=True))
    try:
        return sorted(tree)
    except TypeError:
        return tree


def _key(key: object, rules: Rules) -> str:
    """Write a key: the text of its JSON form, which must be a scalar."""
    try:
        form = _scalar(key, rules)
        if form is _NO_SCALAR:
            form = _foreign.unwrap(key)
            form = _NO_SCALAR if form is _foreign.UNKNOWN else _scalar(form, rules)
    except _PASSING:
        raise
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        raise RefusedError(f"is a key that cannot be read: {type_name(error)}") from None
    if form is _NO_SCALAR:
        raise RefusedError(f"is a key of type {type_name(key)}, which has no JSON form; use str keys")
    return form if isinstance(form, str) else write(form)


def integer(value: int, max_digits: int = MAX_DIGITS) -> int:
    """Pass an integer that JSON text can hold."""
    if -_FEW_DIGITS < value < _FEW_DIGITS and max_digits == MAX_DIGITS:
        return value
    limit = _readable(max_digits)
    if -_power_of_ten(limit) < value < _power_of_ten(limit):
        return value
    raise RefusedError(f"is an integer of more than {limit} digits; write it as text in another base")


@lru_cache(4)
def _power_of_ten(exponent: int) -> int:
    return int(10**exponent)


def _float(value: float, rules: Rules) -> float | str | None:
    if value - value == 0:
        return value
    if rules.non_finite == "null":
        return None
    if rules.non_finite == "text":
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124
    raise RefusedError("is not a finite number, which JSON cannot hold; use null or text")


def _duration(value: timedelta) -> str:
    beyond: object = getattr(value, "nanoseconds", 0)  # some are finer than they can say
    micro = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    return duration(micro * 1000 + (beyond if type(beyond) is int else 0))


def duration(nanoseconds: int) -> str:
    """Write an ISO 8601 duration: days, then seconds with up to nine decimals."""
    sign, nanoseconds = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    days, rest = divmod(nanoseconds, 86_400 * 10**9)
    seconds = f"{rest // 10**9}.{rest % 10**9:09d}".rstrip("0").rstrip(".")
    text = f"{days}D" if days else ""
    return f"{sign}P{text}T{seconds}S" if seconds != "0" or not days else f"{sign}P{text}"


def rows_as_tsv(names: list[object], rows: Iterable[Iterable[object]], rules: Rules) -> str:
    """Write the header and the rows of a table.

    Raises:
        RefusedError: a cell, or the name of a column, has no form.
    """
    header = [_text_of_cell(name, n, "columns", rules) for n, name in enumerate(names)]
    lines = ["\t".join(header)]
    for n, row in enumerate(rows):
        cells = list(islice(row, len(names) + 1))
        lines.append("\t".join([_text_of_cell(cell, name, n, rules) for cell, name in zip(cells, header, strict=True)]))
    return "\n".join(lines)


def _text_of_cell(value: object, column: object, row: object, rules: Rules) -> str:
    try:
        tree = _plain(value, 2, rules)
    except RefusedError as refused:
        refused.trail += [column, row]
        raise
    text = "" if tree is None else tree if isinstance(tree, str) else write(tree)
    return text.translate(_TSV_ESCAPES)
