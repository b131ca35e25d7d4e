"""The parameter of a tool through which a host gives the answers of people. No model may write into it."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Mapping
from functools import partial
from types import FunctionType
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from toolresult._frozen import is_frozen_dict
from toolresult._result import ToolResult
from toolresult._suspension import Answer

ONE, MANY = "one", "many"
_USUAL_NAMES = frozenset({"answer", "answers"})


class AnswerParameter:
    """A parameter for answers: its name, whether it takes one or a mapping of many, and how arguments are bound."""

    def __init__(self, name: str, kinds: set[str], full: inspect.Signature) -> None:
        self.name = name
        self.kinds = kinds
        self.full = full
        self.public = full.replace(parameters=[p for n, p in full.parameters.items() if n != name])

    def arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], *, sees_declines: bool
    ) -> tuple[Any, Any, ToolResult | None]:
        """Give the arguments to call the function with, or a result with which the call ends before.

        Whoever calls by position sees the parameters that are shown, unless it passes a real answer.

        Raises:
            TypeError: they fit no call.
        """
        kwargs = {str.__str__(name): value for name, value in kwargs.items()}
        given: object = kwargs.pop(self.name, None)
        if given is None:
            given = self._by_position(args, kwargs)
            if given is not None:
                args, kwargs = self._without(args, kwargs)
        if given is None or (MANY in self.kinds and given == {}):
            preset: object = self.full.parameters[self.name].default
            given = preset if type(preset) is Answer else None
        try:
            bound = self.public.bind(*args, **kwargs)
        except TypeError:
            if not self._fits(args, kwargs):
                raise
            return args, kwargs, _forged(self.name)
        arguments = dict(bound.arguments)
        if given is not None:
            answers = self._real(given)
            if answers is None:
                return args, kwargs, _forged(self.name)
            refusals = [] if sees_declines else [answer for answer in answers if not answer.ok]
            if refusals:
                return args, kwargs, refusals[0].to_result()
            arguments[self.name] = given if type(given) is Answer else {answer.id: answer for answer in answers}
        call = inspect.BoundArguments(self.full, cast("Any", arguments))
        call.apply_defaults()
        return call.args, call.kwargs, None

    def _by_position(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        if not self._fits(args, kwargs):
            return None
        given: object = self.full.bind(*args, **kwargs).arguments.get(self.name)
        return given if given is not None and self._real(given) else None

    def _without(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        arguments = dict(self.full.bind(*args, **kwargs).arguments)
        del arguments[self.name]
        bound = inspect.BoundArguments(self.public, cast("Any", arguments))
        return bound.args, bound.kwargs

    def _fits(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        try:
            self.full.bind(*args, **kwargs)
        except TypeError:
            return False
        return True

    def _real(self, given: object) -> list[Answer] | None:
        """List the answers that were given; `None` if anything else is there."""
        if type(given) is Answer:
            return [given] if ONE in self.kinds else None
        if MANY not in self.kinds or not (type(given) is dict or is_frozen_dict(given)):
            return None
        answers: list[Answer] = []
        for key, answer in list(cast("dict[object, object]", given).items()):
            if type(answer) is not Answer or key != answer.id:
                return None
            answers.append(answer)
        return answers


def _forged(name: str) -> ToolResult:
    text = f"Not executed: {name} is given by the host, after a person has answered; leave it out."
    return ToolResult.error(text, code="answer")


def find_answer_parameter(
    function: Any, shown: inspect.Signature | None, around: Mapping[str, Any]
) -> AnswerParameter | None:
    """Find the parameter that takes answers, in what a function shows and in what it has.

    `around` are the names where the function is defined.

    Raises:
        TypeError: there are two, one has no default, or one takes any number.
    """
    if shown is None:
        return None
    names = {**_names_in(function), **around}
    for signature in (_own_signature(function, shown), shown):
        found = [
            (parameter, kinds)
            for parameter in signature.parameters.values()
            if (kinds := _kinds_of_parameter(parameter, names, shown))
        ]
        for parameter, _ in found:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TypeError(f"{parameter.name}: cannot take any number of answers; use a mapping by request id")
            if parameter.default is parameter.empty:
                raise TypeError(f"{parameter.name}: a parameter for answers must have a default; use None")
        if len(found) > 1:
            raise TypeError(f"{found[1][0].name}: a tool has one parameter for answers; use a mapping by request id")
        if found:
            return AnswerParameter(found[0][0].name, found[0][1], signature)
    return None


def _kinds_of_parameter(parameter: inspect.Parameter, names: dict[str, Any], shown: inspect.Signature) -> set[str]:
    is_usual = parameter.name in _USUAL_NAMES
    if is_usual and parameter.name not in shown.parameters:
        return {ONE, MANY}  # a wrapper that took over the annotations of what it wraps
    return _kinds_of(parameter.annotation, names, is_usual)


def _own_signature(function: Any, shown: inspect.Signature) -> inspect.Signature:
    try:
        return inspect.signature(function, follow_wrapped=False)
    except Exception:  # noqa: BLE001 - an object may raise anything
        return shown


def function_in(function: Any) -> Any:
    """Find the Python function in what is called; `None` if there is none."""
    for _ in range(100):
        if type(function) is partial:
            function = function.func
        elif isinstance(function, FunctionType):
            return inspect.unwrap(function)
        else:
            inner = _attribute(function, "__func__") or _attribute(function, "__wrapped__")
            function = inner or _attribute(type(function), "__call__")
    return None


def _attribute(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:  # noqa: BLE001 - an object may raise anything
        return None


def _names_in(function: Any) -> dict[str, Any]:
    """List what the annotations of a function may name: its globals, and what it closes over."""
    found = function_in(function)
    if found is None:
        return {}
    names = dict(found.__globals__)
    names.update({parameter.__name__: parameter for parameter in getattr(found, "__type_params__", ())})
    for name, cell in zip(found.__code__.co_freevars, found.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # it is not bound yet
            continue
    return names


def _kinds_of(annotation: Any, names: dict[str, Any], is_usual: bool, depth: int = 0) -> set[str]:  # noqa: FBT001
    """Say whether a parameter takes an answer, a mapping of answers, both or none."""
    if depth > 20:
        return set()
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, dict(names))  # noqa: S307 - the author's annotation, as `typing` reads it
        except Exception:  # noqa: BLE001 - a name that is there for type checkers only
            return {ONE, MANY} if is_usual or re.search(r"\bAnswer\b", annotation) else set()
        return _kinds_of(annotation, names, is_usual, depth + 1)
    if annotation is Answer:
        return {ONE}
    origin = get_origin(annotation)
    if origin is Literal:
        return set()
    inner: list[Any] = list(get_args(annotation)[:1] if origin is Annotated else get_args(annotation))
    for name in ("__supertype__", "__bound__", "__default__", "__value__"):  # of a NewType, a TypeVar, an alias
        try:
            inner.append(getattr(annotation, name, None))
        except Exception:  # noqa: BLE001 - an alias of a name that is there for type checkers only
            return {ONE, MANY} if is_usual else set()
    inner += getattr(annotation, "__constraints__", ())
    if typing.is_typeddict(annotation):
        inner += annotation.__annotations__.values()
    inner = [each for each in inner if each is not None]
    kinds = {kind for each in inner for kind in _kinds_of(each, names, is_usual, depth + 1)}
    if kinds and type(origin).__name__ == "TypeAliasType":
        return {ONE, MANY}  # what its parameter stands for, only a type checker works out
    is_mapping = isinstance(origin, type) and issubclass(origin, Mapping)
    return {MANY} if kinds and is_mapping else kinds
