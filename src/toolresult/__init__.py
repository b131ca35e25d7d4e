"""Immutable values that a tool function returns to an LLM tool-calling loop.

`ToolResult` is what the function returns, `ContentPart` a picture, sound or file in it, `Request` what a suspended
call asks, `Answer` the reply. Around them stand pure conversions. Nothing here runs a loop, calls a model, opens a
socket, fetches a URL or keeps state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolresult._content import ContentPart as ContentPart
from toolresult._result import ToolResult as ToolResult
from toolresult._suspension import Answer as Answer
from toolresult._suspension import Request as Request
from toolresult._suspension import match_answers as match_answers
from toolresult.errors import AnswerError as AnswerError
from toolresult.errors import ContentPartError as ContentPartError
from toolresult.errors import ConversionError as ConversionError
from toolresult.errors import DecodeError as DecodeError
from toolresult.errors import EncodeError as EncodeError
from toolresult.errors import LossError as LossError
from toolresult.errors import PendingResultError as PendingResultError
from toolresult.errors import Suspend as Suspend
from toolresult.errors import ToolError as ToolError
from toolresult.errors import ToolResultError as ToolResultError

if TYPE_CHECKING:
    from toolresult.convert import tool_result as tool_result
else:

    def __getattr__(name):  # noqa: ANN001, ANN202
        if name != "tool_result":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from toolresult.convert import tool_result

        return tool_result


__all__ = [
    "Answer",
    "AnswerError",
    "ContentPart",
    "ContentPartError",
    "ConversionError",
    "DecodeError",
    "EncodeError",
    "LossError",
    "PendingResultError",
    "Request",
    "Suspend",
    "ToolError",
    "ToolResult",
    "ToolResultError",
    "match_answers",
    "tool_result",
]
