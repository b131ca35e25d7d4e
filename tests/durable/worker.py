"""A worker of `examples/durable_approval.py` that `tests/test_durable.py` starts and kills.

Its tool writes down each time that it is entered. What else is different, environment variables say.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import durable_approval as example

ENTERED = example.DATA / "entered.log"
PAUSE = float(os.environ.get("WORKER_PAUSE", "0"))
"""At most so many seconds pass before and after the tool does its work, while a kill makes it run again."""
DIES = os.environ.get("WORKER_DIES") == "after the effect"

if "WORKER_PATIENCE" in os.environ:
    example.PATIENCE = timedelta(seconds=float(os.environ["WORKER_PATIENCE"]))


def refund(order, amount, *, call_id, answer=None):
    with ENTERED.open("a", encoding="utf-8") as log:
        log.write(f"{call_id} {'asks' if answer is None else 'goes on'}\n")
    time.sleep(random.uniform(0, PAUSE))
    result = example.refund(order, amount, call_id=call_id, answer=answer)
    time.sleep(random.uniform(0, PAUSE))
    if DIES and answer is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


example.TOOLS["refund"] = refund
example.work(sys.argv[1])
