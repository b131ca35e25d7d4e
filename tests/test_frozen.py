"""Immutability: the deep freeze, the frozen dict and list, and the manners that all value types share."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import operator
import pickle
import sys
import typing
from collections import OrderedDict, UserDict, defaultdict, deque
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from types import MappingProxyType, SimpleNamespace
from unittest import mock

import pytest

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult._frozen import FrozenDict, FrozenList, freeze

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)

PART = ContentPart("image", data=b"\x89PNG", mime_type="image/png", name="a.png", metadata={"page": [1]})
REQUEST = Request(
    "approval",
    "Delete 3 files?",
    id="call-1:0",
    url="https://host.test/approve",
    data={"arguments": {"count": 3}},
    expires_at=datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC),
)
VALUES = [
    ToolResult("done", parts=[PART], metadata={"ids": [1, 2], "nested": {"a": (1, [2])}}),
    ToolResult.pending(REQUEST),
    PART,
    ContentPart("hologram", raw={"type": "hologram", "depth": [1]}),
    REQUEST,
    Answer("call-1:0", False, data={"comment": "no"}, reason="declined"),
]
VALUE_IDS = ["result", "pending result", "part", "unknown part", "request", "answer"]
each_value = pytest.mark.parametrize("value", VALUES, ids=VALUE_IDS)


class RefusesToCompare:
    def __eq__(self, other):
        raise RuntimeError("ask me something else")

    def __hash__(self):
        return 1


class AnswersWithoutTruth:
    """Compares like an array: the answer is no bool and has no truth."""

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("the truth value is ambiguous")

    def __hash__(self):
        return 1


class Node:
    """A foreign object that can be part of a cycle."""

    def __init__(self, label):
        self.label = label
        self.link = None


class Text(str):
    __slots__ = ()


class IdentityText(str):
    """Two of these are different keys of one dict although they are the same text."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


def nest(levels: int, leaf: object, make=lambda inner: [inner]):
    nested = leaf
    for _ in range(levels):
        nested = make(nested)
    return nested


@pytest.mark.parametrize(
    "source",
    [
        {},
        [],
        {"a": 1},
        [1, "b", None],
        {"a": {"b": [1, {"c": []}]}},
        [[{"a": ()}]],
        {1: "int key", (1, 2): "tuple key"},
    ],
    ids=repr,
)
def test_a_frozen_container_equals_its_source_and_is_still_a_dict_or_list(source):
    frozen = freeze(source)
    assert frozen == source
    assert source == frozen
    assert isinstance(frozen, type(source))
    assert repr(frozen) == repr(source)
    assert len(frozen) == len(source)


@pytest.mark.parametrize(
    "source",
    [{"a": {"b": [1, {"c": None}]}}, [[1, 2.5], [], {}], {"t": (1, [2])}],
    ids=repr,
)
def test_frozen_containers_are_written_as_json_like_plain_ones(source):
    frozen = freeze(source)
    assert json.dumps(frozen) == json.dumps(source)
    assert json.dumps(frozen, indent=1) == json.dumps(source, indent=1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ((1, 2), (1, 2)),
        ({1, 2}, frozenset({1, 2})),
        (frozenset({1, 2}), frozenset({1, 2})),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd")[1:3], b"bc"),
        (memoryview(bytearray(b"ab")), b"ab"),
        ({(1, 2)}, frozenset({(1, 2)})),
    ],
    ids=["tuple", "set", "frozenset", "bytearray", "memoryview", "writable memoryview", "set of tuples"],
)
def test_other_containers_become_their_immutable_twin(source, expected):
    frozen = freeze(source)
    assert frozen == expected
    assert type(frozen) is type(expected)


def test_freezing_reaches_through_every_kind_of_container():
    frozen = freeze({"list": [{"tuple": ([bytearray(b"x")], {1})}]})
    inner = frozen["list"][0]["tuple"]
    assert [type(level) for level in (frozen, frozen["list"], frozen["list"][0], inner, inner[0], inner[0][0])] == [
        FrozenDict,
        FrozenList,
        FrozenDict,
        tuple,
        FrozenList,
        bytes,
    ]
    assert inner == ([b"x"], frozenset({1}))


def test_later_changes_of_the_source_do_not_reach_the_snapshot():
    source = {"a": {"b": [1]}, "buffer": bytearray(b"x"), "set": {1}}
    frozen = freeze(source)
    source["a"]["b"].append(2)
    source["a"]["new"] = True
    source["buffer"][:] = b"changed"
    source["set"].add(2)
    source.clear()
    assert frozen == {"a": {"b": [1]}, "buffer": b"x", "set": frozenset({1})}


DICT_CHANGES = {
    "setitem": lambda d: operator.setitem(d, "a", 2),
    "setitem of a new key": lambda d: operator.setitem(d, "new", 2),
    "delitem": lambda d: operator.delitem(d, "a"),
    "clear": lambda d: d.clear(),
    "pop": lambda d: d.pop("a"),
    "pop with default": lambda d: d.pop("missing", None),
    "popitem": lambda d: d.popitem(),
    "setdefault": lambda d: d.setdefault("new", 1),
    "setdefault of a known key": lambda d: d.setdefault("a", 1),
    "update with a mapping": lambda d: d.update({"a": 2}),
    "update with keywords": lambda d: d.update(a=2),
    "update with nothing": lambda d: d.update(),
    "ior": lambda d: operator.ior(d, {"a": 2}),
    "setattr": lambda d: setattr(d, "note", 1),
    "setattr of __class__": lambda d: setattr(d, "__class__", dict),
    "setattr of __class__ to a subclass": lambda d: setattr(d, "__class__", OrderedDict),
    "delattr": lambda d: delattr(d, "items"),
}

LIST_CHANGES = {
    "setitem": lambda x: operator.setitem(x, 0, 9),
    "setitem of a slice": lambda x: operator.setitem(x, slice(None), []),
    "delitem": lambda x: operator.delitem(x, 0),
    "delitem of a slice": lambda x: operator.delitem(x, slice(None)),
    "append": lambda x: x.append(4),
    "clear": lambda x: x.clear(),
    "extend": lambda x: x.extend([4]),
    "insert": lambda x: x.insert(0, 4),
    "pop": lambda x: x.pop(),
    "remove": lambda x: x.remove(3),
    "reverse": lambda x: x.reverse(),
    "sort": lambda x: x.sort(),
    "sort with a key": lambda x: x.sort(key=lambda n: -n),
    "iadd": lambda x: operator.iadd(x, [4]),
    "imul": lambda x: operator.imul(x, 2),
    "setattr": lambda x: setattr(x, "note", 1),
    "setattr of __class__": lambda x: setattr(x, "__class__", list),
    "delattr": lambda x: delattr(x, "append"),
}


@pytest.mark.parametrize("change", DICT_CHANGES.values(), ids=DICT_CHANGES)
def test_a_frozen_dict_refuses_every_change(change):
    frozen = freeze({"a": 1, "b": [2]})
    with pytest.raises(TypeError, match="frozen"):
        change(frozen)
    assert frozen == {"a": 1, "b": [2]}
    assert type(frozen) is FrozenDict


@pytest.mark.parametrize("change", LIST_CHANGES.values(), ids=LIST_CHANGES)
def test_a_frozen_list_refuses_every_change(change):
    frozen = freeze([3, 1, 2])
    with pytest.raises(TypeError, match="frozen"):
        change(frozen)
    assert frozen == [3, 1, 2]
    assert type(frozen) is FrozenList


READ_ONLY = {
    dict: {"__or__", "__ror__", "copy", "fromkeys", "get", "items", "keys", "values"},
    list: {"__add__", "__mul__", "__rmul__", "copy", "count", "index"},
}
READ_ONLY_ANYWHERE = {
    "__class_getitem__",
    "__contains__",
    "__dir__",
    "__eq__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getitem__",
    "__getstate__",
    "__gt__",
    "__iter__",
    "__le__",
    "__len__",
    "__lt__",
    "__ne__",
    "__reduce_ex__",
    "__repr__",
    "__reversed__",
    "__sizeof__",
    "__str__",
    "__subclasshook__",
}


@pytest.mark.parametrize(("frozen", "plain"), [(FrozenDict, dict), (FrozenList, list)], ids=["dict", "list"])
def test_no_method_is_inherited_that_is_not_known_to_read_only(frozen, plain):
    own = {name for base in frozen.__mro__ if base not in (plain, object) for name in vars(base)}
    inherited = {name for name in dir(plain) if callable(getattr(plain, name))} - own - {"__class__"}
    assert inherited - READ_ONLY_ANYWHERE - READ_ONLY[plain] == set()


def test_calling_init_again_changes_nothing():
    frozen_dict, frozen_list = freeze({"a": 1}), freeze([1])
    with contextlib.suppress(TypeError):
        frozen_dict.__init__({"a": 2, "b": 3})
    with contextlib.suppress(TypeError):
        frozen_list.__init__([2, 3])
    assert frozen_dict == {"a": 1}
    assert frozen_list == [1]


def test_augmented_assignment_leaves_the_frozen_container_as_it_was():
    frozen_dict, frozen_list = freeze({"a": 1}), freeze([1])
    alias_dict, alias_list = frozen_dict, frozen_list
    with pytest.raises(TypeError, match="frozen"):
        frozen_dict |= {"b": 2}
    with pytest.raises(TypeError, match="frozen"):
        frozen_list += [2]
    assert alias_dict == {"a": 1}
    assert alias_list == [1]


def test_new_containers_made_of_frozen_ones_are_plain_and_can_be_changed():
    frozen_dict, frozen_list = freeze({"a": 1}), freeze([2, 1])
    made = [
        frozen_dict | {"b": 2},
        {"b": 2} | frozen_dict,
        dict(frozen_dict),
        frozen_dict.copy(),
        frozen_list.__add__([3]),
        frozen_list * 2,
        frozen_list[:],
        list(frozen_list),
        frozen_list.copy(),
        sorted(frozen_list),
    ]
    assert made == [
        {"a": 1, "b": 2},
        {"b": 2, "a": 1},
        {"a": 1},
        {"a": 1},
        [2, 1, 3],
        [2, 1, 2, 1],
        [2, 1],
        [2, 1],
        [2, 1],
        [1, 2],
    ]
    assert {type(value) for value in made} == {dict, list}


def test_the_refusal_says_how_to_get_something_that_can_be_changed():
    with pytest.raises(TypeError, match=r"dict\("):
        freeze({}).clear()
    with pytest.raises(TypeError, match=r"list\("):
        freeze([]).clear()


def test_constructors_of_the_frozen_containers_freeze_what_they_take():
    source = {"a": [1]}
    frozen_dict, frozen_list = FrozenDict(source, b=[2]), FrozenList([n] for n in (1, 2))
    source["a"].append(9)
    assert frozen_dict == {"a": [1], "b": [2]}
    assert type(frozen_dict["a"]) is FrozenList
    assert frozen_list == [[1], [2]]
    assert type(frozen_list[0]) is FrozenList


@pytest.mark.parametrize("kind", [FrozenDict, FrozenList, ToolResult, ContentPart, Request, Answer])
def test_subclassing_is_refused_at_run_time(kind):
    with pytest.raises(TypeError, match="final"):
        type("Sub", (kind,), {})


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_frozen_containers_pickle_as_plain_ones(protocol):
    again = pickle.loads(pickle.dumps(freeze({"a": [1, {"b": []}], "t": ([1],)}), protocol))
    assert again == {"a": [1, {"b": []}], "t": ([1],)}
    assert [type(level) for level in (again, again["a"], again["a"][1], again["a"][1]["b"], again["t"][0])] == [
        dict,
        list,
        dict,
        list,
        list,
    ]


def test_a_pickle_names_no_class_of_ours_for_plain_data():
    assert b"toolresult" not in pickle.dumps(freeze({"a": [1, {"b": []}]}))


def test_copies_of_frozen_plain_data_are_the_same_object():
    frozen = freeze({"a": [1, {"b": (1, [2])}]})
    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen
    assert copy.copy(frozen["a"]) is frozen["a"]
    assert copy.deepcopy([frozen, frozen["a"]]) == [frozen, frozen["a"]]
    assert copy.deepcopy([frozen, frozen["a"]])[1] is frozen["a"]


@pytest.mark.parametrize(
    "foreign",
    [
        Node("n"),
        SimpleNamespace(a=[1]),
        OrderedDict(a=[1]),
        defaultdict(list, a=[1]),
        type("MyDict", (dict,), {})(a=[1]),
        type("MyList", (list,), {})([[1]]),
        deque([1]),
        MappingProxyType({"a": [1]}),
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_foreign_objects_are_kept_by_reference(foreign):
    assert freeze(foreign) is foreign
    assert freeze({"x": [foreign]})["x"][0] is foreign
    assert ToolResult(metadata={"x": foreign}).metadata["x"] is foreign


def test_deepcopy_copies_foreign_objects_and_keeps_the_rest_frozen():
    node = Node("n")
    result = ToolResult("x", metadata={"plain": [1, [2]], "deep": [{"node": node}]})
    twin = copy.deepcopy(result)
    copied = twin.metadata["deep"][0]["node"]
    assert copied is not node
    assert copied.label == "n"
    assert twin.metadata["plain"] is result.metadata["plain"]
    assert [type(level) for level in (twin, twin.metadata, twin.metadata["deep"], twin.metadata["deep"][0])] == [
        ToolResult,
        FrozenDict,
        FrozenList,
        FrozenDict,
    ]


def test_deepcopy_copies_what_is_foreign_in_parts_requests_and_answers():
    node = Node("n")
    part = ContentPart("text", text="x", metadata={"node": node})
    result = ToolResult(parts=[part, part])
    request = Request("input", "Name?", id="r", data={"node": node})
    answer = Answer("r", True, data=node)
    copied = copy.deepcopy((result, part, request, answer))
    nodes = [
        copied[0].parts[0].metadata["node"],
        copied[0].parts[1].metadata["node"],
        copied[1].metadata["node"],
        copied[2].data["node"],
        copied[3].data,
    ]
    assert [copy_of.label for copy_of in nodes] == ["n"] * 5
    assert {id(copy_of) for copy_of in nodes} == {id(nodes[0])}
    assert nodes[0] is not node
    assert copied[0].parts[0] is copied[0].parts[1] is copied[1]


def test_an_object_that_stands_twice_is_copied_once():
    node = Node("n")
    twin = copy.deepcopy(ToolResult(metadata={"a": node, "b": [node]}))
    assert twin.metadata["a"] is twin.metadata["b"][0]
    assert twin.metadata["a"] is not node


def test_deepcopy_closes_a_cycle_through_a_foreign_object():
    node = Node("n")
    result = ToolResult("x", metadata={"inner": [node]})
    node.link = result
    twin = copy.deepcopy(result)
    copied = twin.metadata["inner"][0]
    assert twin is not result
    assert copied is not node
    assert copied.link is twin
    assert result.metadata["inner"][0] is node


def test_deepcopy_that_starts_at_the_foreign_object_closes_the_cycle_too():
    node = Node("n")
    node.link = ToolResult("x", metadata={"inner": [node]})
    copied = copy.deepcopy(node)
    assert copied.link is not node.link
    assert copied.link.metadata["inner"][0] is copied


@pytest.mark.parametrize("wrap", [lambda x: {0: x}, lambda x: [x]], ids=["dict", "list"])
def test_deepcopy_of_a_frozen_container_closes_a_cycle_through_a_foreign_object(wrap):
    node = Node("n")
    node.link = frozen = freeze(wrap(node))
    twin = copy.deepcopy(frozen)
    assert type(twin) is type(frozen)
    assert twin[0] is not node
    assert twin[0].link is twin


def test_a_cycle_through_a_foreign_object_is_no_cycle_of_ours():
    node = Node("n")
    node.link = holder = {"node": node}
    frozen = freeze(holder)
    assert frozen["node"] is node
    assert repr(ToolResult(metadata={"node": node})) == "ToolResult(output='', metadata={node})"


def dict_cycle():
    cycle = {}
    cycle["again"] = cycle
    return cycle


def list_cycle():
    cycle = []
    cycle.append(cycle)
    return cycle


def tuple_cycle():
    inner = []
    inner.append((inner,))
    return inner


def long_cycle():
    cycle = {"secret": "hunter2", "a": [0, {"b": ()}]}
    cycle["a"][1]["b"] = ({"up": cycle},)
    return cycle


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (dict_cycle, "metadata.x.again:"),
        (list_cycle, "metadata.x[0]:"),
        (tuple_cycle, "metadata.x[0][0]:"),
        (long_cycle, "metadata.x.a[1].b[0].up:"),
    ],
    ids=["dict", "list", "tuple", "long way round"],
)
def test_a_cycle_is_refused_with_its_path(make, path):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the start of the message is asserted below
        ToolResult(metadata={"fine": [1], "x": make()})
    assert str(caught.value).startswith(path)
    assert "hunter2" not in str(caught.value)
    assert not isinstance(caught.value.__cause__ or caught.value.__context__, RecursionError)


KINDS_OF_NESTING = {
    "lists": lambda inner: [inner],
    "dicts": lambda inner: {"a": inner},
    "tuples": lambda inner: (inner,),
    "lists and dicts": lambda inner: [{"a": inner}][0] if isinstance(inner, list) else [inner],
}


@pytest.mark.parametrize("make", KINDS_OF_NESTING.values(), ids=KINDS_OF_NESTING)
def test_a_hundred_nested_containers_are_the_limit(make):
    assert freeze(nest(100, "leaf", make)) == nest(100, "leaf", make)
    with pytest.raises(ValueError, match=r"^value[.\[].*100"):
        freeze(nest(101, "leaf", make))


def test_sets_count_as_a_level_like_any_container():
    assert freeze(nest(100, 1, lambda inner: frozenset([inner]))) is not None
    with pytest.raises(ValueError, match=r"^value.*100"):
        freeze(nest(101, 1, lambda inner: frozenset([inner])))


@pytest.mark.parametrize(
    ("leaf", "frozen_leaf"),
    [(b"x", b"x"), (bytearray(b"x"), b"x"), (memoryview(b"x"), b"x"), (None, None)],
    ids=["bytes", "bytearray", "memoryview", "None"],
)
def test_a_leaf_is_no_level_whatever_its_type(leaf, frozen_leaf):
    assert freeze(nest(100, leaf)) == nest(100, frozen_leaf)


def test_the_mapping_itself_is_the_first_level_of_metadata():
    assert ToolResult(metadata={"a": nest(99, 1)}).metadata == {"a": nest(99, 1)}
    with pytest.raises(ValueError, match=r"^metadata\.a\[0\]"):
        ToolResult(metadata={"a": nest(100, 1)})


@pytest.mark.parametrize("levels", [101, 100_000], ids=str)
def test_too_deep_data_is_a_short_value_error_and_no_recursion_error(levels):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the start of the message is asserted below
        Answer("a", True, data=nest(levels, "hunter2"))
    assert str(caught.value).startswith("data[0][0]")
    assert len(str(caught.value)) < 400
    assert "hunter2" not in str(caught.value)


def test_what_is_frozen_already_is_not_copied_again():
    inner = freeze({"a": [1]})
    outer = freeze({"inner": inner, "list": [inner["a"]]})
    assert freeze(inner) is inner
    assert outer["inner"] is inner
    assert outer["list"][0] is inner["a"]
    assert ToolResult(metadata=inner).metadata is inner


def test_tuples_of_immutable_things_are_kept_as_they_are():
    source = (1, ("a", b"b"), None)
    assert freeze(source) is source


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: {"a": x}, lambda x: (x,)], ids=["list", "dict", "tuple"])
def test_what_is_frozen_already_counts_with_its_depth(wrap):
    assert freeze(wrap(freeze(nest(99, 1)))) == wrap(nest(99, 1))
    with pytest.raises(ValueError, match=r"^value[.\[].*100"):
        freeze(wrap(freeze(nest(100, 1))))


def test_a_shared_container_counts_with_its_depth_at_its_deepest_place():
    shared = nest(60, 1)
    assert freeze([shared, nest(39, shared)]) == [shared, nest(39, shared)]
    with pytest.raises(ValueError, match=r"^value\[1\]"):
        freeze([shared, nest(40, shared)])


def test_what_is_shared_is_frozen_once():
    shared, buffer = {"a": [1]}, bytearray(b"x")
    frozen = freeze([shared, {"again": shared}, (shared,), buffer, buffer])
    assert frozen[0] is frozen[1]["again"] is frozen[2][0]
    assert frozen[3] is frozen[4]


def doubled(levels: int):
    """Hold a million million paths in a few dozen lists."""
    shared: list = []
    for _ in range(levels):
        shared = [shared, shared]
    return shared


def test_shared_substructure_costs_no_exponential_time():
    frozen = freeze(doubled(60))
    assert frozen[0] is frozen[1]
    assert freeze([frozen, frozen])[0] is frozen
    assert copy.deepcopy(frozen) is frozen
    assert type(pickle.loads(pickle.dumps(frozen))) is list
    with pytest.raises(ValueError, match=r"^value\[0\]"):
        freeze(doubled(150))
    with pytest.raises(ValueError, match=r"^value\[0\]"):
        freeze(nest(50, frozen))


@pytest.mark.parametrize(
    "make",
    [
        OrderedDict,
        UserDict,
        MappingProxyType,
        lambda source: defaultdict(list, source),
        type("MyDict", (dict,), {}),
    ],
    ids=["OrderedDict", "UserDict", "MappingProxyType", "defaultdict", "subclass of dict"],
)
def test_metadata_is_a_snapshot_of_any_mapping(make):
    source = {"ids": [1, 2]}
    result = ToolResult(metadata=make(source))
    source["ids"].append(3)
    source["more"] = 1
    assert result.metadata == {"ids": [1, 2]}
    assert type(result.metadata) is FrozenDict


MAPPING_FIELDS = {
    "metadata of a result": lambda mapping: ToolResult(metadata=mapping).metadata,
    "metadata of a part": lambda mapping: ContentPart("text", text="x", metadata=mapping).metadata,
    "raw of a part": lambda mapping: ContentPart("hologram", raw=mapping).raw,
    "data of a request": lambda mapping: Request("input", "Name?", data=mapping).data,
}
each_mapping_field = pytest.mark.parametrize("store", MAPPING_FIELDS.values(), ids=MAPPING_FIELDS)


@each_mapping_field
@pytest.mark.parametrize("key", [1, None, b"a", ("a",)], ids=repr)
def test_a_key_that_is_no_str_is_refused(store, key):
    with pytest.raises(TypeError, match=rf"^(metadata|raw|data):.*\b{type(key).__name__}\b"):
        store({"fine": 1, key: "hunter2"})


@each_mapping_field
@pytest.mark.parametrize("source", [[("a", 1)], "ab", 5, {"a"}], ids=repr)
def test_what_is_no_mapping_is_refused(store, source):
    with pytest.raises(TypeError, match=rf"^(metadata|raw|data):.*\b{type(source).__name__}\b"):
        store(source)


@each_mapping_field
def test_keys_of_a_str_subclass_are_stored_as_plain_str(store):
    stored = store({Text("a"): 1})
    assert stored == {"a": 1}
    assert [type(key) for key in stored] == [str]


@each_mapping_field
def test_keys_that_become_the_same_text_are_refused(store):
    with pytest.raises(ValueError, match=r"^(metadata|raw|data):"):
        store({IdentityText("a"): 1, IdentityText("a"): 2})


def test_frozen_containers_are_hashable_when_what_they_hold_is():
    assert hash(freeze({"a": [1], "b": {"c": ()}})) == hash(freeze({"b": {"c": ()}, "a": [1]}))
    assert hash(freeze([1, [2]])) == hash(freeze([1, [2]]))
    with pytest.raises(TypeError, match="unhashable"):
        hash(freeze({"a": deque()}))


@each_value
@pytest.mark.parametrize("name", ["output", "type", "id", "metadata", "data", "note", "__class__", "__dict__"])
def test_no_attribute_of_a_value_can_be_set_or_deleted(value, name):
    before = copy.copy(value), repr(value)
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)
    with pytest.raises(FrozenInstanceError):
        delattr(value, name)
    assert (copy.copy(value), repr(value)) == before


@each_value
def test_a_value_has_no_room_for_more_attributes(value):
    assert not hasattr(value, "__dict__")
    assert type(value).__slots__ == tuple(field.name for field in dataclasses.fields(value))


@each_value
def test_the_state_of_a_value_cannot_be_replaced(value):
    with pytest.raises(FrozenInstanceError):
        value.__setstate__(list(range(9)))
    assert value == pickle.loads(pickle.dumps(value))


@each_value
def test_values_are_equal_and_hash_alike_when_their_fields_are(value):
    twin = type(value)(**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    assert twin is not value
    assert twin == value
    assert hash(twin) == hash(value)


@each_value
def test_values_of_different_types_are_unequal(value):
    assert [value == other for other in VALUES].count(True) == 1
    assert value != repr(value)
    assert value != dataclasses.astuple(value)
    assert value is not None


def test_equality_leaves_room_for_somebody_elses_matcher():
    assert ToolResult("x") == mock.ANY


@each_value
def test_every_field_counts_in_a_comparison(value):
    other = {
        "output": "other",
        "is_error": True,
        "parts": [ContentPart("text", text="other")],
        "metadata": {"other": 1},
        "name": "other",
        "kind": "other",
        "prompt": "other",
        "id": "other",
        "url": "https://other.test/",
        "expires_at": datetime(2040, 1, 1, tzinfo=UTC),
        "reason": "expired",
        "data": b"other" if isinstance(value, ContentPart) else {"other": 1},
        "mime_type": "image/gif",
        "raw": {"other": 1},
    }
    for field in dataclasses.fields(value):
        if field.name in other and getattr(value, field.name) not in (None, other[field.name]):
            assert dataclasses.replace(value, **{field.name: other[field.name]}) != value, field.name


@pytest.mark.parametrize("foreign", [RefusesToCompare, AnswersWithoutTruth], ids=["raises", "has no truth"])
@pytest.mark.parametrize(
    "make",
    [
        lambda foreign: ToolResult(metadata={"x": foreign}),
        lambda foreign: ToolResult(metadata={"x": [1, {"y": foreign}]}),
        lambda foreign: ContentPart("text", text="x", metadata={"x": foreign}),
        lambda foreign: Request("input", "Name?", id="r", data={"x": foreign}),
        lambda foreign: Answer("r", True, data=foreign),
    ],
    ids=["result", "deep in a result", "part", "request", "answer"],
)
def test_comparing_never_raises_and_what_refuses_to_compare_is_unequal(make, foreign):
    one, other = foreign(), foreign()
    assert (make(one) == make(other)) is False
    assert (make(one) != make(other)) is True
    assert (make(one) == make(one)) is True
    assert make(one) in [make(other), make(one)]


@each_value
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_values_survive_a_pickle(value, protocol):
    again = pickle.loads(pickle.dumps(value, protocol))
    assert type(again) is type(value)
    assert again == value
    assert hash(again) == hash(value)


def test_what_comes_out_of_a_pickle_is_frozen_again():
    again = pickle.loads(pickle.dumps(ToolResult(metadata={"a": [{"b": [1]}]})))
    assert [type(level) for level in (again.metadata, again.metadata["a"], again.metadata["a"][0])] == [
        FrozenDict,
        FrozenList,
        FrozenDict,
    ]


@each_value
def test_copies_of_a_value_are_the_value_itself(value):
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert copy.deepcopy([value, value]) == [value, value]


def test_replace_runs_the_same_checks_as_the_constructor():
    result = ToolResult("x", metadata={"a": [1]})
    replaced = dataclasses.replace(result, metadata={"b": [2]}, parts=[])
    assert replaced == ToolResult("x", metadata={"b": [2]})
    assert type(replaced.metadata["b"]) is FrozenList
    with pytest.raises(TypeError, match=r"^output:"):
        dataclasses.replace(result, output=5)
    with pytest.raises(TypeError, match=r"^is_error:"):
        dataclasses.replace(result, is_error="yes")


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is new in Python 3.13")
def test_copy_replace_works_like_dataclasses_replace():
    assert copy.replace(ToolResult("x", metadata={"a": 1}), output="y") == ToolResult("y", metadata={"a": 1})
    assert copy.replace(PART, name=None) == dataclasses.replace(PART, name=None)


def test_asdict_gives_nested_plain_looking_fields():
    assert dataclasses.asdict(ToolResult("x", parts=[PART], metadata={"a": [1, {"b": (2,)}]})) == {
        "output": "x",
        "is_error": False,
        "parts": (
            {
                "type": "image",
                "text": None,
                "mime_type": "image/png",
                "data": b"\x89PNG",
                "url": None,
                "file_id": None,
                "name": "a.png",
                "metadata": {"page": [1]},
                "raw": None,
            },
        ),
        "metadata": {"a": [1, {"b": (2,)}]},
    }


@pytest.mark.parametrize("value", VALUES[2:], ids=VALUE_IDS[2:])
def test_asdict_of_a_value_builds_an_equal_value_again(value):
    assert type(value)(**dataclasses.asdict(value)) == value


def test_values_can_be_matched():
    match ToolResult("done", metadata={"rows": 3}):
        case ToolResult(output, False, metadata={"rows": int(rows)}):
            assert (output, rows) == ("done", 3)
        case _:
            pytest.fail("did not match")
    match PART:
        case ContentPart("image", data=bytes(data)):
            assert data == b"\x89PNG"
        case _:
            pytest.fail("did not match")
    match REQUEST:
        case Request("approval", prompt):
            assert prompt == "Delete 3 files?"
        case _:
            pytest.fail("did not match")
    match Answer("a", True):
        case Answer(_, True):
            pass
        case _:
            pytest.fail("did not match")


@pytest.mark.parametrize("kind", [ToolResult, ContentPart, Request, Answer])
def test_type_hints_resolve_and_name_every_field(kind):
    assert set(typing.get_type_hints(kind)) == {field.name for field in dataclasses.fields(kind)}
    assert typing.get_type_hints(kind.__init__)
    assert kind.__final__ is True


def test_type_hints_are_those_of_the_stored_values():
    hints = typing.get_type_hints(ToolResult)
    assert hints == {
        "output": str,
        "is_error": bool,
        "parts": tuple[ContentPart, ...] | None,
        "metadata": Mapping[str, typing.Any] | None,
    }


@pytest.mark.parametrize("kind", [ToolResult, ContentPart, Request, Answer])
def test_no_attribute_invites_a_framework_to_dump_the_fields(kind):
    tempting = {"to_dict", "dict", "model_dump", "_asdict", "get_secret_value", "__json__"}
    tempting |= {"text"} if kind is ToolResult else set()
    assert tempting.isdisjoint(dir(kind))


@pytest.mark.parametrize("kind", [ToolResult, ContentPart, Request, Answer])
def test_every_field_can_be_given_by_keyword(kind):
    minimal = {"type": "text", "text": "x", "kind": "input", "prompt": "Name?", "id": "r", "ok": True}
    fields = {field.name: minimal[field.name] for field in dataclasses.fields(kind) if field.name in minimal}
    defaults = {
        field.name: None
        for field in dataclasses.fields(kind)
        if field.name not in fields and field.name not in ("output", "is_error")
    }
    assert kind(**fields, **defaults) == kind(**fields)


def test_sizeof_counts_the_payload():
    payload = bytes(1_000_000)
    part = ContentPart("file", data=payload, mime_type="application/pdf")
    text = ContentPart("text", text="x" * 1_000_000)
    assert 1_000_000 <= sys.getsizeof(part) < 1_001_000
    assert 1_000_000 <= sys.getsizeof(text) < 1_001_000
    assert 2_000_000 <= sys.getsizeof(ToolResult(parts=[part, part])) < 2_002_000
    assert 1_000_000 <= sys.getsizeof(ToolResult("x" * 1_000_000)) < 1_001_000
    assert 1_000_000 <= sys.getsizeof(Request("input", "x" * 1_000_000)) < 1_001_000


def test_the_place_of_a_cycle_is_found_behind_what_is_shared():
    shared = [[1]]
    loop: dict[str, object] = {}
    loop["again"] = loop
    with pytest.raises(ValueError, match=r"^metadata\.c\.again: "):
        ToolResult.ok("", metadata={"a": shared, "b": shared, "c": loop})


@pytest.mark.parametrize("make", [lambda key: {key: 1}, lambda key: {key}], ids=["key", "member"])
def test_a_key_or_member_that_is_nested_too_deep_is_a_value_error(make):
    deep: tuple[object, ...] = ()
    for _ in range(5_000):
        deep = (deep,)
    with pytest.raises(ValueError, match="levels deep"):
        ToolResult.ok("", metadata={"a": make(deep)})


@pytest.mark.parametrize("size", [2, 7, 40])
def test_members_of_a_set_that_need_freezing_are_not_mixed_up(size):
    source = {(memoryview(bytes([n])), frozenset([n, n + 1_000])) for n in range(size)}
    frozen = freeze(source)
    assert frozen == {(bytes([n]), frozenset([n, n + 1_000])) for n in range(size)}
    assert all(type(member[0]) is bytes for member in frozen)
