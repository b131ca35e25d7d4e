"""Lines that must not check. Only type-checked, never run.

Every line carries the codes of what each checker says of it; one that starts to check makes its code unused, which
is an error. A line that one checker alone refuses carries the code of that one.
"""

from __future__ import annotations

import io
from datetime import datetime

import toolresult.adapters
import toolresult.wire
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
from toolresult.adapters import CallResult, Limits, to_anthropic


def names_that_are_not_there(result: ToolResult, part: ContentPart) -> None:
    from toolresult import typo  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # noqa: F401

    str(toolresult.typo)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    str(result.text)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    result.to_dict()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    str(result.typo)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    str(part.path)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    ToolResult.typo("text")  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


def fields_are_frozen(result: ToolResult, part: ContentPart, request: Request, answer: Answer) -> None:
    result.output = "text"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    result.is_error = True  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    result.parts = None  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    result.metadata = None  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    result.value = 1  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    result.typo = 1  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    part.data = b""  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    part.mime_type = "image/png"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    request.prompt = "text"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    request.data = None  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    answer.ok = True  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    answer.data = None  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def fields_are_not_deleted(result: ToolResult, part: ContentPart, request: Request, answer: Answer) -> None:
    del result.output  # pyright: ignore[reportAttributeAccessIssue]
    del part.data  # pyright: ignore[reportAttributeAccessIssue]
    del request.url  # pyright: ignore[reportAttributeAccessIssue]
    del answer.reason  # pyright: ignore[reportAttributeAccessIssue]


def containers_are_frozen(result: ToolResult, part: ContentPart) -> None:
    assert result.parts is not None
    result.parts.append(part)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    result.parts[0] = part  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    result.content[0] = part  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    assert result.metadata is not None
    result.metadata["k"] = 1  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    del result.metadata["k"]  # type: ignore[attr-defined]  # pyright: ignore[reportIndexIssue]
    result.metadata.update({"k": 1})  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


def constructors_are_no_flags(result: ToolResult) -> None:
    if result.ok:  # type: ignore[truthy-function]  # pyright: ignore[reportUnnecessaryComparison]
        pass
    if result.error:  # type: ignore[truthy-function]  # pyright: ignore[reportUnnecessaryComparison]
        pass
    if result.pending:  # type: ignore[truthy-function]  # pyright: ignore[reportUnnecessaryComparison]
        pass
    if result.as_text:  # type: ignore[truthy-function]  # pyright: ignore[reportUnnecessaryComparison]
        pass


def optional_fields_are_checked_first(result: ToolResult, part: ContentPart) -> None:
    str(result.parts[0])  # type: ignore[index]  # pyright: ignore[reportOptionalSubscript]
    str(result.metadata["k"])  # type: ignore[index]  # pyright: ignore[reportOptionalSubscript]
    str(result.request.prompt)  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    result.error_message.upper()  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    part.text.upper()  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    len(part.data)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    str(result.value.rows)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


def results_are_no_text_or_sequence(result: ToolResult) -> None:
    result.upper()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    str(result[0])  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    len(result)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    for _ in result:  # type: ignore[attr-defined]  # pyright: ignore[reportGeneralTypeIssues]
        pass
    sorted([result])  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]


class MyResult(ToolResult):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    pass


class MyPart(ContentPart):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    pass


class MyRequest(Request):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    pass


class MyAnswer(Answer):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    pass


def results_with_wrong_fields(part: ContentPart, request: Request) -> None:
    ToolResult(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult(b"text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult("text", 1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult("text", "yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult("text", False, [part])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolResult(parts=part)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult(parts="text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult(parts=[b"data"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    ToolResult(parts=[request])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    ToolResult(metadata={1: "a"})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
    ToolResult(metadata=[("a", 1)])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult(text="text")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolResult.ok({"rows": 1})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.ok("text", [part])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolResult.error()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolResult.error(ValueError("no"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.error("no", code=404)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.error("no", retryable="later")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.pending("Go on?")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.pending(request.accept())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.json()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolResult.tsv([1, 2])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    ToolResult.image(part)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.from_parts(part)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolResult.from_parts(["text"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


def parts_with_wrong_fields(part: ContentPart) -> None:
    ContentPart()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart(text="text")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart("text", "text")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart("text", text=b"text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart("image", data="aGVsbG8=", mime_type="image/png")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart("image", data=[1, 2], mime_type="image/png")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart("image", url=b"https://example.com")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart("image", path="a.png")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart("text", text="text", metadata={1: "a"})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
    ContentPart.from_text(b"text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.from_url("s3://bucket/a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart.from_file_id("file-1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart.tsv([1, 2])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


def loaders_with_wrong_sources() -> None:
    ContentPart.image()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart.image(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image(["a.png"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image(io.StringIO())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with open("a.png") as text_file:  # noqa: PTH123 - the form most callers write
        ContentPart.image(text_file)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image("a.png", "image/png")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ContentPart.image("a.png", max_bytes="1 MiB")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image("a.png", max_bytes=1.5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ContentPart.image("a.png", root=b".")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def suspensions_with_wrong_fields(request: Request, answer: Answer, moment: datetime) -> None:
    Request("approval")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Request("approval", "Go on?", "a:1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Request("approval", "Go on?", id=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Request("approval", "Go on?", expires_at="tomorrow")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Request("approval", "Go on?", expires_at=1.5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Request("approval", "Go on?", data=["a"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Request.approval("Go on?", arguments=["a"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Request.authorization("Log in")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Request.input("Which?", schema="string")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    request.is_expired(1.5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    request.check(True)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    request.check({"ok": True})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    request.check(answer, moment)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    request.check(answer, arguments=["a"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    request.decline(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Answer("a:1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Answer(ok="yes")  # type: ignore[arg-type, call-arg]  # pyright: ignore[reportCallIssue]
    Answer("a:1", "yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Answer("a:1", 1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Answer("a:1", None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Answer("a:1", False, "declined")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Answer("a:1", False, reason="bored")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    match_answers(request, answer)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    match_answers([request], [True])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    match_answers([request], [answer], [1])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


def reasons_that_cannot_be(answer: Answer) -> bool:
    return answer.reason == "bored"  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]


def errors_with_wrong_arguments(request: Request) -> None:
    DecodeError("parts[0]")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    AnswerError("bored", "no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ToolError()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolError("no", "gone")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ToolError("no", code=404)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Suspend("Go on?")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Suspend()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    raise request  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]


def an_except_clause_for_exceptions_lets_a_suspension_pass(error: Exception) -> Suspend:
    return error  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def positional_patterns_end_at_the_keywords(result: ToolResult, part: ContentPart) -> None:
    match result:
        case ToolResult(_, _, _):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues, reportUnnecessaryComparison]
            pass  # type: ignore[unreachable]
        case _:
            pass
    match part:
        case ContentPart("text", _):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues, reportUnnecessaryComparison]
            pass  # type: ignore[unreachable]
        case _:
            pass


def the_wire_form(result: ToolResult) -> None:
    toolresult.wire.to_wire({})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    toolresult.wire.from_wire(dict, {})  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
    toolresult.wire.typo  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # noqa: B018
    result.to_json(2)  # type: ignore[call-arg, arg-type]  # pyright: ignore[reportCallIssue]
    answer: toolresult.wire.WireAnswer = {"id": "r", "ok": "yes"}  # type: ignore[typeddict-item]  # pyright: ignore[reportAssignmentType]
    str(answer)


@toolresult.tool_result
def a_tool(x: int, *, y: str = "") -> str:
    return y * x


def tools(result: ToolResult) -> None:
    a_tool("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    a_tool(1, z=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    toolresult.tool_result(max_char=1)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    ToolResult.of(1, non_finite="nan")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def results_for_providers(result: ToolResult) -> None:
    to_anthropic(result)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    to_anthropic([result])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    to_anthropic([(1, result)])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    to_anthropic([("c", "text")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    to_anthropic([], platform="azure")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    to_anthropic([], on_loss="ignore")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    to_anthropic([], "raise")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    CallResult("c")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Limits("[a-z]+")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    toolresult.adapters.to_nobody  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]  # noqa: B018
