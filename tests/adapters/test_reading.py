"""Foreign and hostile messages are read whole, or refused with an error that names the place."""

from __future__ import annotations

import base64
import copy
from collections.abc import Mapping

import pytest
from anthropic.types import Message
from google.genai.interactions import FunctionResultStep
from google.genai.types import Content, Part
from hypothesis import given
from hypothesis import strategies as st
from mistralai.client.models import AssistantMessage
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseFunctionToolCall
from openrouter.components import ChatUserMessage
from tests.adapters import seeing

from toolresult import ContentPart, DecodeError, LossError, ToolResult
from toolresult.adapters import (
    CallResult,
    Loss,
    from_anthropic,
    from_bedrock,
    from_gemini,
    from_gemini_interactions,
    from_mistral,
    from_openai_chat,
    from_openai_responses,
    to_anthropic,
    to_bedrock,
    to_gemini,
    to_gemini_interactions,
    to_openai_chat,
    to_openai_responses,
)

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"
PDF = b"%PDF-1.7\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt "
MP4 = b"\x00\x00\x00\x18ftypmp42" + bytes(12)
ABSENT = object()


def b64(data):
    return base64.b64encode(data).decode()


def data_url(data, mime_type="image/png"):
    return f"data:{mime_type};base64,{b64(data)}"


def changed(value, path, new):
    """Return a copy in which another value stands at a path, or none."""
    value = copy.deepcopy(value)
    *way, last = path
    inner = value
    for key in way:
        inner = inner[key]
    if new is ABSENT:
        del inner[last]
    else:
        inner[last] = new
    return value


def written(path):
    root, *rest = path
    return f"items[{root}]" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in rest)


def anthropic(*blocks, call_id="c1", **fields):
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call_id, "content": [*blocks], **fields}],
    }


def chat(*blocks, call_id="c1", **fields):
    return {"role": "tool", "tool_call_id": call_id, "content": [*blocks], **fields}


def responses(*blocks, call_id="c1", **fields):
    return {"type": "function_call_output", "call_id": call_id, "output": [*blocks], **fields}


def gemini(*blocks, call_id="c1", **fields):
    response = {"name": "f", "id": call_id, "response": {"output": "a"}, "parts": [*blocks], **fields}
    return {"role": "user", "parts": [{"functionResponse": response}]}


def interactions(*blocks, call_id="c1", **fields):
    return {"type": "function_result", "call_id": call_id, "name": "f", "result": [*blocks], **fields}


def bedrock(*blocks, call_id="c1", **fields):
    return {"role": "user", "content": [{"toolResult": {"toolUseId": call_id, "content": [*blocks], **fields}}]}


HOLDING = {
    from_anthropic: anthropic,
    from_bedrock: bedrock,
    from_openai_chat: chat,
    from_mistral: chat,
    from_openai_responses: responses,
    from_gemini: gemini,
    from_gemini_interactions: interactions,
}
IN_ANTHROPIC, IN_GEMINI = (0, "content", 0), (0, "parts", 0, "functionResponse")
IN_BEDROCK = (0, "content", 0, "toolResult")
CONTENT = {
    from_anthropic: (*IN_ANTHROPIC, "content"),
    from_bedrock: (*IN_BEDROCK, "content"),
    from_openai_chat: (0, "content"),
    from_mistral: (0, "content"),
    from_openai_responses: (0, "output"),
    from_gemini: (*IN_GEMINI, "parts"),
    from_gemini_interactions: (0, "result"),
}
CALL_ID = {
    from_anthropic: (*IN_ANTHROPIC, "tool_use_id"),
    from_bedrock: (*IN_BEDROCK, "toolUseId"),
    from_openai_chat: (0, "tool_call_id"),
    from_mistral: (0, "tool_call_id"),
    from_openai_responses: (0, "call_id"),
    from_gemini: (*IN_GEMINI, "id"),
    from_gemini_interactions: (0, "call_id"),
}
IMAGES = {
    from_anthropic: {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)}},
    from_bedrock: {"image": {"format": "png", "source": {"bytes": PNG}}},
    from_openai_chat: {"type": "image_url", "image_url": {"url": data_url(PNG)}},
    from_mistral: {"type": "image_url", "image_url": data_url(PNG)},
    from_openai_responses: {"type": "input_image", "image_url": data_url(PNG)},
    from_gemini: {"inlineData": {"mimeType": "image/png", "data": b64(PNG)}},
    from_gemini_interactions: {"type": "image", "mime_type": "image/png", "data": b64(PNG)},
}
IMAGE_DATA = {
    from_anthropic: ("source", "data"),
    from_bedrock: ("image", "source", "bytes"),
    from_openai_chat: ("image_url", "url"),
    from_mistral: ("image_url",),
    from_openai_responses: ("image_url",),
    from_gemini: ("inlineData", "data"),
    from_gemini_interactions: ("data",),
}
URL_IMAGES = {
    from_anthropic: lambda url: {"type": "image", "source": {"type": "url", "url": url}},
    from_bedrock: lambda url: {"image": {"format": "png", "source": {"s3Location": {"uri": url}}}},
    from_openai_chat: lambda url: {"type": "image_url", "image_url": {"url": url}},
    from_mistral: lambda url: {"type": "image_url", "image_url": url},
    from_openai_responses: lambda url: {"type": "input_image", "image_url": url},
    from_gemini: lambda url: {"fileData": {"fileUri": url, "mimeType": "image/png"}},
    from_gemini_interactions: lambda url: {"type": "image", "uri": url, "mime_type": "image/png"},
}
URLS = {
    from_anthropic: ("source", "url"),
    from_bedrock: ("image", "source", "s3Location", "uri"),
    from_openai_chat: ("image_url", "url"),
    from_mistral: ("image_url",),
    from_openai_responses: ("image_url",),
    from_gemini: ("fileData", "fileUri"),
    from_gemini_interactions: ("uri",),
}
LABELLED = {
    from_anthropic: lambda data, mime_type: {
        "type": "image",
        "source": {"type": "base64", "media_type": mime_type, "data": b64(data)},
    },
    from_bedrock: lambda data, mime_type: {
        "image": {"format": mime_type.partition("/")[2], "source": {"bytes": bytearray(data)}}
    },
    from_openai_chat: lambda data, mime_type: {"type": "image_url", "image_url": {"url": data_url(data, mime_type)}},
    from_mistral: lambda data, mime_type: {"type": "image_url", "image_url": data_url(data, mime_type)},
    from_openai_responses: lambda data, mime_type: {"type": "input_image", "image_url": data_url(data, mime_type)},
    from_gemini: lambda data, mime_type: {"inlineData": {"mimeType": mime_type, "data": b64(data)}},
    from_gemini_interactions: lambda data, mime_type: {"type": "image", "mime_type": mime_type, "data": b64(data)},
}
IN_URLS = (from_openai_chat, from_openai_responses, from_mistral)
TEXTS = {
    from_anthropic: {"type": "text", "text": "a"},
    from_mistral: {"type": "text", "text": "a"},
    from_openai_chat: {"type": "text", "text": "a"},
    from_openai_responses: {"type": "input_text", "text": "a"},
    from_gemini_interactions: {"type": "text", "text": "a"},
}
WRITE = {
    from_anthropic: to_anthropic,
    from_bedrock: to_bedrock,
    from_openai_chat: to_openai_chat,
    from_mistral: seeing.to_mistral,
    from_openai_responses: to_openai_responses,
    from_gemini: to_gemini,
    from_gemini_interactions: to_gemini_interactions,
}

all_adapters = pytest.mark.parametrize("read", [*HOLDING], ids=lambda read: read.__name__)
with_texts = pytest.mark.parametrize("read", [*TEXTS], ids=lambda read: read.__name__)


def refusal(read, items):
    with pytest.raises(DecodeError) as caught:
        read(items)
    return caught.value.path


def deep(levels):
    value = "leaf"
    for _ in range(levels):
        value = [value]
    return value


# Wrong types


@all_adapters
@pytest.mark.parametrize(
    "items", [None, 5, "abc", b"abc", {}, {"role": "user"}, object()], ids=lambda value: type(value).__name__
)
def test_items_are_a_list(read, items):
    assert refusal(read, items) == "items"


@all_adapters
@pytest.mark.parametrize("item", [None, 5, "abc", [], ToolResult()], ids=lambda value: type(value).__name__)
def test_an_item_is_a_mapping(read, item):
    if read is from_gemini and isinstance(item, str):  # a message of the user, as the client takes it
        assert read([item, HOLDING[read]()]) == read([HOLDING[read]()])
        return
    assert refusal(read, [HOLDING[read](), item]) == "items[1]"
    assert refusal(read, iter([item])) == "items[0]"


@all_adapters
@pytest.mark.parametrize("key", [1, None, b"role", ("role",)], ids=repr)
def test_keys_are_text(read, key):
    assert refusal(read, [{**HOLDING[read](), key: 1}]) == "items[0]"
    path = CONTENT[read]
    assert refusal(read, changed([HOLDING[read](5)], (*path, 0), {key: 1})) == written((*path, 0))


@all_adapters
@pytest.mark.parametrize("value", [5, True, b"c1", ["c1"], {}], ids=repr)
def test_the_id_of_a_call_is_text(read, value):
    assert refusal(read, changed([HOLDING[read]()], CALL_ID[read], value)) == written(CALL_ID[read])


@pytest.mark.parametrize("read", [read for read in CALL_ID if read is not from_gemini], ids=lambda read: read.__name__)
@pytest.mark.parametrize("value", [ABSENT, None], ids=["missing", "null"])
def test_the_id_of_a_call_is_required(read, value):
    assert refusal(read, changed([HOLDING[read]()], CALL_ID[read], value)) == written(CALL_ID[read])


@all_adapters
@pytest.mark.parametrize("value", [5, True, b"ab", {"a", "b"}, object()], ids=lambda value: type(value).__name__)
def test_the_content_is_a_list_of_blocks(read, value):
    assert refusal(read, changed([HOLDING[read]()], CONTENT[read], value)) == written(CONTENT[read])


@all_adapters
@pytest.mark.parametrize("value", [None, 5, "abc", [], b""], ids=repr)
def test_a_block_is_a_mapping(read, value):
    path = (*CONTENT[read], 1)
    assert refusal(read, changed([HOLDING[read](IMAGES[read], 0)], path, value)) == written(path)


@with_texts
@pytest.mark.parametrize(
    "value", [ABSENT, None, 5, b"a", ["a"], {}], ids=lambda value: "missing" if value is ABSENT else repr(value)
)
def test_the_text_of_a_block_is_text(read, value):
    path = (*CONTENT[read], 0, "text")
    assert refusal(read, changed([HOLDING[read](TEXTS[read])], path, value)) == written(path)


@pytest.mark.parametrize("read", [from_anthropic, from_gemini_interactions], ids=lambda read: read.__name__)
@pytest.mark.parametrize("value", ["false", "true", 0, 1, [], 1.0], ids=repr)
def test_a_flag_is_a_bool(read, value):
    path = (*CONTENT[read][:-1], "is_error")
    assert refusal(read, changed([HOLDING[read]()], path, value)) == written(path)


@pytest.mark.parametrize("read", [from_anthropic, from_gemini_interactions], ids=lambda read: read.__name__)
@pytest.mark.parametrize(("value", "is_error"), [(None, False), (False, False), (True, True)])
def test_a_flag_that_is_null_is_not_set(read, value, is_error):
    ((_, result, _),) = read([HOLDING[read](IMAGES[read], is_error=value)])
    assert result.is_error is is_error


@pytest.mark.parametrize(
    ("read", "path"),
    [
        (from_openai_chat, (0, "name")),
        (from_mistral, (0, "name")),
        (from_openai_responses, (0, "name")),
        (from_gemini, (*IN_GEMINI, "name")),
        (from_gemini_interactions, (0, "name")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("value", [5, b"f", ["f"]], ids=repr)
def test_the_name_of_a_tool_is_text(read, path, value):
    assert refusal(read, changed([HOLDING[read]()], path, value)) == written(path)


@pytest.mark.parametrize("value", [ABSENT, None], ids=["missing", "null"])
def test_gemini_names_the_tool(value):
    path = (*IN_GEMINI, "name")
    assert refusal(from_gemini, changed([gemini()], path, value)) == written(path)


@pytest.mark.parametrize(
    "value",
    ["a", [], [{"output": "a"}], 5],
    ids=repr,
)
def test_a_response_of_gemini_is_a_mapping(value):
    path = (*IN_GEMINI, "response")
    assert refusal(from_gemini, changed([gemini()], path, value)) == written(path)


@pytest.mark.parametrize("value", ["a", [], 5], ids=repr)
def test_a_function_response_of_gemini_is_a_mapping(value):
    assert (
        refusal(from_gemini, [{"parts": [{"text": "a"}, {"functionResponse": value}]}])
        == "items[0].parts[1].functionResponse"
    )


PLACES = [
    (from_bedrock, {"text": "a"}, ("text",)),
    (from_bedrock, IMAGES[from_bedrock], ("image",)),
    (from_bedrock, IMAGES[from_bedrock], ("image", "format")),
    (from_bedrock, IMAGES[from_bedrock], ("image", "source")),
    (from_bedrock, IMAGES[from_bedrock], ("image", "source", "bytes")),
    (from_bedrock, URL_IMAGES[from_bedrock]("s3://b/a"), ("image", "source", "s3Location")),
    (from_bedrock, URL_IMAGES[from_bedrock]("s3://b/a"), ("image", "source", "s3Location", "uri")),
    (from_bedrock, {"document": {"name": "a", "source": {"text": "a"}}}, ("document", "name")),
    (from_bedrock, {"document": {"name": "a", "source": {"text": "a"}}}, ("document", "source", "text")),
    (from_bedrock, {"video": {"format": "mp4", "source": {"bytes": b"a"}}}, ("video", "format")),
    (from_anthropic, IMAGES[from_anthropic], ("source",)),
    (from_anthropic, IMAGES[from_anthropic], ("source", "data")),
    (from_anthropic, IMAGES[from_anthropic], ("source", "media_type")),
    (from_anthropic, URL_IMAGES[from_anthropic]("https://h.test"), ("source", "url")),
    (from_anthropic, {"type": "image", "source": {"type": "file", "file_id": "a"}}, ("source", "file_id")),
    (from_anthropic, {"type": "document", "source": {"type": "text", "data": "a"}}, ("source", "data")),
    (from_anthropic, {"type": "document", "title": "a", "source": {"type": "text", "data": "a"}}, ("title",)),
    (from_openai_chat, IMAGES[from_openai_chat], ("image_url",)),
    (from_openai_chat, IMAGES[from_openai_chat], ("image_url", "url")),
    (from_openai_chat, {"type": "video_url", "video_url": {"url": "https://h.test"}}, ("video_url", "url")),
    (from_openai_chat, {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}, ("input_audio", "data")),
    (
        from_openai_chat,
        {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
        ("input_audio", "format"),
    ),
    (from_openai_chat, {"type": "file", "file": {"file_id": "a"}}, ("file",)),
    (from_openai_chat, {"type": "file", "file": {"file_id": "a"}}, ("file", "file_id")),
    (from_openai_chat, {"type": "file", "file": {"file_data": "", "filename": "a"}}, ("file", "file_data")),
    (from_openai_chat, {"type": "file", "file": {"file_data": "", "filename": "a"}}, ("file", "filename")),
    (from_mistral, IMAGES[from_mistral], ("image_url",)),
    (from_mistral, {"type": "image_url", "image_url": {"url": "https://h.test"}}, ("image_url", "url")),
    (from_mistral, {"type": "document_url", "document_url": "https://h.test"}, ("document_url",)),
    (
        from_mistral,
        {"type": "document_url", "document_url": "https://h.test", "document_name": "a"},
        ("document_name",),
    ),
    (from_mistral, {"type": "file", "file_id": "a"}, ("file_id",)),
    (from_mistral, {"type": "input_audio", "input_audio": ""}, ("input_audio",)),
    (from_openai_responses, IMAGES[from_openai_responses], ("image_url",)),
    (from_openai_responses, {"type": "input_image", "file_id": "a"}, ("file_id",)),
    (from_openai_responses, {"type": "input_file", "file_url": "https://h.test"}, ("file_url",)),
    (from_openai_responses, {"type": "input_file", "file_data": ""}, ("file_data",)),
    (from_openai_responses, {"type": "input_file", "file_data": "", "filename": "a"}, ("filename",)),
    (from_gemini, IMAGES[from_gemini], ("inlineData",)),
    (from_gemini, IMAGES[from_gemini], ("inlineData", "data")),
    (from_gemini, IMAGES[from_gemini], ("inlineData", "mimeType")),
    (
        from_gemini,
        {"inlineData": {**IMAGES[from_gemini]["inlineData"], "displayName": "a"}},
        ("inlineData", "displayName"),
    ),
    (from_gemini, URL_IMAGES[from_gemini]("https://h.test"), ("fileData",)),
    (from_gemini, URL_IMAGES[from_gemini]("https://h.test"), ("fileData", "fileUri")),
    (from_gemini, URL_IMAGES[from_gemini]("https://h.test"), ("fileData", "mimeType")),
    (from_gemini_interactions, IMAGES[from_gemini_interactions], ("data",)),
    (from_gemini_interactions, IMAGES[from_gemini_interactions], ("mime_type",)),
    (from_gemini_interactions, {**IMAGES[from_gemini_interactions], "name": "a"}, ("name",)),
    (from_gemini_interactions, URL_IMAGES[from_gemini_interactions]("https://h.test"), ("uri",)),
]


@pytest.mark.parametrize(("read", "block", "place"), PLACES, ids=[f"{p[0].__name__}-{'.'.join(p[2])}" for p in PLACES])
@pytest.mark.parametrize("value", [5, True, ["a"]], ids=repr)
def test_every_member_of_a_block_has_its_type(read, block, place, value):
    path = (*CONTENT[read], 0, *place)
    assert refusal(read, changed([HOLDING[read](block)], path, value)) == written(path)


@pytest.mark.parametrize(("read", "place"), IMAGE_DATA.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_block_of_media_without_media_is_refused(read, place):
    with pytest.raises(DecodeError) as caught:
        read(changed([HOLDING[read](IMAGES[read])], (*CONTENT[read], 0, *place), ABSENT))
    assert caught.value.path.startswith(written((*CONTENT[read], 0)))


# Types that are no types


@pytest.mark.parametrize(
    ("read", "place"),
    [
        (from_anthropic, ("source", "media_type")),
        (from_gemini, ("inlineData", "mimeType")),
        (from_gemini_interactions, ("mime_type",)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize(
    "value", ["png", "", "image/", "image/p ng", "\ud800/a", "a" * 10_000], ids=lambda value: ascii(value[:9])
)
def test_a_malformed_type_is_named_by_its_place(read, place, value):
    path = (*CONTENT[read], 0, *place)
    assert refusal(read, changed([HOLDING[read](IMAGES[read])], path, value)) == written(path)


@pytest.mark.parametrize("value", ["", " ", "p ng", "\ud800", "a" * 10_000], ids=lambda value: ascii(value[:9]))
@pytest.mark.parametrize("kind", ["image", "document", "video"])
def test_a_malformed_format_of_bedrock_is_named_by_its_place(kind, value):
    block = {kind: {"format": value, "name": "a", "source": {"bytes": PNG}}}
    assert refusal(from_bedrock, [bedrock(block)]) == f"items[0].content[0].toolResult.content[0].{kind}.format"


def test_a_malformed_format_of_audio_is_named_by_its_place():
    block = {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "w av"}}
    assert refusal(from_openai_chat, [chat(block)]) == "items[0].content[0].input_audio.format"


@all_adapters
@pytest.mark.parametrize("kind", [[], {}, 5, True, 1.5, b"text", ()], ids=repr)
def test_an_item_whose_type_is_no_text_is_passed_over(read, kind):
    assert read([{"type": kind, "role": kind, "content": "a", "parts": "a"}]) == []


@with_texts
@pytest.mark.parametrize(
    "kind",
    [ABSENT, None, [], {}, 5, "", " ", "image\n", "file_", "x" * 100_000, "\ud800"],
    ids=lambda kind: "missing" if kind is ABSENT else ascii(kind)[:12],
)
def test_a_block_whose_type_is_no_word_is_kept_as_unknown(read, kind):
    block = {"a": 1} if kind is ABSENT else {"type": kind, "a": 1}
    losses = []
    ((_, result, _),) = read([HOLDING[read](block)], on_loss=losses.append)
    (part,) = result.parts
    assert [(loss.call_id, loss.part, loss.fallback) for loss in losses] == [("c1", part, "raw")]
    assert part.raw["a"] == 1
    assert (part.text, part.data) == (None, None)


# Bytes and URLs


@all_adapters
@pytest.mark.parametrize("text", ["!!!", "iVBO=Rw", "iVBORw0KGgo==", "A", "é", "\ud800", "iVBO\0Rw0"], ids=ascii)
def test_base64_that_is_none_is_named_by_its_place(read, text):
    is_in_url = read in IN_URLS
    path = (*CONTENT[read], 0, *IMAGE_DATA[read])
    value = f"data:image/png;base64,{text}" if is_in_url else text
    assert refusal(read, changed([HOLDING[read](IMAGES[read])], path, value)) == written(path)


@all_adapters
@pytest.mark.parametrize(
    "text", ["iVBORw0KGgo", "iVBO\r\nRw0K\nGgo=", "iVBORw0KGgo="], ids=["no padding", "lines", "plain"]
)
def test_base64_is_read_in_any_dress(read, text):
    is_in_url = read in IN_URLS
    path = (*CONTENT[read], 0, *IMAGE_DATA[read])
    value = f"data:image/png;base64,{text}" if is_in_url else text
    ((_, result, _),) = read(changed([HOLDING[read](IMAGES[read])], path, value))
    assert result.parts[-1] == ContentPart("image", data=PNG, mime_type="image/png")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "a.png",
        "",
        "https://",
        "https://h.test/a b",
        "https://h.test/\0",
        "https://h.test/\ud800",
        "data:",
        "data:image/png",
        "data:image/png;base64,!!!",
        "DATA:image/png;base64,A",
        "data:image/png,%zz",
    ],
    ids=ascii,
)
@all_adapters
def test_a_url_that_is_none_is_named_by_its_place(read, url):
    path = (*CONTENT[read], 0, *URLS[read])
    assert refusal(read, [HOLDING[read](URL_IMAGES[read](url))]) == written(path)


@all_adapters
def test_a_url_of_the_web_is_kept_and_a_data_url_is_decoded(read):
    blocks = [URL_IMAGES[read](url) for url in ("https://h.test/a?b=1", data_url(JPEG, "image/jpeg"))]
    ((_, result, _),) = read([HOLDING[read](*blocks)])
    url, data = result.parts[-2:]
    assert (url.type, url.url) == ("image", "https://h.test/a?b=1")
    assert data == ContentPart("image", data=JPEG, mime_type="image/jpeg")


def test_chat_reads_audio_video_and_files():
    blocks = [
        {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}},
        {"type": "video_url", "video_url": {"url": data_url(MP4, "video/mp4")}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": data_url(PDF, "application/pdf")}},
        {"type": "file", "file": {"filename": "b.pdf", "file_data": b64(PDF)}},
        {"type": "file", "file": {"filename": "c.pdf", "file_data": "https://h.test/c.pdf"}},
        {"type": "file", "file": {"file_id": "file-1"}},
    ]
    ((_, result, _),) = from_openai_chat([chat(*blocks)])
    assert result.parts == (
        ContentPart("audio", data=WAV, mime_type="audio/wav"),
        ContentPart("video", data=MP4, mime_type="video/mp4"),
        ContentPart("file", data=PDF, mime_type="application/pdf", name="a.pdf"),
        ContentPart("file", data=PDF, mime_type="application/pdf", name="b.pdf"),
        ContentPart("file", url="https://h.test/c.pdf", name="c.pdf"),
        ContentPart("file", file_id="file-1", metadata={"provider": "openai"}),
    )


def test_mistral_reads_what_it_does_not_write():
    blocks = [
        {"type": "image_url", "image_url": {"url": data_url(PNG), "detail": "low"}},
        {"type": "document_url", "document_url": "https://h.test/a.pdf", "document_name": "a.pdf"},
        {"type": "document_url", "document_url": data_url(PDF, "application/pdf")},
        {"type": "file", "file_id": "file-1"},
        {"type": "input_audio", "input_audio": b64(WAV)},
        {"type": "input_audio", "input_audio": data_url(WAV, "audio/wav")},
        {"type": "input_audio", "input_audio": "https://h.test/a.wav"},
    ]
    ((_, result, _),) = from_mistral([chat(*blocks)], on_loss="raise")
    assert result.parts == (
        ContentPart("image", data=PNG, mime_type="image/png"),
        ContentPart("file", url="https://h.test/a.pdf", name="a.pdf"),
        ContentPart("file", data=PDF, mime_type="application/pdf"),
        ContentPart("file", file_id="file-1", metadata={"provider": "mistral"}),
        ContentPart("audio", data=WAV, mime_type="audio/wav"),
        ContentPart("audio", data=WAV, mime_type="audio/wav"),
        ContentPart("audio", url="https://h.test/a.wav"),
    )


def test_anthropic_reads_every_source():
    blocks = [
        {
            "type": "document",
            "title": "a.txt",
            "source": {"type": "text", "media_type": "text/plain", "data": "é\ud800"},
        },
        {"type": "document", "source": {"type": "url", "url": "https://h.test/a.pdf"}},
        {"type": "document", "title": "b", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "image", "source": {"type": "file", "file_id": "file_2"}},
    ]
    ((_, result, _),) = from_anthropic([anthropic(*blocks)])
    assert result.parts == (
        ContentPart("file", data="é\ufffd".encode(), mime_type="text/plain", name="a.txt"),
        ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf"),
        ContentPart("file", file_id="file_1", name="b", metadata={"provider": "anthropic"}),
        ContentPart("image", file_id="file_2", metadata={"provider": "anthropic"}),
    )


def test_bedrock_reads_every_source():
    s3 = {"s3Location": {"uri": "s3://bucket/a", "bucketOwner": "123456789012"}}
    blocks = [
        {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}},
        {"document": {"format": "pdf", "name": "b", "source": {"bytes": b64(PDF)}}},
        {"document": {"format": "csv", "name": "c", "source": {"text": "é\ud800"}}},
        {"document": {"name": "d", "source": {"content": [{"text": "e"}, {"text": "f"}]}}},
        {"document": {"format": "docx", "name": "g", "source": s3, "citations": {"enabled": True}}},
        {"document": {"name": "h", "source": {"bytes": PDF}}},
        {"document": {"format": "hwp", "name": "i", "source": {"bytes": b"\0"}}},
        {"video": {"format": "MKV", "source": s3}},
        {"video": {"format": "mpg", "source": s3}},
        {"video": {"format": "three_gp", "source": {"bytes": b"a"}}},
        {"image": {"format": "webp", "source": s3, "error": {"message": "a"}}},
        {"json": {"a": [1]}},
    ]
    ((_, result, _),) = from_bedrock([bedrock(*blocks)])
    docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert result.parts == (
        ContentPart("file", data=PDF, mime_type="application/pdf", name="a"),
        ContentPart("file", data=PDF, mime_type="application/pdf", name="b"),
        ContentPart("file", data="é\ufffd".encode(), mime_type="text/csv", name="c"),
        ContentPart("file", data=b"e\n\nf", mime_type="text/plain", name="d"),
        ContentPart("file", url="s3://bucket/a", mime_type=docx, name="g"),
        ContentPart("file", data=PDF, mime_type="application/pdf", name="h"),
        ContentPart("file", data=b"\0", mime_type="application/hwp", name="i"),
        ContentPart("video", url="s3://bucket/a", mime_type="video/matroska"),
        ContentPart("video", url="s3://bucket/a", mime_type="video/mpeg"),
        ContentPart("video", data=b"a", mime_type="video/3gpp"),
        ContentPart("image", url="s3://bucket/a", mime_type="image/webp"),
        ContentPart.json({"a": [1]}),
    )


@pytest.mark.parametrize("source", [{"content": 5}, {"content": [5]}, {"content": [{"text": 5}]}], ids=repr)
def test_the_content_of_a_document_is_a_list_of_texts(source):
    place = "" if source["content"] == 5 else "[0]" if source["content"] == [5] else "[0].text"
    path = f"items[0].content[0].toolResult.content[0].document.source.content{place}"
    assert refusal(from_bedrock, [bedrock({"document": {"name": "a", "source": source}})]) == path


@pytest.mark.parametrize("uri", ["gs://bucket/a.png", "https://generativelanguage.googleapis.com/v1beta/files/a"])
@pytest.mark.parametrize("read", [from_gemini, from_gemini_interactions], ids=lambda read: read.__name__)
def test_a_uri_of_google_is_the_id_of_a_file(read, uri):
    ((_, result, _),) = read([HOLDING[read](URL_IMAGES[read](uri))])
    owner = {"provider": "gemini"}
    assert result.parts[-1] == ContentPart("image", file_id=uri, mime_type="image/png", metadata=owner)


# What is not known, and what is labelled wrong


UNKNOWN = {
    from_anthropic: [
        {"type": "search_result", "source": "https://h.test", "title": "a", "content": [{"type": "text", "text": "b"}]},
        {"type": "tool_reference", "tool_name": "a"},
        {"type": "document", "source": {"type": "content", "content": "a"}},
        {"type": "tool_result", "tool_use_id": "c2", "content": "a"},
    ],
    from_bedrock: [
        {"searchResult": {"source": "https://h.test", "title": "a", "content": [{"text": "b"}]}},
        {"audio": {"format": "wav", "source": {"bytes": WAV}}},
        {"image": {"format": "png", "source": {"url": "https://h.test"}}},
        {"text": None},
    ],
    from_openai_chat: [{"type": "refusal", "refusal": "a"}, {"type": "document", "document": {"data": {"a": 1}}}],
    from_mistral: [
        {"type": "reference", "reference_ids": [1]},
        {"type": "thinking", "thinking": [{"type": "text", "text": "a"}]},
        {"type": "resource_link", "uri": "a"},
    ],
    from_openai_responses: [{"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}],
    from_gemini: [{"text": "a"}, {"executableCode": {"code": "a"}}],
    from_gemini_interactions: [{"type": "function", "name": "a"}],
}


@pytest.mark.parametrize(
    ("read", "block"),
    [(read, block) for read, blocks in UNKNOWN.items() for block in blocks],
    ids=lambda value: value.get("type") if isinstance(value, dict) else value.__name__,
)
def test_a_block_of_an_unknown_kind_is_kept_and_reported(read, block):
    losses = []
    ((_, result, _),) = read([HOLDING[read](block)], on_loss=losses.append)
    part = result.parts[-1]
    assert part.raw == block
    assert losses == [Loss("c1", part, "is of a kind that is not known", "raw")]
    with pytest.raises(LossError):
        read([HOLDING[read](block)], on_loss="raise")


@all_adapters
def test_a_block_that_is_nested_too_deep_is_named_by_its_place(read):
    assert refusal(read, [HOLDING[read]({"type": "hologram", "inner": deep(200)})]) == written((*CONTENT[read], 0))
    ((_, result, _),) = read([HOLDING[read]({"type": "hologram", "inner": deep(50)})])
    assert result.parts[-1].raw["inner"] == deep(50)


@all_adapters
def test_an_empty_block_is_named_by_its_place(read):
    assert refusal(read, [HOLDING[read](IMAGES[read], {})]) == written((*CONTENT[read], 1))


@pytest.mark.parametrize("levels", [200, 100_000])
def test_data_that_is_nested_too_deep_is_named_by_its_place(levels):
    path = (*IN_GEMINI, "response", "output")
    assert refusal(from_gemini, changed([gemini()], path, deep(levels))) == written(path)
    assert (
        refusal(from_gemini_interactions, [changed(interactions(), ("result",), {"a": deep(levels)})])
        == "items[0].result"
    )
    block = (*IN_BEDROCK, "content", 0)
    assert refusal(from_bedrock, [bedrock({"json": deep(levels)})]) == written((*block, "json"))


# In a result the data stands below two levels of facts
def test_data_that_is_nested_too_deep_for_a_result_is_named_by_its_place():
    for levels in (99, 100):
        item = changed(gemini(), ("parts", 0, "functionResponse", "parts"), ABSENT)
        item["parts"][0]["functionResponse"]["response"] = {"output": deep(levels)}
        assert refusal(from_gemini, [item]) == "items[0].parts[0].functionResponse"
        assert refusal(from_gemini_interactions, [interactions(result={"a": deep(levels - 1)})]) == "items[0]"


@all_adapters
def test_a_picture_of_another_type_is_corrected_and_reported(read):
    losses = []
    ((_, result, _),) = read([HOLDING[read](LABELLED[read](JPEG, "image/png"))], on_loss=losses.append)
    part = ContentPart("image", data=JPEG, mime_type="image/jpeg")
    assert result.parts[-1] == part
    assert losses == [Loss("c1", part, "labelled image/png, but its bytes are image/jpeg", "relabelled")]
    with pytest.raises(LossError):
        read([HOLDING[read](LABELLED[read](JPEG, "image/png"))], on_loss="raise")


@all_adapters
@pytest.mark.parametrize(
    ("data", "part"),
    [
        (PDF, ContentPart("file", data=PDF, mime_type="application/pdf")),
        (WAV, ContentPart("audio", data=WAV, mime_type="audio/wav")),
        (MP4, ContentPart("video", data=MP4, mime_type="video/mp4")),
    ],
    ids=["PDF", "audio", "video"],
)
def test_what_is_no_picture_becomes_a_part_of_its_own_kind(read, data, part):
    losses = []
    ((_, result, _),) = read([HOLDING[read](LABELLED[read](data, "image/png"))], on_loss=losses.append)
    assert result.parts[-1] == part
    assert losses == [Loss("c1", part, f"labelled image/png, but its bytes are {part.mime_type}", "relabelled")]


@all_adapters
def test_another_name_of_a_type_is_no_wrong_label(read):
    ((_, result, _),) = read([HOLDING[read](LABELLED[read](JPEG, "IMAGE/JPG"))], on_loss="raise")
    assert result.parts[-1] == ContentPart("image", data=JPEG, mime_type="image/jpeg")


@all_adapters
@pytest.mark.parametrize("option", ["explode", 5, []], ids=repr)
def test_on_loss_is_checked_before_anything_is_read(read, option):
    with pytest.raises(TypeError, match=r"^on_loss: "):
        read([], on_loss=option)


@all_adapters
def test_nothing_is_told_of_a_turn_that_is_refused(read):
    losses = []
    with pytest.raises(DecodeError):
        read([HOLDING[read](LABELLED[read](JPEG, "image/png")), 5], on_loss=losses.append)
    assert losses == []


# Conversations


CONVERSATIONS = {
    from_anthropic: [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
        {"role": "user", "content": [*anthropic(TEXTS[from_anthropic])["content"], {"type": "text", "text": "go on"}]},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": [IMAGES[from_anthropic], {"type": "text", "text": "what is this?"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c2", "name": "f", "input": {}}]},
        anthropic(TEXTS[from_anthropic], IMAGES[from_anthropic], call_id="c2"),
    ],
    from_bedrock: [
        {"role": "user", "content": [{"text": "hi"}, IMAGES[from_bedrock]]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}]},
        {"role": "user", "content": [*bedrock({"text": "a"})["content"], {"cachePoint": {"type": "default"}}]},
        {
            "role": "assistant",
            "content": [*bedrock({"text": "of the server"}, call_id="c0")["content"], {"text": "ok"}],
        },
        {"role": "user", "content": [IMAGES[from_bedrock], {"text": "what is this?"}, {"toolResult": None}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c2", "name": "f", "input": {}}}]},
        bedrock({"text": "a"}, IMAGES[from_bedrock], call_id="c2"),
    ],
    from_openai_chat: [
        {"role": "system", "content": "be nice"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function"}]},
        chat(TEXTS[from_openai_chat]),
        {"role": "user", "content": [IMAGES[from_openai_chat], TEXTS[from_openai_chat]]},
        {"role": "assistant", "content": "ok"},
        chat(TEXTS[from_openai_chat], IMAGES[from_openai_chat], call_id="c2"),
    ],
    from_mistral: [
        {"role": "system", "content": "be nice"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]},
        chat(TEXTS[from_mistral]),
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": [IMAGES[from_mistral], TEXTS[from_mistral]]},
        chat(TEXTS[from_mistral], IMAGES[from_mistral], call_id="c2"),
    ],
    from_openai_responses: [
        {"role": "user", "content": "hi"},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        responses(TEXTS[from_openai_responses]),
        {"role": "user", "content": [IMAGES[from_openai_responses], TEXTS[from_openai_responses]]},
        {"type": "custom_tool_call", "call_id": "c2", "name": "f", "input": ""},
        {
            **responses(TEXTS[from_openai_responses], IMAGES[from_openai_responses], call_id="c2"),
            "type": "custom_tool_call_output",
        },
    ],
    from_gemini: [
        {"role": "user", "parts": [{"text": "hi"}, IMAGES[from_gemini]]},
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
        gemini(),
        {"role": "model", "parts": [{"text": "ok"}]},
        {"role": "model"},
        gemini(IMAGES[from_gemini], call_id="c2"),
    ],
    from_gemini_interactions: [
        {"type": "user_input", "content": [TEXTS[from_gemini_interactions], IMAGES[from_gemini_interactions]]},
        {"type": "user_input", "content": "hi"},
        {"type": "function_call", "id": "c1", "name": "f", "arguments": {}},
        interactions(TEXTS[from_gemini_interactions]),
        {"type": "model_output", "content": [{"type": "text", "text": "ok"}]},
        interactions(TEXTS[from_gemini_interactions], IMAGES[from_gemini_interactions], call_id="c2"),
    ],
}


@all_adapters
def test_a_conversation_is_read_in_order_and_what_is_no_result_is_passed_over(read):
    name = "f" if read in (from_gemini, from_gemini_interactions) else None
    image = ContentPart("image", data=PNG, mime_type="image/png")
    second = ToolResult("a", parts=[ContentPart("text", text="a"), image])
    expected = [CallResult("c1", ToolResult("a"), name), CallResult("c2", second, name)]
    assert read(CONVERSATIONS[read], on_loss="raise") == expected
    assert read(iter(CONVERSATIONS[read])) == expected


@all_adapters
def test_nothing_is_read_from_nothing(read):
    assert read([]) == []
    assert read([{}]) == []


@all_adapters
def test_what_is_read_is_not_changed(read):
    items = [*CONVERSATIONS[read], HOLDING[read]({"type": "hologram", "a": [1]}, call_id="c3")]
    kept = copy.deepcopy(items)
    read(items)
    assert items == kept


@all_adapters
def test_a_call_has_one_result(read):
    items = [HOLDING[read](), HOLDING[read](call_id="c2"), HOLDING[read]()]
    assert refusal(read, items) == written((2, *CALL_ID[read][1:]))


def test_results_of_gemini_without_id_are_read_each():
    first, second = gemini(), gemini()
    del first["parts"][0]["functionResponse"]["id"]
    second["parts"][0]["functionResponse"]["id"] = None
    assert from_gemini([first, second]) == [CallResult("", ToolResult("a"), "f")] * 2


@all_adapters
def test_media_that_follow_come_back_where_they_were(read):
    audio = ContentPart("audio", data=WAV, mime_type="audio/wav")
    image = ContentPart("image", data=PNG, mime_type="image/png")
    texts = [ContentPart("text", text=text) for text in ("a", "b", "c")]
    first = ToolResult.from_parts([texts[0], image, texts[1], image, texts[2]])
    second = ToolResult.from_parts([texts[0], image])
    options = {} if read is from_anthropic else {"media": "user"}
    calls = [CallResult("c1", first, "f"), CallResult("c2", second, "f")]
    found = read(WRITE[read](calls, **options))
    assert [call.result for call in found] == [first, second]
    if read in (from_openai_chat, from_gemini, from_gemini_interactions):
        heard = ToolResult.from_parts([texts[0], audio])
        assert read(WRITE[read]([CallResult("c1", heard, "f")], **options))[0].result == heard


@pytest.mark.parametrize(
    "text",
    ["[from tool call c1", "[from tool call c9] image", "[from tool call ] image", "from tool call c1] image"],
    ids=repr,
)
def test_a_picture_of_the_user_belongs_to_no_call(text):
    follows = {"role": "user", "content": [{"type": "text", "text": text}, IMAGES[from_openai_chat]]}
    ((_, result, _),) = from_openai_chat([chat(TEXTS[from_openai_chat]), follows])
    assert result == ToolResult("a")


@pytest.mark.parametrize("content", ["hi", "", None, 5, {"a": 1}, []], ids=repr)
@pytest.mark.parametrize(
    "read",
    [from_openai_chat, from_mistral, from_openai_responses, from_anthropic, from_bedrock],
    ids=lambda read: read.__name__,
)
def test_a_message_of_the_user_without_results_is_passed_over(read, content):
    assert read([{"role": "user", "content": content}]) == []


def test_media_whose_pointer_is_gone_come_last():
    introduction = {"type": "text", "text": "[from tool call c1] image (image/png, 8 bytes)"}
    follows = {"role": "user", "content": [introduction, IMAGES[from_openai_chat]]}
    ((_, result, _),) = from_openai_chat([chat(TEXTS[from_openai_chat]), follows])
    image = ContentPart("image", data=PNG, mime_type="image/png")
    assert result == ToolResult("a", parts=[ContentPart("text", text="a"), image])


# Markers and placeholders


@pytest.mark.parametrize("read", [*IN_URLS, from_bedrock], ids=lambda read: read.__name__)
@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("[tool error] no", ToolResult("no", True)),
        ("[tool error] [tool error] no", ToolResult("[tool error] no", True)),
        ("[tool error]", ToolResult("", True)),
        ("[tool error] ", ToolResult("", True)),
        ("[tool error]no", ToolResult("[tool error]no")),
        ("[Tool error] no", ToolResult("[Tool error] no")),
        (" [tool error] no", ToolResult(" [tool error] no")),
        ("no [tool error] ", ToolResult("no [tool error] ")),
        ("", ToolResult("")),
    ],
    ids=repr,
)
def test_exactly_the_marker_makes_an_error(read, text, result):
    item = HOLDING[read]()
    if read is from_bedrock:
        item = bedrock({"text": text})
    else:
        item[CONTENT[read][-1]] = text
    assert read([item]) == [CallResult("c1", result)]


@pytest.mark.parametrize("read", [from_anthropic, from_gemini_interactions], ids=lambda read: read.__name__)
def test_the_marker_is_text_where_there_is_a_flag(read):
    block = {"type": "text", "text": "[tool error] no"}
    ((_, result, _),) = read([HOLDING[read](block)])
    assert result == ToolResult("[tool error] no")


@pytest.mark.parametrize(
    ("status", "result"),
    [
        ("success", ToolResult("[tool error] no")),
        ("error", ToolResult("[tool error] no", True)),
        (None, ToolResult("no", True)),
    ],
)
def test_the_marker_is_text_where_a_result_of_bedrock_has_a_status(status, result):
    others = [bedrock({"text": "a"}, call_id="c0", status="error"), bedrock({"text": "[tool error] b"}, call_id="c2")]
    first, middle = others[0], bedrock({"text": "[tool error] no"}, status=status)
    assert [call.result for call in from_bedrock([first, middle, others[1]])] == [
        ToolResult("a", True),
        result,
        ToolResult("b", True),
    ]


@pytest.mark.parametrize("status", ["", "ok", "Error", 5, True, ["error"]], ids=repr)
def test_a_status_of_bedrock_is_one_of_two(status):
    assert refusal(from_bedrock, [bedrock(status=status)]) == written((*IN_BEDROCK, "status"))


@pytest.mark.parametrize("value", [5, True, "a", ["a"]], ids=repr)
def test_a_result_of_bedrock_is_a_mapping(value):
    items = [{"role": "user", "content": [{"text": "a"}, {"toolResult": value}]}]
    assert refusal(from_bedrock, items) == "items[0].content[1].toolResult"


def test_a_result_of_bedrock_may_have_no_content_or_a_text():
    for content, result in ((None, ToolResult()), ([], ToolResult()), ("a", ToolResult("a"))):
        assert from_bedrock([changed(bedrock(), ("content", 0, "toolResult", "content"), content)]) == [
            CallResult("c1", result)
        ]
    assert from_bedrock([changed(bedrock(), ("content", 0, "toolResult", "content"), ABSENT)])[0].result == ToolResult()


def test_the_text_beside_a_document_is_ours_where_there_is_a_document():
    attached = {"text": "[done] The result is attached."}
    ((_, result, _),) = from_bedrock([bedrock(attached, IMAGES[from_bedrock])])
    assert result == ToolResult.from_parts([ContentPart("image", data=PNG, mime_type="image/png")])
    ((_, result, _),) = from_bedrock([bedrock(attached)])
    assert result == ToolResult("[done] The result is attached.")


def test_an_object_of_bedrock_is_data_again():
    for result in (ToolResult.json({"a": [1, None]}), ToolResult.of({"a": float("nan")})):
        ((_, found, _),) = from_bedrock(to_bedrock([("c1", result)]))
        assert (found.output, found.is_error) == (result.output, False)
    assert found.value == {"a": None}


# Gemini in all its spellings


@pytest.mark.parametrize(
    ("response", "result"),
    [
        ({"output": "a"}, ToolResult("a")),
        ({"result": "a"}, ToolResult("a")),
        ({"error": "a"}, ToolResult("a", True)),
        ({"error": None, "output": "a"}, ToolResult("a")),
        ({"result": {"b": 1}}, ToolResult.json({"b": 1})),
        ({"output": [1, 2]}, ToolResult.json([1, 2])),
        ({"output": 5}, ToolResult.json(5)),
        ({"output": False}, ToolResult.json(False)),
        ({"b": 1, "error": "a"}, ToolResult.error('{"b":1,"error":"a"}', value={"b": 1, "error": "a"})),
        ({"output": "a", "more": 1}, ToolResult.json({"output": "a", "more": 1})),
        ({"error": []}, ToolResult.json({"error": []})),
        ({"error": None, "code": 5}, ToolResult.json({"error": None, "code": 5})),
        ({"error": "b", "code": 5}, ToolResult.error('{"error":"b","code":5}', value={"error": "b", "code": 5})),
        ({"error": {"code": 5}}, ToolResult.error('{"code":5}', value={"code": 5})),
        ({}, ToolResult()),
    ],
    ids=repr,
)
def test_a_response_is_read_by_its_key(response, result):
    item = gemini(response=response)
    del item["parts"][0]["functionResponse"]["parts"]
    ((call_id, found, name),) = from_gemini([item])
    assert (call_id, name) == ("c1", "f")
    assert (found.output, found.is_error, found.value) == (result.output, result.is_error, result.value)


def test_a_partial_output_beside_an_error_is_kept():
    ((_, result, _),) = from_gemini([gemini(response={"output": "half", "error": "cut"})])
    assert (result.output, result.is_error) == ("half\n\ncut", True)


def gemini_turn():
    parts = [
        ContentPart(kind, data=data, mime_type=mime_type)
        for kind, data, mime_type in (("image", PNG, "image/png"), ("audio", WAV, "audio/wav"))
    ]
    return to_gemini(
        [
            CallResult("c1", ToolResult.ok("seen", parts=parts), "f"),
            CallResult("c2", ToolResult.error("no"), "g"),
        ]
    )


@pytest.mark.parametrize(
    "options",
    [
        {"exclude_none": True},
        {"exclude_none": True, "mode": "json"},
        {"exclude_none": True, "by_alias": True, "mode": "json"},
        {"exclude_unset": True},
        {},
        {"mode": "json"},
        {"by_alias": True},
    ],
    ids=str,
)
def test_contents_that_the_client_dumps_read_the_same(options):
    contents = gemini_turn()
    dumped = [Content.model_validate(content).model_dump(**options) for content in contents]
    assert from_gemini(dumped) == from_gemini(contents)


def test_names_of_types_that_are_googles_own_are_no_wrong_labels():
    calls = [
        CallResult(
            "c1", ToolResult.ok("a", parts=[ContentPart("audio", data=b"ID3" + bytes(9), mime_type="audio/mpeg")]), "f"
        )
    ]
    for read, write in ((from_gemini, to_gemini), (from_gemini_interactions, to_gemini_interactions)):
        assert read(write(calls), on_loss="raise")[0].result.parts[1] == calls[0].result.parts[0]


@pytest.mark.parametrize(
    "value", [object(), {1: {2: object()}}, {"a": {"b": {1, object()}}}], ids=["object", "deep", "set"]
)
def test_a_value_that_has_no_json_form_is_named_by_its_place(value):
    assert refusal(from_gemini, [gemini(response={"output": value})]) == written((*IN_GEMINI, "response", "output"))


# Anything at all


WORDS = st.sampled_from(
    [
        *("type", "role", "content", "parts", "output", "result", "text", "tool_result", "tool", "user", "input_text"),
        *("function_call_output", "function_result", "user_input", "functionResponse", "function_response", "response"),
        *(
            "name",
            "id",
            "call_id",
            "tool_call_id",
            "tool_use_id",
            "is_error",
            "image",
            "image_url",
            "url",
            "source",
            "data",
        ),
        *(
            "base64",
            "media_type",
            "mime_type",
            "mimeType",
            "inlineData",
            "fileData",
            "fileUri",
            "file",
            "file_id",
            "uri",
        ),
        *(
            "toolResult",
            "toolUseId",
            "status",
            "json",
            "video",
            "bytes",
            "s3Location",
            "s3://bucket/a",
            "success",
            "pdf",
        ),
        *("document_url", "document_name", "images", "tool_name"),
        *("file_data", "input_image", "input_file", "input_audio", "format", "document", "title", "error", "image/png"),
        *(
            "data:image/png;base64,iVBORw0KGgo=",
            "https://h.test",
            "[from tool call c1] a",
            "[tool error] ",
            "\ud800",
            "c1",
        ),
    ]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=3) | st.text(max_size=3) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.integers(), inner, max_size=4),
    max_leaves=20,
)


@all_adapters
@given(
    blocks=st.lists(ANYTHING, max_size=3),
    items=st.lists(ANYTHING, max_size=3),
    fields=st.dictionaries(WORDS, ANYTHING, max_size=2),
)
def test_anything_is_read_or_refused_by_name(read, blocks, items, fields):
    for candidate in (
        items,
        [{**HOLDING[read](*blocks), **fields}],
        [HOLDING[read](*blocks, **fields)],
        [HOLDING[read]({**IMAGES[read], **fields})],
    ):
        paths = []
        try:
            found = read(candidate)
        except DecodeError as error:
            found = []
            paths.append(error.path)
        assert [path for path in paths if not path.startswith("items")] == []
        assert [type(call.result) for call in found] == [ToolResult] * len(found)


@all_adapters
def test_long_texts_and_ids_are_read(read):
    text = "\ud800\0a" * 1_000_000
    item = HOLDING[read](call_id=text)
    if read is from_gemini:
        item["parts"][0]["functionResponse"]["response"] = {"output": text}
    elif read is from_anthropic:
        item["content"][0]["content"] = text
    elif read is from_bedrock:
        item["content"][0]["toolResult"]["content"] = [{"text": text}]
    else:
        item[CONTENT[read][-1]] = text
    ((call_id, result, _),) = read([item])
    assert (call_id, result.output) == (text, text)


@pytest.mark.parametrize("stranger", ["hi", None, 3, ["hi"], b"hi"], ids=repr)
@pytest.mark.parametrize(
    ("read", "key", "own"),
    [
        (from_anthropic, "content", {"role": "user"}),
        (from_bedrock, "content", {"role": "user"}),
        (from_openai_chat, "content", {"role": "user"}),
        (from_mistral, "content", {"role": "user"}),
        (from_openai_responses, "content", {"role": "user"}),
        (from_gemini, "parts", {"role": "user"}),
        (from_gemini_interactions, "content", {"type": "user_input"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_others_put_into_messages_of_theirs_is_passed_over(read, key, own, stranger):
    assert read([{**own, key: stranger}, {**own, key: [stranger, {"type": "text", "text": "hi"}]}]) == []
    holding = HOLDING[read]()
    if key in holding and read not in (from_openai_chat, from_mistral):
        holding = {**holding, key: [stranger, *holding[key]]}
    assert [found.call_id for found in read([holding])] == ["c1"]


# Objects of the SDKs among the messages


def test_what_the_clients_return_stands_in_a_conversation():
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    replied = ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]})
    assert from_openai_chat([replied, chat(TEXTS[from_openai_chat])]) == [CallResult("c1", ToolResult("a"))]

    said = AssistantMessage.model_validate(
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]}
    )
    assert from_mistral([said, chat(TEXTS[from_mistral])]) == [CallResult("c1", ToolResult("a"))]

    called = ResponseFunctionToolCall(type="function_call", call_id="c1", name="f", arguments="{}")
    item = responses(TEXTS[from_openai_responses])
    assert from_openai_responses([called, item]) == [CallResult("c1", ToolResult("a"))]

    used = Message.model_validate(
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )
    for reply in (used, {"role": "assistant", "content": used.content}):
        assert from_anthropic([reply, anthropic(TEXTS[from_anthropic])]) == [CallResult("c1", ToolResult("a"))]

    asked = Content.model_validate({"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]})
    told = Content.model_validate(gemini(IMAGES[from_gemini]))
    assert from_gemini([asked, told]) == from_gemini([gemini(IMAGES[from_gemini])])


class Broken:
    def model_dump(self, **_):
        raise RuntimeError("s3cret")


class BrokenMapping(Mapping):
    def __getitem__(self, key):
        raise RuntimeError("s3cret")

    def __iter__(self):
        return iter("a")

    def __len__(self):
        return 1


class BrokenList(list):
    def __iter__(self):
        raise RuntimeError("s3cret")


@all_adapters
@pytest.mark.parametrize("stranger", [Broken(), BrokenMapping()], ids=["model", "mapping"])
def test_an_object_that_cannot_be_read_is_named_by_its_place(read, stranger):
    assert refusal(read, [HOLDING[read](), stranger]) == "items[1]"
    with pytest.raises(DecodeError, match=r"^items\[1\]: cannot be read: RuntimeError$"):
        read([HOLDING[read](), stranger])


def test_a_list_that_cannot_be_read_is_named_by_its_place():
    assert refusal(from_openai_chat, [{**chat(), "content": BrokenList(["a"])}]) == "items[0].content"


def test_one_message_of_an_sdk_is_no_list_of_them():
    with pytest.raises(DecodeError, match=r"^items: must be a list of mappings, got Content; "):
        from_gemini(Content.model_validate(gemini()))


class Agreeable:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


@all_adapters
def test_a_role_or_type_that_equals_everything_is_none(read):
    assert read([{"role": Agreeable(), "type": Agreeable(), "content": [{"type": Agreeable()}]}]) == []


# Ids of later turns


SPOKEN = {
    from_anthropic: {"role": "assistant", "content": "ok"},
    from_bedrock: {"role": "assistant", "content": [{"text": "ok"}]},
    from_openai_chat: {"role": "assistant", "content": "ok"},
    from_mistral: {"role": "assistant", "content": "ok"},
    from_openai_responses: {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    from_gemini: {"role": "model", "parts": [{"text": "ok"}]},
    from_gemini_interactions: {"type": "model_output", "content": []},
}


@all_adapters
def test_an_id_may_come_again_when_the_model_has_spoken(read):
    items = [HOLDING[read](IMAGES[read]), SPOKEN[read], HOLDING[read](IMAGES[read])]
    first, second = read(items)
    assert first == second
    assert refusal(read, [*items, HOLDING[read]()]) == written((3, *CALL_ID[read][1:]))


@all_adapters
def test_media_that_follow_belong_to_the_turn_before_them(read):
    image = ContentPart("image", data=PNG, mime_type="image/png")
    other = ContentPart("image", data=PNG + b"2", mime_type="image/png")
    options = {} if read is from_anthropic else {"media": "user"}
    turns = [[CallResult("c1", ToolResult("", True, parts=[part]), "f")] for part in (image, other)]
    first, second = (WRITE[read](turn, **options) for turn in turns)
    found = read([*first, SPOKEN[read], *second])
    assert [[part.data for part in call.result.content if part.data] for call in found] == [[PNG], [PNG + b"2"]]


def test_what_the_model_shows_belongs_to_no_call():
    shown = {
        "role": "model",
        "parts": [{"text": "[from tool call c1] image (image/png, 8 bytes)"}, IMAGES[from_gemini]],
    }
    ((_, result, _),) = from_gemini([gemini(), shown])
    assert result == ToolResult("a")


# Pointers


@pytest.mark.parametrize(
    "text",
    [
        "[image (image/png, 9 bytes) follows after the tool results]",
        "[image (image/png, 8 bytes) follows]",
        "see [image (image/png, 8 bytes) follows after the tool results]",
        "[x follows after the tool results]",
    ],
)
def test_only_a_pointer_that_names_the_part_is_one(text):
    introduction = {"type": "text", "text": "[from tool call c1] image (image/png, 8 bytes)"}
    follows = {"role": "user", "content": [introduction, IMAGES[from_openai_chat]]}
    ((_, result, _),) = from_openai_chat([{**chat(), "content": text}, follows])
    assert [part.text for part in result.content] == [text, None]


@pytest.mark.parametrize("text", ["a\n", "a\n\n", "a\r\n", "\na\n\n\n", "a\n\nb\n"], ids=repr)
def test_line_ends_around_a_pointer_stay_with_the_text(text):
    images = [ContentPart("image", data=PNG + bytes([n]), mime_type="image/png") for n in range(2)]
    named = ContentPart("image", data=PNG, mime_type="image/png", name="a.png")
    said = ContentPart("text", text=text)
    result = ToolResult.from_parts([said, images[0], said, named, images[1], said])
    ((_, found, _),) = from_openai_chat(to_openai_chat([("c1", result)]))
    assert [part.text or part.data for part in found.content] == [part.text or part.data for part in result.content]


def test_equal_pointers_are_answered_in_order():
    images = [ContentPart("image", data=PNG + bytes([n]), mime_type="image/png") for n in range(3)]
    result = ToolResult.from_parts([images[0], ContentPart("text", text="a"), images[1], images[2]])
    assert from_openai_chat(to_openai_chat([("c1", result)]))[0].result == result


# Sentences of ours


@all_adapters
def test_the_sentence_for_an_error_without_text_is_not_read_back(read):
    image = ContentPart("image", data=PNG, mime_type="image/png")
    assert read(WRITE[read]([CallResult("c1", ToolResult("", True), "f")]))[0].result == ToolResult("", True)
    ((_, found, _),) = read(WRITE[read]([CallResult("c1", ToolResult("", True, parts=[image]), "f")]))
    assert (found.is_error, found.content) == (True, (image,))


def test_a_text_that_says_that_media_are_attached_stays_where_none_are():
    said = {"output": "[done] The result is attached."}
    item = gemini()
    item["parts"][0]["functionResponse"]["response"] = said
    del item["parts"][0]["functionResponse"]["parts"]
    assert from_gemini([item])[0].result == ToolResult(said["output"])


@pytest.mark.parametrize("nothing", [None, "", False, 0, {}, []], ids=repr)
def test_an_error_of_gemini_without_details_is_none(nothing):
    item = gemini()
    item["parts"][0]["functionResponse"]["response"] = {"output": "a", "error": nothing}
    assert from_gemini([item])[0].result == ToolResult("a")


@pytest.mark.parametrize("said", [{}, {"response": None}], ids=["missing", "null"])
def test_a_response_of_gemini_may_hold_nothing(said):
    item = {"role": "user", "parts": [{"functionResponse": {"name": "f", **said}}]}
    assert from_gemini([item])[0].result == ToolResult()


def test_the_place_of_an_error_is_written_as_the_message_writes_it():
    item = {"parts": [{"function_response": {"name": "f", "response": {}, "parts": [{"inline_data": {"data": "%"}}]}}]}
    assert refusal(from_gemini, [item]) == "items[0].parts[0].function_response.parts[0].inline_data.data"
    file_data = {"file_uri": "gs://b/a", "mime_type": "?"}
    item["parts"][0]["function_response"]["parts"] = [{"file_data": file_data}]
    assert refusal(from_gemini, [item]).startswith("items[0].parts[0].function_response.parts[0].file_data.")


@pytest.mark.parametrize(
    "uri",
    [
        "https://h.test/googleapis.com/a.png",
        "https://generativelanguage.googleapis.com.h.test/a.png",
        "https://storage.googleapis.com/bucket/a.png",
        "http://generativelanguage.googleapis.com/v1beta/files/a",
    ],
)
@pytest.mark.parametrize("read", [from_gemini, from_gemini_interactions], ids=lambda read: read.__name__)
def test_a_url_that_only_mentions_google_is_a_url(read, uri):
    ((_, result, _),) = read([HOLDING[read](URL_IMAGES[read](uri))])
    assert result.parts[-1] == ContentPart("image", url=uri, mime_type="image/png")


# White space around pointers


@all_adapters
@pytest.mark.parametrize("before", ["exit 0\n", "exit 0\n\n", "a\n\n\n", "a\n\nb", "\na", "a\n\n[b]"], ids=repr)
@pytest.mark.parametrize("after", [None, "\nend", "\n\nend\n", "[c]\n\nend"], ids=repr)
def test_white_space_beside_media_that_move_is_kept(read, before, after):
    image = ContentPart("image", data=PNG, mime_type="image/png")
    texts = [ContentPart("text", text=text) for text in (before, after) if text]
    result = ToolResult.from_parts([texts[0], image, *texts[1:], image])
    result = ToolResult(result.output, read is from_anthropic, parts=result.parts)
    options = {} if read is from_anthropic else {"media": "user"}
    for _ in range(2):
        ((_, found, _),) = read(WRITE[read]([CallResult("c1", result, "f")], **options))
        assert found.content == result.content
        result = ToolResult(found.output, found.is_error, parts=found.parts)


def test_a_pointer_that_is_used_up_is_text():
    image = ContentPart("image", data=PNG, mime_type="image/png")
    again = ContentPart("text", text="[image (image/png, 8 bytes) follows after the tool results]")
    result = ToolResult.from_parts([image, again, again])
    (found,) = from_openai_chat(to_openai_chat([("c1", result)]))
    assert [part.text for part in found.result.content] == [None, f"{again.text}\n\n{again.text}"]


# What the clients of others take


def test_a_part_among_contents_is_read():
    part = Part.from_function_response(name="f", response={"output": "x"})
    for item in (part, {"functionResponse": {"name": "f", "response": {"output": "x"}}}):
        assert from_gemini(["Show me.", item]) == [CallResult("", ToolResult("x"), "f")]
    assert refusal(from_gemini, [{"function_response": {"name": 5}}]) == "items[0].function_response.name"


@pytest.mark.parametrize("read", [from_anthropic, from_bedrock], ids=lambda read: read.__name__)
def test_an_iterator_of_blocks_is_not_used_up_and_not_passed_over(read):
    (message,) = WRITE[read]([CallResult("c1", ToolResult("x"), "f")])
    assert refusal(read, [{**message, "content": iter(message["content"])}]) == "items[0].content"


def test_names_that_an_sdk_cannot_use_are_read_by_their_alias():
    sound = ToolResult.from_parts([ContentPart("audio", data=WAV, mime_type="audio/wav")])
    answer, follows = to_openai_chat([("c1", sound)], dialect="openrouter")
    assert from_openai_chat([answer, ChatUserMessage.model_validate(follows)])[0].result == sound


def test_nulls_in_data_of_an_sdk_stay():
    step = {"type": "function_result", "call_id": "c1", "result": {"a": None, "b": 1}}
    for item in (step, FunctionResultStep.model_validate(step)):
        assert from_gemini_interactions([item])[0].result.output == '{"a":null,"b":1}'
