"""The JSON form of objects of other libraries, against the real packages."""

from __future__ import annotations

import collections
from datetime import UTC, datetime
from decimal import Decimal

import attrs
import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic
import pytest

from toolresult import ConversionError, ToolResult
from toolresult._json import plain

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Model(pydantic.BaseModel):
    at: datetime = MOMENT
    amount: Decimal = Decimal("0.10")
    alias: int = pydantic.Field(1, serialization_alias="renamed")


class Opaque(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    thing: object
    n: int = 1


class Root(pydantic.RootModel[list[int]]):
    pass


@attrs.define
class Attrs:
    at: datetime
    _private: int = 1


class Struct(msgspec.Struct, rename="camel"):
    first_name: str
    tags: frozenset[str] = frozenset("ba")


class Tagged(msgspec.Struct, tag="t", tag_field="kind"):
    x: int
    y: int | msgspec.UnsetType = msgspec.UNSET


class OldModel:
    """Has a dump that knows no modes."""

    def model_dump(self):
        return {"at": MOMENT}


class Series:
    """What a library without `tolist` offers."""

    dtype = "i64"
    shape = (2,)

    def to_list(self):
        return [1, 2]


class Table:
    """What a library of tables without an index offers."""

    shape = (1, 2)
    columns = ("a", "b")

    def __len__(self):
        return 1

    def iter_rows(self):
        return iter([(1, None)])


class Shape:
    """Has a shape and nothing that could be read."""

    shape = (1,)
    dtype = "x"


class Plan(Shape):
    columns = ()


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (Model(), {"at": "2026-01-02T03:04:05Z", "amount": "0.10", "alias": 1}),
        (Opaque(thing=np.int64(3)), {"thing": 3, "n": 1}),
        (Root([1, 2]), [1, 2]),
        (OldModel(), {"at": "2026-01-02T03:04:05+00:00"}),
        (Attrs(MOMENT), {"at": "2026-01-02T03:04:05+00:00", "_private": 1}),
        (Struct("Ann"), {"firstName": "Ann", "tags": ["a", "b"]}),
        (np.int64(2**62), 2**62),
        (np.float32(1.5), 1.5),
        (np.float64("nan"), None),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([1.5, np.nan, np.inf]), [1.5, None, None]),
        (np.array(7), 7),
        (np.array([]), []),
        (np.datetime64("2026-01-02T03:04:05.123456789"), "2026-01-02T03:04:05.123456789"),
        (np.array(["2026-01-02", "NaT"], dtype="M8[D]"), ["2026-01-02", None]),
        (np.timedelta64(90, "s"), "PT90S"),
        (np.timedelta64(5, "ns"), "PT0.000000005S"),
        (np.array([1, "NaT"], dtype="m8[25us]"), ["PT0.000025S", None]),
        (pd.Timedelta("1 days 00:00:00.000000001"), "P1DT0.000000001S"),
        (np.ma.array([1, 2], mask=[False, True]), [1, None]),
        (np.ma.array(["2026-01-02", "2026-01-03"], dtype="M8[D]", mask=[0, 1]), ["2026-01-02", None]),
        (
            np.array([("2026-01-02", (1,))], dtype=[("at", "M8[D]"), ("in", [("n", "i4")])]),
            [{"at": "2026-01-02", "in": {"n": 1}}],
        ),
        ({np.int64(1): 1, pd.Period("2026-01"): 2, np.float64("nan"): 3}, {"1": 1, "2026-01": 2, "null": 3}),
        (pd.Series([1, 2], index=pd.interval_range(0, 2)), [{"index": "(0, 1]", "0": 1}, {"index": "(1, 2]", "0": 2}]),
        (Tagged(1), {"kind": "t", "x": 1}),
        (collections.UserString("x"), "x"),
        (np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")]), [{"a": 1, "b": 2.5}]),
        (np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])[0], {"a": 1, "b": 2.5}),
        (np.zeros((1, 1), dtype=[("a", "i4")]), [[{"a": 0}]]),
        (pd.Series([1, None]), [1.0, None]),
        (pd.Timestamp("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05+00:00"),
        (pd.NaT, None),
        (pd.NA, None),
        (pd.Index(["a", "b"]), ["a", "b"]),
        (pd.DataFrame({"a": [1, 2], "b": ["x", None]}), [{"a": 1, "b": "x"}, {"a": 2, "b": None}]),
        (pa.table({"a": [1, None]}), [{"a": 1}, {"a": None}]),
        (pl.Series("n", [1, None]), [1, None]),
        (pl.DataFrame({"a": [1], "at": [MOMENT]}), [{"a": 1, "at": "2026-01-02T03:04:05+00:00"}]),
        (Series(), [1, 2]),
        (Table(), [{"a": 1, "b": None}]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_object_of_another_library_has_a_json_form(value, tree):
    assert plain(value) == tree
    assert plain({"at": [value]}) == {"at": [tree]}


@pytest.mark.parametrize("value", [np.zeros(100_001), np.zeros((400, 400)), pd.DataFrame({"a": range(100_001)})])
def test_what_no_model_reads_is_a_typed_error(value):
    with pytest.raises(ConversionError, match=r"at most 100000") as caught:
        plain({"rows": value})
    assert caught.value.path == "value.rows"


@pytest.mark.parametrize(
    "value",
    [
        np.complex128(1j),
        np.longdouble(1.1),
        np.timedelta64(5, "M"),
        np.zeros((10**6, 0)),
        Shape(),
        Plan(),
        Opaque(thing=object()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_json_form_within_is_a_typed_error(value):
    with pytest.raises(ConversionError):
        plain([value])


def test_a_model_as_the_value_of_a_result_is_stored():
    result = ToolResult.json(Model())
    assert result.output == '{"at":"2026-01-02T03:04:05Z","amount":"0.10","alias":1}'
    assert ToolResult.from_json(result.to_json()).value == {"at": "2026-01-02T03:04:05Z", "amount": "0.10", "alias": 1}
