"""Laws of the data of answers: what fits a schema is what the `jsonschema` package says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import assume, event, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from toolresult import AnswerError, Request
from toolresult._flat_schema import FlatSchema, MisfitError
from toolresult._pattern import Pattern, Steps
from toolresult._pattern_syntax import PatternError
from toolresult._rich_schema import check_rich

TEXTS = ["", "a", "b", "ab", "aab", "abc", "é", "1", "2026-01-02", "2026-02-30", "2026-1-2", "a b"]
PATTERNS = ["^a", "b$", "a+b", "^[a-c]{1,2}$", "^(?:ab|1)?$", r"^\d{4}-\d{2}-\d{2}$", "", "(a|b)*c"]
COUNTS = st.integers(0, 3) | st.sampled_from([0.0, 2.0])
NUMBERS = st.integers(-3, 3) | st.sampled_from([-1.5, 0.0, 1.0, 1.5, 2.0, 10**30, 1e30])
SCALARS = st.sampled_from(TEXTS) | NUMBERS | st.booleans() | st.none()
SAME_FORMATS = FormatChecker(formats=["date"])


def optional(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=strategies)


def types(*names: str) -> st.SearchStrategy[Any]:
    return st.sampled_from(names) | st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)


NAMES_OF_SCALARS = ["string", "number", "integer", "boolean", "null"]
titles = st.text(max_size=3)
values = st.lists(SCALARS, max_size=4)
scalars = optional(
    type=types(*NAMES_OF_SCALARS),
    title=titles,
    enum=values,
    enumNames=st.lists(titles, max_size=2),
    const=SCALARS,
    minLength=COUNTS,
    maxLength=COUNTS,
    pattern=st.sampled_from(PATTERNS),
    format=st.sampled_from(["date", "x-unknown"]),
    minimum=NUMBERS,
    maximum=NUMBERS,
    exclusiveMinimum=NUMBERS,
    exclusiveMaximum=NUMBERS,
)
texts_only = st.builds(lambda schema: {**schema, "type": "string"}, scalars)
options = st.lists(st.fixed_dictionaries({"const": SCALARS}, optional={"title": titles}), min_size=1, max_size=4)
choices = st.lists(scalars | st.booleans(), min_size=1, max_size=3)
with_choices = st.builds(
    lambda schema, keyword, below: {**schema, keyword: below},
    scalars,
    st.sampled_from(["oneOf", "anyOf"]),
    options | choices,
)
items = scalars | texts_only | with_choices | st.booleans()
lists = st.builds(
    lambda schema: {"type": "array", **schema},
    optional(items=items, minItems=COUNTS, maxItems=COUNTS, uniqueItems=st.booleans(), enum=st.just([[], ["a"], [1]])),
)
members = scalars | texts_only | with_choices | lists | st.booleans()
NAMES = ["name", "age", "ok"]
forms = st.builds(
    lambda form: {"type": "object", **form},
    optional(
        properties=st.dictionaries(st.sampled_from(NAMES), members, max_size=3),
        required=st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
        additionalProperties=st.booleans(),
    ),
)
flat_schemas = forms | members

some_lists = st.lists(SCALARS, max_size=3)
some_data = SCALARS | some_lists | st.dictionaries(st.sampled_from([*NAMES, "other"]), SCALARS | some_lists, max_size=3)


def is_valid(schema: Any, data: Any) -> bool:
    return Draft202012Validator(schema, format_checker=SAME_FORMATS).is_valid(data)


def fits(check: Callable[[], None]) -> bool:
    """Whether data fit; a flaw of the schema is none of them."""
    flaw = None
    try:
        check()
    except MisfitError as misfit:
        flaw = misfit
    assert flaw is None or not flaw.in_schema
    return flaw is None


def fits_flat(schema: Any, data: Any) -> bool:
    return fits(lambda: FlatSchema(schema, Steps(10**6)).check(data, Steps(10**6)))


def fits_by_the_package(schema: Any, data: Any) -> bool:
    return fits(lambda: check_rich(schema, data, Steps(10**6), ()))


@given(flat_schemas, some_data)
def test_what_fits_a_flat_schema_is_what_fits_it_for_jsonschema(schema, data):
    """The library says of data what the package says, for every schema that the library checks itself."""
    Draft202012Validator.check_schema(schema)
    assert fits_flat(schema, data) is is_valid(schema, data)


@given(forms, some_data)
def test_the_package_under_our_guards_says_the_same(schema, data):
    """Counting steps and searching for patterns in another way does not change what fits."""
    assert fits_by_the_package(schema, data) is is_valid(schema, data)


deeper = st.recursive(
    forms | scalars,
    lambda below: st.one_of(
        st.builds(lambda schemas, name: {name: schemas}, st.lists(below, min_size=1, max_size=2), st.just("allOf")),
        st.builds(lambda schema: {"not": schema}, below),
        st.builds(lambda one, two, three: {"if": one, "then": two, "else": three}, below, below, below),
        optional(
            properties=st.dictionaries(st.sampled_from(NAMES), below, max_size=2),
            patternProperties=st.dictionaries(st.sampled_from(PATTERNS), below, max_size=2),
            additionalProperties=below | st.booleans(),
            propertyNames=texts_only,
            minProperties=COUNTS,
        ),
        optional(prefixItems=st.lists(below, min_size=1, max_size=2), items=below, contains=below),
        optional(properties=st.dictionaries(st.sampled_from(NAMES), below), uniqueItems=st.booleans()),
        st.builds(lambda number: {"multipleOf": number}, st.sampled_from([1, 2, 0.5])),
    ),
    max_leaves=4,
)
rich_schemas = deeper | st.builds(lambda one, two: {**two, "$defs": {"a": one}, "$ref": "#/$defs/a"}, deeper, deeper)
deeper_data = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "other"]), below, max_size=3),
    max_leaves=6,
)


@given(rich_schemas, deeper_data)
def test_the_package_under_our_guards_says_the_same_of_nested_schemas(schema, data):
    """Whatever may be in a schema: it fits for us exactly if it fits for the package."""
    assert fits_by_the_package(schema, data) is is_valid(schema, data)


@given(forms, st.dictionaries(st.sampled_from(NAMES), SCALARS | some_lists, max_size=3), st.data())
def test_what_a_check_returns_fits_too_and_is_not_changed_by_another(form, given_data, data):
    """Defaults are added where members are left out; nothing that was answered is changed."""
    properties = form.get("properties", {})
    for name, member in properties.items():
        if isinstance(member, dict):
            default = data.draw(SCALARS)
            assume(is_valid(member, default))
            properties[name] = {**member, "default": default}
    request = Request.input("?", schema=form)
    assume(is_valid(form, given_data))
    once = request.check(request.accept(given_data))
    assert is_valid(form, dict(once.data))
    assert request.check(once) is once
    assert {name: once.data[name] for name in given_data} == given_data
    added = once.data.keys() - given_data.keys()
    assert added == {
        name
        for name, member in properties.items()
        if name not in given_data and isinstance(member, dict) and "default" in member
    } - set(form.get("required", ()))


@given(st.one_of(flat_schemas, rich_schemas, deeper_data), st.one_of(some_data, deeper_data))
def test_whatever_the_schema_says_a_check_passes_or_is_an_answer_error(schema, data):
    """No schema, malformed or not, gets any other error out of a check, and none names what was answered."""
    request = Request("input", "?", data={"schema": {"properties": {"x": schema}, "type": "object"}})
    refusal = None
    try:
        request.check(request.accept({"x": data}))
    except AnswerError as error:
        refusal = error
    assert refusal is None or refusal.kind == "schema"
    assert refusal is None or str(refusal.path).startswith(("answer.data", "request.data.schema"))


ATOMS = [
    "a",
    "b",
    "1",
    "_",
    "-",
    "[ab]",
    "[^a]",
    "[a-c1]",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"[\d_]",
    "^",
    "$",
]
patterns = st.recursive(
    st.sampled_from([*ATOMS, r"\b"]),
    lambda below: st.one_of(
        st.lists(below, max_size=3).map("".join),
        st.builds("(?:{}|{})".format, below, below),
        st.builds("(?={})".format, below),
        st.builds("(?!{})".format, below),
        st.builds(
            "({}){}".format, below, st.sampled_from(["*", "+", "?", "*?", "{2}", "{1,3}", "{0,2}", "{1,}", "{0}", "+?"])
        ),
    ),
    max_leaves=8,
)


@given(patterns, st.lists(st.text("ab1_- \u00e9", max_size=8), min_size=1, max_size=4))
def test_a_pattern_is_found_where_re_finds_it(text, candidates):
    """Both agree on every pattern that both know, where Python is told that only ASCII are digits and words."""
    reference = re.compile(text, re.ASCII)
    try:
        pattern = Pattern(text, Steps(10**6))
    except PatternError:  # Python lets assertions be repeated
        event("refused")
        return
    for candidate in candidates:
        assert pattern.is_in(candidate, Steps(10**6)) is (reference.search(candidate) is not None)
