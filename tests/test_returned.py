"""What a tool returned becomes a result: the outcome for every kind of value."""

from __future__ import annotations

import asyncio
import collections
import collections.abc
import contextlib
import dataclasses
import enum
import inspect
import io
import itertools
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import types
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from unittest.mock import MagicMock, Mock
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pydantic
import pytest
import sqlalchemy
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from toolresult import Answer, ContentPart, ConversionError, Request, Suspend, ToolError, ToolResult
from toolresult.convert import of
from toolresult.strategies import json_values

PNG = (Path(__file__).parent.parent / "examples" / "data" / "fixture.png").read_bytes()
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
PDF = ContentPart("file", data=b"%PDF-1.7", mime_type="application/pdf")
REQUEST = Request.approval("Go?")
SHORT = "image (image/png, 82 bytes)"


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Word(enum.StrEnum):
    YES = "yes"


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Row:
    id: int
    tags: set[str]


class Text(str):
    __slots__ = ()


class Answering:
    def __tool_result__(self):
        return ToolResult.error("own")


class Nothing:
    pass


def json_result(text, value):
    return ToolResult(text, metadata={"toolresult": {"value": value, "mime_type": "application/json"}})


def lifted(text, value, *parts):
    return ToolResult(text, parts=parts, metadata={"toolresult": {"value": value, "mime_type": "application/json"}})


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (None, ToolResult()),
        ("", ToolResult("")),
        ("text", ToolResult("text")),
        ('{"a": 1}', ToolResult('{"a": 1}')),
        ("\ud83d", ToolResult("\ud83d")),
        (Text("x"), ToolResult("x")),
        (Word.YES, ToolResult("yes")),
        (ToolResult.error("x"), ToolResult.error("x")),
        (Answering(), ToolResult.error("own")),
        (REQUEST, ToolResult.pending(REQUEST)),
        (ValueError("SECRET"), ToolResult.error("ValueError")),
        (ToolError("no rows", code="c"), ToolResult.error("no rows", code="c")),
        (Suspend(REQUEST), ToolResult.pending(REQUEST)),
        (KeyboardInterrupt(), ToolResult.error("KeyboardInterrupt")),
        (IMAGE, ToolResult.from_parts([IMAGE])),
        (ContentPart.from_text("x"), ToolResult("x")),
        (PNG, ToolResult.from_parts([IMAGE])),
        (bytearray(PNG), ToolResult.from_parts([IMAGE])),
        (memoryview(b"%PDF-1.7"), ToolResult.from_parts([PDF])),
        (b"", ToolResult.from_parts([ContentPart("file", data=b"", mime_type="application/octet-stream")])),
        (
            ["before", IMAGE, "after", PNG],
            ToolResult.from_parts([ContentPart.from_text("before"), IMAGE, ContentPart.from_text("after"), IMAGE]),
        ),
        ((PNG,), ToolResult.from_parts([IMAGE])),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_text_or_a_part_or_a_result_already(value, result):
    assert of(value) == ToolResult.of(value) == result


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1"),
        (10**60, "1" + "0" * 60),
        (True, "true"),
        (False, "false"),
        (1.5, "1.5"),
        (-0.0, "-0.0"),
        (1e22, "1e+22"),
        ([], "[]"),
        ((), "[]"),
        ({}, "{}"),
        (set(), "[]"),
        ([1, "a", None], '[1,"a",null]'),
        (["a", "b"], '["a","b"]'),
        ((1, (2,)), "[1,[2]]"),
        ((True, "not an error"), '[true,"not an error"]'),
        ({"error": "not found"}, '{"error":"not found"}'),
        ({"q": "日本語"}, '{"q":"日本語"}'),
        ({"q": '"\n'}, '{"q":"\\"\\n"}'),
        ({1: "a", None: 2, 1.5: 3}, '{"1":"a","null":2,"1.5":3}'),
        ({3, 1, 2}, "[1,2,3]"),
        (frozenset({"b", "a"}), '["a","b"]'),
        (Decimal("0.10"), '"0.10"'),
        (Decimal("NaN"), '"NaN"'),
        (Decimal("1E+3"), '"1E+3"'),
        (Color.RED, '"red"'),
        (Level.HIGH, "3"),
        (Point(1, 2), '{"x":1,"y":2}'),
        (Row(1, {"b", "a"}), '{"id":1,"tags":["a","b"]}'),
        (date(2026, 1, 2), '"2026-01-02"'),
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), '"2026-01-02T03:04:05+00:00"'),
        (time(3, 4), '"03:04:00"'),
        (timedelta(hours=1), '"PT3600S"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (PurePosixPath("/a/b"), '"/a/b"'),
        (collections.OrderedDict(b=1, a=2), '{"b":1,"a":2}'),
        (collections.defaultdict(list, a=[1]), '{"a":[1]}'),
        (collections.Counter("aab"), '{"a":2,"b":1}'),
        (collections.ChainMap({"a": 1}), '{"a":1}'),
        (collections.UserDict(a=1), '{"a":1}'),
        (types.MappingProxyType({"a": 1}), '{"a":1}'),
        (collections.deque([1, 2]), "[1,2]"),
        (collections.UserList([1]), "[1]"),
        (range(3), "[0,1,2]"),
        ({"a": 1}.keys(), '["a"]'),
        ({"a": 1}.values(), "[1]"),
        ({"a": 1}.items(), '[["a",1]]'),
        (os.terminal_size((80, 24)), "[80,24]"),
        (types.SimpleNamespace, None),
        (math.nan, "null"),
        ({"m": math.nan, "p": math.inf, "n": [-math.inf, 1.5]}, '{"m":null,"p":null,"n":[null,1.5]}'),
        (np.int64(3), "3"),
        (np.array([1.5, np.nan]), "[1.5,null]"),
        (pd.NaT, "null"),
        ({"nested": pd.DataFrame({"a": [1]})}, '{"nested":[{"a":1}]}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_everything_else_is_compact_json_with_the_value_behind_it(value, text):
    if text is None:
        with pytest.raises(ConversionError):
            of(value)
        return
    result = of(value)
    assert result.output == text
    assert result.mime_type == "application/json"
    assert result.parts is None
    if type(value) is not float and not isinstance(value, np.ndarray):
        assert result.value == value or result.value is value
    json.loads(text, parse_constant=pytest.fail)


def test_parts_in_a_structure_are_lifted_out_and_numbered():
    structure = {"chart": PNG, "rows": [{"file": b"%PDF-1.7"}, IMAGE]}
    assert of(structure) == lifted(
        f'{{"chart":"[part 1: {SHORT}]","rows":['
        f'{{"file":"[part 2: file (application/pdf, 8 bytes)]"}},"[part 3: {SHORT}]"]}}',
        structure,
        IMAGE,
        PDF,
        IMAGE,
    )


def test_drawings_are_pictures():
    picture = Image.new("RGB", (2, 2))
    assert of(picture).parts[0].mime_type == "image/png"
    assert of(["see", picture]).parts[1].type == "image"
    assert of({"a": picture}).output.startswith('{"a":"[part 1: image (image/png, ')

    class Broken:
        def _repr_png_(self):
            raise RuntimeError("SECRET")

    for value, path in ((Broken(), "value"), ({"a": Broken()}, "value.a")):
        with pytest.raises(ConversionError) as caught:
            of(value)
        assert caught.value.path == path
        assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        (pd.DataFrame({"a": [1, 2], "b": ["x\ty", None]}), "a\tb\n1\tx\\ty\n2\t"),
        (pd.DataFrame({"a": [1]}, index=pd.Index(["r"], name="key")), "key\ta\nr\t1"),
        (pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([("r", 2)])), "level_0\tlevel_1\ta\nr\t2\t1"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "a b\n1"),
        (pd.Series([1, 2], name="n"), "n\n1\n2"),
        (pd.DataFrame({"a": []}), "a"),
        (pl.DataFrame({"a": [1, None], "b": ["x", "y"]}), "a\tb\n1\tx\n\ty"),
        (pl.Series("n", [1, 2]), "n\n1\n2"),
    ],
    ids=["plain", "index", "levels", "columns of levels", "series", "empty", "polars", "polars series"],
)
def test_a_frame_is_tsv_with_the_frame_behind_it(frame, text):
    result = of(frame)
    assert result.output == text
    assert result.mime_type == "text/tab-separated-values"
    assert result.value is frame


def test_a_long_frame_says_how_much_is_left_out():
    lines = of(pd.DataFrame({"a": range(1500)})).output.split("\n")
    assert lines[:3] == ["a", "0", "1"]
    assert lines[-1] == "[... 500 of 1500 rows left out ...]"
    assert len(lines) == 1002


def test_a_frame_that_gives_its_rows_itself():
    class Frame:
        columns = ("a", "b")

        def __len__(self):
            return 1

        def iter_rows(self):
            return iter([(1, None)])

    assert of(Frame()).output == "a\tb\n1\t"


# wanxingai/LightAgent#107
def test_iterators_are_read_to_an_end():
    assert of(n for n in range(3)).output == "[0,1,2]"
    assert of(n for n in range(3)).value == [0, 1, 2]
    assert of({"a": iter([1, 2])}).output == '{"a":[1,2]}'

    def endless():
        while True:
            yield 1

    def broken():
        yield 1
        raise ValueError("SECRET")

    def refusing():
        yield 1
        raise ToolError("no more")

    for make, problem in ((endless, "more than 10000"), (broken, "ValueError"), (lambda: range(10_001), "10000")):
        for value, path in ((make(), "value"), ({"a": make()}, "value.a")):
            with pytest.raises(ConversionError, match=problem) as caught:
                of(value)
            assert caught.value.path == path
            assert "SECRET" not in str(caught.value)
    for value in (refusing(), [refusing()]):
        with pytest.raises(ToolError, match="no more"):
            of(value)


def test_what_is_not_awaited_is_refused_and_closed():
    async def job():
        return 1

    async def jobs():
        yield 1

    coroutine, stream = job(), jobs()
    for value, word in ((coroutine, "await it"), (stream, "async for")):
        with pytest.raises(ConversionError, match=word) as caught:
            of([value])
        assert caught.value.path == "value[0]"
    assert coroutine.cr_frame is None
    with pytest.raises(StopAsyncIteration):
        asyncio.run(anext(stream))

    async def wait():
        future = asyncio.get_running_loop().create_future()
        with pytest.raises(ConversionError, match="await it"):
            of(future)

    asyncio.run(wait())


class Raising:
    def __getattr__(self, name):
        raise RuntimeError("SECRET")

    def __repr__(self):
        raise RuntimeError("SECRET")

    __str__ = __repr__


class Bad:
    def __tool_result__(self):
        raise RuntimeError("SECRET")


class Refusing:
    def __tool_result__(self):
        raise ToolError("no")


class Wrong:
    def __tool_result__(self):
        return "text"


class Model:
    def model_dump(self, **_):
        raise RuntimeError("SECRET")


class Loop(dict):
    def items(self):
        raise RuntimeError("SECRET")


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (object(), "value"),
        ([{"a": Nothing()}], "value[0].a"),
        (Raising(), "value"),
        (Bad(), "value"),
        (Wrong(), "value"),
        (Model(), "value"),
        (Loop(a=1), "value"),
        (Mock(), "value"),
        (MagicMock(spec=int), "value"),
        (len, "value"),
        (Nothing, "value"),
        (os, "value"),
        (Fraction(1, 3), "value"),
        (1j, "value"),
        ({(1, 2): 1}, "value[tuple]"),
        ({1: 1, "1": 2}, "value['1']"),
        ({"\ud800": 1, chr(0xFFFD): 2}, "value['\ufffd']"),
        ({"a": 10**5000}, "value.a"),
        (Answer("r", True), "value"),
        ([ToolResult("x")], "value[0]"),
        ({b"x"}, "value[bytes]"),
        (np.zeros(100_001), "value"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_form_is_a_typed_error_with_its_place(value, path):
    with pytest.raises(ConversionError) as caught:
        of(value)
    assert caught.value.path == path
    assert "SECRET" not in str(caught.value)
    assert " at 0x" not in str(caught.value)


def test_an_object_that_refuses_is_heard():
    with pytest.raises(ToolError, match="no"):
        of(Refusing())


def test_cycles_and_depth_are_typed_errors():
    circle = []
    circle.append(circle)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for value in (circle, deep):
        with pytest.raises(ConversionError, match="100 levels"):
            of(value)
    while deep:  # taken apart here, since its end would be recursive
        deep = deep[0]


def test_the_options():
    assert of({"a": [1]}, indent=1).output == '{\n "a": [\n  1\n ]\n}'
    assert of([math.nan, math.inf, -math.inf], non_finite="text").output == '["NaN","Infinity","-Infinity"]'
    with pytest.raises(ConversionError) as caught:
        of({"m": math.nan}, non_finite="refuse")
    assert caught.value.path == "value.m"
    assert of([Nothing()], default=lambda obj: {"kind": type(obj).__name__}).output == '[{"kind":"Nothing"}]'
    assert of(ValueError("why"), expose=[ValueError]).output == "ValueError: why"
    # cognitedata/cognite-sdk-python#556
    with pytest.raises(ConversionError, match="same object"):
        of([Nothing()], default=lambda obj: obj)
    with pytest.raises(ConversionError, match="ZeroDivisionError"):
        of([Nothing()], default=lambda _: 1 // 0)


@given(json_values().filter(lambda value: value is not None and not isinstance(value, str)))
def test_json_values_are_kept(value):
    result = of(value)
    assert json.loads(result.output) == value
    assert result.value == value
    assert result.is_derived


@given(st.text())
def test_texts_are_kept(text):
    assert of(text).output == text


def test_the_text_is_the_same_in_every_process():
    program = (
        "from toolresult import ToolResult; print(ToolResult.of({'s': {'b', 'a', 'c'}, 'n': {1, (2, 3), 'x'}}).output)"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4")
    }
    assert len(texts) == 1


def test_files_that_are_open_are_parts_and_texts_are_refused(tmp_path):
    buffer = io.BytesIO()
    buffer.write(PNG)
    assert of(buffer).parts == (IMAGE,)
    (tmp_path / "a.png").write_bytes(PNG)
    with (tmp_path / "a.png").open("rb") as file:
        assert of(["see", file]).parts[1] == dataclasses.replace(IMAGE, name="a.png")
    with pytest.raises(ConversionError, match="return its text"):
        of({"a": io.StringIO("x")})


def test_an_index_that_is_more_than_numbers_stays_at_any_depth():
    labelled = pd.DataFrame({"id": [1007, 1008], "v": ["x", "y"]}).set_index("id")
    assert of(labelled).output == "id\tv\n1007\tx\n1008\ty"
    assert of({"t": labelled}).output == '{"t":[{"id":1007,"v":"x"},{"id":1008,"v":"y"}]}'
    assert of(pd.DataFrame({"v": [1, 2]}).iloc[1:]).output == "index\tv\n1\t2"
    assert of({"s": pd.Series({"x": 1}, name="n")}).output == '{"s":[{"index":"x","n":1}]}'
    assert of({"s": pd.Series([1])}).output == '{"s":[1]}'
    with pytest.raises(ConversionError, match="two columns"):
        of([pd.DataFrame([[1, 2]], columns=["a", "a"])])


def test_the_options_count_for_tables():
    frame = pd.DataFrame({"a": [1.0, math.inf], "b": [Fraction(1, 2), PNG]})
    assert of(frame, non_finite="text", default=str).output == f"a\tb\n1.0\t1/2\nInfinity\t[part 1: {SHORT}]"
    with pytest.raises(ConversionError) as caught:
        of(frame)
    assert caught.value.path == "value[0].b"
    with pytest.raises(ConversionError) as caught:
        of(frame, non_finite="refuse", default=str)
    assert caught.value.path == "value[1].a"
    with pytest.raises(ConversionError) as caught:
        of(pd.DataFrame({"a": [1]}, index=[1]).rename(columns={"a": object()}))
    assert caught.value.path == "value.columns[1]"


def test_rows_of_databases_keep_their_names():
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.row_factory = sqlite3.Row
        row = database.execute("SELECT 1 AS a, 'x' AS b").fetchone()
    assert of([row]).output == '[{"a":1,"b":"x"}]'
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        assert of(connection.execute(sqlalchemy.text("SELECT 1 AS a")).one()).output == '{"a":1}'
    engine.dispose()


class Report(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True, extra="allow")
    title: str
    chart: ContentPart | None = None
    raw: bytes = b""
    shots: list[ContentPart] = []
    tags: set[str] = set()
    more: dict[str, bytes] = {}


def test_parts_in_a_model_are_parts_and_sets_are_sorted():
    report = Report(title="t", chart=IMAGE, raw=b"hello", shots=[IMAGE], tags={"b", "a"}, more={"k": PNG}, extra=1)
    tree = json.loads(of(report).output)
    assert tree == {
        "title": "t",
        "chart": f"[part 1: {SHORT}]",
        "raw": "hello",
        "shots": [f"[part 2: {SHORT}]"],
        "tags": ["a", "b"],
        "more": {"k": f"[part 3: {SHORT}]"},
        "extra": 1,
    }
    assert len(of(report).parts) == 3
    assert of(pydantic.RootModel[bytes](PNG)).output == f'"[part 1: {SHORT}]"'
    with pytest.raises(ConversionError, match="ToolResult"):
        of({"m": pydantic.create_model("M", r=(ToolResult, ...))(r=ToolResult.error("x"))})


class Page(pydantic.BaseModel):
    title: str
    chart: ContentPart


class Hidden(pydantic.BaseModel):
    raw: bytes = pydantic.Field(b"PRIVATE \xff", exclude=True)
    token: pydantic.SecretStr = pydantic.SecretStr("SECRET")
    ids: set[str] = {"PRIVATE"}
    pages: list[Page] = []
    images: dict[str, list[bytes]] = {}
    tags: list[frozenset[str]] = []
    masked: str = "PRIVATE"

    @pydantic.field_serializer("ids")
    def hide(self, _):
        return ["***"]

    @pydantic.field_serializer("masked", when_used="json")
    def mask(self, _):
        return "***"


def test_a_model_is_dumped_by_its_own_rules_at_any_depth():
    model = Hidden(pages=[Page(title="a", chart=IMAGE)], images={"k": [PNG, b"text"]}, tags=[{"c", "a", "b"}])
    result = of([model])
    assert json.loads(result.output) == [
        {
            "token": "**********",
            "ids": ["***"],
            "pages": [{"title": "a", "chart": f"[part 1: {SHORT}]"}],
            "images": {"k": [f"[part 2: {SHORT}]", "text"]},
            "tags": [["a", "b", "c"]],
            "masked": "***",
        }
    ]
    assert result.parts == (IMAGE, IMAGE)
    assert json.loads(ToolResult.json(Page(title="a", chart=IMAGE)).output) == {"title": "a", "chart": SHORT}


def test_bytes_beside_a_serializer_that_looks_at_them_are_refused():
    class Counted(pydantic.BaseModel):
        raw: bytes

        @pydantic.field_serializer("raw", when_used="json")
        def count(self, raw):
            return f"{len(raw)} bytes"

    assert of(Counted(raw=b"abc")).output == '{"raw":"3 bytes"}'
    with pytest.raises(ConversionError, match="declare a ContentPart"):
        of(Counted(raw=PNG))


def test_a_model_that_can_be_dumped_for_json_only():
    class OneWay(pydantic.BaseModel):
        n: int = 1

        @pydantic.model_serializer(mode="plain")
        def write(self, info: pydantic.SerializationInfo) -> dict[str, int]:
            if info.mode != "json":
                raise RuntimeError("SECRET")
            return {"n": self.n}

    assert of(OneWay()).output == '{"n":1}'


def test_plots_and_temporary_files_are_parts():
    figure = Figure(figsize=(1, 1))
    assert of(figure.subplots()).parts[0].mime_type == "image/png"
    with tempfile.NamedTemporaryFile() as file:
        file.write(PNG)
        file.flush()
        assert of(file).parts[0].data == PNG
    with tempfile.NamedTemporaryFile("w") as file, pytest.raises(ConversionError, match="return its text"):
        of(file)


def test_a_default_that_steers_or_tells_is_heard():
    def refuse(_):
        raise ToolError("told")

    with pytest.raises(ToolError, match="told"):
        of([object()], default=refuse)


def test_what_was_read_from_an_iterator_is_the_value():
    assert of({"rows": (n for n in range(3))}).value == {"rows": [0, 1, 2]}
    assert of(iter({"b", "a", "c"})).output == '["a","b","c"]'


class Group(collections.abc.Set):
    """A set that is none of the builtin ones."""

    def __init__(self, items):
        self.held = set(items)

    def __contains__(self, item):
        return item in self.held

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


class Endless(collections.abc.Mapping):
    def __getitem__(self, key):
        return key

    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 1


class EndlessDict(dict):
    def items(self):
        return ((n, n) for n in itertools.count())


class EndlessList(list):
    __iter__ = itertools.count


def test_sets_of_any_kind_are_sorted_and_default_reaches_into_them():
    assert of(Group("bca")).output == '["a","b","c"]'
    assert of({"x": {Fraction(1, 2)}}, default=str).output == '{"x":["1/2"]}'


def test_what_has_no_end_ends():
    for value in (Endless(), EndlessDict(a=1)):
        with pytest.raises(ConversionError, match="gives more than"):
            of(value)
    assert of(EndlessList([1])).output == "[1]"
    shared = []
    for _ in range(60):
        shared = [shared, shared]
    with pytest.raises(ConversionError, match="too many values"):
        of(shared)


def test_what_is_too_deep_for_a_value_is_a_typed_error():
    for depth in range(97, 102):
        nested = 1
        for _ in range(depth):
            nested = [nested]
        if depth < 99:
            assert of(nested).value == nested
            continue
        with pytest.raises(ConversionError, match="100 levels") as caught:
            of(nested)
        assert caught.value.path.startswith("value")


class Shy:
    """Has no picture of itself, and another form."""

    def __init__(self):
        self.x = 1

    def _repr_png_(self):
        return None

    def model_dump(self, **_):
        return {"x": self.x}


class Foreign:
    __module__ = None

    @property
    def to_frame(self):
        raise RuntimeError("SECRET")

    dtype = iloc = 1


class Liar:
    @property
    def __class__(self):
        return Decimal


class Meta(type):
    @property
    def __mro__(cls):
        raise RuntimeError("SECRET")


class Odd(metaclass=Meta):
    pass


def test_lies_and_traps_are_typed_errors():
    assert of(Shy()).output == '{"x":1}'
    for value in (Foreign(), Liar(), Odd(), [Foreign()], {"a": Odd()}):
        with pytest.raises(ConversionError) as caught:
            of(value)
        assert "SECRET" not in str(caught.value)
        assert "0x" not in str(caught.value)
    for show in (str, repr):
        with pytest.raises(ConversionError, match="memory address"):
            of([object()], default=show)


def test_all_that_nobody_awaits_is_closed():
    async def job():
        return 1

    jobs = [job(), job()]
    with pytest.raises(ConversionError, match="await it"):
        of(jobs)
    assert [each.cr_frame for each in jobs] == [None, None]

    class Stubborn:
        def __await__(self):
            return iter(())

        def close(self):
            raise RuntimeError("SECRET")

    with pytest.raises(ConversionError, match="await it"):
        of(Stubborn())


def test_indent_is_white_space():
    for indent in ("--", '"', -1, 41, True, " " * 41):
        with pytest.raises(ValueError, match=r"^indent: "):
            of({}, indent=indent)
    with pytest.raises(ValueError, match=r"^non_finite: "):
        of({}, non_finite="bogus")


def test_a_full_call_stack_is_a_typed_error():
    nested = 1
    for _ in range(60):
        nested = [nested]

    def call_below(frames):
        return call_below(frames - 1) if frames else of(nested)

    def overflowing():
        yield 1
        raise RecursionError

    room = sys.getrecursionlimit() - len(inspect.stack())
    problems = set()
    for left in range(40, 250, 6):
        try:
            call_below(room - left)
        except ConversionError as error:
            problems.add(error.problem)
    assert len(problems) == 1
    for value in (overflowing(), [overflowing()]):
        with pytest.raises(ConversionError, match="call stack"):
            of(value)
