"""Data URLs in text become the parts that they are."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from toolresult import ContentPart, Request, ToolResult
from toolresult.convert import lift_data_urls

PNG = b"\x89PNG\r\n\x1a\n" + bytes(74)
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
URL = f"data:image/png;base64,{b64encode(PNG).decode()}"
SHORT = "[image (image/png, 82 bytes)]"


# babelcloud/gbox#149, HKUDS/nanobot#4542
def test_a_picture_in_the_output_becomes_a_part():
    big = b"\x89PNG\r\n\x1a\n" + bytes(30_000)
    result = lift_data_urls(ToolResult.ok(f"see data:image/png;base64,{b64encode(big).decode()}"))
    assert result == ToolResult.ok(
        "see [image (image/png, 30008 bytes)]", parts=[ContentPart("image", data=big, mime_type="image/png")]
    )
    assert len(str(result)) < 100


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"![chart]({URL})", f"![chart]({SHORT})"),
        (f'<img src="{URL}">', f'<img src="{SHORT}">'),
        (f"{URL} and {URL}.", f"{SHORT} and {SHORT}."),
        (URL.replace("data:", "DATA:").replace("image/png", "image/PNG;name=a.png"), SHORT),
    ],
    ids=["markdown", "html", "twice", "capitals"],
)
def test_it_is_found_wherever_it_stands(text, left):
    assert lift_data_urls(ToolResult.ok(text)) == ToolResult.ok(left, parts=[IMAGE])


@pytest.mark.parametrize(
    ("url", "kind", "mime_type"),
    [
        ("data:audio/mpeg;base64,SUQz", "audio", "audio/mpeg"),
        ("data:application/pdf;base64,JVBERi0xLjc=", "file", "application/pdf"),
        ("data:text/plain;charset=utf-8;base64,aGk=", "file", "text/plain; charset=utf-8"),
    ],
)
def test_a_part_is_of_the_kind_of_its_type(url, kind, mime_type):
    (part,) = lift_data_urls(ToolResult.ok(url)).parts
    assert (part.type, part.mime_type) == (kind, mime_type)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "data: image/png;base64, is how it starts",
        "data:image/png;base64,A",
        f"data:image/jpeg;base64,{b64encode(PNG).decode()}",
        "data:text/plain,hello",
        URL.rstrip("="),
        f"{URL.rstrip('=')}-and more",
        f"{URL}%0A",
        "data:image/png;base64,iVBORw0KGgoAdata:image/png",
    ],
    ids=["nothing", "prose", "malformed", "another type", "not base64", "no padding", "glued", "escaped", "twice"],
)
def test_what_is_no_data_stays_text(text):
    result = ToolResult.ok(text, parts=[ContentPart.from_text(text), IMAGE])
    assert lift_data_urls(result) is result


def test_text_parts_are_lifted_for_the_same_audience():
    result = ToolResult.from_parts(
        [
            ContentPart.from_text(f"a {URL}"),
            ContentPart.from_text(f"b {URL}", metadata={"audience": ["user"], "n": 1}),
            ContentPart.from_text("c"),
        ]
    )
    assert lift_data_urls(result).parts == (
        ContentPart.from_text(f"a {SHORT}"),
        IMAGE,
        ContentPart.from_text(f"b {SHORT}", metadata={"audience": ["user"], "n": 1}),
        ContentPart("image", data=PNG, mime_type="image/png", metadata={"audience": ["user"]}),
        ContentPart.from_text("c"),
    )
    assert lift_data_urls(result).output == f"a {SHORT}\n\nc"


def test_json_stays_json_and_facts_stay():
    result = lift_data_urls(ToolResult.json({"chart": URL}))
    assert json.loads(result.output) == {"chart": SHORT}
    assert (result.value, result.parts) == ({"chart": URL}, (IMAGE,))
    assert result.metadata == ToolResult.json({"chart": URL}).metadata
    failed = lift_data_urls(ToolResult.error(f"no {URL}", code="c"))
    assert (failed.is_error, failed.error_code, failed.output) == (True, "c", f"no {SHORT}")


def test_what_is_too_large_or_pending_stays():
    for result, limit in ((ToolResult.ok(URL), 81), (ToolResult.pending(Request.approval(URL)), None)):
        assert lift_data_urls(result, max_bytes=limit) is result
    with pytest.raises(TypeError, match="result: must be a ToolResult"):
        lift_data_urls(URL)
