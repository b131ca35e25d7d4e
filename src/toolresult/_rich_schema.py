"""Data against any JSON Schema, by the `jsonschema` package, in bounded time and without fetching anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

from toolresult._flat_schema import MisfitError, TooMuchError, counted_key
from toolresult._formats import FORMATS
from toolresult._pattern import Pattern, Steps, TooLongError
from toolresult._pattern_syntax import PatternError

_DRAFTS = {
    "http://json-schema.org/draft-07/schema": "Draft7Validator",
    "https://json-schema.org/draft/2019-09/schema": "Draft201909Validator",
    "https://json-schema.org/draft/2020-12/schema": "Draft202012Validator",
}
_NEWEST = "https://json-schema.org/draft/2020-12/schema"
_MAX_SCHEMA = 2_000
"""Values in a schema, of which each costs about 0.2 ms to check against the schema of schemas."""
_STEPS_PER_KEYWORD = 20
_STEPS_PER_MEMBER = 10
_CHARS_IN_A_STEP = 50
_INTO_MEMBERS = frozenset(
    {
        *("items", "prefixItems", "additionalItems", "contains", "propertyNames"),
        *("properties", "patternProperties", "additionalProperties"),
    }
)
_CHARS_OF_A_FORMAT_IN_A_STEP = 10
_SQUARE = frozenset({"unevaluatedItems", "unevaluatedProperties"})
"""What takes the package the square of the number of members."""
_BEYOND = "says more than a flat schema can; install jsonschema 4.18 or newer, or ask for flat data"
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

_Check = Callable[[Any, Any, Any, Any], "Iterator[Any] | None"]


def check_rich(tree: dict[str, Any], data: object, steps: Steps, richer: tuple[object, ...]) -> None:
    """Hold data against a schema that is not flat; `richer` is where it says more.

    Raises:
        MisfitError: they do not fit; the schema is malformed, too large, or refers to what is not in it; or the
            package is not installed.
    """
    draft = _draft_of(tree)
    try:
        jsonschema, registry = import_module("jsonschema"), import_module("referencing").Registry()
        base = getattr(jsonschema, draft)
        base({}, registry=registry)
    except (ImportError, TypeError):  # older ones know no registry, and fetch what is referred to
        raise MisfitError(_BEYOND, *reversed(richer), in_schema=True) from None
    tree = {name: value for name, value in tree.items() if name != "$schema"}
    _check_schema(jsonschema, base, tree)
    patterns = _patterns_in(tree, steps)
    validator = _guarded(jsonschema, base)(tree, registry=registry, format_checker=_Guard(steps, patterns))
    where: tuple[object, ...] = ()
    try:
        flaw = next(validator.iter_errors(data), None)
    except TooLongError:
        raise TooMuchError from None
    except MisfitError:
        raise
    except RecursionError:
        problem = "nests too deep, or refers to itself without end; flatten it"
    except Exception as error:  # noqa: BLE001 - whatever a schema makes it raise
        problem, where = _problem_with_schema(error, tree)
    else:
        if flaw is not None:
            raise _misfit(flaw)
        return
    raise MisfitError(problem, *reversed(where), in_schema=True)


def _draft_of(tree: dict[str, Any]) -> str:
    named: object = tree.get("$schema", _NEWEST)
    draft = _DRAFTS.get(named.removesuffix("#")) if isinstance(named, str) else None
    if draft is None:
        problem = "names a dialect that is not checked here; use draft 2020-12, 2019-09 or 07"
        raise MisfitError(problem, "$schema", in_schema=True)
    return draft


def _check_schema(jsonschema: Any, base: Any, tree: dict[str, Any]) -> None:
    """Hold a schema against the schema of schemas, whose patterns are not those of strangers."""
    where = _first(tree, lambda name, value: name == "$schema" and isinstance(value, str))
    if where is not None:  # validation would go on from there without our guards
        raise MisfitError("must be at the root only; leave it out", *reversed(where), in_schema=True)
    if _size_of(tree) > _MAX_SCHEMA:
        raise MisfitError(f"holds more than {_MAX_SCHEMA} values; ask for less at once", in_schema=True)
    where = _first(tree, lambda name, _: name == "unevaluatedProperties")
    if where is not None and _first(tree, lambda name, _: name == "patternProperties") is not None:
        problem = "stands beside patternProperties, which the package works out with `re`; use additionalProperties"
        raise MisfitError(problem, *reversed(where), in_schema=True)
    try:
        base.check_schema(tree, format_checker=jsonschema.FormatChecker(formats=()))
    except RecursionError:
        problem, path = "nests too deep; flatten it", ()
    except jsonschema.SchemaError as error:
        problem, path = "is no JSON Schema; write it as its draft says", tuple(error.absolute_path)
    else:
        return
    raise MisfitError(problem, *reversed(path), in_schema=True)


def _nodes(tree: object) -> Iterator[tuple[tuple[object, ...], object, object]]:
    """List all values in a tree: where they stand, under which key or index, and what they are."""
    pending: list[tuple[tuple[object, ...], object]] = [((), tree)]
    while pending:
        where, node = pending.pop()
        items: Any = ()
        if isinstance(node, dict):
            items = cast("dict[object, object]", node).items()
        elif isinstance(node, list):
            items = enumerate(cast("list[object]", node))
        for key, value in items:
            yield (*where, key), key, value
            pending.append(((*where, key), value))


def _first(tree: object, wanted: Callable[[object, object], bool]) -> tuple[object, ...] | None:
    return next((where for where, key, value in _nodes(tree) if wanted(key, value)), None)


def _size_of(tree: object) -> int:
    return sum(1 for _ in _nodes(tree))


def _patterns_in(tree: dict[str, Any], steps: Steps) -> dict[str, Pattern | MisfitError]:
    """Read all patterns, or what is wrong with them; some stand in examples and are never searched for."""
    patterns: dict[str, Pattern | MisfitError] = {}
    for where, key, value in _nodes(tree):
        found: list[object] = []
        if key == "pattern":
            found = [value]
        elif key == "patternProperties" and isinstance(value, dict):
            found = list(cast("dict[object, object]", value))
        for text in found:
            if isinstance(text, str):
                try:
                    patterns[text] = Pattern(text, steps)
                except TooLongError:
                    problem = "is one of too many long patterns; ask with a simpler schema"
                    raise MisfitError(problem, *reversed(where), in_schema=True) from None
                except PatternError as error:
                    problem = f"{error}; write it as ECMA-262 says, without back-references and lookbehind"
                    patterns[text] = MisfitError(problem, *reversed(where), in_schema=True)
    return patterns


def _problem_with_schema(error: Exception, tree: dict[str, Any]) -> tuple[str, tuple[object, ...]]:
    reference: object = getattr(error, "anchor", None) or getattr(error, "ref", None)
    if not isinstance(reference, str):
        return f"cannot be checked ({type(error).__name__}); write it more plainly", ()

    def is_it(name: object, value: object) -> bool:
        return name in _REFERENCES and isinstance(value, str) and value.endswith(reference)

    return "refers to what is not in the schema, and nothing is fetched; put it under $defs", _first(tree, is_it) or ()


def _misfit(flaw: Any) -> MisfitError:
    """Say what does not fit without showing it: the message of the package holds values."""
    where = list(flaw.absolute_path)
    keyword: object = flaw.validator
    if keyword == "required":
        where.append(next(name for name in flaw.validator_value if name not in flaw.instance))
        return MisfitError("is required and missing; ask again", *reversed(where))
    if keyword is None:
        return MisfitError("has no place in the schema; leave it out", *reversed(where))
    return MisfitError(f"does not fit {keyword} of the schema; ask again", *reversed(where))


class _Guard:
    """What the keywords of one check share. It travels in the place of a checker of formats."""

    def __init__(self, steps: Steps, patterns: dict[str, Pattern | MisfitError]) -> None:
        self.steps = steps
        self.patterns = patterns

    def is_in(self, pattern: str, text: str) -> bool:
        found = self.patterns[pattern]
        if isinstance(found, MisfitError):
            raise found
        return found.is_in(text, self.steps)


@lru_cache(3)
def _guarded(jsonschema: Any, base: Any) -> Any:
    """Make a class of validators in which every keyword counts its steps, and none uses `re` or a network."""
    ours: dict[str, _Check] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
        "format": _format,
    }
    theirs: dict[str, _Check] = dict(base.VALIDATORS)
    checks = {name: _counted(name, ours.get(name, check)) for name, check in theirs.items()}
    return jsonschema.validators.extend(base, checks)


def _counted(name: str, check: _Check) -> _Check:
    def counted(validator: Any, said: Any, instance: Any, schema: Any) -> Iterator[Any]:
        steps: Steps = validator.format_checker.steps
        steps.spend(_STEPS_PER_KEYWORD + _length_of(said))
        members = _length_of(instance)
        if name in _INTO_MEMBERS:
            steps.spend(_STEPS_PER_MEMBER * members)
        elif name in _SQUARE:
            steps.spend(members * members // _CHARS_IN_A_STEP)
        for flaw in check(validator, said, instance, schema) or ():
            steps.spend(len(flaw.message) // _CHARS_IN_A_STEP)  # it holds the instance, however large
            yield flaw

    return counted


def _length_of(value: object) -> int:
    return len(cast("list[object]", value)) if isinstance(value, (list, dict)) else 0


def _flaw(problem: str) -> Any:
    return import_module("jsonschema").ValidationError(problem)


def _pattern(validator: Any, said: Any, instance: Any, _: Any) -> Iterator[Any]:
    if isinstance(instance, str) and not validator.format_checker.is_in(said, instance):
        yield _flaw("pattern")


def _pattern_properties(validator: Any, said: Any, instance: Any, _: Any) -> Iterator[Any]:
    if isinstance(instance, dict):
        for pattern, below in said.items():
            for name, value in cast("dict[str, object]", instance).items():
                if validator.format_checker.is_in(pattern, name):
                    yield from validator.descend(value, below, path=name, schema_path=pattern)


def _additional_properties(validator: Any, said: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, dict):
        patterns = schema.get("patternProperties", {})
        for name, value in cast("dict[str, object]", instance).items():
            is_known = name in schema.get("properties", {})
            if not is_known and not any(validator.format_checker.is_in(pattern, name) for pattern in patterns):
                if said is False:
                    flaw = _flaw("additionalProperties")
                    flaw.path.append(name)
                    yield flaw
                yield from validator.descend(value, said, path=name)


def _unique_items(validator: Any, said: Any, instance: Any, _: Any) -> Iterator[Any]:
    if said and isinstance(instance, list):
        items = cast("list[object]", instance)
        if len({counted_key(item, validator.format_checker.steps) for item in items}) < len(items):
            yield _flaw("uniqueItems")


def _format(validator: Any, said: Any, instance: Any, _: Any) -> Iterator[Any]:
    if isinstance(instance, str) and said in FORMATS:
        validator.format_checker.steps.spend(len(instance) // _CHARS_OF_A_FORMAT_IN_A_STEP)
        if not FORMATS[said](instance):
            yield _flaw("format")
