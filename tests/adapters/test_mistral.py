"""What Mistral refuses is never sent to it: ids, names, chunks and the order of roles."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mistralai.client.models import ImageURL
from tests.adapters import strict

from toolresult import ContentPart, Request, ToolResult
from toolresult.adapters import CallResult, Kind, Loss, from_mistral, to_mistral
from toolresult.adapters.mistral import LIMITS

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
ID = "Kd7fQ2mZ1"
DATA_URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
OTHERS = [
    ContentPart("image", data=b"GIF89a" + bytes(9), mime_type="image/gif"),
    ContentPart("image", file_id="file-1", metadata={"provider": "mistral"}),
    ContentPart("audio", data=b"RIFF\x24\x00\x00\x00WAVEfmt ", mime_type="audio/wav"),
    ContentPart("video", url="https://h.test/a.mp4", mime_type="video/mp4"),
    ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),
    ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf"),
    ContentPart("file", file_id="file-1", mime_type="application/pdf"),
]
MEDIA = ["text", "inline", "user"]

each_media = pytest.mark.parametrize("media", MEDIA)


def shown(text="seen", **options):
    return ToolResult.ok(text, parts=[IMAGE], **options)


# eca#233, karthink/gptel#1203, jackmpcollins/magentic#276, anomalyco/opencode#3080
@pytest.mark.parametrize(
    "call_id",
    ["", "a" * 8, "a" * 10, "call_0001", "toolu_01AbC", "call-0001", "12345678\n", "é" * 9, "１" * 9, " 23456789"],
    ids=ascii,
)
@pytest.mark.parametrize("result", [ToolResult(), ToolResult("seen"), shown()], ids=["nothing", "text", "image"])
def test_tool_call_id_must_be_a_z_a_z_0_9_with_a_length_of_9(call_id, result):
    with pytest.raises(ValueError, match=r"^results\[1\]\.call_id: ") as refusal:
        to_mistral([(ID, result), (call_id, result)])
    assert not call_id.strip() or call_id not in str(refusal.value)


@given(call_id=st.text(max_size=12) | st.from_regex(r"[a-zA-Z0-9]{8,10}", fullmatch=True))
def test_an_id_is_taken_as_it_is_or_refused(call_id):
    try:
        (message,) = to_mistral([(call_id, ToolResult("seen"))])
    except ValueError:
        assert not re.fullmatch("[a-zA-Z0-9]{9}", call_id)
    else:
        assert message["tool_call_id"] == call_id
        strict.mistral_messages([message])


# mistral-common: a name, if there is one, is checked
@pytest.mark.parametrize("name", ["", "a.b", "a b", "a/b", "é", "ａ", "a" * 65, "a\n", "'a'", '"', "\ud800"], ids=ascii)
@pytest.mark.parametrize("result", [ToolResult("seen"), shown()], ids=["text", "image"])
def test_a_name_of_another_form_is_refused(name, result):
    with pytest.raises(ValueError, match=r"^results\[0\]\.name: "):
        to_mistral([(ID, result, name)])


HOSTILE = st.sampled_from(["a\u3000b", "a.b", "a'b", '"', "x" * 300, "", "a (1)", "A", "a", "résumé", "..", "a\x00"])


@given(names=st.lists(HOSTILE | st.text(max_size=5) | st.from_regex(r"[\w.-]{1,66}", fullmatch=True), max_size=3))
def test_a_name_is_taken_as_it_is_or_refused(names):
    calls = [CallResult(f"call0000{n}", ToolResult("seen"), name) for n, name in enumerate(names)]
    shown_too = [call._replace(result=shown()) for call in calls]
    try:
        messages = to_mistral(calls)
    except ValueError:
        assert not all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
        with pytest.raises(ValueError, match="name: "):
            to_mistral(shown_too)
    else:
        assert [message["name"] for message in messages] == names
        strict.mistral_messages(messages)
        strict.mistral_messages(to_mistral(shown_too, media="user"))


# LostRuins/koboldcpp#2374
@pytest.mark.parametrize("media", ["inline", "user"])
def test_a_type_in_capitals_is_written_in_small_letters(media):
    part = ContentPart("image", data=b"\xff\xd8\xff\xe0", mime_type="image/JPEG")
    messages = to_mistral([(ID, ToolResult.ok("a", parts=[part]))], media=media)
    url = "data:image/jpeg;base64,/9j/4A=="
    assert messages[-1]["content"][1] == {"type": "image_url", "image_url": url}


@pytest.mark.parametrize("name", ["a", "a-b_C9", "-", "9", "a" * 64])
def test_a_name_is_written_as_it_is(name):
    for result in (ToolResult("seen"), ToolResult.error("no")):
        (message,) = to_mistral([(ID, result, name)])
        strict.mistral_messages([message])
        assert message["name"] == name


def test_no_name_is_no_key():
    for result in (ToolResult("seen"), ToolResult.error("no")):
        (message,) = to_mistral([(ID, result)])
        assert [*message] == ["role", "tool_call_id", "content"]


# "Unexpected role 'user' after role 'tool'": datapizza-labs/datapizza-ai#98, BerriAI/litellm#6323
def test_unexpected_role_user_after_role_tool():
    calls = [(ID, shown()), ("2" * 9, ToolResult()), ("3" * 9, ToolResult.error("no", parts=[IMAGE]))]
    for media in ("text", "inline"):
        assert [message["role"] for message in to_mistral(calls, media=media)] == ["tool"] * 3
    messages = to_mistral(calls, media="user")
    strict.mistral_messages(messages)
    assert [message["role"] for message in messages] == ["tool", "tool", "tool", "assistant", "user"]
    assert [*messages[3]] == ["role", "content"]


@pytest.mark.parametrize("result", [ToolResult(), ToolResult("seen"), ToolResult.ok("", parts=OTHERS)], ids=str)
def test_the_assistant_speaks_only_if_media_follow(result):
    assert [message["role"] for message in to_mistral([(ID, result)], media="user")] == ["tool"]


# "Not the same number of function calls and responses"; from v13 on, no id twice: mistral-common
@each_media
def test_there_is_a_message_for_each_result(media):
    calls = [(f"call0000{n}", result) for n, result in enumerate([ToolResult(), shown(), ToolResult.error("")])]
    ids = [message["tool_call_id"] for message in to_mistral(calls, media=media) if message["role"] == "tool"]
    assert ids == [call_id for call_id, _ in calls]
    with pytest.raises(ValueError, match=r"^results\[1\]\.call_id: "):
        to_mistral([(ID, shown()), (ID, shown())], media=media)


# "Unexpected content chunk types in tool message", before tokenizer v15: mistral-common
@pytest.mark.parametrize("media", ["text", "user"])
def test_unexpected_content_chunk_types_in_tool_message(media):
    messages = to_mistral([(ID, ToolResult.error("no", parts=[IMAGE, *OTHERS]))], media=media)
    assert messages[0]["content"].startswith("[tool error] no\n\n[image")


# From v15 on, text and images; of documents, files and audio nothing is known
@each_media
@pytest.mark.parametrize("part", OTHERS, ids=lambda part: f"{part.mime_type} {part.url or part.file_id}")
def test_what_is_not_known_to_be_taken_is_left_out(media, part):
    losses = []
    messages = to_mistral([(ID, ToolResult.ok("seen", parts=[part]))], media=media, on_loss=losses.append)
    strict.mistral_messages(messages)
    assert [(type(message["content"]), message["role"]) for message in messages] == [(str, "tool")]
    assert [(loss.part, loss.fallback) for loss in losses] == [(part, "text")]
    assert f"was left out: {losses[0].reason}]" in messages[0]["content"]


def test_images_stand_in_a_tool_message_that_may_hold_them():
    url = ContentPart("image", url="https://h.test/a.png?b=1", mime_type="image/png")
    result = ToolResult.error("", parts=[IMAGE, ContentPart("text", text="between"), url])
    messages = to_mistral([(ID, result)], media="inline", on_loss="raise")
    strict.mistral_messages(messages)
    assert messages[0]["content"] == [
        {"type": "text", "text": "[tool error]"},
        {"type": "image_url", "image_url": DATA_URL},
        {"type": "text", "text": "between"},
        {"type": "image_url", "image_url": "https://h.test/a.png?b=1"},
    ]
    ((_, read, _),) = from_mistral(messages)
    assert (read.is_error, [part.type for part in read.content]) == (True, ["image", "text", "image"])


# Unconfirmed: eight images of 10 MB in a request
@pytest.mark.parametrize("media", ["inline", "user"])
def test_eight_images_of_ten_megabytes(media):
    losses: list[Loss] = []
    to_mistral([(ID, ToolResult.ok("", parts=[IMAGE] * 9))], media=media, on_loss=losses.append)
    assert [loss.reason for loss in losses if loss.fallback == "text"] == ["more than 8 of its kind in one turn"]
    losses.clear()
    large = ContentPart("image", data=PNG + bytes(7_500_000), mime_type="image/png")
    to_mistral([(ID, ToolResult.ok("", parts=[large]))], media=media, on_loss=losses.append)
    assert [loss.reason for loss in losses] == ["larger than 10000000 base64 characters"]


@each_media
@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u2003"], ids=ascii)
@pytest.mark.parametrize("make", [ToolResult.ok, ToolResult.error])
def test_no_content_is_empty(make, text, media):
    parts = [ContentPart("text", text=text)]
    for result in (make(text), make(text, parts=parts), make(text, parts=[*parts, IMAGE])):
        strict.mistral_messages(to_mistral([(ID, result)], media=media))


@each_media
def test_a_call_that_waits_is_answered(media):
    parked = ToolResult.pending(Request.approval("Delete?", id="r1"))
    messages = to_mistral([(ID, parked)], media=media, on_pending="placeholder")
    strict.mistral_messages(messages)
    assert from_mistral(messages)[0].result.is_placeholder


@pytest.mark.parametrize("media", ["inline", "user"])
def test_what_is_written_reads_back_with_its_name(media):
    calls = [
        CallResult(ID, ToolResult.from_parts([ContentPart("text", text="a"), IMAGE]), "draw"),
        CallResult("2" * 9, ToolResult.error("no"), None),
    ]
    assert from_mistral(to_mistral(calls, media=media)) == calls


@pytest.mark.parametrize("content", [None, "", []], ids=repr)
def test_a_message_without_content_is_an_empty_result(content):
    item = {"role": "tool", "tool_call_id": ID, "content": content, "name": None}
    assert from_mistral([item]) == [CallResult(ID, ToolResult())]
    del item["content"]
    assert from_mistral([item]) == [CallResult(ID, ToolResult())]


# The shape has no place for them, whatever the limits of the caller say
@pytest.mark.parametrize("media", ["inline", "user"])
@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", file_id="file-1", mime_type="image/png"),
        ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),
    ],
    ids=lambda part: part.summary(),
)
def test_limits_that_promise_more_than_the_shape_holds_give_no_broken_block(part, media):
    anything = Kind(types=None)
    limits = replace(LIMITS, image=anything, file=anything)
    losses: list[Loss] = []
    (message,) = to_mistral([(ID, ToolResult.ok("a", parts=[part]))], media=media, limits=limits, on_loss=losses.append)
    strict.mistral_messages([message])
    assert [(loss.part, loss.reason, loss.fallback) for loss in losses] == [
        (part, "images are accepted as data or by URL only", "text")
    ]


def test_an_object_of_the_client_in_a_plain_message_is_read():
    block = {"type": "image_url", "image_url": ImageURL(url="https://h.test/a")}
    (found,) = from_mistral([{"role": "tool", "tool_call_id": "abcdefghi", "content": [block]}])
    assert found.result.parts == (ContentPart("image", url="https://h.test/a"),)
