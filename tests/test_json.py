"""The JSON form of plain values: what is taken, what is refused and where, and the texts made of it."""

from __future__ import annotations

import collections
import dataclasses
import enum
import json
import math
import os
import subprocess
import sys
import types
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult import Answer, ContentPart, ConversionError, Request, ToolResult
from toolresult._frozen import freeze
from toolresult._json import canonical, compact, parse, plain, tsv


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, 2)
    NOTHING = None


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    YES = "yes"


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: Any = None


@dataclasses.dataclass
class Record:
    name: str
    tags: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    value: Any


@dataclasses.dataclass(eq=False)
class Node:
    """A record that hashes by identity, whatever it holds."""

    value: Any = None


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "wrong"


class Number(int):
    def __repr__(self):
        return "wrong"

    def __int__(self):
        return 0


class Real(float):
    def __repr__(self):
        return "wrong"

    def __float__(self):
        return 0.0


class Items(list):
    pass


class Missing(datetime):
    """Like the missing timestamp of a data-frame library."""

    def __eq__(self, other):
        return False

    __hash__ = datetime.__hash__

    def isoformat(self, *args, **kwargs):
        return "NaT"


class OwnPath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


class OwnDecimal(Decimal):
    pass


class OwnUUID(UUID):
    pass


class Multi(collections.UserDict):
    """A mapping that has a key twice."""

    def items(self):
        return [("a", 1), ("b", 2), ("a", 3)]


def nested(leaf, levels, wrap=lambda value: [value]):
    for _ in range(levels):
        leaf = wrap(leaf)
    return leaf


def culprit(value, convert=plain, field="value"):
    """Return the path that the refusal of a value names."""
    with pytest.raises(ConversionError) as caught:
        convert(value, field)
    assert str(caught.value) == f"{caught.value.path}: {caught.value.problem}"
    assert str(caught.value).isprintable()
    return caught.value.path


# What is taken

TAKEN = {
    "None": (None, None),
    "true": (True, True),
    "false": (False, False),
    "int": (-3, -3),
    "big int": (10**30, 10**30),
    "float": (1.5, 1.5),
    "negative zero": (-0.0, -0.0),
    "str": ("h\u00e9\n", "h\u00e9\n"),
    "list": ([1, [], "a"], [1, [], "a"]),
    "tuple": ((1, (2,)), [1, [2]]),
    "dict": ({"a": {"b": ()}}, {"a": {"b": []}}),
    "frozen": (freeze({"a": [1, {"b": (2,)}]}), {"a": [1, {"b": [2]}]}),
    "set": ({3, 1, 2}, [1, 2, 3]),
    "frozenset": (frozenset("cab"), ["a", "b", "c"]),
    "named tuple": (Point(1, [2]), {"x": 1, "y": [2]}),
    "dataclass": (Record("n", {"b", "a"}), {"name": "n", "tags": ["a", "b"]}),
    "slotted dataclass": (Slotted(Slotted(1)), {"value": {"value": 1}}),
    "enum": (Colour.RED, "red"),
    "enum of a tuple": (Colour.PAIR, [1, 2]),
    "enum of None": (Colour.NOTHING, None),
    "int enum": (Level.LOW, 1),
    "str enum": (Word.YES, "yes"),
    "flag": (Rights.READ | Rights.WRITE, 3),
    "str subclass": (Text("right"), "right"),
    "int subclass": (Number(5), 5),
    "float subclass": (Real(2.5), 2.5),
    "NaN subclass": (Real("nan"), None),
    "list subclass": (Items([1]), [1]),
    "dict subclass": (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    "Counter": (collections.Counter("aab"), {"a": 2, "b": 1}),
    "other mapping": (types.MappingProxyType({"a": 1}), {"a": 1}),
    "chain of mappings": (collections.ChainMap({"a": 1}, {"a": 2}), {"a": 1}),
    "date": (date(2026, 1, 2), "2026-01-02"),
    "time": (time(3, 4, 5), "03:04:05"),
    "naive datetime": (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05"),  # noqa: DTZ001
    "aware datetime": (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
    "offset": (datetime(2026, 1, 2, 0, 0, 0, 5, timezone(timedelta(hours=-1))), "2026-01-02T00:00:00.000005-01:00"),
    "missing datetime": (Missing(2026, 1, 2), None),
    "Decimal": (Decimal("10.50"), "10.50"),
    "Decimal with exponent": (Decimal("1E+3"), "1E+3"),
    "Decimal NaN": (Decimal("NaN"), "NaN"),
    "Decimal subclass": (OwnDecimal("0.10"), "0.10"),
    "UUID": (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    "UUID subclass": (OwnUUID(int=1), "00000000-0000-0000-0000-000000000001"),
    "path": (PurePosixPath("a/b"), "a/b"),
    "path of bytes": (OwnPath(b"caf\xe9"), "caf\ufffd"),
    "NaN": (math.nan, None),
    "infinity": ([math.inf, -math.inf, 1.5], [None, None, 1.5]),
}


@pytest.mark.parametrize(("value", "tree"), list(TAKEN.values()), ids=list(TAKEN))
def test_a_plain_value_has_a_json_form(value, tree):
    found = plain(value)
    assert found == tree
    assert type(found) is type(tree)
    assert json.loads(compact(value)) == tree
    assert plain({"k": [value]}) == {"k": [tree]}


def types_in(tree):
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return {type(tree)}.union(*map(types_in, children), map(type, tree if isinstance(tree, dict) else ()))


@pytest.mark.parametrize("value", [value for value, _ in TAKEN.values()], ids=list(TAKEN))
def test_a_json_form_is_made_of_exact_json_types(value):
    assert types_in(plain([value, {"k": value}])) <= {dict, list, str, int, float, bool, type(None)}


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(), "PT0S"),
        (timedelta(days=1), "P1D"),
        (timedelta(days=10, seconds=20), "P10DT20S"),
        (timedelta(seconds=100), "PT100S"),
        (timedelta(milliseconds=1500), "PT1.5S"),
        (timedelta(microseconds=1), "PT0.000001S"),
        (timedelta(days=2, microseconds=10), "P2DT0.00001S"),
        (timedelta(microseconds=-1), "-PT0.000001S"),
        (timedelta(days=-1), "-P1D"),
        (timedelta(days=-1, hours=-1), "-P1DT3600S"),
        (timedelta.max, "P999999999DT86399.999999S"),
        (timedelta.min, "-P999999999D"),
    ],
    ids=str,
)
def test_a_timedelta_is_an_iso_8601_duration(duration, text):
    assert plain(duration) == text


@pytest.mark.parametrize(
    ("items", "tree"),
    [
        ({10, 9, -1, 2.5}, [-1, 2.5, 9, 10]),
        ({"b", "a", "B"}, ["B", "a", "b"]),
        ({"10", 9}, ["10", 9]),
        ({(2, 1), (1, 3)}, [[1, 3], [2, 1]]),
        ({Slotted(2), Slotted(1)}, [{"value": 1}, {"value": 2}]),
        ({None, True, "x"}, ["x", None, True]),
        ({math.nan, 1.0, None}, [1.0, None, None]),
        (frozenset([frozenset("ba"), frozenset("c")]), [["a", "b"], ["c"]]),
        ({Level.LOW, 1.0}, [1]),
        (set(), []),
    ],
    ids=str,
)
def test_a_set_is_a_list_in_the_order_of_its_items_or_of_their_text(items, tree):
    assert plain(items) == tree


def in_other_processes(code):
    """Run code with several hash seeds and return what was printed, each outcome once."""
    return {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "0123"
    }


def test_the_text_of_a_set_does_not_depend_on_the_hash_seed():
    code = "from toolresult._json import compact; print(compact([set('hgfedcba'), {'b', 1, None, ('x', 'y')}]))"
    assert in_other_processes(code) == {'[["a","b","c","d","e","f","g","h"],["b",1,["x","y"],null]]\n'}


def test_the_path_of_a_refused_item_of_a_set_does_not_depend_on_the_hash_seed():
    code = """
from toolresult._json import plain
try:
    plain({"items": {"a", "b", "c", "d", "e", 1j}})
except TypeError as error:
    print(error.path)
"""
    assert len(in_other_processes(code)) == 1


# Text with surrogates


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud83d", "\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("a\ud83d\ud83d\ude00b", "a\ufffd\U0001f600b"),
    ],
    ids=ascii,
)
@pytest.mark.parametrize(
    "wrap",
    [lambda text: text, Text, lambda text: enum.Enum("E", {"a": text}).a, OwnPath],
    ids=["str", "subclass", "enum", "path"],
)
def test_a_pair_of_surrogates_becomes_its_character_and_a_lone_one_a_replacement(text, repaired, wrap):
    if wrap is OwnPath:
        repaired = Path(text).name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert plain(wrap(text)) == repaired
    assert plain({wrap(text): 1}) == {repaired: 1}
    assert compact([wrap(text)]).encode() == f'["{repaired}"]'.encode()


# Numbers


def test_integers_keep_every_digit_up_to_the_limit():
    largest = 10**4300 - 1
    assert compact([largest, -largest]) == f"[{'9' * 4300},-{'9' * 4300}]"
    assert parse(compact(largest)) == largest


@pytest.mark.parametrize(
    "value", [10**4300, -(10**4300), 1 << 10_000_000, Number(10**4300)], ids=["+", "-", "huge", "sub"]
)
@pytest.mark.parametrize("convert", [plain, compact, canonical])
def test_an_integer_over_the_limit_of_digits_is_refused_with_its_path(value, convert):
    assert culprit({"a": [0, value]}, convert) == "value.a[1]"
    assert culprit({"a": {value: 0}}, convert) == "value.a[int]" or type(value) is not int


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, Real("nan")], ids=str)
def test_what_is_not_finite_is_null_except_in_canonical_text(value):
    assert compact({"a": [value]}) == '{"a":[null]}'
    assert culprit({"a": [value]}, canonical) == "value.a[0]"
    assert culprit([{value}], canonical) == f"value[0][{type(value).__name__}]"
    assert culprit([Slotted((value,))], canonical) == "value[0].value[0]"
    assert culprit(Point(1, {"k": value}), canonical) == "value.y.k"
    assert culprit(enum.Enum("E", {"a": value}).a, canonical) == "value"


# Keys


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("a", "a"),
        (Text("right"), "right"),
        (1, "1"),
        (Number(7), "7"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (Colour.RED, "red"),
        (Level.LOW, "1"),
        (Word.YES, "yes"),
        (date(2026, 1, 2), "2026-01-02"),
        (timedelta(days=1), "P1D"),
        (Decimal("1.50"), "1.50"),
        (OwnDecimal("1.50"), "1.50"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (OwnUUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("a/b"), "a/b"),
    ],
    ids=repr,
)
def test_a_key_is_the_text_of_its_json_form(key, text):
    assert plain({key: 1}) == {text: 1}


@pytest.mark.parametrize("key", [math.nan, math.inf])
def test_a_key_that_is_not_finite_is_null_except_in_canonical_text(key):
    assert plain({key: 1}) == {"null": 1}
    with pytest.raises(ConversionError) as caught:
        canonical({"a": [{key: 1}]})
    assert caught.value.path == "value.a[0][float]"


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        (b"secret", "bytes"),
        (("secret",), "tuple"),
        (frozenset(["secret"]), "frozenset"),
        (Point(1), "Point"),
        (Colour.PAIR, "Colour"),
        (Slotted("secret"), "Slotted"),
        (object(), "object"),
        (10**4300, "int"),
        (ContentPart.from_text("secret"), "ContentPart"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("convert", [plain, canonical])
def test_a_key_without_a_json_form_is_refused_by_its_type(key, shown, convert):
    with pytest.raises(ConversionError) as caught:
        convert({"a": [{key: 1}]})
    assert caught.value.path == f"value.a[0][{shown}]"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("mapping", "path"),
    [
        ({1: "a", "1": "b"}, "value['1']"),
        ({"1": "a", 1: "b"}, "value[1]"),
        ({True: "a", "true": "b"}, "value.true"),
        ({None: "a", "null": "b"}, "value.null"),
        ({1.5: "a", "1.5": "b"}, "value['1.5']"),
        ({Decimal(2): "a", 2.5: "b", "2": "c"}, "value['2']"),
        ({date(2026, 1, 2): 1, "2026-01-02": 2}, "value['2026-01-02']"),
        (dict.fromkeys(["\ud800", "\udfff"]), "value['\\udfff']"),
        ({"\ud83d\ude00": 1, "\U0001f600": 2}, "value['\U0001f600']"),
        ({Colour.RED: 1, "red": 2}, "value.red"),
        (Multi(), "value.a"),
    ],
    ids=ascii,
)
def test_two_keys_that_become_the_same_text_are_refused(mapping, path):
    assert culprit(mapping) == path
    assert culprit([mapping], canonical) == path.replace("value", "value[0]")


# What is refused


@pytest.mark.parametrize(
    "value",
    [
        b"secret",
        bytearray(b"secret"),
        memoryview(b"secret"),
        object(),
        1j,
        range(3),
        (n for n in ()),
        iter([]),
        {}.keys(),
        collections.deque([1]),
        len,
        lambda: None,
        Record,
        int,
        Ellipsis,
        NotImplemented,
        ValueError("secret"),
        UTC,
        json,
        ContentPart.from_text("secret"),
        ToolResult.ok("secret"),
        Request("input", "secret", id="1"),
        Answer("1", ok=True, data="secret"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("convert", [plain, compact, canonical])
def test_a_value_without_a_json_form_is_refused_by_path_and_type(value, convert):
    with pytest.raises(ConversionError) as caught:
        convert({"hits": [0, {"when": value}]})
    assert caught.value.path == "value.hits[1].when"
    assert type(value).__name__ in caught.value.problem
    assert "secret" not in str(caught.value)
    assert "0x" not in str(caught.value)
    assert culprit(value, convert) == "value"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([[0], [0, object()]], "value[1][1]"),
        (({"a": (object(),)},), "value[0].a[0]"),
        ({"a b": object()}, "value['a b']"),
        ({"": object()}, "value['']"),
        ({"a\n": object()}, "value['a\\n']"),
        ({"x" * 41: object()}, f"value['{'x' * 39}…']"),
        ({3: object()}, "value[3]"),
        ({None: object()}, "value[NoneType]"),
        (Point(1, object()), "value.y"),
        (Record(object()), "value.name"),
        (Slotted([object()]), "value.value[0]"),
        ({1: {2: [object()]}}, "value[1][2][0]"),
        ({object()}, "value[object]"),
        (Colour, "value"),
    ],
    ids=repr,
)
def test_the_path_leads_to_the_culprit(value, path):
    assert culprit(value) == path


def test_the_path_begins_with_the_field():
    assert culprit([object()], field="metadata") == "metadata[0]"
    assert culprit([object()], compact, "metadata") == "metadata[0]"
    assert culprit([object()], canonical, "metadata") == "metadata[0]"


def test_a_field_of_a_record_that_cannot_be_read_is_refused_with_its_path():
    record = Record("n")
    del record.tags
    assert culprit([record]) == "value[0].tags"


class BadMapping(collections.UserDict):
    def items(self):
        raise KeyError("secret")


class OddMapping(collections.UserDict):
    def items(self):
        return [1]


class BadList(list):
    def __iter__(self):
        raise KeyError("secret")


class BadTuple(tuple):
    __slots__ = ()
    _fields = ("a",)


class OddTuple(tuple):
    __slots__ = ()
    _fields = 3


class BadSet(set):
    def __iter__(self):
        raise KeyError("secret")


class BadDate(date):
    def __eq__(self, other):
        raise KeyError("secret")

    __hash__ = date.__hash__


class BadPath:
    def __fspath__(self):
        raise KeyError("secret")


class BadDecimal(Decimal):
    def __str__(self):
        raise KeyError("secret")


class BadUUID(UUID):
    def __str__(self):
        raise KeyError("secret")


class BadRecord(Node):
    @property
    def value(self):
        raise KeyError("secret")

    @value.setter
    def value(self, value):
        pass


class BadEnum(enum.Enum):
    A = 1

    @property
    def value(self):
        raise KeyError("secret")


@pytest.mark.parametrize(
    "value",
    [
        BadMapping(),
        OddMapping(),
        BadTuple((1, 2)),
        BadDate(2026, 1, 2),
        datetime(2026, 1, 2, tzinfo=tzinfo()),
        BadPath(),
        OwnPath(3),
        BadRecord(),
        BadEnum.A,
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_foreign_value_that_fails_to_be_read_is_one_typed_error_with_its_path(value):
    with pytest.raises(ConversionError) as caught:
        plain({"hits": [0, value]})
    assert caught.value.path.startswith("value.hits[1]")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (BadList([1]), [1]),
        (OddTuple((1, 2)), [1, 2]),
        (BadSet([1]), [1]),
        (BadDecimal(1), "1"),
        (BadUUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_subclass_holds_is_read_past_its_methods(value, tree):
    assert plain({"hits": [value]}) == {"hits": [tree]}


def test_an_interrupt_while_reading_a_foreign_value_passes():
    class Slow(collections.UserDict):
        def items(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plain(Slow())


# Depth and cycles


@pytest.mark.parametrize(
    "wrap",
    [
        lambda value: [value],
        lambda value: (value,),
        lambda value: {"k": value},
        lambda value: frozenset([value]),
        lambda value: Point(1, value),
        Slotted,
        lambda value: types.MappingProxyType({"k": value}),
    ],
    ids=["list", "tuple", "dict", "set", "named tuple", "dataclass", "mapping"],
)
def test_a_hundred_containers_are_taken_and_no_more(wrap):
    taken = nested(1, 100, wrap)
    assert json.loads(compact(taken)) == plain(taken)
    culprit(wrap(taken))


@pytest.mark.parametrize(
    "leaf",
    [
        1,
        1.5,
        "x",
        None,
        Text("x"),
        Number(1),
        Real(1),
        Level.LOW,
        date(2026, 1, 2),
        timedelta(1),
        Decimal(1),
        UUID(int=1),
        PurePosixPath("x"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_scalar_of_any_type_is_no_container_of_the_hundred(leaf):
    assert plain(nested(leaf, 100)) == nested(plain(leaf), 100)


def cyclic_list():
    items = [0]
    items.append(items)
    return items


def cyclic_dict():
    mapping = {}
    mapping["again"] = [mapping]
    return mapping


def cyclic_record():
    node = Node()
    node.value = (node,)
    return node


def cyclic_mapping():
    mapping = collections.UserDict()
    mapping["again"] = mapping
    return mapping


class Endless(enum.Enum):
    A = 1

    @property
    def value(self):
        return self


@pytest.mark.parametrize("make", [cyclic_list, cyclic_dict, cyclic_record, cyclic_mapping, lambda: Endless.A])
@pytest.mark.parametrize("convert", [plain, compact, canonical])
def test_a_cycle_is_refused_with_a_short_path(make, convert):
    path = culprit({"start": make()}, convert)
    assert path.startswith("value.start")
    assert len(path) <= 160


def cyclic_key():
    node = Node()
    node.value = {node: 1}
    return node


@pytest.mark.parametrize(
    "value",
    [
        cyclic_key(),
        nested(1, 1_000, lambda value: Node({value: 1})),
    ],
    ids=["a record that is a key in itself", "records as keys"],
)
def test_keys_that_are_nested_without_end_are_one_typed_error(value):
    assert culprit(value).startswith("value")


def test_nesting_far_beyond_the_limit_is_one_typed_error():
    assert len(culprit(nested(1, 100_000))) <= 160
    assert len(culprit(nested(1, 100_000, lambda value: {"k": value}))) <= 160


def test_what_is_shared_but_not_cyclic_is_written_each_time():
    shared = {"a": [1]}
    assert compact([shared, shared]) == '[{"a":[1]},{"a":[1]}]'


# Texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1, 2.5, None, True]}, '{"b":1,"a":[1,2.5,null,true]}'),
        ("\u65e5\u672c \u2028 \U0001f600", '"\u65e5\u672c \u2028 \U0001f600"'),
        ('quote " backslash \\ tab \t nul \0 escape \x1b', r'"quote \" backslash \\ tab \t nul \u0000 escape \u001b"'),
        ([], "[]"),
        ({}, "{}"),
        (False, "false"),
        (1e100, "1e+100"),
        (10.0, "10.0"),
        ("", '""'),
    ],
    ids=ascii,
)
def test_compact_text_has_no_white_space_and_keeps_the_order_of_keys(value, text):
    assert compact(value) == text


def test_canonical_text_is_equal_whatever_the_order_of_keys():
    assert canonical({"b": [{"y": 1, "x": 2}], "a": {3, 1, 2}}) == '{"a":[1,2,3],"b":[{"x":2,"y":1}]}'
    assert canonical({2: "a", 10: "b"}) == canonical({10: "b", 2: "a"}) == '{"10":"b","2":"a"}'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (10, 10.0),
        (True, 1),
        (0, False),
        ("1", 1),
        (None, "null"),
        (0.0, -0.0),
        ([], {}),
        ([1, 2], [2, 1]),
        ({"a": None}, {}),
        (10**16, 1e16),
    ],
    ids=repr,
)
def test_canonical_text_tells_apart_what_json_tells_apart(one, other):
    assert canonical({"k": one}) != canonical({"k": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, 2), [1, 2]),
        (Point(1, 2), {"y": 2, "x": 1}),
        (Decimal("1.0"), "1.0"),
        ("\ud83d\ude00", "\U0001f600"),
        (Colour.RED, "red"),
        ({1: 2}, {"1": 2}),
    ],
    ids=ascii,
)
def test_canonical_text_is_equal_for_one_json_form(one, other):
    assert canonical([one]) == canonical([other])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_what_json_holds_comes_back_from_its_text_unchanged(value):
    assert plain(value) == value
    for text in (compact(value), canonical(value)):
        assert json.loads(text) == value
        assert canonical(parse(text)) == canonical(value)


# Reading


@pytest.mark.parametrize(
    ("text", "value"),
    [(" [1, 2.5, null] ", [1, 2.5, None]), ('{"a": true}', {"a": True}), ('"\\ud83d\\ude00"', "\U0001f600"), ("-0", 0)],
)
def test_json_text_is_read(text, value):
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "NaN",
        "[Infinity]",
        '{"a": -Infinity}',
        "nul",
        "{'a': 1}",
        '{"a": 1,}',
        "[1] 2",
        "01",
        ".5",
        "1.",
        '"\t"',
        '"\\x"',
        '"open',
        "\ufeff[]",
        "9" * 4301,
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_whatever_is_wrong_with_json_text_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["1e400", "[-1e400]", '{"a": 1, "a": 2}', '[{"a": 1, "b": 2, "a": 1}]'],
    ids=["too large", "too small", "key twice", "key twice inside"],
)
def test_json_text_that_would_be_read_as_something_else_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        parse(text)


# Tab-separated text


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], ""),
        ([["a", "b"], [1, 2]], "a\tb\n1\t2"),
        ([[1], [2, 3], []], "1\n2\t3\n"),
        ([[None, math.nan, True, False, 1.5, 10**20]], "\t\ttrue\tfalse\t1.5\t100000000000000000000"),
        ([["a\tb", "a\nb", "a\rb", "a\\b", "\\n"]], "a\\tb\ta\\nb\ta\\rb\ta\\\\b\t\\\\n"),
        ([['"quoted"', "'", "a,b", " "]], '"quoted"\t\'\ta,b\t '),
        ([[{"a": "x\ty"}, [1, "\\"], (2,)]], '{"a":"x\\\\ty"}\t[1,"\\\\\\\\"]\t[2]'),
        ([[date(2026, 1, 2), Decimal("1.50"), Colour.RED]], "2026-01-02\t1.50\tred"),
        ([["\ud800", "\ud83d\ude00"]], "\ufffd\t\U0001f600"),
        ([Point(1, 2), (3, 4)], "1\t2\n3\t4"),
        ((row for row in ([1], (cell for cell in "ab"))), "1\na\tb"),
        ([{"a": 1, "b": 2}], "a\tb\n1\t2"),
        ([{"b": 1}, {"a": 2, "b": 3}, {}], "b\ta\n1\t\n3\t2\n\t"),
        ([{"x\ty": "\n"}], "x\\ty\n\\n"),
        ([{1: "a", None: "b"}, {False: "c"}], "1\t\tfalse\na\tb\t\n\t\tc"),
        ([{}], ""),
        ([types.MappingProxyType({"a": None})], "a\n"),
        ([collections.defaultdict(list, a=1), {"b": 2}], "a\tb\n1\t\n\t2"),
    ],
    ids=lambda value: ascii(value) if isinstance(value, str) else None,
)
def test_rows_are_written_as_tab_separated_lines(rows, text):
    assert tsv(rows) == text


@given(st.lists(st.lists(st.text(), min_size=1), min_size=1))
def test_cells_of_text_come_back_from_their_escapes(rows):
    names = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}

    def unescape(cell):
        pieces = cell.split("\\\\")
        for written, meant in list(names.items())[1:]:
            pieces = [piece.replace(written, meant) for piece in pieces]
        return "\\".join(pieces)

    lines = [line.split("\t") for line in tsv(rows).split("\n")]
    assert [[unescape(cell) for cell in line] for line in lines] == rows


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ([["a"], "text"], "rows[1]"),
        ([b"ab"], "rows[0]"),
        ([bytearray(b"ab")], "rows[0]"),
        ([memoryview(b"ab")], "rows[0]"),
        ([[1], 2], "rows[1]"),
        ([None], "rows[0]"),
        ("text", "rows[0]"),
        ({"a": [1], "b": [2]}, "rows[0]"),
        ([Record("n")], "rows[0]"),
        ([{"a": 1}, [1]], "rows[1]"),
        ([[1], {"a": 1}], "rows[0]"),
        ([{"a": 1}, "text"], "rows[1]"),
        ([{"a": 1}, None], "rows[1]"),
        ([[1, 2], [3, b"x"]], "rows[1][1]"),
        ([[1, {"a": [object()]}]], "rows[0][1].a[0]"),
        ([{"a": 1}, {"b": b"x"}], "rows[1][1]"),
        ([{b"k": 1}], "rows[0][0]"),
        ([[10**4300]], "rows[0][0]"),
        ([[ContentPart.from_text("x")]], "rows[0][0]"),
        ([nested(1, 102)], "rows[0][0]" + "[0]" * 100),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_row_or_cell_that_cannot_be_written_is_refused_with_its_place(rows, path):
    with pytest.raises(ConversionError) as caught:
        tsv(rows)
    assert caught.value.path == (path if len(path) <= 160 else f"{path[:100]}…{path[-50:]}")


def test_the_place_of_a_cell_begins_with_the_field():
    with pytest.raises(ConversionError) as caught:
        tsv([[object()]], "table")
    assert caught.value.path == "table[0][0]"


def test_a_key_that_fails_to_be_read_is_one_typed_error_with_its_path():
    class Moment(date):
        def isoformat(self):
            raise RuntimeError("secret")

    with pytest.raises(ConversionError) as caught:
        plain({"a": {Moment(2026, 1, 2): 1}})
    assert caught.value.path == "value.a[Moment]"
    assert "secret" not in str(caught.value)


class BadRow:
    """A row that cannot be read."""

    def __iter__(self):
        raise KeyError("secret")


def test_a_row_that_fails_to_be_read_is_one_typed_error_with_its_place():
    with pytest.raises(ConversionError) as caught:
        tsv([["a"], BadRow()])
    assert caught.value.path == "rows[1]"
    assert "secret" not in str(caught.value)


class Hue(enum.Enum):
    RED = "red"


class Alias(enum.Enum):
    RED = Hue.RED


class Circular(enum.Enum):
    RED = "red"

    @property
    def value(self):
        return self


def test_a_member_whose_value_is_a_member_is_the_value_of_that():
    assert plain({Alias.RED: [Alias.RED]}) == {"red": ["red"]}


def test_a_member_that_is_its_own_value_is_one_typed_error():
    with pytest.raises(ConversionError) as caught:
        plain([Circular.RED])
    assert caught.value.path == "value[0]"


def test_a_full_call_stack_says_nothing_about_the_value():
    @dataclasses.dataclass
    class Row:
        name: str

        def __getattribute__(self, key):
            if key == "name":
                raise RecursionError
            return super().__getattribute__(key)

    with pytest.raises(ConversionError, match="call stack"):
        plain(Row("x"))
