"""What `import toolresult` needs and loads, in interpreters without any installed package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"

CORE = {
    "toolresult",
    "toolresult._content",
    "toolresult._frozen",
    "toolresult._media",
    "toolresult._portable",
    "toolresult._result",
    "toolresult._suspension",
    "toolresult._text",
    "toolresult.errors",
}

# Each costs a noticeable part of what importing the whole library costs, and few programs that import it need them.
HEAVY = {
    "asyncio",
    "base64",
    "decimal",
    "hashlib",
    "json",
    "logging",
    "mimetypes",
    "pathlib",
    "random",
    "re",
    "urllib",
    "uuid",
}

# `dataclasses` is what the values are made of; what it loads by itself differs between versions of Python.
SCRIPT = """
import sys
import dataclasses
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
{code}
loaded = sorted(set(sys.modules) - before)
import json
print(json.dumps(loaded))
"""


def modules_loaded_by(code: str, directory: Path) -> set[str]:
    """Run `code` without site packages, environment and user directory, warnings being errors."""
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", SCRIPT.format(code=code), str(SOURCE)]
    done = subprocess.run(command, cwd=directory, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return set(json.loads(done.stdout))


def test_import_loads_the_core_and_nothing_else_of_ours(tmp_path):
    loaded = modules_loaded_by("import toolresult", tmp_path)
    assert {name for name in loaded if name.partition(".")[0] == "toolresult"} == CORE


def test_import_loads_none_of_the_heavy_modules_of_the_standard_library(tmp_path):
    loaded = modules_loaded_by("import toolresult", tmp_path)
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()


def test_import_and_common_results_need_no_installed_package(tmp_path):
    loaded = modules_loaded_by(
        "from toolresult import ContentPart, Request, ToolResult\n"
        "ToolResult.json({'rows': 1}).render_for_model()\n"
        "ToolResult.error('no', code='gone')\n"
        "ToolResult.pending(Request.approval('Go on?', arguments={'path': 'a'}))\n"
        "ContentPart.image(b'\\x89PNG\\r\\n\\x1a\\n').sha256()\n",
        tmp_path,
    )
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {"toolresult"}


def test_every_name_of_the_public_face_is_there_after_import(tmp_path):
    modules_loaded_by("import toolresult\nfor name in toolresult.__all__: getattr(toolresult, name)", tmp_path)
