"""Messages for Ollama are texts with bare base64 beside them; messages of others are read whole or refused by place."""

from __future__ import annotations

import base64
import copy
import json
from dataclasses import replace

import ollama
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama._client import _copy_messages
from tests.adapters import strict

from toolresult import ContentPart, DecodeError, Request, ToolResult
from toolresult.adapters import CallResult, Kind, Loss, from_ollama, to_ollama
from toolresult.adapters.ollama import LIMITS

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
JPEG = b"\xff\xd8\xff\xe0" + bytes(9)
PNG_64, JPEG_64 = base64.b64encode(PNG).decode(), base64.b64encode(JPEG).decode()
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
PHOTO = ContentPart("image", data=JPEG, mime_type="image/jpeg")
TEXT = ContentPart("text", text="a")
MEDIA = ["inline", "user", "text"]
ABSENT = object()

each_media = pytest.mark.parametrize("media", MEDIA)


def written(*calls, **options):
    messages = to_ollama([*calls], **options)
    strict.ollama_messages(messages)
    return messages


def tool(**fields):
    return {"role": "tool", "tool_call_id": "c1", "tool_name": "f", "content": "a", **fields}


def refusal(items):
    with pytest.raises(DecodeError) as caught:
        from_ollama(items)
    return caught.value.path


# What is written


def test_images_are_bare_base64_beside_the_text():
    result = ToolResult.from_parts([TEXT, IMAGE, ContentPart("text", text="b"), PHOTO])
    assert written(CallResult("c1", result, "f"), on_loss="raise") == [
        {"role": "tool", "tool_call_id": "c1", "content": "a\n\nb", "tool_name": "f", "images": [PNG_64, JPEG_64]}
    ]


# The server's struct: `content` is a string; the client refuses a list and drops an empty text
@each_media
@pytest.mark.parametrize(
    "result",
    [
        ToolResult(),
        ToolResult(" \n"),
        ToolResult.error(""),
        ToolResult("", parts=[IMAGE]),
        ToolResult("\t", True, parts=[IMAGE, PHOTO]),
        ToolResult.json([{"a": 1}]),
        ToolResult.from_parts([TEXT, TEXT, IMAGE]),
    ],
    ids=repr,
)
def test_content_is_a_text_that_says_something(result, media):
    for message in written(("c1", result), media=media):
        assert message["content"].strip()


def test_an_image_alone_is_announced_and_an_error_with_it_is_marked():
    assert written(("c1", ToolResult("", parts=[IMAGE])))[0]["content"] == "[done] The result is attached."
    assert written(("c1", ToolResult("no", True, parts=[IMAGE])))[0]["content"] == "[tool error] no"
    marked = written(("c1", ToolResult("", True, parts=[IMAGE])))[0]["content"]
    assert marked == "[tool error] the tool failed without a message"


# `mllama`: one image in a message, says the server
def test_each_image_has_a_message_of_its_own_if_that_is_asked_for():
    calls = [
        CallResult("c1", ToolResult.ok("a", parts=[IMAGE, PHOTO]), "f"),
        ("c2", ToolResult.error("", parts=[IMAGE])),
    ]
    messages = written(*calls, media="user")
    assert [message["role"] for message in messages] == ["tool", "tool", "user", "user", "user"]
    assert [message.get("images") for message in messages] == [None, None, [PNG_64], [JPEG_64], [PNG_64]]
    assert messages[3]["content"] == "[from tool call f #1] image (image/jpeg, 13 bytes)"
    first, second = from_ollama(messages)
    assert [part.data for part in first.result.content] == [None, PNG, JPEG]
    assert (second.result.is_error, [part.data for part in second.result.content]) == (True, [PNG])


@each_media
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (ContentPart("image", url="https://h.test/a.png?sig=1", mime_type="image/png"), "URLs are not accepted"),
        (ContentPart("image", file_id="file-1"), "file ids are not accepted"),
        (
            ContentPart("image", data=b"RIFF\x16\x00\x00\x00WEBPVP8X", mime_type="image/webp"),
            "image/webp is not accepted",
        ),
        (ContentPart("image", data=b"GIF89a" + bytes(9), mime_type="image/gif"), "image/gif is not accepted"),
        (
            ContentPart("audio", data=b"RIFF\x24\x00\x00\x00WAVEfmt ", mime_type="audio/wav"),
            "audio/wav is not accepted",
        ),
        (ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"), "application/pdf is not accepted"),
    ],
    ids=["URL", "id", "webp", "gif", "audio", "PDF"],
)
def test_what_the_slot_does_not_take_is_left_out(part, reason, media):
    losses: list[Loss] = []
    messages = written(("c1", ToolResult.ok("seen", parts=[part])), media=media, on_loss=losses.append)
    if media == "text" and part.mime_type in (None, "image/png"):
        reason = "image/png is not accepted" if part.mime_type else "image is not accepted"
    assert losses == [Loss("c1", part, reason, "text")]
    assert [message["content"].endswith(f" was left out: {reason}]") for message in messages] == [True]
    assert "images" not in messages[0]
    assert "sig=1" not in json.dumps(messages)


def test_texts_only_are_texts_only():
    losses: list[Loss] = []
    messages = written(("c1", ToolResult.ok("seen", parts=[IMAGE])), media="text", on_loss=losses.append)
    assert [[*message] for message in messages] == [["role", "tool_call_id", "content"]]
    assert [loss.fallback for loss in losses] == ["text"]


# The Python client gives no ids and drops those that it gets
@each_media
def test_a_call_without_id_is_named_by_its_tool_and_position(media):
    shown = ToolResult.from_parts([TEXT, IMAGE])
    calls = [
        CallResult("", ToolResult("x"), "f"),
        CallResult("", shown, "f"),
        CallResult("", shown, None),
        CallResult("c4", shown, "g"),
    ]
    messages = written(*calls, media=media)
    assert ["tool_call_id" in message for message in messages[:4]] == [False, False, False, True]
    if media == "user":
        assert [message["content"].partition("] ")[0] for message in messages[4:]] == [
            "[from tool call f #2",
            "[from tool call call #3",
            "[from tool call g #4",
        ]
    if media != "text":
        assert from_ollama(messages) == calls


@pytest.mark.parametrize("name", ["f", "a.b-c_d", "ns:tool/1", "höhe", "１"])
def test_names_are_written_as_they_are(name):
    for result in (ToolResult("seen"), ToolResult.error("no")):
        assert written(CallResult("c1", result, name))[0]["tool_name"] == name


@pytest.mark.parametrize("name", ["", " ", "a b", "a\n", "\ud800", "\0", "a\u3000b"], ids=ascii)
@pytest.mark.parametrize("result", [ToolResult("seen"), ToolResult.error("no")], ids=["text", "error"])
def test_names_that_are_none_are_refused(name, result):
    with pytest.raises(ValueError, match=r"^results\[0\]\.name: "):
        to_ollama([CallResult("c1", result, name)])


@given(name=st.text(max_size=5), call_id=st.text(max_size=5))
def test_any_name_and_id_are_written_as_they_are_or_refused(name, call_id):
    for result in (ToolResult("seen"), ToolResult.ok("seen", parts=[IMAGE])):
        refused = []
        try:
            messages = written(CallResult(call_id, result, name))
        except ValueError as error:
            messages = []
            refused.append(str(error)[:10])
        assert refused in ([], ["results[0]"])
        assert all((m["tool_name"], m.get("tool_call_id", "")) == (name, call_id) for m in messages)


@pytest.mark.parametrize("call_id", [" ", "a b", "a\n", "é", "\ud800"], ids=ascii)
def test_ids_that_are_none_are_refused(call_id):
    for result in (ToolResult("seen"), ToolResult.error("no")):
        with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
            to_ollama([CallResult(call_id, result, "f")])


def test_a_name_that_is_not_given_is_no_key():
    for result in (ToolResult("seen"), ToolResult.error("no")):
        assert [*written(("c1", result))[0]] == ["role", "tool_call_id", "content"]


@each_media
def test_a_call_that_waits_is_answered(media):
    parked = ToolResult.pending(Request.approval("Delete?", id="r1"))
    messages = written(("c1", parked), media=media, on_pending="placeholder")
    assert from_ollama(messages)[0].result.is_placeholder


# What is read


def test_what_the_client_makes_of_messages_reads_the_same_but_for_ids():
    calls = [
        CallResult("c1", ToolResult.from_parts([TEXT, IMAGE]), "f"),
        CallResult("c2", ToolResult.error("no"), "g"),
    ]
    messages = to_ollama(calls)
    for message in messages:
        if "images" in message:
            message["images"] = [ollama.Image(value=image) for image in message["images"]]
    dumped = [ollama.Message.model_validate(message).model_dump() for message in messages]
    assert from_ollama(dumped) == [call._replace(call_id="") for call in calls]


def test_images_as_bytes_are_read():
    ((_, result, _),) = from_ollama([tool(images=[PNG, JPEG_64])])
    assert result == ToolResult.from_parts([TEXT, IMAGE, PHOTO])


@pytest.mark.parametrize("content", ["", None, ABSENT, "[done] The result is attached."], ids=repr)
def test_an_image_without_text_is_an_image(content):
    item = tool(images=[PNG_64], content=content)
    if content is ABSENT:
        del item["content"]
    assert from_ollama([item])[0].result == ToolResult.from_parts([IMAGE])
    del item["images"]
    is_text = content == "[done] The result is attached."
    assert from_ollama([item])[0].result == (ToolResult(content) if is_text else ToolResult())


def test_bytes_of_no_known_type_are_a_file():
    ((_, result, _),) = from_ollama([tool(content="", images=[base64.b64encode(b"\0\1\2").decode()])])
    assert result.parts == (ContentPart("file", data=b"\0\1\2", mime_type="application/octet-stream"),)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("[tool error] no", ToolResult("no", True)),
        ("[tool error]", ToolResult("", True)),
        ("[tool error]no", ToolResult("[tool error]no")),
        ("[done] The tool returned nothing.", ToolResult()),
    ],
    ids=repr,
)
def test_exactly_the_marker_makes_an_error(text, result):
    assert from_ollama([tool(content=text)]) == [CallResult("c1", result, "f")]


def test_a_conversation_is_read_in_order_and_what_is_no_result_is_passed_over():
    items = [
        {"role": "system", "content": "be nice"},
        {"role": "user", "content": "hi", "images": [PNG_64]},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
        tool(tool_call_id=None),
        {"role": "user", "content": "[from tool call f #2] image", "images": [PNG_64]},
        {"role": "user", "content": "[from tool call f #1] image", "images": None},
        {"role": "user", "content": ["[from tool call f #1] image"], "images": [PNG_64]},
        {"role": "assistant", "content": "[from tool call f #1] image", "images": [PNG_64]},
        tool(content="b", images=[]),
        {},
    ]
    kept = copy.deepcopy(items)
    assert from_ollama(iter(items), on_loss="raise") == [
        CallResult("", ToolResult("a"), "f"),
        CallResult("c1", ToolResult("b"), "f"),
    ]
    assert items == kept
    assert from_ollama([]) == []


def test_calls_without_ids_are_told_apart_by_turns():
    first, second = (
        written(CallResult("", ToolResult.from_parts([TEXT, part]), "f"), media="user") for part in (IMAGE, PHOTO)
    )
    between = [{"role": "assistant", "content": "ok"}]
    found = from_ollama([*first, *between, *second])
    assert [call.result.content[1] for call in found] == [IMAGE, PHOTO]


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (None, ""),
        ("abc", ""),
        ({1: 2}, ""),
        (tool(tool_call_id=5), ".tool_call_id"),
        (tool(tool_name=5), ".tool_name"),
        (tool(content=5), ".content"),
        (tool(content=[{"type": "text", "text": "a"}]), ".content"),
        (tool(content=b"a"), ".content"),
        (tool(images="AAAA"), ".images"),
        (tool(images={"a": 1}), ".images"),
        (tool(images=[PNG_64, None]), ".images[1]"),
        (tool(images=[5]), ".images[0]"),
        (tool(images=[{"value": PNG_64}]), ".images[0]"),
        (tool(images=["!!!"]), ".images[0]"),
        (tool(images=["A"]), ".images[0]"),
        (tool(images=[f"data:image/png;base64,{PNG_64}"]), ".images[0]"),
        (tool(images=["https://h.test/a.png"]), ".images[0]"),
        (tool(images=["é"]), ".images[0]"),
        ({"role": "user", "content": "[from tool call c0] a", "images": ["!"]}, ".images[0]"),
        ({"role": "user", "content": "[from tool call c0] a", "images": 5}, ".images"),
    ],
    ids=lambda value: ascii(value)[:70],
)
def test_what_is_malformed_is_named_by_its_place(item, path):
    assert refusal([tool(tool_call_id="c0"), item]) == f"items[1]{path}"


@pytest.mark.parametrize("items", [None, 5, "abc", b"abc", {}], ids=repr)
def test_items_are_a_list(items):
    assert refusal(items) == "items"


def test_a_call_has_one_result():
    assert refusal([tool(), tool()]) == "items[1].tool_call_id"


ANYTHING = st.recursive(
    st.none()
    | st.integers()
    | st.binary(max_size=3)
    | st.sampled_from(["c1", "f", "tool", "user", PNG_64, "[from tool call c1] a", "[tool error] ", "\ud800", "f #1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "images", "tool_name", "tool_call_id", "tool_calls"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(items=st.lists(ANYTHING, max_size=3), content=ANYTHING, images=ANYTHING, name=ANYTHING)
def test_anything_is_read_or_refused_by_name(items, content, images, name):
    user = {"role": "user", "content": content, "images": images}
    for candidate in (items, [tool(content=content, images=images, tool_name=name), user], [tool(), user]):
        found, paths = [], []
        try:
            found = from_ollama(candidate)
        except DecodeError as error:
            paths.append(error.path)
        assert [path for path in paths if not path.startswith("items")] == []
        assert {type(call.result) for call in found} <= {ToolResult}


# The shape has no place for them, whatever the limits of the caller say
@pytest.mark.parametrize("media", ["inline", "user"])
@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", file_id="file-1", mime_type="image/png"),
        ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),
        ContentPart("image", url="https://h.test/a.png", mime_type="image/png"),
    ],
    ids=lambda part: part.summary(),
)
def test_limits_that_promise_more_than_the_shape_holds_give_no_broken_block(part, media):
    anything = Kind(types=None)
    limits = replace(LIMITS, image=anything, file=anything)
    losses: list[Loss] = []
    written(("c1", ToolResult.ok("a", parts=[part])), media=media, limits=limits, on_loss=losses.append)
    assert [(loss.part, loss.reason, loss.fallback) for loss in losses] == [
        (part, "images are accepted as data only", "text")
    ]


def test_an_id_may_come_again_when_the_model_has_spoken():
    spoken = {"role": "assistant", "content": "ok"}
    first, second = from_ollama([tool(), spoken, tool()])
    assert first == second
    assert refusal([tool(), spoken, tool(), {"role": "user", "content": "hi"}, tool()]) == "items[4].tool_call_id"


class Agreeable:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def test_a_role_that_equals_everything_is_none():
    assert from_ollama([{"role": Agreeable(), "content": [{"type": Agreeable()}], "images": 5}]) == []


def test_images_come_back_from_the_objects_of_the_client():
    calls = [CallResult("c1", ToolResult.from_parts([TEXT, IMAGE]), "f"), CallResult("c2", ToolResult("x"), "g")]
    for media in ("inline", "user"):
        copied = list(_copy_messages(written(*calls, media=media)))
        found = from_ollama(copied)
        assert [(call.name, call.result) for call in found] == [(call.name, call.result) for call in calls]


def test_an_image_does_not_come_to_another_call_where_a_conversation_was_cut():
    calls = [CallResult("", ToolResult.ok("abc"[n], parts=[IMAGE] if n == 1 else []), "f") for n in range(3)]
    messages = written(*calls, media="user")
    for cut in (messages[1:], [{"role": "tool", "content": "denied", "tool_name": "f"}, *messages]):
        found = {call.result.output[0]: call.result for call in from_ollama(cut)}
        assert found["c"] == ToolResult("c")
        assert [part.text for part in found["b"].content] == [found["b"].output]


def test_objects_and_buffers_in_plain_messages_are_read():
    for image in (ollama.Image(value=PNG), PNG, bytearray(PNG), memoryview(PNG), PNG_64):
        (found,) = from_ollama([{"role": "tool", "content": "x", "images": [image]}])
        assert found.result.content[1].data == PNG


class Undumpable:
    def model_dump(self, **_):
        raise RuntimeError("s3cret")


def test_an_image_that_cannot_be_dumped_is_named_by_its_place():
    with pytest.raises(DecodeError, match=r"^items\[0\]\.images\[0\]: cannot be read: RuntimeError$"):
        from_ollama([{"role": "tool", "content": "x", "images": [Undumpable()]}])
