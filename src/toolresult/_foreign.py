"""Objects of other libraries, recognised by what their classes offer and made plainer. Nothing is imported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

UNKNOWN: Any = object()
"""Stands for an object that offers nothing known."""

MAX_ELEMENTS = 100_000
"""Of an array or a table: more is no text that a model could read."""


class TooLargeError(Exception):
    """Never leaves the library: an array or a table with too many elements; it says how many."""


def unwrap(value: Any) -> Any:
    """Turn an object into data that is nearer to JSON types, or give `UNKNOWN`.

    Takes models (`model_dump`), attrs classes, msgspec structs, arrays and their scalars (`tolist` or `to_list` beside
    `dtype` and `shape`), tables (as a list of objects, one per row) and the missing value of pandas (as `None`). What
    the object itself raises is not caught.

    Raises:
        TooLargeError: an array or a table of more than `MAX_ELEMENTS`.
    """
    kind = cast("Any", type(value))
    if offers(kind, "model_dump"):
        return _dump(value)
    if offers(kind, "__attrs_attrs__"):
        return {field.name: getattr(value, field.name) for field in kind.__attrs_attrs__}
    if offers(kind, "__struct_fields__"):
        names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
        return {written: getattr(value, name) for written, name in names}
    if offers(kind, "shape") and (offers(kind, "columns") or offers(kind, "schema")):
        return _rows(value, kind)
    if offers(kind, "shape") and offers(kind, "dtype"):
        return _elements(value, kind)
    return None if kind.__name__ == "NAType" and kind.__module__.startswith("pandas.") else UNKNOWN


def offers(kind: Any, name: str) -> bool:
    """Say whether a class has an attribute."""
    # The class is asked, since an object may answer anything to any question.
    return any(name in vars(base) for base in kind.__mro__)


def table(value: Any) -> tuple[list[str], Iterable[Iterable[object]], int] | None:
    """Read a data frame or series: the names of its columns, its rows, and how many rows there are.

    An index that says more than the number of the row becomes columns in front.
    """
    kind = cast("Any", type(value))
    # An index of pandas can be made a frame too, and is a list.
    if offers(kind, "to_frame") and offers(kind, "dtype") and (offers(kind, "iloc") or not offers(kind, "tolist")):
        value = value.to_frame()
        kind = cast("Any", type(value))
    if offers(kind, "shape") and offers(kind, "iloc") and offers(kind, "columns"):
        index = value.index
        levels = [] if type(index).__name__ == "RangeIndex" else [_name(name or "index") for name in index.names]
        rows = value.itertuples(index=bool(levels), name=None)
        if len(levels) > 1:
            rows = ((*row[0], *row[1:]) for row in rows)
        return [*levels, *map(_name, value.columns)], rows, len(value)
    if offers(kind, "iter_rows") and offers(kind, "columns"):
        return [_name(name) for name in value.columns], value.iter_rows(), len(value)
    return None


def _name(name: str | tuple[object, ...]) -> str:
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _dump(model: Any) -> Any:
    try:
        return model.model_dump(mode="json")
    except Exception:  # noqa: BLE001 - it may know no mode, or hold what it cannot write; its fields may have a form
        return model.model_dump()


def _rows(table: Any, kind: Any) -> Any:
    _check_size(table.shape)
    if offers(kind, "iloc"):
        return table.to_dict(orient="records")
    for name in ("to_dicts", "to_pylist"):
        if offers(kind, name):
            return getattr(table, name)()
    return UNKNOWN


def _elements(array: Any, kind: Any) -> Any:
    _check_size(array.shape)
    name = next((name for name in ("tolist", "to_list") if offers(kind, name)), None)
    if name is None:
        return UNKNOWN
    if kind.__module__ == "numpy":
        names = array.dtype.names
        if names:
            records = array.tolist()
            return dict(zip(names, records, strict=True)) if array.shape == () else _named(records, names)
        if array.dtype.kind == "M":  # as integers, nanoseconds would be read as numbers
            return _missing_as_none(array.astype(str).tolist())
        if array.dtype.kind == "m":
            return array.astype("timedelta64[us]").tolist()
    return getattr(array, name)()


def _named(records: list[list[Any] | tuple[Any, ...]], names: tuple[str, ...]) -> list[Any]:
    return [
        _named(record, names) if isinstance(record, list) else dict(zip(names, record, strict=True))
        for record in records
    ]


def _missing_as_none(texts: list[Any] | str) -> Any:
    if isinstance(texts, list):
        return [_missing_as_none(text) for text in texts]
    return None if texts == "NaT" else texts


def _check_size(shape: Any) -> None:
    count = 1
    for length in shape:
        count *= length
    if count > MAX_ELEMENTS:
        raise TooLargeError(f"has {count} elements, which no model reads; select or sum up at most {MAX_ELEMENTS}")
