"""Results that fit: what is cut, what is kept, and what says so."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult import ContentPart, Request, ToolResult
from toolresult.convert import clip
from toolresult.strategies import content_parts, tool_results

IMAGE = ContentPart("image", data=b"abc", mime_type="image/png")
PRIVATE = ContentPart.from_text("p" * 500, metadata={"audience": ["user"]})


def clipped(result):
    return result.metadata["toolresult"]["clipped"]


def test_head_and_tail_are_kept_and_a_line_says_how_much_is_missing():
    text = "".join(chr(97 + n % 26) for n in range(1000))
    short = clip(ToolResult.ok(text), 100)
    head, gone, tail = re.fullmatch(r"(\w+)\n\[\.\.\. (\d+) characters left out \.\.\.\]\n(\w+)", short.output).groups()
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + int(gone) + len(tail) == 1000
    assert 95 <= len(short.output) <= 100
    assert clipped(short) == {"characters": int(gone)}


def test_what_fits_is_returned_as_it_is():
    for result in (
        ToolResult(),
        ToolResult.ok("x" * 100),
        ToolResult.ok("x" * 40, parts=[IMAGE, ContentPart.from_text("y" * 58), PRIVATE]),
        ToolResult.ok(parts=[IMAGE, ContentPart.from_text("y" * 100)]),
        ToolResult.pending(Request.approval("x" * 500)),
    ):
        assert clip(result, 100) is result
        assert clip(result, max_bytes=100) is result


def test_every_text_that_a_model_reads_is_cut_and_short_ones_stay_whole():
    result = ToolResult.ok(
        "z" * 300,
        parts=[ContentPart.from_text("short"), IMAGE, ContentPart.from_text("y" * 300, mime_type="text/html"), PRIVATE],
        value={"rows": ["r" * 300]},
        metadata={"host": 1},
    )
    short = clip(result, 250)
    assert len("\n\n".join(part.text for part in short.content if part.text is not None)) <= 250
    kept, image, cut, private = short.parts
    assert (kept.text, image, private) == ("short", IMAGE, PRIVATE)
    assert cut.text.startswith("yyy")
    assert cut.mime_type is None
    assert short.output.startswith("zzz")
    assert (short.value, short.metadata["host"]) == (result.value, 1)
    assert clipped(short)["characters"] > 350


def test_an_output_that_is_the_projection_stays_it():
    result = ToolResult.from_parts([ContentPart.from_text("a" * 300), IMAGE, ContentPart.from_text("b" * 10)])
    short = clip(result, 120)
    assert short.output == "\n\n".join(part.text for part in short.parts if part.text is not None)
    assert len(short.output) <= 120
    assert str(short).replace(IMAGE.summary(), "").strip() in short.output or IMAGE.summary() in str(short)
    blank = ToolResult("", parts=[ContentPart.from_text("a" * 300)])
    assert clip(blank, 100).output == ""


def test_an_error_fits_with_its_marker_and_json_is_json_no_more():
    assert len(str(clip(ToolResult.error("e" * 300), 100))) <= 100
    marked = clip(ToolResult("[tool error] " + "e" * 300, True), 100)
    assert 95 <= len(str(marked)) <= 100
    short = clip(ToolResult.json(list(range(100))), 60)
    assert short.mime_type is None
    assert short.value == list(range(100))
    assert not short.is_derived


# open-octo/octo-agent#69, amd/gaia#2620
@pytest.mark.parametrize("limit", range(161))
@pytest.mark.parametrize("text", ["日" * 50, "é" * 50, "😀" * 50, "a日é😀" * 20], ids=["three", "two", "four", "mixed"])
def test_a_cut_is_never_within_a_character(text, limit):
    for short in (clip(ToolResult.ok(text), limit), clip(ToolResult.ok(text), max_bytes=limit)):
        kept = re.sub(r"\n\[\.\.\. \d+ (characters|bytes) left out \.\.\.\]\n|\[cut\]|^\[c?u?t?$", "", short.output)
        assert set(kept) <= set(text)
        assert (short.output == "") == (limit == 0)
    assert len(clip(ToolResult.ok(text), limit).output) <= limit
    assert len(clip(ToolResult.ok(text), max_bytes=limit).output.encode()) <= limit


# gkrost/scaleway-ops-mcp-server#56
def test_a_result_that_was_cut_says_so_for_those_who_send_its_value():
    short = clip(ToolResult.json({"rows": ["r" * 10_000]}), 100)
    assert len(short.output) <= 100
    assert clipped(short)["characters"] > 9_900


def test_lone_surrogates_are_cut_like_any_character():
    text = "\ud800" * 100
    assert len(clip(ToolResult.ok(text), 80).output) <= 80
    assert len(clip(ToolResult.ok(text), max_bytes=80).output.encode("utf-8", "surrogatepass")) <= 80


def test_a_text_that_starts_with_the_marker_has_it_once():
    for limit in range(19, 80):
        short = clip(ToolResult("[tool error] " + "z" * 500, True), limit)
        assert str(short).startswith("[tool error] ")
        assert str(short).count("[tool error]") == 1
        assert len(str(short)) <= limit
        assert clip(short, limit) is short


def test_an_error_never_loses_all_it_says():
    result = ToolResult.error("disk full: " + "x" * 200, parts=[ContentPart.from_text("y" * 50)] * 3)
    for limit in (0, 5, 20, 30, 60):
        assert "cut]" in str(clip(result, limit)) or "left out" in str(clip(result, limit))
        assert len(str(clip(result, limit))) <= max(limit, 18)


def test_of_many_texts_the_last_are_left_out_and_the_one_before_says_so():
    many = ToolResult.from_parts([ContentPart.from_text("x" * 100) for _ in range(200)])
    short = clip(many, 100)
    assert len(str(short)) <= 100
    assert len(short.parts) < 20
    assert "left out" in short.output
    assert clipped(short)["characters"] > 19_000
    short = clip(ToolResult.from_parts([ContentPart.from_text("abcd") for _ in range(150)]), 700)
    assert len(short.output) <= 700
    assert [part.text for part in short.parts[:100]] == ["abcd"] * 100
    assert short.parts[-1].text == "abcd[cut]"
    pair = ToolResult.from_parts([ContentPart.from_text("a" * 10), ContentPart.from_text("b" * 500)])
    assert clip(pair, 60).parts[0].text == "a" * 10 + "\n[... 500 characters left out ...]\n"
    few = clip(ToolResult.from_parts([ContentPart.from_text("a" * 20), ContentPart.from_text("b" * 20)]), 41)
    assert len(few.output) <= 41


def test_what_is_left_out_twice_is_counted_twice():
    result = ToolResult.ok("x" * 10_000)
    short = clip(clip(result, 500), 100)
    assert clipped(short)["characters"] > 9_900


def test_texts_of_nothing_take_the_room_of_a_blank_line():
    blanks = ToolResult("", parts=[ContentPart.from_text("")] * 3)
    assert clip(blanks, 4) is blanks
    assert len(clip(blanks, 0).parts) == 1


def test_blank_output_is_no_way_around():
    short = clip(ToolResult.ok(" " * 5000, parts=[IMAGE]), 100)
    assert short.output == ""
    assert short.parts == (IMAGE,)


@given(tool_results(parts=content_parts(max_size=200)), st.integers(0, 200))
def test_what_a_model_reads_fits(result: ToolResult, limit: int) -> None:
    short = clip(result, limit)
    if not result.is_pending:
        texts = [part.text for part in short.content if part.text is not None]
        assert len("\n\n".join(texts)) <= (max(limit, len("[cut]")) if short.is_error else limit)
    assert clip(short, limit).is_error == result.is_error
    assert [part for part in short.parts or () if part.text is None] == [
        part for part in result.parts or () if part.text is None
    ]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("x", 1), TypeError),
        ((ToolResult(),), TypeError),
        ((ToolResult(), -1), ValueError),
        ((ToolResult(), True), ValueError),
        ((ToolResult(), "1"), ValueError),
    ],
)
def test_programmer_mistakes_are_builtin_errors(arguments, error):
    with pytest.raises(error):
        clip(*arguments)
    with pytest.raises(TypeError, match="max_chars: pass it or max_bytes"):
        clip(ToolResult(), 1, max_bytes=1)
