"""Every row of the tables of `docs/convert.md` has examples here, and they come out as the row says."""

from __future__ import annotations

import collections
import dataclasses
import enum
import io
import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

import attrs
import mcp_types
import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pydantic
import pytest
from PIL import Image

from toolresult import ContentPart, ConversionError, Request, ToolError, ToolResult
from toolresult.convert import of

PAGE = Path(__file__).parent.parent / "docs" / "convert.md"
PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
REQUEST = Request.approval("Go?")


class Own:
    def __tool_result__(self):
        return ToolResult.ok("own")


class Text(str):
    __slots__ = ()


class Color(enum.Enum):
    RED = "red"


class Point(NamedTuple):
    x: int


@dataclasses.dataclass
class Row:
    x: int


@attrs.define
class Attrs:
    x: int


class Struct(msgspec.Struct):
    x: int


class Model(pydantic.BaseModel):
    x: int


async def job():
    return 1


async def jobs():
    yield 1


def text(output: str) -> Any:
    return lambda value: of(value).output == output and of(value).mime_type is None


def part(kind: str, mime_type: str) -> Any:
    return lambda value: [(p.type, p.mime_type) for p in of(value).parts or ()] == [(kind, mime_type)]


def form(output: str) -> Any:
    return lambda value: of({"a": value}).output == f'{{"a":{output}}}'


def refused(value: Any) -> bool:
    with pytest.raises(ConversionError):
        of(value)
    return True


RETURNED: dict[str, list[tuple[Any, Any]]] = {
    "`ToolResult`": [(ToolResult.error("x"), lambda value: of(value) is value)],
    "an object with `__tool_result__()`": [(Own(), text("own"))],
    "`None`": [(None, lambda value: of(value).is_done)],
    "`str` and its subclasses": [("{}", text("{}")), (Text("x"), text("x"))],
    "`Request`": [(REQUEST, lambda value: of(value).request is value)],
    "an exception": [(ToolError("no"), lambda value: of(value) == ToolResult.error("no"))],
    "`ContentPart`": [(IMAGE, part("image", "image/png"))],
    "`bytes`, `bytearray`, `memoryview`": [
        (PNG, part("image", "image/png")),
        (bytearray(b"abc"), part("file", "application/octet-stream")),
        (memoryview(b"%PDF-1.7"), part("file", "application/pdf")),
    ],
    "a binary file object, such as `BytesIO` or an open file": [
        (io.BytesIO(PNG), part("image", "image/png")),
        (io.StringIO("x"), refused),
    ],
    "PIL image, matplotlib or plotly figure, anything with `_repr_png_`": [
        (Image.new("RGB", (1, 1)), part("image", "image/png"))
    ],
    "content blocks and resource contents of the `mcp` package": [
        (
            mcp_types.TextContent(type="text", text="x", annotations=mcp_types.Annotations(audience=["user"])),
            lambda value: of(value).parts[0].metadata == {"audience": ["user"]},
        )
    ],
    "`CallToolResult` of the `mcp` package": [
        (
            mcp_types.CallToolResult(content=[], structured_content={"n": 1}, is_error=True),
            lambda value: of(value).is_error and of(value).value == {"n": 1},
        )
    ],
    "a list or tuple of texts and parts, with at least one part": [
        (["a", PNG], lambda value: [p.type for p in of(value).parts] == ["text", "image"]),
        ((PNG, "a"), lambda value: [p.type for p in of(value).parts] == ["image", "text"]),
    ],
    "pandas frame or series, polars frame or series": [
        (pd.DataFrame({"a": [1]}), lambda value: of(value).output == "a\n1" and of(value).value is value),
        (pd.Series([1], name="a"), lambda value: of(value).output == "a\n1"),
        (pl.DataFrame({"a": [1]}), lambda value: of(value).output == "a\n1"),
        (pd.DataFrame({"a": [1]}, index=["k"]), lambda value: of(value).output == "index\ta\nk\t1"),
        (pl.DataFrame({"a": range(1001)}), lambda value: "1 of 1001 rows left out" in of(value).output),
    ],
    "iterator, generator": [
        (lambda: iter([1]), lambda make: of(make()).output == "[1]"),
        (lambda: iter(range(10_001)), lambda make: refused(make())),
    ],
    "coroutine, awaitable, async generator": [(job, lambda f: refused(f())), (jobs, lambda f: refused(f()))],
    "anything else": [([1], lambda value: of(value).output == "[1]" and of(value).value == [1])],
}

IN_JSON: dict[str, list[tuple[Any, Any]]] = {
    "`dict`, any mapping": [
        ({"k": 1}, form('{"k":1}')),
        (collections.ChainMap({"k": 1}), form('{"k":1}')),
        ({1: 1, "1": 2}, refused),
    ],
    "`list`, `tuple`": [([1], form("[1]")), ((1,), form("[1]"))],
    "`deque`, `range`, any other sequence, a view of a `dict`": [
        (collections.deque([1]), form("[1]")),
        (range(2), form("[0,1]")),
        ({"k": 1}.values(), form("[1]")),
        (range(10_001), lambda value: refused({"a": value})),
    ],
    "`set`, `frozenset`, any other set": [({2, 1}, form("[1,2]")), (frozenset("ba"), form('["a","b"]'))],
    "`bool`, `int`, `float`, `None`": [
        (True, form("true")),
        (10**30, form("1" + "0" * 30)),
        (1.0, form("1.0")),
        (None, form("null")),
        (math.inf, form("null")),
    ],
    "`str`": [("日", form('"日"'))],
    "dataclass, attrs class, named tuple, msgspec struct, pydantic model, row of `sqlite3` or SQLAlchemy": [
        (value, form('{"x":1}')) for value in (Row(1), Attrs(1), Point(1), Struct(1), Model(x=1))
    ],
    "enum member": [(Color.RED, form('"red"'))],
    "`date`, `time`, `datetime`": [
        (date(2026, 1, 2), form('"2026-01-02"')),
        (time(3, 4), form('"03:04:00"')),
        (datetime(2026, 1, 2, tzinfo=UTC), form('"2026-01-02T00:00:00+00:00"')),
        (pd.NaT, form("null")),
    ],
    "`timedelta`, also of numpy and pandas": [
        (timedelta(minutes=1), form('"PT60S"')),
        (np.timedelta64(1, "ns"), form('"PT0.000000001S"')),
    ],
    "`Decimal`, `UUID`, path": [
        (Decimal("0.10"), form('"0.10"')),
        (UUID(int=1), form('"00000000-0000-0000-0000-000000000001"')),
        (PurePosixPath("/a"), form('"/a"')),
    ],
    "numpy, pandas, torch scalar or array": [
        (np.float64(0.5), form("0.5")),
        (np.arange(2), form("[0,1]")),
        (pd.Series([1]), form("[1]")),
        (np.zeros(100_001), lambda value: refused({"a": value})),
    ],
    "table inside a structure, series with labels": [(pd.DataFrame({"k": [1]}), form('[{"k":1}]'))],
    "part, bytes, drawing": [
        (IMAGE, form('"[part 1: image (image/png, 8 bytes)]"')),
        (b"abc", form('"[part 1: file (application/octet-stream, 3 bytes)]"')),
    ],
    "any other object": [
        (object(), refused),
        (object(), lambda value: of([value], default=lambda _: "x").output == '["x"]'),
    ],
}


def labels_of(number: int) -> list[str]:
    blocks = [block for block in PAGE.read_text(encoding="utf-8").split("\n\n") if block.startswith("|")]
    return [line.split("|")[1].strip() for line in blocks[number].splitlines()[2:]]


@pytest.mark.parametrize(("number", "examples"), [(0, RETURNED), (1, IN_JSON)], ids=["returned", "in JSON"])
def test_the_table_has_exactly_these_rows(number, examples):
    assert labels_of(number) == list(examples)


@pytest.mark.parametrize(
    ("label", "value", "holds"),
    [(label, *example) for table in (RETURNED, IN_JSON) for label, examples in table.items() for example in examples],
)
def test_an_example_comes_out_as_its_row_says(label, value, holds):
    assert holds(value), label
