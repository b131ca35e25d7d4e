"""Run many tool calls on worker processes, and use each result as it arrives, with a bounded number in memory.

`python examples/fan_out.py` starts a scheduler and three workers of Dask on loopback, draws 200 tiles of 1 MiB, and
ends what it started. It prints the process ids of the workers: `kill -9` one of them, and all tiles still arrive.
`--scheduler-file FILE` takes a cluster that runs already, whose processes can import `fan_out_tools`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from distributed import Client, as_completed
from fan_out_tools import run_tool

from toolresult import ToolResult, wire

SETTINGS = {
    "DASK_LOGGING__DISTRIBUTED": "error",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5 s",  # a scheduler looks so long for a worker that has died
}

Call = tuple[str, str, dict[str, Any]]
"""The id of a call, the name of its tool, and the arguments."""


def stream(
    client: Any, run: Callable[..., ToolResult], calls: Iterable[Call], window: int
) -> Generator[tuple[str, ToolResult]]:
    """Give each call id with its result as it arrives; at most `window` calls run or wait to be used."""

    def submit(count: int) -> list[Any]:
        return [client.submit(run, *call, key=call[0], retries=2) for call in islice(waiting, count)]

    waiting = iter(calls)
    arriving: Any = as_completed(submit(window), with_results=True, raise_errors=False)  # type: ignore[no-untyped-call]
    for future, result in arriving:
        if isinstance(result, ToolResult):
            yield future.key, result
        elif isinstance(result, BaseException):  # the scheduler has ended, and all results with it
            raise result
        else:  # an exception: it raised three times, or killed four workers
            yield future.key, ToolResult.error(f"The call failed: {result[0].__name__}")
        future.release()  # the worker forgets the result
        arriving.update(submit(1))


@contextmanager
def cluster(workers: int) -> Generator[tuple[Path, list[int]]]:
    """Start a scheduler and workers, give the scheduler's file and the workers' process ids, and end all of them."""
    with TemporaryDirectory() as folder, ExitStack() as ends:
        file = Path(folder, "scheduler.json")

        def start(*command: str) -> int:
            options = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "dask", *command, *options],
                cwd=Path(__file__).parent,  # with `-m`, modules are found here
                env=SETTINGS | os.environ,
            )
            ends.enter_context(process)
            ends.callback(process.kill)
            return process.pid

        start("scheduler", "--port", "0", "--idle-timeout", "1 hour")
        worker = ("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "1 GiB", "--local-directory", folder)
        yield file, [start(*worker) for _ in range(workers)]


def main() -> None:
    """Draw tiles, and compare the digest of each with the one that its worker has noted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--window", type=int, default=32, help="results in memory at a time")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--scheduler-file", type=Path, help="of a cluster that runs already")
    options = parser.parse_args()

    with ExitStack() as stack:
        file: Path | None = options.scheduler_file
        if file is None:
            file, processes = stack.enter_context(cluster(options.workers))
            print("workers:", *processes, flush=True)
        client: Any = stack.enter_context(Client(scheduler_file=str(file)))  # type: ignore[no-untyped-call]
        client.wait_for_workers(1, timeout=60)
        started, size = time.monotonic(), 0
        calls = ((f"call-{n}", "draw_tile", {"number": n}) for n in range(options.calls))
        for call_id, result in stream(client, run_tool, calls, options.window):
            for part in result.raise_for_error().parts or ():
                if result.metadata is None or part.sha256() != result.metadata["sha256"]:
                    raise SystemExit(f"{call_id} arrived with other bytes than its worker has drawn")
                size += part.size or 0
            print(call_id, wire.digest(result), flush=True)
        print(f"{options.calls} results, {size / 2**20:.1f} MiB, {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
