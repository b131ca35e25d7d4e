"""The server and the client of `examples`, in processes of their own, over stdio and over HTTP on loopback."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mcp
import mcp_types
import pytest
from tests.adapters import processes

from toolresult import ContentPart
from toolresult.adapters import from_mcp

EXAMPLES = Path(__file__).parent.parent / "examples"
SERVER, CLIENT = EXAMPLES / "mcp_server.py", EXAMPLES / "mcp_client.py"
CHART = (EXAMPLES / "data" / "chart.png").read_bytes()
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
PROVIDERS = ("Anthropic: Messages", "OpenAI: Chat Completions", "OpenAI: Responses", "Gemini: generateContent")

each_mode = pytest.mark.parametrize("mode", VERSIONS)


def said_by_client(typed: str, *arguments: str) -> str:
    with processes.started(CLIENT, *arguments) as process:
        said, errors = process.communicate(typed, timeout=60)
    assert process.returncode == 0, errors
    return said


REFUNDS = {
    "yes\n": "refund: Refunded 10 EUR for order 1007.",
    "no\n": "refund: [tool error] Not executed: declined by the user.",
    "": "refund: [tool error] Not executed: cancelled by the user.",
}


def check(said: str, mode: str, refund: str) -> None:
    lines = said.splitlines()
    assert lines[0] == f"MCP {VERSIONS[mode]}"
    assert "count_orders: 120 orders in 2 regions" in lines
    assert '  value: {"orders": 120, "regions": ["north", "south"]}' in lines
    assert "image (image/png, 8731 bytes)" in lines
    assert "region_total: [tool error] No such region: Atlantis. There are: north, south" in lines
    assert f"The server asks: Refund 10 EUR for order 1007? (yes/no) {refund}" in lines
    for provider in PROVIDERS:
        sent = [line for line in lines if line.startswith(f"  {provider}: ")]
        assert len(sent) == 4
        assert "iVBORw0KGg" in sent[1]


@each_mode
@pytest.mark.parametrize(("typed", "refund"), REFUNDS.items(), ids=["yes", "no", "closed"])
def test_the_client_over_stdio(mode, typed, refund):
    check(said_by_client(typed, *(["--old"] if mode == "legacy" else [])), mode, refund)


def test_the_client_over_http():
    with processes.serving(SERVER, "--http", "0") as url:
        for mode, option in (("auto", []), ("legacy", ["--old"])):
            for typed, refund in REFUNDS.items():
                check(said_by_client(typed, url, *option), mode, refund)


@each_mode
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_server_with_another_client(mode, transport):
    async def agree(_context: Any, params: Any) -> mcp_types.ElicitResult:
        assert params.message == "Refund 5 EUR for order 9?"
        return mcp_types.ElicitResult(action="accept", content={"approved": True})

    async def talk(target: Any) -> None:
        async with mcp.Client(target, mode=mode, elicitation_callback=agree) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert [*tools] == ["count_orders", "draw_chart", "region_total", "refund"]
            assert [*tools["refund"].input_schema["properties"]] == ["order", "amount"]
            counted = from_mcp(await client.call_tool("count_orders"))
            assert counted.value == {"orders": 120, "regions": ["north", "south"]}
            drawn = from_mcp(await client.call_tool("draw_chart"))
            assert drawn.parts[-1] == ContentPart("image", data=CHART, mime_type="image/png", name="chart.png")
            failed = from_mcp(await client.call_tool("region_total", {"region": "x"}))
            assert failed.error_message == "No such region: x. There are: north, south"
            assert from_mcp(await client.call_tool("region_total", {"region": "north"})).output == "70 orders"
            paid = from_mcp(await client.call_tool("refund", {"order": "9", "amount": 5, "answer": {"ok": True}}))
            assert paid.output == "Refunded 5 EUR for order 9."

    if transport == "http":
        with processes.serving(SERVER, "--http", "0") as url:
            asyncio.run(asyncio.wait_for(talk(url), 60))
    else:
        target = mcp.StdioServerParameters(command=sys.executable, args=[str(SERVER)], env=dict(os.environ))
        asyncio.run(asyncio.wait_for(talk(target), 60))


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
if sys.argv[1:] == ["end"]:
    sys.exit()
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks at /proc")
@pytest.mark.parametrize("how", [[], ["end"]], ids=["that ignores the end", "that left a child"])
def test_what_a_test_starts_ends_with_it_also_when_it_fails(tmp_path, monkeypatch, how):
    monkeypatch.setattr(processes, "PATIENCE", 0.1)
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN, encoding="utf-8")
    children: list[int] = []

    def fail() -> None:
        with processes.started(script, *how) as process:
            assert process.stdout is not None
            children.append(int(process.stdout.readline()))
            assert processes.is_running(children[0])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    (child,) = children
    deadline = time.monotonic() + 10
    while processes.is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not processes.is_running(child)


def test_what_follows_the_lines_that_were_read_is_not_lost(tmp_path):
    script = tmp_path / "counting.py"
    script.write_text("import os; os.write(1, b''.join(b'%d\\n' % n for n in range(40)))", encoding="utf-8")  # at once
    with processes.started(script) as process:
        lines = [processes.line(process) for _ in range(5)]
        said, _ = process.communicate(timeout=60)
    assert "".join([*lines, said]).split() == [str(n) for n in range(40)]


def test_a_server_that_does_not_start_is_no_address(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit(1)", encoding="utf-8")
    with pytest.raises(AssertionError, match="has not started"), processes.serving(script):
        raise NotImplementedError


def test_a_server_ends_when_its_client_has_gone():
    done = subprocess.run([sys.executable, str(SERVER)], stdin=subprocess.DEVNULL, timeout=60, check=False)
    assert done.returncode == 0
