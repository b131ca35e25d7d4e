"""The exact types of the errors, and what may catch them. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from typing import Literal, assert_type

from toolresult import (
    AnswerError,
    ContentPart,
    ContentPartError,
    ConversionError,
    DecodeError,
    EncodeError,
    LossError,
    PendingResultError,
    Request,
    Suspend,
    ToolError,
    ToolResult,
    ToolResultError,
)


def errors_with_a_path(conversion: ConversionError, decode: DecodeError, encode: EncodeError) -> None:
    assert_type(conversion.path, str)
    assert_type(conversion.problem, str)
    assert_type(decode.path, str)
    assert_type(decode.problem, str)
    assert_type(encode.path, str)
    assert_type(encode.problem, str)
    assert_type(ConversionError("value[0]", "has no JSON form"), ConversionError)
    assert_type(DecodeError("parts[0]", "must be a mapping"), DecodeError)
    assert_type(EncodeError("metadata.when", "has no JSON form"), EncodeError)


def answer_error(error: AnswerError) -> None:
    assert_type(error.kind, Literal["unknown_id", "duplicate", "missing", "expired", "schema", "arguments"])
    assert_type(error.path, str | None)
    assert_type(AnswerError("expired", "too late"), AnswerError)
    assert_type(AnswerError("schema", "is no date", "answer.data.born"), AnswerError)


def tool_error(error: ToolError, part: ContentPart, result: ToolResult) -> None:
    assert_type(
        ToolError("no", code="gone", retryable=True, parts=[part], value={"n": 1}, result=result),
        ToolError,
    )
    assert_type(error.message, str)
    assert_type(error.code, str | None)
    assert_type(error.retryable, bool)
    assert_type(error.parts, tuple[ContentPart, ...])
    assert_type(error.value, object)
    assert_type(error.result, ToolResult | None)


def suspend(signal: Suspend, request: Request) -> None:
    assert_type(signal.request, Request)
    assert_type(Suspend(request), Suspend)
    stop: BaseException = signal
    raise stop


def builtins_catch_ours(
    part: ContentPartError,
    conversion: ConversionError,
    decode: DecodeError,
    encode: EncodeError,
    answer: AnswerError,
) -> tuple[list[ValueError], list[TypeError]]:
    return [part, decode, answer], [conversion, encode]


def the_root_catches_ours(
    part: ContentPartError,
    conversion: ConversionError,
    decode: DecodeError,
    encode: EncodeError,
    answer: AnswerError,
    loss: LossError,
    pending: PendingResultError,
) -> list[ToolResultError]:
    return [part, conversion, decode, encode, answer, loss, pending]
