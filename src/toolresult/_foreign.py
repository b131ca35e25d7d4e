"""Objects of other libraries, recognised by what their classes offer and made plainer. Nothing is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from operator import is_
from typing import Any, cast

UNKNOWN: Any = object()
"""Stands for an object that offers nothing known."""

CONTEXT = "toolresult"
"""The key in the context of a dump of pydantic under which our values find what lifts them."""

MAX_ELEMENTS = 100_000
"""Of an array, a table or a foreign mapping: more is no text that a model could read."""

_TEXTS = frozenset({"Period", "Interval"})
_mro_of: Callable[[type], tuple[type[Any], ...]] = type.__dict__["__mro__"].__get__
_raw_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_SECOND = 10**9
_NANOSECONDS = {
    "W": 7 * 86_400 * _SECOND,
    "D": 86_400 * _SECOND,
    "h": 3600 * _SECOND,
    "m": 60 * _SECOND,
    "s": _SECOND,
    "ms": 10**6,
    "us": 10**3,
    "ns": 1,
}


class NoFormError(Exception):
    """Never leaves the library: why an object that is known has no form."""


def unwrap(value: Any, form: Callable[[object], object] = str, *, lifts: bool = False) -> Any:
    """Turn an object into data that is nearer to JSON types, or give `UNKNOWN`.

    `form` gives the form of what is in a model and is no plain data; if it `lifts`, that includes our values and bytes.

    Takes models (`model_dump`), attrs classes, msgspec structs, rows of databases, arrays and their scalars (`tolist`
    or `to_list` beside `dtype` and `shape`), tables (as a list of objects, one per row) and the missing value of pandas
    (as `None`). What the object itself raises is not caught.

    Raises:
        NoFormError: an array or a table of more than `MAX_ELEMENTS`, two columns of one name, a duration in months.
    """
    kind = cast("Any", type(value))
    if offers(kind, "model_dump"):
        return _dump(value, kind, form, lifts=lifts)
    if offers(kind, "__attrs_attrs__"):
        return {field.name: getattr(value, field.name) for field in kind.__attrs_attrs__}
    if offers(kind, "__struct_fields__"):
        return _struct(value, kind)
    if offers(kind, "_mapping") and offers(kind, "_fields"):
        return dict(value._mapping)  # noqa: SLF001 - it is documented
    if offers(kind, "keys") and offers(kind, "__getitem__") and _module_of(kind) == "sqlite3":
        return _named(list(value.keys()), value)
    if offers(kind, "shape") and offers(kind, "dtype") and not _has_labels(value, kind):
        return _elements(value, kind)
    if offers(kind, "shape"):
        return _records(value, kind)
    if _module_of(kind).partition(".")[0] == "pandas":
        return None if kind.__name__ == "NAType" else str(value) if kind.__name__ in _TEXTS else UNKNOWN
    return UNKNOWN


def offers(kind: Any, name: str) -> bool:
    """Say whether a class has an attribute."""
    # The class is asked, since an object may answer anything to any question.
    return any(name in vars(base) for base in _mro_of(kind))


def _module_of(kind: Any) -> str:
    return str(_raw_module_of(kind))


def table(value: Any) -> tuple[list[Any], Iterable[Iterable[Any]], int] | None:
    """Read a data frame or series: the names of its columns, its rows, and how many rows there are.

    An index that says more than the number of the row becomes columns in front.
    """
    kind = cast("Any", type(value))
    # An index of pandas can be made a frame too, and is a list.
    if offers(kind, "to_frame") and offers(kind, "dtype") and (offers(kind, "iloc") or not offers(kind, "tolist")):
        value = value.to_frame()
        kind = cast("Any", type(value))
    if offers(kind, "shape") and offers(kind, "iloc") and offers(kind, "columns"):
        levels = _levels(value.index.names, value.columns) if _has_labels(value, kind) else []
        rows = value.itertuples(index=bool(levels), name=None)
        if len(levels) > 1:
            rows = ((*row[0], *row[1:]) for row in rows)
        return [*levels, *map(_name, value.columns)], rows, len(value)
    if offers(kind, "iter_rows") and offers(kind, "columns"):
        return list(value.columns), value.iter_rows(), len(value)
    return None


def _levels(names: Any, columns: Any) -> list[object]:
    """Name the columns that the levels of an index become, as pandas does when it resets one."""
    taken = set(map(_name, columns))
    if len(names) == 1 and names[0] is None and "index" not in taken:
        return ["index"]
    return [f"level_{n}" if name is None else _name(name) for n, name in enumerate(names)]


def _has_labels(value: Any, kind: Any) -> bool:
    """Say whether the index of a frame or series is more than 0, 1, 2 and so on."""
    if not offers(kind, "iloc"):
        return False
    index = value.index
    if type(index).__name__ != "RangeIndex":
        return True
    return not (index.start == 0 and index.step == 1 and index.name is None)


def _name(name: object) -> object:
    return " ".join(map(str, cast("tuple[object, ...]", name))) if isinstance(name, tuple) else name


def _records(value: Any, kind: Any) -> Any:
    _check_size(value.shape)
    found = table(value)
    if found is not None:
        names, rows, _ = found
        return [_named(names, row) for row in islice(rows, MAX_ELEMENTS)]
    return value.to_pylist() if offers(kind, "to_pylist") else UNKNOWN


def _named(names: list[Any], cells: Iterable[Any]) -> dict[Any, Any]:
    record = dict(zip(names, cells, strict=True))
    if len(record) != len(names):
        raise NoFormError("has two columns of one name; rename one")
    return record


def _dump(model: Any, kind: Any, form: Callable[[object], object], *, lifts: bool) -> Any:
    """Dump a model for JSON, by its own rules, which may hide and rename; parts in it are lifted, and sets sorted."""
    if not offers(kind, "__pydantic_serializer__"):
        try:
            return model.model_dump(mode="json")
        except TypeError:  # it knows no modes
            return model.model_dump()
    source = _without_binary(model) if lifts else model
    dumped = source.model_dump(mode="json", fallback=form, context={CONTEXT: form} if lifts else None)
    try:
        plain = model.model_dump()
    except Exception:  # noqa: BLE001 - it cannot be dumped in another way, so nobody can say what was a set
        return dumped
    return _merged(dumped, plain, form)


def _without_binary(value: Any) -> Any:
    """Empty the bytes that pydantic cannot write, which is those that are no text."""
    kind = cast("Any", type(value))
    if kind is bytes:
        return value if _is_text(value) else b""
    if kind in (list, tuple):
        items: list[Any] = [_without_binary(item) for item in value]
        return cast("Any", value if all(map(is_, items, value)) else kind(items))
    if kind is dict:
        record: dict[Any, Any] = {key: _without_binary(item) for key, item in value.items()}
        return value if all(map(is_, record.values(), value.values())) else record
    if offers(kind, "__pydantic_serializer__") and offers(kind, "model_copy"):
        before = {name: getattr(value, name, None) for name in kind.model_fields}
        after = {name: _without_binary(item) for name, item in before.items()}
        changed = {name: item for name, item in after.items() if item is not before[name]}
        return value.model_copy(update=changed) if changed else value
    return value


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _merged(dumped: Any, plain: Any, form: Callable[[object], object]) -> Any:
    """Say of a dump for JSON, with the help of one that is not, what was a set, and where bytes were."""
    kind, other = cast("Any", type(dumped)), cast("Any", type(plain))
    if other is bytes and not _is_text(plain):
        if dumped:
            raise NoFormError("holds bytes that are no text, beside a serializer of their own; declare a ContentPart")
        return form(plain)
    if kind is list and issubclass(other, (set, frozenset)):
        return SortedList(dumped)
    if kind is list and issubclass(other, (list, tuple)) and len(plain) == len(dumped):
        return [_merged(item, twin, form) for item, twin in zip(dumped, plain, strict=True)]
    if kind is dict and issubclass(other, dict) and len(plain) == len(dumped):
        pairs = zip(dumped.items(), plain.values(), strict=True)
        return {key: _merged(item, twin, form) for (key, item), twin in pairs}
    return dumped


class SortedList(list[Any]):
    """The items of a set, to be put in order."""


def _struct(value: Any, kind: Any) -> dict[str, Any]:
    config = kind.__struct_config__
    record = {} if config.tag is None else {config.tag_field: config.tag}
    for written, name in zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True):
        item = getattr(value, name)
        if type(item).__name__ != "UnsetType":
            record[written] = item
    return record


def _elements(array: Any, kind: Any) -> Any:
    _check_size(array.shape)
    name = next((name for name in ("tolist", "to_list") if offers(kind, name)), None)
    if name is None:
        return UNKNOWN
    if any(_module_of(base).partition(".")[0] == "numpy" for base in _mro_of(kind)):
        names = array.dtype.names
        if names:
            return {name: array[name] for name in names} if array.shape == () else list(array)
        if array.dtype.kind in "mM" and array.shape != () and offers(kind, "mask"):
            return list(array)
        if array.dtype.kind == "M":  # as integers, nanoseconds would be read as numbers
            return _missing_as_none(array.astype(str).tolist())
        if array.dtype.kind == "m":
            return _durations(array.astype("int64").tolist(), _nanoseconds_in(array.dtype.str))
    plain = getattr(array, name)()
    return UNKNOWN if type(plain) is kind else plain


def _nanoseconds_in(dtype: str) -> int:
    unit = dtype.partition("[")[2].rstrip("]")
    name = unit.lstrip("0123456789")
    if name not in _NANOSECONDS:
        raise NoFormError("is a duration in a unit without a fixed length, or finer than nanoseconds; convert it first")
    return _NANOSECONDS[name] * int(unit.removesuffix(name) or 1)


def _durations(counts: list[Any] | int, unit: int) -> Any:
    if isinstance(counts, list):
        return [_durations(count, unit) for count in counts]
    if counts == -(2**63):
        return None  # not a time
    from toolresult._json import duration

    return duration(counts * unit)


def _missing_as_none(texts: list[Any] | str) -> Any:
    if isinstance(texts, list):
        return [_missing_as_none(text) for text in texts]
    return None if texts == "NaT" else texts


def _check_size(shape: Any) -> None:
    count = 1
    for length in shape:
        count *= max(1, length)
    if count > MAX_ELEMENTS:
        raise NoFormError(f"has {count} elements, which no model reads; select or sum up at most {MAX_ELEMENTS}")
