"""What is handed to the vendors' clients arrives: nothing lost, nothing added, and bytes encoded once."""

from __future__ import annotations

import base64
import http.client
import json
from urllib.parse import urlsplit

import pytest
from tests.adapters import clients, strict

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PDF = b"%PDF-1.7\n" + bytes(range(255, -1, -1))
WAV = b"RIFF\x24\x00\x00\x00WAVE" + bytes(range(128))


def b64(data):
    return base64.b64encode(data).decode()


def data_url(type, data):
    return f"data:{type};base64,{b64(data)}"


def anthropic_turn():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)}}
    pdf = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)}}
    text = {
        "type": "document",
        "title": "a.csv",
        "source": {"type": "text", "media_type": "text/plain", "data": "abcd"},
    }
    results = [
        {"type": "tool_result", "tool_use_id": "1", "content": "é 😀\n"},
        {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "text", "text": "a"}, image, text]},
        {"type": "tool_result", "tool_use_id": "3", "content": "no", "is_error": True},
    ]
    return [{"role": "user", "content": [*results, {"type": "text", "text": "Of call 3:"}, pdf]}]


def chat_turn():
    parts = [
        {"type": "text", "text": "Of call 2:"},
        {"type": "image_url", "image_url": {"url": data_url("image/png", PNG)}},
        {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": data_url("application/pdf", PDF)}},
    ]
    return [
        {"role": "tool", "tool_call_id": "1", "content": "é 😀\n"},
        {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "see below"}]},
        {"role": "user", "content": parts},
    ]


def responses_turn():
    image = {"type": "input_image", "image_url": data_url("image/png", PNG), "detail": "auto"}
    pdf = {"type": "input_file", "filename": "a.pdf", "file_data": data_url("application/pdf", PDF)}
    return [
        {"type": "function_call_output", "call_id": "1", "output": "é 😀\n"},
        {"type": "function_call_output", "call_id": "2", "output": [{"type": "input_text", "text": "a"}, image]},
        {"role": "user", "content": [{"type": "input_text", "text": "Of call 2:"}, pdf]},
    ]


def mistral_turn():
    image = {"type": "image_url", "image_url": data_url("image/png", PNG)}
    follows = [{"type": "text", "text": "Of call 2:"}, {"type": "image_url", "image_url": data_url("image/jpeg", PDF)}]
    return [
        {"role": "tool", "tool_call_id": "1" * 9, "content": "é 😀\n", "name": "f"},
        {"role": "tool", "tool_call_id": "2" * 9, "content": [{"type": "text", "text": "a"}, image]},
        {"role": "assistant", "content": "I look."},
        {"role": "user", "content": follows},
    ]


def cohere_turn():
    documents = [{"type": "document", "document": {"data": {"a": [1, None, {"b": "c"}]}, "id": f"2:{n}"}} for n in "01"]
    follows = [
        {"type": "text", "text": "Of call 2:"},
        {"type": "image_url", "image_url": {"url": data_url("image/png", PNG)}},
        {"type": "image_url", "image_url": {"url": data_url("image/jpeg", PDF)}},
    ]
    return [
        {"role": "tool", "tool_call_id": "1", "content": "é 😀\n"},
        {"role": "tool", "tool_call_id": "2", "content": documents},
        {"role": "user", "content": follows},
    ]


def ollama_turn():
    return [
        {"role": "tool", "content": "é 😀\n", "tool_name": "f", "tool_call_id": "1"},
        {"role": "tool", "content": "a", "tool_name": "f", "tool_call_id": "2", "images": [b64(PNG)]},
        {"role": "user", "content": "Of call 2:", "images": [b64(PDF)]},
    ]


def bedrock_turn():
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}
    pdf = {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}
    results = [
        {"toolUseId": "1", "content": [{"text": "é 😀\n"}]},
        {"toolUseId": "2", "content": [{"json": {"source": {"bytes": "abcd"}}}, image]},
        {"toolUseId": "3", "content": [{"text": "no"}], "status": "error"},
    ]
    return [{"role": "user", "content": [*({"toolResult": r} for r in results), {"text": "Of call 3:"}, pdf]}]


def gemini_turn():
    image = {"inlineData": {"mimeType": "image/png", "data": b64(PNG)}}
    answers = [
        {"id": "1", "name": "f", "response": {"output": "é 😀\n"}},
        {"id": "2", "name": "g", "response": {"output": {"data": "abcd", "format": "x"}}, "parts": [image]},
        {"name": "h", "response": {"error": "no"}},
    ]
    pdf = {"inlineData": {"mimeType": "application/pdf", "data": b64(PDF)}}
    return [
        {"role": "user", "parts": [{"functionResponse": answer} for answer in answers]},
        {"role": "user", "parts": [{"text": "Of call 3:"}, pdf]},
    ]


def interactions_turn():
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "image", "mime_type": "image/png", "data": b64(PNG)},
        {"type": "audio", "mime_type": "audio/wav", "data": b64(WAV)},
    ]
    pdf = {"type": "document", "mime_type": "application/pdf", "data": b64(PDF)}
    return [
        {"type": "function_result", "call_id": "1", "result": "é 😀\n"},
        {"type": "function_result", "call_id": "2", "result": blocks},
        {"type": "function_result", "call_id": "3", "result": "no", "is_error": True, "name": "h"},
        {"type": "user_input", "content": [pdf]},
    ]


def test_the_client_of_anthropic_sends_the_results_after_their_calls():
    body = clients.send_anthropic(anthropic_turn())
    calls = [{"type": "tool_use", "id": id, "name": "tool", "input": {}} for id in "123"]
    turn = [{"role": "user", "content": clients.QUESTION}, {"role": "assistant", "content": calls}]
    assert body == {"model": clients.MODEL, "max_tokens": 1, "messages": turn + anthropic_turn()}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_openai_sends_chat_messages_after_their_calls():
    body = clients.send_openai_chat(chat_turn())
    calls = [{"id": id, "type": "function", "function": {"name": "tool", "arguments": "{}"}} for id in "12"]
    turn = [
        {"role": "user", "content": clients.QUESTION},
        {"role": "assistant", "content": None, "tool_calls": calls},
    ]
    assert body == {"model": clients.MODEL, "messages": turn + chat_turn()}
    assert clients.payloads(body) == [PNG, WAV, PDF]


def test_the_client_of_openai_sends_items_of_a_response_after_their_calls():
    body = clients.send_openai_responses(responses_turn())
    calls = [{"type": "function_call", "call_id": id, "name": "tool", "arguments": "{}"} for id in "12"]
    question = {"role": "user", "content": clients.QUESTION}
    assert body == {"model": clients.MODEL, "input": [question, *calls, *responses_turn()]}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_mistral_sends_messages_after_their_calls():
    body = clients.send_mistral(mistral_turn())
    call = {"type": "function", "index": 0, "function": {"name": "tool", "arguments": "{}"}}
    calls = [{"id": n * 9, **call} for n in "12"]
    turn = [
        {"role": "user", "content": clients.QUESTION},
        {"role": "assistant", "tool_calls": calls, "prefix": False},
    ]
    first, second, says, follows = mistral_turn()
    messages = [*turn, first, second, {**says, "prefix": False}, follows]
    assert {key: body[key] for key in ("model", "messages")} == {"model": clients.MODEL, "messages": messages}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_cohere_sends_messages_after_their_calls():
    body = clients.send_cohere(cohere_turn())
    call = {"type": "function", "function": {"name": "tool", "arguments": "{}"}}
    turn = [
        {"role": "user", "content": clients.QUESTION},
        {"role": "assistant", "tool_calls": [{"id": n, **call} for n in "12"]},
    ]
    assert body == {"model": clients.MODEL, "messages": turn + cohere_turn(), "stream": False}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_ollama_sends_messages_after_their_calls_without_ids():
    body = clients.send_ollama(ollama_turn())
    call = {"function": {"name": "tool", "arguments": {"n": 1}}}
    turn = [{"role": "user", "content": clients.QUESTION}, {"role": "assistant", "tool_calls": [call, call]}]
    messages = [{key: item for key, item in message.items() if key != "tool_call_id"} for message in ollama_turn()]
    assert {key: body[key] for key in ("model", "messages")} == {"model": clients.MODEL, "messages": turn + messages}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_bedrock_encodes_bytes_once():
    body = clients.send_bedrock(bedrock_turn())
    calls = [{"toolUse": {"toolUseId": id, "name": "tool", "input": {}}} for id in "123"]
    turn = [{"role": "user", "content": [{"text": clients.QUESTION}]}, {"role": "assistant", "content": calls}]
    tool = {"toolSpec": {"name": "tool", "inputSchema": {"json": {"type": "object"}}}}
    assert body == {"messages": turn + strict.encoded(bedrock_turn()), "toolConfig": {"tools": [tool]}}
    assert body["messages"][2]["content"][1]["toolResult"]["content"][1]["image"]["source"]["bytes"] == b64(PNG)
    assert clients.payloads(body) == [PNG, PDF]


# discourse/discourse#39880, NousResearch/hermes-agent#33317: text for bytes is encoded like any other
def test_the_client_of_bedrock_encodes_base64_once_more():
    image = {"image": {"format": "png", "source": {"bytes": b64(PNG)}}}
    result = {"toolResult": {"toolUseId": "1", "content": [image]}}
    body = clients.send_bedrock([{"role": "user", "content": [result]}])
    assert clients.payloads(body) == [b64(PNG).encode()]
    assert clients.occurrences(PNG, body) == 0


def test_the_client_of_google_sends_contents_after_their_calls_in_its_own_spelling():
    body = clients.send_gemini(gemini_turn())
    calls = [{"id": "1", "name": "f", "args": {}}, {"id": "2", "name": "g", "args": {}}, {"name": "h", "args": {}}]
    answers, after = gemini_turn()
    png, pdf = (base64.urlsafe_b64encode(data).decode() for data in (PNG, PDF))
    answers["parts"][1]["functionResponse"]["parts"] = [{"inline_data": {"mime_type": "image/png", "data": png}}]
    after["parts"][1]["inlineData"] = {"mime_type": "application/pdf", "data": pdf}
    turn = [
        {"role": "user", "parts": [{"text": clients.QUESTION}]},
        {"role": "model", "parts": [{"functionCall": call} for call in calls]},
    ]
    assert body == {"contents": [*turn, answers, after]}
    assert clients.payloads(body) == [PNG, PDF]


def test_the_client_of_google_sends_steps_of_an_interaction_after_their_calls():
    body = clients.send_gemini_interactions(interactions_turn())
    calls = [{"type": "function_call", "id": id, "name": "tool", "arguments": {}} for id in "123"]
    question = {"type": "user_input", "content": [{"type": "text", "text": clients.QUESTION}]}
    assert body == {"model": clients.MODEL, "input": [question, *calls, *interactions_turn()]}
    assert clients.payloads(body) == [PNG, WAV, PDF]


SENT = {
    clients.send_anthropic: anthropic_turn,
    clients.send_openai_chat: chat_turn,
    clients.send_openai_responses: responses_turn,
    clients.send_bedrock: bedrock_turn,
    clients.send_mistral: mistral_turn,
    clients.send_cohere: cohere_turn,
    clients.send_ollama: ollama_turn,
    clients.send_gemini: gemini_turn,
    clients.send_gemini_interactions: interactions_turn,
}


@pytest.mark.parametrize(("send", "turn"), SENT.items(), ids=[send.__name__ for send in SENT])
def test_a_payload_arrives_once_whatever_proxy_the_environment_names(send, turn, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    body = send(turn())
    assert [clients.occurrences(data, body) for data in (PNG, PDF)] == [1, 1]


def test_a_number_that_is_not_json_is_refused_on_arrival():
    answer = {"functionResponse": {"name": "f", "response": {"output": float("nan")}}}
    with pytest.raises(AssertionError, match="NaN"):
        clients.send_gemini([{"role": "user", "parts": [answer]}])


def test_the_server_refuses_another_path_and_keeps_no_body_of_it():
    with clients._server("/a", {"b": 1}) as (url, bodies):
        statuses = []
        for path in ("/a", "/c"):
            connection = http.client.HTTPConnection(urlsplit(url).netloc)
            connection.request("POST", path, body=b'{"d": 2}')
            statuses.append(connection.getresponse().status)
            connection.close()
    assert (statuses, bodies) == ([200, 404], [b'{"d": 2}'])


@pytest.mark.parametrize("bodies", [[], [b"{}", b"{}"]], ids=["none", "two"])
def test_anything_but_one_request_is_refused(bodies):
    with pytest.raises(AssertionError):
        clients._body(bodies)


@pytest.mark.parametrize(
    "body",
    [
        data_url("image/png", PNG),
        [{"a": [data_url("image/png", PNG)]}],
        {"type": "base64", "media_type": "image/png", "data": b64(PNG)},
        {"mimeType": "image/png", "data": b64(PNG)},
        {"mime_type": "image/png", "data": base64.urlsafe_b64encode(PNG).decode()},
        {"format": "wav", "data": b64(PNG)},
        {"image": {"format": "png", "source": {"bytes": b64(PNG)}}},
        [{"role": "tool", "content": "a", "images": [b64(PNG)]}],
    ],
    ids=["data url", "nested", "anthropic", "camelCase", "URL-safe", "audio", "bedrock", "ollama"],
)
def test_payloads_are_found_and_decoded_in_any_position(body):
    assert clients.payloads(body) == [PNG]


@pytest.mark.parametrize(
    "body",
    [
        "a text",
        b64(PNG),
        {"data": "no type beside it"},
        {"type": "text", "media_type": "text/plain", "data": "abcd"},
        {"response": {"mime_type": "image/png", "data": "abcd"}},
        {"json": {"source": {"bytes": "abcd"}}},
        {"source": {"s3Location": {"uri": "s3://bucket/key"}}},
        {"bytes": "abcd"},
        {"mime_type": "image/png", "data": None},
        {"images": ["AAAA"]},
    ],
    ids=[
        *("text", "bare base64", "data without a type", "text document", "response", "json", "S3", "no source"),
        *("null", "images of a tool"),
    ],
)
def test_what_is_no_media_is_no_payload(body):
    assert clients.payloads(body) == []


@pytest.mark.parametrize(
    "body",
    [
        {"mime_type": "image/png", "data": "!!!"},
        {"mime_type": "image/png", "data": b64(PNG)[:-1]},
        {"mime_type": "image/png", "data": "é"},
        {"source": {"bytes": "!!!"}},
        "data:image/png;base64,data:image/png;base64,AA==",
        {"role": "tool", "images": ["AAAA", "!!!"]},
    ],
    ids=["no base64", "cut", "no ASCII", "no base64 of bedrock", "encoded twice", "images"],
)
def test_a_payload_that_does_not_decode_is_refused(body):
    with pytest.raises(AssertionError):
        clients.payloads(body)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ({"a": "nothing"}, 0),
        ({"a": b64(PNG), "b": [data_url("image/png", PNG)]}, 2),
        ({"a": base64.urlsafe_b64encode(PNG).decode()}, 1),
        ({"a": json.dumps({"b": b64(PNG)})}, 1),
        ({"a": f"shown as text: {b64(PNG)}"}, 1),
        ({b64(PNG): "a key"}, 1),
        ({"a": b64(PNG).rstrip("=")}, 1),
        ({"a": b64(b64(PNG).encode())}, 0),
        ({"a": b64(PNG)[:-4]}, 0),
        ({"a": b64(PNG + PNG)}, 0),
    ],
    ids=["none", "two", "URL-safe", "in JSON", "in text", "key", "no padding", "encoded twice", "cut", "longer"],
)
def test_occurrences_counts_the_base64_of_some_bytes_anywhere(body, count):
    assert clients.occurrences(PNG, body) == count


def test_occurrences_of_no_bytes_cannot_be_counted():
    with pytest.raises(AssertionError):
        clients.occurrences(b"", {})
