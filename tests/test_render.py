"""The text of a result for a model, and the text of a refusal."""

from __future__ import annotations

import pytest

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult.render import ERROR_MARKER, for_model, refusal

IMAGE = ContentPart("image", data=b"hunter2", mime_type="image/png", name="hunter2.png", metadata={"k": "hunter2"})
IMAGE_SUMMARY = "image (image/png, 7 bytes)"
HELLO = ContentPart.from_text("hello")


def test_the_error_marker_is_one_constant():
    assert ERROR_MARKER == "[tool error] "


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ToolResult(), ""),
        (ToolResult.ok("x"), "x"),
        (ToolResult.ok("a\nb\t\x1b[31m"), "a\nb\t\x1b[31m"),
        (ToolResult.json({"a": [1]}), '{"a":[1]}'),
        (ToolResult.from_parts([HELLO, IMAGE]), f"hello\n\n{IMAGE_SUMMARY}"),
        (ToolResult.from_parts([IMAGE]), IMAGE_SUMMARY),
        (ToolResult.ok("chart", parts=[IMAGE, HELLO]), f"chart\n\n{IMAGE_SUMMARY}\n\nhello"),
        (ToolResult("x", metadata={"token": "hunter2"}), "x"),
        (ToolResult("", metadata={"token": "hunter2"}), ""),
    ],
    ids=["nothing", "text", "raw text", "json", "text and image", "image", "all", "metadata", "only metadata"],
)
def test_a_success_is_its_content_as_text(result, text):
    assert for_model(result) == text
    assert result.render_for_model() == text
    assert str(result) == text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ToolResult.error("no such key"), "[tool error] no such key"),
        (ToolResult.error("[tool error] no such key"), "[tool error] no such key"),
        (ToolResult.error("broken", parts=[IMAGE]), f"[tool error] broken\n\n{IMAGE_SUMMARY}"),
        (ToolResult("", True, parts=[IMAGE]), f"[tool error] {IMAGE_SUMMARY}"),
        (ToolResult.error("x [tool error] y"), "[tool error] x [tool error] y"),
    ],
    ids=["text", "marked already", "with an image", "only an image", "marker inside"],
)
def test_an_error_is_marked_once(result, text):
    assert for_model(result) == text


@pytest.mark.parametrize("output", ["", " \n\t"], ids=repr)
def test_an_error_without_a_message_still_says_something(output):
    text = for_model(ToolResult.error(output))
    assert text.startswith("[tool error] ")
    assert text.removeprefix("[tool error] ").strip()


def test_a_suspension_says_that_it_waits_and_was_not_executed():
    request = Request("authorization", "Log in to mail", url="https://idp.test/cb?state=hunter2", data={"k": "hunter2"})
    text = for_model(ToolResult.pending(request, metadata={"k": "hunter2"}))
    assert "not executed" in text
    assert "wait" in text.lower()
    assert text.endswith("Log in to mail")
    assert "[tool error]" not in text
    assert "hunter2" not in text
    assert "idp.test" not in text
    assert request.id not in text


def test_payload_and_metadata_are_never_text():
    result = ToolResult.ok("x", parts=[IMAGE], metadata={"hunter2": "hunter2"}, value="hunter2")
    assert "hunter2" not in for_model(result)
    assert "aHVudGVyMg" not in for_model(result)


def test_a_url_is_shown_without_its_query():
    part = ContentPart("image", url="https://u:hunter2@host.test/a?sig=hunter2#hunter2")
    assert for_model(ToolResult.from_parts([part])) == "image (host.test/a)"


def test_a_part_for_somebody_else_is_not_text():
    hidden = ContentPart.from_text("hunter2", metadata={"audience": ["user"]})
    assert for_model(ToolResult("x", parts=[hidden])) == "x"
    assert "hunter2" not in for_model(ToolResult("", parts=[hidden]))
    assert for_model(ToolResult("", parts=[hidden])) != ""


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("r1", False, reason="declined"), "declined"),
        (Answer("r1", False, reason="cancelled"), "cancelled"),
        (Answer("r1", False, reason="expired"), "nobody answered"),
        (Answer("r1", False), "not approved"),
    ],
    ids=["declined", "cancelled", "expired", "no reason"],
)
def test_a_refusal_says_that_nothing_was_executed_and_why(answer, words):
    result = refusal(answer)
    assert result == answer.to_result()
    assert result.is_error is True
    assert result.output.lower().startswith("not executed")
    assert words in result.output
    assert for_model(result).startswith("[tool error] ")


def test_a_refusal_ends_with_the_comment():
    assert refusal(Answer("r1", False, data={"comment": "no"}, reason="declined")).output.endswith("no")


def test_a_yes_is_no_refusal():
    with pytest.raises(ValueError, match=r"^ok:"):
        refusal(Answer("r1", True))
