"""`@tool_result`: an ordinary function becomes a tool that returns results and raises nothing."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Coroutine, Mapping
from functools import partial
from types import FunctionType
from typing import Any, ParamSpec, Protocol, cast, get_args, overload

from toolresult._clip import clip
from toolresult._frozen import type_name
from toolresult._json import NonFinite
from toolresult._raised import from_exception, leaves_of
from toolresult._result import ToolResult
from toolresult._returned import of
from toolresult._suspension import Answer
from toolresult.errors import ConversionError, Suspend, ToolError

P = ParamSpec("P")

STEERING = frozenset(
    {
        ("langgraph.errors", "GraphBubbleUp"),
        ("mcp.shared.exceptions", "UrlElicitationRequiredError"),
        ("pydantic_ai.exceptions", "ApprovalRequired"),
        ("pydantic_ai.exceptions", "CallDeferred"),
        ("pydantic_ai.exceptions", "ModelRetry"),
        ("pydantic_ai.exceptions", "ToolFailed"),
        ("strands.interrupt", "InterruptException"),
    }
)
"""Exceptions by which frameworks steer their loop, by module and class name: they pass, subclasses too."""


class Decorator(Protocol):
    """What `tool_result` with options gives."""

    # An asynchronous function is one that returns an object too: the first overload that fits decides.
    @overload
    def __call__(  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
        self, function: Callable[P, Coroutine[Any, Any, Any]], /
    ) -> Callable[P, Coroutine[Any, Any, ToolResult]]: ...
    @overload
    def __call__(self, function: Callable[P, object], /) -> Callable[P, ToolResult]: ...


@overload
def tool_result(  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
    function: Callable[P, Coroutine[Any, Any, Any]], /
) -> Callable[P, Coroutine[Any, Any, ToolResult]]: ...
@overload
def tool_result(function: Callable[P, object], /) -> Callable[P, ToolResult]: ...
@overload
def tool_result(
    *,
    expose: Collection[type[BaseException]] = (),
    passthrough: Collection[type[BaseException]] = (),
    on_exception: Callable[[Exception], object] | None = None,
    max_chars: int | None = None,
    sees_declines: bool = False,
    indent: int | str | None = None,
    non_finite: NonFinite = "null",
    default: Callable[[Any], object] | None = None,
) -> Decorator: ...
def tool_result(
    function: Any = None,
    /,
    *,
    expose: Collection[type[BaseException]] = (),
    passthrough: Collection[type[BaseException]] = (),
    on_exception: Callable[[Exception], object] | None = None,
    max_chars: int | None = None,
    sees_declines: bool = False,
    indent: int | str | None = None,
    non_finite: NonFinite = "null",
    default: Callable[[Any], object] | None = None,
) -> Any:
    """Make a tool of a function, with or without options: it returns a `ToolResult` and raises no `Exception`.

    What the function returns goes through `of`, with `indent`, `non_finite` and `default`; what it raises through
    `from_exception`, with `expose`, and to `on_exception`, unless it is a `ToolError`. Cancellation, and the exceptions
    by which agent frameworks steer their loop or that are in `passthrough`, pass. `max_chars` clips the result.

    A parameter that is annotated with `Answer` is the host's: frameworks do not see it, and anything but real answers
    in it is an error result before the function runs. So is an answer that is not ok, unless `sees_declines`.
    """
    tool = _Tool(expose, tuple(passthrough), on_exception, max_chars, sees_declines, indent, non_finite, default)
    return tool.wrap if function is None else tool.wrap(function)


class _Tool:
    """The options of a decorator."""

    def __init__(
        self,
        expose: Collection[type[BaseException]],
        passthrough: tuple[type[BaseException], ...],
        on_exception: Callable[[Exception], object] | None,
        max_chars: int | None,
        sees_declines: bool,  # noqa: FBT001
        indent: int | str | None,
        non_finite: NonFinite,
        default: Callable[[Any], object] | None,
    ) -> None:
        self.expose = expose
        self.passthrough = passthrough
        self.on_exception = on_exception
        self.max_chars = max_chars
        self.sees_declines = sees_declines
        self.convert = partial(of, indent=indent, non_finite=non_finite, default=default, expose=expose)

    def wrap(self, function: Any) -> Any:
        """Make the tool of a function, a method of a class or an instance, a partial or a callable object."""
        if issubclass(type(function), (staticmethod, classmethod)):
            return type(function)(self.wrap(function.__func__))
        if not callable(function):
            raise TypeError(f"function: must be callable, got {type_name(function)}")
        signature = _signature_of(function)
        asked = None if signature is None else _answer_parameter(function, signature)
        check = None if asked is None or signature is None else partial(self._refused, signature, asked)
        wrapper = (self._async_wrapper if _is_async(function) else self._wrapper)(function, check)
        return _dressed(wrapper, function, signature, asked)

    def _wrapper(self, function: Callable[..., Any], check: Callable[..., ToolResult | None] | None) -> Any:
        returned, raised = self.returned, self.raised

        def wrapper(*args: Any, **kwargs: Any) -> ToolResult:
            try:
                if check is not None:
                    refusal = check(args, kwargs)
                    if refusal is not None:
                        return refusal
                return returned(function(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - raised again unless it becomes a result
                return raised(error)

        return wrapper

    def _async_wrapper(self, function: Callable[..., Any], check: Callable[..., ToolResult | None] | None) -> Any:
        returned, raised = self.returned, self.raised

        async def wrapper(*args: Any, **kwargs: Any) -> ToolResult:
            try:
                if check is not None:
                    refusal = check(args, kwargs)
                    if refusal is not None:
                        return refusal
                return returned(await function(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - raised again unless it becomes a result
                return raised(error)

        return wrapper

    def returned(self, value: object) -> ToolResult:
        """Make the result of what a function returned."""
        result = ToolResult.ok(value) if type(value) is str else self.convert(value)
        return result if self.max_chars is None else clip(result, self.max_chars)

    def raised(self, error: BaseException) -> ToolResult:
        """Make the result of what a function raised, or raise it again."""
        leaves = leaves_of(error)
        if not isinstance(error, Exception) and not (len(leaves) == 1 and isinstance(leaves[0], Suspend)):
            raise error
        if any(isinstance(leaf, self.passthrough) or _steers(leaf) for leaf in leaves):
            raise error
        if isinstance(error, ConversionError):
            result = ToolResult.error(str(error), code="conversion")
        else:
            result = from_exception(error, self.expose)
        if self.on_exception is not None and isinstance(error, Exception) and not isinstance(error, ToolError):
            self.on_exception(error)
        return result if self.max_chars is None else clip(result, self.max_chars)

    def _refused(
        self, signature: inspect.Signature, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ToolResult | None:
        """Look at what is passed as an answer; give the result with which the call ends here."""
        given: object = signature.bind_partial(*args, **kwargs).arguments.get(name)
        if given is None:
            return None
        answers: list[object] = [given]
        if isinstance(given, Mapping):
            answers = list(cast("Mapping[object, object]", given).values())
        for answer in answers:
            if type(answer) is not Answer:
                text = f"Not executed: {name} is given by the host, after a person has answered; leave it out."
                return ToolResult.error(text, code="answer")
        if not self.sees_declines:
            for answer in cast("list[Answer]", answers):
                if not answer.ok:
                    return answer.to_result()
        return None


def _call_of(function: object) -> Any:
    return getattr(cast("Any", type(function)), "__call__", None)  # noqa: B004 - it is looked at, not called


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(_call_of(function))


def _signature_of(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # some of those that are written in C have none
        return None


def _answer_parameter(function: Any, signature: inspect.Signature) -> str | None:
    """Find the parameter that takes answers."""
    names = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and _is_for_answers(parameter.annotation, _globals_of(function))
    ]
    if not names:
        return None
    if len(names) > 1:
        raise TypeError(f"{names[1]}: a tool has one parameter for answers; use a mapping of them by request id")
    if signature.parameters[names[0]].default is inspect.Parameter.empty:
        raise TypeError(f"{names[0]}: a parameter for answers must have a default; use None")
    return names[0]


def _is_for_answers(annotation: Any, names: dict[str, Any]) -> bool:
    if isinstance(annotation, str):
        try:
            return _is_for_answers(eval(annotation, dict(names)), names)  # noqa: S307 - it is the author's own code
        except Exception:  # noqa: BLE001 - a name that is there for type checkers only
            return re.search(r"\bAnswer\b", annotation) is not None
    return annotation is Answer or any(_is_for_answers(inner, names) for inner in get_args(annotation))


def _within(function: Any) -> Any:
    """Find what a partial calls."""
    while type(function) is partial:
        function = function.func
    return function


def _function_of(function: Any) -> Any:
    """Find the Python function in what is called."""
    function = _within(function)
    function = getattr(function, "__func__", function)
    return function if isinstance(function, FunctionType) else _call_of(function)


def _globals_of(function: Any) -> dict[str, Any]:
    return getattr(_function_of(function), "__globals__", {})


def _dressed(wrapper: FunctionType, function: Any, signature: inspect.Signature | None, asked: str | None) -> Any:
    """Give a wrapper what frameworks look at: the author's names, parameters and docs, but no return annotation.

    Annotations that are texts are looked up in the globals of a function, so the wrapper gets those of the author's.
    It needs none itself.
    """
    names = _globals_of(function) or wrapper.__globals__
    dressed = FunctionType(wrapper.__code__, names, wrapper.__name__, wrapper.__defaults__, wrapper.__closure__)
    named = _within(function)
    own = cast("Any", named if hasattr(named, "__name__") else type(named))
    dressed.__name__ = own.__name__
    dressed.__qualname__ = getattr(own, "__qualname__", own.__name__)
    dressed.__module__ = getattr(own, "__module__", None) or dressed.__module__
    dressed.__doc__ = getattr(named, "__doc__", None)
    if isinstance(named, FunctionType):
        dressed.__dict__.update({key: value for key, value in vars(named).items() if key != "__wrapped__"})
    if signature is not None:
        kept = [parameter for name, parameter in signature.parameters.items() if name != asked]
        public: Any = dressed
        public.__signature__ = inspect.Signature(kept)
        dressed.__annotations__ = {
            parameter.name: parameter.annotation for parameter in kept if parameter.annotation is not parameter.empty
        }
    return dressed


def _steers(error: BaseException) -> bool:
    return any((kind.__module__, kind.__name__) in STEERING for kind in type(error).__mro__)
