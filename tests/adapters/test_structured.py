"""Data is data if its JSON text is the output, and if every reader keeps it."""

from __future__ import annotations

import datetime as dt
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult import ContentPart, ToolResult
from toolresult.adapters._structured import structured

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15) | st.text("ab\u00e9", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\u00e9", max_size=3), inner, max_size=3),
    max_leaves=9,
).filter(lambda value: isinstance(value, (dict, list)))


@dataclass
class Row:
    day: dt.date


def nested(levels):
    value = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@given(value=plain)
def test_plain_data_is_what_it_was(value):
    assert structured(ToolResult.json(value)) == value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"a": (1, 2)}, {"a": [1, 2]}),
        (Row(dt.date(2026, 1, 2)), {"day": "2026-01-02"}),
        ([Row(dt.date(2026, 1, 2))], [{"day": "2026-01-02"}]),
        ([{"a": float("nan")}], [{"a": None}]),
        ({"a\0": "\ud800"}, {"a\ufffd": "\ufffd"}),
        ({1: True}, {"1": True}),
        ({"a": 2**53, "b": -(2**53)}, {"a": 2**53, "b": -(2**53)}),
    ],
    ids=str,
)
def test_data_is_as_its_json_text_says(value, data):
    assert structured(ToolResult.of(value)) == data


@pytest.mark.parametrize(
    "result",
    [
        ToolResult('{"a":1}'),
        ToolResult(),
        ToolResult.ok("one", value={"a": 1}),
        ToolResult.ok('{"a": 1}', value={"a": 1}),
        ToolResult.ok(value={"a": 1}, parts=[ContentPart("text", text="b")]),
        ToolResult.json({"a": 2**53 + 1}),
        ToolResult.json([{"a": -(2**60)}]),
        ToolResult.json({"a": 1e300}),
        ToolResult.json({"a\0": 1, "a\ufffd": 2}),
        ToolResult.json(nested(31)),
        ToolResult.json(None),
        ToolResult.json(5),
        ToolResult.json("a"),
    ],
    ids=lambda result: result.output[:30].encode("ascii", "backslashreplace").decode(),
)
def test_anything_else_is_no_data(result):
    assert structured(result) is None


def test_thirty_levels_are_data():
    assert structured(ToolResult.json(nested(30))) == nested(30)


def test_digits_that_this_python_does_not_read_are_no_data():
    result = ToolResult.json({"a": 10**1000})
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert structured(result) is None
    finally:
        sys.set_int_max_str_digits(limit)


def test_data_is_fresh():
    result = ToolResult.json({"a": [1]})
    first = structured(result)
    first["a"].append(2)
    assert structured(result) == {"a": [1]}
