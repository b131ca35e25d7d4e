"""Laws of what a model gets: the content rule, the collapse of parts, JSON results, and the text of a result."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import metadata, parts_with, python_values, requests_with, results_with, texts

from toolresult import ContentPart, ToolResult
from toolresult.strategies import json_values

WILD = python_values(foreign=True)
MARKER = "[tool error] "


def is_hidden(part: ContentPart) -> bool:
    audience = (part.metadata or {}).get("audience")
    return audience is not None and "assistant" not in ([audience] if isinstance(audience, str) else audience)


def visible(parts: Any) -> list[ContentPart]:
    return [part for part in parts or () if not is_hidden(part)]


def blank(text: str) -> bool:
    return not text.strip()


def media(data: bytes = b"payload", **fields: Any) -> ContentPart:
    return ContentPart("image", data=data, mime_type="image/png", **fields)


def shown_parts() -> st.SearchStrategy[ContentPart]:
    return parts_with(WILD).filter(lambda part: not is_hidden(part))


def hidden_parts() -> st.SearchStrategy[ContentPart]:
    audience = st.sampled_from([["user"], ("user", "critic"), {"user"}, "user", []])
    return audience.flatmap(
        lambda names: st.sampled_from(
            [
                ContentPart.from_text("for the user only", metadata={"audience": names}),
                media(b"for the user only", metadata={"audience": names}),
                ContentPart("file", url="https://user-only.example/x", metadata={"audience": names}),
                ContentPart("file", file_id="file-user-only", metadata={"audience": names}),
            ]
        )
    )


@given(results_with(WILD))
def test_content_is_the_visible_parts_preceded_by_the_output_unless_it_says_nothing_new(result):
    """The content ends with the visible parts, in order; before them stands at most the output, as a text part."""
    shown = visible(result.parts)
    content = list(result.content)
    if shown:
        assert content[-len(shown) :] == shown
        assert len(content) <= len(shown) + 1
    else:
        assert len(content) <= 1
    if len(content) > len(shown) and not blank(result.output):
        assert (content[0].type, content[0].text) == ("text", result.output)
        assert content[0].metadata is content[0].name is None


@given(results_with(WILD))
def test_a_result_with_parts_has_content(result):
    """Content is empty only where there are no parts and the output is blank."""
    if result.parts is not None or not blank(result.output):
        assert result.content
    else:
        assert result.content == ()


@given(results_with(WILD))
def test_a_hidden_part_is_never_content(result):
    """A part whose audience leaves out the assistant is absent from the content."""
    assert [part for part in result.content if is_hidden(part)] == []


@given(texts().filter(lambda text: not blank(text)), st.lists(parts_with(WILD), min_size=1, max_size=3), st.booleans())
def test_an_output_that_is_not_a_projection_is_always_content(output, parts, is_error):
    """Text that cannot be made of the parts precedes them, with the MIME type that it was given."""
    said = f"own words {output}"
    result = ToolResult(said, is_error, parts=parts, metadata={"toolresult": {"mime_type": "text/markdown"}})
    assert result.content == (ContentPart.from_text(said, mime_type="text/markdown"), *visible(parts))


@given(texts().filter(blank), st.lists(shown_parts(), min_size=1, max_size=3))
def test_a_blank_output_is_not_content(output, parts):
    """A blank output before visible parts is left out."""
    assert ToolResult(output, parts=parts).content == tuple(parts)


@given(st.lists(parts_with(WILD), max_size=4))
def test_the_content_of_ok_with_parts_is_the_visible_parts(parts):
    """`ok(parts=...)` takes its output from the visible parts, so adds nothing to them; without any, a placeholder."""
    result = ToolResult.ok(parts=parts)
    assert result.parts == (tuple(parts) or None)
    if parts and not visible(parts):
        (placeholder,) = result.content
        assert placeholder == ContentPart.from_text(placeholder.text)
        assert placeholder.text not in [part.text for part in parts]
        assert not blank(placeholder.text)
    else:
        assert result.content == tuple(visible(parts))


@given(st.lists(parts_with(WILD), min_size=2, max_size=4))
def test_the_content_of_several_parts_is_the_visible_ones(parts):
    """`from_parts` keeps several parts, and its output adds nothing to the visible ones."""
    result = ToolResult.from_parts(parts)
    assert result.parts == tuple(parts)
    assert result == ToolResult.ok(parts=parts)
    assert [part for part in result.content if part in parts] == visible(parts)


@given(
    st.lists(texts().filter(lambda text: not blank(text)), min_size=1, max_size=3), st.lists(hidden_parts(), max_size=2)
)
def test_the_projection_is_the_texts_joined_by_a_blank_line(said, hidden):
    """The output that comes from parts is the visible texts joined by a blank line; what is not text adds nothing."""
    parts = [*hidden, media(), *map(ContentPart.from_text, said)]
    assert ToolResult.ok(parts=parts).output == "\n\n".join(said)
    assert ToolResult.from_parts(parts).output == "\n\n".join(said)


@given(st.lists(parts_with(WILD).filter(lambda part: part.text is None), min_size=1, max_size=3))
def test_the_projection_of_media_names_each_visible_part_once(parts):
    """The output that comes from parts without text is their summaries, in order."""
    shown = visible(parts)
    for result in (ToolResult.ok(parts=parts), ToolResult.from_parts(parts)):
        assert result.output.split("\n\n") == ([part.summary() for part in shown] or [""])


@given(
    st.lists(hidden_parts(), min_size=1, max_size=3),
    st.lists(st.just(media()) | st.just(ContentPart.from_text("hello")), max_size=2),
)
def test_nothing_of_a_hidden_part_reaches_the_model(hidden, shown):
    """Whatever builds a result, neither its content nor its text has anything of a part that is for the user only."""
    for parts in ([*hidden, *shown], [*shown, *hidden]):
        for result in (
            ToolResult(parts=parts),
            ToolResult.ok(parts=parts),
            ToolResult.ok("hello", parts=parts),
            ToolResult.ok(parts=parts, value=object()),
            ToolResult.error("hello", parts=parts),
            ToolResult.from_parts(parts),
        ):
            read_by_model = [str(result), result.as_text() or "", *(str(part) for part in result.content)]
            assert not [text for text in read_by_model if "user" in text]
            assert not set(result.content) & set(hidden)


@given(texts(), st.sampled_from([None, "text/plain", "text/plain; charset=utf-8"]))
def test_one_plain_text_part_is_that_text(text, mime_type):
    """`from_parts` of one text part without name and metadata is `ok` with its text."""
    assert ToolResult.from_parts([ContentPart.from_text(text, mime_type=mime_type)]) == ToolResult.ok(text)


@given(json_values())
def test_one_json_part_is_a_json_result(value):
    """`from_parts` of one JSON part is the JSON result of the same value."""
    assert ToolResult.from_parts([ContentPart.json(value)]) == ToolResult.json(value)


@given(st.lists(st.lists(json_values(), max_size=2), max_size=3))
def test_one_tsv_part_is_a_tsv_result(rows):
    """`from_parts` of one TSV part is the TSV result of the same text."""
    part = ContentPart.tsv(rows)
    assert ToolResult.from_parts([part]) == ToolResult.tsv(part.text)


@given(parts_with(WILD), st.lists(parts_with(WILD), max_size=2))
def test_any_iterable_of_parts_gives_the_same_result(part, more):
    """Parts come from any iterable, read once."""
    parts = [part, *more]
    assert ToolResult.from_parts(iter(parts)) == ToolResult.from_parts(tuple(parts))
    assert ToolResult.ok(parts=iter(parts)) == ToolResult.ok(parts=parts)


@given(json_values())
def test_a_json_result_is_derived_from_its_value(value):
    """The output of `json` is JSON that reads as the value, and the value stands behind it unless it is None."""
    result = ToolResult.json(value)
    assert json.loads(result.output) == value
    assert result.value == value
    assert result.is_derived is (value is not None)
    assert result.mime_type == "application/json"
    assert (result.content[0].text, result.content[0].mime_type) == (result.output, "application/json")


@given(json_values().filter(lambda value: value is not None), texts())
def test_is_derived_says_whether_the_output_is_the_value(value, message):
    """`ok` with a value and no output derives the text; a text of its own is derived only if it is the same."""
    derived = ToolResult.ok(value=value)
    assert derived == ToolResult.json(value)
    assert ToolResult.error(message, value=value).is_derived is (message == derived.output)
    assert ToolResult.error(derived.output, value=value).is_derived


@given(results_with(WILD).filter(lambda result: not result.is_error))
def test_the_text_of_a_success_is_its_content(result):
    """`str` of a success is the text of its content: the texts, and the summaries of what is not text."""
    assert str(result) == "\n\n".join(str(part) for part in result.content) == result.render_for_model()


@given(texts() | texts().map(MARKER.__add__), st.none() | st.lists(parts_with(WILD), max_size=3), metadata(WILD))
def test_the_text_of_a_failure_starts_with_the_marker_once(message, parts, extra):
    """`str` of a failure is the error marker and then its content; a marker that is there already is not repeated."""
    result = ToolResult.error(message, parts=parts, metadata=extra)
    content = "\n\n".join(str(part) for part in result.content)
    text = str(result)
    assert text.startswith(MARKER)
    if content.startswith(MARKER):
        assert text == content
    elif not blank(content):
        assert text == MARKER + content
    else:
        assert not blank(text.removeprefix(MARKER))
        assert MARKER not in text.removeprefix(MARKER)


@given(requests_with(WILD), metadata(WILD))
def test_the_text_of_a_suspension_has_the_prompt_and_no_error_marker(request, extra):
    """`str` of a pending result says that it waits, and gives the prompt; it is no failure."""
    result = ToolResult.pending(request, metadata=extra)
    assert result.error_message is None
    assert str(result).endswith(request.prompt)
    assert not blank(str(result).removesuffix(request.prompt))
    assert MARKER not in str(result).removesuffix(request.prompt)
