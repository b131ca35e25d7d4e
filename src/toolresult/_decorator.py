"""`@tool_result`: an ordinary function becomes a tool that returns results and raises nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from functools import partial
from types import FunctionType
from typing import Any, ParamSpec, Protocol, cast, overload

from toolresult import _json
from toolresult._answers import AnswerParameter, find_answer_parameter, function_in
from toolresult._clip import clip
from toolresult._frozen import type_name
from toolresult._json import NonFinite
from toolresult._raised import from_exception, leaves_of, steers
from toolresult._result import ToolResult
from toolresult._returned import NON_FINITE, RelayedError, convert
from toolresult.errors import ConversionError, Suspend, ToolError

P = ParamSpec("P")

ASKS = "__toolresult_asks__"
"""The attribute of a tool that asks: its parameter for answers, which its signature does not show."""

MCP = "__toolresult_mcp__"
"""The attribute of what is a tool of an MCP server, and of no other loop."""


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

    A parameter that is annotated with `Answer`, or a `dict` or other mapping of them, is the host's: frameworks do not
    see it, and anything but real answers in it is an error result before the function runs. So is an answer that is
    not ok, unless `sees_declines`.

    Raises:
        TypeError: an option of the wrong type, or a parameter for answers that has no default or takes any number.
        ValueError: an option that is out of its range.
    """
    tool = _Tool(expose, passthrough, on_exception, max_chars, sees_declines, indent, non_finite, default)
    return tool.decorate if function is None else tool.wrap(function, names_around())


def tool_of(function: Any, names: Mapping[str, Any]) -> tuple[Any, AnswerParameter | None]:
    """Make the tool of a function, unless it is one that asks; return it with its parameter for answers."""
    if _look_up(function, ASKS) is None:
        function = _Tool((), (), None, None, False, None, "null", None).wrap(function, names)  # noqa: FBT003
    return function, _look_up(function, ASKS)


class _Tool:
    """The options of a decorator."""

    def __init__(
        self,
        expose: Collection[type[BaseException]],
        passthrough: Collection[type[BaseException]],
        on_exception: Callable[[Exception], object] | None,
        max_chars: int | None,
        sees_declines: bool,  # noqa: FBT001
        indent: int | str | None,
        non_finite: NonFinite,
        default: Callable[[Any], object] | None,
    ) -> None:
        self.expose = _classes("expose", expose)
        self.passthrough = _classes("passthrough", passthrough)
        for name, function in (("on_exception", on_exception), ("default", default)):
            if function is not None and (not callable(cast("object", function)) or _is_async(function)):
                raise TypeError(f"{name}: must be an ordinary function, got {type_name(function)}")
        if max_chars is not None and (type(max_chars) is not int or max_chars < 0):
            raise ValueError("max_chars: must be an int from 0")
        if non_finite not in NON_FINITE:
            raise ValueError("non_finite: must be null, text or refuse")
        _json.check_indent(indent)
        self.on_exception = on_exception
        self.max_chars = max_chars
        self.sees_declines = sees_declines
        self.convert = partial(
            convert, indent=indent, non_finite=non_finite, default=default, expose=self.expose, relay=True
        )

    def decorate(self, function: Any, /) -> Any:
        """Make the tool of a function where it is defined."""
        return self.wrap(function, names_around())

    def wrap(self, function: Any, names: Mapping[str, Any]) -> Any:
        """Make the tool of a function, a method of a class or an instance, a partial or a callable object.

        `names` are those where it is defined, which its annotations may use.
        """
        if issubclass(type(function), (staticmethod, classmethod)):
            return type(function)(self.wrap(function.__func__, names))
        if not callable(function):
            raise TypeError(f"function: must be callable, got {type_name(function)}")
        if _look_up(function, MCP) is not None:
            raise TypeError("function: is a tool of an MCP server already; decorate it once, with mcp_tool outermost")
        signature = _signature_of(function)
        asked = find_answer_parameter(function, signature, names)
        call = _Call(self, function, signature, asked)
        return dress(call.async_wrapper() if _is_async(function) else call.wrapper(), function, signature, asked)

    def returned(self, value: object) -> ToolResult:
        """Make the result of what a function returned.

        Raises:
            RelayedError: what reading the value raised, which counts as raised by the function.
        """
        try:
            result = ToolResult.ok(value) if type(value) is str else self.convert(value)
        except ConversionError as error:
            self.heard(error)
            result = ToolResult.error(str(error), code="conversion")
        return self.finished(result)

    def raised(self, error: BaseException) -> ToolResult:
        """Make the result of what a function raised, or raise it again."""
        if type(error) is RelayedError:
            error = error.error
        leaves = leaves_of(error)
        is_ordinary = issubclass(type(error), Exception)
        if not is_ordinary and not (len(leaves) == 1 and issubclass(type(leaves[0]), Suspend)):
            raise error
        if any(issubclass(type(leaf), self.passthrough) or steers(leaf) for leaf in leaves):
            raise error
        if is_ordinary and not issubclass(type(error), ToolError):
            self.heard(cast("Exception", error))
        return self.finished(from_exception(error, self.expose))

    def heard(self, error: Exception) -> None:
        """Tell the host of what the model is not told."""
        if self.on_exception is not None:
            self.on_exception(error)

    def finished(self, result: ToolResult) -> ToolResult:
        """Clip a result if that is asked for."""
        return result if self.max_chars is None else clip(result, self.max_chars)


class _Call:
    """How a function is called: what stands in for it, and what is looked at before."""

    def __init__(
        self, tool: _Tool, function: Any, signature: inspect.Signature | None, asked: AnswerParameter | None
    ) -> None:
        self.tool = tool
        self.function = function
        self.signature = signature
        self.asked = asked

    # The wrappers run with the globals of the author, so they name nothing but what they close over.
    def wrapper(self) -> FunctionType:
        """Stand in for a function."""
        function, prepare = self.function, self.prepare()
        returned, failed = self.tool.returned, self.failed
        anything = BaseException

        def wrapper(*args: Any, **kwargs: Any) -> ToolResult:
            try:
                if prepare is not None:
                    args, kwargs, ended = prepare(args, kwargs)
                    if ended is not None:
                        return ended
                return returned(function(*args, **kwargs))
            except anything as error:
                return failed(error, args, kwargs)

        return cast("FunctionType", wrapper)

    def async_wrapper(self) -> FunctionType:
        """Stand in for an asynchronous function."""
        function, prepare = self.function, self.prepare()
        returned, failed = self.tool.returned, self.failed
        anything, is_awaitable = BaseException, inspect.isawaitable

        async def wrapper(*args: Any, **kwargs: Any) -> ToolResult:
            try:
                if prepare is not None:
                    args, kwargs, ended = prepare(args, kwargs)
                    if ended is not None:
                        return ended
                value = function(*args, **kwargs)
                return returned((await value) if is_awaitable(value) else value)
            except anything as error:
                return failed(error, args, kwargs)

        return cast("FunctionType", wrapper)

    def prepare(self) -> Callable[[Any, Any], tuple[Any, Any, ToolResult | None]] | None:
        """Give what looks at the arguments of a tool that asks."""
        asked, tool = self.asked, self.tool
        if asked is None:
            return None

        def look(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, ToolResult | None]:
            args, kwargs, ended = asked.arguments(args, kwargs, sees_declines=tool.sees_declines)
            return args, kwargs, None if ended is None else tool.finished(ended)

        return look

    def failed(self, error: BaseException, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ToolResult:
        """Make the result of a call that raised; say which argument was wrong, when that is why."""
        if type(error) is TypeError and self.signature is not None:
            shown = self.signature if self.asked is None else self.asked.full
            try:
                shown.bind(*args, **kwargs)
            except TypeError as mismatch:
                self.tool.heard(error)
                return self.tool.finished(ToolResult.error(f"Wrong arguments: {mismatch}.", code="arguments"))
        return self.tool.raised(error)


def names_around() -> Mapping[str, Any]:
    """List the names where the caller of the caller is: what a decorated function may name in its annotations."""
    frame = inspect.currentframe()
    for _ in range(2):
        frame = None if frame is None else frame.f_back
    return {} if frame is None else dict(frame.f_locals)


def _classes(name: str, classes: Any) -> tuple[type[BaseException], ...]:
    if issubclass(type(classes), type) or not issubclass(type(classes), Iterable):
        raise TypeError(f"{name}: must be a collection of exception classes, got {type_name(classes)}; use a list")
    kept: tuple[Any, ...] = tuple(classes)
    for kind in kept:
        if not issubclass(type(kind), type) or not issubclass(kind, BaseException):
            raise TypeError(f"{name}: must be exception classes, got {type_name(kind)}")
    return kept


def _is_async(function: Any) -> bool:
    try:
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(inspect.unwrap(function)):
            return True
    except Exception:  # noqa: BLE001 - an object may raise anything
        return False
    call = getattr(cast("Any", type(function)), "__call__", None)  # noqa: B004 - it is looked at, not called
    return inspect.iscoroutinefunction(call)


def _signature_of(function: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except Exception:  # noqa: BLE001 - some of those that are written in C have none, and an object may raise anything
        return None


def dress(
    wrapper: FunctionType, function: Any, signature: inspect.Signature | None, asked: AnswerParameter | None
) -> Any:
    """Give a wrapper what frameworks look at: the author's names, parameters and docs, but no return annotation.

    Annotations that are texts are looked up in the globals of a function, so the wrapper gets those of the author's.
    """
    names = getattr(function_in(function), "__globals__", wrapper.__globals__)
    dressed: Any = FunctionType(wrapper.__code__, names, wrapper.__name__, wrapper.__defaults__, wrapper.__closure__)
    named: Any = function
    while type(named) is partial:
        named = cast("Any", named).func
    own = cast("Any", named if _look_up(named, "__name__") is not None else type(named))
    dressed.__name__ = own.__name__
    dressed.__qualname__ = _look_up(own, "__qualname__") or own.__name__
    dressed.__module__ = _look_up(own, "__module__") or "builtins"
    dressed.__doc__ = _look_up(named, "__doc__")
    if isinstance(named, FunctionType):
        dressed.__dict__.update({key: value for key, value in vars(named).items() if key != "__wrapped__"})
        dressed.__type_params__ = getattr(named, "__type_params__", ())
    if signature is not None:
        hidden = None if asked is None else asked.name
        kept = [parameter for name, parameter in signature.parameters.items() if name != hidden]
        dressed.__signature__ = inspect.Signature(kept)
        dressed.__annotations__ = {
            parameter.name: parameter.annotation for parameter in kept if parameter.annotation is not parameter.empty
        }
    if asked is not None:
        setattr(dressed, ASKS, asked)
    return dressed


def _look_up(function: Any, name: str) -> Any:
    try:
        return getattr(function, name, None)
    except Exception:  # noqa: BLE001 - an object may raise anything
        return None
