"""Laws of the four value types: building, comparing, copying, pickling, replacing, and that nothing can change."""

from __future__ import annotations

import copy
import json
import operator
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, asdict, dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any

import cloudpickle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import (
    answers_with,
    metadata,
    parts_with,
    python_values,
    requests_with,
    results_with,
    texts,
    values_of_every_type,
)

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult._frozen import FrozenDict, FrozenList
from toolresult.strategies import json_values

PLAIN = python_values()
WILD = python_values(foreign=True)
OURS = (ToolResult, ContentPart, Request, Answer)
IMMUTABLE = (type(None), bool, int, float, str, bytes, date, datetime, time, timedelta, Fraction)


def fields_of(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in fields(value)}


def walk(value: Any) -> Iterator[Any]:
    """Everything that can be reached from a value: itself, keys and members; a foreign object is not entered."""
    yield value
    if type(value) in OURS:
        below = list(fields_of(value).values())
    elif type(value) in (dict, FrozenDict):
        below = [*value.keys(), *value.values()]
    elif type(value) in (list, FrozenList, tuple, set, frozenset):
        below = list(value)
    else:
        below = []
    for each in below:
        yield from walk(each)


def thaw(value: Any) -> Any:
    """The same content in plain containers that can be changed, and in another order."""
    if type(value) in (dict, FrozenDict):
        return {k: thaw(v) for k, v in reversed(value.items())}
    if type(value) in (list, FrozenList):
        return [thaw(v) for v in value]
    if type(value) is tuple:
        return tuple(thaw(v) for v in value)
    return set(value) if type(value) is frozenset else value


def thawed_fields(value: Any) -> dict[str, Any]:
    return {name: thaw(content) for name, content in fields_of(value).items()}


def is_mutable_foreign(value: Any) -> bool:
    return type(value) not in (*OURS, *IMMUTABLE, FrozenDict, FrozenList, tuple, frozenset)


def assert_frozen(value: Any) -> None:
    assert not [type(each) for each in walk(value) if type(each) in (dict, list, set, bytearray, memoryview)]


def hash_of(value: Any) -> int | None:
    try:
        return hash(value)
    except TypeError:
        return None


@given(values_of_every_type(WILD))
def test_a_value_built_again_from_its_fields_is_equal_and_frozen(value):
    """Constructors normalise, then validate: given its own fields, a class makes an equal, frozen value."""
    for given_fields in (fields_of(value), thawed_fields(value)):
        again = type(value)(**given_fields)
        assert again == value
        assert fields_of(again) == fields_of(value)
        assert_frozen(again)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image", "file", "resource_link", "", "Text"])},
        optional={
            "text": texts(),
            "mime_type": st.sampled_from(["image/png", "Image/JPG;q=1", "text/plain; a=\0; b", "a/b/c", ""]),
            "data": st.sampled_from([b"", bytearray(b"x"), memoryview(b"x")]),
            "url": st.sampled_from(["https://h", "HTTPS://h", "data:,x", "//h", ""]),
            "file_id": texts(),
            "metadata": metadata(WILD),
            "raw": metadata(WILD),
        },
    )
)
def test_what_the_constructor_takes_it_takes_again(given_fields):
    """An invalid value cannot exist: whatever fields a part is made of, those that it has then make it again."""
    try:
        part = ContentPart(**given_fields)
    except (TypeError, ValueError):
        return
    assert ContentPart(**fields_of(part)) == part


@given(values_of_every_type(WILD), st.data())
def test_equality_is_by_content(value, data):
    """Two values of one class are equal exactly when each of their fields is."""
    other = data.draw(st.just(type(value)(**thawed_fields(value))) | same_class(value))
    assert (value == other) is (fields_of(value) == fields_of(other))
    assert (value != other) is not (value == other)


@given(values_of_every_type(WILD), values_of_every_type(WILD))
def test_equality_is_reflexive_and_symmetric(one, other):
    """A value equals itself, and two values agree on whether they are equal."""
    assert one == one  # noqa: PLR0124
    assert (one == other) is (other == one)
    assert (one == type(one)(**thawed_fields(one))) is (type(one)(**thawed_fields(one)) == one) is True


@given(values_of_every_type(WILD), st.one_of(python_values(foreign=True), st.builds(object)))
def test_a_value_equals_nothing_of_another_type(value, other):
    """A value is equal to values of its own class only."""
    assert (value == other) is (other == value)
    assert type(value) is type(other) or value != other


class Uncomparable:  # noqa: PLW1641 - objects that compare oddly are seldom hashable
    """A foreign object that refuses to be compared, or answers with something that is no bool."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Refusing:
    def __bool__(self) -> bool:
        raise ValueError("the truth of this is ambiguous")


def uncomparable() -> st.SearchStrategy[Uncomparable]:
    raised = st.sampled_from([ValueError("x"), TypeError("x"), RecursionError(), KeyError("x"), NotImplementedError()])
    return st.builds(Uncomparable, raised | st.sampled_from([None, "yes", [], NotImplemented]) | st.builds(Refusing))


def holders(held: Any) -> list[Any]:
    return [
        ToolResult("x", metadata={"a": held}),
        ToolResult.error("x", value=[held]),
        ToolResult(parts=[ContentPart.from_text("x", metadata={"a": (held,)})]),
        ToolResult.pending(Request("input", "?", id="r", data={"a": {"b": held}})),
        ContentPart("x", raw={"a": held}),
        Request("input", "?", id="r", data={"a": held}),
        Answer("r", ok=True, data=held),
    ]


@given(uncomparable(), uncomparable())
def test_comparing_never_raises(one, other):
    """A foreign value that refuses to compare makes two values unequal; the same foreign object is always equal."""
    for mine, same, theirs in zip(holders(one), holders(one), holders(other), strict=True):
        assert (mine == same) is True
        assert type(mine == theirs) is bool
        assert type(mine != theirs) is bool
        if one.answer != "yes" != other.answer:
            assert mine != theirs


@given(values_of_every_type(WILD), st.data())
def test_equal_values_have_equal_hashes(value, data):
    """Values that are equal, whatever the order and the types of equal members, have the same hash or none at all."""
    respelled = {name: data.draw(equal_to(content)) for name, content in fields_of(value).items()}
    other = type(value)(**respelled)
    assert other == value
    assert hash_of(other) == hash_of(value)


@given(values_of_every_type(PLAIN))
def test_a_value_that_holds_nothing_foreign_is_hashable(value):
    """A value is hashable whenever what it holds is."""
    assert type(hash(value)) is int


@given(values_of_every_type(WILD))
def test_a_copy_is_the_value_itself(value):
    """`copy.copy` returns the value."""
    assert copy.copy(value) is value


@given(values_of_every_type(PLAIN))
def test_a_deep_copy_without_foreign_objects_is_the_value_itself(value):
    """`copy.deepcopy` returns the value when all below it is immutable."""
    assert copy.deepcopy(value) is value


@given(values_of_every_type(WILD))
def test_a_deep_copy_is_equal_and_shares_no_mutable_object(value):
    """`copy.deepcopy` gives an equal value that is frozen and in which every foreign object is a copy."""
    copied = copy.deepcopy(value)
    assert copied == value
    assert type(copied) is type(value)
    assert_frozen(copied)
    shared = {id(each) for each in walk(value)} & {id(each) for each in walk(copied) if is_mutable_foreign(each)}
    assert not shared


@dataclass(unsafe_hash=True)
class Tag:
    """A foreign object that can be a key, and changed."""

    name: str


@given(st.recursive(st.builds(Tag, texts()), lambda below: st.tuples(below) | st.frozensets(below), max_leaves=3))
def test_a_deep_copy_copies_foreign_keys_and_members_of_sets(key):
    """`copy.deepcopy` also copies the foreign objects that stand as keys of mappings and as members of sets."""
    value = ToolResult(metadata={"by tag": {key: 1}, "tags": {key}})
    copied = copy.deepcopy(value)
    assert copied == value
    assert not {id(x) for x in walk(value) if type(x) is Tag} & {id(x) for x in walk(copied) if type(x) is Tag}


@given(st.binary(max_size=4).map(memoryview), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_a_buffer_is_frozen_as_a_key_and_in_a_set_too(buffer, protocol):
    """A `memoryview`, which can be a key, is stored as the `bytes` that it equals there as well."""
    value = ToolResult(metadata={"key": {buffer: 1}, "deep": {(buffer,): 1}, "set": {buffer}, "deep set": {(buffer,)}})
    assert_frozen(value)
    assert pickle.loads(pickle.dumps(value, protocol)) == value


@given(texts())
def test_a_deep_copy_keeps_what_is_shared_shared(name):
    """`copy.deepcopy` makes one copy of a foreign object that stands in several places."""
    tag = Tag(name)
    part = ContentPart.from_text("x", metadata={"a": tag})
    value = ToolResult(parts=[part, part], metadata={"a": tag, "b": [tag]})
    copied = copy.deepcopy(value)
    assert len({id(each) for each in walk(copied) if type(each) is Tag}) == 1
    assert copied.parts[0] is copied.parts[1]


@given(values_of_every_type(WILD))
def test_a_pickle_gives_an_equal_frozen_value(value):
    """Every pickle protocol brings back an equal value of the same class, still immutable and with the same hash."""
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        loaded = pickle.loads(pickle.dumps(value, protocol))
        assert type(loaded) is type(value)
        assert loaded == value
        assert hash_of(loaded) == hash_of(value)
        assert_frozen(loaded)


@given(values_of_every_type(WILD))
def test_cloudpickle_gives_an_equal_frozen_value(value):
    """Cloudpickle brings back an equal value of the same class, still immutable."""
    loaded = cloudpickle.loads(cloudpickle.dumps(value))
    assert type(loaded) is type(value)
    assert loaded == value
    assert_frozen(loaded)


@given(json_values().filter(lambda value: type(value) in (dict, list)))
def test_a_frozen_container_is_refused_where_a_plain_one_could_not_stand(source):
    """A frozen container hashes but is pickled as a plain one, so it is neither a key nor a member of a set."""
    frozen = Answer("x", ok=True, data=source).data
    for members in ({"set": {frozen}}, {"key": {frozen: 1}}, {"deep": {(frozen,): 1}}, {"deep": {(1, frozen)}}):
        with pytest.raises(TypeError):
            ToolResult(metadata=members)


@given(values_of_every_type(PLAIN), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_a_value_can_be_a_key_or_a_member_of_a_set_and_is_still_pickled(inner, protocol):
    """Our own values, whatever they hold, stand in sets and as keys, and a pickle brings them back there."""
    value = ToolResult(metadata={"set": {inner}, "key": {inner: 1}, "deep": {(inner,): {(1, inner)}}})
    assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.deepcopy(value) is value


@given(values_of_every_type(PLAIN))
def test_frozen_containers_pickle_as_plain_ones(value):
    """A frozen mapping or list, pickled by itself, comes back as the plain `dict` or `list` that it equals."""
    for each in walk(value):
        if type(each) in (FrozenDict, FrozenList):
            loaded = pickle.loads(pickle.dumps(each))
            assert loaded == each
            assert type(loaded) is (dict if type(each) is FrozenDict else list)


OTHER_PROCESS = """
import json, pickle, sys

def hash_of(value):
    try:
        return hash(value)
    except TypeError:
        return None

wrong = []
for n, (cls, plain_fields, pickles) in enumerate(pickle.load(sys.stdin.buffer)):
    fresh = cls(**plain_fields)
    for protocol, data in enumerate(pickles):
        loaded = pickle.loads(data)
        if type(loaded) is not cls or loaded != fresh or hash_of(loaded) != hash_of(fresh):
            wrong.append([n, protocol])
print(json.dumps(wrong))
"""


def test_another_process_reads_equal_values_with_its_own_hashes():
    """Whatever its hash seed, another process unpickles equal values, which hash as those that it builds itself."""
    cases = []

    @given(values_of_every_type(WILD))
    def collect(value):
        pickles = [pickle.dumps(value, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
        cases.append((type(value), thawed_fields(value), pickles))

    collect()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", OTHER_PROCESS],
            input=pickle.dumps(cases),
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
        )
        assert done.stderr == b""
        assert [cases[n][:2] for n, _ in json.loads(done.stdout)] == []


REPLACERS = [replace, copy.replace] if sys.version_info >= (3, 13) else [replace]


@pytest.mark.parametrize("replacer", REPLACERS, ids=lambda replacer: replacer.__module__)
@given(value=values_of_every_type(WILD), data=st.data())
def test_replacing_a_field_normalises_it_and_keeps_the_others(replacer, value, data):
    """Replacing a field is building from the fields: normalised, validated, frozen, and the other fields kept."""
    other = data.draw(same_class(value))
    for name, content in thawed_fields(other).items():
        try:
            expected = type(value)(**{**fields_of(value), name: content})
        except (TypeError, ValueError) as refusal:
            with pytest.raises(type(refusal)):
                replacer(value, **{name: content})
            continue
        replaced = replacer(value, **{name: content})
        assert replaced == expected
        assert_frozen(replaced)
        assert getattr(replaced, name) == getattr(other, name)
        assert {**fields_of(replaced), name: None} == {**fields_of(value), name: None}


def as_plain_dicts(value: Any) -> Any:
    """The content with every value of ours as the `dict` of its fields."""
    if type(value) in OURS:
        return {name: as_plain_dicts(content) for name, content in fields_of(value).items()}
    if type(value) is FrozenDict:
        return {k: as_plain_dicts(v) for k, v in value.items()}
    if type(value) in (FrozenList, tuple):
        return ({FrozenList: list}.get(type(value), tuple))(as_plain_dicts(v) for v in value)
    return value


@given(values_of_every_type(PLAIN))
def test_asdict_gives_the_fields(value):
    """`dataclasses.asdict` gives the fields by name, with the values of ours below as dicts too."""
    assert asdict(value) == as_plain_dicts(value)


@given(results_with(WILD), parts_with(WILD), requests_with(WILD), answers_with(WILD))
def test_match_statements_bind_the_fields(a_result, a_part, a_request, an_answer):
    """A class pattern binds leading fields by position and every field by name."""
    match a_result, a_part:
        case (
            ToolResult(output, is_error, parts=parts, metadata=facts),
            ContentPart(
                kind, text=text, mime_type=mime, data=data, url=url, file_id=file_id, name=name, raw=raw, metadata=meta
            ),
        ):
            assert [output, is_error, parts, facts] == list(fields_of(a_result).values())
            assert [kind, text, mime, data, url, file_id, name, meta, raw] == list(fields_of(a_part).values())
        case _:
            pytest.fail("a result or a part was not matched")
    match a_request, an_answer:
        case (
            Request(kind, prompt, id=id_, url=url, data=data, expires_at=expires_at),
            Answer(answer_id, ok, data=answer_data, reason=reason),
        ):
            assert [kind, prompt, id_, url, data, expires_at] == list(fields_of(a_request).values())
            assert [answer_id, ok, answer_data, reason] == list(fields_of(an_answer).values())
        case _:
            pytest.fail("a request or an answer was not matched")


CHANGES = {
    FrozenDict: [
        lambda d: operator.setitem(d, "k", 0),
        lambda d: operator.setitem(d, next(iter(d), "k"), 0),
        lambda d: operator.delitem(d, next(iter(d), "k")),
        lambda d: operator.ior(d, {"k": 0}),
        lambda d: d.clear(),
        lambda d: d.pop("k", None),
        lambda d: d.pop(next(iter(d), "k"), None),
        lambda d: d.popitem(),
        lambda d: d.setdefault("k", 0),
        lambda d: d.update(k=0),
    ],
    FrozenList: [
        lambda x: operator.setitem(x, 0, 0),
        lambda x: operator.setitem(x, slice(None), [0]),
        lambda x: operator.delitem(x, 0),
        lambda x: operator.delitem(x, slice(None)),
        lambda x: operator.iadd(x, [0]),
        lambda x: operator.imul(x, 2),
        lambda x: x.append(0),
        lambda x: x.clear(),
        lambda x: x.extend([0]),
        lambda x: x.insert(0, 0),
        lambda x: x.pop(),
        lambda x: x.remove(next(iter(x), 0)),
        lambda x: x.reverse(),
        lambda x: x.sort(key=repr),
    ],
}


@given(values_of_every_type(WILD))
def test_nothing_reachable_from_a_value_can_be_changed(value):
    """Every attempt to change a value, or a container anywhere below it, raises and changes nothing."""
    before = thawed_fields(value)
    for each in walk(value):
        for change in CHANGES.get(type(each), []):
            with pytest.raises(TypeError):
                change(each)
        if type(each) in CHANGES:
            each.__init__({"k": 0} if type(each) is FrozenDict else [0])
            with pytest.raises((TypeError, AttributeError)):
                each.note = None
        if type(each) in OURS:
            for name in (*fields_of(each), "note", "__class__", "__doc__"):
                with pytest.raises(FrozenInstanceError):
                    setattr(each, name, None)
                with pytest.raises(FrozenInstanceError):
                    delattr(each, name)
            with pytest.raises(FrozenInstanceError):
                each.__setstate__([None] * 9)
    assert thawed_fields(value) == before


def spoil(source: Any) -> None:
    """Change every plain container of a source, from the inside out."""
    if type(source) is dict:
        for each in list(source.values()):
            spoil(each)
        source["spoilt"] = True
    elif type(source) is list:
        for each in source:
            spoil(each)
        source.append("spoilt")
    elif type(source) is tuple:
        for each in source:
            spoil(each)
    elif type(source) is set:
        source.add("spoilt")
    elif type(source) is bytearray:
        source[:] = b"spoilt"


def data_of(value: Any) -> Any:
    return value.data


@pytest.mark.parametrize(
    ("holder", "read"),
    [
        (lambda source: ToolResult(metadata=source), lambda value: value.metadata),
        (lambda source: ContentPart.from_text("x", metadata=source), lambda value: value.metadata),
        (lambda source: ContentPart("x", raw=source), lambda value: value.raw),
        (lambda source: Request("input", "?", id="x", data=source), data_of),
        (lambda source: Answer("x", ok=True, data=source), data_of),
        (lambda source: ToolResult.error("x", value=source), lambda value: value.value),
    ],
    ids=["result", "part", "raw", "request", "answer", "value"],
)
@given(source=metadata(PLAIN).filter(bool))
def test_a_snapshot_equals_its_source_and_does_not_follow_it(holder, read, source):
    """What a value holds equals what it was given, and later changes to the source do not show."""
    value = holder(source)
    assert read(value) == source
    before = thaw(read(value))
    spoil(source)
    assert read(value) != source
    assert thaw(read(value)) == before


def same_class(value: Any) -> st.SearchStrategy[Any]:
    strategies = {ToolResult: results_with, ContentPart: parts_with, Request: requests_with, Answer: answers_with}
    return strategies[type(value)](WILD)


def equal_to(content: Any) -> st.SearchStrategy[Any]:
    """Content that is equal, with numbers of other types and containers in another order."""
    if type(content) is FrozenDict:
        pairs = st.tuples(*(st.tuples(st.just(k), equal_to(v)) for k, v in content.items()))
        return pairs.flatmap(st.permutations).map(dict)
    if type(content) is FrozenList:
        return st.tuples(*map(equal_to, content)).map(list)
    if type(content) is tuple:
        return st.tuples(*map(equal_to, content))
    if type(content) is int and abs(content) < 2**53:
        return st.sampled_from([content, float(content)])
    return st.just(content)
