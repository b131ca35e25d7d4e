"""The checks of what adapters write take all that a shape has room for, and refuse the rest."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError
from tests.adapters import strict

DATA = "iVBORw0KGgo+/w=="
PNG_URL = f"data:image/png;base64,{DATA}"
PDF_URL = f"data:application/pdf;base64,{DATA}"
WEB = "https://h.test/a"

LONG_ID = "c" * 65
LONE = "\ud800"
NUL = "a\0b"


def without(value: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != key}


# Anthropic


def tool_result(*blocks, **keys):
    return {"type": "tool_result", "tool_use_id": "toolu_1-A", "content": [*blocks], **keys}


def says(*blocks, **keys):
    return [{"role": "user", "content": [*blocks], **keys}]


def image(source_type="base64", **keys):
    sources = {
        "base64": {"media_type": "image/png", "data": DATA},
        "url": {"url": WEB},
        "file": {"file_id": "file_1"},
    }
    return {"type": "image", "source": {"type": source_type, **sources[source_type], **keys}}


def document(source_type="base64", **keys):
    sources = {
        "base64": {"media_type": "application/pdf", "data": DATA},
        "text": {"media_type": "text/plain", "data": "not base64!"},
        "url": {"url": WEB},
        "file": {"file_id": "file_1"},
        "content": {"content": [{"type": "text", "text": "a"}, image()]},
    }
    return {"type": "document", "title": "a", "source": {"type": source_type, **sources[source_type], **keys}}


TEXT = {"type": "text", "text": "a"}
CACHED = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
SEARCH = {"type": "search_result", "source": WEB, "title": "a", "content": [TEXT]}

ANTHROPIC_GOOD = {
    "nothing": [],
    "a string": says({"type": "tool_result", "tool_use_id": "1", "content": "a"}),
    "a result without content": says({"type": "tool_result", "tool_use_id": "1"}),
    "an error": says({"type": "tool_result", "tool_use_id": "1", "content": "a", "is_error": True}),
    "an error of texts": says(tool_result(TEXT, TEXT, is_error=True)),
    "no error": says(tool_result(image(), is_error=False)),
    "every block": says(
        tool_result(
            {**TEXT, **CACHED},
            image(),
            image("url"),
            image("file"),
            document(),
            document("text"),
            document("url"),
            document("file"),
            document("content"),
            {**SEARCH, "citations": {"enabled": True}},
            {"type": "tool_reference", "tool_name": "f"},
            **CACHED,
        )
    ),
    "two results, and what follows them": says(
        tool_result(TEXT), tool_result(TEXT, tool_use_id="2"), TEXT, image(), document(), SEARCH
    ),
    "a second message without results": says(tool_result(TEXT)) + says(TEXT, image()),
}
ANTHROPIC_BAD = {
    "no list": says(tool_result(TEXT))[0],
    "a string for a message": ["a"],
    "role tool": says(tool_result(TEXT), role="tool"),
    "role assistant": says(TEXT, role="assistant"),
    "a string for blocks": [{"role": "user", "content": "a"}],
    "no blocks": says(),
    "key of the message": says(tool_result(TEXT), name="f"),
    "key of the result": says(tool_result(TEXT, name="f")),
    "key of a block": says(tool_result({**TEXT, "name": "f"})),
    "key of a source": says(tool_result(image(name="f"))),
    "key of cache_control": says(tool_result(TEXT, cache_control={"type": "ephemeral", "a": 1})),
    "key of a block in a document": says(tool_result(document("content", content=[{**TEXT, "name": "f"}]))),
    "image/bmp": says(tool_result(image(media_type="image/bmp"))),
    "image/bmp beside results": says(tool_result(TEXT), image(media_type="image/bmp")),
    "text/csv": says(tool_result(document("text", media_type="text/csv"))),
    "a document that is no PDF": says(tool_result(document(media_type="application/zip"))),
    "an audio block": says(tool_result({**image(), "type": "audio"})),
    "a result in a result": says(tool_result(tool_result(TEXT))),
    "a call in a result": says(tool_result({"type": "tool_use", "id": "1", "name": "f", "input": {}})),
    "a call beside a result": says(tool_result(TEXT), {"type": "tool_use", "id": "1", "name": "f", "input": {}}),
    "no id": says(without(tool_result(TEXT), "tool_use_id")),
    "an empty id": says(tool_result(TEXT, tool_use_id="")),
    "an id with a dot": says(tool_result(TEXT, tool_use_id="functions.f:0")),
    "an id and a line": says(tool_result(TEXT, tool_use_id="1\n")),
    "two results for one call": says(tool_result(TEXT), tool_result(TEXT)),
    "text before results": says(TEXT, tool_result(TEXT)),
    "text between results": says(tool_result(TEXT), TEXT, tool_result(TEXT, tool_use_id="2")),
    "results in two messages": says(tool_result(TEXT)) + says(tool_result(TEXT, tool_use_id="2")),
    'is_error "true"': says(tool_result(TEXT, is_error="true")),
    "is_error 1": says(tool_result(TEXT, is_error=1)),
    "an error with an image": says(tool_result(TEXT, image(), is_error=True)),
    "an error with a document": says(tool_result(document("text"), is_error=True)),
    "an error without blocks": says(tool_result(is_error=True)),
    "an error without content": says(without(tool_result(is_error=True), "content")),
    "an error of a blank": says(tool_result(is_error=True, content=" ")),
    "content null": says(tool_result(content=None)),
    "content a dict": says(tool_result(content=TEXT)),
    "no blocks in a result": says(tool_result()),
    "blank string": says(tool_result(content="\n")),
    "blank text": says(tool_result({"type": "text", "text": " "})),
    "blank text beside a result": says(tool_result(TEXT), {"type": "text", "text": ""}),
    "blank text in a document": says(tool_result(document("text", data=""))),
    "no blocks in a document": says(tool_result(document("content", content=[]))),
    "blank text inside a document": says(tool_result(document("content", content=[{"type": "text", "text": " "}]))),
    "a search result of nothing": says(tool_result({**SEARCH, "content": []})),
    "a search result of blank text": says(tool_result({**SEARCH, "content": [{"type": "text", "text": " "}]})),
    "text null": says(tool_result({"type": "text", "text": None})),
    "data of an image that is no base64": says(tool_result(image(data="!!!"))),
    "data of an image cut": says(tool_result(image(data=DATA[:-1]))),
    "data with bits to spare": says(tool_result(image(data="AB=="))),
    "two encodings in one": says(tool_result(image(data=DATA + DATA))),
    "data of an image in a data URL": says(tool_result(image(data=PNG_URL))),
    "URL-safe data": says(tool_result(image(data=DATA.replace("+", "-").replace("/", "_")))),
    "data of a document that is no base64": says(tool_result(document(data="é"))),
    "no data": says(tool_result(image(data=""))),
    "data URL for a URL": says(tool_result(image("url", url=PNG_URL))),
    "a path for a URL": says(tool_result(image("url", url="/tmp/a.png"))),
    "an empty file id": says(tool_result(image("file", file_id=""))),
    "bytes": says(tool_result(image(data=b"a"))),
    "a tuple": says(tool_result(content=(TEXT,))),
    "a lone surrogate": says(tool_result(content=LONE)),
    "NUL": says(tool_result(content=NUL)),
}

# OpenAI Chat Completions, and its dialects


def answer(content="a", **keys):
    return {"role": "tool", "tool_call_id": "call_1", "content": content, **keys}


def user(*parts, **keys):
    return {"role": "user", "content": [*parts], **keys}


IMAGE_URL = {"type": "image_url", "image_url": {"url": PNG_URL, "detail": "auto"}}
WEB_IMAGE_URL = {"type": "image_url", "image_url": {"url": WEB}}
INPUT_AUDIO = {"type": "input_audio", "input_audio": {"data": DATA, "format": "wav"}}
CHAT_FILE = {"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_URL}}
CHAT_FILE_ID = {"type": "file", "file": {"file_id": "file-1"}}
VIDEO_URL = {"type": "video_url", "video_url": {"url": WEB}}
GROQ_DOCUMENT = {"type": "document", "document": {"data": {"a": 1}, "id": "1"}}

CHAT_GOOD = {
    "nothing": [],
    "a string": [answer()],
    "texts": [answer([TEXT, TEXT])],
    "two answers, and what follows them": [
        answer(),
        answer(tool_call_id="2"),
        user(TEXT, IMAGE_URL, WEB_IMAGE_URL),
        user(TEXT, name="a"),
        {"role": "user", "content": "a"},
    ],
}
CHAT_BAD = {
    "no list": answer(),
    "an empty dict": {},
    "a string for a message": ["a"],
    "no id": [without(answer(), "tool_call_id")],
    "an empty id": [answer(tool_call_id="")],
    "id null": [answer(tool_call_id=None)],
    "no content": [without(answer(), "content")],
    "content null": [answer(None)],
    "content a dict": [answer({"a": 1})],
    "an empty string": [answer("")],
    "no parts": [answer([])],
    "blank text": [answer([{"type": "text", "text": " "}])],
    "no parts of a user": [answer(), user()],
    "blank text of a user": [answer(), user({"type": "text", "text": ""})],
    "name": [answer(name="f")],
    "is_error": [answer(is_error=True)],
    "key of a part": [answer([{**TEXT, "name": "f"}])],
    "key of a user message": [answer(), user(TEXT, metadata={})],
    "key of a user's part": [answer(), user({**IMAGE_URL, "name": "f"})],
    "key inside a user's part": [answer(), user({"type": "image_url", "image_url": {"url": WEB, "name": "f"}})],
    "a part of an unknown type": [answer([{"type": "hologram", "hologram": {}}])],
    "a user's part of an unknown type": [answer(), user({"type": "hologram", "hologram": {}})],
    "a URL that is no object": [answer(), user({"type": "image_url", "image_url": WEB})],
    "an image without base64": [answer(), user({"type": "image_url", "image_url": {"url": "data:image/png,a"}})],
    "an image with bad base64": [answer(), user({"type": "image_url", "image_url": {"url": PNG_URL[:-1]}})],
    "a PDF for an image": [answer(), user({"type": "image_url", "image_url": {"url": PDF_URL}})],
    "a path for a URL": [answer(), user({"type": "image_url", "image_url": {"url": "file:///a.png"}})],
    "a user before an answer": [user(TEXT), answer()],
    "a user between answers": [answer(), user(TEXT), answer(tool_call_id="2")],
    "an assistant": [answer(), {"role": "assistant", "content": "a"}],
    "no role": [without(answer(), "role")],
    "bytes": [answer(b"a")],
    "a lone surrogate": [answer(LONE)],
    "NUL": [answer([{"type": "text", "text": NUL}])],
}

OPENAI_CHAT_GOOD = CHAT_GOOD | {
    "every part of a user": [answer(), user(INPUT_AUDIO, CHAT_FILE, CHAT_FILE_ID)],
    "a breakpoint": [answer([{**TEXT, "prompt_cache_breakpoint": {"mode": "explicit", "ttl": "30m"}}])],
}
OPENAI_CHAT_BAD = CHAT_BAD | {
    "an image in an answer": [answer([TEXT, IMAGE_URL])],
    "a file in an answer": [answer([CHAT_FILE])],
    "audio of another format": [
        answer(),
        user({"type": "input_audio", "input_audio": {"data": DATA, "format": "ogg"}}),
    ],
    "audio in a data URL": [
        answer(),
        user({"type": "input_audio", "input_audio": {"data": "data:audio/wav;base64,AA==", "format": "wav"}}),
    ],
    "a file by URL": [answer(), user({"type": "file", "file": {"file_data": WEB}})],
    "a file of bare base64": [answer(), user({"type": "file", "file": {"filename": "a.pdf", "file_data": DATA}})],
    "a file without a source": [answer(), user({"type": "file", "file": {"filename": "a.pdf"}})],
    "an empty file id": [answer(), user({"type": "file", "file": {"file_id": ""}})],
    "a file of two sources": [answer(), user({"type": "file", "file": {"file_id": "1", "file_data": PDF_URL}})],
    "a video": [answer(), user(VIDEO_URL)],
}

GROQ_GOOD = CHAT_GOOD | {
    "an image and a document in an answer": [answer([TEXT, IMAGE_URL, GROQ_DOCUMENT])],
}
GROQ_BAD = CHAT_BAD | {
    "an unknown detail": [answer([{"type": "image_url", "image_url": {"url": WEB, "detail": "best"}}])],
    "an image with bad base64 in an answer": [answer([{"type": "image_url", "image_url": {"url": PNG_URL[:-1]}}])],
    "a tuple in a document": [answer([{"type": "document", "document": {"data": {"a": (1,)}}}])],
    "a number for a key in a document": [answer([{"type": "document", "document": {"data": {"a": {1: 2}}}}])],
    "an infinity in a document": [answer([{"type": "document", "document": {"data": {"a": math.inf}}}])],
    "a document that is no object": [answer([{"type": "document", "document": {"data": "a"}}])],
    "audio": [answer([INPUT_AUDIO])],
}

OPENROUTER_GOOD = CHAT_GOOD | {
    "every part in an answer": [
        answer([{**TEXT, "cache_control": {"type": "ephemeral"}}, IMAGE_URL, INPUT_AUDIO, VIDEO_URL, CHAT_FILE])
    ],
    "a file by URL": [answer([{"type": "file", "file": {"filename": "a.pdf", "file_data": WEB}}])],
    "every part of a user": [answer(), user(TEXT, IMAGE_URL, INPUT_AUDIO, VIDEO_URL, CHAT_FILE, CHAT_FILE_ID)],
}
OPENROUTER_BAD = CHAT_BAD | {
    "the Python name of a key": [
        answer([{"type": "input_audio", "input_audio": {"data": DATA, "format": "wav", "format_": "wav"}}])
    ],
    "only the Python name of a key": [
        answer([{"type": "input_audio", "input_audio": {"data": DATA, "format_": "wav"}}])
    ],
    "bad audio": [answer([{"type": "input_audio", "input_audio": {"data": "!!!", "format": "wav"}}])],
    "a part of the unknown type": [answer([{"type": "UNKNOWN", "raw": {"type": "a"}, "is_unknown": True}])],
    "a file without a source": [answer([{"type": "file", "file": {"filename": "a.pdf"}}])],
    "a file of bare base64": [answer([{"type": "file", "file": {"file_data": DATA}}])],
    "an image for a video": [answer([{"type": "video_url", "video_url": {"url": PNG_URL}}])],
}

OLLAMA_CHAT_GOOD = {
    "a string": [answer()],
    "what follows": [answer(), user(TEXT, IMAGE_URL), {"role": "user", "content": "a"}],
}
OLLAMA_CHAT_BAD = CHAT_BAD | {
    "texts": [answer([TEXT])],
    "a URL of the web": [answer(), user(WEB_IMAGE_URL)],
    "a GIF": [answer(), user({"type": "image_url", "image_url": {"url": f"data:image/gif;base64,{DATA}"}})],
    "audio": [answer(), user(INPUT_AUDIO)],
    "a file": [answer(), user(CHAT_FILE)],
}

# Mistral


def mistral(content="a", **keys):
    return {"role": "tool", "tool_call_id": "call00001", "content": content, **keys}


SAYS = {"role": "assistant", "content": "a"}
CHUNK = {"type": "image_url", "image_url": PNG_URL}

MISTRAL_GOOD = {
    "nothing": [],
    "a string": [mistral()],
    "a name": [mistral(name="f-_1" * 16)],
    "name null": [mistral(name=None)],
    "texts": [mistral([TEXT, TEXT])],
    "images": [mistral([CHUNK, IMAGE_URL, {**CHUNK, "image_url": WEB}])],
    "two answers, and what follows them": [mistral(), mistral(tool_call_id="2" * 9), SAYS, user(TEXT, CHUNK)],
}
MISTRAL_BAD = {
    "no list": mistral(),
    "an empty dict": {},
    "a string for a message": ["a"],
    "no role": [without(mistral(), "role")],
    "no id": [without(mistral(), "tool_call_id")],
    "id null": [mistral(tool_call_id=None)],
    "an empty id": [mistral(tool_call_id="")],
    "an id of eight": [mistral(tool_call_id="a" * 8)],
    "an id of ten": [mistral(tool_call_id="a" * 10)],
    "an id with a line": [mistral(tool_call_id="12345678\n")],
    "an id with a sign": [mistral(tool_call_id="call_0001")],
    "two results for one call": [mistral(), mistral()],
    "an empty name": [mistral(name="")],
    "a name with a dot": [mistral(name="a.b")],
    "a long name": [mistral(name="a" * 65)],
    "no content": [without(mistral(), "content")],
    "content null": [mistral(None)],
    "content a dict": [mistral({"a": 1})],
    "an empty string": [mistral("")],
    "a blank string": [mistral(" \n")],
    "no chunks": [mistral([])],
    "blank text": [mistral([{"type": "text", "text": " "}])],
    "is_error": [mistral(is_error=True)],
    "key of a chunk": [mistral([{**TEXT, "name": "f"}])],
    "key of an image": [mistral([{"type": "image_url", "image_url": {"url": WEB, "name": "f"}}])],
    "an unknown detail": [mistral([{"type": "image_url", "image_url": {"url": WEB, "detail": "best"}}])],
    "a chunk of an unknown type": [mistral([{"type": "hologram", "hologram": {}}])],
    "a chunk of the unknown type": [mistral([{"type": "UNKNOWN", "raw": {"type": "a"}, "is_unknown": True}])],
    "a thought": [mistral([{"type": "thinking", "thinking": [TEXT]}])],
    "a document": [mistral([{"type": "document_url", "document_url": WEB}])],
    "a file": [mistral([{"type": "file", "file_id": "1"}])],
    "audio": [mistral([{"type": "input_audio", "input_audio": DATA}])],
    "an image of bare base64": [mistral([{**CHUNK, "image_url": DATA}])],
    "an image with bad base64": [mistral([{**CHUNK, "image_url": PNG_URL[:-1]}])],
    "a PDF for an image": [mistral([{**CHUNK, "image_url": PDF_URL}])],
    "a path for a URL": [mistral([{**CHUNK, "image_url": "file:///a.png"}])],
    "a user right after an answer": [mistral(), user(TEXT)],
    "a user before an answer": [user(TEXT), mistral()],
    "an assistant between answers": [mistral(), SAYS, mistral(tool_call_id="2" * 9)],
    "an assistant alone": [mistral(), SAYS],
    "an assistant that says nothing": [mistral(), {**SAYS, "content": ""}, user(TEXT)],
    "an assistant that calls": [
        mistral(),
        {**SAYS, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]},
        user(TEXT),
    ],
    "two users": [mistral(), SAYS, user(TEXT), user(TEXT)],
    "a system": [mistral(), {"role": "system", "content": "a"}],
    "no parts of a user": [mistral(), SAYS, user()],
    "key of a user message": [mistral(), SAYS, user(TEXT, name="a")],
    "a document of a user": [mistral(), SAYS, user({"type": "document_url", "document_url": WEB})],
    "bytes": [mistral(b"a")],
    "a lone surrogate": [mistral(LONE)],
    "NUL": [mistral([{"type": "text", "text": NUL}])],
}

# Cohere

COHERE_DOCUMENT = {"type": "document", "document": {"data": {"a": [1, None, {"b": "c"}]}, "id": "call_1:0"}}
COHERE_GOOD = {
    "nothing": [],
    "a string": [answer()],
    "texts and documents": [answer([TEXT, COHERE_DOCUMENT, {"type": "document", "document": {"data": {"a": 1}}}])],
    "two answers, and what follows them": [
        answer(),
        answer(tool_call_id="2"),
        user(TEXT, IMAGE_URL, WEB_IMAGE_URL),
        {"role": "user", "content": "a"},
    ],
}
COHERE_BAD = {
    name: value
    for name, value in CHAT_BAD.items()
    if name not in ("a user's part of an unknown type", "a part of an unknown type")
} | {
    "an unknown part": [answer([{"type": "hologram", "hologram": {}}])],
    "an unknown part of a user": [answer(), user({"type": "hologram", "hologram": {}})],
    "an image in an answer": [answer([TEXT, IMAGE_URL])],
    "a document of a user": [answer(), user(COHERE_DOCUMENT)],
    "two results for one call": [answer(), answer()],
    "a name of a user": [answer(), user(TEXT, name="a")],
    "data that is no object": [answer([{"type": "document", "document": {"data": "a"}}])],
    "data that is a list": [answer([{"type": "document", "document": {"data": [1]}}])],
    "no data": [answer([{"type": "document", "document": {"id": "1"}}])],
    "empty data": [answer([{"type": "document", "document": {"data": {}}}])],
    "a number for a key in data": [answer([{"type": "document", "document": {"data": {"a": {1: 2}}}}])],
    "an infinity in data": [answer([{"type": "document", "document": {"data": {"a": math.inf}}}])],
    "an id that is a number": [answer([{"type": "document", "document": {"data": {"a": 1}, "id": 1}}])],
    "an empty id of a document": [answer([{"type": "document", "document": {"data": {"a": 1}, "id": ""}}])],
    "key of a document": [answer([{"type": "document", "document": {"data": {"a": 1}, "title": "b"}}])],
    "key beside a document": [answer([{**COHERE_DOCUMENT, "id": "1"}])],
    "an unknown detail": [answer(), user({"type": "image_url", "image_url": {"url": WEB, "detail": "best"}})],
    "audio": [answer(), user(INPUT_AUDIO)],
    "a file": [answer(), user(CHAT_FILE)],
}

# Ollama


def ollama(content="a", **keys):
    return {"role": "tool", "tool_call_id": "call_1", "tool_name": "f", "content": content, **keys}


SEES = {"role": "user", "content": "a", "images": [DATA]}

OLLAMA_GOOD = {
    "nothing": [],
    "a string": [ollama()],
    "no id": [without(ollama(), "tool_call_id")],
    "no name": [without(ollama(), "tool_name")],
    "images": [ollama(images=[DATA, "/9j/"])],
    "two answers, and what follows them": [ollama(), ollama(tool_call_id="2"), SEES, SEES, without(SEES, "images")],
}
OLLAMA_BAD = {
    "no list": ollama(),
    "an empty dict": {},
    "a string for a message": ["a"],
    "no role": [without(ollama(), "role")],
    "no content": [without(ollama(), "content")],
    "content null": [ollama(None)],
    "an empty string": [ollama("")],
    "a blank string": [ollama(" ")],
    "a list": [ollama([TEXT])],
    "id null": [ollama(tool_call_id=None)],
    "an id that is a number": [ollama(tool_call_id=1)],
    "an empty id": [ollama(tool_call_id="")],
    "name null": [ollama(tool_name=None)],
    "an empty name": [ollama(tool_name="")],
    "a name that is a number": [ollama(tool_name=1)],
    "name": [ollama(name="f")],
    "is_error": [ollama(is_error=True)],
    "calls": [ollama(tool_calls=[{"function": {"name": "f", "arguments": {}}}])],
    "no images": [ollama(images=[])],
    "images null": [ollama(images=None)],
    "an image that is no base64": [ollama(images=["!!!"])],
    "an image cut": [ollama(images=[DATA[:-1]])],
    "an image that is a path": [ollama(images=["/tmp/a.png"])],
    "an image in a data URL": [ollama(images=[PNG_URL])],
    "an image by URL": [ollama(images=[WEB])],
    "an empty image": [ollama(images=[""])],
    "an image that is bytes": [ollama(images=[b"a"])],
    "two results for one call": [ollama(), ollama()],
    "an assistant": [ollama(), {"role": "assistant", "content": "a"}],
    "a user before an answer": [SEES, ollama()],
    "a user between answers": [ollama(), SEES, ollama(tool_call_id="2")],
    "parts of a user": [ollama(), user(TEXT)],
    "a name of a user": [ollama(), {**SEES, "tool_name": "f"}],
    "a lone surrogate": [ollama(LONE)],
    "NUL": [ollama(NUL)],
}

# OpenAI Responses


def output(output="a", **keys):
    return {"type": "function_call_output", "call_id": "call_1", "output": output, **keys}


def custom(output="a", **keys):
    return {"type": "custom_tool_call_output", "call_id": "call_1", "output": output, **keys}


INPUT_TEXT = {"type": "input_text", "text": "a"}
INPUT_IMAGE = {"type": "input_image", "image_url": PNG_URL, "detail": "auto"}
INPUT_FILE = {"type": "input_file", "filename": "a.pdf", "file_data": PDF_URL}
INPUT_PARTS = [
    INPUT_TEXT,
    INPUT_IMAGE,
    {"type": "input_image", "image_url": WEB, "detail": "low"},
    {"type": "input_image", "file_id": "file-1", "detail": "original"},
    INPUT_FILE,
    {"type": "input_file", "file_url": WEB, "detail": "high"},
    {"type": "input_file", "file_id": "file-1"},
]
MESSAGE = {"role": "user", "content": [INPUT_TEXT, INPUT_IMAGE]}

PARTS_GOOD = {"a string": "a", "every part": INPUT_PARTS}
PARTS_BAD = {
    "null": None,
    "a dict": {"a": 1},
    "an empty string": "",
    "no parts": [],
    "blank text": [{"type": "input_text", "text": " "}],
    "audio": [{"type": "input_audio", "input_audio": {"data": DATA, "format": "wav"}}],
    "a part of Chat Completions": [TEXT],
    "an image of Chat Completions": [{**INPUT_IMAGE, "image_url": {"url": WEB}}],
    "a part of an unknown type": [{"type": "hologram"}],
    "key of a part": [{**INPUT_TEXT, "name": "f"}],
    "an unknown detail": [{**INPUT_IMAGE, "detail": "best"}],
    "an original file": [{**INPUT_FILE, "detail": "original"}],
    "an image without a source": [without(INPUT_IMAGE, "image_url")],
    "an image of two sources": [{**INPUT_IMAGE, "file_id": "file-1"}],
    "an image of a blank source": [{**INPUT_IMAGE, "image_url": " "}],
    "an empty file id": [{"type": "input_image", "file_id": "", "detail": "auto"}],
    "an image with bad base64": [{**INPUT_IMAGE, "image_url": PNG_URL[:-1]}],
    "an image of bare base64": [{**INPUT_IMAGE, "image_url": DATA}],
    "a PDF for an image": [{**INPUT_IMAGE, "image_url": PDF_URL}],
    "a file without a source": [without(INPUT_FILE, "file_data")],
    "a file of two sources": [{**INPUT_FILE, "file_url": WEB}],
    "a file of bare base64": [{**INPUT_FILE, "file_data": DATA}],
    "a data URL for the URL of a file": [{"type": "input_file", "file_url": PDF_URL}],
    "bytes": b"a",
    "a lone surrogate": LONE,
    "NUL": [{"type": "input_text", "text": NUL}],
}

RESPONSES_GOOD = {name: [output(parts)] for name, parts in PARTS_GOOD.items()} | {
    "nothing": [],
    "every key": [output(id="fc_1", status="incomplete", name="f", namespace="n", caller={"type": "direct"})],
    "an image without detail": [output([without(INPUT_IMAGE, "detail")])],
    "two outputs, and what follows them": [
        output(),
        output(call_id="c" * 64),
        MESSAGE,
        {**MESSAGE, "type": "message"},
        {**MESSAGE, "type": "message", "status": "completed"},
        {"role": "user", "content": "a"},
        {"role": "user", "content": INPUT_PARTS},
    ],
}
RESPONSES_BAD = {f"output: {name}": [output(parts)] for name, parts in PARTS_BAD.items()} | {
    "no list": output(),
    "no output": [without(output(), "output")],
    "no call id": [without(output(), "call_id")],
    "call id null": [output(call_id=None)],
    "an empty call id": [output(call_id="")],
    "a long call id": [output(call_id=LONG_ID)],
    "status failed": [output(status="failed")],
    "is_error": [output(is_error=True)],
    "key of a caller": [output(caller={"type": "direct", "a": 1})],
    "another item": [{"type": "computer_call_output", "call_id": "1", "output": "a"}],
    "a custom tool": [custom()],
    "a message before an output": [MESSAGE, output()],
    "a message between outputs": [output(), MESSAGE, output(call_id="2")],
    "a message of the assistant": [output(), {"role": "assistant", "content": "a"}],
    "a message of the system": [output(), {**MESSAGE, "role": "system"}],
    "key of a message": [output(), {**MESSAGE, "name": "f"}],
    "no parts in a message": [output(), {**MESSAGE, "content": []}],
    "a part of an output in a message of Chat Completions": [output(), user(IMAGE_URL)],
    "an image without detail in a message": [output(), {**MESSAGE, "content": [without(INPUT_IMAGE, "detail")]}],
    "an image of two sources in a message": [output(), {**MESSAGE, "content": [{**INPUT_IMAGE, "file_id": "1"}]}],
}

CUSTOM_GOOD = {name: custom(parts) for name, parts in PARTS_GOOD.items()} | {
    "every key": custom(id="1", caller={"type": "program", "caller_id": "1"}),
}
CUSTOM_BAD = {f"output: {name}": custom(parts) for name, parts in PARTS_BAD.items()} | {
    "an image without detail": custom([without(INPUT_IMAGE, "detail")]),
    "another type": output(),
    "no call id": without(custom(), "call_id"),
    "an empty call id": custom(call_id=""),
    "a long call id": custom(call_id=LONG_ID),
    "status": custom(status="completed"),
    "name": custom(name="f"),
    "is_error": custom(is_error=True),
}

# Gemini


def function_response(*parts, **keys):
    return {"functionResponse": {"id": "1", "name": "f", "response": {"output": "a"}, "parts": [*parts], **keys}}


def content(*parts, **keys):
    return {"role": "user", "parts": [*parts], **keys}


INLINE = {"inlineData": {"mimeType": "image/png", "data": DATA, "displayName": "a.png"}}
FILE = {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/a.pdf", "displayName": "a.pdf"}}
PLAIN = {"functionResponse": {"name": "f", "response": {"output": "a"}}}

GEMINI_GOOD = {
    "nothing": [],
    "text": [content(PLAIN)],
    "an error": [content(function_response(response={"error": "a"}))],
    "every kind of value": [
        content(function_response(response={"output": [None, True, 1, 0.5, "a", {"some_key": {"data": "+/"}}]}))
    ],
    "what looks like media in a response": [content(function_response(response={"inlineData": {"data": "+/"}}))],
    "media": [
        content(function_response(INLINE, FILE, {**INLINE, "mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"}}))
    ],
    "keys of live calls": [content(function_response(willContinue=True, scheduling="WHEN_IDLE"))],
    "two answers, and what follows them": [content(PLAIN, PLAIN), content({"text": "a"}, INLINE, FILE)],
}
GEMINI_BAD = {
    "no list": content(PLAIN),
    "role tool": [content(PLAIN, role="tool")],
    "no role": [without(content(PLAIN), "role")],
    "no parts": [content()],
    "key of a content": [content(PLAIN, name="f")],
    "key of a part": [content({**PLAIN, "name": "f"})],
    "isError": [content(function_response(isError=True))],
    "key of a media part": [content(function_response({**INLINE, "name": "f"}))],
    "key of a blob": [content(function_response({"inlineData": {**INLINE["inlineData"], "name": "f"}}))],
    "snake_case key of a part": [content({"function_response": PLAIN["functionResponse"]})],
    "snake_case key of a blob": [content(function_response({"inlineData": {"mime_type": "image/png", "data": DATA}}))],
    "no name": [content({"functionResponse": {"response": {"output": "a"}}})],
    "an empty name": [content(function_response(name=""))],
    "no response": [content({"functionResponse": {"name": "f"}})],
    "response null": [content(function_response(response=None))],
    "an empty response": [content(function_response(response={}))],
    "a string for a response": [content(function_response(response="a"))],
    "a list for a response": [content(function_response(response=["a"]))],
    "a response with a number for a key": [content(function_response(response={1: "a"}))],
    "NaN": [content(function_response(response={"output": math.nan}))],
    "an infinity": [content(function_response(response={"output": [math.inf]}))],
    "text in an answer": [content(function_response({"text": "a"}))],
    "both sources": [content(function_response({**INLINE, **FILE}))],
    "no source": [content(function_response({}))],
    "source null": [content(function_response({"inlineData": None}))],
    "no mimeType of bytes": [content(function_response({"inlineData": {"data": DATA}}))],
    "no mimeType of a file": [content(function_response({"fileData": {"fileUri": "gs://b/a"}}))],
    "no fileUri": [content(function_response({"fileData": {"mimeType": "image/png"}}))],
    "no data": [content(function_response({"inlineData": {"mimeType": "image/png"}}))],
    "bad data": [content(function_response({"inlineData": {"mimeType": "image/png", "data": "!!!"}}))],
    "URL-safe data": [content(function_response({"inlineData": {"mimeType": "image/png", "data": "-_-_"}}))],
    "data in a data URL": [content(function_response({"inlineData": {"mimeType": "image/png", "data": PNG_URL}}))],
    "an unknown scheduling": [content(function_response(scheduling="LATER"))],
    "a string for a flag": [content(function_response(willContinue="true"))],
    "text beside an answer": [content(PLAIN, {"text": "a"})],
    "media beside an answer": [content(PLAIN, INLINE)],
    "two kinds in one part": [content({**PLAIN, "text": "a"})],
    "text before answers": [content({"text": "a"}), content(PLAIN)],
    "answers in two contents": [content(PLAIN), content(PLAIN)],
    "a call after answers": [content(PLAIN), content({"functionCall": {"name": "f", "args": {}}})],
    "blank text after answers": [content(PLAIN), content({"text": " "})],
    "a call in a text after answers": [content(PLAIN), content({"text": "a", "functionCall": {"name": "f"}})],
    "a thought after answers": [content(PLAIN), content({"text": "a", "thought": True})],
    "bad data after answers": [content(PLAIN), content({"inlineData": {"mimeType": "image/png", "data": "AAA"}})],
    "bytes": [content(function_response({"inlineData": {"mimeType": "image/png", "data": b"a"}}))],
    "a lone surrogate": [content(function_response(response={"output": LONE}))],
    "NUL": [content(function_response(response={"output": NUL}))],
}


def function_result(result="a", **keys):
    return {"type": "function_result", "call_id": "1", "result": result, **keys}


def user_input(*blocks, **keys):
    return {"type": "user_input", "content": [*blocks], **keys}


def media(kind="image", mime_type="image/png", **keys):
    return {"type": kind, "mime_type": mime_type, "data": DATA, **keys}


BLOCKS = [
    TEXT,
    media(resolution="low"),
    media("audio", "audio/wav", sample_rate=16000, channels=1),
    media("video", "video/mp4", name="a.mp4"),
    media("document", "application/pdf"),
    {"type": "image", "uri": WEB, "mime_type": "image/png"},
    {"type": "document", "uri": "files/abc"},
]

INTERACTIONS_GOOD = {
    "nothing": [],
    "a string": [function_result()],
    "an error": [function_result(is_error=True, name="f")],
    "every block": [function_result(BLOCKS)],
    "a tool": [function_result([{"type": "function", "name": "f", "parameters": {"type": "object"}}])],
    "two results, and what follows them": [function_result(), function_result(call_id="2"), user_input(*BLOCKS)],
}
INTERACTIONS_BAD = {
    "no list": function_result(),
    "no call id": [without(function_result(), "call_id")],
    "an empty call id": [function_result(call_id="")],
    "no result": [without(function_result(), "result")],
    "result null": [function_result(None)],
    "a number for a result": [function_result(1)],
    "an object for a result": [function_result({"output": "a"})],
    "an empty result": [function_result([])],
    "a blank result": [function_result(" ")],
    "isError": [function_result(isError=True)],
    'is_error "true"': [function_result(is_error="true")],
    "metadata": [function_result(metadata={"a": 1})],
    "key of a block": [function_result([{**TEXT, "name": "f"}])],
    "an unknown block": [function_result([{"type": "hologram"}])],
    "a block without type": [function_result([{"text": "a"}])],
    "text without text": [function_result([{"type": "text"}])],
    "blank text": [function_result([{"type": "text", "text": ""}])],
    "bad data": [function_result([media(data="!!!")])],
    "URL-safe data": [function_result([media(data="-_-_")])],
    "data in a data URL": [function_result([media(data=PNG_URL)])],
    "no source": [function_result([without(media(), "data")])],
    "two sources": [function_result([media(uri=WEB)])],
    "data without a type": [function_result([without(media(), "mime_type")])],
    "a MIME type in camelCase": [function_result([{"type": "image", "data": DATA, "mimeType": "image/png"}])],
    "an unknown step": [function_result(), {"type": "hologram", "content": [TEXT]}],
    "a step without type": [function_result(), {"content": [TEXT]}],
    "a message": [function_result(), {"role": "user", "content": "a"}],
    "a step of the model": [function_result(), {"type": "model_output", "content": [TEXT]}],
    "a block for a step": [function_result(), TEXT],
    "a string for blocks": [function_result(), {"type": "user_input", "content": "a"}],
    "no blocks": [function_result(), user_input()],
    "key of a user step": [function_result(), user_input(TEXT, role="user")],
    "an unknown block of the user": [function_result(), user_input({"type": "hologram"})],
    "a tool of the user": [function_result(), user_input({"type": "function", "name": "f"})],
    "bad data of the user": [function_result(), user_input(media(data="AAA"))],
    "a user before a result": [user_input(TEXT), function_result()],
    "a user between results": [function_result(), user_input(TEXT), function_result(call_id="2")],
    "bytes": [function_result([media(data=b"a")])],
    "a lone surrogate": [function_result(LONE)],
    "NUL": [function_result(NUL)],
}

# Bedrock Converse


def converse(*content, **keys):
    return [{"role": "user", "content": [*content], **keys}]


def converse_result(*content, **keys):
    return {"toolResult": {"toolUseId": "tooluse_1-A.b:c", "content": [*content], **keys}}


def converse_image(**keys):
    return {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}, **keys}}


def converse_document(name="a", **keys):
    return {"document": {"format": "pdf", "name": name, "source": {"bytes": b"%PDF-1.7"}, **keys}}


def converse_video(**keys):
    return {"video": {"format": "three_gp", "source": {"bytes": b"film"}, **keys}}


def stored(uri="s3://bucket/a/b.png", **keys):
    return {"source": {"s3Location": {"uri": uri, **keys}}}


CONVERSE_TEXT = {"text": "a"}
CONVERSE_DATA = {"json": {"a": [1, 2.5, None, True, {"b": "c"}]}}
CONVERSE_SEARCH = {"searchResult": {"source": WEB, "title": "a", "content": [CONVERSE_TEXT]}}

BEDROCK_GOOD = {
    "nothing": [],
    "a text": converse(converse_result(CONVERSE_TEXT)),
    "every block": converse(
        converse_result(
            CONVERSE_TEXT,
            CONVERSE_DATA,
            converse_image(),
            converse_image(**stored(bucketOwner="123456789012")),
            converse_document("Sales report (2) [final]-x", citations={"enabled": True}),
            converse_document("b", source={"text": "a"}),
            converse_document("c", source={"content": [CONVERSE_TEXT]}, context="a"),
            converse_document("d", **stored()),
            converse_video(),
            converse_video(**stored()),
            CONVERSE_SEARCH,
        )
    ),
    "an error": converse(converse_result(CONVERSE_TEXT, CONVERSE_DATA, status="error")),
    "no error": converse(converse_result(converse_image(), status="success")),
    "two results, and what follows them": converse(
        converse_result(CONVERSE_TEXT),
        converse_result(CONVERSE_TEXT, toolUseId="2"),
        CONVERSE_TEXT,
        converse_image(),
        converse_document(),
        converse_video(),
    ),
    "an id of 64 characters": converse(converse_result(CONVERSE_TEXT, toolUseId="c" * 64)),
    "a name of 200 characters": converse(converse_result(CONVERSE_TEXT, converse_document("n" * 200))),
    "the largest image": converse(converse_result(converse_image(source={"bytes": bytes(3_750_000)}))),
    "twenty images and five documents": converse(
        converse_result(
            CONVERSE_TEXT, *(converse_image() for _ in range(20)), *(converse_document(f"n{n}") for n in range(5))
        )
    ),
}
BEDROCK_BAD = {
    "no list": converse(converse_result(CONVERSE_TEXT))[0],
    "a string for a message": ["a"],
    "role tool": converse(converse_result(CONVERSE_TEXT), role="tool"),
    "role assistant": converse(CONVERSE_TEXT, role="assistant"),
    "no blocks": converse(),
    "two messages": converse(converse_result(CONVERSE_TEXT)) + converse(CONVERSE_TEXT),
    "key of the message": converse(converse_result(CONVERSE_TEXT), name="f"),
    "isError": converse(converse_result(CONVERSE_TEXT, isError=True)),
    "a type": converse(converse_result(CONVERSE_TEXT, type="server")),
    'status "ok"': converse(converse_result(CONVERSE_TEXT, status="ok")),
    "status null": converse(converse_result(CONVERSE_TEXT, status=None)),
    "no content": converse({"toolResult": {"toolUseId": "1"}}),
    "empty content": converse(converse_result()),
    "no id": converse({"toolResult": {"content": [CONVERSE_TEXT]}}),
    "an empty id": converse(converse_result(CONVERSE_TEXT, toolUseId="")),
    "an id of 65 characters": converse(converse_result(CONVERSE_TEXT, toolUseId="c" * 65)),
    "an id with a slash": converse(converse_result(CONVERSE_TEXT, toolUseId="a/b")),
    "an id and a line": converse(converse_result(CONVERSE_TEXT, toolUseId="1\n")),
    "two results for one call": converse(converse_result(CONVERSE_TEXT), converse_result(CONVERSE_TEXT)),
    "text before results": converse(CONVERSE_TEXT, converse_result(CONVERSE_TEXT)),
    "text between results": converse(
        converse_result(CONVERSE_TEXT), CONVERSE_TEXT, converse_result(CONVERSE_TEXT, toolUseId="2")
    ),
    "a call beside a result": converse(
        converse_result(CONVERSE_TEXT), {"toolUse": {"toolUseId": "2", "name": "f", "input": {}}}
    ),
    "two kinds in one block": converse(converse_result({**CONVERSE_TEXT, **CONVERSE_DATA})),
    "an empty block": converse(converse_result({})),
    "an unknown block": converse(converse_result({"hologram": {}})),
    "audio": converse(converse_result({"audio": {"format": "wav", "source": {"bytes": b"a"}}})),
    "audio beside a result": converse(
        converse_result(CONVERSE_TEXT), {"audio": {"format": "wav", "source": {"bytes": b"a"}}}
    ),
    "blank text": converse(converse_result({"text": " "})),
    "blank text after a result": converse(converse_result(CONVERSE_TEXT), {"text": "\n"}),
    "an empty search result": converse(converse_result({"searchResult": {"source": "a", "title": "b", "content": []}})),
    "a list for json": converse(converse_result({"json": [1]})),
    "a text for json": converse(converse_result({"json": "a"})),
    "a number for json": converse(converse_result({"json": 1})),
    "null for json": converse(converse_result({"json": None})),
    "empty json": converse(converse_result({"json": {}})),
    "NaN": converse(converse_result({"json": {"a": math.nan}})),
    "bytes in json": converse(converse_result({"json": {"a": b"a"}})),
    "a tuple in json": converse(converse_result({"json": {"a": (1,)}})),
    "a number for a key": converse(converse_result({"json": {1: "a"}})),
    "bmp": converse(converse_result(converse_image(format="bmp"))),
    "jpg": converse(converse_result(converse_image(format="jpg"))),
    "PNG": converse(converse_result(converse_image(format="PNG"))),
    "bmp after a result": converse(converse_result(CONVERSE_TEXT), converse_image(format="bmp")),
    "an image without format": converse(converse_result({"image": {"source": {"bytes": b"a"}}})),
    "an image without source": converse(converse_result({"image": {"format": "png"}})),
    "an image with a name": converse(converse_result(converse_image(name="a"))),
    "a source of two": converse(converse_result(converse_image(source={"bytes": b"a", **stored()["source"]}))),
    "an empty source": converse(converse_result(converse_image(source={}))),
    "a URL": converse(converse_result(converse_image(source={"url": WEB}))),
    "no bytes": converse(converse_result(converse_image(source={"bytes": b""}))),
    "base64 text": converse(converse_result(converse_image(source={"bytes": DATA}))),
    "a bytearray": converse(converse_result(converse_image(source={"bytes": bytearray(b"a")}))),
    "an image that is too large": converse(converse_result(converse_image(source={"bytes": bytes(3_750_001)}))),
    "a document that is too large": converse(
        converse_result(CONVERSE_TEXT, converse_document(source={"bytes": bytes(4_500_001)}))
    ),
    "a video that is too large": converse(converse_result(converse_video(source={"bytes": bytes(18_750_000)}))),
    "21 images": converse(converse_result(*(converse_image() for _ in range(21)))),
    "six documents": converse(converse_result(CONVERSE_TEXT, *(converse_document(f"n{n}") for n in range(6)))),
    "six documents in two places": converse(
        converse_result(CONVERSE_TEXT, *(converse_document(f"n{n}") for n in range(5))),
        CONVERSE_TEXT,
        converse_document(),
    ),
    "a web URL for S3": converse(converse_result(converse_image(**stored(WEB)))),
    "a bucket in capitals": converse(converse_result(converse_image(**stored("s3://BUCKET/a")))),
    "a long URL": converse(converse_result(converse_image(**stored("s3://bucket/" + "a" * 1013)))),
    "an owner that is none": converse(converse_result(converse_image(**stored(bucketOwner="me")))),
    "docm": converse(converse_result(CONVERSE_TEXT, converse_document(format="docm"))),
    "a document without a format": converse(
        converse_result(CONVERSE_TEXT, {"document": without(converse_document()["document"], "format")})
    ),
    "a document without a name": converse(
        converse_result(CONVERSE_TEXT, {"document": without(converse_document()["document"], "name")})
    ),
    **{
        f"the name {name[:9]!a}": converse(converse_result(CONVERSE_TEXT, converse_document(name)))
        for name in ("", "a.pdf", "a  b", " a", "a ", "a\tb", "a\u3000b", "a_b", "caf\u00e9", "a'b", "a\n", "n" * 201)
    },
    "one name twice": converse(converse_result(CONVERSE_TEXT, converse_document(), converse_document())),
    "one name in two cases": converse(converse_result(CONVERSE_TEXT, converse_document(), converse_document("A"))),
    "one name in two places": converse(
        converse_result(CONVERSE_TEXT, converse_document()), CONVERSE_TEXT, converse_document()
    ),
    "a document without a text": converse(converse_result(converse_document())),
    "a document without a text after a result": converse(converse_result(CONVERSE_TEXT), converse_document()),
    "avi": converse(converse_result(converse_video(format="avi"))),
    "an image in an error": converse(converse_result(CONVERSE_TEXT, converse_image(), status="error")),
    "a lone surrogate": converse(converse_result({"text": LONE})),
    "NUL": converse(converse_result({"text": NUL})),
}

TABLES = {
    strict.anthropic_messages: (ANTHROPIC_GOOD, ANTHROPIC_BAD),
    strict.openai_chat: (OPENAI_CHAT_GOOD, OPENAI_CHAT_BAD),
    strict.groq_messages: (GROQ_GOOD, GROQ_BAD),
    strict.openrouter_messages: (OPENROUTER_GOOD, OPENROUTER_BAD),
    strict.ollama_chat: (OLLAMA_CHAT_GOOD, OLLAMA_CHAT_BAD),
    strict.mistral_messages: (MISTRAL_GOOD, MISTRAL_BAD),
    strict.cohere_messages: (COHERE_GOOD, COHERE_BAD),
    strict.ollama_messages: (OLLAMA_GOOD, OLLAMA_BAD),
    strict.openai_responses: (RESPONSES_GOOD, RESPONSES_BAD),
    strict.openai_custom_tool: (CUSTOM_GOOD, CUSTOM_BAD),
    strict.bedrock_messages: (BEDROCK_GOOD, BEDROCK_BAD),
    strict.gemini_contents: (GEMINI_GOOD, GEMINI_BAD),
    strict.gemini_interactions: (INTERACTIONS_GOOD, INTERACTIONS_BAD),
}


def rows(column):
    return [
        pytest.param(check, value, id=f"{check.__name__}: {name}")
        for check, tables in TABLES.items()
        for name, value in tables[column].items()
    ]


@pytest.mark.parametrize(("check", "written"), rows(0))
def test_what_a_shape_has_room_for_passes(check, written):
    assert check(written) is None


@pytest.mark.parametrize(("check", "written"), rows(1))
def test_anything_else_is_refused(check, written):
    with pytest.raises((ValidationError, AssertionError)):
        check(written)


# What the client would send as it is; only the walk over its model, or a rule of ours, refuses it
@pytest.mark.parametrize(
    "name",
    [
        'status "ok"',
        "an id of 65 characters",
        "an id with a slash",
        "bmp",
        "jpg",
        "a web URL for S3",
        "an owner that is none",
        "docm",
        "avi",
        "base64 text",
        "a list for json",
        "NaN",
        "one name twice",
        "six documents",
        "an image in an error",
    ],
)
def test_the_validator_of_botocore_is_not_enough(name):
    (message,) = BEDROCK_BAD[name]
    report = strict.ParamValidator().validate(message, strict.BEDROCK.shape_for("Message"))
    assert not report.has_errors()


def test_bytes_are_text_in_json_and_come_back():
    messages = converse(converse_result(converse_image()), CONVERSE_TEXT)
    written = converse(converse_result(converse_image(source={"bytes": "iVBORw=="})), CONVERSE_TEXT)
    assert strict.encoded(messages) == written
    assert strict.decoded(written) == messages


@pytest.mark.parametrize("text", [r"C:\u0000", r"\\u0000", "\\"])
def test_a_backslash_in_a_text_is_not_taken_for_nul(text):
    assert strict.openai_chat([answer(text)]) is None
