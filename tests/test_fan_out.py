"""Tool calls on worker processes of Dask over loopback: all results arrive, also when a worker is killed on the way."""

from __future__ import annotations

import inspect
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.adapters import processes

from toolresult import ToolResult, wire

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "fan_out.py"
DRIVER = ROOT / "tests" / "fan_out_driver.py"
MIB = 2**20

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="they look at /proc")

CALLS, WINDOW = 200, 16


@pytest.fixture
def notes(tmp_path, monkeypatch):
    """A folder for what the tools note; the modules that workers and drivers import are found."""
    monkeypatch.setenv("NOTES", str(tmp_path))
    paths = [str(ROOT / "examples"), str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(ROOT / "examples")
    return tmp_path


@contextmanager
def one_more_worker(scheduler_file: Path) -> Iterator[None]:
    options = ["--scheduler-file", str(scheduler_file), "--host", "127.0.0.1", "--no-dashboard"]
    worker = ["worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(scheduler_file.parent)]
    with subprocess.Popen([sys.executable, "-m", "dask", *worker, *options]) as process:
        try:
            yield
        finally:
            process.kill()


def calls_in(notes: Path) -> Counter[str]:
    return Counter((notes / "calls").read_text(encoding="utf-8").split())


def test_two_hundred_results_of_a_mebibyte_arrive_although_a_worker_is_killed(notes):
    from fan_out import cluster

    with (
        cluster(3) as (file, workers),
        processes.started(DRIVER, "tiles", str(file), str(CALLS), str(WINDOW)) as driver,
    ):
        arrived = [json.loads(processes.line(driver)) for _ in range(CALLS // 3)]
        os.kill(workers[1], signal.SIGKILL)
        with one_more_worker(file):
            said, errors = driver.communicate(timeout=300)
        assert driver.returncode == 0, errors
        assert [processes.is_running(pid) for pid in workers] == [True, False, True]
    *rest, (before, peak) = map(json.loads, said.splitlines())
    arrived += rest
    assert [call for call in arrived if call[1]] == []
    every_call = {f"call-{n}" for n in range(CALLS)}
    assert Counter(call_id for call_id, *_ in arrived) == Counter(every_call)
    assert [under_way for *_, under_way in arrived] == [min(WINDOW, CALLS - used) for used in range(CALLS)]
    assert {call_id for call_id in calls_in(notes) if call_id != "here"} == every_call
    assert 0 < peak - before < 4 * WINDOW * MIB < CALLS * MIB / 2


def test_a_finished_result_that_dies_with_its_worker_is_made_again_and_the_key_keeps_its_effect_single(notes):
    from fan_out import cluster

    with cluster(2) as (file, _), processes.started(DRIVER, "lost", str(file)) as driver:
        said, errors = driver.communicate(timeout=300)
    assert driver.returncode == 0, errors
    assert ToolResult.from_json(said) == ToolResult.ok("Paid.", metadata={"call": "call-0"})
    assert calls_in(notes) == {"call-0": 2}
    assert (notes / "call-0.paid").read_text(encoding="utf-8") == "paid\n"


def test_a_call_that_the_engine_gives_up_is_an_error_result_and_the_next_ones_run(notes, monkeypatch):
    from fan_out import cluster

    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1")
    with cluster(3) as (file, _), processes.started(DRIVER, "failing", str(file)) as driver:
        said, errors = driver.communicate(timeout=300)
    assert driver.returncode == 0, errors
    results = {call_id: ToolResult.from_wire(result) for call_id, result in json.loads(said).items()}
    assert results == {
        "call-0": ToolResult.error("The call failed: ZeroDivisionError"),
        "call-1": ToolResult.error("The call failed: KilledWorker"),
        "call-2": ToolResult.ok("Paid.", metadata={"call": "call-2"}),
        "call-3": ToolResult.error("call-3: no such tool: nope"),
        "call-4": ToolResult.error("The call failed: Suspend"),
    }
    assert calls_in(notes) == {"call-0": 3, "call-1": 2, "call-2": 1, "call-3": 1, "call-4": 3}


def test_the_end_of_the_scheduler_is_the_end_of_the_stream_and_not_a_result(notes):
    from fan_out import cluster

    with cluster(2) as (file, _), processes.started(DRIVER, "orphaned", str(file)) as driver:
        said, errors = driver.communicate(timeout=300)
    assert json.loads(said) == "cancelled", errors


def test_the_script_prints_the_digest_of_each_result_although_a_worker_is_killed(notes):
    from fan_out_tools import draw_tile

    with processes.started(EXAMPLE, "--calls", "40", "--window", "8", "--workers", "2") as script:
        workers = [int(pid) for pid in processes.line(script).removeprefix("workers: ").split()]
        lines = [processes.line(script) for _ in range(5)]
        os.kill(workers[0], signal.SIGKILL)
        said, errors = script.communicate(timeout=300)
    assert script.returncode == 0, errors
    *rest, last = said.splitlines()
    digests = dict(line.split() for line in [*lines, *rest])
    assert digests == {f"call-{n}": wire.digest(draw_tile(n)) for n in range(40)}
    assert last.startswith("40 results, 40.0 MiB, ")
    assert not any(map(processes.is_running, workers))


def test_a_cluster_ends_with_its_block_also_when_it_fails(notes):
    from fan_out import cluster

    started: list[int] = []

    def fail() -> None:
        with cluster(2) as (_, workers):
            started.extend(workers)
            assert all(map(processes.is_running, workers))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not any(map(processes.is_running, started))


def test_the_page_shows_the_code_of_the_example(notes):
    from fan_out import stream

    page = (ROOT / "docs" / "workers.md").read_text(encoding="utf-8")
    assert inspect.getsource(stream) in page
