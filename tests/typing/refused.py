"""Lines that must not check. Only type-checked, never run.

Every line carries the codes of what each checker says of it; one that starts to check makes its code unused, which
is an error. A line that one checker alone refuses carries the code of that one.
"""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

import toolresult
from toolresult import (
    Answer,
    AnswerError,
    ContentPart,
    DecodeError,
    Request,
    Suspend,
    ToolError,
    ToolResult,
    match_answers,
)
from toolresult import typo


def names_that_are_not_there(result: ToolResult, part: ContentPart) -> None:
    toolresult.typo
    result.text
    result.to_dict()
    result.typo
    part.path
    ToolResult.typo("text")


def fields_are_frozen(result: ToolResult, part: ContentPart, request: Request, answer: Answer) -> None:
    result.output = "text"
    result.is_error = True
    result.parts = None
    result.metadata = None
    result.value = 1
    result.typo = 1
    part.data = b""
    part.mime_type = "image/png"
    request.prompt = "text"
    request.data = None
    answer.ok = True
    answer.data = None


def fields_are_not_deleted(result: ToolResult, part: ContentPart, request: Request, answer: Answer) -> None:
    del result.output
    del part.data
    del request.url
    del answer.reason


def containers_are_frozen(result: ToolResult, part: ContentPart) -> None:
    assert result.parts is not None
    result.parts.append(part)
    result.parts[0] = part
    result.content[0] = part
    assert result.metadata is not None
    result.metadata["k"] = 1
    del result.metadata["k"]
    result.metadata.update({"k": 1})


def constructors_are_no_flags(result: ToolResult) -> None:
    if result.ok:
        pass
    if result.error:
        pass
    if result.pending:
        pass
    if result.as_text:
        pass


def optional_fields_are_checked_first(result: ToolResult, part: ContentPart) -> None:
    result.parts[0]
    result.metadata["k"]
    result.request.prompt
    result.error_message.upper()
    part.text.upper()
    len(part.data)
    result.value.rows


def results_are_no_text_or_sequence(result: ToolResult) -> None:
    result.upper()
    result[0]
    len(result)
    for _ in result:
        pass
    result < result


class MyResult(ToolResult):
    pass


class MyPart(ContentPart):
    pass


class MyRequest(Request):
    pass


class MyAnswer(Answer):
    pass


def results_with_wrong_fields(part: ContentPart, request: Request) -> None:
    ToolResult(3)
    ToolResult(b"text")
    ToolResult(None)
    ToolResult("text", 1)
    ToolResult("text", "yes")
    ToolResult("text", False, [part])
    ToolResult(parts=part)
    ToolResult(parts="text")
    ToolResult(parts=[b"data"])
    ToolResult(parts=[request])
    ToolResult(metadata={1: "a"})
    ToolResult(metadata=[("a", 1)])
    ToolResult(text="text")
    ToolResult.ok({"rows": 1})
    ToolResult.ok("text", [part])
    ToolResult.error()
    ToolResult.error(ValueError("no"))
    ToolResult.error("no", code=404)
    ToolResult.error("no", retryable="later")
    ToolResult.pending("Go on?")
    ToolResult.pending(request.accept())
    ToolResult.json()
    ToolResult.tsv([1, 2])
    ToolResult.image(part)
    ToolResult.from_parts(part)
    ToolResult.from_parts(["text"])


def parts_with_wrong_fields(part: ContentPart) -> None:
    ContentPart()
    ContentPart(text="text")
    ContentPart("text", "text")
    ContentPart("text", text=b"text")
    ContentPart("image", data="aGVsbG8=", mime_type="image/png")
    ContentPart("image", data=[1, 2], mime_type="image/png")
    ContentPart("image", url=b"https://example.com")
    ContentPart("image", path="a.png")
    ContentPart("text", text="text", metadata={1: "a"})
    ContentPart.from_text(b"text")
    ContentPart.from_url("s3://bucket/a")
    ContentPart.from_file_id("file-1")
    ContentPart.tsv([1, 2])
    part.base64


def loaders_with_wrong_sources() -> None:
    ContentPart.image()
    ContentPart.image(None)
    ContentPart.image(3)
    ContentPart.image(["a.png"])
    ContentPart.image(io.StringIO())
    with open("a.png") as text_file:
        ContentPart.image(text_file)
    ContentPart.image("a.png", "image/png")
    ContentPart.image("a.png", max_bytes="1 MiB")
    ContentPart.image("a.png", max_bytes=1.5)
    ContentPart.image("a.png", root=b".")


def suspensions_with_wrong_fields(request: Request, answer: Answer, moment: datetime) -> None:
    Request("approval")
    Request("approval", "Go on?", "a:1")
    Request("approval", "Go on?", id=1)
    Request("approval", "Go on?", expires_at="tomorrow")
    Request("approval", "Go on?", expires_at=1.5)
    Request("approval", "Go on?", data=["a"])
    Request.approval("Go on?", arguments=["a"])
    Request.authorization("Log in")
    Request.input("Which?", schema="string")
    request.is_expired(1.5)
    request.check(True)
    request.check({"ok": True})
    request.check(answer, moment)
    request.check(answer, arguments=["a"])
    request.decline(3)
    Answer("a:1")
    Answer(ok="yes")
    Answer("a:1", "yes")
    Answer("a:1", 1)
    Answer("a:1", None)
    Answer("a:1", False, "declined")
    Answer("a:1", False, reason="bored")
    match_answers(request, answer)
    match_answers([request], [True])
    match_answers([request], [answer], [1])


def reasons_that_cannot_be(answer: Answer) -> bool:
    return answer.reason == "bored"


def errors_with_wrong_arguments(request: Request) -> None:
    DecodeError("parts[0]")
    AnswerError("bored", "no")
    ToolError()
    ToolError("no", "gone")
    ToolError("no", code=404)
    Suspend("Go on?")
    Suspend()
    try:
        pass
    except Exception as error:
        caught: Suspend = error
    raise request


def positional_patterns_end_at_the_keywords(result: ToolResult, part: ContentPart) -> None:
    match result:
        case ToolResult(_, _, _):
            pass
    match part:
        case ContentPart("text", _):
            pass


def unused(anything: Any) -> None:
    print(anything)
