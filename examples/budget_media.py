"""Keep the pictures and files of a whole turn within one budget.

Limits of providers count per request, and every result of a turn goes into the same request. So the budget is spent
over all results together, in order; what does not fit is replaced by its summary, so that the model knows about it.
Run it with `python examples/budget_media.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from toolresult import ContentPart, ToolResult

DATA = Path(__file__).parent / "data"


def within(results: Iterable[ToolResult], budget: int) -> list[ToolResult]:
    """Return the results with at most `budget` bytes of media in all (decoded; base64 needs a third more)."""
    left = budget
    kept: list[ToolResult] = []
    for result in results:
        parts: list[ContentPart] = []
        for part in result.parts or ():
            size = part.size or 0
            if part.data is None or size <= left:
                left -= size
                parts.append(part)
            else:
                parts.append(ContentPart.from_text(f"[left out, over the budget: {part.summary()}]"))
        kept.append(dataclasses.replace(result, parts=tuple(parts)))
    return kept


def main() -> None:
    """Budget three results, of which two fit."""
    turn = [
        ToolResult.image("chart.png", root=DATA, output="The chart."),
        ToolResult.file("report.pdf", root=DATA, output="The report."),
        ToolResult.audio("chime.wav", root=DATA, output="The chime."),
    ]
    for result in within(turn, budget=12_000):
        print(str(result).replace("\n\n", " "))


if __name__ == "__main__":
    main()
