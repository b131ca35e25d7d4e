"""Measure every bar and print a table; the exit code is 1 if one is missed.

Arguments are words: only the bars with one of them in their name are measured.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from statistics import quantiles

from cases import BENCHMARKS, Benchmark

import toolresult

ROUNDS = 21
TURNS = 3  # readings of each side in a round
ROW = "{:<16} {:<36} {:<30} {:>7} {:>15} {:>7}  {}"


def ratio(benchmark: Benchmark, round_number: int) -> float:
    """Read both sides in turn and compare the best of each: a disturbance can only add time."""
    case, yardstick = [], []
    for turn in range(TURNS):
        sides = [(case, benchmark.case), (yardstick, benchmark.yardstick)]
        for readings, gauge in sides if (round_number + turn) % 2 else reversed(sides):
            readings.append(gauge.read())
    return min(case) / min(yardstick)


def measure(benchmark: Benchmark) -> bool:
    """Print the row of one bar and say whether it was reached."""
    ratio(benchmark, 0)  # warms up
    low, median, high = quantiles([ratio(benchmark, n) for n in range(ROUNDS)], n=4)
    passed = median <= benchmark.limit
    print_row(
        benchmark.name,
        benchmark.case.label,
        benchmark.yardstick.label,
        f"{median:.3g}",
        f"{low:.3g}..{high:.3g}",
        f"{benchmark.limit:.2f}",
        "pass" if passed else "FAIL",
    )
    return passed


def print_row(*cells: str) -> None:
    sys.stdout.write(ROW.format(*cells) + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    chosen = [b for b in BENCHMARKS if not words or any(word in b.name for word in words)]
    sys.stdout.write(f"Python {platform.python_version()}, {ROUNDS} rounds, {Path(toolresult.__file__).parent}\n\n")
    print_row("bar", "case", "yardstick", "ratio", "middle half", "limit", "")
    missed = sum(not measure(benchmark) for benchmark in chosen)
    sys.stdout.write(f"\n{len(chosen) - missed} of {len(chosen)} bars reached\n")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
