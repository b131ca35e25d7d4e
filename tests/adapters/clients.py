"""The vendors' real clients send a conversation to a server of this machine, which keeps what arrives."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import anthropic
import boto3
import cohere
import httpx
import ollama
import openai
from botocore.config import Config
from google import genai
from google.genai.types import HttpOptions
from mistralai.client import Mistral

Json = dict[str, Any]

KEY = "no-key"
MODEL = "no-model"
QUESTION = "Call the tools."

ANTHROPIC_ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
CHAT_ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 0,
    "model": MODEL,
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}],
}
RESPONSES_ANSWER = {
    "id": "resp_1",
    "object": "response",
    "created_at": 0,
    "status": "completed",
    "model": MODEL,
    "output": [],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}
GEMINI_ANSWER = {"candidates": [{"content": {"role": "model", "parts": [{"text": "ok"}]}, "finishReason": "STOP"}]}
MISTRAL_ANSWER = {**CHAT_ANSWER, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
COHERE_ANSWER = {
    "id": "1",
    "finish_reason": "COMPLETE",
    "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]},
}
OLLAMA_ANSWER = {"model": MODEL, "message": {"role": "assistant", "content": "ok"}, "done": True}
INTERACTION_ANSWER = {
    "id": "int_1",
    "object": "interaction",
    "status": "completed",
    "created": "2026-01-01T00:00:00Z",
    "updated": "2026-01-01T00:00:00Z",
    "model": MODEL,
    "steps": [],
}

BEDROCK_ANSWER = {
    "output": {"message": {"role": "assistant", "content": [{"text": "ok"}]}},
    "stopReason": "end_turn",
    "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
    "metrics": {"latencyMs": 1},
}


def send_anthropic(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer."""
    ids = _ids(block.get("tool_use_id") for message in messages for block in message["content"])
    calls = [{"type": "tool_use", "id": id, "name": "tool", "input": {}} for id in ids]
    turn = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": calls}]
    with (
        _server("/v1/messages", ANTHROPIC_ANSWER) as (url, bodies),
        anthropic.DefaultHttpxClient(trust_env=False) as http,
        anthropic.Anthropic(api_key=KEY, base_url=url, max_retries=0, http_client=http) as client,
    ):
        client.messages.create(model=MODEL, max_tokens=1, messages=[*turn, *messages])
    return _body(bodies)


def send_openai_chat(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer."""
    ids = _ids(message.get("tool_call_id") for message in messages)
    calls = [{"id": id, "type": "function", "function": {"name": "tool", "arguments": "{}"}} for id in ids]
    turn = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": None, "tool_calls": calls}]
    with _server("/v1/chat/completions", CHAT_ANSWER) as (url, bodies), _openai_client(url) as client:
        client.chat.completions.create(model=MODEL, messages=[*turn, *messages])
    return _body(bodies)


def send_openai_responses(items: list[Json]) -> Json:
    """Return the body in which the client sends the items, after a question and the calls they answer."""
    ids = _ids(item.get("call_id") for item in items)
    calls = [{"type": "function_call", "call_id": id, "name": "tool", "arguments": "{}"} for id in ids]
    with _server("/v1/responses", RESPONSES_ANSWER) as (url, bodies), _openai_client(url) as client:
        client.responses.create(model=MODEL, input=[{"role": "user", "content": QUESTION}, *calls, *items])
    return _body(bodies)


def send_gemini(contents: list[Json]) -> Json:
    """Return the body in which the client sends the contents, after a question and the calls they answer.

    The client spells bytes in the URL-safe alphabet, and keys inside a function response in snake_case.
    """
    answers = [part["functionResponse"] for part in contents[0]["parts"]]
    calls = [
        {"functionCall": {key: answer[key] for key in ("id", "name") if key in answer} | {"args": {}}}
        for answer in answers
    ]
    turn = [{"role": "user", "parts": [{"text": QUESTION}]}, {"role": "model", "parts": calls}]
    with (
        _server(f"/v1/models/{MODEL}:generateContent", GEMINI_ANSWER) as (url, bodies),
        _gemini_client(url) as client,
    ):
        client.models.generate_content(model=MODEL, contents=[*turn, *contents])
    return _body(bodies)


def send_gemini_interactions(items: list[Json]) -> Json:
    """Return the body in which the client sends the items, after a question and the calls they answer."""
    ids = _ids(item.get("call_id") for item in items)
    calls = [{"type": "function_call", "id": id, "name": "tool", "arguments": {}} for id in ids]
    question = {"type": "user_input", "content": [{"type": "text", "text": QUESTION}]}
    with _server("/v1/interactions", INTERACTION_ANSWER) as (url, bodies), _gemini_client(url) as client:
        client.interactions.create(model=MODEL, input=[question, *calls, *items])
    return _body(bodies)


def send_mistral(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer."""
    ids = _ids(message.get("tool_call_id") for message in messages)
    with (
        _server("/v1/chat/completions", MISTRAL_ANSWER) as (url, bodies),
        httpx.Client(trust_env=False) as http,
        Mistral(api_key=KEY, server_url=url, client=http) as client,
    ):
        client.chat.complete(model=MODEL, messages=[*_question_and_calls(ids), *messages])
    return _body(bodies)


def send_cohere(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer."""
    ids = _ids(message.get("tool_call_id") for message in messages)
    with (
        _server("/v2/chat", COHERE_ANSWER) as (url, bodies),
        httpx.Client(trust_env=False) as http,
        cohere.ClientV2(api_key=KEY, base_url=url, max_retries=0, httpx_client=http) as client,
    ):
        client.chat(model=MODEL, messages=[*_question_and_calls(ids), *messages])
    return _body(bodies)


def send_ollama(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer.

    The client does not know the ids of calls, and leaves them out.
    """
    calls = [{"function": {"name": "tool", "arguments": {"n": 1}}} for message in messages if message["role"] == "tool"]
    turn = [{"role": "user", "content": QUESTION}, {"role": "assistant", "tool_calls": calls}]
    with _server("/api/chat", OLLAMA_ANSWER) as (url, bodies), ollama.Client(host=url, trust_env=False) as client:
        client.chat(model=MODEL, messages=[*turn, *messages])
    return _body(bodies)


def send_bedrock(messages: list[Json]) -> Json:
    """Return the body in which the client sends the messages, after a question and the calls they answer."""
    ids = _ids(block.get("toolResult", {}).get("toolUseId") for message in messages for block in message["content"])
    calls = [{"toolUse": {"toolUseId": id, "name": "tool", "input": {}}} for id in ids]
    turn = [{"role": "user", "content": [{"text": QUESTION}]}, {"role": "assistant", "content": calls}]
    tool = {"toolSpec": {"name": "tool", "inputSchema": {"json": {"type": "object"}}}}
    with _server(f"/model/{MODEL}/converse", BEDROCK_ANSWER) as (url, bodies):
        client = boto3.client(
            "bedrock-runtime",
            region_name="us-east-1",
            endpoint_url=url,
            aws_access_key_id=KEY,
            aws_secret_access_key=KEY,
            config=Config(proxies={}, retries={"total_max_attempts": 1}),
        )
        client.converse(modelId=MODEL, messages=[*turn, *messages], toolConfig={"tools": [tool]})
        client.close()
    return _body(bodies)


def payloads(body: Any) -> list[bytes]:
    """Return the bytes of every data URL, of every `data` beside its type, and of every `bytes` of a source, in order.

    Also of the `images` of a message of Ollama.
    The `response` of a function and `json` are the tool's own, and not looked into.
    """
    return [*_payloads(body)]


def occurrences(data: bytes, body: Any) -> int:
    """Return how often the base64 of the data, in either alphabet, stands anywhere in the body."""
    encoded = base64.b64encode(data).decode().rstrip("=")
    assert encoded, "no data is everywhere"
    pattern = re.compile(rf"(?<![A-Za-z0-9+/]){re.escape(encoded)}(?![A-Za-z0-9+/])")
    return len(pattern.findall(json.dumps(body, ensure_ascii=False).translate(str.maketrans("-_", "+/"))))


def _payloads(value: Any) -> Iterator[bytes]:
    if isinstance(value, str):
        head, comma, encoded = value.partition(";base64,")
        if head.startswith("data:") and comma:
            yield _decoded(encoded)
    elif isinstance(value, list):
        for item in value:
            yield from _payloads(item)
    elif isinstance(value, dict):
        typed = {"mime_type", "mimeType", "media_type", "format"} & {*value} and value.get("type") != "text"
        for key, item in value.items():
            if key == "data" and typed and isinstance(item, str):
                yield _decoded(item)
            elif key == "images" and "role" in value:
                yield from map(_decoded, item)
            elif key == "source" and isinstance(item, dict) and isinstance(item.get("bytes"), str):
                yield _decoded(item["bytes"])
            elif key not in {"response", "json"}:
                yield from _payloads(item)


def _decoded(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded.translate(str.maketrans("-_", "+/")), validate=True)
    except ValueError as error:
        raise AssertionError(f"{error}: {encoded[:60]!r}") from error


def _ids(found: Iterator[str | None]) -> list[str]:
    return [*dict.fromkeys(id for id in found if id is not None)]


def _question_and_calls(ids: list[str]) -> list[Json]:
    calls = [{"id": id, "type": "function", "function": {"name": "tool", "arguments": "{}"}} for id in ids]
    return [{"role": "user", "content": QUESTION}, {"role": "assistant", "tool_calls": calls}]


def _openai_client(url: str) -> openai.OpenAI:
    http = openai.DefaultHttpxClient(trust_env=False)
    return openai.OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0, http_client=http)


def _gemini_client(url: str) -> genai.Client:
    untrusting = {"trust_env": False}
    options = HttpOptions(base_url=url, client_args=untrusting, async_client_args=untrusting)
    return genai.Client(api_key=KEY, vertexai=False, http_options=options)


def _body(bodies: list[bytes]) -> Json:
    assert len(bodies) == 1, f"{len(bodies)} requests"
    return json.loads(bodies[0], parse_constant=_refuse)


def _refuse(token: str) -> None:
    raise AssertionError(f"{token} is not JSON")


@contextmanager
def _server(path: str, answer: Json) -> Iterator[tuple[str, list[bytes]]]:
    """Give the address of a server that answers every request for the path, and the bodies that it has received."""
    bodies: list[bytes] = []
    text = json.dumps(answer).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != path:
                self.send_error(404, self.path)
                return
            bodies.append(body)
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join()
