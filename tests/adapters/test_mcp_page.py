"""The page about MCP says what is: each row of what cannot be held, and every option."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.adapters import mcp_strict

from toolresult import ContentPart, Request, ToolResult
from toolresult.adapters import from_mcp, mcp_meta, to_mcp, with_mcp_meta

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
PNG = b"\x89PNG\r\n\x1a\n"


def there_and_back(result: ToolResult) -> ToolResult:
    return from_mcp(to_mcp(result))


def part_back(part: ContentPart) -> ContentPart:
    (_, back) = there_and_back(ToolResult("see", parts=[part])).parts
    return back


def check_metadata_of_a_part():
    assert part_back(ContentPart.from_text("x", metadata={"a": 1, "provider": "openai"})) == ContentPart.from_text("x")


def check_audience():
    back = part_back(ContentPart.from_text("x", metadata={"audience": ("assistant", "reviewer")}))
    assert back.metadata == {"audience": ["assistant"]}
    assert back.metadata != {"audience": ("assistant",)}


def check_metadata():
    result = ToolResult.error("x", metadata={"a": 1}, code="limit", retryable=True)
    assert there_and_back(result) == ToolResult.error("x")


def check_value():
    assert there_and_back(ToolResult.ok("2 rows", value={"rows": 2})) == ToolResult("2 rows")


def check_value_of_an_error():
    assert there_and_back(ToolResult.error('{"a":1}', value={"a": 1})).value is None


def check_value_beside_media():
    image = ContentPart.image(PNG)
    back = there_and_back(ToolResult.ok(value={"a": 1}, parts=[image]))
    assert back.value is None
    assert back.content[0].text == '{"a":1}'


def check_value_of_other_types():
    assert there_and_back(ToolResult.json({"a": (1, datetime(2026, 1, 1, tzinfo=UTC))})).value == {
        "a": [1, "2026-01-01T00:00:00+00:00"]
    }


def check_wrong_label():
    back = part_back(ContentPart("file", data=PNG, mime_type="application/pdf"))
    assert (back.type, back.mime_type) == ("file", "image/png")


def check_no_label():
    assert part_back(ContentPart("file", data=PNG, mime_type="application/octet-stream")).mime_type == "image/png"


def check_unknown_kind():
    assert part_back(ContentPart("hologram", raw={"a": 1})).text is not None


def check_surrogate():
    assert there_and_back(ToolResult("a\ud800")).output == "a\ufffd"
    assert part_back(ContentPart.from_file_id("a\ud800", type="file")).file_id == "a\ufffd"


def check_output():
    result = ToolResult.ok("see", parts=[ContentPart.image(PNG)])
    back = there_and_back(result)
    assert back.content == result.content
    assert back.parts == (ContentPart.from_text("see"), ContentPart.image(PNG))


def check_blank_output():
    assert there_and_back(ToolResult(" \n")) == ToolResult()


def check_empty_meta():
    wrapped = from_mcp(to_mcp(with_mcp_meta(ToolResult.json([1]), {}), version="2025-11-25"))
    assert mcp_meta(wrapped) is None
    named = ContentPart.from_text("x", name="n", metadata={"mcp": {"_meta": {}}})
    assert part_back(named) == ContentPart.from_text("x", name="n")
    assert mcp_meta(there_and_back(with_mcp_meta(ToolResult("x"), {}))) == {}


def check_waiting():
    waiting = str(ToolResult.pending(Request.approval("Go?")))
    assert there_and_back(ToolResult.error(waiting)).is_placeholder


def check_request():
    until = datetime(2026, 1, 1, tzinfo=UTC)
    request = Request("x-other", "Go?", id="r", data={"arguments": {"a": 1}, "options": ["b"]}, expires_at=until)
    assert there_and_back(ToolResult.pending(request)).request == Request.approval("Go?", id="r")
    linked = Request("approval", "Go?", id="r", url="https://h.test")
    assert there_and_back(ToolResult.pending(linked)).request == Request.authorization("https://h.test", "Go?", id="r")


ROWS = {
    "other metadata of a part": check_metadata_of_a_part,
    "an audience of other words, or that is no list": check_audience,
    "metadata, code and retryable": check_metadata,
    "a value that the output is not the JSON of": check_value,
    "the value of an error": check_value_of_an_error,
    "a value beside media": check_value_beside_media,
    "a value of other types": check_value_of_other_types,
    "data with a wrong label": check_wrong_label,
    "data without label, or `application/octet-stream`, whose bytes tell": check_no_label,
    "a part of an unknown kind": check_unknown_kind,
    "a lone surrogate": check_surrogate,
    "output beside parts": check_output,
    "blank output": check_blank_output,
    "an empty `_meta` beside a mark of ours": check_empty_meta,
    "an error text that says that a call waits": check_waiting,
    "what a request binds, its kind and its time": check_request,
}


@pytest.mark.parametrize("check", ROWS.values(), ids=ROWS)
def test_a_row_of_what_cannot_be_held_is_true(check):
    check()


def test_these_are_all_rows():
    section = PAGE.partition("\n## What MCP cannot hold\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    assert rows[1:] == [*ROWS]


def test_the_page_names_every_revision_and_option():
    for version in mcp_strict.VERSIONS:
        assert f'| `"{version}"` |' in PAGE
    for option in ("version=", "structured=", "on_pending=", "on_loss"):
        assert option in PAGE


def test_null_in_meta_is_dropped_by_the_package_only():
    sent = to_mcp(with_mcp_meta(ToolResult("x"), {"a": None}))
    assert sent["_meta"] == {"a": None}
    with pytest.raises(AssertionError):
        mcp_strict.call_result(sent, "2026-07-28")
    older = to_mcp(with_mcp_meta(ToolResult("x"), {"a": None}), version="2025-11-25")
    mcp_strict.call_result(older, "2025-11-25")


def test_the_page_is_found():
    assert "\nmcp\n" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert "](docs/mcp.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert ".. automodule:: toolresult.adapters.mcp\n" in (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
