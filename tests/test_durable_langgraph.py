"""`examples/durable_approval_langgraph.py`: refunds that wait in a checkpoint, while its processes are killed."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "durable_approval_langgraph.py"
NOTED = ROOT / "tests" / "durable" / "on_langgraph.py"
HANGS = 240.0
"""Seconds after which nothing comes any more, on a busy machine too."""

UNMEASURED = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
"""Processes that are killed write no data of coverage: half a file is none."""

ASKS = "call-1 asks: Refund 10 EUR for order 1007? (yes/no)"
PAID = "call-1 has ended: Refunded 10 EUR for order 1007."
STOPPED = "call-1 has stopped: run go-on"


class Calls:
    def __init__(self, data):
        self.data = data

    @contextmanager
    def saying(self, *words, **environment):
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(NOTED), *words],
            env={**UNMEASURED, "DURABLE_DATA": str(self.data), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def say(self, *words, **options):
        """What a command prints, or how it ends."""
        with self.saying(*words, **options) as process:
            said, errors = process.communicate(timeout=HANGS)
            if process.returncode == 1:
                return errors.strip()
            return said.strip() if process.returncode == 0 else process.returncode

    def start(self, **options):
        return self.say("start", "call-1", "1007", "10", **options)

    def refunds(self):
        if not (self.data / "refunds.sqlite").exists():
            return []
        with closing(sqlite3.connect(self.data / "refunds.sqlite", timeout=60)) as connection:
            return connection.execute("SELECT key, amount FROM refunds ORDER BY key").fetchall()

    def entries(self):
        return (self.data / "entries.log").read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture
def calls(tmp_path):
    return Calls(tmp_path)


def test_the_commands_of_the_example(calls, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("durable_approval_langgraph", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, example)
    spec.loader.exec_module(example)
    monkeypatch.setattr(example, "DATA", calls.data)

    def say(*words):
        monkeypatch.setattr(sys, "argv", [EXAMPLE.name, *words])
        try:
            example.main()
        except SystemExit as error:
            return str(error)
        return capsys.readouterr().out.strip()

    assert say("show", "call-1") == "There is no call call-1"
    assert say("start", "call-1", "1007", "10") == ASKS
    assert say("start", "call-1", "1007", "99") == ASKS  # the same id is the same call
    assert say("go-on", "call-1") == ASKS
    assert say("answer", "call-1", "yes") == PAID
    assert say("answer", "call-1", "no") == "call-1 asks nothing"
    assert say("go-on", "call-1") == PAID
    assert say("start", "call-2", "1008", "20").startswith("call-2 asks")
    assert say("answer", "call-2", "no").endswith("Not executed: declined by the user.")
    assert calls.refunds() == [("call-1", 10)]


def test_a_kill_before_the_question_is_stored_asks_again(calls):
    assert calls.start(CALL_DIES="ask") == -signal.SIGKILL
    assert calls.say("show", "call-1") == STOPPED
    assert calls.say("go-on", "call-1") == ASKS
    assert calls.entries() == ["call-1 ask"] * 2


def test_a_kill_after_the_effect_runs_the_tool_again_and_pays_once(calls):
    assert calls.start() == ASKS
    assert calls.say("answer", "call-1", "yes", CALL_DIES="pay") == -signal.SIGKILL
    assert calls.refunds() == [("call-1", 10)]
    assert calls.say("answer", "call-1", "no") == "call-1 asks nothing"
    assert calls.say("show", "call-1") == STOPPED
    assert calls.say("go-on", "call-1") == PAID
    assert calls.refunds() == [("call-1", 10)]
    assert calls.entries() == ["call-1 ask", "call-1 pay", "call-1 pay"]


def test_the_end_of_time_is_an_answer(calls):
    assert calls.start(CALL_PATIENCE="0.1") == ASKS
    time.sleep(0.1)
    assert calls.say("answer", "call-1", "yes").startswith("call-1 is not answered: expired")
    assert calls.say("go-on", "call-1").endswith("Not executed: nobody answered in time.")
    assert calls.refunds() == []


def test_of_two_processes_that_answer_at_once_one_runs_the_tool(calls):
    assert calls.start() == ASKS
    with calls.saying("answer", "call-1", "yes") as one, calls.saying("answer", "call-1", "yes") as other:
        said = [process.communicate(timeout=HANGS) for process in (one, other)]
    assert sorted(text.strip() for pair in said for text in pair) == ["", "", "call-1 asks nothing", PAID]
    assert calls.entries() == ["call-1 ask", "call-1 pay"]


def test_commands_that_are_killed_at_random_moments_end_with_one_refund(calls):
    moments = random.Random(1)
    kills = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 3
    longest = 1.0
    while kills or calls.say("show", "call-1") != PAID:
        for words in (("start", "call-1", "1007", "10"), ("go-on", "call-1"), ("answer", "call-1", "yes")):
            with calls.saying(*words) as process, suppress(subprocess.TimeoutExpired):
                began = time.monotonic()
                process.wait(moments.uniform(0, longest) if kills else HANGS)
                longest = max(longest, time.monotonic() - began)
            kills -= kills and process.returncode == -signal.SIGKILL
    assert calls.refunds() == [("call-1", 10)]
    assert calls.say("answer", "call-1", "no") == "call-1 asks nothing"
