"""Processes that a test starts: they end with the test, however it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 10.0
"""Seconds that a process has to end by itself."""

_ADDRESS = re.compile(r"running on (http://127\.0\.0\.1:\d+)")


@contextmanager
def started(script: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a script in a session of its own, and end all of it afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script), *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=PATIENCE)
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def serving(script: Path, *arguments: str) -> Iterator[str]:
    """Start a server over HTTP on loopback, and give its address."""
    with started(script, *arguments) as process:
        assert process.stderr is not None
        for line in process.stderr:
            found = _ADDRESS.search(line)
            if found:
                yield f"{found[1]}/mcp"
                return
        raise AssertionError(f"{script.name} has not started")


def line(process: subprocess.Popen[str]) -> str:
    """Read one line and nothing behind it; what `stdout.readline` reads ahead, `communicate` would not give."""
    assert process.stdout is not None
    read = bytearray()
    while not read.endswith(b"\n"):
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            break
        read += byte
    return read.decode()


def is_running(pid: int) -> bool:
    """Say whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
