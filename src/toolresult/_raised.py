"""What a tool raised becomes a result: word for word what its author says to the model, else the name of the class."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, cast

from toolresult._frozen import type_name
from toolresult._result import ToolResult
from toolresult._suspension import Request
from toolresult._text import is_blank
from toolresult.errors import Suspend, ToolError

_MAX_LEAVES = 10_000
_MAX_LINES = 100
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_mro_of: Callable[[type], tuple[type[Any], ...]] = type.__dict__["__mro__"].__get__
_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__


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


def from_exception(error: BaseException, expose: Collection[type[BaseException]] = ()) -> ToolResult:
    """Make the result of a call that raised `error`.

    A `ToolError` is relayed, a `Suspend` suspends, and of any other only the class is named, since its message may say
    what nobody meant for a model; one whose exact class is in `expose` shows its message. A group with one leaf counts
    as that leaf, and another names each of its leaves, at most a hundred.
    """
    if not issubclass(type(error), BaseException):
        raise TypeError(f"error: must be an exception, got {type_name(error)}")
    exposed = tuple(expose)
    leaves = leaves_of(error)
    if len(leaves) != 1:
        lines = [_text_of(leaf, exposed) for leaf in leaves[:_MAX_LINES]]
        if len(leaves) > _MAX_LINES:
            lines.append(f"and {len(leaves) - _MAX_LINES} more")
        return ToolResult.error("\n".join(lines) or type_name(error))
    leaf: Any = leaves[0]
    if issubclass(type(leaf), Suspend):
        request: object = _attribute(leaf, "request")
        return ToolResult.pending(request) if type(request) is Request else ToolResult.error(type_name(leaf))
    text = _text_of(leaf, exposed)
    if not issubclass(type(leaf), ToolError):
        return ToolResult.error(text)
    result: object = _attribute(leaf, "result")
    if type(result) is ToolResult and result.is_error:
        return result
    code: object = _attribute(leaf, "code")
    facts: dict[str, Any] = {
        "code": code if type(code) is str else None,
        "retryable": _attribute(leaf, "retryable") is True,
    }
    try:
        parts, value = _attribute(leaf, "parts"), _attribute(leaf, "value")
        return ToolResult.error(text, parts=cast("Any", parts) or (), value=value, **facts)
    except (TypeError, ValueError):  # what is beside the message is wrong, and the message is not
        return ToolResult.error(text, **facts)


def leaves_of(error: BaseException) -> list[BaseException]:
    """List the exceptions in a group that are no groups, from left to right; an exception is its own leaf."""
    pending, leaves = [error], list[BaseException]()
    seen: set[int] = set()
    while pending and len(leaves) < _MAX_LEAVES:
        last = pending.pop()
        if not issubclass(type(last), BaseExceptionGroup):
            leaves.append(last)
        elif id(last) not in seen:
            seen.add(id(last))
            inner: object = _attribute(last, "exceptions")
            pending.extend(reversed(cast("tuple[BaseException, ...]", inner if type(inner) is tuple else ())))
    return leaves


def steers(error: BaseException) -> bool:
    """Say whether a framework steers its loop by an exception; classes are looked at past their metaclasses."""
    kinds = _mro_of(type(error))
    return not STEERING.isdisjoint((str(_module_of(kind)), _name_of(kind)) for kind in kinds)


def _attribute(value: object, name: str) -> object:
    try:
        return getattr(value, name, None)
    except Exception:  # noqa: BLE001 - somebody's exception may raise anything
        return None


def _text_of(error: BaseException, expose: tuple[type[BaseException], ...]) -> str:
    name = type_name(error)
    is_meant = issubclass(type(error), ToolError)
    if not is_meant and not any(kind is type(error) for kind in expose):
        return name
    message: object = _attribute(error, "message") if is_meant else None
    text = message if type(message) is str and message else _read(error)
    if is_blank(text):
        return name
    return text if is_meant else f"{name}: {text}"


def _read(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - it says no more than its class
        return ""
    return _ADDRESS.sub("", str.__str__(text))
