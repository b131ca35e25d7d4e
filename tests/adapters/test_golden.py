"""What is written for a few turns, exactly: a change here is a change of what models read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.adapters import mcp_strict, strict

from toolresult import ContentPart, Request, ToolResult
from toolresult.adapters import (
    CallResult,
    from_anthropic,
    from_bedrock,
    from_cohere,
    from_gemini,
    from_gemini_interactions,
    from_mcp,
    from_mistral,
    from_ollama,
    from_openai_chat,
    from_openai_responses,
    to_anthropic,
    to_bedrock,
    to_cohere,
    to_gemini,
    to_gemini_interactions,
    to_mcp,
    to_mistral,
    to_ollama,
    to_openai_chat,
    to_openai_responses,
)


def to_mcp_results(turn, **options):
    return [to_mcp(call.result, **options) for call in turn]


def from_mcp_results(results, on_loss=None):
    return [CallResult(f"call_{n}", from_mcp(result, on_loss=on_loss)) for n, result in enumerate(results, 1)]


def check_mcp_results(results):
    for result in results:
        mcp_strict.call_result(result, "2026-07-28" if "resultType" in result else "2025-06-18")


FOLDER = Path(__file__).parent.parent / "golden" / "adapters"
ADAPTERS = {
    "anthropic": (to_anthropic, from_anthropic, strict.anthropic_messages),
    "openai_chat": (to_openai_chat, from_openai_chat, strict.openai_chat),
    "openai_responses": (to_openai_responses, from_openai_responses, strict.openai_responses),
    "bedrock": (to_bedrock, from_bedrock, lambda messages: strict.bedrock_messages(strict.decoded(messages))),
    "gemini": (to_gemini, from_gemini, strict.gemini_contents),
    "gemini_interactions": (to_gemini_interactions, from_gemini_interactions, strict.gemini_interactions),
    "mistral": (to_mistral, from_mistral, strict.mistral_messages),
    "cohere": (to_cohere, from_cohere, strict.cohere_messages),
    "ollama": (to_ollama, from_ollama, strict.ollama_messages),
    "mcp": (to_mcp_results, from_mcp_results, check_mcp_results),
}
VARIANTS = {
    "anthropic": {"bedrock": {"platform": "bedrock"}},
    "openai_chat": {
        "azure": {"dialect": "azure"},
        "deepseek": {"dialect": "deepseek"},
        "groq": {"dialect": "groq"},
        "groq-inline": {"dialect": "groq", "media": "inline"},
        "ollama": {"dialect": "ollama"},
        "openrouter": {"dialect": "openrouter"},
        "openrouter-inline": {"dialect": "openrouter", "media": "inline"},
    },
    "openai_responses": {"azure": {"dialect": "azure"}, "user": {"media": "user"}, "text": {"media": "text"}},
    "bedrock": {"user": {"media": "user"}, "text": {"media": "text"}, "marker": {"errors": "marker"}},
    "gemini": {"vertex": {"platform": "vertex"}, "user": {"media": "user"}, "text": {"media": "text"}},
    "gemini_interactions": {"user": {"media": "user"}, "text": {"media": "text"}},
    "mistral": {"inline": {"media": "inline"}, "user": {"media": "user"}},
    "cohere": {"user": {"media": "user"}},
    "ollama": {"user": {"media": "user"}, "text": {"media": "text"}},
    "mcp": {"2025-06-18": {"version": "2025-06-18"}},
}
SAME = [
    ("anthropic", {"platform": "vertex"}, "bedrock"),
    ("openai_chat", {"dialect": "text"}, "deepseek"),
    ("openai_chat", {"media": "text"}, "deepseek"),
    ("openai_chat", {"dialect": "deepseek", "media": "inline"}, "groq-inline"),
    ("openai_chat", {"dialect": "xai"}, "groq"),
    ("mcp", {"version": "2025-11-25"}, "2025-06-18"),
]
CHECKS = {
    "groq-inline": strict.groq_messages,
    "ollama": strict.ollama_chat,
    "openrouter": strict.openrouter_messages,
    "openrouter-inline": strict.openrouter_messages,
}

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x02\x00\x00\x00"
JPEG = b"\xff\xd8\xff\xe0\x00\x04\x00\x00"
PDF = b"%PDF-1.7\n"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt "
MP4 = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00"
ZIP = b"PK\x03\x04" + bytes(26)
CHART = ContentPart("image", data=PNG, mime_type="image/png", name="chart.png")
EVERYTHING = [
    ContentPart("text", text="All there is:"),
    CHART,
    ContentPart("image", data=JPEG, mime_type="image/png"),
    ContentPart("image", url="https://h.test/photo.png?size=2", mime_type="image/png"),
    ContentPart("image", file_id="gs://bucket/photo.png", mime_type="image/png"),
    ContentPart("audio", data=WAV, mime_type="audio/wav"),
    ContentPart("video", data=MP4, mime_type="video/mp4", name="film.mp4"),
    ContentPart("file", data=PDF, mime_type="application/pdf", name="report.pdf"),
    ContentPart("file", url="https://h.test/report.pdf", mime_type="application/pdf"),
    ContentPart("file", file_id="file-1", mime_type="application/pdf", metadata={"provider": "openai"}),
    ContentPart("file", data="Ort,Höhe\nUlm,478\n".encode(), mime_type="text/csv", name="places.csv"),
    ContentPart("image", data=b"<svg xmlns='http://www.w3.org/2000/svg'/>", mime_type="image/svg+xml"),
    ContentPart("file", data=ZIP, mime_type="application/zip", name="all.zip"),
    ContentPart("hologram", raw={"type": "hologram", "data": "QUJD"}),
    ContentPart("text", text=" \n"),
    ContentPart("text", text="The end.\ud800", metadata={"annotations": {"priority": 1}}),
]
WAITS = Request("approval", "Delete 3 files?", id="r1", url="https://h.test/approve")
TURNS = {
    "text": [
        CallResult("call_1", ToolResult("Sunny, 21 °C"), "weather"),
        CallResult("call_2", ToolResult.json({"error": None, "rows": [1, 2.5]}), "query"),
        CallResult("call_3", ToolResult(), "save"),
    ],
    "error": [
        CallResult("call_1", ToolResult.error("no such city", code="not_found"), "weather"),
        CallResult("call_2", ToolResult.error(""), "query"),
        CallResult("call_3", ToolResult.error("cut short", parts=[CHART]), "plot"),
    ],
    "picture": [
        CallResult("call_1", ToolResult.ok("Sales by month", parts=[CHART]), "plot"),
        CallResult("call_2", ToolResult("", parts=[CHART]), "plot"),
    ],
    "everything": [
        CallResult("call_1", ToolResult.from_parts(EVERYTHING, metadata={"trace": "private"}), "collect"),
        CallResult("call_2", ToolResult.pending(WAITS), "delete"),
        CallResult("call_3", ToolResult.error("disk full\0", parts=[EVERYTHING[7]]), "save"),
        CallResult("call_4", ToolResult(), "save"),
    ],
}
FILES = {
    **{f"{adapter}/{turn}.json": (adapter, turn, {}, None) for adapter in ADAPTERS for turn in TURNS},
    **{
        f"{adapter}/everything.{variant}.json": (adapter, "everything", options, variant)
        for adapter, variants in VARIANTS.items()
        for variant, options in variants.items()
    },
}


def golden(file):
    return json.loads((FOLDER / file).read_text(encoding="utf-8"))


def written(adapter, turn, options, on_loss=None):
    turn = TURNS[turn]
    if adapter == "mistral":  # its ids have nine letters and digits
        turn = [call._replace(call_id=call.call_id.replace("_", "0000")) for call in turn]
    items = ADAPTERS[adapter][0](turn, on_pending="placeholder", on_loss=on_loss, **options)
    return strict.encoded(items)


@pytest.mark.parametrize("file", FILES)
def test_what_is_written_is_what_was_written(file):
    adapter, turn, options, _ = FILES[file]
    assert written(adapter, turn, options) == golden(file)


@pytest.mark.parametrize("file", FILES)
def test_what_was_written_is_valid(file):
    adapter, _, _, variant = FILES[file]
    CHECKS.get(variant, ADAPTERS[adapter][2])(golden(file))


@pytest.mark.parametrize(("adapter", "options", "variant"), SAME, ids=str)
def test_variants_that_differ_in_nothing_write_the_same(adapter, options, variant):
    assert written(adapter, "everything", options) == golden(f"{adapter}/everything.{variant}.json")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_each_variant_differs(adapter):
    files = [f"{adapter}/everything.json", *(f"{adapter}/everything.{variant}.json" for variant in VARIANTS[adapter])]
    assert len({json.dumps(golden(file)) for file in files}) == len(files)


@pytest.mark.parametrize("adapter", ["mistral", "cohere"])
def test_media_that_were_asked_for_are_read_back(adapter):
    read = ADAPTERS[adapter][1]
    first, *_ = read(golden(f"{adapter}/everything.user.json"), on_loss="raise")
    assert [part.data for part in first.result.content if part.data] == [PNG, JPEG]
    assert [part.url for part in first.result.content if part.url] == ["https://h.test/photo.png?size=2"]
    first, *_ = read(golden(f"{adapter}/everything.json"), on_loss="raise")
    assert [part.type for part in first.result.content] == ["text"]
    results = [call.result for call in read(golden(f"{adapter}/error.json"))]
    assert [result.is_error for result in results] == [True, True, True]


@pytest.mark.parametrize("adapter", [adapter for adapter in ADAPTERS if adapter not in ("mistral", "cohere")])
def test_what_was_written_is_read_back(adapter):
    read = ADAPTERS[adapter][1]
    first, second = read(golden(f"{adapter}/picture.json"), on_loss="raise")
    assert [part.data for part in first.result.content if part.data] == [PNG]
    assert [part.data for part in second.result.content if part.data] == [PNG]
    results = [call.result for call in read(golden(f"{adapter}/error.json"))]
    assert [result.is_error for result in results] == [True, True, True]
    assert results[0].output == "no such city"
    assert [part.data for part in results[2].content if part.data] == [PNG]


def test_every_file_is_tested():
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.json")} == {*FILES}
