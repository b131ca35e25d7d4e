"""The bars. A new one is one entry in `BENCHMARKS`, and its names in `NAMES`."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import peers
from gauges import ColdImport, FirstRun, Fixed, Gauge, Loop, PeakMemory
from pydantic import BaseModel

from toolresult import ContentPart, ToolResult, adapters, tool_result
from toolresult._frozen import freeze
from toolresult._media import PNG_SIGNATURE
from toolresult.adapters import CallResult
from toolresult.convert import of
from toolresult.wire import from_wire, to_wire


@dataclass(frozen=True)
class Benchmark:
    """`case` may cost at most `limit` times what `yardstick` costs in the same round."""

    name: str
    case: Gauge
    yardstick: Gauge
    limit: float


@dataclass(frozen=True, slots=True)
class Bare:
    """The fields of `ToolResult` in a generated dataclass that checks nothing."""

    output: str = ""
    is_error: bool = False
    parts: tuple[ContentPart, ...] | None = None
    metadata: Mapping[str, object] | None = None


class Part(BaseModel):
    """The fields of `ContentPart` that every part has, in a pydantic model."""

    type: str
    text: str | None = None
    data: str | None = None


class Model(BaseModel):
    """The fields of `ToolResult` in a pydantic model."""

    output: str
    isError: bool  # noqa: N815 - as it is spelt there
    parts: tuple[Part, ...] | None = None
    metadata: dict[str, object] | None = None


def literal(result: ToolResult) -> dict[str, object]:
    """Write the wire form of a text by hand."""
    return {"output": result.output, "isError": result.is_error}


Turn = list[CallResult]


def anthropic_literals(turn: Turn) -> list[object]:
    """Write the results of a turn by hand, as the functions that follow do."""
    content = [{"type": "tool_result", "tool_use_id": call_id, "content": result.output} for call_id, result, _ in turn]
    return [{"role": "user", "content": content}]


def bedrock_literals(turn: Turn) -> list[object]:
    content = [
        {"toolResult": {"toolUseId": call_id, "content": [{"text": result.output}]}} for call_id, result, _ in turn
    ]
    return [{"role": "user", "content": content}]


def chat_literals(turn: Turn) -> list[object]:
    return [{"role": "tool", "tool_call_id": call_id, "content": result.output} for call_id, result, _ in turn]


def responses_literals(turn: Turn) -> list[object]:
    return [
        {"type": "function_call_output", "call_id": call_id, "output": result.output} for call_id, result, _ in turn
    ]


def gemini_literals(turn: Turn) -> list[object]:
    parts = [
        {"functionResponse": {"name": name, "id": call_id, "response": {"output": result.output}}}
        for call_id, result, name in turn
    ]
    return [{"role": "user", "parts": parts}]


def interactions_literals(turn: Turn) -> list[object]:
    return [
        {"type": "function_result", "call_id": call_id, "name": name, "result": result.output}
        for call_id, result, name in turn
    ]


def search_hits(count: int) -> dict[str, object]:
    """Make a JSON tree of ten leaves per hit."""
    return {
        "hits": [
            {
                "id": n,
                "title": f"title {n}",
                "url": f"https://example.org/{n}",
                "size": n * 7,
                "score": n / 4,
                "seen": n % 2 == 0,
                "note": None,
                "tags": [f"a{n}", f"b{n}", f"c{n}"],
            }
            for n in range(count)
        ]
    }


def image_of(size: int) -> ContentPart:
    return ContentPart("image", data=bytes(size), mime_type="image/png")


TEXT = "The build passed in 4 minutes"
BIG_TEXT = "x" * (100 * 1024 * 1024)
BIG_IMAGE = image_of(len(BIG_TEXT))
PNG = Path(__file__).parents[2].joinpath("examples/data/fixture.png").read_bytes()
CALLS = [(f"call_{n:024x}", TEXT, None) for n in range(4)]
SEEN = PNG_SIGNATURE + bytes(3_000_000)
NAMES = {
    "turn": [CallResult(call_id, ToolResult.ok(text), "ci") for call_id, text, _ in CALLS],
    "seen": SEEN,
    "seen_turn": [CallResult("call_1", ToolResult.image(SEEN, output=TEXT), "camera")],
    "langchain_turn": peers.langchain_turn(CALLS),
    "pydantic_ai_turn": peers.pydantic_ai_turn(CALLS),
    "pydantic_ai_seen": peers.pydantic_ai_turn([("call_1", TEXT, SEEN)]),
    "mcp_turn": peers.mcp_turn(CALLS),
    "peers": peers,
    "anthropic_literals": anthropic_literals,
    "bedrock_literals": bedrock_literals,
    "chat_literals": chat_literals,
    "responses_literals": responses_literals,
    "gemini_literals": gemini_literals,
    "interactions_literals": interactions_literals,
    **{name: getattr(adapters, name) for name in adapters.__all__},
    "Bare": Bare,
    "ToolResult": ToolResult,
    "copy": copy,
    "image_of": image_of,
    "json": json,
    "big_image": BIG_IMAGE,
    "big_image_result": ToolResult.from_parts([BIG_IMAGE]),
    "big_text": ContentPart.from_text(BIG_TEXT),
    "big_text_part_result": ToolResult.ok("see the part", parts=[ContentPart.from_text(BIG_TEXT)]),
    "big_text_result": ToolResult.ok(BIG_TEXT),
    "png": PNG,
    "image": image_of(10_000_000),
    "flat": {"source": "ci", "attempt": 2},
    "result": ToolResult.ok(TEXT),
    "text": TEXT,
    "of": of,
    "freeze": freeze,
    "tool": tool_result(lambda: TEXT),
    "to_wire": to_wire,
    "from_wire": from_wire,
    "wire": {"output": TEXT, "isError": False},
    "literal": literal,
    "Model": Model,
    "tree": search_hits(1000),
}

loop = partial(Loop, names=NAMES)
bare = loop("Bare(text)")
freezing = loop("ToolResult.ok('x', metadata=tree)")
first_hash = loop("hash(new_image)", setup="new_image = image_of(10_000_000)")
microseconds_50 = Fixed("50 microseconds", 50e-6)

# Files and their base64 text, once in a new process, when whatever is loaded late has been loaded.
LOADING = """
import json, os, tempfile
from binascii import b2a_base64
from toolresult import ContentPart, ToolResult
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "ten_million_bytes")
with open(path, "wb") as file:
    file.write(bytes(10_000_000))
ContentPart.file(os.__file__).base64()
"""
IN_MEMORY = LOADING + "with open(path, 'rb') as file: data = file.read()\npart = ContentPart.file(data)"
WIRE = (
    LOADING
    + """
from binascii import a2b_base64
wire = ContentPart.file(path).to_wire()
text = wire["data"]
ContentPart.from_wire(ContentPart.file(os.__file__).to_wire())
ToolResult.file(os.__file__).to_json()
"""
)
SHOWING = """
import os, tempfile
from binascii import b2a_base64
from toolresult import ToolResult
from toolresult.adapters import to_anthropic, to_openai_chat
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "picture.png")
with open(path, "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(3_000_000))
with open(path, 'rb') as file: data = file.read()
small = [("a", ToolResult.image(data[:100]))]
to_anthropic(small); to_openai_chat(small)
turn = [("call_1", ToolResult.image(data))]
"""
READ = "with open(path, 'rb') as file: data = file.read()"
ten_million_bytes = Fixed("10,000,000 bytes", 10_000_000)

BENCHMARKS = [
    Benchmark("construct", loop("ToolResult(text)"), bare, 0.80),
    Benchmark("ok", loop("ToolResult.ok(text)"), bare, 1.00),
    Benchmark("flat metadata", loop("ToolResult.ok(text, metadata=flat)"), bare, 1.90),
    Benchmark("deep freeze", freezing, loop("copy.deepcopy(tree)"), 0.50),
    Benchmark("deep freeze", freezing, loop("json.loads(json.dumps(tree))"), 0.95),
    Benchmark("small picture", loop("ToolResult.image(png)"), bare, 3.00),
    Benchmark(
        "bytes to base64",
        FirstRun("part.base64()", "text = part.base64()", IN_MEMORY),
        FirstRun("b2a_base64(data)", "text = b2a_base64(data, newline=False)", IN_MEMORY),
        1.80,
    ),
    Benchmark(
        "file to base64",
        FirstRun("ContentPart.file(path).base64()", "text = ContentPart.file(path).base64()", LOADING),
        FirstRun("b2a_base64(file.read())", READ + "; text = b2a_base64(data, newline=False)", LOADING),
        1.60,
    ),
    Benchmark(
        "peak memory",
        PeakMemory("file", "part = ContentPart.file(path)", LOADING),
        ten_million_bytes,
        1.05,
    ),
    Benchmark(
        "peak memory",
        PeakMemory("file to base64", "part = ContentPart.file(path); text = part.base64()", LOADING),
        ten_million_bytes,
        3.80,
    ),
    Benchmark(
        "peak memory",
        PeakMemory(
            "file to base64 to JSON",
            "part = ContentPart.file(path); text = json.dumps({'data': part.base64()})",
            LOADING,
        ),
        ten_million_bytes,
        5.20,
    ),
    Benchmark("of a text", loop("ToolResult.of(text)"), loop("ToolResult.ok(text)"), 1.50),
    Benchmark("of a tree", loop("of(tree)"), loop("json.dumps(tree); freeze(tree)"), 3.00),
    Benchmark("a tool that returns text", loop("tool()"), loop("ToolResult.ok(text)"), 3.00),
    Benchmark(
        "text to wire", loop("to_wire(result)"), loop("literal(result)"), 1.65 if sys.version_info >= (3, 13) else 1.50
    ),
    # The aim was a fifth. The constructor alone costs more than that, and takes most of the time here.
    Benchmark("text from wire", loop("from_wire(ToolResult, wire)"), loop("Model.model_validate(wire)"), 0.75),
    Benchmark(
        "file to wire text",
        FirstRun("ToolResult.file(path).to_json()", "text = ToolResult.file(path).to_json()", WIRE),
        FirstRun("b2a_base64(file.read())", READ + "; text = b2a_base64(data, newline=False)", WIRE),
        3.40,
    ),
    Benchmark(
        "base64 to bytes",
        FirstRun("ContentPart.from_wire(wire)", "part = ContentPart.from_wire(wire)", WIRE),
        FirstRun("a2b_base64(text)", "data = a2b_base64(text, strict_mode=True)", WIRE),
        1.05,
    ),
    # The aim was 1.5. The ids alone cost as much as the literals, and texts have to be looked at too.
    Benchmark("text turn", loop("to_anthropic(turn)"), loop("anthropic_literals(turn)"), 5.00),
    Benchmark("text turn", loop("to_bedrock(turn)"), loop("bedrock_literals(turn)"), 5.00),
    Benchmark("text turn", loop("to_openai_chat(turn)"), loop("chat_literals(turn)"), 5.00),
    Benchmark("text turn", loop("to_openai_responses(turn)"), loop("responses_literals(turn)"), 5.00),
    Benchmark("text turn", loop("to_gemini(turn)"), loop("gemini_literals(turn)"), 5.50),
    Benchmark("text turn", loop("to_gemini_interactions(turn)"), loop("interactions_literals(turn)"), 5.50),
    Benchmark(
        "text of peers",
        loop("to_openai_chat(turn)"),
        loop("peers.convert_to_openai_messages(langchain_turn)"),
        1.0,
    ),
    Benchmark(
        "text of peers", loop("to_openai_chat(turn)"), loop("peers.pydantic_ai_messages(pydantic_ai_turn)"), 0.50
    ),
    Benchmark("text of peers", loop("to_anthropic(turn)"), loop("peers.mcp_dicts(mcp_turn)"), 1.0),
    Benchmark(
        "image turn",
        FirstRun("to_anthropic(turn)", "items = to_anthropic(turn)", SHOWING),
        FirstRun("b2a_base64(data)", "text = b2a_base64(data, newline=False)", SHOWING),
        1.80,
    ),
    Benchmark(
        "image turn",
        FirstRun("to_anthropic of a file", "items = to_anthropic([('call_1', ToolResult.image(path))])", SHOWING),
        FirstRun("b2a_base64(file.read())", READ + "; text = b2a_base64(data, newline=False)", SHOWING),
        1.60,
    ),
    Benchmark(
        "image of peers",
        loop("to_openai_chat(seen_turn)"),
        loop("peers.langchain_with_image('call_1', text, seen)"),
        1.15,  # all three encode once, and do little else
    ),
    Benchmark(
        "image of peers",
        loop("to_openai_chat(seen_turn)"),
        loop("peers.pydantic_ai_messages(pydantic_ai_seen)"),
        1.0,
    ),
    Benchmark("image of peers", loop("to_anthropic(seen_turn)"), loop("peers.mcp_with_image(text, seen)"), 1.15),
    Benchmark("copy", loop("copy.copy(result)"), bare, 0.60),
    Benchmark("deepcopy", loop("copy.deepcopy(result)"), bare, 0.80),
    Benchmark(
        "cold import",
        ColdImport("toolresult"),
        ColdImport("dataclasses"),
        1.50 if sys.version_info >= (3, 13) else 1.60,
    ),
    Benchmark("second hash", loop("hash(image)"), first_hash, 0.01),
    Benchmark("repr of 100 MiB", loop("repr(big_image)"), microseconds_50, 1.00),
    Benchmark("repr of 100 MiB", loop("repr(big_image_result)"), microseconds_50, 1.00),
    Benchmark("repr of 100 MiB", loop("repr(big_text)"), microseconds_50, 1.00),
    Benchmark("repr of 100 MiB", loop("repr(big_text_part_result)"), microseconds_50, 1.00),
    Benchmark("repr of 100 MiB", loop("repr(big_text_result)"), microseconds_50, 1.00),
]
