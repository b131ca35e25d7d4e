"""`examples/durable_approval_langgraph.py` with a tool that notes each entry, and dies where the test says."""

from __future__ import annotations

import os
import signal
import sys
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import durable_approval_langgraph as example

DIES = os.environ.get("CALL_DIES")

if "CALL_PATIENCE" in os.environ:
    example.PATIENCE = timedelta(seconds=float(os.environ["CALL_PATIENCE"]))


def refund(order, amount, *, call_id, answer=None):
    does = "ask" if answer is None else "pay"
    with (example.DATA / "entries.log").open("a", encoding="utf-8") as log:
        log.write(f"{call_id} {does}\n")
    result = example.refund(order, amount, call_id=call_id, answer=answer)
    if does == DIES:  # what the tool does is done, but nothing is stored yet
        os.kill(os.getpid(), signal.SIGKILL)
    return result


example.TOOLS["refund"] = refund
example.main()
