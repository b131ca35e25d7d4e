"""Ways in which stored tool results have gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from toolresult import Answer, ContentPart, DecodeError, EncodeError, Request, ToolResult
from toolresult.wire import digest, from_json, from_wire, to_json, to_wire

PNG = b"\x89PNG\r\n\x1a\n" + bytes(60_000)
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


# Stratoscale/hammock#146
def test_a_number_of_5000_digits_is_a_typed_error_on_both_sides():
    with pytest.raises(EncodeError) as encoding:
        to_json(ToolResult("x", metadata={"n": [1, 10**5000]}))
    assert encoding.value.path == "metadata.n[1]"
    text = '{"output":"x","isError":false,"metadata":{"n":[1,' + "1" * 5000 + "]}}"
    with pytest.raises(DecodeError) as decoding:
        from_json(ToolResult, text)
    assert decoding.value.path == "metadata.n[1]"


# ohdearquant/lionagi#2509, vellum-ai/vellum-assistant#1865
def test_the_log_form_of_a_picture_is_its_type_and_size():
    result = ToolResult.ok("done", parts=[ContentPart("image", data=PNG, mime_type="image/png")])
    assert to_wire(result, payload=False) == {
        "output": "done",
        "isError": False,
        "parts": [{"type": "image", "mimeType": "image/png", "data": "[image/png, 60008 bytes]"}],
    }
    assert len(to_json(result, payload=False)) < 130


# openai/openai-agents-js#131, openai/openai-agents-python#4244
def test_every_field_of_a_parked_call_is_stored():
    request = Request(
        "approval",
        "Go?",
        id="call_1:0",
        url="https://h.test/ok?t=1",
        data={
            "schema": {"type": "object"},
            "arguments": {"n": 1},
            "options": ["a", "b"],
            "tool_call_id": "call_1",
            "provider": {"mcpr": "x"},
        },
        expires_at=MOMENT + timedelta(microseconds=1),
    )
    result = dataclasses.replace(ToolResult.pending(request), metadata={"pending": request, "host": {"n": 1}})
    back = from_json(ToolResult, to_json(result))
    assert back == result
    assert back.request == request
    assert from_json(Request, to_json(request)) == request


# openai/openai-agents-python#5105
def test_no_edit_of_a_stored_request_approves_it():
    request = Request.approval("Go?", arguments={"n": 1}, id="r1")
    wire = to_wire(request)
    wire.update({"ok": True, "answer": {"id": "r1", "ok": True}, "approved": True})
    assert from_wire(Request, wire) == request
    with pytest.raises(DecodeError) as caught:
        from_wire(Answer, to_wire(request))
    assert caught.value.path == "ok"
    edited = to_wire(request)
    edited["data"]["arguments"]["n"] = 2
    assert digest(from_wire(Request, edited)) != digest(request)


# madesroches/micromegas#1405, python/cpython#80010, volcengine/OpenViking#404
@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-02T03:04:05Z", MOMENT),
        ("2026-01-02T03:04:05.123456789Z", MOMENT + timedelta(microseconds=123456)),
        ("2026-01-02T03:04:05.1Z", MOMENT + timedelta(milliseconds=100)),
        ("2026-01-02T08:34:05+05:30", MOMENT),
        ("2026-01-02T00:04:05-03:00", MOMENT),
        ("2026-01-02t03:04:05z", MOMENT),
        ("2026-01-02 03:04:05Z", MOMENT),
    ],
)
def test_every_spelling_of_rfc_3339_is_read_and_one_is_written(text, moment):
    request = from_wire(Request, {"id": "r", "kind": "k", "prompt": "p", "expiresAt": text})
    assert request.expires_at == moment
    assert to_wire(request)["expiresAt"] == moment.replace(tzinfo=None).isoformat() + "Z"


# python/cpython#114471, astropy/astropy#8720
@pytest.mark.parametrize(
    "text",
    [
        "2026-W01-1T00:00:00Z",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "2016-12-31T23:59:60Z",
        "2026-01-02T24:00:00Z",
        "2026-01-02T03:04:05+00",
        "2026-01-02T03:04:05+00:60",
        "2026-01-02T03:04:05+24:00",
        "2026-02-30T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "٢٠٢٦-01-02T03:04:05Z",
        "",
    ],
)
def test_what_is_no_time_of_rfc_3339_is_a_typed_error(text):
    with pytest.raises(DecodeError) as caught:
        from_wire(Request, {"id": "r", "kind": "k", "prompt": "p", "expiresAt": text})
    assert caught.value.path == "expiresAt"


# temporalio/sdk-java#836, jcrist/quickle#23, apache/fory#3861
def test_a_newer_writer_is_read_by_an_older_program():
    newer = {"output": "x", "isError": False, "cost": 3, "parts": [{"type": "text", "text": "t", "lang": "en"}]}
    assert from_wire(ToolResult, newer) == ToolResult("x", parts=[ContentPart.from_text("t")])
    block = {"type": "hologram", "depth": 3, "data": {"a": None}}
    part = from_wire(ContentPart, block)
    assert (part.type, part.raw) == ("hologram", block)
    assert to_wire(part) == block


# modelcontextprotocol/go-sdk#1236, pipefunc/pipefunc#905
def test_the_text_is_the_same_in_every_process():
    program = (
        "from toolresult import ToolResult\n"
        "result = ToolResult.ok(value={'w': {'alpha', 'beta', 'gamma'}}, metadata={'b': 1, 'a': {'y': 1, 'x': 2}})\n"
        "print(result.to_json())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4")
    }
    assert len(texts) == 1


# pydantic/pydantic-ai#4043, nlohmann/json#4725
def test_bytes_and_text_that_looks_like_them_come_back_as_what_they_were():
    result = ToolResult(
        "YWJj", parts=[ContentPart.from_text("YWJj"), ContentPart("file", data=b"abc", mime_type="text/plain")]
    )
    written = json.loads(to_json(result))["parts"]
    assert written == [
        {"type": "text", "text": "YWJj"},
        {"type": "file", "mimeType": "text/plain", "data": "YWJj"},
    ]
    assert from_json(ToolResult, to_json(result)) == result
