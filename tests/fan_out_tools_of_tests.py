"""Tools for `test_fan_out.py`, which workers import by this name: each call is noted in a file before it runs."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import fan_out_tools

from toolresult import Request, Suspend, ToolResult


def note(call_id: str) -> Path:
    """Note that a call has started, and give the folder of the notes."""
    folder = Path(os.environ["NOTES"])
    with (folder / "calls").open("a", encoding="utf-8") as file:
        file.write(f"{call_id}\n")
    return folder


def run_tool(call_id: str, name: str, arguments: dict[str, Any]) -> ToolResult:
    folder = note(call_id)
    if name == "pay":
        with (folder / f"{call_id}.paid").open("a", encoding="utf-8") as file:
            if file.tell() == 0:  # the key is new
                file.write("paid\n")
        return ToolResult.ok("Paid.", metadata={"call": call_id})
    if name == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "raise":
        raise ZeroDivisionError
    if name == "ask":
        raise Suspend(Request.approval("Pay?"))
    return fan_out_tools.run_tool(call_id, name, arguments)
