"""Calls of `examples/durable_approval.py` that wait while workers are killed: each ends, and each refund is made once.

`HYPOTHESIS_PROFILE=long` kills at least 100 times over at least 40 calls; `DURABLE_SEED` draws other moments.
"""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from toolresult import Answer, Request, ToolResult
from toolresult._frozen import FrozenDict

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "durable_approval.py"
WORKER = Path(__file__).parent / "durable" / "worker.py"
PATIENCE = 180.0
"""Seconds after which something counts as hanging."""

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
SEED = int(os.environ.get("DURABLE_SEED", "1"))


def environment(**more: str) -> dict[str, str]:
    """Leave coverage out of processes that are killed: half a data file is none."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")} | more


def wait_for(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, "it hangs"
        time.sleep(0.03)
    return found


class Worker:
    """A process of its own."""

    def __init__(self, data: Path, name: str = "worker-1", script: tuple[str, ...] = (str(WORKER),), **more: str):
        data.mkdir(exist_ok=True)
        self.name = name
        self.log = data / f"{name}.{time.monotonic_ns()}.log"
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-W", "error", *script, name],
                cwd=ROOT,
                env=environment(**more),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def is_up(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return f"{self.name} works" in self.log.read_text()

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # it has ended
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def started(data: Path, *arguments: Any, **more: Any) -> Iterator[Worker]:
    worker = Worker(data, *arguments, **more)
    try:
        yield worker
    finally:
        worker.kill()


@contextmanager
def working(data: Path, *arguments: Any, **more: Any) -> Iterator[Worker]:
    with started(data, *arguments, **more) as worker:
        wait_for(worker.is_up)
        yield worker


@pytest.fixture(scope="module")
def module() -> Any:
    spec = importlib.util.spec_from_file_location("durable_approval", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Calls:
    """The other side: it starts calls, answers them and looks at them, in the process of the test."""

    def __init__(self, module: Any):
        self.module = module
        self.data: Path = module.DATA

    def start(self, call_id: str, amount: int = 10) -> None:
        self.module.start(call_id, f"of {call_id}", amount)

    def request(self, call_id: str) -> Request | None:
        with self.module.client() as client:
            return client.get_event(call_id, "request", timeout_seconds=0)

    def asks(self, call_id: str) -> Request:
        return wait_for(lambda: self.request(call_id))

    def send(self, call_id: str, answer: Answer, key: str | None = None) -> None:
        with self.module.client() as client:
            client.send(call_id, answer, topic=answer.id, idempotency_key=key or answer.id)

    def result(self, call_id: str) -> ToolResult | None:
        with self.module.client() as client:
            status = client.retrieve_workflow(call_id).get_status()
        assert status.status in ("ENQUEUED", "PENDING", "SUCCESS"), status.error
        return status.output if status.status == "SUCCESS" else None

    def ended(self, call_id: str) -> ToolResult:
        return wait_for(lambda: self.result(call_id))

    def recorded(self, call_id: str) -> list[ToolResult]:
        """Give the recorded results of the tool: those that asked, and the last."""
        with self.module.client() as client:
            steps = client.list_workflow_steps(call_id)
        return [step["output"] for step in steps if step["function_name"] == "call_tool"]

    def steps(self, call_id: str) -> list[str]:
        with self.module.client() as client:
            return [step["function_name"] for step in client.list_workflow_steps(call_id)]

    def entered(self) -> Counter[str]:
        path = self.data / "entered.log"
        return Counter(path.read_text(encoding="utf-8").splitlines() if path.exists() else [])

    def refunds(self) -> list[tuple[str, str, int]]:
        with self.module.refunds() as table:
            return sorted(table.execute("SELECT key, ordered, amount FROM refunds"))


@pytest.fixture
def calls(tmp_path, monkeypatch, module) -> Calls:
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("DURABLE_DATA", str(data))
    monkeypatch.setattr(module, "DATA", data)
    monkeypatch.setattr(module, "DATABASE", f"sqlite:///{data / 'dbos.sqlite'}")
    return Calls(module)


def refunded(call_id: str) -> ToolResult:
    order = f"of {call_id}"
    return ToolResult.ok(f"Refunded 10 EUR for order {order}.", value={"order": order, "amount": 10})


def test_kills_while_it_waits_and_answers_while_nobody_works(calls):
    with working(calls.data):
        calls.start("call-1")
        request = calls.asks("call-1")
        pending = calls.recorded("call-1")
    assert pending == [ToolResult.pending(request)]
    with working(calls.data):
        assert calls.request("call-1") == request
    # Nobody works now. The first answer counts, whoever clicks again, and another call is started.
    for answer in (request.accept(), request.accept(), request.decline(), request.accept()):
        calls.send("call-1", answer)
    calls.start("call-2")
    with working(calls.data):
        result = calls.ended("call-1")
        assert result == refunded("call-1")
        assert type(result) is ToolResult
        assert type(result.metadata) is FrozenDict
        other = calls.asks("call-2")
        # Late answers change nothing, by whatever key, nor does the answer to one call answer another.
        calls.send("call-1", request.decline())
        calls.send("call-1", request.decline(), key="another")
        calls.send("call-2", request.accept())
        calls.send("call-2", other.decline("no"))
        assert calls.ended("call-2") == other.decline("no").to_result()
    with working(calls.data):
        calls.start("call-1", 10_000)  # the same id is the same call
        assert calls.result("call-1") == result
    assert calls.recorded("call-1") == [*pending, result]
    assert calls.entered() == {"call-1 asks": 1, "call-1 goes on": 1, "call-2 asks": 1, "call-2 goes on": 1}
    assert calls.refunds() == [("call-1", "of call-1", 10)]


def test_a_kill_after_the_effect_runs_the_tool_again_and_refunds_once(calls):
    with working(calls.data, WORKER_DIES="after the effect") as worker:
        calls.start("call-1")
        request = calls.asks("call-1")
        calls.send("call-1", request.accept())
        assert worker.process.wait(PATIENCE) == -signal.SIGKILL
    assert calls.refunds() == [("call-1", "of call-1", 10)]
    assert calls.result("call-1") is None
    with working(calls.data):
        assert calls.ended("call-1") == refunded("call-1")
    assert calls.entered() == {"call-1 asks": 1, "call-1 goes on": 2}
    assert calls.refunds() == [("call-1", "of call-1", 10)]


def command(*words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-W", "error", str(EXAMPLE), *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(line, cwd=ROOT, env=environment(), stdout=pipe, stderr=pipe, encoding="utf-8")


def said(*processes: subprocess.Popen[str]) -> list[str]:
    """Give what commands print, to either side."""
    try:
        return ["".join(process.communicate(timeout=PATIENCE)) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_commands_in_processes_of_their_own_and_four_that_start_one_call_start_it_once(calls):
    with started(calls.data, script=(str(EXAMPLE), "work")) as one, working(calls.data, "worker-2"):
        wait_for(one.is_up)
        starting = [command("start", "call-1", "of call-1", "10") for _ in range(4)]
        assert said(*starting) == ["call-1 is started\n"] * 4
        calls.asks("call-1")
        assert said(command("show", "call-1"), command("show", "call-2")) == [
            "call-1 asks: Refund 10 EUR for order of call-1? (yes/no)\n",
            "There is no call call-2\n",
        ]
        assert said(command("answer", "call-1", "yes")) == ["call-1 is answered: yes\n"]
        assert calls.ended("call-1") == refunded("call-1")
    assert said(command("show", "call-1"), command("answer", "call-1", "no")) == [
        "call-1 has ended: Refunded 10 EUR for order of call-1.\n",
        "call-1 asks nothing\n",
    ]
    steps = ["call_tool", "DBOS.setEvent", "seconds_left", "DBOS.recv", "DBOS.sleep", "judge", "call_tool"]
    assert calls.steps("call-1") == [*steps, "DBOS.setEvent"]
    assert calls.refunds() == [("call-1", "of call-1", 10)]


def test_the_time_goes_on_while_nobody_works_and_its_end_is_an_answer(calls):
    with working(calls.data, WORKER_PATIENCE="5"):
        calls.start("call-1")
        request = calls.asks("call-1")
    wait_for(request.is_expired)
    with working(calls.data, WORKER_PATIENCE="10000"):
        assert calls.ended("call-1") == request.expire().to_result()
    assert calls.recorded("call-1")[0] == ToolResult.pending(request)
    assert calls.refunds() == []


def test_what_is_wrong_is_no_answer_and_the_call_goes_on_waiting(calls):
    with working(calls.data):
        calls.start("call-1")
        request = calls.asks("call-1")
        with calls.module.client() as client:
            for n, wrong in enumerate([{"ok": True}, None, True, "yes", Answer("call-0:0", ok=True)]):
                client.send("call-1", wrong, topic=request.id, idempotency_key=f"wrong {n}")
        wait_for(lambda: calls.steps("call-1").count("judge") == 5)
        calls.send("call-1", request.decline())
        assert calls.ended("call-1") == request.decline().to_result()
    assert calls.refunds() == []


class Sweep:
    """Workers that are killed at random moments, while calls are started and answered at random moments."""

    def __init__(self, calls: Calls, seed: int, count: int, kills: int):
        self.calls = calls
        self.random = random.Random(seed)
        self.names = [f"call-{n}" for n in range(count)]
        self.kills = kills
        self.begun: list[str] = []
        self.requests: dict[str, Request] = {}
        self.answers: dict[str, Answer] = {}
        self.recorded: dict[str, list[ToolResult]] = {}

    def run(self) -> None:
        with working(self.calls.data):
            pass  # it makes the database
        for n in range(self.kills):
            self.round(len(self.names) * (n + 1) // self.kills)
        with working(self.calls.data, WORKER_PAUSE="0.1"):
            for name in self.names:
                self.answer(name, wait=True)
                self.calls.ended(name)
                self.look(name)
                self.say_again(name)
        with working(self.calls.data):
            for name in self.names:
                self.calls.start(name)
                assert self.calls.result(name) == self.recorded[name][-1]
                self.look(name)

    def round(self, begun: int) -> None:
        """Do some of what there is to do, and kill the worker at some moment."""
        acts: list[Callable[[], None]] = [partial(self.begin, name) for name in self.names[len(self.begun) : begun]]
        waiting = [name for name in self.begun if name not in self.answers]
        acts += [partial(self.answer, name) for name in waiting if self.random.random() < 0.4]
        acts += [partial(self.look, name) for name in self.random.sample(self.begun, min(2, len(self.begun)))]
        acts += [partial(self.say_again, name) for name in self.answers if self.random.random() < 0.1]
        with started(self.calls.data, WORKER_PAUSE="0.1") as worker:
            if self.random.random() < 0.8:  # otherwise it may be killed while it starts
                wait_for(worker.is_up)
            end = time.monotonic() + self.random.uniform(0, 2.5)
            for act in self.random.sample(acts, len(acts)):
                time.sleep(self.random.uniform(0, max(0.0, end - time.monotonic())))
                act()
            time.sleep(max(0.0, end - time.monotonic()))

    def begin(self, name: str) -> None:
        self.calls.start(name)
        self.begun.append(name)

    def look(self, name: str) -> None:
        """See that what was recorded before a kill is what is recorded after it."""
        recorded, before = self.calls.recorded(name), self.recorded.get(name, [])
        assert recorded[: len(before)] == before
        assert all(type(result) is ToolResult for result in recorded)
        self.recorded[name] = recorded
        request = self.calls.request(name)
        if request is not None:
            assert self.requests.setdefault(name, request) == request
            assert self.calls.recorded(name)[0] == ToolResult.pending(request)

    def answer(self, name: str, *, wait: bool = False) -> None:
        if name in self.answers:
            return
        request = self.calls.asks(name) if wait else self.calls.request(name)
        if request is not None:
            self.look(name)
            self.answers[name] = request.accept() if self.random.random() < 0.7 else request.decline("no")
            self.calls.send(name, self.answers[name])
            self.say_again(name)

    def say_again(self, name: str) -> None:
        """Send a second answer: the same, or another; by another key too, once nobody waits for it."""
        request = self.requests[name]
        self.calls.send(name, self.random.choice([self.answers[name], request.accept(), request.decline()]))
        if self.calls.result(name) is not None:
            self.calls.send(name, request.decline("late"), key=f"{name} late {self.random.random()}")


def test_each_call_ends_and_refunds_once_however_often_workers_are_killed(calls):
    count, kills = (40, 100) if IS_LONG else (4, 5)
    begin = time.monotonic()
    sweep = Sweep(calls, SEED, count, kills)
    sweep.run()
    said_yes = [name for name, answer in sorted(sweep.answers.items()) if answer]
    for name, answer in sweep.answers.items():
        assert sweep.recorded[name] == [
            ToolResult.pending(sweep.requests[name]),
            refunded(name) if answer else answer.to_result(),
        ]
    assert sorted(sweep.recorded) == sorted(sweep.names)
    assert calls.refunds() == [(name, f"of {name}", 10) for name in said_yes]
    entered = calls.entered()
    assert set(entered) == {f"{name} {what}" for name in sweep.names for what in ("asks", "goes on")}
    again = entered.total() - len(entered)
    seconds = time.monotonic() - begin
    figures = (
        f"seed {SEED}: {kills} kills, {count} calls, {len(said_yes)} refunds, entered again {again}, {seconds:.0f} s"
    )
    print(figures)  # noqa: T201
