"""Objects of other libraries, recognised by what their classes offer and made plainer. Nothing is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, cast

from toolresult._frozen import VALUE_TYPES

UNKNOWN: Any = object()
"""Stands for an object that offers nothing known."""

MAX_ELEMENTS = 100_000
"""Of an array, a table or a foreign mapping: more is no text that a model could read."""

_KEPT = (bytes, bytearray, memoryview, set, frozenset)
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


def unwrap(value: Any) -> Any:
    """Turn an object into data that is nearer to JSON types, or give `UNKNOWN`.

    Takes models (`model_dump`), attrs classes, msgspec structs, rows of databases, arrays and their scalars (`tolist`
    or `to_list` beside `dtype` and `shape`), tables (as a list of objects, one per row) and the missing value of pandas
    (as `None`). What the object itself raises is not caught.

    Raises:
        NoFormError: an array or a table of more than `MAX_ELEMENTS`, two columns of one name, a duration in months.
    """
    kind = cast("Any", type(value))
    if offers(kind, "model_dump"):
        return _dump(value)
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
    return None if kind.__name__ == "NAType" and _module_of(kind).startswith("pandas.") else UNKNOWN


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
        levels = [_name(name if name is not None else "index") for name in value.index.names]
        levels = levels if _has_labels(value, kind) else []
        rows = value.itertuples(index=bool(levels), name=None)
        if len(levels) > 1:
            rows = ((*row[0], *row[1:]) for row in rows)
        return [*levels, *map(_name, value.columns)], rows, len(value)
    if offers(kind, "iter_rows") and offers(kind, "columns"):
        return list(value.columns), value.iter_rows(), len(value)
    return None


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


def _dump(model: Any) -> Any:
    fields = list(cast("dict[str, Any]", getattr(cast("Any", type(model)), "model_fields", {})))
    # A dump would make text of our own values and of bytes, and order sets by hashes.
    own: dict[str, Any] = {name: value for name in fields if _is_kept(value := getattr(model, name, None))}
    try:
        dumped: Any = model.model_dump(mode="json", exclude=set(own)) if own else model.model_dump(mode="json")
    except Exception:  # noqa: BLE001 - it may know no mode, or hold what it cannot write; its fields may have a form
        return model.model_dump()
    if not own or type(dumped) is not dict:
        return own.get("root", dumped)
    record = cast("dict[str, Any]", dumped)
    ordered = {name: own[name] if name in own else record[name] for name in fields if name in own or name in record}
    return {**ordered, **{name: item for name, item in record.items() if name not in ordered}}


def _is_kept(value: object) -> bool:
    kind = type(value)
    if kind in VALUE_TYPES or issubclass(kind, _KEPT):
        return True
    if kind is dict:
        value = list(cast("dict[Any, object]", value).values())
    elif kind not in (list, tuple):
        return False
    return any(type(item) in VALUE_TYPES or issubclass(type(item), _KEPT) for item in cast("list[object]", value))


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
