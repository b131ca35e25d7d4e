"""One turn of an assistant, as each provider would receive its results.

The assistant called three tools at once: one returned text, one a picture with a sentence, and one failed. What is
printed is what a host appends after that turn; nothing is sent. Run it with
`python examples/one_turn_every_provider.py`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from toolresult import ContentPart, ToolResult
from toolresult.adapters import (
    CallResult,
    Loss,
    to_anthropic,
    to_bedrock,
    to_cohere,
    to_gemini,
    to_gemini_interactions,
    to_mistral,
    to_ollama,
    to_openai_chat,
    to_openai_responses,
)

DATA = Path(__file__).parent / "data"
COLUMN = 48
CUT = 32

Json: TypeAlias = "str | bytes | int | float | bool | list[Json] | dict[str, Json] | None"

ADAPTERS: dict[str, Callable[..., list[Any]]] = {
    "Anthropic: Messages": to_anthropic,
    "Bedrock: Converse": to_bedrock,
    "OpenAI: Chat Completions": to_openai_chat,
    "OpenAI: Responses": to_openai_responses,
    "Gemini: generateContent": to_gemini,
    "Gemini: Interactions": to_gemini_interactions,
    "Mistral: chat": to_mistral,
    "Cohere: chat, version 2": to_cohere,
    "Ollama: /api/chat": to_ollama,
}


def turn() -> list[CallResult]:
    """Return the results of one turn: the id of each call, what its tool returned, and the name of the tool.

    The ids have nine letters and digits, since Mistral takes no others.
    """
    chart = ContentPart.image("chart.png", root=DATA)
    return [
        CallResult("call00001", ToolResult.ok("120 orders, 4 regions"), "count_orders"),
        CallResult("call00002", ToolResult.ok("Sales rose in the north.", parts=[chart]), "draw_chart"),
        CallResult("call00003", ToolResult.error("No such region: Atlantis"), "region_total"),
    ]


def shortened(value: Json) -> Json:
    """Cut every long text without a space, which is base64, and say how long it is; the same for bytes."""
    if isinstance(value, dict):
        return {key: shortened(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, bytes):
        return f"({len(value)} raw bytes)"
    if isinstance(value, str) and len(value) > CUT and " " not in value:
        return f"{value[:CUT]}... ({len(value)} characters)"
    return value


def written(value: Json, width: int, before: str = "", after: str = "") -> list[str]:
    """Write JSON over several lines, each structure on one line if it fits."""
    line = before + json.dumps(value, ensure_ascii=False) + after
    if len(line) <= width or not isinstance(value, (dict, list)):
        return textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)
    if isinstance(value, dict):
        opening, closing = "{", "}"
        members = [(f'"{key}": ', member) for key, member in value.items()]
    else:
        opening, closing = "[", "]"
        members = [("", item) for item in value]
    lines = [before + opening]
    for n, (key, member) in enumerate(members, 1):
        comma = "," if n < len(members) else ""
        lines += [f" {each}" for each in written(member, width - 1, key, comma)]
    return [*lines, closing + after]


def column(title: str, to_provider: Callable[..., list[Any]]) -> list[str]:
    """Write what one provider receives, and what could not stand where it was."""
    losses: list[Loss] = []
    messages = to_provider(turn(), on_loss=losses.append)
    lines = [title, "-" * COLUMN]
    for message in messages:
        lines += written(shortened(message), COLUMN)
    lines.append("")
    for loss in losses:
        told = f"{loss.fallback}: {loss.part.summary()} of {loss.call_id} {loss.reason}"
        lines += textwrap.wrap(told, COLUMN, subsequent_indent="  ")
    return lines if losses else [*lines, "nothing was lost or moved"]


def main() -> None:
    """Print the columns, two side by side."""
    columns = [column(title, to_provider) for title, to_provider in ADAPTERS.items()]
    nothing: list[str] = []
    for left, right in zip_longest(columns[::2], columns[1::2], fillvalue=nothing):
        for one, other in zip_longest(left, right, fillvalue=""):
            print(f"{one:<{COLUMN}} | {other}".rstrip(" |"))
        print("\n")


if __name__ == "__main__":
    main()
