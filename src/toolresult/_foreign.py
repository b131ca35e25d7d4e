"""Objects of other libraries, recognised by what their classes offer and made plainer. Nothing is imported."""

from __future__ import annotations

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
    if _offers(kind, "model_dump"):
        return _dump(value)
    if _offers(kind, "__attrs_attrs__"):
        return {field.name: getattr(value, field.name) for field in kind.__attrs_attrs__}
    if _offers(kind, "__struct_fields__"):
        names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
        return {written: getattr(value, name) for written, name in names}
    if _offers(kind, "shape") and (_offers(kind, "columns") or _offers(kind, "schema")):
        return _rows(value, kind)
    if _offers(kind, "shape") and _offers(kind, "dtype"):
        return _elements(value, kind)
    return None if kind.__name__ == "NAType" and kind.__module__.startswith("pandas.") else UNKNOWN


def _offers(kind: Any, name: str) -> bool:
    # The class is asked, since an object may answer anything to any question.
    return any(name in vars(base) for base in kind.__mro__)


def _dump(model: Any) -> Any:
    try:
        return model.model_dump(mode="json")
    except Exception:  # noqa: BLE001 - it may know no mode, or hold what it cannot write; its fields may have a form
        return model.model_dump()


def _rows(table: Any, kind: Any) -> Any:
    _check_size(table.shape)
    if _offers(kind, "iloc"):
        return table.to_dict(orient="records")
    for name in ("to_dicts", "to_pylist"):
        if _offers(kind, name):
            return getattr(table, name)()
    return UNKNOWN


def _elements(array: Any, kind: Any) -> Any:
    _check_size(array.shape)
    name = next((name for name in ("tolist", "to_list") if _offers(kind, name)), None)
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
