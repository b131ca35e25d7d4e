"""What a tool raised becomes a result: word for word what its author says to the model, else the name of the class."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from toolresult._frozen import type_name
from toolresult._result import ToolResult
from toolresult._text import is_blank
from toolresult.errors import Suspend, ToolError


def from_exception(error: BaseException, expose: Collection[type[BaseException]] = ()) -> ToolResult:
    """Make the result of a call that raised `error`.

    A `ToolError` is relayed, a `Suspend` suspends, and of any other only the class is named, since its message may say
    what nobody meant for a model; one whose exact class is in `expose` shows its message. A group with one leaf counts
    as that leaf, and another names each of its leaves.
    """
    leaves = leaves_of(error)
    if len(leaves) > 1:
        return ToolResult.error("\n".join(_text_of(leaf, expose) for leaf in leaves))
    leaf = leaves[0] if leaves else error
    if isinstance(leaf, Suspend):
        return ToolResult.pending(leaf.request)
    if isinstance(leaf, ToolError):
        if type(leaf.result) is ToolResult:
            return leaf.result
        return ToolResult.error(
            _text_of(leaf, expose), code=leaf.code, retryable=leaf.retryable, parts=leaf.parts, value=leaf.value
        )
    return ToolResult.error(_text_of(leaf, expose))


def leaves_of(error: BaseException) -> list[BaseException]:
    """List the exceptions in a group that are no groups, from left to right; an exception is its own leaf."""
    pending, leaves = [error], list[BaseException]()
    while pending:
        last = pending.pop()
        if isinstance(last, BaseExceptionGroup):
            group = cast("BaseExceptionGroup[BaseException]", last)
            pending.extend(reversed(group.exceptions))
        else:
            leaves.append(last)
    return leaves


def _text_of(error: BaseException, expose: Collection[type[BaseException]]) -> str:
    name = type_name(error)
    if isinstance(error, ToolError):
        return name if is_blank(error.message) else error.message
    if type(error) not in expose:
        return name
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - it says no more than its class
        return name
    return name if is_blank(text) else f"{name}: {text}"
