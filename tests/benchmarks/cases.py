"""The bars. A new one is one entry in `BENCHMARKS`, and its names in `NAMES`."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from gauges import ColdImport, Fixed, Gauge, Loop

from toolresult import ContentPart, ToolResult


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
NAMES = {
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
    "image": image_of(10_000_000),
    "flat": {"source": "ci", "attempt": 2},
    "result": ToolResult.ok(TEXT),
    "text": TEXT,
    "tree": search_hits(1000),
}

loop = partial(Loop, names=NAMES)
bare = loop("Bare(text)")
freezing = loop("ToolResult.ok('x', metadata=tree)")
first_hash = loop("hash(new_image)", setup="new_image = image_of(10_000_000)")
microseconds_50 = Fixed("50 microseconds", 50e-6)

BENCHMARKS = [
    Benchmark("construct", loop("ToolResult(text)"), bare, 0.80),
    Benchmark("ok", loop("ToolResult.ok(text)"), bare, 1.00),
    Benchmark("flat metadata", loop("ToolResult.ok(text, metadata=flat)"), bare, 1.90),
    Benchmark("deep freeze", freezing, loop("copy.deepcopy(tree)"), 0.50),
    Benchmark("deep freeze", freezing, loop("json.loads(json.dumps(tree))"), 0.95),
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
