"""Files that can be read are read; others are media like any other, of the type that their bytes have."""

from __future__ import annotations

import pytest

from toolresult import ContentPart, ToolResult
from toolresult.adapters import from_openai_chat, to_anthropic, to_gemini, to_openai_chat

PNG = b"\x89PNG\r\n\x1a\nxx"


def said(data, mime_type):
    """Return the text in place of a file, without the line that names it, and the types of losses."""
    losses = []
    part = ContentPart("file", data=data, mime_type=mime_type)
    messages = to_openai_chat([("call_1", ToolResult("", parts=[part]))], on_loss=losses.append)
    return messages[0]["content"].partition("\n")[2], [loss.fallback for loss in losses], messages


@pytest.mark.parametrize(
    ("data", "mime_type", "text"),
    [
        (b"a,b", "text/csv", "a,b"),
        ("h\u00f6he".encode(), "text/csv", "h\u00f6he"),
        (b"h\xf6he", "text/csv; charset=latin-1", "h\u00f6he"),
        (b"h\xf6he", 'text/csv; charset="windows-1252"', "h\u00f6he"),
        (b"h\xf6he", "text/csv;header=present;charset=ISO-8859-1", "h\u00f6he"),
        (b"\xa4\xa4", "text/plain; charset=Big5", "\u4e2d"),
        (b"\xef\xbb\xbfa,b", "text/csv", "a,b"),
        (b"\xff\xfea\0", "text/plain", "a"),
        (b"\xfe\xff\0a", "application/json", "a"),
        (b"\xff\xfea\0", "text/plain; charset=utf-16", "a"),
        (b"a\0b", "text/plain", "a\ufffdb"),
        (b"a\0b" * 9 + b"c" * 160, "text/plain", "a\ufffdb" * 9 + "c" * 160),
        (b"\xff\xfe\0\0a\0\0\0", "text/plain", "a"),
        (b"\0\0\xfe\xff\0\0\0a", "text/plain", "a"),
        (b"\0\0\0a", "text/plain; charset=UTF-32", "a"),
        (b"\0a\0,", "text/csv; charset=utf_16", "a,"),
        (b"a\0,\0", "text/csv; charset=utf-16le", "a,"),
        (b"h\xc3\xb6", "text/csv; xcharset=latin-1", "h\u00f6"),
        (b"h\xc3\xb6", 'text/csv; title="a; charset=latin-1"', "h\u00f6"),
        (b"h\xf6", 'text/csv; title="a;b"; Charset = "latin-1"', "h\u00f6"),
        (b"<svg/>", "image/svg+xml", "<svg/>"),
        (b"a: 1", "application/yaml", "a: 1"),
    ],
)
def test_a_file_that_can_be_read_is_read(data, mime_type, text):
    assert said(data, mime_type)[:2] == (text, [])


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (b"\x80\x81", "text/csv"),
        (b"\xff\xfe\0", "text/plain"),
        (b"nopq", "text/plain; charset=rot13"),
        (b"AAAA", "text/plain; charset=base64"),
        (b"a", "text/plain; charset=unicode_escape"),
        (b"a", "text/plain; charset=cp9999"),
        (b"\xff", "application/json; charset=utf-8"),
        (b"a\0,\0b\0", "text/csv"),
        (bytes(64), "text/plain"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_out(data, mime_type):
    text, losses, messages = said(data, mime_type)
    assert (text, losses) == ("", ["text"])
    assert "it cannot be read as text in its encoding" in messages[0]["content"]


@pytest.mark.parametrize("mime_type", ["text/csv", "image/svg+xml", "application/json", "text/plain; charset=big5"])
def test_a_picture_that_is_called_a_text_is_a_picture(mime_type):
    part = ContentPart("file", data=PNG, mime_type=mime_type)
    losses = []
    (message,) = to_anthropic([("toolu_1", ToolResult("", parts=[part]))], on_loss=losses.append)
    assert message["content"][0]["content"][0]["source"]["media_type"] == "image/png"
    (content,) = to_gemini([("c", ToolResult("", parts=[part]), "f")])
    assert content["parts"][0]["functionResponse"]["parts"][0]["inlineData"]["mimeType"] == "image/png"
    assert [(loss.fallback, loss.reason) for loss in losses] == [
        ("relabelled", f"labelled {mime_type.partition(';')[0]}, but its bytes are image/png")
    ]


def test_a_tool_message_without_content_is_an_empty_result():
    assert from_openai_chat([{"role": "tool", "tool_call_id": "c", "content": None}])[0].result == ToolResult()
    assert from_openai_chat([{"role": "tool", "tool_call_id": "c"}])[0].result == ToolResult()
