"""Ways in which results have gone wrong on their way to a model provider, each with its smallest trigger."""

from __future__ import annotations

import base64
import copy
import json
import re
from dataclasses import replace

import mcp_types
import pytest
from tests.adapters import seeing
from tests.adapters.strict import bedrock_messages, encoded

from toolresult import ContentPart, LossError, Request, ToolResult
from toolresult.adapters import (
    CallResult,
    Loss,
    from_anthropic,
    from_bedrock,
    from_cohere,
    from_gemini,
    from_gemini_interactions,
    from_mistral,
    from_ollama,
    from_openai_chat,
    from_openai_responses,
    to_anthropic,
    to_bedrock,
    to_gemini,
    to_gemini_interactions,
    to_ollama,
    to_openai_chat,
    to_openai_responses,
)
from toolresult.adapters.gemini import LIMITS

BOTH_WAYS = {
    to_anthropic: from_anthropic,
    to_bedrock: from_bedrock,
    to_openai_chat: from_openai_chat,
    to_openai_responses: from_openai_responses,
    to_gemini: from_gemini,
    to_gemini_interactions: from_gemini_interactions,
    seeing.to_mistral: from_mistral,
    seeing.to_cohere: from_cohere,
    to_ollama: from_ollama,
}
HOLDING = {
    from_anthropic: lambda block: {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [block]}],
    },
    from_bedrock: lambda block: {
        "role": "user",
        "content": [{"toolResult": {"toolUseId": "c1", "content": [block]}}],
    },
    from_openai_chat: lambda block: {"role": "tool", "tool_call_id": "c1", "content": [block]},
    from_openai_responses: lambda block: {"type": "function_call_output", "call_id": "c1", "output": [block]},
    from_gemini_interactions: lambda block: {"type": "function_result", "call_id": "c1", "result": [block]},
    from_mistral: lambda block: {"role": "tool", "tool_call_id": "c1", "content": [block]},
    from_cohere: lambda block: {"role": "tool", "tool_call_id": "c1", "content": [block]},
}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(61)
PNG_64 = base64.b64encode(PNG).decode()
PDF = b"%PDF-1.7\n"
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
NOTE = "[image (image/png, 69 bytes) follows after the tool results]"

all_adapters = pytest.mark.parametrize("to", [*BOTH_WAYS], ids=lambda to: to.__name__)


def one(result):
    return [CallResult("c1", result, "tool")]


# anomalyco/opencode#28859, #28861
def test_a_picture_is_a_block_and_no_json_in_a_text():
    result = ToolResult.from_parts([ContentPart("text", text="shot"), IMAGE])
    assert to_openai_responses(one(result)) == [
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": [
                {"type": "input_text", "text": "shot"},
                {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PNG_64}"},
            ],
        }
    ]
    source = {"type": "base64", "media_type": "image/png", "data": PNG_64}
    content = [{"type": "text", "text": "shot"}, {"type": "image", "source": source}]
    (message,) = to_anthropic(one(result))
    assert message["content"] == [{"type": "tool_result", "tool_use_id": "c1", "content": content}]


# anomalyco/opencode#28859
@all_adapters
def test_the_payload_stands_once_in_what_is_sent(to):
    assert (
        json.dumps(encoded(to(one(ToolResult.from_parts([ContentPart("text", text="shot"), IMAGE]))))).count(PNG_64)
        == 1
    )


# apache/maka#5277, FoundationAgents/OpenManus#1062, MayDay-wpf/snow-app#132
def test_a_tool_message_of_openai_holds_text_and_a_pointer():
    image_url = {"url": f"data:image/png;base64,{PNG_64}"}
    assert to_openai_chat(one(ToolResult.ok("done", parts=[IMAGE]))) == [
        {"role": "tool", "tool_call_id": "c1", "content": f"done\n\n{NOTE}"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "[from tool call c1] image (image/png, 69 bytes)"},
                {"type": "image_url", "image_url": image_url},
            ],
        },
    ]


# HKUDS/nanobot#4542
@all_adapters
def test_a_block_of_an_unknown_kind_is_named_and_kept_from_the_model(to):
    part = ContentPart("hologram", raw={"type": "hologram", "data": "QUJD" * 5000})
    losses = []
    items = to(one(ToolResult.ok("done", parts=[part])), on_loss=losses.append)
    assert "hologram (unknown kind) was left out: its kind is not known here" in json.dumps(items)
    assert "QUJD" not in json.dumps(items)
    assert losses == [Loss("c1", part, "its kind is not known here", "text")]


# HKUDS/nanobot#4542
@pytest.mark.parametrize("read", [*HOLDING], ids=lambda read: read.__name__)
def test_a_block_of_an_unknown_kind_is_kept_as_it_was_read(read):
    block = {"type": "hologram", "data": "QUJD" * 5000}
    losses = []
    (call,) = read([HOLDING[read](block)], on_loss=losses.append)
    part = ContentPart("hologram", raw=block)
    assert call.result == ToolResult("hologram (unknown kind)", parts=[part])
    assert losses == [Loss("c1", part, "is of a kind that is not known", "raw")]


# InsForge/InsForge#1788
def test_a_text_is_a_plain_string():
    for result in (ToolResult("done"), ToolResult.from_parts([ContentPart("text", text="done")])):
        assert to_openai_chat(one(result)) == [{"role": "tool", "tool_call_id": "c1", "content": "done"}]
        assert seeing.to_mistral(one(result)) == [
            {"role": "tool", "tool_call_id": "c1", "content": "done", "name": "tool"}
        ]
        assert seeing.to_cohere(one(result)) == [{"role": "tool", "tool_call_id": "c1", "content": "done"}]
        assert to_ollama(one(result)) == [
            {"role": "tool", "tool_call_id": "c1", "content": "done", "tool_name": "tool"}
        ]
        assert to_openai_responses(one(result))[0]["output"] == "done"
        assert to_anthropic(one(result))[0]["content"][0]["content"] == "done"
        assert to_gemini_interactions(one(result))[0]["result"] == "done"


# LostRuins/koboldcpp#2374
def test_a_type_in_capitals_is_written_in_small_letters_and_in_the_shape_of_the_receiver():
    jpeg = b"\xff\xd8\xff\xe0" + bytes(9)
    part = ContentPart("image", data=jpeg, mime_type="image/JPEG")
    _, follows = to_openai_chat(one(ToolResult.ok("done", parts=[part])))
    url = f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
    assert follows["content"][1] == {"type": "image_url", "image_url": {"url": url}}


# bytedance/trae-agent#231
@all_adapters
def test_an_error_without_text_says_that_it_has_none(to):
    text = json.dumps(to(one(ToolResult.error(""))))
    assert "the tool failed without a message" in text


# earendil-works/pi#9395, brightwave-inc/tidebreak#1308, kekzl/imp#1557
def test_the_marker_of_an_error_is_added_once_and_read_back():
    result = ToolResult.error("blocked by rule")
    for _ in range(3):
        messages = to_openai_chat(one(result))
        assert messages == [{"role": "tool", "tool_call_id": "c1", "content": "[tool error] blocked by rule"}]
        ((_, result, _),) = from_openai_chat(messages)
        assert result == ToolResult.error("blocked by rule")
    assert to_openai_chat(one(ToolResult("fine")))[0]["content"] == "fine"


# microsoft/autogen#7428, sgl-project/sglang#32610, appstrate/appstrate#1490, elizaOS/eliza#30037
@pytest.mark.parametrize("parts", [(), (IMAGE,)], ids=["text", "picture"])
@pytest.mark.parametrize("is_error", [True, False])
@pytest.mark.parametrize("second", [*BOTH_WAYS], ids=lambda to: to.__name__)
@all_adapters
def test_the_flag_survives_from_every_shape_to_every_other(to, second, is_error, parts):
    result = ToolResult("text", is_error, parts=parts)
    for write in (to, second):
        (call,) = BOTH_WAYS[write](write(one(result)))
        result = call.result
    assert result.is_error is is_error
    assert "[tool error]" not in result.output
    assert [part for part in result.content if part.data] == [*parts]


# microsoft/autogen#7428
@pytest.mark.parametrize("is_error", [True, False])
def test_an_mcp_result_keeps_its_flag(is_error):
    content = [mcp_types.TextContent(text="no", type="text")]
    result = ToolResult.of(mcp_types.CallToolResult(content=content, is_error=is_error))
    (block,) = to_anthropic(one(result))[0]["content"]
    assert block.get("is_error") is (True if is_error else None)


# latitude-dev/latitude-llm#810, ravitemer/mcphub.nvim#132
def test_a_tool_that_returns_nothing_says_so():
    assert ToolResult.of(None) == ToolResult()
    assert to_openai_chat(one(ToolResult.of(None))) == [
        {"role": "tool", "tool_call_id": "c1", "content": "[done] The tool returned nothing."}
    ]


# NousResearch/hermes-agent#46809, aws-samples/generative-ai-use-cases#1685
@all_adapters
def test_white_space_is_no_text(to):
    parts = [ContentPart("text", text=" \t"), IMAGE]
    for result in (
        ToolResult.error("   \n"),
        ToolResult(" "),
        ToolResult("\n", parts=parts),
        ToolResult("\n", True, parts=parts),
    ):
        assert [text for text in strings(to(one(result))) if not text.strip()] == []


# 1024XEngineer/neo-code#233
@all_adapters
def test_metadata_never_reaches_a_model(to):
    secret = {"rows": "secret_1", "cost": {"secret_2": 3}}
    part = ContentPart("text", text="a", metadata={"annotations": {"secret_3": 1}, "mcp": "secret_4"})
    image = replace(IMAGE, metadata={"x": "secret_5"})
    for result in (
        ToolResult.ok("", metadata=secret),
        ToolResult.ok("", parts=[part, image], metadata=secret),
        ToolResult.error("no", metadata=secret, code="secret_6", value={"secret_7": 1}),
    ):
        assert "secret" not in json.dumps(encoded(to(one(result))))


# apify/apify-client-python#87, getsentry/sentry#1979, djc/couchdb-python#32
@all_adapters
def test_no_number_is_sent_that_json_has_no_word_for(to):
    result = ToolResult.of({"m": float("nan"), "p": float("inf"), "n": [float("-inf"), 1.5]})
    text = json.dumps(to(one(result)), allow_nan=False)
    assert re.sub(r"[\\ ]", "", '{"m":null,"p":null,"n":[null,1.5]}') in re.sub(r"[\\ ]", "", text)


# pydantic/pydantic-ai#8388
def test_a_type_that_nobody_knows_matters_only_where_one_is_needed():
    part = ContentPart("image", url="https://h.test/get?id=1")
    url_source = {"type": "url", "url": "https://h.test/get?id=1"}
    result = ToolResult.ok("seen", parts=[part])
    assert to_anthropic(one(result), on_loss="raise")[0]["content"][0]["content"][1]["source"] == url_source
    losses = []
    to_gemini(one(result), on_loss=losses.append)
    assert [loss.fallback for loss in losses] == ["text"]


# google/virtual-broadcast-production-assistant#24, vercel/ai#3589, AstrBotDevs/AstrBot#7216, 0xPlaygrounds/rig#515
@pytest.mark.parametrize("text", ["sunny", "[1,2]", "42", '{"t":1}', "null"])
def test_a_response_of_gemini_is_an_object_and_text_stays_text(text):
    assert response_of(ToolResult(text)) == {"output": text}
    assert response_of(ToolResult.error(text)) == {"error": text}


def test_data_for_gemini_is_data():
    assert response_of(ToolResult.json({"t": 1})) == {"output": {"t": 1}}
    assert response_of(ToolResult.json([1, {"error": 2}])) == {"output": [1, {"error": 2}]}
    assert response_of(ToolResult.ok("edited", value={"t": 1})) == {"output": "edited"}
    assert response_of(ToolResult("")) == {"output": "[done] The tool returned nothing."}


# google-gemini/gemini-cli#16137, BerriAI/litellm#29324, maximhq/bifrost#4202, NousResearch/hermes-agent#96466
def test_media_for_gemini_stand_in_the_response_or_in_a_content_that_follows():
    calls = [CallResult("c1", ToolResult.ok("shot", parts=[IMAGE]), "f"), CallResult("c2", ToolResult("b"), "g")]
    data = {"inlineData": {"mimeType": "image/png", "data": PNG_64}}
    second = {"functionResponse": {"name": "g", "id": "c2", "response": {"output": "b"}}}
    nested = {"name": "f", "id": "c1", "response": {"output": "shot"}, "parts": [data]}
    assert to_gemini(calls) == [{"role": "user", "parts": [{"functionResponse": nested}, second]}]
    bare = {"name": "f", "id": "c1", "response": {"output": f"shot\n\n{NOTE}"}}
    assert to_gemini(calls, media="user") == [
        {"role": "user", "parts": [{"functionResponse": bare}, second]},
        {"role": "user", "parts": [{"text": "[from tool call c1] image (image/png, 69 bytes)"}, data]},
    ]


# QwenLM/qwen-code#2028, #1888
def test_a_pdf_that_a_target_does_not_name_is_left_out():
    pdf = ContentPart("file", data=PDF, mime_type="application/pdf")
    limits = replace(LIMITS["gemini"], file=replace(LIMITS["gemini"].file, types=frozenset()))
    losses = []
    items = to_gemini(one(ToolResult.ok("seen", parts=[pdf])), limits=limits, on_loss=losses.append)
    note = "[file (application/pdf, 9 bytes) was left out: application/pdf is not accepted]"
    response = {"name": "tool", "id": "c1", "response": {"output": f"seen\n\n{note}"}}
    assert items == [{"role": "user", "parts": [{"functionResponse": response}]}]
    assert losses == [Loss("c1", pdf, "application/pdf is not accepted", "text")]


# vercel/ai#20365, #20366; anomalyco/opencode#19964, #37191; spring-projects/spring-ai#5498; pizza-bot-app/pizza-bot#6
def test_the_names_of_documents_for_bedrock_have_its_alphabet():
    names = ["report.pdf", "John's  report #1.pdf", "slack-file://F0XX", "résumé.pdf", ".pdf", "x" * 300 + ".pdf", None]
    written = []
    for name in names:
        part = ContentPart("file", data=PDF, mime_type="application/pdf", name=name)
        messages = to_bedrock(one(ToolResult.ok("seen", parts=[part])), on_loss="raise")
        bedrock_messages(messages)
        document = messages[0]["content"][0]["toolResult"]["content"][1]["document"]
        assert (document["format"], document["source"]) == ("pdf", {"bytes": PDF})
        assert part.name == name
        written.append(document["name"])
    assert written == [
        "report",
        "John s report 1",
        "slack-file F0XX",
        "resume",
        "document",
        "x" * 200,
        "document",
    ]


# aws-samples/generative-ai-use-cases#1685
def test_a_sixth_document_for_bedrock_is_reported_before_it_is_sent():
    parts = [ContentPart("file", data=PDF + bytes([65 + n]), mime_type="application/pdf") for n in range(6)]
    losses = []
    messages = to_bedrock(one(ToolResult.ok("seen", parts=parts)), on_loss=losses.append)
    bedrock_messages(messages)
    assert losses == [Loss("c1", parts[5], "more than 5 of its kind in one turn", "text")]
    content = messages[0]["content"][0]["toolResult"]["content"]
    sent = [block["document"]["source"]["bytes"] for block in content if "document" in block]
    assert sent == [part.data for part in parts[:5]]
    assert content[-1] == {
        "text": "[file (application/pdf, 10 bytes) was left out: more than 5 of its kind in one turn]"
    }


# discourse/discourse#39880, NousResearch/hermes-agent#33317, strands-agents/harness-sdk#940
def test_bytes_for_bedrock_are_bytes():
    (message,) = to_bedrock(one(ToolResult.from_parts([ContentPart("text", text="shot"), IMAGE])))
    picture = {"image": {"format": "png", "source": {"bytes": PNG}}}
    assert message["content"] == [{"toolResult": {"toolUseId": "c1", "content": [{"text": "shot"}, picture]}}]


# vellum-ai/vellum-assistant#33979, anthropics/claude-code#46656, boldsoftware/shelley#213, gptme/gptme#185
def test_a_picture_too_large_once_encoded_is_reported_before_it_is_history():
    part = ContentPart("image", data=PNG + bytes(4_000_000 - len(PNG)), mime_type="image/png")
    result = ToolResult.ok("shot", parts=[part])
    note = "[image (image/png, 4000000 bytes) was left out: larger than 5242880 base64 characters]"
    (message,) = to_anthropic(one(result))
    assert message["content"][0]["content"] == f"shot\n\n{note}"
    with pytest.raises(LossError):
        to_anthropic(one(result), on_loss="raise")


# andrewyng/aisuite#359, pydantic/pydantic-ai#993
def test_a_url_is_sent_as_a_url_or_reported():
    part = ContentPart("image", url="https://h.test/a?sig=1", mime_type="image/webp")
    result = ToolResult.ok("seen", parts=[part])
    block = {"type": "image", "source": {"type": "url", "url": "https://h.test/a?sig=1"}}
    assert to_anthropic(one(result), on_loss="raise")[0]["content"][0]["content"][1] == block
    losses = []
    for to in (to_gemini, to_bedrock):
        losses.clear()
        items = to(one(result), on_loss=losses.append)
        assert losses == [Loss("c1", part, "a URL of this kind is not accepted", "text")]
        assert "sig=1" not in json.dumps(items)
    file = ContentPart("image", file_id="gs://b/a", mime_type="image/webp")
    items = to_gemini(one(ToolResult.ok("seen", parts=[file])), platform="vertex")
    assert items[1]["parts"][1] == {"fileData": {"fileUri": "gs://b/a", "mimeType": "image/webp"}}


# pizza-bot-app/pizza-bot#6, juspay/neurolink#1618
@all_adapters
def test_what_is_written_is_fresh_and_may_be_changed(to):
    result = ToolResult.json({"a": [1, {"b": 2}]})
    pictured = ToolResult.ok("seen", parts=[IMAGE, ContentPart("file", data=PDF, mime_type="application/pdf")])
    calls = [CallResult("c1", result, "f"), CallResult("c2", pictured, "f")]
    first = to(calls)
    kept = copy.deepcopy(first)
    assert {type(value) for value in containers(first)} == {dict, list}
    for value in containers(first):
        value.append({"cache_control": 1}) if isinstance(value, list) else value.update(cache_control=1)
    assert to(calls) == kept
    assert result == ToolResult.json({"a": [1, {"b": 2}]})


# NousResearch/hermes-agent#28000, mastra-ai/mastra#20487, openai/openai-agents-python#4827
@all_adapters
def test_a_parked_call_has_a_placeholder_that_is_recognised(to):
    request = Request.approval("Delete?", id="r1")
    request = replace(request, url="https://h.test/approve")
    items = to(one(ToolResult.pending(request)), on_pending="placeholder")
    text = json.dumps(items)
    assert "Delete?" in text
    assert "h.test" not in text
    (call,) = BOTH_WAYS[to](items)
    assert (call.call_id, call.result.is_error, call.result.is_placeholder) == ("c1", True, True)
    assert not call.result.is_pending
    assert BOTH_WAYS[to](to([call._replace(name="tool")])) == [call]


# pydantic/pydantic-ai#2270, #2677
def test_the_id_of_a_file_goes_to_the_provider_that_holds_it():
    part = ContentPart.from_file_id("file-abc", type="file", provider="openai")
    part = replace(part, mime_type="application/pdf")
    result = ToolResult.ok("seen", parts=[part])
    items = to_openai_responses(one(result), on_loss="raise")
    assert items[0]["output"][1] == {"type": "input_file", "file_id": "file-abc"}
    (call,) = from_openai_responses(items)
    assert call.result.content[1] == replace(part, mime_type=None)
    for to in (
        to_anthropic,
        to_bedrock,
        to_gemini,
        to_gemini_interactions,
        seeing.to_mistral,
        seeing.to_cohere,
        to_ollama,
    ):
        losses = []
        assert "file-abc)" in json.dumps(to(one(result), on_loss=losses.append))
        assert [loss.fallback for loss in losses] == ["text"]


def response_of(result):
    ((part,),) = [content["parts"] for content in to_gemini(one(result))]
    return part["functionResponse"]["response"]


def containers(value):
    found = [value] if isinstance(value, (dict, list)) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return found + [below for item in [*inner] for below in containers(item)]


def strings(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value] if isinstance(value, str) else [text for item in inner for text in strings(item)]
