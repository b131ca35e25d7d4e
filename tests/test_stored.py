"""Pickles and wire texts that version 0.1.0 wrote are read in every later version."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult.wire import digest, from_json, to_json

GOLDEN = Path(__file__).parent / "golden"
STORED = GOLDEN / "pickle"
WIRE = json.loads((GOLDEN / "wire.json").read_text(encoding="utf-8"))

REQUEST = Request(
    "approval",
    "Refund 10 EUR?",
    id="call_1:0",
    url="https://example.test/approve?token=x",
    data={"arguments": {"amount": 10, "tags": ["a"]}},
    expires_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)
PART = ContentPart("image", data=b"\x89PNG", mime_type="image/png", name="x.png", metadata={"audience": ["user"]})
VALUES = {
    "result": ToolResult.ok("found", parts=[PART], metadata={"ids": [1, 2]}, value={"rows": [{"id": 1}]}),
    "error": ToolResult.error("no such key", code="unknown_key", retryable=True),
    "pending": ToolResult.pending(REQUEST),
    "part": PART,
    "request": REQUEST,
    "answer": Answer("call_1:0", ok=False, data={"comment": "no"}, reason="declined"),
}


@pytest.mark.parametrize("protocol", [0, 2, 5])
@pytest.mark.parametrize("name", VALUES)
def test_a_stored_pickle_loads_as_the_value_it_was(name, protocol):
    loaded = pickle.loads((STORED / f"{name}.{protocol}.pickle").read_bytes())
    assert loaded == VALUES[name]
    assert type(loaded) is type(VALUES[name])


@pytest.mark.parametrize("name", VALUES)
def test_a_stored_wire_text_reads_as_the_value_it_was_and_is_written_the_same(name):
    value = VALUES[name]
    assert from_json(type(value), WIRE[name]["text"]) == value
    assert to_json(value) == WIRE[name]["text"]
    assert digest(value) == WIRE[name]["digest"]
