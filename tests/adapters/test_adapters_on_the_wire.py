"""Turns that the vendors' real clients send: each payload arrives once, encoded once, and nothing is dropped."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.adapters import clients, strict

from toolresult import ContentPart, ToolResult, adapters
from toolresult.adapters import CallResult

DATA = Path(__file__).parents[2] / "examples" / "data"
PNG = (DATA / "fixture.png").read_bytes()
PDF = (DATA / "report.pdf").read_bytes()
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\xff\xfe\xfd"

TURN = [
    CallResult("call_1", ToolResult.ok("It is sunny. \u00fc\U0001f600", metadata={"secret": "s3cret"}), "weather"),
    CallResult(
        "call_2",
        ToolResult.ok(
            "two pages", parts=[ContentPart.image(PNG, name="shot.png"), ContentPart.file(PDF, name="r.pdf")]
        ),
        "screenshot",
    ),
    CallResult("call_3", ToolResult.error("no such row", parts=[ContentPart.image(PNG[:-1] + b"\x00")]), "query"),
    CallResult("call_4", ToolResult.json({"rows": [1, 2.5, None, "x"]}), "rows"),
    CallResult("call_5", ToolResult(), "notify"),
    CallResult(
        "call_6", ToolResult.ok("listen", parts=[ContentPart("audio", data=WAV, mime_type="audio/wav")]), "sing"
    ),
]


def nine(turn: list[CallResult], **options: Any) -> list[Any]:
    """Write for Mistral, whose ids have nine letters and digits."""
    return adapters.to_mistral([call._replace(call_id=call.call_id.replace("_", "0000")) for call in turn], **options)


SENDERS: list[Any] = [
    pytest.param(adapters.to_anthropic, clients.send_anthropic, {WAV}, id="anthropic"),
    pytest.param(adapters.to_openai_chat, clients.send_openai_chat, set(), id="openai_chat"),
    pytest.param(adapters.to_openai_responses, clients.send_openai_responses, {WAV}, id="openai_responses"),
    pytest.param(adapters.to_bedrock, clients.send_bedrock, {WAV}, id="bedrock"),
    pytest.param(
        partial(adapters.to_openai_chat, dialect="ollama"),
        clients.send_openai_chat,
        {WAV, PDF},
        id="openai_chat-ollama",
    ),
    pytest.param(partial(nine, media="inline"), clients.send_mistral, {WAV, PDF}, id="mistral-inline"),
    pytest.param(partial(nine, media="user"), clients.send_mistral, {WAV, PDF}, id="mistral-user"),
    pytest.param(partial(adapters.to_cohere, media="user"), clients.send_cohere, {WAV, PDF}, id="cohere"),
    pytest.param(adapters.to_gemini, clients.send_gemini, set(), id="gemini"),
    pytest.param(adapters.to_gemini_interactions, clients.send_gemini_interactions, set(), id="gemini_interactions"),
]


@pytest.mark.parametrize(("to", "send", "left_out"), SENDERS)
def test_a_turn_arrives_whole(to, send, left_out):
    losses: list[adapters.Loss] = []
    written = to(TURN, on_loss=losses.append)
    body = send(written)
    sent = [part.data for call in TURN for part in call.result.parts or () if part.data not in left_out]
    assert sorted(clients.payloads(body)) == sorted(sent)
    assert [clients.occurrences(data, body) for data in sent] == [1] * len(sent)
    assert {loss.part.data for loss in losses if loss.fallback == "text"} == left_out
    text = json.dumps(body, ensure_ascii=False)
    for said in (
        "It is sunny. \u00fc\U0001f600",
        "two pages",
        "no such row",
        "listen",
    ):
        assert said in text
    for n in range(1, 7):
        assert f"call_{n}" in text or f"call0000{n}" in text
    assert "s3cret" not in text


def test_a_turn_arrives_whole_at_ollama_but_for_ids():
    losses: list[adapters.Loss] = []
    written = adapters.to_ollama(TURN, on_loss=losses.append)
    body = clients.send_ollama(written)
    pictures = [part.data for call in TURN for part in call.result.parts or () if part.type == "image"]
    assert clients.payloads(body) == pictures
    assert [clients.occurrences(data, body) for data in pictures] == [1] * len(pictures)
    assert {loss.part.data for loss in losses} == {WAV, PDF}
    known = [{key: value for key, value in message.items() if key != "tool_call_id"} for message in written]
    assert body["messages"][-len(written) :] == known
    assert [message["tool_name"] for message in known] == [call.name for call in TURN]
    assert [message["tool_call_id"] for message in written] == [call.call_id for call in TURN]


@pytest.mark.parametrize(
    ("to", "send", "conversation"),
    [
        pytest.param(adapters.to_anthropic, clients.send_anthropic, "messages", id="anthropic"),
        pytest.param(adapters.to_openai_chat, clients.send_openai_chat, "messages", id="openai_chat"),
        pytest.param(adapters.to_openai_responses, clients.send_openai_responses, "input", id="openai_responses"),
        pytest.param(adapters.to_bedrock, clients.send_bedrock, "messages", id="bedrock"),
        pytest.param(nine, clients.send_mistral, "messages", id="mistral"),
        pytest.param(partial(nine, media="inline"), clients.send_mistral, "messages", id="mistral-inline"),
        pytest.param(adapters.to_cohere, clients.send_cohere, "messages", id="cohere"),
        pytest.param(partial(adapters.to_cohere, media="user"), clients.send_cohere, "messages", id="cohere-user"),
        pytest.param(
            adapters.to_gemini_interactions, clients.send_gemini_interactions, "input", id="gemini_interactions"
        ),
    ],
)
def test_what_arrives_is_what_was_written_after_the_calls(to, send, conversation):
    written = to(TURN)
    body = send(written)
    assert body[conversation][-len(written) :] == strict.encoded(written)
