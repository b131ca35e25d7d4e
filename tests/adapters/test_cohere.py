"""Data for Cohere is documents, everything else is text; and messages of others are read whole or refused by place."""

from __future__ import annotations

import base64
import copy
import json
from dataclasses import replace

import pytest
from cohere.types import AssistantChatMessageV2, ToolChatMessageV2
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters import strict

from toolresult import ContentPart, DecodeError, LossError, Request, ToolResult
from toolresult.adapters import CallResult, Kind, Loss, from_cohere, to_cohere
from toolresult.adapters.cohere import LIMITS

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
JPEG = b"\xff\xd8\xff\xe0"
DATA_URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text("ab\u00e9", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\u00e9", max_size=3), inner, max_size=3),
    max_leaves=9,
)
RECORDS = st.lists(st.dictionaries(st.text("ab", max_size=2), JSON, min_size=1, max_size=3), max_size=4)
ABSENT = object()


def content_of(result, **options):
    (message,) = to_cohere([("call_1", result)], **options)
    strict.cohere_messages([message])
    assert {**message, "content": 0} == {"role": "tool", "tool_call_id": "call_1", "content": 0}
    return message["content"]


def document(data, **fields):
    return {"type": "document", "document": {"data": data, **fields}}


def tool(*blocks, call_id="c1", **fields):
    return {"role": "tool", "tool_call_id": call_id, "content": [*blocks], **fields}


def deep(levels):
    value = "leaf"
    for _ in range(levels):
        value = [value]
    return value


def refusal(items):
    with pytest.raises(DecodeError) as caught:
        from_cohere(items)
    return caught.value.path


# What is written


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ({"a": 1}, [document({"a": 1})]),
        ({"a": {"b": [None, 1.5, "c"]}}, [document({"a": {"b": [None, 1.5, "c"]}})]),
        ([{"a": 1}], [document({"a": 1}, id="call_1:0")]),
        ([{"a": 1}, {"b": 2}], [document({"a": 1}, id="call_1:0"), document({"b": 2}, id="call_1:1")]),
        ({"error": "no"}, [document({"error": "no"})]),
        ({}, "{}"),
        ([], "[]"),
        ([{}], "[{}]"),
        ([{"a": 1}, {}], '[{"a":1},{}]'),
        ([{"a": 1}, 2], '[{"a":1},2]'),
        ([[{"a": 1}]], '[[{"a":1}]]'),
        ([1, 2], "[1,2]"),
        (5, "5"),
        (False, "false"),
        ("a", '"a"'),
        ({"a": 2**53 + 1}, '{"a":9007199254740993}'),
    ],
    ids=str,
)
def test_records_are_documents_and_other_data_is_text(value, content):
    assert content_of(ToolResult.json(value)) == content


@pytest.mark.parametrize("text", ['{"a":1}', '[{"a":1}]', "sunny", '{"a"'])
def test_a_text_stays_a_text(text):
    assert content_of(ToolResult(text)) == text


def test_a_text_of_its_own_goes_before_the_data():
    assert content_of(ToolResult.ok("two rows", value=[{"a": 1}, {"a": 2}])) == "two rows"
    assert content_of(ToolResult.ok(value={"a": 1}, parts=[ContentPart("text", text="b")])) == '{"a":1}\n\nb'


# No flag: the marker
@pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}]], ids=str)
def test_an_error_is_text_even_with_data(value):
    text = ToolResult.json(value).output
    assert content_of(ToolResult.error(text, value=value)) == f"[tool error] {text}"
    assert content_of(ToolResult.error("no", value=value)) == "[tool error] no"


def test_data_that_is_over_a_limit_is_left_out():
    losses = []
    content = content_of(
        ToolResult.json([{"a": "b" * 100}]), limits=replace(LIMITS, total_bytes=50), on_loss=losses.append
    )
    assert content.endswith(" was left out: more than 50 bytes in one turn]")
    assert [loss.fallback for loss in losses] == ["text"]


@pytest.mark.parametrize("value", [{"a\0": "\ud800"}, [{"a\0": "\ud800"}]], ids=ascii)
def test_documents_hold_no_lone_surrogates_and_no_nul(value):
    blocks = content_of(ToolResult.json(value))
    assert [block["document"]["data"] for block in blocks] == [{"a\ufffd": "\ufffd"}]


def test_by_default_no_media_are_sent():
    losses: list[Loss] = []
    result = ToolResult.ok("seen", parts=[IMAGE])
    assert content_of(result, on_loss=losses.append) == (
        "seen\n\n[image (image/png, 38 bytes) was left out: image/png is not accepted]"
    )
    assert losses == [Loss("call_1", IMAGE, "image/png is not accepted", "text")]


def test_images_follow_all_results_if_that_is_asked_for():
    url = ContentPart("image", url="https://h.test/a.webp", mime_type="image/webp")
    calls = [
        ("c1", ToolResult.error("no", parts=[IMAGE])),
        ("c2", ToolResult.ok("b", parts=[url])),
        ("c3", ToolResult()),
    ]
    messages = to_cohere(calls, media="user")
    strict.cohere_messages(messages)
    assert [message["role"] for message in messages] == ["tool", "tool", "tool", "user"]
    assert messages[0]["content"] == ("[tool error] no\n\n[image (image/png, 38 bytes) follows after the tool results]")
    assert messages[3]["content"] == [
        {"type": "text", "text": "[from tool call c1] image (image/png, 38 bytes)"},
        {"type": "image_url", "image_url": {"url": DATA_URL}},
        {"type": "text", "text": "[from tool call c2] image (image/webp, h.test/a.webp)"},
        {"type": "image_url", "image_url": {"url": "https://h.test/a.webp"}},
    ]
    first, second, third = (call.result for call in from_cohere(messages))
    assert (first.is_error, first.content) == (True, (ContentPart("text", text="no"), IMAGE))
    assert second.content == (ContentPart("text", text="b"), replace(url, mime_type=None))
    assert third == ToolResult()


# Docs, Command A Vision: twenty images in a request
def test_twenty_images():
    losses: list[Loss] = []
    to_cohere([("c1", ToolResult.ok("", parts=[IMAGE] * 21))], media="user", on_loss=losses.append)
    assert [loss.reason for loss in losses if loss.fallback == "text"] == ["more than 20 of its kind in one turn"]


@pytest.mark.parametrize("media", ["text", "user"])
@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", data=b"GIF89a" + bytes(9), mime_type="image/gif"),
        ContentPart("image", file_id="file-1"),
        ContentPart("audio", data=b"RIFF\x24\x00\x00\x00WAVEfmt ", mime_type="audio/wav"),
        ContentPart("video", url="https://h.test/a.mp4", mime_type="video/mp4"),
        ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),
    ],
    ids=lambda part: f"{part.mime_type} {part.url or part.file_id}",
)
def test_what_no_message_has_room_for_is_left_out(part, media):
    losses: list[Loss] = []
    content = content_of(ToolResult.ok("seen", parts=[part]), media=media, on_loss=losses.append)
    assert [(loss.part, loss.fallback) for loss in losses] == [(part, "text")]
    assert content.endswith(f" was left out: {losses[0].reason}]")


@pytest.mark.parametrize("call_id", ["", "a b", "a\n", "é"], ids=ascii)
def test_an_id_that_no_call_has_is_refused(call_id):
    for result in (ToolResult("seen"), ToolResult.json({"a": 1})):
        with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
            to_cohere([(call_id, result)])


def test_a_call_that_waits_is_answered():
    parked = ToolResult.pending(Request.approval("Delete?", id="r1"))
    messages = to_cohere([("c1", parked)], on_pending="placeholder")
    strict.cohere_messages(messages)
    assert from_cohere(messages)[0].result.is_placeholder


# What is written reads back


@given(value=RECORDS | JSON.filter(lambda value: value is not None))
def test_data_is_read_back_as_it_was(value):
    result = ToolResult.json(value)
    ((call_id, read, name),) = from_cohere(json.loads(json.dumps(to_cohere([("c1", result)]))))
    assert (call_id, name, read.output) == ("c1", None, result.output)
    if isinstance(value, dict) and value:
        assert read == result
    if isinstance(value, list) and value and all(isinstance(record, dict) and record for record in value):
        assert read == result


def test_what_was_read_is_written_the_same():
    for value in ({"a": 1}, [{"a": 1}], [{"a": 1}, {"b": [2]}]):
        messages = to_cohere([("c1", ToolResult.json(value))])
        assert to_cohere(from_cohere(messages)) == messages


def test_documents_of_others_are_read():
    text = {"type": "text", "text": "a"}
    for blocks, result in (
        ([document({"a": 1})], ToolResult.json({"a": 1})),
        ([document({"a": 1}, id="7")], ToolResult.json({"a": 1})),
        ([document({"a": 1}, id="c1:0")], ToolResult.json([{"a": 1}])),
        ([document({"a": 1}, id="c1:1")], ToolResult.json({"a": 1})),
        ([document({"a": 1}), document({"b": 2})], ToolResult.json([{"a": 1}, {"b": 2}])),
        ([document({})], ToolResult.json({})),
        ([document('{"a": 1}')], ToolResult('{"a": 1}')),
        ([text], ToolResult("a")),
        ([], ToolResult()),
    ):
        assert from_cohere([tool(*blocks)]) == [CallResult("c1", result)]
    ((_, mixed, _),) = from_cohere([tool(text, document({"a": 1}), document({"b": 2}))])
    assert [(part.text, part.mime_type) for part in mixed.parts] == [
        ("a", None),
        ('{"a":1}', "application/json"),
        ('{"b":2}', "application/json"),
    ]


@pytest.mark.parametrize("content", [None, ABSENT, ""], ids=["null", "missing", "empty"])
def test_a_message_without_content_is_an_empty_result(content):
    item = tool()
    item["content"] = content
    if content is ABSENT:
        del item["content"]
    assert from_cohere([item]) == [CallResult("c1", ToolResult())]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("[tool error] no", ToolResult("no", True)),
        ("[tool error]", ToolResult("", True)),
        ("[tool error]no", ToolResult("[tool error]no")),
        ('{"error":"no"}', ToolResult('{"error":"no"}')),
        ("[done] The tool returned nothing.", ToolResult()),
    ],
    ids=repr,
)
def test_exactly_the_marker_makes_an_error(text, result):
    for content in (text, [{"type": "text", "text": text}]):
        assert from_cohere([{**tool(), "content": content}]) == [CallResult("c1", result)]


def test_images_and_unknown_blocks_of_others_are_kept():
    losses: list[Loss] = []
    blocks = [{"type": "image_url", "image_url": {"url": DATA_URL}}, {"type": "hologram", "a": 1}]
    ((_, result, _),) = from_cohere([tool(*blocks)], on_loss=losses.append)
    assert result.parts[0] == IMAGE
    assert result.parts[1].raw == blocks[1]
    assert losses == [Loss("c1", result.parts[1], "is of a kind that is not known", "raw")]
    with pytest.raises(LossError):
        from_cohere([tool(*blocks)], on_loss="raise")
    wrong = {"type": "image_url", "image_url": {"url": DATA_URL.replace("png", "jpeg", 1)}}
    losses.clear()
    from_cohere([tool(wrong)], on_loss=losses.append)
    assert [loss.fallback for loss in losses] == ["relabelled"]
    json_file = {"type": "image_url", "image_url": {"url": "data:application/json;base64,e30="}}
    ((_, result, _),) = from_cohere([tool(json_file)])
    assert result.parts == (ContentPart("file", data=b"{}", mime_type="application/json"),)


def test_a_conversation_is_read_in_order_and_what_is_no_result_is_passed_over():
    items = [
        {"role": "system", "content": "be nice"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]},
        tool(document({"a": 1})),
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": DATA_URL}}, "hi", 5]},
        tool({"type": "text", "text": "b"}, call_id="c2"),
        {},
    ]
    kept = copy.deepcopy(items)
    assert from_cohere(iter(items), on_loss="raise") == [
        CallResult("c1", ToolResult.json({"a": 1})),
        CallResult("c2", ToolResult("b")),
    ]
    assert items == kept
    assert from_cohere([]) == []


# Malformed


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (None, ""),
        ("abc", ""),
        ({1: 2}, ""),
        ({**tool(), "tool_call_id": 5}, ".tool_call_id"),
        ({**tool(), "tool_call_id": None}, ".tool_call_id"),
        ({"role": "tool", "content": "a"}, ".tool_call_id"),
        ({**tool(), "content": 5}, ".content"),
        ({**tool(), "content": {"a": 1}}, ".content"),
        ({**tool(), "content": b"a"}, ".content"),
        (tool("a"), ".content[0]"),
        (tool(document({"a": 1}), None), ".content[1]"),
        (tool({}), ".content[0]"),
        (tool({"type": "text"}), ".content[0].text"),
        (tool({"type": "text", "text": 5}), ".content[0].text"),
        (tool({"type": "document"}), ".content[0].document"),
        (tool({"type": "document", "document": "a"}), ".content[0].document"),
        (tool({"type": "document", "document": {}}), ".content[0].document.data"),
        (tool(document(None)), ".content[0].document.data"),
        (tool(document([1])), ".content[0].document.data"),
        (tool(document(5)), ".content[0].document.data"),
        (tool(document({1: 2})), ".content[0].document.data"),
        (tool(document({"a": 1}), document({"a": object()})), ".content[1].document.data"),
        (tool({"type": "image_url"}), ".content[0].image_url"),
        (tool({"type": "image_url", "image_url": "https://h.test"}), ".content[0].image_url"),
        (tool({"type": "image_url", "image_url": {"url": 5}}), ".content[0].image_url.url"),
        (tool({"type": "image_url", "image_url": {"url": "a.png"}}), ".content[0].image_url.url"),
        (tool({"type": "image_url", "image_url": {"url": "data:image/png;base64,!"}}), ".content[0].image_url.url"),
    ],
    ids=lambda value: ascii(value)[:70],
)
def test_what_is_malformed_is_named_by_its_place(item, path):
    assert refusal([tool(call_id="c0"), item]) == f"items[1]{path}"


@pytest.mark.parametrize("items", [None, 5, "abc", b"abc", {}], ids=repr)
def test_items_are_a_list(items):
    assert refusal(items) == "items"


def test_a_call_has_one_result():
    assert refusal([tool(), tool()]) == "items[1].tool_call_id"


@pytest.mark.parametrize(
    ("levels", "id", "path"),
    [
        (98, "7", "items[0]"),
        (97, "c1:0", "items[0]"),
        (100, "7", "items[0].content[0].document.data"),
        (100, "c1:0", "items[0].content[0].document.data"),
        (100_000, "7", "items[0].content[0].document.data"),
    ],
)
def test_data_that_is_nested_too_deep_is_named_by_its_place(levels, id, path):
    assert refusal([tool(document({"a": deep(levels)}, id=id))]) == path
    assert "leaf" in from_cohere([tool(document({"a": deep(96)}, id=id))])[0].result.output


ANYTHING = st.recursive(
    st.none()
    | st.integers()
    | st.binary(max_size=3)
    | st.sampled_from(["c1", "text", "document", "tool", DATA_URL, "[from tool call c1] a", "\ud800", "c1:0"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "document", "data", "id", "image_url", "url", "role", "content"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(blocks=st.lists(ANYTHING, max_size=3), items=st.lists(ANYTHING, max_size=3), data=ANYTHING, id=ANYTHING)
def test_anything_is_read_or_refused_by_name(blocks, items, data, id):
    for candidate in (items, [tool(*blocks), {"role": "user", "content": blocks}], [tool(document(data, id=id))]):
        found, paths = [], []
        try:
            found = from_cohere(candidate)
        except DecodeError as error:
            paths.append(error.path)
        assert [path for path in paths if not path.startswith("items")] == []
        assert {type(call.result) for call in found} <= {ToolResult}


# The shape has no place for them, whatever the limits of the caller say


@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", file_id="file-1", mime_type="image/png"),
        ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf"),
    ],
    ids=lambda part: part.summary(),
)
def test_limits_that_promise_more_than_the_shape_holds_give_no_broken_block(part):
    anything = Kind(types=None)
    limits = replace(LIMITS, image=anything, file=anything)
    losses: list[Loss] = []
    content_of(ToolResult.ok("a", parts=[part]), media="user", limits=limits, on_loss=losses.append)
    assert [(loss.part, loss.reason, loss.fallback) for loss in losses] == [
        (part, "images are accepted as data or by URL only", "text")
    ]


def test_an_id_may_come_again_when_the_model_has_spoken():
    spoken = {"role": "assistant", "content": "ok"}
    first, second = from_cohere([tool(), spoken, tool()])
    assert first == second
    assert refusal([tool(), spoken, tool(), {"role": "user", "content": "hi"}, tool()]) == "items[4].tool_call_id"


class Agreeable:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def test_a_role_that_equals_everything_is_none():
    assert from_cohere([{"role": Agreeable(), "content": [{"type": Agreeable()}], "images": 5}]) == []


def test_a_block_whose_type_equals_everything_is_of_an_unknown_kind():
    ((_, result, _),) = from_cohere([tool({"type": Agreeable(), "a": 1})])
    assert result.parts[0].raw["a"] == 1


@pytest.mark.parametrize("message", [ToolChatMessageV2, AssistantChatMessageV2], ids=lambda model: model.__name__)
def test_objects_of_the_client_stand_in_a_conversation(message):
    written = to_cohere([("c1", ToolResult.json([{"a": 1}]))])[0]
    item = message.model_validate(written if message is ToolChatMessageV2 else {"role": "assistant", "content": "ok"})
    assert [call.result for call in from_cohere([item])] == (
        [ToolResult.json([{"a": 1}])] if message is ToolChatMessageV2 else []
    )
