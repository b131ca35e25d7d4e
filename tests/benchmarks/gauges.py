"""What can be measured: a statement in a loop or once, its memory, a cold import, a fixed amount.

Each reading is one number. Times are processor time of the process, in seconds, so that other work on the machine
does not count.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import time
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from timeit import Timer
from typing import Protocol

CHECKOUT = Path(__file__).parents[2]
READING = 0.005  # seconds that a reading of a loop should take, at least
IMPORT_PROGRAM = """\
import sys, time
if {module!r} in sys.modules:
    sys.exit("{module} is loaded at start-up: a cold import cannot be measured here")
start = time.process_time()
import {module}
print(time.process_time() - start)
"""
FIRST_RUN_PROGRAM = """\
import time
{setup}
start = time.process_time()
{statement}
print(time.process_time() - start)
"""
PEAK_PROGRAM = """\
import gc
def memory(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))
{setup}
gc.collect()
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # sets the highest mark back
before = memory("VmRSS")
{statement}
print(memory("VmHWM") - before)
"""


class Gauge(Protocol):
    """Something that can be read again and again. `label` names it in the table."""

    label: str

    def read(self) -> float:
        """Measure once."""
        ...


class Loop:
    """Seconds per run of a statement, which is also the label. The garbage collector is off.

    With `setup` the statement runs once per reading, right after it: for what is slow only the first time.
    """

    def __init__(self, statement: str, names: dict[str, object], setup: str | None = None):
        self.label = statement
        self._timer = Timer(statement, setup or "pass", timer=time.process_time, globals=names)
        self._once = setup is not None

    @cached_property
    def _runs(self) -> int:
        runs = 1
        while not self._once and self._timer.timeit(runs) < READING:
            runs *= 2
        return runs

    def read(self) -> float:
        return self._timer.timeit(self._runs) / self._runs


class ColdImport:
    """Seconds that `import` of a module takes in a new process, from an installed wheel in a clean environment."""

    def __init__(self, module: str):
        self.label = f"import {module}"
        self._program = IMPORT_PROGRAM.format(module=module)

    def read(self) -> float:
        return float(run_python(clean_python(), self._program))


class FirstRun:
    """Seconds that a statement takes once in a new process, after `setup`.

    A warm loop says nothing of large buffers: what it measures is whether the allocator gave the last one back.
    """

    def __init__(self, label: str, statement: str, setup: str):
        self.label = label
        self._program = FIRST_RUN_PROGRAM.format(statement=statement, setup=setup)

    def read(self) -> float:
        return float(run_python(Path(sys.executable), self._program))


class PeakMemory:
    """Bytes that a statement adds to the resident memory of a new process, at its highest, after `setup`. Linux."""

    def __init__(self, label: str, statement: str, setup: str):
        self.label = label
        self._program = PEAK_PROGRAM.format(statement=statement, setup=setup)

    def read(self) -> float:
        return float(run_python(Path(sys.executable), self._program))


class Fixed:
    """An amount of seconds or bytes, as the yardstick of an absolute bar."""

    def __init__(self, label: str, amount: float):
        self.label = label
        self._amount = amount

    def read(self) -> float:
        return self._amount


def run_python(python: Path, program: str) -> str:
    # -I also leaves out every PYTHON* variable: PYTHONDONTWRITEBYTECODE must not hide the .pyc files.
    return subprocess.run([python, "-I", "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout


@cache
def clean_python() -> Path:
    """Make a virtual environment with nothing but the checkout, installed as a wheel; it is removed at exit.

    A shared environment will not do: its `.pth` files may import half of what is to be measured.
    """
    folder = TemporaryDirectory(prefix="benchmarks-")
    atexit.register(folder.cleanup)
    subprocess.run([sys.executable, "-m", "venv", folder.name], check=True)
    python = Path(folder.name, "Scripts" if sys.platform == "win32" else "bin", "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", CHECKOUT], check=True)
    return python
