"""Results of MCP: what is written for each kind of part, and what is read, in either spelling and from objects."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import mcp_types
import pytest
from tests.adapters import mcp_strict

from toolresult import (
    ContentPart,
    ConversionError,
    DecodeError,
    EncodeError,
    LossError,
    PendingResultError,
    Request,
    ToolResult,
    _json,
    adapters,
)
from toolresult.adapters import Loss, from_mcp, mcp, mcp_meta, to_mcp, with_mcp_meta

PNG = b"\x89PNG\r\n\x1a\n"
DATA = b64encode(PNG).decode()
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
PICTURE = {"type": "image", "data": DATA, "mimeType": "image/png"}
PDF = b"%PDF-1.7 page"
OURS = "io.github.toolresult/part"

each_version = pytest.mark.parametrize("version", mcp_strict.VERSIONS)


def written(result: ToolResult, version: str = "2026-07-28", **options: Any) -> dict[str, Any]:
    found = to_mcp(result, version=version, **options)
    mcp_strict.call_result(found, version)
    return found


def block_of(part: ContentPart, **options: Any) -> dict[str, Any]:
    (block,) = written(ToolResult(parts=[part]), **options)["content"]
    return block


def read_block(block: Any, **options: Any) -> ContentPart:
    (part,) = from_mcp({"content": [{"type": "text", "text": "see"}, block]}, **options).parts[1:]
    return part


def test_a_text_is_one_block():
    text = {"type": "text", "text": "hi"}
    assert written(ToolResult("hi")) == {"content": [text], "isError": False, "resultType": "complete"}
    assert written(ToolResult("hi"), "2025-11-25") == {"content": [text], "isError": False}
    assert written(ToolResult.error("hi"), "2025-06-18") == {"content": [text], "isError": True}
    assert written(ToolResult(), "2025-11-25") == {"content": [], "isError": False}


def test_the_revisions_are_those_of_the_package_that_have_structured_data():
    assert mcp.VERSIONS == mcp_strict.VERSIONS


WRITTEN = {
    "text": (ContentPart.from_text("x"), {"type": "text", "text": "x"}),
    "typed text": (
        ContentPart.from_text("# x", mime_type="text/markdown", name="n"),
        {"type": "text", "text": "# x", "_meta": {OURS: {"mimeType": "text/markdown", "name": "n"}}},
    ),
    "lone surrogate": (ContentPart.from_text("a\ud800\0"), {"type": "text", "text": "a\ufffd\0"}),
    "image": (IMAGE, PICTURE),
    "named image": (
        ContentPart("image", data=PNG, mime_type="image/png", name="a.png"),
        {**PICTURE, "_meta": {OURS: {"name": "a.png"}}},
    ),
    "image that is called a file": (
        ContentPart("file", data=PNG, mime_type="image/png"),
        {**PICTURE, "_meta": {OURS: {"type": "file"}}},
    ),
    "audio": (
        ContentPart("audio", data=b"ID3", mime_type="audio/mpeg"),
        {"type": "audio", "data": "SUQz", "mimeType": "audio/mpeg"},
    ),
    "svg": (
        ContentPart("image", data=b"<svg/>", mime_type="image/svg+xml"),
        {
            "type": "resource",
            "resource": {"uri": "toolresult:///1", "mimeType": "image/svg+xml", "text": "<svg/>"},
            "_meta": {OURS: {"type": "image"}},
        },
    ),
    "video": (
        ContentPart("video", data=b"film", mime_type="video/mp4", name="a b/ü.mp4"),
        {
            "type": "resource",
            "resource": {"uri": "toolresult:///1/%C3%BC.mp4", "mimeType": "video/mp4", "blob": "ZmlsbQ=="},
            "_meta": {OURS: {"name": "a b/ü.mp4"}},
        },
    ),
    "text file": (
        ContentPart("file", data=b"a,b\n1,2", mime_type="text/csv"),
        {
            "type": "resource",
            "resource": {"uri": "toolresult:///1", "mimeType": "text/csv", "text": "a,b\n1,2"},
            "_meta": {OURS: {"type": "file"}},
        },
    ),
    "text file in another encoding": (
        ContentPart("file", data="ü".encode("latin-1"), mime_type="text/csv; charset=latin-1"),
        {
            "type": "resource",
            "resource": {"uri": "toolresult:///1", "mimeType": "text/csv; charset=latin-1", "blob": "/A=="},
            "_meta": {OURS: {"unnamed": True}},
        },
    ),
    "url": (
        ContentPart("image", url="https://h.test/x/a.png?q=1", mime_type="image/png", name="chart"),
        {"type": "resource_link", "uri": "https://h.test/x/a.png?q=1", "name": "chart", "mimeType": "image/png"},
    ),
    "url without name and type": (
        ContentPart("image", url="https://h.test/x/a.png?q=1"),
        {
            "type": "resource_link",
            "uri": "https://h.test/x/a.png?q=1",
            "name": "a.png",
            "_meta": {OURS: {"unnamed": True, "type": "image"}},
        },
    ),
    "file id": (
        ContentPart.from_file_id("file/1", type="file", provider="openai"),
        {
            "type": "resource_link",
            "uri": "toolresult-file:file%2F1",
            "name": "file",
            "_meta": {OURS: {"fileId": "file/1", "provider": "openai", "unnamed": True}},
        },
    ),
    "file id that nobody owns": (
        ContentPart.from_file_id("f", type="image", name="n"),
        {
            "type": "resource_link",
            "uri": "toolresult-file:f",
            "name": "n",
            "_meta": {OURS: {"fileId": "f", "type": "image"}},
        },
    ),
}


@pytest.mark.parametrize(("part", "block"), WRITTEN.values(), ids=WRITTEN)
def test_a_part_is_a_block(part, block):
    losses: list[Loss] = []
    assert block_of(part, on_loss=losses.append) == block
    assert losses == []
    again = read_block(block)
    assert again == part or "\ud800" in str(part.text)


def test_whom_a_part_is_for_and_what_else_is_known_goes_along():
    metadata = {
        "audience": ["user", "assistant"],
        "annotations": {"priority": 1, "lastModified": "2026-01-12T15:00:58Z"},
        "mcp": {"_meta": {"com.example/a": [1]}},
        "secret": "stays",
    }
    block = block_of(ContentPart.from_text("x", metadata=metadata))
    assert block == {
        "type": "text",
        "text": "x",
        "annotations": {"audience": ["user", "assistant"], "priority": 1, "lastModified": "2026-01-12T15:00:58Z"},
        "_meta": {"com.example/a": [1]},
    }
    assert read_block(block).metadata == {key: metadata[key] for key in ("audience", "annotations", "mcp")}


@pytest.mark.parametrize(
    ("audience", "sent"),
    [
        ("user", ["user"]),
        (("user",), ["user"]),
        (frozenset({"user", "assistant"}), ["assistant", "user"]),
        (["reviewer", "user"], ["user"]),
        ("reviewer", []),
        ([], []),
        (7, []),
        ({"user": 1}, []),
    ],
)
def test_an_audience_is_written_in_the_words_that_mcp_has(audience, sent):
    part = ContentPart.from_text("x", metadata={"audience": audience})
    assert block_of(part)["annotations"] == {"audience": sent}


def test_no_audience_is_for_all():
    assert "annotations" not in block_of(ContentPart.from_text("x", metadata={"audience": None}))


def test_a_part_for_the_user_goes_along_and_stays_hidden():
    card = ContentPart.from_text("4242", metadata={"audience": ["user"]})
    result = ToolResult.ok("Paid.", parts=[card])
    sent = written(result)
    assert [block["text"] for block in sent["content"]] == ["Paid.", "4242"]
    assert from_mcp(sent).content == result.content == (ContentPart.from_text("Paid."),)
    alone = from_mcp(written(ToolResult(parts=[card])))
    assert alone.content == ToolResult(parts=[card]).content


def test_a_wrong_label_is_corrected_on_the_way_out():
    losses: list[Loss] = []
    part = ContentPart("image", data=PNG, mime_type="image/jpeg")
    assert block_of(part, on_loss=losses.append) == PICTURE
    assert losses == [Loss("", part, "labelled image/jpeg, but its bytes are image/png", "relabelled")]
    with pytest.raises(LossError, match=r"^image "):
        to_mcp(ToolResult(parts=[part]), on_loss="raise")
    unlabelled = ContentPart("file", data=PNG, mime_type="application/octet-stream")
    assert block_of(unlabelled)["mimeType"] == "image/png"


def test_a_part_of_an_unknown_kind_is_named():
    losses: list[Loss] = []
    part = ContentPart("hologram", raw={"type": "hologram", "x": 1})
    text = "[hologram (unknown kind) was left out: its kind is not known here]"
    assert block_of(part, on_loss=losses.append) == {"type": "text", "text": text}
    assert losses == [Loss("", part, "its kind is not known here", "text")]
    for forged in ({"type": "resource_link"}, {"type": "resource_link", "uri": "a", "name": "b", "cache": 1}):
        assert block_of(ContentPart("resource_link", raw=forged))["type"] == "text"


MALFORMED = {
    "mcp": ({"mcp": 5}, "parts[0].metadata.mcp"),
    "uri": ({"mcp": {"uri": 5}}, "parts[0].metadata.mcp.uri"),
    "_meta": ({"mcp": {"_meta": [1]}}, "parts[0].metadata.mcp._meta"),
    "_meta that is no JSON": ({"mcp": {"_meta": {"a": object()}}}, "parts[0].metadata.mcp._meta.a"),
    "priority": ({"annotations": {"priority": 2}}, "parts[0].metadata.annotations.priority"),
    "annotations": ({"annotations": "x"}, "parts[0].metadata.annotations"),
}


@pytest.mark.parametrize(("metadata", "path"), MALFORMED.values(), ids=MALFORMED)
def test_what_an_author_wrote_wrongly_is_named(metadata, path):
    with pytest.raises(EncodeError) as caught:
        to_mcp(ToolResult(parts=[ContentPart.from_text("x", metadata=metadata)]))
    assert caught.value.path == path


def test_an_author_may_say_what_a_link_is():
    icons = [{"src": "https://h.test/i.png", "mimeType": "image/png", "sizes": ["any"], "theme": "dark"}]
    hints = {"title": "T", "description": "D", "size": 3, "icons": icons}
    part = ContentPart("file", url="https://h.test/a", name="a", metadata={"mcp": hints})
    assert block_of(part) == {"type": "resource_link", "uri": "https://h.test/a", "name": "a", **hints}
    assert read_block(block_of(part)) == part


def test_an_author_may_give_a_text_a_uri():
    part = ContentPart.from_text("# x", mime_type="text/markdown", name="n", metadata={"mcp": {"uri": "docs:x"}})
    assert block_of(part) == {
        "type": "resource",
        "resource": {"uri": "docs:x", "mimeType": "text/markdown", "text": "# x"},
        "_meta": {OURS: {"name": "n"}},
    }
    assert read_block(block_of(part)) == part
    unnamed = ContentPart.from_text("# x", metadata={"mcp": {"uri": "docs:x"}})
    assert read_block(block_of(unnamed)) == unnamed
    data = ContentPart("file", data=b"# x", mime_type="text/markdown", metadata={"mcp": {"uri": "docs:x"}})
    assert block_of(data)["resource"] == block_of(part)["resource"]


# Structured data.


@each_version
def test_the_data_of_an_output_that_is_json_goes_along(version):
    result = ToolResult.json({"b": [1, None], "a": 1.5})
    sent = written(result, version)
    assert sent["content"] == [{"type": "text", "text": '{"b":[1,null],"a":1.5}'}]
    assert sent["structuredContent"] == {"b": [1, None], "a": 1.5}
    assert from_mcp(sent) == result
    assert "structuredContent" not in written(result, version, structured=False)


@pytest.mark.parametrize("value", [[1, 2], "x", 0, False, 1.5, []])
def test_what_is_no_object_is_in_one_in_old_revisions(value):
    result = ToolResult.json(value)
    assert written(result)["structuredContent"] == value
    for version in ("2025-06-18", "2025-11-25"):
        sent = written(result, version)
        assert sent["structuredContent"] == {"result": value}
        assert from_mcp(sent) == result
        assert to_mcp(from_mcp(sent)) == written(result)


def test_null_is_no_structured_data():
    sent = written(ToolResult.json(None))
    assert "structuredContent" not in sent
    assert from_mcp(sent).content == ToolResult.json(None).content
    assert from_mcp({"content": [], "structuredContent": None}) == ToolResult()


@each_version
def test_a_value_goes_only_when_asked(version):
    result = ToolResult.ok("2 rows", value={"rows": 2})
    assert "structuredContent" not in written(result, version)
    assert written(result, version, structured=True)["structuredContent"] == {"rows": 2}
    assert "structuredContent" not in written(ToolResult.ok('{"a": 1}'), version)
    assert "structuredContent" not in written(ToolResult.ok("x"), version, structured=True)


def test_the_value_says_nothing_that_the_text_does_not():
    facts = {"value": {"secret": 1}, "mime_type": "application/json"}
    result = ToolResult('{"public": 1}', metadata={"toolresult": facts})
    assert written(result)["structuredContent"] == {"public": 1}
    assert written(result, structured=True)["structuredContent"] == {"secret": 1}
    broken = ToolResult('{"public": ', metadata={"toolresult": facts})
    assert "structuredContent" not in written(broken)
    typed = ToolResult('{"a":1}', metadata={"toolresult": {"mime_type": "application/geo+json"}})
    assert written(typed)["structuredContent"] == {"a": 1}
    assert from_mcp(written(typed)).content == typed.content


def test_an_error_has_no_structured_data():
    error = ToolResult.error("no", value={"a": 1})
    assert "structuredContent" not in written(error)
    assert "structuredContent" not in written(error, structured=True)


def test_structured_data_stands_beside_media_only_when_asked():
    result = ToolResult.ok(value={"a": 1}, parts=[IMAGE])
    assert "structuredContent" not in written(result)
    assert written(result, structured=True)["structuredContent"] == {"a": 1}
    texts = ToolResult.ok(value={"a": 1}, parts=[ContentPart.from_text("more")])
    assert written(texts)["structuredContent"] == {"a": 1}
    assert from_mcp(written(texts)).content == texts.content


def test_a_value_without_json_form_is_named():
    with pytest.raises(ConversionError) as caught:
        to_mcp(ToolResult.ok("x", value={"a": object()}), structured=True)
    assert caught.value.path == "value.a"


SAID = {
    "in another order": ('{"b": 2, "a": 1}', {"a": 1, "b": 2}),
    "wrapped": ("5", {"result": 5}),
    "wrapped text": ("hello", {"result": "hello"}),
    "plain": ("[1]", [1]),
}


@pytest.mark.parametrize(("text", "structured"), SAID.values(), ids=SAID)
def test_data_that_the_text_says_is_not_said_again(text, structured):
    sent = {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": False}
    result = from_mcp(sent)
    assert (str(result), result.value) == (text, structured)
    assert to_mcp(result) == {**sent, "resultType": "complete"}


def test_a_list_may_be_said_by_a_text_for_each_item():
    blocks = [{"type": "text", "text": text} for text in ("1", "b", '{"c": 3}')]
    sent = {"content": blocks, "structuredContent": {"result": [1, "b", {"c": 3}]}, "isError": False}
    assert len(from_mcp(sent).parts) == 3
    fewer = {**sent, "structuredContent": {"result": [1, "b"]}}
    assert len(from_mcp(fewer).parts) == 4


NOT_SAID = {
    "another text": ([{"type": "text", "text": "2 rows"}], {"rows": 2}),
    "true is not one": ([{"type": "text", "text": "1"}], {"result": True}),
    "nothing": ([], {"rows": 2}),
    "an empty list": ([], {"result": []}),
    "a blank": ([{"type": "text", "text": " "}], {"result": " "}),
    "for the user": ([{"type": "text", "text": "5", "annotations": {"audience": ["user"]}}], {"result": 5}),
    "a picture": ([PICTURE], {"a": 1}),
}


@pytest.mark.parametrize(("content", "structured"), NOT_SAID.values(), ids=NOT_SAID)
def test_data_that_no_text_says_is_said_once(content, structured):
    sent = {"content": content, "structuredContent": structured, "isError": False, "resultType": "complete"}
    result = from_mcp(sent)
    copy = ToolResult.json(structured).output
    assert [part.text for part in result.content].count(copy) == 1
    assert str(result).count(copy) == 1
    assert result.value == structured
    assert to_mcp(result) == sent
    without = to_mcp(result, structured=False)["content"]
    assert without[-1]["text"] == copy
    assert without[:-1] == content


def test_what_a_host_took_out_of_the_text_does_not_go_on_as_data():
    sent = {
        "content": [{"type": "text", "text": '{"card": 4242}'}],
        "structuredContent": {"card": 4242},
        "isError": True,
    }
    result = from_mcp(sent)
    redacted = ToolResult("[redacted]", True, metadata=result.metadata)
    assert "structuredContent" in to_mcp(result)
    assert "structuredContent" not in to_mcp(redacted)
    changed = ToolResult('{"card":0}', metadata=result.metadata)
    assert to_mcp(changed)["structuredContent"] == {"card": 0}


def test_a_relayed_result_gains_no_data():
    result = ToolResult.json({"a": 1})
    sent = written(result, structured=False)
    back = from_mcp(sent)
    assert (back.content, back.value) == (result.content, {"a": 1})
    assert to_mcp(back) == sent
    assert to_mcp(back, structured=True)["structuredContent"] == {"a": 1}


def test_a_text_that_is_blank_or_said_to_be_plain_stays_a_part():
    for part in (
        ContentPart.from_text(" "),
        ContentPart.from_text(""),
        ContentPart.from_text("x", mime_type="text/plain"),
    ):
        assert from_mcp(written(ToolResult(parts=[part]))).parts == (part,)


def test_relayed_data_of_an_error_and_beside_media_is_as_it_came():
    for members in ({"isError": True}, {"content": [PICTURE, {"type": "text", "text": '{"a":1}'}]}):
        sent = {
            "content": [{"type": "text", "text": '{"a":1}'}],
            "isError": False,
            "structuredContent": {"a": 1},
            **members,
        }
        assert to_mcp(from_mcp(sent), version="2025-11-25") == sent


# Reading.


def test_both_spellings_are_read():
    snake = {
        "content": [
            {"type": "image", "data": DATA, "mime_type": "image/png", "meta": {"a": 1}},
            {"type": "text", "text": "x", "annotations": {"last_modified": "2026"}},
        ],
        "is_error": True,
        "structured_content": {"a": 1},
        "meta": {"b": 2},
    }
    result = from_mcp(snake)
    assert (result.is_error, result.value, mcp_meta(result)) == (True, {"a": 1}, {"b": 2})
    assert result.parts[0].metadata == {"mcp": {"_meta": {"a": 1}}}
    assert to_mcp(result)["content"][1]["annotations"] == {"lastModified": "2026"}


def test_one_member_in_both_spellings_is_refused():
    with pytest.raises(DecodeError, match="leave one out") as caught:
        from_mcp({"content": [], "isError": False, "is_error": True})
    assert caught.value.path == "isError"


def test_objects_of_the_package_are_read():
    sent = written(ToolResult.ok("see", parts=[part for part, _ in WRITTEN.values()]))
    assert from_mcp(mcp_types.CallToolResult.model_validate(sent)) == from_mcp(sent)


def test_objects_of_older_clients_are_read():
    class AnyUrl(str):
        __slots__ = ()

    link = type("ResourceLink", (), {"__module__": "mcp.types"})()
    link.type, link.uri, link.name = "resource_link", AnyUrl("https://h.test/"), "a"
    link.mimeType, link.annotations, link.meta, link.icons = "image/png", None, None, None
    call = type("CallToolResult", (), {"__module__": "mcp.types"})()
    call.content, call.structuredContent, call.isError, call.meta = [link], None, True, {"a": 1}
    result = from_mcp(call)
    assert result.is_error
    assert mcp_meta(result) == {"a": 1}
    assert result.parts == (ContentPart("image", url="https://h.test/", mime_type="image/png", name="a"),)


def test_urls_of_pydantic_are_read():
    import pydantic

    link = {"type": "resource_link", "uri": pydantic.AnyUrl("https://h.test/a"), "name": "a"}
    assert read_block(link).url == "https://h.test/a"


def test_results_of_fastmcp_clients_are_read():
    @dataclass
    class CallToolResult:
        content: list[Any]
        structured_content: dict[str, Any] | None
        meta: dict[str, Any] | None
        data: Any = None
        is_error: bool = False

    found = CallToolResult([mcp_types.TextContent(type="text", text="x")], {"result": "x"}, {"a": 1}, "x")
    assert from_mcp(found) == from_mcp(
        {"content": [{"type": "text", "text": "x"}], "structuredContent": {"result": "x"}, "_meta": {"a": 1}}
    )


REPAIRED = {
    "data URL": ({**PICTURE, "data": f"data:image/png;base64,{DATA}"}, "a data: URL stood where base64 must"),
    "data URL without label": ({"type": "image", "data": f"data:image/png;base64,{DATA}"}, "a data: URL"),
    "no label": ({"type": "image", "data": DATA}, "had no MIME type"),
    "wrong label": ({**PICTURE, "mimeType": "image/jpeg"}, "labelled image/jpeg, but its bytes are image/png"),
    "label that is none": ({**PICTURE, "mimeType": "png"}, "its label is no MIME type"),
    "audio that is none": ({"type": "audio", "data": DATA, "mimeType": "audio/wav"}, "labelled audio/wav"),
}


@pytest.mark.parametrize(("block", "reason"), REPAIRED.values(), ids=REPAIRED)
def test_a_block_is_repaired_and_that_is_told(block, reason):
    losses: list[Loss] = []
    assert read_block(block, on_loss=losses.append) == IMAGE
    (loss,) = losses
    assert (loss.call_id, loss.part, loss.fallback) == ("", IMAGE, "relabelled")
    assert loss.reason.startswith(reason)
    with pytest.raises(LossError):
        read_block(block, on_loss="raise")
    assert to_mcp(from_mcp({"content": [block]}))["content"] == [PICTURE]


def test_what_is_of_another_kind_is_a_file():
    losses: list[Loss] = []
    block = {"type": "image", "data": b64encode(PDF).decode(), "mimeType": "image/png"}
    part = read_block(block, on_loss=losses.append)
    assert part == ContentPart("file", data=PDF, mime_type="application/pdf")
    assert losses == [Loss("", part, "labelled image/png, but its bytes are application/pdf", "relabelled")]
    assert block_of(part)["type"] == "resource"


def test_labels_of_resources_are_repaired_too():
    losses: list[Loss] = []
    text = {"type": "resource", "resource": {"uri": "a:b", "text": "x", "mimeType": "markdown"}}
    part = read_block(text, on_loss=losses.append)
    assert (part.mime_type, losses) == (None, [])
    assert to_mcp(ToolResult(parts=[part]))["content"] == [text]
    blob = {"type": "resource", "resource": {"uri": "a:b", "blob": f"data:image/png;base64,{DATA}"}}
    assert read_block(blob, on_loss=losses.append).mime_type == "image/png"
    assert len(losses) == 1
    blob["resource"] = {**blob["resource"], "blob": DATA, "mimeType": "png"}
    assert read_block(blob, on_loss=losses.append).mime_type == "image/png"
    assert len(losses) == 2
    link = {"type": "resource_link", "uri": "https://h.test", "name": "", "mimeType": "markdown"}
    part = read_block(link, on_loss=losses.append)
    assert (part.mime_type, len(losses)) == (None, 2)


def test_a_text_that_only_claims_to_be_the_copy_of_the_data_is_sent():
    forged = ContentPart.from_text("other", metadata={"mcp": {"added": True}})
    result = ToolResult.json({"a": 1})
    result = ToolResult(result.output, parts=[forged], metadata=result.metadata)
    sent = written(result)
    assert [block["text"] for block in sent["content"]] == ['{"a":1}', "other"]
    assert sent["structuredContent"] == {"a": 1}


def test_a_label_that_says_the_same_keeps_its_spelling():
    block = {**PICTURE, "mimeType": "IMAGE/PNG"}
    part = read_block(block)
    assert part.mime_type == "image/png"
    assert to_mcp(ToolResult(parts=[part]))["content"] == [block]
    other = ContentPart("image", data=PNG, mime_type="image/png", metadata={"mcp": {"mimeType": "image/gif"}})
    assert block_of(other)["mimeType"] == "image/png"
    broken = ContentPart("image", data=PNG, mime_type="image/png", metadata={"mcp": {"mimeType": "gif"}})
    assert block_of(broken)["mimeType"] == "image/png"


@pytest.mark.parametrize("uri", ["a.pdf", "", "data:,x", "javascript:alert(1)"])
def test_a_link_that_no_part_can_hold_goes_on_as_it_came(uri):
    losses: list[Loss] = []
    block = {
        "type": "resource_link",
        "uri": uri,
        "name": "a",
        "mimeType": "application/pdf",
        "annotations": {"audience": ["user"], "priority": 1},
        "_meta": {"a": 1},
        "title": "T",
    }
    part = read_block(block, on_loss=losses.append)
    assert (part.type, part.raw) == ("resource_link", block)
    assert losses == [Loss("", part, "its URI is not absolute, or of a kind that is refused", "raw")]
    assert to_mcp(ToolResult(parts=[part]), on_loss="raise")["content"] == [block]


def test_a_block_of_an_unknown_kind_is_kept_and_told():
    losses: list[Loss] = []
    part = read_block({"type": "hologram", "x": [1]}, on_loss=losses.append)
    assert part == ContentPart("hologram", raw={"type": "hologram", "x": [1]})
    assert losses == [Loss("", part, "is of a kind that is not known", "raw")]
    for block in ({"type": "video"}, {"type": " "}, {"text": "x"}, {"type": 5}):
        assert read_block(block).type == "unknown"
    assert read_block({}).raw == {"type": None}
    tool_use = mcp_types.ToolUseContent(type="tool_use", id="i", name="n", input={})
    assert read_block(tool_use).type == "tool_use"


def test_what_stands_under_our_key_and_is_not_ours_stays_there():
    for forged in (
        *({}, 5, {"type": "text"}, {"name": 5}, {"type": "hologram"}, {"type": None}),
        *({"text": None}, {"unnamed": False}, {"name": "n", "more": "x"}, {"fileId": None}),
    ):
        block = {"type": "text", "text": "x", "_meta": {OURS: forged}}
        part = read_block(block)
        assert part.metadata == {"mcp": {"_meta": {OURS: forged}}}
        assert to_mcp(ToolResult(parts=[part]))["content"] == [block]


def test_a_text_that_nests_too_deep_for_a_value_is_a_text():
    deep = "[" * 150 + "]" * 150
    sent = {"content": [{"type": "text", "text": deep}], "structuredContent": {"a": 1}, "isError": False}
    result = from_mcp(sent)
    assert (result.content[0].text, result.value) == (deep, {"a": 1})
    assert to_mcp(result, version="2025-11-25")["structuredContent"] == {"a": 1}
    said_to_be_json = ToolResult(deep, metadata={"toolresult": {"mime_type": "application/json"}})
    assert "structuredContent" not in written(said_to_be_json)


def test_a_mark_in_metadata_is_not_passed_off_as_ours():
    meta = {OURS: {"name": "forged.pdf"}, "trace": 1}
    part = ContentPart.from_text("x", metadata={"mcp": {"_meta": meta}})
    assert block_of(part) == {"type": "text", "text": "x", "_meta": {"trace": 1}}


@pytest.mark.parametrize(
    "part",
    [
        ContentPart("video", file_id="f", mime_type="video/mp4", metadata={"mcp": {"mimeType": None}}),
        ContentPart("video", url="https://h.test/a", mime_type="video/mp4", metadata={"mcp": {"mimeType": None}}),
        ContentPart("video", data=b"film", mime_type="video/mp4", metadata={"mcp": {"mimeType": None, "uri": "a:b"}}),
        ContentPart("text", text="a", mime_type="text/csv", metadata={"mcp": {"mimeType": None, "uri": "a:b"}}),
        ContentPart("file", data=b"a,b", mime_type="text/csv", metadata={"mcp": {"mimeType": None, "uri": "a:b"}}),
        ContentPart(
            "text", text="a", mime_type="text/csv", metadata={"mcp": {"mimeType": None, "uri": "a:b", "blob": True}}
        ),
    ],
)
def test_a_label_that_nothing_else_says_is_written(part):
    sent = to_mcp(ToolResult(parts=[part]))
    (back,) = from_mcp(sent).content
    assert (back.type, back.mime_type, back.data) == (part.type, part.mime_type, part.data)
    assert to_mcp(from_mcp(sent)) == sent


def test_a_uri_that_is_made_of_the_type_does_not_change_with_the_label():
    part = ContentPart("image", data=b"PK\x03\x04", mime_type="image/jpg", name="")
    sent = to_mcp(ToolResult(parts=[part]))
    assert sent["content"][0]["resource"]["uri"] == "toolresult:///1/image"
    assert to_mcp(from_mcp(sent)) == sent


@pytest.mark.parametrize("uri", ["toolresult:///1", "toolresult:///9/foo", "toolresult:///0/"])
@pytest.mark.parametrize("body", [{"blob": "/A=="}, {"text": "x"}, {"blob": "eA==", "mimeType": "text/csv"}])
def test_a_uri_in_the_form_of_ours_that_somebody_else_gave_stays(uri, body):
    block = {"type": "resource", "resource": {"uri": uri, **body}}
    part = read_block(block)
    assert (part.name, part.metadata["mcp"]["uri"]) == (None, uri)
    assert to_mcp(ToolResult(parts=[part]))["content"] == [block]


MALFORMED_RESULTS = {
    "no mapping": ("x", "obj"),
    "a list": ([], "obj"),
    "nothing": (None, "obj"),
    "no content": ({"isError": True}, "content"),
    "a class": (mcp_types.CallToolResult, "obj"),
    "an envelope": ({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}, "content"),
    "content": ({"content": "x"}, "content"),
    "isError": ({"content": [], "isError": "false"}, "isError"),
    "_meta": ({"content": [], "_meta": 5}, "_meta"),
    "resultType": ({"content": [], "resultType": "task"}, "resultType"),
    "structuredContent": ({"content": [], "structuredContent": {"a": object()}}, "structuredContent.a"),
    "block": ({"content": [5]}, "content[0]"),
    "block that is one value": ({"content": [Decimal(1)]}, "content[0]"),
    "text": ({"content": [{"type": "text"}]}, "content[0].text"),
    "text that is none": ({"content": [{"type": "text", "text": 5}]}, "content[0].text"),
    "base64": ({"content": [{"type": "text", "text": ""}, {**PICTURE, "data": "no-base64!"}]}, "content[1].data"),
    "data URL": ({"content": [{**PICTURE, "data": "data:image/png;base64,!"}]}, "content[0].data"),
    "mimeType": ({"content": [{**PICTURE, "mimeType": 5}]}, "content[0].mimeType"),
    "resource": ({"content": [{"type": "resource"}]}, "content[0].resource"),
    "uri": ({"content": [{"type": "resource", "resource": {"text": ""}}]}, "content[0].resource.uri"),
    "blob": ({"content": [{"type": "resource", "resource": {"uri": "a:b"}}]}, "content[0].resource.blob"),
    "text and blob": (
        {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "", "blob": ""}}]},
        "content[0].resource.blob",
    ),
    "name": ({"content": [{"type": "resource_link", "uri": "a:b"}]}, "content[0].name"),
    "size": ({"content": [{"type": "resource_link", "uri": "a:b", "name": "", "size": 1.5}]}, "content[0].size"),
    "size that is none": (
        {"content": [{"type": "resource_link", "uri": "a:b", "name": "", "size": True}]},
        "content[0].size",
    ),
    "icons": (
        {"content": [{"type": "resource_link", "uri": "a:b", "name": "", "icons": [{}]}]},
        "content[0].icons[0].src",
    ),
    "annotations": ({"content": [{"type": "text", "text": "", "annotations": 5}]}, "content[0].annotations"),
    "audience": (
        {"content": [{"type": "text", "text": "", "annotations": {"audience": [5]}}]},
        "content[0].annotations.audience[0]",
    ),
    "priority": (
        {"content": [{"type": "text", "text": "", "annotations": {"priority": 7}}]},
        "content[0].annotations.priority",
    ),
    "our own": ({"content": [{"type": "text", "text": "", "_meta": {OURS: {"mimeType": "x"}}}]}, "content[0].text"),
}


@pytest.mark.parametrize(("sent", "path"), MALFORMED_RESULTS.values(), ids=MALFORMED_RESULTS)
def test_what_is_malformed_is_one_error_that_names_the_place(sent, path):
    with pytest.raises(DecodeError) as caught:
        from_mcp(sent)
    assert caught.value.path == path


def test_data_that_is_nested_too_deep_is_refused():
    deep: Any = 1
    for _ in range(99):
        deep = [deep]
    with pytest.raises(DecodeError) as caught:
        from_mcp({"content": [], "structuredContent": deep})
    assert caught.value.path == "structuredContent"


def test_objects_that_cannot_be_read_are_refused():
    class Broken(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            raise RuntimeError("secret")

    class BrokenList(list[Any]):
        def __iter__(self):
            raise RuntimeError("secret")

    class BrokenItems(dict[str, Any]):
        def items(self):
            raise RuntimeError("secret")

    asking = {"resultType": "input_required", "inputRequests": BrokenItems(a=1)}
    listed = {"content": BrokenList([1])}
    for sent, path in ((Broken(), "resultType"), (listed, "content"), (asking, "inputRequests")):
        with pytest.raises(DecodeError) as caught:
            from_mcp(sent)
        assert caught.value.path == path
        assert "secret" not in str(caught.value)


def test_nothing_is_told_of_a_result_that_is_malformed():
    losses: list[Loss] = []
    with pytest.raises(DecodeError):
        from_mcp({"content": [{"type": "hologram"}, 5]}, on_loss=losses.append)
    assert losses == []


# `_meta` of a result.


@each_version
def test_meta_goes_along_and_comes_back(version):
    meta = {"com.example/widget": {"uri": "ui://chart"}}
    result = with_mcp_meta(ToolResult.json({"a": 1}, metadata={"private": 1}), meta)
    sent = written(result, version)
    assert sent["_meta"] == meta
    assert mcp_meta(from_mcp(sent)) == meta
    assert "ui://" not in str(from_mcp(sent))
    assert result.metadata["private"] == 1


def test_meta_can_be_taken_away():
    result = with_mcp_meta(ToolResult("x", metadata={"a": 1}), {"b": 2})
    assert with_mcp_meta(result, None) == ToolResult("x", metadata={"a": 1})
    assert with_mcp_meta(ToolResult("x"), None) == ToolResult("x")
    assert mcp_meta(ToolResult("x")) is None
    assert mcp_meta(with_mcp_meta(ToolResult("x"), {})) == {}
    error = with_mcp_meta(ToolResult.error("x", code="limit"), {"b": 2})
    assert with_mcp_meta(error, None) == ToolResult.error("x", code="limit")


def test_facts_that_are_no_mapping_are_nothing():
    for facts in (5, {"_meta": 5}):
        result = ToolResult("x", metadata={"toolresult": {"mcp": facts}})
        assert mcp_meta(result) is None
        assert "_meta" not in written(result)


def test_meta_without_json_form_is_named():
    with pytest.raises(ConversionError) as caught:
        to_mcp(with_mcp_meta(ToolResult("x"), {"a": object()}))
    assert caught.value.path == "_meta.a"


# Pending results.


def test_a_pending_result_asks_in_the_newest_revision():
    request = Request.approval("Refund 10 EUR?", id="r1", arguments={"secret": 1})
    sent = to_mcp(ToolResult.pending(request))
    mcp_strict.input_required(sent)
    assert "secret" not in str(sent)
    assert from_mcp(sent) == ToolResult.pending(Request.approval("Refund 10 EUR?", id="r1"))


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_a_pending_result_is_refused_where_there_is_no_shape_for_it(version):
    with pytest.raises(PendingResultError, match="to_mcp_elicitation"):
        to_mcp(ToolResult.pending(Request.approval("?")), version=version)


@each_version
def test_a_pending_result_may_be_a_text_that_says_that_it_waits(version):
    result = ToolResult.pending(Request("approval", "Go?", url="https://h.test/secret"))
    sent = written(result, version, on_pending="placeholder")
    assert sent["isError"] is True
    assert "not executed" in sent["content"][0]["text"]
    assert "secret" not in str(sent)
    back = from_mcp(sent)
    assert back.is_placeholder
    assert to_mcp(back, version=version) == sent


def test_a_result_that_asks_goes_on_as_it_came():
    form = {"type": "object", "properties": {"a": {"type": "string"}}}
    params = {"mode": "form", "message": "Name?", "requestedSchema": form}
    for key, members in (("k", {}), ("a key", {"requestState": "sealed", "_meta": {"a": 1}})):
        asked = {key: {"method": "elicitation/create", "params": params}}
        sent = {"resultType": "input_required", "inputRequests": asked, **members}
        mcp_strict.input_required(sent)
        result = from_mcp(sent)
        assert result.is_pending
        assert result.request.data == {"schema": form}
        assert to_mcp(result) == sent
        assert mcp_meta(result) == members.get("_meta")


def test_a_result_that_asks_several_things_or_none_names_the_other_function():
    request = {"method": "elicitation/create", "params": {"mode": "url", "message": "", "url": "https://h.test"}}
    several = {"resultType": "input_required", "inputRequests": {"a": request, "b": request}}
    for sent in (several, {"resultType": "input_required", "requestState": "s"}):
        with pytest.raises(DecodeError, match="from_mcp_input_required") as caught:
            from_mcp(sent)
        assert caught.value.path == "inputRequests"


# Options.


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"version": "2024-11-05"}, "version: "),
        ({"version": None}, "version: "),
        ({"structured": "yes"}, "structured: "),
        ({"on_loss": 5}, "on_loss: "),
        ({"on_pending": "wait"}, "on_pending: "),
    ],
)
def test_options_are_checked(options, problem):
    with pytest.raises((TypeError, ValueError), match=f"^{problem}"):
        to_mcp(ToolResult("x"), **options)


def test_only_results_are_written():
    for value in ("x", [ToolResult("x")], None):
        with pytest.raises(TypeError, match=r"^result: "):
            to_mcp(value)
    with pytest.raises(TypeError, match=r"^on_loss: "):
        from_mcp({"content": []}, on_loss=5)


def test_a_protocol_is_not_among_the_providers():
    assert "mcp" not in {cell.adapter for cell in adapters.capabilities()}


def test_the_data_beside_many_texts_is_written_once(monkeypatch):
    written = []
    canonical = _json.canonical

    def write(value: Any, field: str = "value") -> str:
        written.append(value)
        return canonical(value, field)

    monkeypatch.setattr(_json, "canonical", write)
    data = {"a": list(range(50))}
    from_mcp({"content": [{"type": "text", "text": "1"}] * 300, "structuredContent": data})
    assert sum(value == data for value in written) <= 4
