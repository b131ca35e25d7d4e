"""Data against a flat JSON Schema: one value, a list of scalars, or an object of such members.

That is the form schema of MCP elicitation in all its revisions, and what else of JSON Schema 2020-12 needs neither
nesting nor references.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, TypeVar, cast

from toolresult._formats import FORMATS
from toolresult._pattern import Pattern, Steps, TooLongError
from toolresult._pattern_syntax import PatternError

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_LENGTHS: dict[str, Callable[[Any, Any], bool]] = {"minLength": ge, "maxLength": le}
_SIZES: dict[str, Callable[[Any, Any], bool]] = {"minItems": ge, "maxItems": le}
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
    "exclusiveMaximum": lt,
}
_OF_OBJECTS = frozenset({"properties", "required", "additionalProperties"})
_OF_ARRAYS = frozenset({"items"})
_ELSEWHERE = frozenset(
    {
        *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "not", "if", "then", "else", "multipleOf"),
        *("dependentSchemas", "dependentRequired", "dependencies", "propertyNames", "patternProperties"),
        *("minProperties", "maxProperties", "unevaluatedProperties", "prefixItems", "additionalItems"),
        *("contains", "minContains", "maxContains", "unevaluatedItems", "extends", "disallow", "divisibleBy"),
    }
)
"""What decides in some draft of JSON Schema and is not decided here."""
_TOP, _MEMBER, _ITEM = range(3)
_STEPS_PER_CHECK = 5
_CHARS_IN_A_STEP = 10
_T = TypeVar("_T")


class RicherError(Exception):
    """Never leaves the library: a schema that says more than a flat one; `trail` is where."""

    def __init__(self, *trail: object) -> None:
        self.trail = trail


class MisfitError(Exception):
    """Never leaves the library: data that do not fit, or a schema that is none; `trail` grows from the inside out."""

    def __init__(self, problem: str, *trail: object, in_schema: bool = False) -> None:
        self.problem = problem
        self.trail: list[object] = list(trail)
        self.in_schema = in_schema


class TooMuchError(MisfitError):
    """Never leaves the library: data of which nobody can say in time whether they fit."""

    def __init__(self) -> None:
        super().__init__("takes too long to check against the schema; send less, or ask with a simpler schema")


def key_of(value: object) -> str:
    """Write a JSON value so that texts are equal exactly when values are, in JSON Schema: 1 and 1.0, not `true`."""
    return json.dumps(_with_integers(value), sort_keys=True)


def counted_key(value: object, steps: Steps) -> str:
    """Write a value as `key_of` does, and take the steps that this costs."""
    key = key_of(value)
    steps.spend(_STEPS_PER_CHECK + len(key) // _CHARS_IN_A_STEP)
    return key


def _with_integers(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_with_integers(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {name: _with_integers(item) for name, item in cast("dict[str, object]", value).items()}
    return value


def types_of(value: object) -> tuple[str, ...]:
    """Name the types of JSON Schema that a JSON value has; a number without a fraction is an integer."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, (int, float)):
        return ("integer", "number") if isinstance(value, int) or value.is_integer() else ("number",)
    if isinstance(value, str):
        return ("string",)
    return ("array",) if isinstance(value, list) else ("object",)


class FlatSchema:
    """A flat schema, read once; `check` holds data against it.

    Raises:
        RicherError: it says more than a flat one.
        MisfitError: it is malformed.
    """

    def __init__(self, tree: object, steps: Steps, level: int = _TOP) -> None:
        self.refuses_all = tree is False
        self.keywords: dict[str, Any] = {} if isinstance(tree, bool) else _object(tree)
        self._refuse_richer(level)
        self.types = self._read("type", _types)
        self.enum = self._read("enum", _keys)
        self.const = key_of(self.keywords["const"]) if "const" in self.keywords else None
        self.limits = {
            **{name: self._read(name, _count) for name in (*_LENGTHS, *_SIZES) if name in self.keywords},
            **{name: self._read(name, _number) for name in _BOUNDS if name in self.keywords},
        }
        self.pattern = self._read("pattern", lambda text: _pattern(text, steps))
        self.format = self._read("format", _text)
        self.is_unique = self._read("uniqueItems", _bool) is True
        self.any_of = self._choices("anyOf", steps, level)
        self.one_of = self._choices("oneOf", steps, level)
        self.items = self._below("items", self.keywords["items"], steps) if "items" in self.keywords else None
        self.required: list[str] = self._read("required", _names) or []
        self.is_closed = self._read("additionalProperties", _bool) is False
        members = self._read("properties", _object) or {}
        self.members = {name: self._below("properties", tree, steps, name) for name, tree in members.items()}

    @property
    def is_form(self) -> bool:
        """Whether it takes objects only, so that no data at all means an empty one."""
        return self.types == frozenset({"object"})

    def _refuse_richer(self, level: int) -> None:
        for name, value in self.keywords.items():
            is_deep = (name in _OF_OBJECTS and level != _TOP) or (name in _OF_ARRAYS and level == _ITEM)
            is_open = name == "additionalProperties" and isinstance(value, dict)
            if name in _ELSEWHERE or is_deep or is_open:
                raise RicherError(name)
        items = self.keywords.get("items")
        if isinstance(items, list):  # which an older draft has for what is now prefixItems
            raise RicherError("items")

    def _read(self, name: str, reader: Callable[[object], _T]) -> _T | None:
        if name not in self.keywords:
            return None
        try:
            return reader(self.keywords[name])
        except MisfitError as misfit:
            misfit.trail.append(name)
            raise

    def _below(self, name: str, tree: object, steps: Steps, *key: object) -> FlatSchema:
        try:
            return FlatSchema(tree, steps, _MEMBER if name == "properties" else _ITEM)
        except MisfitError as misfit:
            misfit.trail += [*key, name]
            raise
        except RicherError as richer:
            raise RicherError(name, *key, *richer.trail) from None

    def _choices(self, name: str, steps: Steps, level: int) -> list[FlatSchema] | frozenset[str] | None:
        """Read the schemas to choose from: only their values, if each is one value with a title (SEP-1330 of MCP)."""
        trees = self._read(name, _list)
        if trees is None:
            return None
        choices: list[FlatSchema] = []
        for n, tree in enumerate(trees):
            try:
                choices.append(FlatSchema(tree, steps, max(level, _MEMBER)))
            except MisfitError as misfit:
                misfit.trail += [n, name]
                raise
            except RicherError as richer:
                raise RicherError(name, n, *richer.trail) from None
        values = [choice.const for choice in choices if choice.is_one_value]
        is_plain = len(values) == len(choices) and len(set(values)) == len(values)
        return frozenset(value for value in values if value is not None) if is_plain else choices

    @property
    def is_one_value(self) -> bool:
        """Whether it says nothing but what the value is, and what it is called."""
        said = {"const", "type", "enum", *_LENGTHS, *_SIZES, *_BOUNDS, "pattern", "format", "anyOf", "oneOf"}
        said |= {"items", "uniqueItems"}
        return said.intersection(self.keywords) == {"const"}

    def check(self, value: object, steps: Steps) -> None:
        """Hold data against the schema.

        Raises:
            MisfitError: they do not fit, or there are too many of them.
        """
        try:
            self._check(value, steps)
        except TooLongError:
            raise TooMuchError from None

    def _check(self, value: Any, steps: Steps) -> None:
        steps.spend(_STEPS_PER_CHECK)
        if self.refuses_all:
            raise MisfitError("has no place in the schema; leave it out")
        types = types_of(value)
        if self.types is not None and self.types.isdisjoint(types):
            raise MisfitError(f"must be of type {' or '.join(sorted(self.types))}, got {types[0]}")
        if self.enum is not None or self.const is not None:
            key = counted_key(value, steps)
            if (self.enum is not None and key not in self.enum) or self.const not in (None, key):
                raise MisfitError("is none of the values that the schema lists; choose one of them")
        self._check_choices(value, steps)
        if isinstance(value, str):
            self._check_text(value, steps)
        elif isinstance(value, list):
            self._check_items(cast("list[object]", value), steps)
        elif isinstance(value, dict):
            self._check_members(cast("dict[str, object]", value), steps)
        elif "number" in types:
            self._check_limits(cast("float", value), _BOUNDS)

    def _check_text(self, text: str, steps: Steps) -> None:
        self._check_limits(len(text), _LENGTHS)
        if self.pattern is not None and not self.pattern.is_in(text, steps):
            raise MisfitError("does not match the pattern of the schema; write it in that form")
        if self.format in FORMATS:
            steps.spend(len(text) // _CHARS_IN_A_STEP)
            if not FORMATS[self.format](text):
                raise MisfitError(f"is no {self.format}; write it in that format")

    def _check_limits(self, given: float, limits: dict[str, Callable[[Any, Any], bool]]) -> None:
        for name, keeps in limits.items():
            if name in self.limits and not keeps(given, self.limits[name]):
                raise MisfitError(f"is beyond {name} of the schema; keep within it")

    def _check_items(self, items: list[object], steps: Steps) -> None:
        self._check_limits(len(items), _SIZES)
        if self.is_unique and len({counted_key(item, steps) for item in items}) < len(items):
            raise MisfitError("holds the same value twice; leave one out")
        for n, item in enumerate(items):
            if self.items is not None:
                self._check_below(self.items, item, n, steps)

    def _check_members(self, given: dict[str, object], steps: Steps) -> None:
        for name in self.required:
            if name not in given:
                raise MisfitError("is required and missing; ask again", name)
        for name, value in given.items():
            if name in self.members:
                self._check_below(self.members[name], value, name, steps)
            elif self.is_closed:
                raise MisfitError("has no place in the schema; leave it out", name)

    def _check_below(self, schema: FlatSchema, value: object, key: object, steps: Steps) -> None:
        try:
            schema.check(value, steps)
        except MisfitError as misfit:
            misfit.trail.append(key)
            raise

    def _check_choices(self, value: object, steps: Steps) -> None:
        for choices, is_one in ((self.any_of, False), (self.one_of, True)):
            if choices is None:
                continue
            if isinstance(choices, frozenset):
                found = int(counted_key(value, steps) in choices)
            else:
                found = sum(choice._takes(value, steps) for choice in choices)  # noqa: SLF001 - of the same class
            if not found or (is_one and found > 1):
                raise MisfitError("is none of the choices of the schema; choose one of them")

    def _takes(self, value: object, steps: Steps) -> bool:
        try:
            self._check(value, steps)
        except TooMuchError:
            raise
        except MisfitError:
            return False
        return True

    def defaults(self, given: dict[str, object], steps: Steps) -> dict[str, object]:
        """Return what the schema gives for members that are not there; a required one has to be.

        Raises:
            MisfitError: a default that does not fit its own schema.
        """
        found: dict[str, object] = {}
        for name, member in self.members.items():
            if name in given or name in self.required or "default" not in member.keywords:
                continue
            default: object = member.keywords["default"]
            try:
                member.check(default, steps)
            except MisfitError as misfit:
                if default is None:  # the way in which some libraries write that there is none
                    continue
                problem = f"{misfit.problem.partition(';')[0]}; give a default that fits"
                raise MisfitError(problem, "default", name, "properties", in_schema=True) from None
            found[name] = default
        return found


def _flaw(problem: str) -> MisfitError:
    return MisfitError(problem, in_schema=True)


def _object(tree: object) -> dict[str, Any]:
    if not isinstance(tree, dict):
        raise _flaw("must be an object; write the schema as JSON Schema says")
    return cast("dict[str, Any]", tree)


def _list(tree: object) -> list[object]:
    if not isinstance(tree, list):
        raise _flaw("must be an array; write the schema as JSON Schema says")
    return cast("list[object]", tree)


def _text(tree: object) -> str:
    if not isinstance(tree, str):
        raise _flaw("must be a string; write the schema as JSON Schema says")
    return tree


def _bool(tree: object) -> bool:
    if not isinstance(tree, bool):
        raise _flaw("must be a boolean; write the schema as JSON Schema says")
    return tree


def _number(tree: object) -> int | float:
    if isinstance(tree, bool) or not isinstance(tree, (int, float)):
        raise _flaw("must be a number; write the schema as JSON Schema says")
    return tree


def _count(tree: object) -> int:
    number = _number(tree)
    if number < 0 or int(number) != number:
        raise _flaw("must be a whole number from 0 up; write the schema as JSON Schema says")
    return int(number)


def _names(tree: object) -> list[str]:
    return [_text(name) for name in _list(tree)]


def _keys(tree: object) -> frozenset[str]:
    return frozenset(key_of(value) for value in _list(tree))


def _types(tree: object) -> frozenset[str]:
    names = [_text(tree)] if isinstance(tree, str) else _names(tree)
    if not _TYPES.issuperset(names) or not names:
        raise _flaw("must name types of JSON Schema: string, number, integer, boolean, array, object or null")
    return frozenset(names)


def _pattern(tree: object, steps: Steps) -> Pattern:
    try:
        return Pattern(_text(tree), steps)
    except PatternError as error:
        problem = str(error)
    except TooLongError:
        raise _flaw("is one of too many long patterns; ask with a simpler schema") from None
    raise _flaw(f"{problem}; write it as ECMA-262 says, without back-references and lookbehind")
