"""A few hundred inputs of the fuzzer, the same in every run, and what longer runs have found."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("fuzz_wire.py")
spec = spec_from_file_location("fuzz_wire", SCRIPT)
fuzz_wire = sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(fuzz_wire)


def test_mutated_wire_texts_are_refused_with_a_place_or_read_and_written_again():
    report = fuzz_wire.run(seed=1, count=600)
    assert report.failures == {}
    assert report.read + report.refused == 600
    assert min(report.read, report.refused) > 50


@pytest.mark.parametrize(("reader", "text"), fuzz_wire.VALID, ids=[name for name, _ in fuzz_wire.VALID])
def test_every_text_that_mutations_start_from_is_read(reader, text):
    report = fuzz_wire.Report()
    assert fuzz_wire.outcome(reader, text, report) is None
    assert report.read == 1


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        ("ToolResult", r'{"output": "x", "isError": false, "metadata": {"\ud800": 1, "\udfff": 2}}'),
        ("ToolResult", r'{"output": "x", "isError": false, "metadata": {"toolresult": {"\ud800": 1, "\ufffd": 2}}}'),
        ("ContentPart", r'{"type": "text", "text": "x", "metadata": {"a": [{"b\ud800": 1, "b\ufffd": 2}]}}'),
        ("ContentPart", r'{"type": "hologram", "\ud800": 1, "\ufffd": 2}'),
        ("Request", r'{"id": "r", "kind": "k", "prompt": "p", "data": {"\ud800": 1, "\udfff": 2}}'),
        ("Answer", r'{"id": "r", "ok": true, "data": {"\ud800": 1, "\udfff": 2}}'),
        ("structure", r'{"\ud800": 1, "\ufffd": 2}'),
    ],
    ids=["metadata", "facts", "metadata of a part", "unknown part", "data of a request", "answer", "structure"],
)
def test_keys_that_would_be_written_as_one_are_not_read(reader, text):
    assert fuzz_wire.outcome(reader, text, fuzz_wire.Report()) is None


def test_an_input_is_the_same_each_time():
    assert [fuzz_wire.shown(fuzz_wire.mutated(7, n)) for n in range(50)] == [
        fuzz_wire.shown(fuzz_wire.mutated(7, n)) for n in range(50)
    ]


def test_any_other_error_is_reported_once_per_kind_with_what_replays_it(monkeypatch):
    def broken(reader, given):
        raise KeyError("x")

    monkeypatch.setattr(fuzz_wire, "read", broken)
    report = fuzz_wire.run(seed=3, count=10, first=5)
    assert (report.read, report.refused, report.failed) == (0, 0, 10)
    (examples,) = report.failures.values()
    assert [example.partition("\n")[0] for example in examples] == [
        "--seed 3 --first 5 --count 1",
        "--seed 3 --first 6 --count 1",
        "--seed 3 --first 7 --count 1",
    ]


def test_a_value_that_reads_back_differently_is_reported(monkeypatch):
    monkeypatch.setattr(fuzz_wire, "to_json", lambda value, **_: '{"output":"other","isError":false}')
    assert fuzz_wire.outcome("ToolResult", '{"output": "x", "isError": false}', fuzz_wire.Report()) is not None


def test_the_command_prints_its_seed_and_what_came_of_it():
    command = [sys.executable, str(SCRIPT), "--count", "20", "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("seed 5, 20 inputs from number 0")
    assert "0 failed" in done.stdout
