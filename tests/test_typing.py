"""The files in `tests/typing` under two checkers, and how complete the public types of the installed package are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import toolresult

ROOT = Path(__file__).parent.parent
FILES = ROOT / "tests" / "typing"

# The files say themselves where they are strict. An ignore of mypy must not hide what pyright says of the same line.
PYRIGHT = {
    "typeCheckingMode": "standard",
    "pythonVersion": "3.11",
    "enableTypeIgnoreComments": False,
    "reportUnnecessaryComparison": "error",
    "reportUnnecessaryTypeIgnoreComment": "error",
}


def need(checker: str) -> None:
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed; the dev extra brings it")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a checker by this interpreter, which is also the one whose packages it looks at."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    env["PYRIGHT_PYTHON_IGNORE_WARNINGS"] = "1"  # or its wrapper asks the network for newer versions
    command = (sys.executable, "-m", *command)
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=False)


def run_pyright(*arguments: str | Path) -> dict[str, Any]:
    done = run("pyright", "--outputjson", *arguments)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def complaints(report: dict[str, Any]) -> list[str]:
    return [
        f"{Path(found['file']).name}:{found['range']['start']['line'] + 1}: {found['message']} ({found.get('rule')})"
        for found in report["generalDiagnostics"]
    ]


def test_mypy_accepts_the_type_tests_and_needs_each_ignore():
    need("mypy")
    done = run("mypy", "--strict", FILES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(list(FILES.glob('*.py')))} source files" in done.stdout


def test_pyright_accepts_the_type_tests_and_needs_each_ignore(tmp_path):
    need("pyright")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    report = run_pyright("--project", tmp_path, FILES)
    assert not report["generalDiagnostics"], "\n".join(complaints(report))
    assert report["summary"]["filesAnalyzed"] == len(list(FILES.glob("*.py")))


def test_every_public_type_of_the_installed_package_is_known():
    need("pyright")
    report = run_pyright("--verifytypes", "toolresult", "--ignoreexternal")["typeCompleteness"]
    assert Path(report["packageRootDirectory"]) == Path(toolresult.__file__).parent
    vague = [symbol for symbol in report["symbols"] if not symbol["isTypeKnown"]]
    assert not vague, "\n".join(f"{symbol['name']}: {symbol['diagnostics']}" for symbol in vague)
    assert report["completenessScore"] == 1
    assert {f"toolresult.{name}" for name in toolresult.__all__} <= {symbol["name"] for symbol in report["symbols"]}
