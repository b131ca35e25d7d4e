"""Every exception type of the library.

`ToolResultError` is the root of what the library raises about data. `ToolError` and `Suspend` are what the author
of a tool raises, and stand apart from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from toolresult._content import ContentPart
    from toolresult._result import ToolResult
    from toolresult._suspension import Request
    from toolresult.adapters import Loss

__all__ = [
    "AnswerError",
    "ContentPartError",
    "ConversionError",
    "DecodeError",
    "EncodeError",
    "LossError",
    "PendingResultError",
    "Suspend",
    "ToolError",
    "ToolResultError",
]

AnswerProblem = Literal["unknown_id", "duplicate", "missing", "expired", "schema", "arguments"]
"""What can be wrong with an answer. The set is closed."""


class ToolResultError(Exception):
    """Root of what the library raises about data. Errors of one type with equal arguments are equal."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, ToolResultError):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        return hash((type(self), self.args))


class _PathError(ToolResultError):
    """An error that names the place in the data: `path` first, then the problem."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)

    @property
    def path(self) -> str:
        """Where the culprit is, for example `metadata.hits[3].when`."""
        return str(self.args[0])

    @property
    def problem(self) -> str:
        """What is wrong there, and the repair."""
        return str(self.args[1])

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class ContentPartError(ToolResultError, ValueError):
    """A content part that cannot exist, or a source that cannot be loaded. The text names no directory."""


class ConversionError(_PathError, TypeError):
    """A Python value without a JSON form."""


class DecodeError(_PathError, ValueError):
    """Malformed input to a decoder."""


class EncodeError(_PathError, TypeError):
    """A value that the wire form cannot hold."""


class LossError(ToolResultError):
    """A shape cannot carry a part, and the caller asked to be stopped. `loss` says which and why."""

    def __init__(self, problem: str, *, loss: Loss | None = None) -> None:
        super().__init__(problem)
        self.loss: Loss | None = loss


class PendingResultError(ToolResultError):
    """A suspended result was given to something that takes finished results only. `call_id` names the call."""

    def __init__(self, problem: str, *, call_id: str | None = None) -> None:
        super().__init__(problem)
        self.call_id: str | None = call_id


class AnswerError(ToolResultError, ValueError):
    """An answer that must not resume the call. `kind` says why, `str()` says it in words."""

    def __init__(self, kind: AnswerProblem, problem: str) -> None:
        super().__init__(kind, problem)
        self.kind: AnswerProblem = kind

    def __str__(self) -> str:
        return f"{self.kind}: {self.args[1]}"


class ToolError(Exception):
    """Raised by a tool whose author wants the model to read the message, word for word.

    `ToolResult.raise_for_error` raises it too, and then `result` is the failed result. The other attributes are
    those of the error result: `code` is a short word for programs, `retryable` says that the same call may succeed
    later, `parts` and `value` are as in `ToolResult.error`.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        retryable: bool = False,
        parts: Iterable[ContentPart] = (),
        value: object = None,
        result: ToolResult | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.retryable = retryable
        self.parts: tuple[ContentPart, ...] = tuple(parts)
        self.value = value
        self.result = result

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_tool_error, (type(self), self.args, dict(vars(self)))


def _rebuild_tool_error(kind: type[ToolError], args: tuple[object, ...], state: dict[str, object]) -> ToolError:
    """Make an error again from a pickle, past constructors of subclasses. Pickles name this function: it stays."""
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


class Suspend(BaseException):
    """Raised by a tool, from any depth, to stop and ask: the call becomes the pending result of `request`.

    It is a `BaseException`, so that no `except Exception` on the way turns "ask first" into "go on".
    """

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.request = request
