"""Run the values of `tests/test_stored.py` through a workflow, a step and an event of DBOS, then end."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

from dbos import DBOS, SetWorkflowID

ROOT = Path(__file__).parents[2]


@DBOS.step()
def step(value):
    return value


@DBOS.workflow()
def echo(value):
    DBOS.set_event("value", value)
    return step(value)


def main(database, codec):
    stored = runpy.run_path(str(ROOT / "tests" / "test_stored.py"))["VALUES"]
    config = {"name": "echoes", "system_database_url": database, "application_version": "1", "log_level": "WARNING"}
    example = runpy.run_path(str(ROOT / "examples" / "durable_approval.py"))
    if codec == "toolresult":
        config["serializer"] = example["WireSerializer"]()
    DBOS(config=config)
    DBOS.launch()
    for name, value in stored.items():
        with SetWorkflowID(name):
            assert echo(value) == value
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
