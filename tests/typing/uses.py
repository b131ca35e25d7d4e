"""How callers use the values under strict checkers. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, BinaryIO, TypedDict, assert_never, assert_type

import toolresult
from toolresult import Answer, AnswerError, ContentPart, Request, ToolResult, match_answers


class Timing(TypedDict):
    seconds: float
    retries: int


def parts_are_any_iterable(
    as_list: list[ContentPart],
    as_tuple: tuple[ContentPart, ContentPart],
    as_sequence: Sequence[ContentPart],
    as_iterator: Iterator[ContentPart],
    as_set: frozenset[ContentPart],
) -> list[ToolResult]:
    return [
        ToolResult(parts=as_list),
        ToolResult.ok(parts=as_tuple),
        ToolResult.error("no", parts=as_sequence),
        ToolResult.from_parts(as_iterator),
        ToolResult.from_parts(as_set),
        ToolResult.from_parts(part for part in as_list if part.data),
        ToolResult.ok(parts=[ContentPart.from_text("a"), ContentPart.image("a.png")]),
    ]


def metadata_is_any_mapping_with_narrower_values(
    numbers: dict[str, int],
    view: MappingProxyType[str, str],
    timing: Timing,
    nested: Mapping[str, list[dict[str, float]]],
) -> list[ToolResult]:
    return [
        ToolResult(metadata=numbers),
        ToolResult.ok(metadata=view),
        ToolResult.error("no", metadata=timing),
        ToolResult.json(numbers, metadata=nested),
    ]


def rows_are_any_nested_iterable(
    lists: list[list[int]],
    tuples: list[tuple[str, float]],
    records: list[dict[str, int | None]],
    timings: list[Timing],
) -> list[ToolResult]:
    return [
        ToolResult.tsv(lists),
        ToolResult.tsv(tuples),
        ToolResult.tsv(records),
        ToolResult.tsv(timings),
        ToolResult.tsv([name, count] for name, count in tuples),
    ]


def arguments_and_schemas_are_any_mapping(timing: Timing, schema: dict[str, str]) -> list[Request]:
    return [Request.approval("Go on?", arguments=timing), Request.input("Which?", schema=schema)]


def sources_are_paths_urls_bytes_and_binary_files(
    path: Path, any_file: IO[bytes], binary_file: BinaryIO, archive: zipfile.ZipFile
) -> Iterator[ContentPart]:
    yield ContentPart.image("chart.png")
    yield ContentPart.image("https://example.com/chart.png")
    yield ContentPart.image(path)
    yield ContentPart.image(path.read_bytes())
    yield ContentPart.audio(bytearray(b"RIFF"))
    yield ContentPart.video(memoryview(b""))
    yield ContentPart.file(io.BytesIO(b"%PDF-"))
    yield ContentPart.file(any_file, root=path)
    yield ContentPart.file(binary_file, max_bytes=None)
    with open("report.pdf", "rb") as file:  # noqa: PTH123 - the form most callers write
        yield ContentPart.file(file)
    with open("report.pdf", "rb", buffering=0) as unbuffered:  # noqa: PTH123
        yield ContentPart.file(unbuffered)
    with path.open("rb") as file:
        yield ContentPart.file(file, mime_type="application/pdf")
    with archive.open("report.pdf") as member:
        yield ContentPart.file(member)


def results_take_the_sources_of_parts(path: Path) -> Iterator[ToolResult]:
    yield ToolResult.image("chart.png", output="the chart")
    yield ToolResult.image(path, root=path.parent)
    yield ToolResult.audio(b"RIFF")
    yield ToolResult.video(io.BytesIO(b""))
    with open("report.pdf", "rb") as file:  # noqa: PTH123
        yield ToolResult.file(file)


def reading_parts(result: ToolResult) -> None:
    for part in result.content:
        assert_type(part, ContentPart)
    for part in result.parts or ():
        assert_type(part, ContentPart)
    if result.parts:
        assert_type(result.parts[0], ContentPart)
        assert_type(result.parts[1:], tuple[ContentPart, ...])
        first, *others = result.parts
        assert_type(first, ContentPart)
        assert_type(others, list[ContentPart])
    texts = [part.text for part in result.content if part.text is not None]
    assert_type(texts, list[str])
    again: Iterable[ContentPart] = result.content
    ToolResult.from_parts(again)


def reading_metadata(result: ToolResult) -> None:
    copied = dict(result.metadata or {})
    assert_type(copied, dict[str, Any])
    copied["more"] = 1
    merged = {**(result.metadata or {}), "more": 1}
    ToolResult(result.output, metadata=merged)
    if result.metadata is not None:
        assert_type(result.metadata["hits"], Any)
        assert_type(result.metadata.get("hits"), Any | None)
        assert_type(list(result.metadata), list[str])
        for key, value in result.metadata.items():
            assert_type(key, str)
            json.dumps(value)


def optional_fields_narrow(result: ToolResult, part: ContentPart) -> int:
    if result.request is not None:
        assert_type(result.request, Request)
    if part.data is not None:
        return len(part.data)
    if part.text is not None:
        return len(part.text.split())
    return part.size or 0


def values_are_narrowed_by_their_reader(result: ToolResult) -> str:
    value = result.value
    if isinstance(value, str):
        return assert_type(value, str)
    return ""


def results_match_by_field(result: ToolResult) -> str:
    match result:
        case ToolResult(is_error=False, output=text):
            return assert_type(text, str)
        case ToolResult(request=Request(kind="approval", prompt=prompt)):
            return assert_type(prompt, str)
        case ToolResult(message, True):
            return assert_type(message, str)
        case ToolResult(parts=parts):
            assert_type(parts, tuple[ContentPart, ...] | None)
            return ""


def parts_match_by_field(part: ContentPart) -> str | bytes:
    match part:
        case ContentPart("text", text=str() as text):
            return assert_type(text, str)
        case ContentPart(type="image" | "audio", data=bytes() as data):
            return assert_type(data, bytes)
        case ContentPart(url=str() as url):
            return assert_type(url, str)
        case _:
            return part.summary()


def a_union_of_values_matches_exhaustively(value: ToolResult | ContentPart | Request | Answer) -> str:
    match value:
        case ToolResult():
            return value.output
        case ContentPart():
            return value.summary()
        case Request(kind, prompt):
            return kind + prompt
        case Answer(request_id, ok):
            assert_type(ok, bool)
            return request_id
        case _:
            assert_never(value)


def reasons_are_a_closed_set(answer: Answer) -> str:
    match answer.reason:
        case None:
            return "answered"
        case "declined" | "cancelled":
            return "refused"
        case "expired":
            return "late"
        case _:
            assert_never(answer.reason)


def problems_are_a_closed_set(error: AnswerError) -> bool:
    match error.kind:
        case "unknown_id" | "duplicate" | "missing":
            return False
        case "expired" | "schema" | "arguments":
            return True
        case _:
            assert_never(error.kind)


def a_tool_that_asks(path: str, *, answer: Answer | None = None) -> ToolResult:
    if answer is None:
        return ToolResult.pending(Request.approval(f"Delete {path}?", arguments={"path": path}))
    if not answer:
        return answer.to_result()
    return ToolResult.ok(f"deleted {path}")


def a_host_that_resumes(tool: Callable[..., ToolResult], request: Request, answer: Answer) -> ToolResult:
    arguments = {"path": "a"}
    return tool(**arguments, answer=request.check(answer, arguments=arguments))


def several_answers(requests: Sequence[Request], answers: Iterator[Answer]) -> Mapping[str, Answer]:
    return match_answers(requests, answers, used=["a:1"])


def constructors_are_callables() -> None:
    make: Callable[[str], ToolResult] = ToolResult.ok
    fail: Callable[[str], ToolResult] = ToolResult.error
    load: Callable[[Path], ContentPart] = ContentPart.image
    results = list(map(toolresult.ToolResult.json, [1, "a", None]))
    assert_type(results, list[ToolResult])
    assert_type([make("a"), fail("b")], list[ToolResult])
    assert_type(load(Path("a.png")), ContentPart)
