"""What can be measured: a statement in a loop, a cold import, a fixed amount. Each reading is one number.

Readings are processor time of the process, in seconds, so that other work on the machine does not count.
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
        # -I also leaves out every PYTHON* variable: PYTHONDONTWRITEBYTECODE must not hide the .pyc files.
        command = [clean_python(), "-I", "-c", self._program]
        return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


class Fixed:
    """An amount of seconds, as the yardstick of an absolute bar."""

    def __init__(self, label: str, seconds: float):
        self.label = label
        self._seconds = seconds

    def read(self) -> float:
        return self._seconds


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
