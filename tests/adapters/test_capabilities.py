"""The table of capabilities is what the adapters do."""

from __future__ import annotations

import json

import pytest
from tests.adapters.strict import encoded
from tests.adapters.table import ADAPTERS

from toolresult import ContentPart, ToolResult
from toolresult.adapters import CallResult, Capability, Loss, capabilities

WAV = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00"
FILES_API = "https://generativelanguage.googleapis.com/v1beta/files/abc"
FILE_IDS = {"gemini": FILES_API, "gemini_interactions": FILES_API, "bedrock": "s3://bucket/key"}
MEDIA = {
    "image": ("image", "image/png", b"\x89PNG\r\n\x1a\n-picture"),
    "audio": ("audio", "audio/wav", WAV),
    "video": ("video", "video/mp4", b"\x00\x00\x00\x18ftypisom-film"),
    "pdf": ("file", "application/pdf", b"%PDF-1.7 page"),
    "text file": ("file", "text/csv", b"a,b\r\n1,2"),
    "other file": ("file", "application/zip", b"PK\x03\x04-archive"),
}


def part_of(kind: str, source: str, adapter: str) -> ContentPart:
    if kind == "text":
        return ContentPart.from_text("plain words")
    major, mime_type, data = MEDIA[kind]
    if source == "data":
        return ContentPart(major, data=data, mime_type=mime_type)
    if source == "url":
        return ContentPart(major, url="https://h.example/thing", mime_type=mime_type)
    return ContentPart(major, file_id=FILE_IDS.get(adapter, "file-abc"), mime_type=mime_type)


def outcome(kind: str, source: str, adapter: str, variant: str) -> str:
    """Say what an adapter does with one part beside a text."""
    entry = next(entry for entry in ADAPTERS if entry.name == adapter)
    option = {"platform": variant} if adapter in ("anthropic", "gemini") else {}
    if adapter.startswith("openai"):
        option = {"dialect": variant}
    losses: list[Loss] = []
    result = ToolResult.ok("words before", parts=[part_of(kind, source, adapter)])
    written = entry.to(entry.renamed([CallResult("c1", result, "look")]), on_loss=losses.append, **option)
    if losses:
        return {"text": "described", "moved": "moved"}[losses[0].fallback]
    assert len(written) == 1
    text = json.dumps(encoded(written))
    is_text = kind == "text file" and "a,b" in text and '"document"' not in text
    return "text" if is_text else "inline"


@pytest.mark.parametrize("cell", capabilities(), ids=lambda cell: "-".join(cell[:4]))
def test_a_cell_says_what_the_adapter_does(cell):
    assert cell.outcome == outcome(cell.kind, cell.source, cell.adapter, cell.variant)


def test_every_adapter_variant_kind_and_source_has_a_cell():
    cells = capabilities()
    assert len({cell[:4] for cell in cells}) == len(cells)
    variants = {(cell.adapter, cell.variant) for cell in cells}
    assert {(cell.kind, cell.source) for cell in cells} == {
        ("text", "data"),
        *((kind, source) for kind in MEDIA for source in ("data", "url", "file_id")),
    }
    assert len(cells) == len(variants) * (1 + 3 * len(MEDIA))
    assert {name for name, _ in variants} == {entry.name for entry in ADAPTERS}
    assert {("anthropic", "bedrock"), ("openai_chat", "groq"), ("gemini", "vertex")} < variants


def test_a_cell_is_plain_data():
    assert capabilities()[0] == Capability("anthropic", "anthropic", "text", "data", "inline")
    assert json.loads(json.dumps(capabilities()[0])) == ["anthropic", "anthropic", "text", "data", "inline"]
