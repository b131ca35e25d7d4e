"""Measure every bar and print a table; the exit code is 1 if one is missed.

Arguments are words: only the bars with one of them in their name are measured.
"""

from __future__ import annotations

import platform
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles

from cases import BENCHMARKS, Benchmark
from gauges import ColdImport, FirstRun, PeakMemory

import toolresult

PROCESSES = 3
ROUNDS = 7  # in each process
TURNS = 3  # readings of each side in a round
ROW = "{:<16} {:<36} {:<30} {:>8} {:>18} {:>6}  {}"


def ratio(benchmark: Benchmark, round_number: int) -> float:
    """Read both sides in turn and compare the best of each: a disturbance can only add time."""
    case, yardstick = [], []
    for turn in range(TURNS):
        sides = [(case, benchmark.case), (yardstick, benchmark.yardstick)]
        for readings, gauge in sides if (round_number + turn) % 2 else reversed(sides):
            readings.append(gauge.read())
    return min(case) / min(yardstick)


def ratios(place: int, rounds: int) -> list[float]:
    """Measure one of `BENCHMARKS`; it is named by its place, since processes cannot send it to each other."""
    benchmark = BENCHMARKS[place]
    ratio(benchmark, 0)  # warms up
    return [ratio(benchmark, n) for n in range(rounds)]


def measure(place: int, processes: list[Executor]) -> bool:
    """Print the row of one bar and say whether it was reached."""
    benchmark = BENCHMARKS[place]
    if isinstance(benchmark.case, (ColdImport, FirstRun, PeakMemory)):
        found = ratios(place, PROCESSES * ROUNDS)  # every reading is a process of its own
    else:
        # One after the other: where a process happens to put its objects moves all its ratios together.
        found = [ratio for process in processes for ratio in process.submit(ratios, place, ROUNDS).result()]
    low, median, high = quantiles(found, n=4)
    passed = median <= benchmark.limit
    print_row(
        benchmark.name,
        benchmark.case.label,
        benchmark.yardstick.label,
        f"{median:.4g}",
        f"{low:.4g}..{high:.4g}",
        f"{benchmark.limit:.2f}",
        "pass" if passed else "FAIL",
    )
    return passed


def print_row(*cells: str) -> None:
    sys.stdout.write(ROW.format(*cells) + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    chosen = [n for n, b in enumerate(BENCHMARKS) if not words or any(word in b.name for word in words)]
    sys.stdout.write(f"Python {platform.python_version()}, {Path(toolresult.__file__).parent}\n\n")
    print_row("bar", "case", "yardstick", "ratio", "middle half", "limit", "")
    processes = [ProcessPoolExecutor(1, get_context("spawn")) for _ in range(PROCESSES)]
    missed = sum(not measure(place, processes) for place in chosen)
    for process in processes:
        process.shutdown()
    sys.stdout.write(f"\n{len(chosen) - missed} of {len(chosen)} bars reached\n")
    return 1 if missed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
