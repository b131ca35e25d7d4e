"""Objects of the `mcp` package that a tool returned, against the real package."""

from __future__ import annotations

from base64 import b64encode

import mcp_types
import pytest

from toolresult import ContentPart, ConversionError, ToolResult
from toolresult.convert import of

PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
DATA = b64encode(PNG).decode()
USER = mcp_types.Annotations(audience=["user"])
BLOB = mcp_types.BlobResourceContents(uri="file:///a.bin", blob=DATA)
DOCUMENT = mcp_types.TextResourceContents(uri="file:///a.md", text="# a", mime_type="text/markdown")


@pytest.mark.parametrize(
    ("block", "part"),
    [
        (mcp_types.TextContent(type="text", text="x"), ContentPart.from_text("x")),
        (
            mcp_types.TextContent(type="text", text="x", annotations=USER),
            ContentPart.from_text("x", metadata={"audience": ["user"]}),
        ),
        (mcp_types.ImageContent(type="image", data=DATA, mime_type="image/png"), IMAGE),
        (
            mcp_types.AudioContent(type="audio", data="SUQz", mime_type="audio/mpeg"),
            ContentPart("audio", data=b"ID3", mime_type="audio/mpeg"),
        ),
        (
            mcp_types.EmbeddedResource(type="resource", resource=DOCUMENT),
            ContentPart.from_text(
                "# a", mime_type="text/markdown", name="file:///a.md", metadata={"mcp": {"uri": "file:///a.md"}}
            ),
        ),
        (
            mcp_types.EmbeddedResource(type="resource", resource=BLOB),
            ContentPart(
                "image",
                data=PNG,
                mime_type="image/png",
                name="file:///a.bin",
                metadata={"mcp": {"uri": "file:///a.bin", "mimeType": None}},
            ),
        ),
        (
            mcp_types.ResourceLink(
                type="resource_link", name="a", uri="https://h.test/a.pdf", mime_type="application/pdf"
            ),
            ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf", name="a"),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_content_block_is_a_part(block, part):
    assert of(block) == ToolResult.from_parts([part])
    assert of(["see", block]).parts == (ContentPart.from_text("see"), part)
    assert of({"a": block}).parts == (part,)


def test_the_result_of_a_call_keeps_its_flag_and_structure():
    blocks = [
        mcp_types.TextContent(type="text", text="2 rows"),
        mcp_types.ImageContent(type="image", data=DATA, mime_type="image/png"),
    ]
    result = of(mcp_types.CallToolResult(content=blocks, structured_content={"rows": 2}, is_error=True))
    assert result.is_error
    copy = ContentPart.json({"rows": 2}, metadata={"mcp": {"added": True}})
    assert result.parts == (ContentPart.from_text("2 rows"), IMAGE, copy)
    assert result.value == {"rows": 2}
    assert of(mcp_types.CallToolResult(content=[])) == ToolResult()


def test_older_spellings_are_read_too():
    image = type("ImageContent", (), {"__module__": "mcp.types"})()
    image.type, image.data, image.mimeType, image.annotations = "image", DATA, "image/png", None
    call = type("CallToolResult", (), {"__module__": "mcp.types"})()
    call.content, call.structuredContent, call.isError = [image], None, True
    assert of(call) == ToolResult(IMAGE.summary(), True, parts=[IMAGE])


def test_one_broken_block_does_not_lose_the_others():
    broken = mcp_types.ImageContent(type="image", data="%%", mime_type="image/png")
    good = mcp_types.TextContent(type="text", text="2 rows")
    note = ContentPart.from_text("[ImageContent that cannot be read]")
    assert of(mcp_types.CallToolResult(content=[good, broken])).parts == (ContentPart.from_text("2 rows"), note)
    mislabelled = mcp_types.ImageContent(type="image", data=DATA, mime_type="image/jpeg")
    assert of(mislabelled).parts == (IMAGE,)
    document = mcp_types.ImageContent(type="image", data=b64encode(b"%PDF-1.7\n").decode(), mime_type="image/jpeg")
    assert of(document).parts == (ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),)


def test_a_call_result_within_something_is_refused():
    call = mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text="x")], is_error=True)
    for value, path in (([call], "value[0]"), ({"r": call}, "value.r")):
        with pytest.raises(ConversionError, match="return it alone") as caught:
            of(value)
        assert caught.value.path == path


def test_structure_alone_is_what_the_model_reads():
    result = of(mcp_types.CallToolResult(content=[], structured_content={"a": 1}))
    plain = ToolResult.json({"a": 1})
    assert (result.output, result.parts, result.value) == (plain.output, None, plain.value)
    assert (result.mime_type, result.is_error) == (plain.mime_type, False)


def test_subclasses_and_contents_of_resources_are_known():
    class Text(mcp_types.TextContent):
        pass

    assert of(Text(type="text", text="x")) == ToolResult("x")
    assert of(BLOB).parts[0].data == PNG
    assert of({"a": DOCUMENT}).parts[0].text == "# a"


def test_a_class_of_the_same_name_is_another():
    with pytest.raises(ConversionError):
        of(type("TextContent", (), {})())
    assert of({"type": "text", "text": "x"}).parts is None
