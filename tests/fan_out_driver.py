"""Drivers for `test_fan_out.py`, in a process of their own: `python fan_out_driver.py WHAT SCHEDULER_FILE [...]`."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from operator import length_hint
from pathlib import Path

from distributed import Client, wait
from fan_out import stream
from fan_out_tools import draw_tile

import far_side
from fan_out_tools_of_tests import run_tool
from toolresult import ContentPart, ToolResult, wire
from toolresult._frozen import FrozenDict


def peak() -> int:
    """Give the most memory that this process has had, in bytes; `resource` counts the parent too."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def say(something: object) -> None:
    """Write a line of JSON at once."""
    sys.stdout.write(f"{json.dumps(something)}\n")
    sys.stdout.flush()


def refuses(change) -> bool:
    try:
        change()
    except (TypeError, dataclasses.FrozenInstanceError):
        return True
    return False


def faults(result: ToolResult, number: int) -> list[str]:
    """Say what of a result is not as the tool made it."""
    expected = draw_tile(number)
    (part,) = result.parts
    checks = {
        "types": [type(each) for each in (result, result.parts, part, part.data, result.output, result.metadata)]
        == [ToolResult, tuple, ContentPart, bytes, str, FrozenDict],
        "equal": result == expected,
        "hash": hash(result) == hash(expected),
        "repr": repr(result) == repr(expected),
        "digest": wire.digest(result) == wire.digest(expected),
        "sha256": part.sha256() == expected.metadata["sha256"],
        "frozen result": refuses(lambda: setattr(result, "output", "x")),
        "frozen part": refuses(lambda: setattr(part, "data", b"")),
        "frozen metadata": refuses(lambda: result.metadata.update(sha256="")),
    }
    return [name for name, holds in checks.items() if not holds]


def tiles(client: Client, count: str, window: str) -> None:
    """Stream tiles with a window, or gather all if it is 0; a line for each, then the memory without and with them."""
    assert faults(run_tool("here", "draw_tile", {"number": 0}), 0) == []
    before = peak()
    numbers = iter(range(int(count)))
    calls = ((f"call-{n}", "draw_tile", {"number": n}) for n in numbers)
    arriving = stream(client, run_tool, calls, int(window)) if int(window) else gather(client, calls)
    for used, (call_id, result) in enumerate(arriving):
        differs = faults(result, int(call_id.removeprefix("call-")))
        submitted = int(count) - length_hint(numbers)
        say([call_id, differs, submitted - used])
    say([before, peak()])


def gather(client: Client, calls: Iterable[tuple[str, str, dict[str, int]]]) -> Iterator[tuple[str, ToolResult]]:
    """Wait for all results, for comparison."""
    futures = {call[0]: client.submit(run_tool, *call, key=call[0]) for call in calls}
    return zip(futures, client.gather([*futures.values()]), strict=True)


def lost(client: Client) -> None:
    """Kill the worker that holds the finished result of a call, then ask for the result."""
    future = client.submit(run_tool, "call-0", "pay", {}, key="call-0")
    wait(future, timeout=60)
    (worker,) = client.who_has(future)["call-0"]
    os.kill(client.run(os.getpid, workers=[worker])[worker], signal.SIGKILL)
    while worker in client.scheduler_info(n_workers=-1)["workers"]:
        pass
    say(future.result(timeout=60).to_wire())


def failing(client: Client) -> None:
    """Stream calls, one after the other, of which some fail for the engine."""
    names = {"call-0": "raise", "call-1": "kill", "call-2": "pay", "call-3": "nope", "call-4": "ask"}
    calls = [(call_id, name, {}) for call_id, name in names.items()]
    say({call_id: result.to_wire() for call_id, result in stream(client, run_tool, calls, 1)})


def orphaned(client: Client) -> None:
    """Kill the scheduler on the way, and say how the stream ends."""
    arriving = stream(client, run_tool, [(f"call-{n}", "draw_tile", {"number": n}) for n in range(200)], 8)
    call_id, result = next(arriving)
    os.kill(client.run_on_scheduler(os.getpid), signal.SIGKILL)
    try:
        for call_id, result in arriving:
            assert type(result) is ToolResult, call_id
    except CancelledError:
        say("cancelled")


def echo(client: Client) -> None:
    """Send values as arguments, in a structure, and scattered to all workers."""
    hashes = hash("seed")
    sent = far_side.values()
    scattered = {name: client.scatter(value, broadcast=True) for name, value in sent.items()}
    answers = [
        *client.gather([client.submit(far_side.echo, *pair, pure=False) for pair in sent.items()]),
        *client.submit(far_side.echo_each, [{"values": [*sent.items()]}], pure=False).result(),
        *client.gather([client.submit(far_side.echo, *pair, pure=False) for pair in scattered.items()]),
    ]
    arrived = zip([*sent] * 3, answers, strict=True)
    say([(name, seen + far_side.faults(name, value), other != hashes) for name, (seen, value, other) in arrived])


if __name__ == "__main__":
    what, scheduler_file, *arguments = sys.argv[1:]
    with Client(scheduler_file=scheduler_file) as connected:
        connected.wait_for_workers(1, timeout=60)
        {"tiles": tiles, "lost": lost, "failing": failing, "orphaned": orphaned, "echo": echo}[what](
            connected, *arguments
        )
