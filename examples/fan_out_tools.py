"""The tools that the workers of `fan_out.py` run, in a module that every process imports by the same name."""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import Any

from toolresult import ContentPart, ToolResult, tool_result


def png(side: int, pixels: bytes) -> bytes:
    """Write a square picture, four bytes for each pixel, without compression."""
    width = 4 * side
    rows = b"".join(b"\0" + pixels[start : start + width] for start in range(0, width * side, width))
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0),
        b"IDAT": zlib.compress(rows, level=0),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks.items()
    )


@tool_result
def draw_tile(number: int, side: int = 512) -> ToolResult:
    """Draw a tile of a map: colours that depend on its number only, 1 MiB of them unless the side is given."""
    colours = hashlib.shake_256(str(number).encode()).digest(4 * side * side)
    part = ContentPart.image(png(side, colours), name=f"tile-{number}.png")
    return ToolResult.ok(f"Tile {number}", parts=[part], metadata={"sha256": part.sha256()})


TOOLS = {"draw_tile": draw_tile}


def run_tool(call_id: str, name: str, arguments: dict[str, Any]) -> ToolResult:
    """Run one tool call. It may run more than once, so a tool with an effect needs the `call_id`, to have it once."""
    if name not in TOOLS:
        return ToolResult.error(f"{call_id}: no such tool: {name}")
    return TOOLS[name](**arguments)
