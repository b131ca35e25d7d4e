"""What providers have answered with a refusal, each with its smallest trigger: it is never sent to them."""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import replace

import pytest
from tests.adapters import seeing, strict

from toolresult import ContentPart, PendingResultError, Request, ToolResult
from toolresult.adapters import (
    CallResult,
    Loss,
    to_anthropic,
    to_bedrock,
    to_gemini,
    to_gemini_interactions,
    to_ollama,
    to_openai_chat,
    to_openai_responses,
)
from toolresult.adapters.anthropic import LIMITS as ANTHROPIC
from toolresult.adapters.bedrock import LIMITS as BEDROCK
from toolresult.adapters.gemini import LIMITS as GEMINI
from toolresult.adapters.gemini_interactions import LIMITS as INTERACTIONS
from toolresult.adapters.ollama import LIMITS as OLLAMA
from toolresult.adapters.openai_chat import LIMITS as CHAT
from toolresult.adapters.openai_responses import LIMITS as RESPONSES

CHECKS = {
    to_anthropic: strict.anthropic_messages,
    to_openai_chat: strict.openai_chat,
    to_openai_responses: strict.openai_responses,
    to_bedrock: strict.bedrock_messages,
    to_gemini: strict.gemini_contents,
    to_gemini_interactions: strict.gemini_interactions,
    seeing.to_mistral: seeing.mistral_messages,
    seeing.to_cohere: strict.cohere_messages,
    to_ollama: strict.ollama_messages,
}
DIALECTS = {"ollama": strict.ollama_chat, "groq": strict.groq_messages, "openrouter": strict.openrouter_messages}
ALL = [*CHECKS]
USUAL = {
    to_anthropic: ANTHROPIC["anthropic"],
    to_openai_chat: CHAT["openai"],
    to_openai_responses: RESPONSES["openai"],
    to_bedrock: BEDROCK,
    to_gemini: GEMINI["gemini"],
    to_gemini_interactions: INTERACTIONS,
    seeing.to_mistral: seeing.MISTRAL,
    seeing.to_cohere: seeing.COHERE,
    to_ollama: OLLAMA,
}
BLANKS = ["", " ", "\n", " \t\r\n", "\u2003\u3000\x1f"]
LEFT_OUT = " was left out: "


def png(width=1, height=1, more=b""):
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height) + bytes(9) + more


def jpeg(width, height):
    return b"\xff\xd8\xff\xe0\x00\x04\x00\x00\xff\xc0\x00\x0b\x08" + struct.pack(">HH", height, width) + bytes(8)


def gif(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(8)


def webp(width, height):
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + size


PNG, PDF, WAV = png(), b"%PDF-1.7\n", b"RIFF\x24\x00\x00\x00WAVEfmt "
MP3, MP4, ZIP = b"ID3\x04\x00\x00\x00\x00\x00\x00", b"\x00\x00\x00\x18ftypmp42" + bytes(12), b"PK\x03\x04" + bytes(30)
HEADERS = {
    "PNG": (png, "image/png"),
    "JPEG": (jpeg, "image/jpeg"),
    "GIF": (gif, "image/gif"),
    "WebP": (webp, "image/webp"),
}


def b64(data):
    return base64.b64encode(data).decode()


def image(data=PNG, mime_type="image/png", **fields):
    return ContentPart("image", data=data, mime_type=mime_type, **fields)


def file(data=PDF, mime_type="application/pdf", **fields):
    return ContentPart("file", data=data, mime_type=mime_type, **fields)


AUDIO = ContentPart("audio", data=WAV, mime_type="audio/wav")
VIDEO = ContentPart("video", data=MP4, mime_type="video/mp4")
URL_IMAGE = ContentPart("image", url="https://h.test/a.png?sig=1", mime_type="image/png")


def ok(*parts, output="seen"):
    return ToolResult.ok(output, parts=parts)


def sent(to, *results, **options):
    """Return what is written for one turn, checked, and the losses that were told."""
    losses = []
    calls = [CallResult(f"call_{n}", result, "tool") for n, result in enumerate(results)]
    items = to(calls, on_loss=losses.append, **options)
    DIALECTS.get(options.get("dialect"), CHECKS[to])(items)
    return items, losses


def texts_of(value):
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    if isinstance(value, bytes):
        return [b64(value)]
    return [value] if isinstance(value, str) else []


def is_sent(items, data):
    return sum(text.endswith(b64(data)) for text in texts_of(items)) == 1


def assert_left_out(items, losses, part, reason, call_id="call_0"):
    assert losses == [Loss(call_id, part, reason, "text")]
    assert sum(LEFT_OUT + reason in text for text in texts_of(items)) == 1
    assert part.data is None or not part.data or b64(part.data) not in json.dumps(strict.encoded(items))


# Anthropic


# "all content must be type `text` if `is_error` is true"; stated in the comments of anthropic's own toolset runner
@pytest.mark.parametrize("platform", ["anthropic", "bedrock", "vertex"])
@pytest.mark.parametrize("part", [image(), file(name="a.pdf")], ids=["image", "PDF"])
def test_all_content_must_be_type_text_if_is_error_is_true(part, platform):
    items, losses = sent(to_anthropic, ToolResult.error("no", parts=[part]), ok(output="second"), platform=platform)
    first, second, introduction, block = items[0]["content"]
    assert (first["is_error"], first["content"]) == (
        True,
        f"no\n\n[{introduction['text'].partition('] ')[2]} follows after the tool results]",
    )
    assert second["tool_use_id"] == "call_1"
    assert "call_0" in introduction["text"]
    assert block["source"]["data"] == b64(part.data)
    assert [loss.fallback for loss in losses] == ["moved"]


# The same rule
def test_a_text_file_in_an_error_is_text():
    part = file(b"a,b\n1,2", "text/csv", name="a.csv")
    items, losses = sent(to_anthropic, ToolResult.error("no", parts=[part]))
    assert items[0]["content"][0]["content"].splitlines() == [
        "no",
        "",
        "[file a.csv (text/csv, 7 bytes)]",
        "a,b",
        "1,2",
    ]
    assert losses == []


# bytedance/trae-agent#231
@pytest.mark.parametrize("output", BLANKS, ids=ascii)
def test_content_must_not_be_empty_if_is_error_is_true(output):
    items, _ = sent(to_anthropic, ToolResult.error(output))
    (block,) = items[0]["content"]
    assert block["is_error"] is True
    assert block["content"].strip()


# anthropics/anthropic-sdk-python#461, anthropics/claude-code#23440
@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_text_content_blocks_must_contain_non_whitespace_text(blank):
    parts = [ContentPart("text", text=blank), image(), ContentPart("text", text=blank)]
    items, losses = sent(to_anthropic, ToolResult(blank, parts=parts), ToolResult(blank))
    first, second = items[0]["content"]
    assert [block["type"] for block in first["content"]] == ["image"]
    assert "content" not in second
    assert losses == []


# anthropics/claude-code#23440
def test_a_text_document_without_text_is_no_document():
    items, _ = sent(to_anthropic, ok(file(b" \n", "text/plain", name="a.txt")))
    assert items[0]["content"][0]["content"] == "seen\n\n[file a.txt (text/plain, 2 bytes)]\n \n"


# anthropics/anthropic-sdk-python#461
def test_a_title_is_not_blank_after_it_was_cut():
    items, _ = sent(to_anthropic, ok(file(name=" " * 300 + "a.pdf")))
    _, document = items[0]["content"][0]["content"]
    assert document.get("title", "none").strip()


# NousResearch/hermes-agent#41985
@pytest.mark.parametrize("platform", ["bedrock", "vertex"])
def test_hosted_models_get_a_text_where_there_is_none(platform):
    items, _ = sent(to_anthropic, ToolResult(), platform=platform)
    assert items[0]["content"][0]["content"].strip()


# maximhq/bifrost#5097, HKUDS/nanobot#4356
@pytest.mark.parametrize("call_id", ["functions.Bash:0", "", "a b", "é", "a\n", "call/1"], ids=ascii)
def test_tool_use_id_string_should_match_pattern(call_id):
    with pytest.raises(ValueError, match=r"^results\[1\]\.call_id: "):
        to_anthropic([("a", ToolResult()), (call_id, ToolResult())])


# anthropics/claude-code#8210, #7929, #8612
def test_tool_use_ids_were_found_without_tool_result_blocks_immediately_after():
    items, _ = sent(to_anthropic, ok(image()), ToolResult.error("no", parts=[image()]), ok(file()))
    (message,) = items
    kinds = [block["type"] for block in message["content"]]
    assert kinds == ["tool_result", "tool_result", "tool_result", "text", "image"]
    assert [block["tool_use_id"] for block in message["content"][:3]] == ["call_0", "call_1", "call_2"]


# "each tool_use must have a single result"; and of all providers alike, pydantic/pydantic-ai#2327
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_each_tool_use_must_have_a_single_result(to):
    with pytest.raises(ValueError, match=r"^results\[2\]\.call_id: "):
        to([("a", ToolResult(), "f"), ("b", ToolResult(), "f"), ("a", ToolResult(), "f")])


# anthropics/claude-code#13381, #19631
def test_image_exceeds_5_mb_maximum():
    assert (ANTHROPIC["anthropic"].image.chars, ANTHROPIC["bedrock"].image.chars) == (5_242_880, 5_242_880)
    largest = image(png(more=bytes(5_242_880 // 4 * 3 - len(PNG))))
    items, losses = sent(to_anthropic, ok(largest))
    assert len(items[0]["content"][0]["content"][1]["source"]["data"]) == 5_242_880
    assert losses == []
    larger = image(largest.data + b"\0")
    assert_left_out(*sent(to_anthropic, ok(larger)), larger, "larger than 5242880 base64 characters")


# anthropics/claude-code#13381
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_one_base64_group_more_than_the_limit_is_left_out(to):
    limits = replace(USUAL[to], image=replace(USUAL[to].image, chars=48))
    for size in (34, 35, 36):
        part = image(png(more=bytes(3))[:size])
        items, losses = sent(to, ok(part), limits=limits)
        assert is_sent(items, part.data)
        assert [loss for loss in losses if loss.fallback != "moved"] == []
    part = image(png(more=bytes(4))[:37])
    assert_left_out(*sent(to, ok(part), limits=limits), part, "larger than 48 base64 characters")


# anthropics/claude-code#8947
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_image_cannot_be_empty(to):
    part = image(b"")
    assert_left_out(*sent(to, ok(part)), part, "it is empty")


# anthropics/claude-code#4778, microsoft/vscode-copilot-chat#4688
@pytest.mark.parametrize("side", ["width", "height"])
@pytest.mark.parametrize("kind", HEADERS)
def test_image_dimensions_exceed_max_allowed_size_8000_pixels(kind, side):
    make, mime_type = HEADERS[kind]
    largest = image(make(8000, 8000), mime_type)
    items, losses = sent(to_anthropic, ok(largest))
    assert is_sent(items, largest.data)
    assert losses == []
    larger = image(make(*((8001, 1) if side == "width" else (1, 8001))), mime_type)
    assert_left_out(*sent(to_anthropic, ok(larger)), larger, "larger than 8000 pixels on one side")


# Docs, Vision: 2000 pixels with more than 20 images; anthropics/claude-code#46656
def test_image_dimensions_exceed_2000_pixels_for_many_image_requests():
    small = [image(png(2000, 2000, bytes([n]))) for n in range(19)]
    large = image(png(2001, 10))
    items, losses = sent(to_anthropic, ok(large), ok(*small))
    assert (is_sent(items, large.data), losses) == (True, [])
    items, losses = sent(to_anthropic, ok(large), ok(*small, image(png(3, 3))))
    assert_left_out(items, losses, large, "larger than 2000 pixels on one side")
    assert all(is_sent(items, part.data) for part in small)


# Docs, Vision: on Bedrock and Vertex documents count towards the 20
@pytest.mark.parametrize(("platform", "is_crowd"), [("anthropic", False), ("bedrock", True), ("vertex", True)])
def test_documents_count_as_images_on_hosted_platforms(platform, is_crowd):
    large = image(png(2001, 10))
    pdfs = [file(PDF + bytes([65 + n])) for n in range(20)]
    items, losses = sent(to_anthropic, ok(large), ok(*pdfs), platform=platform)
    assert is_sent(items, large.data) is not is_crowd
    assert [loss.part for loss in losses] == ([large] if is_crowd else [])


# Docs, Vision: 100 images in a request
def test_more_than_100_images():
    parts = [image(png(more=bytes([n]))) for n in range(101)]
    items, losses = sent(to_anthropic, ok(*parts[:60]), ok(*parts[60:]))
    assert_left_out(items, losses, parts[100], "more than 100 of its kind in one turn", "call_1")


# Docs, Errors: a request of 32 MB, of 20 MB on Bedrock
@pytest.mark.parametrize(("platform", "chars"), [("anthropic", 32_000_000), ("bedrock", 20_000_000)])
def test_request_too_large(platform, chars):
    assert ANTHROPIC[platform].total_bytes == chars
    parts = [image(png(more=bytes([n, 0, 0]))) for n in range(3)]
    limits = replace(ANTHROPIC[platform], total_bytes=2 * len("seen") + 96)
    items, losses = sent(to_anthropic, ok(parts[0]), ok(*parts[1:]), platform=platform, limits=limits)
    assert_left_out(items, losses, parts[2], "more than 104 bytes in one turn", "call_1")


@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize("text", ["a" * 90, "\u20ac" * 30], ids=["ASCII", "three bytes a character"])
def test_texts_count_towards_the_size_of_a_request(to, text):
    limits = replace(USUAL[to], total_bytes=120)
    items, losses = sent(to, ToolResult(text), ToolResult("b" * 31), ToolResult("c" * 30), limits=limits)
    assert [loss.reason for loss in losses] == ["more than 120 bytes in one turn"]
    assert losses[0].call_id == "call_1"
    assert text in texts_of(items)
    assert "c" * 30 in texts_of(items)
    assert any(text.endswith(" was left out: more than 120 bytes in one turn]") for text in texts_of(items))


@pytest.mark.parametrize("to", [to_anthropic, to_gemini, to_gemini_interactions], ids=lambda to: to.__name__)
def test_many_long_texts_are_not_larger_than_a_request(to):
    limit = USUAL[to].total_bytes
    turn = [CallResult(f"call_{n}", ToolResult("a" * 65_000), "tool") for n in range(limit // 65_000 + 2)]
    losses = []
    items = to(turn, on_loss=losses.append)
    assert [loss.call_id for loss in losses] == [call.call_id for call in turn[limit // 65_000 :]]
    assert sum(map(len, texts_of(items))) < limit + 100_000


# anthropics/claude-code#11975, #12009; Ollama is told no type
@pytest.mark.parametrize("to", [to for to in ALL if to is not to_ollama], ids=lambda to: to.__name__)
def test_image_declared_as_one_media_type_but_is_another(to):
    part = image(jpeg(4, 4), "image/png")
    items, losses = sent(to, ok(part))
    text = json.dumps(strict.encoded(items))
    assert "image/jpeg" in text or '"format": "jpeg"' in text
    assert '"image/png' not in text
    assert "data:image/png" not in text
    assert Loss("call_0", part, "labelled image/png, but its bytes are image/jpeg", "relabelled") in losses


# anthropics/claude-code#12009
def test_a_pdf_declared_as_an_image_is_a_document():
    part = image(PDF, "image/png")
    items, losses = sent(to_anthropic, ok(part))
    source = {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)}
    assert items[0]["content"][0]["content"][1] == {"type": "document", "source": source}
    assert losses == [Loss("call_0", part, "labelled image/png, but its bytes are application/pdf", "relabelled")]


# anthropics/claude-code#58330, #28279, #15807
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_unsupported_image_type_svg(to):
    svg = image(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", name="a.svg")
    items, losses = sent(to, ok(svg))
    if to is to_bedrock:
        document = {"format": "txt", "name": "a svg", "source": {"bytes": svg.data}}
        assert items[0]["content"][0]["toolResult"]["content"] == [{"text": "seen"}, {"document": document}]
    else:
        assert any("<svg xmlns='http://www.w3.org/2000/svg'/>" in text for text in texts_of(items))
        assert "base64" not in json.dumps(items)
    assert losses == []


# anthropic.types.Base64ImageSourceParam
@pytest.mark.parametrize(
    ("data", "mime_type"),
    [(b"BM" + bytes(60), "image/bmp"), (b"II*\0" + bytes(60), "image/tiff"), (bytes(9), "image/avif")],
)
def test_media_type_of_an_image_is_one_of_four(data, mime_type):
    part = image(data, mime_type)
    assert_left_out(*sent(to_anthropic, ok(part)), part, f"{mime_type} is not accepted")


# anthropic.types.ToolResultBlockParam
@pytest.mark.parametrize("part", [AUDIO, VIDEO, file(ZIP, "application/zip")], ids=lambda part: part.mime_type)
def test_audio_video_and_archives_are_no_blocks(part):
    assert_left_out(*sent(to_anthropic, ok(part)), part, f"{part.mime_type} is not accepted")


# The one type in anthropic.types.PlainTextSourceParam
@pytest.mark.parametrize("mime_type", ["text/csv", "text/markdown", "application/json", "application/xml"])
def test_media_type_of_a_text_document_is_text_plain(mime_type):
    items, losses = sent(to_anthropic, ok(file("\ufeffé\0".encode(), mime_type)))
    source = {"type": "text", "media_type": "text/plain", "data": "é\ufffd"}
    assert items[0]["content"][0]["content"][1] == {"type": "document", "source": source}
    assert losses == []


# Docs, Vision: base64 sources only on Bedrock and Vertex
@pytest.mark.parametrize("platform", ["bedrock", "vertex"])
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (URL_IMAGE, "URLs are not accepted"),
        (ContentPart("image", file_id="file_1"), "file ids are not accepted"),
        (ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf"), "URLs are not accepted"),
        (ContentPart("file", file_id="file_1"), "file ids are not accepted"),
    ],
    ids=["image URL", "image id", "PDF URL", "PDF id"],
)
def test_hosted_models_take_no_url_and_no_file_id(part, reason, platform):
    items, losses = sent(to_anthropic, ok(part), platform=platform)
    assert_left_out(items, losses, part, reason)
    assert "sig=1" not in json.dumps(items)


# pydantic/pydantic-ai#2270, #2677
@pytest.mark.parametrize(
    ("to", "provider"),
    [(to, "openai" if to is to_anthropic else "anthropic") for to in ALL if USUAL[to].file.types],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_file_of_another_provider_is_not_found(to, provider):
    part = ContentPart(
        "file",
        file_id="https://generativelanguage.googleapis.com/v1beta/files/a",
        mime_type="application/pdf",
        metadata={"provider": provider},
    )
    _, losses = sent(to, ok(part))
    assert losses == [Loss("call_0", part, "it is held by another provider", "text")]


# NousResearch/hermes-agent#1216
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_no_cache_marker_is_written(to):
    result = ToolResult("", parts=[image(), file()], metadata={"cache_control": {"type": "ephemeral"}})
    items, _ = sent(to, result)
    assert "cache" not in json.dumps(strict.encoded(items))


# OpenAI Chat Completions


# OpenHands/OpenHands#7700, openai/openai-node#1030
@pytest.mark.parametrize("dialect", ["openai", "azure", "xai", "groq", "openrouter", "ollama"])
def test_image_urls_are_only_allowed_for_messages_with_role_user(dialect):
    items, losses = sent(to_openai_chat, ok(image()), ok(output="second"), dialect=dialect)
    assert [item["role"] for item in items] == ["tool", "tool", "user"]
    assert items[0]["content"].startswith("seen\n\n[image ")
    assert items[1] == {"role": "tool", "tool_call_id": "call_1", "content": "second"}
    assert items[2]["content"][1] == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{b64(PNG)}"}}
    assert [loss.fallback for loss in losses] == ["moved"]


# agno-agi/agno#4345
def test_an_assistant_message_with_tool_calls_must_be_followed_by_tool_messages():
    items, _ = sent(to_openai_chat, ok(image()), ToolResult(), ToolResult.error("", parts=[AUDIO]), ok(file()))
    assert [item.get("tool_call_id") for item in items] == ["call_0", "call_1", "call_2", "call_3", None]


# latitude-dev/latitude-llm#810, ravitemer/mcphub.nvim#132
@pytest.mark.parametrize("output", BLANKS, ids=ascii)
@pytest.mark.parametrize("make", [ToolResult.ok, ToolResult.error])
def test_content_of_a_tool_message_is_required(make, output):
    items, _ = sent(to_openai_chat, make(output))
    assert [type(item["content"]) for item in items] == [str]
    assert items[0]["content"].startswith("[tool error] ") == (make == ToolResult.error)


# camel-ai/camel#2215, BerriAI/litellm#17343
@pytest.mark.parametrize("call_id", ["", "c" * 65, "a b", "a\n", "é"], ids=ascii)
@pytest.mark.parametrize("to", [to_openai_chat, to_openai_responses], ids=lambda to: to.__name__)
def test_string_too_long_maximum_length_of_an_id(to, call_id):
    with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
        to([(call_id, ToolResult())])
    CHECKS[to](to([("c" * 64, ToolResult())]))


# camel-ai/camel#2215: servers that take 40 characters
def test_a_shorter_id_can_be_asked_for():
    limits = replace(CHAT["openai"], call_id="[!-~]{1,40}")
    strict.openai_chat(to_openai_chat([("c" * 40, ToolResult())], limits=limits))
    with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
        to_openai_chat([("c" * 41, ToolResult())], limits=limits)


# openai.types.chat: no URL in a file part, PDF only
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf"), "URLs are not accepted"),
        (file(ZIP, "application/zip"), "application/zip is not accepted"),
        (ContentPart("image", file_id="file-1"), "file ids are not accepted"),
        (ContentPart("audio", data=b"fLaC" + bytes(40), mime_type="audio/flac"), "audio/flac is not accepted"),
        (ContentPart("audio", url="https://h.test/a.wav", mime_type="audio/wav"), "URLs are not accepted"),
        (VIDEO, "video/mp4 is not accepted"),
        (image(b"BM" + bytes(60), "image/bmp"), "image/bmp is not accepted"),
    ],
    ids=["file URL", "zip", "image id", "flac", "audio URL", "video", "bmp"],
)
def test_a_user_message_of_openai_has_no_part_for_it(part, reason):
    assert_left_out(*sent(to_openai_chat, ok(part)), part, reason)


# openai.types.chat ChatCompletionContentPartInputAudioParam: "wav" or "mp3"
@pytest.mark.parametrize(("data", "label", "word"), [(WAV, "audio/x-wav", "wav"), (MP3, "audio/mp3", "mp3")])
def test_the_format_of_audio_is_wav_or_mp3(data, label, word):
    items, _ = sent(to_openai_chat, ok(ContentPart("audio", data=data, mime_type=label)))
    assert items[1]["content"][1] == {"type": "input_audio", "input_audio": {"data": b64(data), "format": word}}


# The type of `file_data` is taken from the suffix of `filename`
@pytest.mark.parametrize(
    ("name", "filename"),
    [
        (None, "file.pdf"),
        ("a.pdf", "a.pdf"),
        ("A.PDF", "A.PDF"),
        ("a.txt", "a.txt.pdf"),
        ("../b/a", "a.pdf"),
        ("", "file.pdf"),
    ],
)
def test_the_name_of_file_data_has_the_suffix_of_its_type(name, filename):
    chat, _ = sent(to_openai_chat, ok(file(name=name)))
    responses, _ = sent(to_openai_responses, ok(file(name=name)))
    assert chat[1]["content"][1]["file"]["filename"] == filename
    assert responses[0]["output"][1]["filename"] == filename


# OpenAI Responses


# openai-openapi: `image_url` is a string; "expected an image URL, but got an object"
def test_expected_an_image_url_but_got_an_object():
    items, losses = sent(to_openai_responses, ok(image(), URL_IMAGE, ContentPart("image", file_id="file-1")))
    assert items[0]["output"] == [
        {"type": "input_text", "text": "seen"},
        {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{b64(PNG)}"},
        {"type": "input_image", "detail": "auto", "image_url": "https://h.test/a.png?sig=1"},
        {"type": "input_image", "detail": "auto", "file_id": "file-1"},
    ]
    assert losses == []


# `detail` is required in a `custom_tool_call_output`
def test_the_type_is_all_that_a_custom_tool_changes():
    items, _ = sent(to_openai_responses, ok(image(), URL_IMAGE, file()), ToolResult.error("no"))
    for item in items:
        strict.openai_custom_tool({**item, "type": "custom_tool_call_output"})


# symgraph/GhidrAssist#78, bytedance/trae-agent#245
def test_no_tool_output_found_for_function_call():
    items, _ = sent(to_openai_responses, ok(image()), ToolResult(), ToolResult.error(""), media="user")
    assert [item.get("call_id") for item in items] == ["call_0", "call_1", "call_2", None]


# ggml-org/llama.cpp#23380, lmstudio-ai/lmstudio-bug-tracker#2248
@pytest.mark.parametrize("media", ["user", "text"])
def test_output_of_tool_call_should_be_input_text(media):
    results = [ok(image()), ToolResult.error("no", parts=[file()]), ToolResult()]
    items, _ = sent(to_openai_responses, *results, media=media)
    assert [type(item["output"]) for item in items[:3]] == [str, str, str]
    assert [item.get("role") for item in items[3:]] == ([] if media == "text" else ["user"])


# openai-openapi, FunctionCallOutputItemParam: 10,485,760 characters
def test_output_of_a_tool_call_is_too_long():
    largest = "a" * RESPONSES["openai"].text_chars
    items, losses = sent(to_openai_responses, ToolResult.error(largest))
    assert len(items[0]["output"]) <= 10_485_760
    assert losses == []
    items, losses = sent(to_openai_responses, ToolResult(largest + "a"))
    assert len(items[0]["output"]) < 300
    assert [loss.reason for loss in losses] == ["longer than 10485000 characters"]


# The same limit is of each text, not of their sum
def test_texts_that_are_too_long_together_are_sent_one_by_one():
    parts = [ContentPart("text", text=letter * 6_000_000) for letter in "ab"]
    items, losses = sent(to_openai_responses, ToolResult.from_parts(parts))
    assert [(part["type"], len(part["text"])) for part in items[0]["output"]] == [("input_text", 6_000_000)] * 2
    assert losses == []


# openai-openapi, InputImageContentParamAutoParam: 20,971,520 characters, the data URL included
def test_image_url_is_too_long():
    most = RESPONSES["openai"].image.chars
    assert most + len("data:image/jpeg;base64,") <= 20_971_520
    part = image(png(more=bytes(most // 4 * 3)))
    items, losses = sent(to_openai_responses, ok(part))
    assert_left_out(items, losses, part, f"larger than {most} base64 characters")


# openai.types: `input_audio` is refused in a function_call_output
@pytest.mark.parametrize("part", [AUDIO, VIDEO], ids=["audio", "video"])
def test_audio_and_video_are_no_output(part):
    assert_left_out(*sent(to_openai_responses, ok(part)), part, f"{part.mime_type} is not accepted")


# "failed" is no status: an error is said in the text
def test_an_error_has_no_status():
    items, _ = sent(to_openai_responses, ToolResult.error("no"), ToolResult("", True, parts=[image()]))
    assert items[0] == {"type": "function_call_output", "call_id": "call_0", "output": "[tool error] no"}
    assert items[1]["output"][0] == {"type": "input_text", "text": "[tool error]"}


# Azure


# openai/openai-dotnet#396
def test_azure_takes_no_file_part():
    part = file()
    assert_left_out(*sent(to_openai_chat, ok(part), dialect="azure"), part, "application/pdf is not accepted")


# "Error while downloading", code invalid_value
@pytest.mark.parametrize("to", [to_openai_chat, to_openai_responses], ids=lambda to: to.__name__)
def test_azure_fetches_no_url(to):
    assert_left_out(*sent(to, ok(URL_IMAGE), dialect="azure"), URL_IMAGE, "URLs are not accepted")


# Microsoft Q&A: PDF is the only file, and ids of images do not work
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (file(b"\xd0\xcf\x11\xe0", "application/msword"), "application/msword is not accepted"),
        (ContentPart("image", file_id="file-1"), "file ids are not accepted"),
    ],
    ids=["doc", "image id"],
)
def test_azure_takes_pdf_only_and_no_ids(part, reason):
    assert_left_out(*sent(to_openai_responses, ok(part), dialect="azure"), part, reason)


# promptfoo/promptfoo#5708
def test_azure_needs_the_prefix_of_a_data_url():
    items, _ = sent(to_openai_responses, ok(image(), file()), dialect="azure")
    assert items[0]["output"][1]["image_url"] == f"data:image/png;base64,{b64(PNG)}"
    assert items[0]["output"][2]["file_data"] == f"data:application/pdf;base64,{b64(PDF)}"


# Servers that follow OpenAI


# xai_sdk.chat: PNG and JPEG, 10 MiB
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (image(gif(2, 2), "image/gif"), "image/gif is not accepted"),
        (image(webp(2, 2), "image/webp"), "image/webp is not accepted"),
        (file(), "application/pdf is not accepted"),
        (AUDIO, "audio/wav is not accepted"),
        (image(png(more=bytes(7_864_320))), "larger than 10485760 base64 characters"),
    ],
    ids=["gif", "webp", "PDF", "audio", "size"],
)
def test_xai_takes_png_and_jpeg_of_10_mib(part, reason):
    assert_left_out(*sent(to_openai_chat, ok(part), dialect="xai"), part, reason)


# Docs of Groq, Vision: five images, 4 MB of base64
def test_groq_takes_five_images_of_4_mb():
    parts = [image(png(more=bytes([n]))) for n in range(6)]
    _, losses = sent(to_openai_chat, ok(*parts), dialect="groq")
    assert [loss.fallback for loss in losses] == ["moved"] * 5 + ["text"]
    assert losses[5].reason == "more than 5 of its kind in one turn"
    large = image(png(more=bytes(3_000_000)))
    assert_left_out(*sent(to_openai_chat, ok(large), dialect="groq"), large, "larger than 4000000 base64 characters")


# OpenHands/OpenHands#4643, vercel/ai#2837
@pytest.mark.parametrize("dialect", ["openai", "azure", "xai", "groq", "deepseek", "openrouter", "ollama", "text"])
def test_content_must_be_a_string(dialect):
    parts = [ContentPart("text", text="a"), ContentPart("text", text="b"), file(b"c", "text/plain", name="c.txt")]
    items, _ = sent(to_openai_chat, ToolResult.from_parts(parts), ToolResult.error("no"), dialect=dialect)
    assert [item["content"] for item in items] == ["a\n\nb\n\n[file c.txt (text/plain, 1 byte)]\nc", "[tool error] no"]


# BerriAI/litellm#6642, cline/cline#230, rikkahub/rikkahub#1433; QwenLM/qwen-code#3616 and others for "text"
@pytest.mark.parametrize("dialect", ["deepseek", "text"])
@pytest.mark.parametrize("part", [image(), URL_IMAGE, AUDIO, file()], ids=["image", "URL", "audio", "PDF"])
def test_unknown_variant_image_url_expected_text(part, dialect):
    items, losses = sent(to_openai_chat, ok(part), dialect=dialect)
    assert [(item["role"], type(item["content"])) for item in items] == [("tool", str)]
    assert [loss.fallback for loss in losses] == ["text"]


# vercel/ai#21174
@pytest.mark.parametrize(
    ("dialect", "check"),
    [("groq", strict.groq_messages), ("openrouter", strict.openrouter_messages), ("deepseek", strict.groq_messages)],
)
def test_models_that_see_images_in_tool_messages_get_them_there(dialect, check):
    items = to_openai_chat([("c", ToolResult.error("no", parts=[image()]))], dialect=dialect, media="inline")
    check(items)
    assert items[0]["content"] == [
        {"type": "text", "text": "[tool error] no"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{b64(PNG)}"}},
    ]


# openai/openai-openapi#523: accepted, and ignored
@pytest.mark.parametrize("dialect", ["openai", "azure", "xai", "ollama", "text"])
def test_no_image_can_be_asked_for_in_a_tool_message(dialect):
    with pytest.raises(ValueError, match=r"^media: "):
        to_openai_chat([("c", ok(image()))], dialect=dialect, media="inline")


# Docs of DeepSeek: a URL of 8,192 characters
def test_deepseek_takes_urls_of_8192_characters():
    largest = ContentPart("image", url="https://h.test/".ljust(8192, "a"), mime_type="image/png")
    larger = ContentPart("image", url=largest.url + "a", mime_type="image/png")
    items = to_openai_chat([("c", ok(largest))], dialect="deepseek", media="user", on_loss=None)
    assert items[1]["content"][1]["image_url"] == {"url": largest.url}
    items, losses = sent(to_openai_chat, ok(larger), dialect="deepseek", media="user")
    assert_left_out(items, losses, larger, "its URL is longer than 8192 characters")


# openrouter.components
def test_openrouter_takes_video_and_files_by_url():
    pdf = ContentPart("file", url="https://h.test/a.pdf", mime_type="application/pdf")
    items, losses = sent(to_openai_chat, ok(VIDEO, pdf), dialect="openrouter")
    assert items[1]["content"][1] == {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{b64(MP4)}"}}
    assert items[1]["content"][3]["file"]["file_data"] == "https://h.test/a.pdf"
    assert [loss.fallback for loss in losses] == ["moved", "moved"]


# The server of Ollama: data URLs of JPEG, PNG and WebP
@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (URL_IMAGE, "URLs are not accepted"),
        (ContentPart("image", file_id="file-1"), "file ids are not accepted"),
        (image(gif(2, 2), "image/gif"), "image/gif is not accepted"),
        (AUDIO, "audio/wav is not accepted"),
        (VIDEO, "video/mp4 is not accepted"),
        (file(), "application/pdf is not accepted"),
    ],
    ids=["URL", "id", "gif", "audio", "video", "PDF"],
)
def test_the_openai_endpoint_of_ollama_takes_pictures_as_data_urls(part, reason):
    items, losses = sent(to_openai_chat, ok(image(webp(2, 2), "image/webp")), dialect="ollama")
    assert [type(item["content"]) for item in items] == [str, list]
    assert [loss.fallback for loss in losses] == ["moved"]
    assert_left_out(*sent(to_openai_chat, ok(part), dialect="ollama"), part, reason)


# Only URLs of the web are fetched, and only they may be
@pytest.mark.parametrize("to", [to for to in ALL if "url" in USUAL[to].image.sources], ids=lambda to: to.__name__)
@pytest.mark.parametrize(
    "url", ["az://bucket/a.png", "file:///etc/passwd", "ftp://h.test/a.png", "blob:https://h.test/1", "mcp://server/a"]
)
def test_urls_of_other_schemes_are_left_out(to, url):
    part = ContentPart.from_url(url, type="image", mime_type="image/png")
    assert_left_out(*sent(to, ok(part)), part, "a URL of this kind is not accepted")


# Bedrock Converse


def converse(*results, **options):
    """Return the content of each result that is written, what follows after them, and the losses that were told."""
    (message,), losses = sent(to_bedrock, *results, **options)
    results = [block["toolResult"] for block in message["content"] if "toolResult" in block]
    return [result["content"] for result in results], message["content"][len(results) :], losses


def documents(blocks):
    return [block["document"] for block in blocks if "document" in block]


# botocore, ToolUseId; vxcontrol/pentagi, earendil-works/pi#781: ids of other providers
@pytest.mark.parametrize("call_id", ["", "c" * 65, "call_1|fc_1", "a b", "a/b", "é", "a\n"], ids=ascii)
@pytest.mark.parametrize("result", [ToolResult("seen"), ok(image())], ids=["text", "image"])
def test_tool_use_id_failed_to_satisfy_constraint(call_id, result):
    with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
        to_bedrock([(call_id, result)])
    for fine in ("functions.Bash:0", "c" * 64, "tooluse_A-1"):
        strict.bedrock_messages(to_bedrock([(fine, result)]))


# sigoden/aichat#1542, #1544, #1550; empty data are a doubt
@pytest.mark.parametrize("value", [[1], "a", 3, 1.5, True, {}, [], {"a": 2**53 + 1}], ids=repr)
def test_json_is_an_object_or_a_text(value):
    result = ToolResult.json(value)
    assert converse(result) == ([[{"text": result.output}]], [], [])


def test_an_object_is_json():
    value = {"a": [1, 2.5, None, {"b": "c\ud800\0"}], "d": float("nan")}
    data = {"a": [1, 2.5, None, {"b": "c\ufffd\ufffd"}], "d": None}
    assert converse(ToolResult.of(value)) == ([[{"json": data}]], [], [])


@pytest.mark.parametrize(
    "result",
    [
        ToolResult.ok("edited", value={"a": 1}),
        ToolResult('{"a":1}'),
        ToolResult.error('{"a":1}', value={"a": 1}),
        ToolResult.ok('{"a":1}', parts=[ContentPart.from_text("b")], value={"a": 1}),
    ],
    ids=["value beside a text", "text", "error", "parts"],
)
def test_what_is_no_derived_object_is_text(result):
    contents, _, _ = converse(result)
    assert [[*block] for block in contents[0]] == [["text"]]


def test_data_that_are_too_large_are_left_out_like_their_text():
    result = ToolResult.json({"a": "b" * 90})
    contents, _, losses = converse(result, limits=replace(BEDROCK, total_bytes=50))
    assert [[*block] for block in contents[0]] == [["text"]]
    assert [loss.reason for loss in losses] == ["more than 50 bytes in one turn"]


# NousResearch/hermes-agent#55429: `jpg` and `JPEG` are no formats
@pytest.mark.parametrize("label", ["image/jpg", "image/JPEG", "image/pjpeg", "image/png"])
def test_the_format_of_a_photo_is_jpeg(label):
    contents, _, _ = converse(ok(image(jpeg(4, 4), label)))
    assert contents[0][1] == {"image": {"format": "jpeg", "source": {"bytes": jpeg(4, 4)}}}


# botocore, ImageFormat
@pytest.mark.parametrize(
    ("data", "mime_type"),
    [(b"BM" + bytes(60), "image/bmp"), (b"II*\0" + bytes(60), "image/tiff"), (bytes(9), "image/avif")],
)
def test_the_format_of_an_image_is_one_of_four(data, mime_type):
    part = image(data, mime_type)
    assert_left_out(*sent(to_bedrock, ok(part)), part, f"{mime_type} is not accepted")


# botocore, VideoFormat
@pytest.mark.parametrize(
    ("mime_type", "word"),
    [
        ("video/x-matroska", "mkv"),
        ("video/quicktime", "mov"),
        ("video/mp4", "mp4"),
        ("video/webm", "webm"),
        ("video/x-flv", "flv"),
        ("video/mpeg", "mpeg"),
        ("video/x-ms-wmv", "wmv"),
        ("video/3gpp", "three_gp"),
    ],
)
def test_the_format_of_a_video_is_one_of_nine(mime_type, word):
    part = ContentPart("video", data=b"\x01film", mime_type=mime_type)
    assert converse(ok(part))[0][0][1] == {"video": {"format": word, "source": {"bytes": b"\x01film"}}}
    part = ContentPart("video", data=b"\x01film", mime_type="video/x-msvideo")
    assert_left_out(*sent(to_bedrock, ok(part)), part, "video/x-msvideo is not accepted")


OOXML = "application/vnd.openxmlformats-officedocument."


# botocore, DocumentFormat
@pytest.mark.parametrize(
    ("mime_type", "name", "word"),
    [
        ("application/pdf", "a.pdf", "pdf"),
        ("text/csv", "a.csv", "csv"),
        ("application/msword", "a.doc", "doc"),
        (f"{OOXML}wordprocessingml.document", "a.docx", "docx"),
        ("application/vnd.ms-excel", "a.XLS", "xls"),
        (f"{OOXML}spreadsheetml.sheet", "a.xlsx", "xlsx"),
        ("text/html", "a.htm", "html"),
        ("text/plain", "a.log", "txt"),
        ("text/markdown", "a.markdown", "md"),
    ],
)
def test_the_format_of_a_document_is_one_of_nine(mime_type, name, word):
    part = file(b"a document", mime_type, name=name)
    document = {"format": word, "name": "a", "source": {"bytes": b"a document"}}
    assert converse(ok(part)) == ([[{"text": "seen"}, {"document": document}]], [], [])


@pytest.mark.parametrize("mime_type", ["application/zip", f"{OOXML}presentationml.presentation", "application/rtf"])
def test_other_files_are_no_documents(mime_type):
    part = file(b"\0\xff", mime_type)
    assert_left_out(*sent(to_bedrock, ok(part)), part, f"{mime_type} is not accepted")


@pytest.mark.parametrize(
    ("mime_type", "name"),
    [("application/json", "a json"), ("image/svg+xml", "a svg"), ("application/yaml", "a yaml"), ("text/css", "a css")],
)
def test_any_other_text_file_is_a_plain_document(mime_type, name):
    part = file("é\ufeff".encode(), mime_type, name=f"a.{name[2:]}")
    document = {"format": "txt", "name": name, "source": {"bytes": "é\ufeff".encode()}}
    assert documents(converse(ok(part))[0][0]) == [document]


def test_a_text_document_is_utf_8_and_without_nul():
    part = file("é\0".encode("utf-16"), "text/csv; charset=utf-16")
    assert documents(converse(ok(part))[0][0])[0]["source"] == {"bytes": "é\ufffd".encode()}


@pytest.mark.parametrize("data", [b"\xff\xfe\0", b"\xe9"])
def test_a_text_file_in_an_unknown_encoding_is_no_document(data):
    part = file(data, "text/csv")
    assert_left_out(*sent(to_bedrock, ok(part)), part, "its text cannot be read")


# botocore, Message: 20 images of 3.75 MB and 8000 pixels; documents of 4.5 MB; VideoSource: less than 25 MB encoded
@pytest.mark.parametrize(
    ("make", "size", "chars"),
    [
        (image, 3_750_000, 5_000_000),
        (file, 4_500_000, 6_000_000),
        (lambda data: ContentPart("video", data=data, mime_type="video/mp4"), 18_749_997, 24_999_996),
    ],
    ids=["image", "document", "video"],
)
def test_data_of_a_size_that_is_not_taken(make, size, chars):
    kind = make(b"a").type
    start = {"image": PNG, "file": PDF, "video": MP4}[kind]
    largest, larger = make(start + bytes(size - len(start))), make(start + bytes(size - len(start) + 1))
    items, losses = sent(to_bedrock, ok(largest))
    assert is_sent(items, largest.data)
    assert losses == []
    assert_left_out(*sent(to_bedrock, ok(larger)), larger, f"larger than {chars} base64 characters")


@pytest.mark.parametrize("kind", HEADERS)
def test_images_of_bedrock_have_8000_pixels_a_side(kind):
    make, mime_type = HEADERS[kind]
    assert is_sent(sent(to_bedrock, ok(image(make(8000, 8000), mime_type)))[0], make(8000, 8000))
    larger = image(make(1, 8001), mime_type)
    assert_left_out(*sent(to_bedrock, ok(larger)), larger, "larger than 8000 pixels on one side")


def test_more_than_20_images_of_bedrock():
    parts = [image(png(more=bytes([n]))) for n in range(21)]
    items, losses = sent(to_bedrock, ok(*parts[:15]), ToolResult.error("no", parts=parts[15:]))
    left_out = [loss for loss in losses if loss.fallback == "text"]
    assert left_out == [Loss("call_1", parts[20], "more than 20 of its kind in one turn", "text")]
    assert [is_sent(items, part.data) for part in parts] == [True] * 20 + [False]


# aws-samples/generative-ai-use-cases#1685: what can be read as text makes room for what cannot
def test_text_files_are_texts_where_there_are_five_documents():
    pdfs = [file(PDF + bytes([65 + n]), name="a.pdf") for n in range(4)]
    texts = [file(f"text {n}".encode(), "text/csv", name="b.csv") for n in range(3)]
    contents, _, losses = converse(ok(*texts), ok(*pdfs))
    assert losses == []
    assert [block["name"] for content in contents for block in documents(content)] == ["b", *NUMBERED]
    assert contents[0][2:] == [{"text": f"[file b.csv (text/csv, 6 bytes)]\ntext {n}"} for n in (1, 2)]
    contents, _, losses = converse(ok(*texts), ok(*pdfs, file(PDF)))
    assert (losses, documents(contents[0])) == ([], [])
    assert contents[0] == [
        {"text": "\n\n".join(["seen", *(f"[file b.csv (text/csv, 6 bytes)]\ntext {n}" for n in range(3))])}
    ]


NUMBERED = ["a", "a (2)", "a (3)", "a (4)"]


@pytest.mark.parametrize(
    ("change", "is_document"),
    [
        ({}, True),
        ({"types": None}, True),
        ({"types": frozenset({"application/pdf"})}, False),
        ({"types": frozenset({"text/csv"})}, True),
        ({"sources": frozenset({"url"})}, False),
        ({"chars": 12}, True),
        ({"chars": 11}, False),
        ({"chars": None}, True),
        ({"count": 1}, True),
        ({"count": 0}, False),
        ({"count": None}, True),
    ],
    ids=str,
)
def test_a_text_file_is_a_document_within_the_limits_of_files(change, is_document):
    limits = replace(BEDROCK, file=replace(BEDROCK.file, **change))
    contents, _, losses = converse(ok(file(b"9 letters", "text/csv")), limits=limits)
    assert [*map(len, contents)] == [2 if is_document else 1]
    assert losses == []


def test_a_text_file_is_larger_as_a_document():
    part, picture = file(b"9 letters", "text/csv"), image(PNG[:33])
    total = len("seen") + len(b64(b"9 letters")) + len(b64(picture.data))
    for more, is_document in ((0, True), (-1, False)):
        limits = replace(BEDROCK, total_bytes=total + more)
        contents, _, losses = converse(ok(part, picture), limits=limits)
        assert [bool(documents(content)) for content in contents] == [is_document]
        assert losses == []
    assert documents(converse(ok(part, picture), limits=replace(BEDROCK, total_bytes=None))[0][0])
    two = len("seen") + 2 * len(b64(b"9 letters"))
    for more, count in ((0, 2), (-1, 1)):
        contents, _, _ = converse(ok(part, part), limits=replace(BEDROCK, total_bytes=two + more))
        assert len(documents(contents[0])) == count


# vercel/ai#20365, aws-samples/generative-ai-use-cases#1671, simonw/llm-bedrock#8, anomalyco/opencode#19964
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("report.pdf", "report"),
        ("Report.PDF", "Report"),
        ("report.v2.pdf", "report v2"),
        ("archive.tar", "archive tar"),
        ("John's  report #1.pdf", "John s report 1"),
        ("slack-file://F0XX", "slack-file F0XX"),
        ("r\u00e9sum\u00e9.pdf", "resume"),
        ("\uff21\u3000\uff22.pdf", "A B"),
        ("a_b\tc\nd", "a b c d"),
        (" (1) [x] - y ", "(1) [x] - y"),
        ('"a".pdf', "a"),
        ("x" * 300 + ".pdf", "x" * 200),
        ("x" * 199 + " y", "x" * 199),
        ("\u0301\u0316" * 200_000, "document"),  # sorting so many marks would take minutes
        ("\ufdfa" * 2000, "document"),
        (".pdf", "document"),
        ("...", "document"),
        ("- ()", "document"),
        ("\u5831\u544a.pdf", "document"),
        ("\ud800\0", "document"),
        ("", "document"),
        (None, "document"),
    ],
    ids=lambda value: ascii(value)[:24],
)
def test_the_name_of_a_document_has_letters_of_ascii(name, written):
    part = file(name=name)
    assert [document["name"] for document in documents(converse(ok(part))[0][0])] == [written]
    assert part.name == name


# maximhq/bifrost#7003, BerriAI/litellm#30093, aws-samples/generative-ai-use-cases#1685
def test_the_names_of_documents_are_unique():
    names = ["a.pdf", "A.PDF", "a (2).pdf", "a.txt", None]
    parts = [file(PDF + bytes([65 + n]), name=name) for n, name in enumerate(names)]
    contents, after, _ = converse(ok(*parts[:2]), ToolResult.error("no", parts=parts[2:4]), ok(parts[4]))
    given = [document["name"] for blocks in (*contents, after) for document in documents(blocks)]
    assert given == ["a", "A (2)", "document", "a (2) (2)", "a txt"]


def test_the_names_of_documents_are_unique_in_a_conversation():
    taken = ["DOCUMENT", "document (2)", "x" * 200, "other", "z" * 195 + " zzzz"]
    parts = [file(), file(name="x" * 250), file(name="y"), file(name="z" * 195 + " zzzz")]
    contents, _, _ = converse(ok(*parts), taken=iter(taken))
    given = [document["name"] for document in documents(contents[0])]
    assert given == ["document (3)", "x" * 196 + " (2)", "y", "z" * 195 + " (2)"]
    turn = [("c1", ok(file(name="a.pdf")))]
    for _ in range(12):
        given += [document["name"] for document in documents(converse(turn[0][1], taken=given)[0][0])]
    assert given[4:] == ["a", *(f"a ({n})" for n in range(2, 13))]


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        ("document", r"^taken: .*got str"),
        (b"document", r"^taken: .*got bytes"),
        (5, r"^taken: .*got int"),
        (None, r"^taken: .*got NoneType"),
        ([None], r"^taken\[0\]: .*got NoneType"),
        (("a", b"b"), r"^taken\[1\]: .*got bytes"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("result", [ToolResult("seen"), ok(file())], ids=["text", "document"])
def test_names_that_are_taken_are_texts(taken, message, result):
    with pytest.raises(TypeError, match=message):
        to_bedrock([CallResult("c", result)], taken=taken)


# discourse/discourse#39880, NousResearch/hermes-agent#33317, strands-agents/harness-sdk#940
def test_bytes_are_not_encoded():
    contents, _, _ = converse(ok(image(), VIDEO, file()))
    assert [next(iter(block.values()))["source"] for block in contents[0][1:]] == [
        {"bytes": PNG},
        {"bytes": MP4},
        {"bytes": PDF},
    ]


# botocore, ToolResultContentBlock: neither audio nor URLs of the web
@pytest.mark.parametrize("media", ["inline", "user", "text"])
@pytest.mark.parametrize("part", [AUDIO, URL_IMAGE, replace(AUDIO, data=None, url="s3://bucket/a.wav")])
def test_audio_and_urls_have_no_place(part, media):
    reason = "image is not accepted" if media == "text" else "a URL of this kind is not accepted"
    if part.type == "audio" or media == "text":
        reason = f"{part.mime_type} is not accepted"
    assert_left_out(*sent(to_bedrock, ok(part), media=media), part, reason)


@pytest.mark.parametrize(
    ("kind", "mime_type", "block"),
    [
        ("image", "image/webp", {"image": {"format": "webp"}}),
        ("video", "video/mp4", {"video": {"format": "mp4"}}),
        ("file", "text/csv", {"document": {"format": "csv", "name": "a"}}),
        ("file", "application/msword", {"document": {"format": "doc", "name": "a"}}),
    ],
)
@pytest.mark.parametrize("source", ["url", "file_id"])
def test_objects_of_s3_are_sent_by_their_uri(kind, mime_type, block, source):
    uri = "s3://my.bucket-1/folder/\u00e9.b"
    part = ContentPart(kind, **{source: uri}, mime_type=mime_type, name="a", metadata={"provider": "aws"})
    next(iter(block.values()))["source"] = {"s3Location": {"uri": uri}}
    contents, _, losses = converse(ok(part))
    assert (contents[0][1:], losses) == ([block], [])


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("s3://bucket/" + "a" * 1012, None),
        ("s3://bucket/" + "a" * 1013, "its URL is longer than 1024 characters"),
        ("s3://bucket", "a URL of this kind is not accepted"),
        ("s3://bucket/", "a URL of this kind is not accepted"),
        ("s3://BUCKET/a", "a URL of this kind is not accepted"),
        ("s3://b/a", "a URL of this kind is not accepted"),
        ("S3://bucket/a", "a URL of this kind is not accepted"),
        ("https://bucket.s3.amazonaws.com/a", "a URL of this kind is not accepted"),
    ],
    ids=lambda value: value and value[:24],
)
def test_a_uri_of_s3_has_the_form_of_the_model(uri, reason):
    part = ContentPart("image", url=uri, mime_type="image/png")
    _, losses = sent(to_bedrock, ok(part))
    assert [loss.reason for loss in losses] == ([reason] if reason else [])
    part = ContentPart("image", file_id=uri, mime_type="image/png")
    _, losses = sent(to_bedrock, ok(part))
    assert [loss.reason for loss in losses] == (["a file id of this form is not accepted"] if reason else [])


@pytest.mark.parametrize("source", ["url", "file_id"])
@pytest.mark.parametrize("kind", ["image", "video", "file"])
def test_an_object_of_unknown_type_is_left_out(kind, source):
    part = ContentPart(kind, **{source: "s3://bucket/a"})
    assert_left_out(*sent(to_bedrock, ok(part)), part, "its type is not known")


# strands-agents/harness-sdk#686: `status` is of Claude and Nova; whether it may stand beside media is unconfirmed
def test_an_error_holds_texts_only_and_no_other_result_has_a_status():
    (message,), losses = sent(to_bedrock, ToolResult.error("no", parts=[image(), file(name="a.pdf")]), ToolResult())
    first, second, *after = message["content"]
    notes = [f"[{block['text'].partition('] ')[2]} follows after the tool results]" for block in after[::2]]
    assert first["toolResult"] == {
        "toolUseId": "call_0",
        "content": [{"text": "\n\n".join(["no", *notes])}],
        "status": "error",
    }
    assert [*second["toolResult"]] == ["toolUseId", "content"]
    assert [[*block] for block in after] == [["text"], ["image"], ["text"], ["document"]]
    assert [loss.fallback for loss in losses] == ["moved", "moved"]


def test_models_without_status_get_the_marker():
    results = [ToolResult.error("no"), ToolResult.error(""), ToolResult("fine"), ToolResult.error("[tool error] no")]
    contents, _, losses = converse(*results, errors="marker")
    assert [content[0]["text"] for content in contents] == [
        "[tool error] no",
        "[tool error] the tool failed without a message",
        "fine",
        "[tool error] no",
    ]
    assert "status" not in json.dumps(to_bedrock([("a", result) for result in results[:1]], errors="marker"))
    assert losses == []
    contents, after, losses = converse(
        ToolResult.error("no", parts=[image()]), ToolResult.error("", parts=[image()]), errors="marker"
    )
    picture = {"image": {"format": "png", "source": {"bytes": PNG}}}
    assert contents == [
        [{"text": "[tool error] no"}, picture],
        [{"text": "[tool error]"}, picture],
    ]
    assert (after, losses) == ([], [])


# anomalyco/opencode#49443, #50272: "doesn't support the image field"
def test_models_that_see_no_media_in_a_result_get_them_after_all_results():
    results = [ok(image(), file(b"a,b", "text/csv", name="a.csv")), ok(VIDEO), ok(file(name="a.pdf"))]
    contents, after, losses = converse(*results, media="user")
    assert [[*block] for content in contents for block in content] == [["text"]] * 3
    assert contents[0][0]["text"].endswith("\n\n[file a.csv (text/csv, 3 bytes)]\na,b")
    assert after[1::2] == [
        {"image": {"format": "png", "source": {"bytes": PNG}}},
        {"video": {"format": "mp4", "source": {"bytes": MP4}}},
        {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}},
    ]
    assert [block["text"].partition("] ")[0] for block in after[::2]] == [f"[from tool call call_{n}" for n in range(3)]
    assert [loss.fallback for loss in losses] == ["moved"] * 3


def test_models_that_see_no_media_get_texts():
    results = [ok(image(), VIDEO, file(), file(b"a,b", "text/csv"))]
    contents, after, losses = converse(*results, media="text")
    assert [[*block] for content in contents for block in content] == [["text"]]
    assert "a,b" in contents[0][0]["text"]
    assert (after, [loss.fallback for loss in losses]) == ([], ["text"] * 3)


# NousResearch/hermes-agent#55092, anomalyco/opencode#17381, patriceckhart/zot#40
@pytest.mark.parametrize("errors", ["status", "marker"])
@pytest.mark.parametrize("output", BLANKS, ids=ascii)
def test_the_content_of_a_result_is_never_empty(output, errors):
    contents, _, _ = converse(ToolResult(output), ToolResult.error(output), ok(image(), output=output), errors=errors)
    assert contents[0] == [{"text": "[done] The tool returned nothing."}]
    assert contents[1][0]["text"].endswith("the tool failed without a message")
    assert contents[2] == [{"image": {"format": "png", "source": {"bytes": PNG}}}]


# BerriAI/litellm#36499
@pytest.mark.parametrize("part", [file(), file(b"a,b", "text/csv")], ids=["PDF", "CSV"])
def test_a_document_has_a_text_beside_it(part):
    contents, _, _ = converse(ToolResult("", parts=[part]), ToolResult("", parts=[image(), part]))
    assert [content[0] for content in contents] == [{"text": "[done] The result is attached."}] * 2
    assert [len(content) for content in contents] == [2, 3]


# strands-agents/harness-sdk#1435, pydantic/pydantic-ai#2327, langchain-ai/langchain-aws#141
@pytest.mark.parametrize("media", ["inline", "user", "text"])
def test_all_results_of_a_turn_stand_first_in_one_message(media):
    (message,), _ = sent(to_bedrock, ok(image()), ToolResult.error("no", parts=[image()]), ok(file()), media=media)
    kinds = [next(iter(block)) for block in message["content"]]
    assert kinds[:3] == ["toolResult"] * 3
    assert "toolResult" not in kinds[3:]


# Gemini generateContent


# vercel/ai#3589, symfony/ai#2040, AstrBotDevs/AstrBot#7216
@pytest.mark.parametrize(
    ("result", "response"),
    [
        (ToolResult("sunny"), {"output": "sunny"}),
        (ToolResult("[1,2]"), {"output": "[1,2]"}),
        (ToolResult("42"), {"output": "42"}),
        (ToolResult.json(42), {"output": "42"}),
        (ToolResult.json([1, "a"]), {"output": [1, "a"]}),
        (ToolResult.json({"error": "a"}), {"output": {"error": "a"}}),
        (ToolResult.json({}), {"output": {}}),
        (ToolResult.error("no"), {"error": "no"}),
        (ToolResult.error("no", value={"a": 1}), {"error": "no"}),
    ],
    ids=["text", "text like a list", "text like a number", "number", "list", "key error", "empty", "error", "value"],
)
def test_proto_field_is_not_repeating_cannot_start_list(result, response):
    items, _ = sent(to_gemini, result)
    assert items[0]["parts"][0]["functionResponse"]["response"] == response


# langflow-ai/langflow#9437, kaitranntt/ccs#25
@pytest.mark.parametrize("name", [None, "", "1a", "a b", "é", "a" * 65, "a/b", "a\n"], ids=ascii)
def test_name_cannot_be_empty(name):
    for result in (ToolResult(), ToolResult("seen")):
        with pytest.raises(ValueError, match=r"^results\[1\]\.name: "):
            to_gemini([("a", result, "f"), ("b", result, name)])
    strict.gemini_contents(to_gemini([("a", ToolResult(), "_" + "a:.-" * 15 + "abc")]))


# looplj/axonhub#874, vercel/ai#15891, charmbracelet/fantasy#265
def test_unknown_name_id_cannot_find_field():
    items, _ = sent(to_gemini, ok(image(), AUDIO), ToolResult.error("no"), platform="vertex")
    responses = [part["functionResponse"] for part in items[0]["parts"]]
    assert ["id" in response for response in responses] == [False, False]
    assert items[1]["parts"][0]["text"].startswith("[from tool call tool #1] audio")
    items, _ = sent(to_gemini, ToolResult())
    assert items[0]["parts"][0]["functionResponse"]["id"] == "call_0"


# google-gemini/gemini-cli#3814, #4217, #16543; google-gemini/gemini-cli#16137
@pytest.mark.parametrize("media", ["inline", "user", "text"])
def test_number_of_function_response_parts_is_that_of_the_calls(media):
    items, _ = sent(to_gemini, ok(image(), AUDIO), ToolResult(), ToolResult.error("", parts=[file()]), media=media)
    assert [[*part] for part in items[0]["parts"]] == [["functionResponse"]] * 3
    assert len(items) == (1 if media == "text" else 2)


# google-gemini/gemini-cli#19436
@pytest.mark.parametrize("media", ["user", "text"])
def test_gemini_2_takes_no_parts_in_a_response(media):
    items, losses = sent(to_gemini, ok(image()), media=media)
    assert "parts" not in items[0]["parts"][0]["functionResponse"]
    assert [loss.fallback for loss in losses] == ["moved" if media == "user" else "text"]


# google-gemini/gemini-cli#16995, googleapis/java-genai#884
@pytest.mark.parametrize("part", [AUDIO, VIDEO], ids=["audio", "video"])
def test_audio_and_video_follow_after_a_response(part):
    items, losses = sent(to_gemini, ok(part))
    data = {"mimeType": part.mime_type, "data": b64(part.data)}
    assert items[1]["parts"][1] == {"inlineData": data}
    assert [loss.fallback for loss in losses] == ["moved"]


# QwenLM/qwen-code#2028, #1888
def test_types_that_gemini_does_not_name_are_left_out():
    for part in (image(gif(2, 2), "image/gif"), file(ZIP, "application/zip")):
        assert_left_out(*sent(to_gemini, ok(part)), part, f"{part.mime_type} is not accepted")


# vercel/ai#12777
def test_urls_of_the_open_web_are_not_fetched():
    assert_left_out(*sent(to_gemini, ok(URL_IMAGE)), URL_IMAGE, "a URL of this kind is not accepted")


# google-genai refuses a bare name; gs:// is Vertex's own
@pytest.mark.parametrize(
    ("platform", "uri", "is_taken"),
    [
        ("gemini", "files/abc", False),
        ("gemini", "gs://bucket/a.png", False),
        ("gemini", "https://generativelanguage.googleapis.com/v1beta/files/abc", True),
        ("vertex", "gs://bucket/a.png", True),
    ],
)
def test_files_are_named_by_their_uri(platform, uri, is_taken):
    part = ContentPart("image", file_id=uri, mime_type="image/png")
    items, losses = sent(to_gemini, ok(part), platform=platform)
    assert [loss.fallback for loss in losses] == ["moved" if is_taken else "text"]
    assert ({"fileData": {"fileUri": uri, "mimeType": "image/png"}} in items[-1]["parts"]) == is_taken


# A file needs its type
def test_a_file_of_unknown_type_is_left_out():
    part = ContentPart("image", file_id="https://generativelanguage.googleapis.com/v1beta/files/abc")
    assert_left_out(*sent(to_gemini, ok(part)), part, "its type is not known")


# googleapis/python-genai#2268, #2792
def test_no_reference_and_no_display_name_is_written():
    items, _ = sent(to_gemini, ok(image(name="a.png"), file(name="a.pdf")))
    assert "displayName" not in json.dumps(items)
    assert "$ref" not in json.dumps(items)


# Numbers of a Struct are doubles
@pytest.mark.parametrize(
    "value",
    [{"a": 2**53 + 1}, [-(2**70)], {"a": 1e300}, {"a": b"\x89PNG"}, {"a\0": 1, "a\ufffd": 2}],
    ids=ascii,
)
def test_a_value_that_a_struct_cannot_hold_is_text(value):
    result = ToolResult.of(value)
    items, _ = sent(to_gemini, result)
    response = items[0]["parts"][0]["functionResponse"]["response"]
    assert [type(said) for said in response.values()] == [str]


# takeshy/obsidian-gemini-helper#80: NaN is no JSON
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": float("nan")}, {"a": None}),
        ({"a": [float("-inf")]}, {"a": [None]}),
        ({1: "a"}, {"1": "a"}),
        ((1, (2.0,)), [1, [2.0]]),
    ],
    ids=ascii,
)
def test_data_say_what_their_text_says(value, said):
    items, _ = sent(to_gemini, ToolResult.of(value))
    assert items[0]["parts"][0]["functionResponse"]["response"] == {"output": said}
    assert json.loads(ToolResult.of(value).output) == said


def test_data_without_room_are_left_out_like_their_text_at_gemini():
    result = ToolResult.json({"a": "b" * 90})
    items, losses = sent(to_gemini, result, limits=replace(GEMINI["gemini"], total_bytes=50))
    assert "bbb" not in json.dumps(items)
    assert [loss.reason for loss in losses] == ["more than 50 bytes in one turn"]


def test_numbers_that_a_struct_holds_stay_numbers():
    items, _ = sent(to_gemini, ToolResult.json({"a": 2**53, "b": -(2**53), "c": 1.5, "d": True, "e": None}))
    said = items[0]["parts"][0]["functionResponse"]["response"]["output"]
    assert said == {"a": 2**53, "b": -(2**53), "c": 1.5, "d": True, "e": None}


# A Struct is read to a hundred levels
def test_deep_data_is_text():
    value = "leaf"
    for _ in range(60):
        value = {"a": value}
    items, _ = sent(to_gemini, ToolResult.json(value))
    said = items[0]["parts"][0]["functionResponse"]["response"]["output"]
    assert said == ToolResult.json(value).output


# aaif-goose/goose#1425
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_contents_parts_must_not_be_empty(to):
    assert to([]) == []


# Gemini Interactions


# zenml-io/kitaru#377
@pytest.mark.parametrize("value", [{"a": 1}, [1], 3, False, None], ids=str)
def test_a_result_is_a_text_or_blocks(value):
    items, _ = sent(to_gemini_interactions, ToolResult.json(value))
    assert items[0]["result"] == json.dumps(value, separators=(",", ":"))


# google.genai.interactions.FunctionResultStep: `result` and `call_id` are required
@pytest.mark.parametrize("output", BLANKS, ids=ascii)
def test_a_step_has_a_result_and_a_call_id(output):
    items, _ = sent(to_gemini_interactions, ToolResult(output), ToolResult.error(output))
    assert [item["result"].strip() != "" for item in items] == [True, True]
    assert ["is_error" in item for item in items] == [False, True]
    with pytest.raises(ValueError, match=r"^results\[0\]\.call_id: "):
        to_gemini_interactions([("", ToolResult())])


# Which models take what in a result is known of pictures only
def test_other_media_follow_after_the_steps():
    items, losses = sent(to_gemini_interactions, ok(AUDIO, VIDEO, file(), image()), ToolResult())
    assert [item["type"] for item in items] == ["function_result", "function_result", "user_input"]
    assert [block["type"] for block in items[2]["content"]] == ["text", "audio", "text", "video", "text", "document"]
    assert [loss.fallback for loss in losses] == ["moved"] * 3


# google.genai.interactions.FunctionResultStep: `name` is a text, or not there
@pytest.mark.parametrize("make", [ToolResult, lambda: ToolResult("seen")], ids=["nothing", "text"])
def test_a_step_has_a_name_only_if_it_is_one(make):
    for call in (("c", make()), ("c", make(), None), CallResult("c", make())):
        items = to_gemini_interactions([call])
        strict.gemini_interactions(items)
        assert [*items[0]] == ["type", "call_id", "result"]
    for name in ("1a", "a b", "é", "a" * 65):
        with pytest.raises(ValueError, match=r"^results\[0\]\.name: "):
            to_gemini_interactions([CallResult("c", make(), name)])


# All of them


@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize("result", [ToolResult(), ToolResult("seen"), ok(image())], ids=["nothing", "text", "image"])
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"on_pending": "wait"}, ValueError),
        ({"on_pending": None}, ValueError),
        ({"on_pending": ["raise"]}, ValueError),
        ({"on_loss": "explode"}, TypeError),
        ({"on_loss": 5}, TypeError),
        ({"on_loss": []}, TypeError),
    ],
    ids=str,
)
def test_an_option_that_cannot_be_is_refused_by_name(to, result, options, error):
    with pytest.raises(error, match=rf"^{next(iter(options))}: "):
        to([CallResult("c", result, "f")], **options)


@pytest.mark.parametrize(
    ("to", "option"),
    [
        (to_anthropic, "platform"),
        (to_openai_chat, "dialect"),
        (to_openai_chat, "media"),
        (to_openai_responses, "dialect"),
        (to_openai_responses, "media"),
        (to_bedrock, "media"),
        (to_bedrock, "errors"),
        (to_gemini, "platform"),
        (to_gemini, "media"),
        (to_gemini_interactions, "media"),
        (seeing.to_mistral, "media"),
        (seeing.to_cohere, "media"),
        (to_ollama, "media"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
@pytest.mark.parametrize("word", ["", "Inline", 5, ["inline"], {"a": 1}], ids=repr)
@pytest.mark.parametrize("result", [ToolResult("seen"), ok(image())], ids=["text", "image"])
def test_a_variant_that_is_none_is_refused_by_name(to, option, word, result):
    with pytest.raises(ValueError, match=rf"^{option}: "):
        to([CallResult("c", result, "f")], **{option: word})


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize("name", ["f", Word("f")], ids=["name", "name of a subclass"])
def test_ids_and_names_of_a_subclass_are_written_as_plain_text(to, name):
    for result in (ToolResult("seen"), ToolResult.error("no")):
        texts = texts_of(to([CallResult(Word("c1"), result, name)]))
        assert {type(text) for text in texts} == {str}


# Each rule holds of a turn of plain texts as it does of any other
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize(
    "text",
    ["a", "\x7f", "a\ud800", "a\0", " a", "é", "[tool error] a", "a" * 1_000_001],
    ids=lambda text: ascii(text)[:20],
)
def test_a_plain_text_is_written_as_one_of_parts_is(to, text):
    plain = to([CallResult("c1", ToolResult(text), "f")])
    CHECKS[to](plain)
    assert plain == to(iter([CallResult("c1", ToolResult("", parts=[ContentPart("text", text=text)]), "f")]))


# A call must not stay unanswered, and a request is no answer: openai/openai-agents-python#4827
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
def test_a_suspension_is_no_result(to):
    pending = ToolResult.pending(Request.approval("Delete?", id="r1"))
    with pytest.raises(PendingResultError, match=r"^results\[0\]: "):
        to([("a", pending, "f")])
    items, losses = sent(to, pending, on_pending="placeholder")
    assert any("Delete?" in text for text in texts_of(items))
    assert losses == []


# Anthropic's SDK folds lone surrogates; NUL is refused by many servers
@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize("is_error", [False, True])
def test_lone_surrogates_and_nul_are_replaced(to, is_error):
    parts = [ContentPart("text", text="a\ud800b\0"), file(b"%PDF-1.7", name="\udc00\0.pdf"), file(b"x\0", "text/plain")]
    result = ToolResult("c\udfff\0", is_error, parts=parts)
    items, _ = sent(to, result)
    texts = "".join(texts_of(items))
    texts.encode()
    assert "\0" not in texts
    assert "a\ufffdb\ufffd" in texts
    assert "c\ufffd\ufffd" in texts


@pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)
@pytest.mark.parametrize(
    ("results", "message"),
    [
        ("abc", r"^results: "),
        (5, r"^results: "),
        ([ToolResult()], r"^results\[0\]: "),
        ([("a",)], r"^results\[0\]: "),
        ([("a", ToolResult(), "f", 1)], r"^results\[0\]: "),
        (CallResult("a", ToolResult(), "f"), r"^results: is the result of one call"),
        (("a", ToolResult()), r"^results: is the result of one call"),
        ({"a": ToolResult()}, r"^results: must be an iterable"),
        ([(1, ToolResult(), "f")], r"^results\[0\]\.call_id: "),
        ([("a", "text", "f")], r"^results\[0\]\.result: "),
        ([("a", ToolResult(), 1)], r"^results\[0\]\.name: "),
        ([("a", ToolResult("seen"), 1)], r"^results\[0\]\.name: "),
        ([("a", ToolResult("seen"), b"f")], r"^results\[0\]\.name: "),
    ],
    ids=[
        "text",
        "number",
        "bare",
        "short",
        "long",
        "one CallResult",
        "one tuple",
        "mapping",
        "call_id",
        "result",
        "name",
        "name beside a text",
        "bytes for a name",
    ],
)
def test_what_is_no_turn_is_refused_by_name(to, results, message):
    with pytest.raises(TypeError, match=message):
        to(results)


# A lone surrogate is no UTF-8, and a NUL or a space no URI
@pytest.mark.parametrize("to", [to_gemini, to_gemini_interactions], ids=lambda to: to.__name__)
@pytest.mark.parametrize("tail", ["\ud800", "a\0", "a b", "\u00e9"], ids=ascii)
@pytest.mark.parametrize("options", [{}, {"platform": "vertex"}], ids=str)
def test_a_uri_of_a_file_is_printable_ascii(to, tail, options):
    uri = f"https://generativelanguage.googleapis.com/v1beta/files/{tail}"
    part = ContentPart("file", file_id=uri, mime_type="application/pdf")
    if to is to_gemini_interactions:
        options = {}
    items, losses = sent(to, ok(part), **options)
    json.dumps(items, ensure_ascii=False).encode()
    assert [loss.reason for loss in losses] == ["a file id of this form is not accepted"]
