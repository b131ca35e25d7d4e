"""Values that went through processes, threads, tasks and a cluster are equal, of the same types, and still immutable.

The pickles themselves are in `property/test_values.py`; here are the ways that take them.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import pickle
import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dask.base
import pytest
from tests import far_side
from tests.adapters import processes

from toolresult import Request, Suspend, ToolResult, tool_result, wire

TESTS = Path(__file__).parent
VALUES = far_side.values()

each_value = pytest.mark.parametrize("name", VALUES)


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_values_travel_to_processes_with_other_hashes_and_back(method, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    with processes.started(TESTS / "far_side_processes.py", method) as script:
        said, errors = script.communicate(timeout=300)
    assert script.returncode == 0, errors
    assert errors == ""
    found = json.loads(said)
    assert [entry for entry in found if entry[1]] == []
    ways = ["by_inheritance", "by_pipe", "by_queues", "by_pool", "by_pool", "by_manager", "by_manager"]
    assert [name for name, *_ in found] == [*ways, "by_cloudpickle", "by_executor", "raised"]
    others = {other for _, _, seen in found for other in seen}
    assert others == ({False} if method == "fork" else {True, False})


def test_values_travel_through_a_cluster_of_dask(monkeypatch):
    paths = [str(TESTS.parent / "examples"), str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(TESTS.parent / "examples")
    from fan_out import cluster

    monkeypatch.setenv("PYTHONHASHSEED", "2")
    with cluster(2) as (file, _):
        monkeypatch.setenv("PYTHONHASHSEED", "1")
        with processes.started(TESTS / "fan_out_driver.py", "echo", str(file)) as driver:
            said, errors = driver.communicate(timeout=300)
    assert driver.returncode == 0, errors
    found = json.loads(said)
    assert [entry for entry in found if entry[1:] != [[], True]] == []
    assert [name for name, *_ in found] == [*VALUES] * 3


@each_value
def test_dask_names_equal_values_the_same(name):
    assert dask.base.tokenize(VALUES[name], ensure_deterministic=True) == dask.base.tokenize(far_side.values()[name])


QUEUES = {"queue": queue.Queue, "last first": queue.LifoQueue, "simple": queue.SimpleQueue}


@each_value
@pytest.mark.parametrize("kind", QUEUES.values(), ids=QUEUES)
def test_a_value_travels_through_a_queue_to_a_thread_and_back(name, kind):
    there, back = kind(), kind()
    thread = threading.Thread(target=lambda: back.put(far_side.echo(*there.get())))
    thread.start()
    there.put((name, VALUES[name]))
    seen, value, _ = back.get(timeout=60)
    thread.join()
    assert seen == []
    assert value is VALUES[name]


def use(value) -> tuple[object, ...]:
    """Do all that computes something of a value, as a thread would."""
    return (
        hash(value),
        repr(value),
        str(value),
        pickle.dumps(value),
        far_side.faults("result", value),
        value.value,
        value.content,
        [wire.digest(part) for part in value.parts],
        ToolResult("same", parts=value.parts, metadata=value.metadata),
    )


def test_many_threads_use_one_value_at_the_same_time():
    value = far_side.values()["result"]
    together = threading.Barrier(8)

    def wait_and_use() -> list[tuple[object, ...]]:
        together.wait(60)
        return [use(value) for _ in range(20)]

    with ThreadPoolExecutor(8) as executor:
        used = [future.result() for future in [executor.submit(wait_and_use) for _ in range(8)]]
    assert used == [[use(value)] * 20] * 8
    assert far_side.faults("result", value) == []


caller = contextvars.ContextVar("caller", default="nobody")


@tool_result
def who(call: int) -> str:
    if call % 3 == 1:
        raise Suspend(Request.approval(f"Call {call} of {caller.get()}?", id=f"call_{call}:0"))
    return f"call {call} of {caller.get()}"


@tool_result
async def who_async(call: int) -> str:
    await asyncio.sleep(0)
    return who(call).raise_for_error().output


def expected(call: int) -> ToolResult:
    if call % 3 == 1:
        return ToolResult.pending(Request.approval(f"Call {call} of caller {call}?", id=f"call_{call}:0"))
    return ToolResult.ok(f"call {call} of caller {call}")


async def in_a_task(call: int) -> ToolResult:
    caller.set(f"caller {call}")  # each task has a context of its own
    return await who_async(call)


async def in_a_thread(call: int) -> ToolResult:
    caller.set(f"caller {call}")
    return await asyncio.to_thread(who, call)


async def in_an_executor(call: int) -> ToolResult:
    context = contextvars.copy_context()
    context.run(caller.set, f"caller {call}")
    return await asyncio.get_running_loop().run_in_executor(None, context.run, who, call)


@pytest.mark.parametrize("way", [in_a_task, in_a_thread, in_an_executor])
def test_tools_that_run_at_the_same_time_see_the_context_of_their_own_caller(way):
    async def run() -> list[ToolResult]:
        return await asyncio.gather(*[asyncio.create_task(way(call)) for call in range(30)])

    assert asyncio.run(run()) == [expected(call) for call in range(30)]
    assert caller.get() == "nobody"


def test_a_suspension_without_the_decorator_reaches_who_waits_for_the_task_or_the_thread():
    request = VALUES["request"]

    async def ask() -> None:
        far_side.ask(request)

    async def run() -> list[object]:
        ways = [asyncio.create_task(ask()), asyncio.create_task(asyncio.to_thread(far_side.ask, request))]
        return await asyncio.gather(*ways, return_exceptions=True)

    assert [type(each) for each in asyncio.run(run())] == [Suspend, Suspend]
    with ThreadPoolExecutor(1) as executor, pytest.raises(Suspend) as caught:
        executor.submit(far_side.ask, request).result()
    assert caught.value.request is request


@each_value
def test_a_value_travels_through_a_task_a_queue_and_a_context(name):
    value = VALUES[name]
    held: contextvars.ContextVar[object] = contextvars.ContextVar("held")

    async def work(there: asyncio.Queue, back: asyncio.Queue) -> None:
        await back.put(far_side.echo(name, await there.get()))
        await back.put(far_side.echo(name, await asyncio.to_thread(held.get)))

    async def run() -> list[tuple[list[str], object, int]]:
        there, back = asyncio.Queue(), asyncio.Queue()
        held.set(value)
        task = asyncio.create_task(work(there, back))
        await there.put(value)
        await task
        return [await back.get(), await back.get()]

    for seen, same, _ in asyncio.run(run()):
        assert seen == []
        assert same is value
