"""Every example and every relative link in the README, the pages, the docstrings and `examples` works.

Examples of the README, the pages and the docstrings run in a copy of the folder `examples`, so they name files as
`data/fixture.png` and may write beside them. The scripts of that folder run from the folder above it.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sybil.document import Document
from sybil.parsers.myst import PythonCodeBlockParser

import toolresult

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
MODULES = ["toolresult", *sorted(module.name for module in pkgutil.walk_packages(toolresult.__path__, "toolresult."))]

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)\n.*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"""\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*<?([^\s>]+)|\b(?:src|href)=["']([^"']+)""", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@pytest.fixture
def examples(tmp_path, monkeypatch):
    """A copy of the folder `examples`, which is also the current directory."""
    copied = shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(copied)
    return copied


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@each_page
@pytest.mark.usefixtures("examples")
def test_the_examples_of_a_page_run(page):
    for example in Document.parse(str(page), PythonCodeBlockParser()):
        example.evaluate()


@each_page
def test_blocks_of_python_are_labelled_so_that_they_run(page):
    labels = [label.strip() for _, label in FENCE.findall(read(page))]
    python = [label for label in labels if "py" in label.lower() and not label.startswith("{literalinclude}")]
    assert set(python) <= {"python", "{code-block} python"}
    blocks = {example.region.start for example in Document.parse(str(page), PythonCodeBlockParser())}
    assert len(blocks) >= len(python)


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.usefixtures("examples")
def test_the_examples_in_the_docstrings_of_a_module_run(name, capsys):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0, capsys.readouterr().out


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_runs(script, examples):
    command = [sys.executable, "-W", "error", str(Path("examples", script.name))]
    done = subprocess.run(
        command, cwd=examples.parent, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@each_page
def test_relative_links_of_a_page_resolve(page):
    assert [link for link in relative_links(read(page)) if not resolves(link, page)] == []


def relative_links(text: str) -> list[str]:
    prose = INLINE_CODE.sub("", FENCE.sub("", text))
    links = ["".join(groups) for groups in LINK.findall(prose)]
    return [link for link in links if not re.match(r"[a-z][a-z0-9+.-]*:|//", link, re.IGNORECASE)]


def resolves(link: str, page: Path) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors(read(target)))


def anchors(text: str) -> set[str]:
    """Make the anchors that sites and MyST give to headings."""
    headings = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_relative_links_are_found_outside_of_code_only():
    text = "[a](docs/a.md#b) ![c](c.png 'title') [d](https://d.example) [e](mailto:e@f.example) `[g](h)`\n\n"
    text += "[i]: j.md\n<img src='k.png'>\n\n```python\n[l](m)\n```\n\n[n](#o)\n"
    assert relative_links(text) == ["docs/a.md#b", "c.png", "j.md", "k.png", "#o"]


def test_a_link_resolves_to_a_file_and_a_heading_that_exist(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# What it is `not`, yet\n\n```sh\n# no heading\n```\n", encoding="utf-8")
    assert resolves("page.md#what-it-is-not-yet", page)
    assert resolves("#what-it-is-not-yet", page)
    assert not resolves("#no-heading", page)
    assert not resolves("other.md", page)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python examples/quickstart.py",
            id="to try it",
        ),
        pytest.param(
            "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest",
            id="to develop it",
        ),
    ],
)
def test_the_readme_has_an_install_command_word_for_word(command):
    assert command in read(ROOT / "README.md").splitlines()
