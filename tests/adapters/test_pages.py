"""The pages say what the adapters do: the table of capabilities, a page for each adapter, and every option on it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from toolresult import adapters

DOCS = Path(__file__).parent.parent.parent / "docs"
# Protocols have pages of their own.
NAMES = sorted({cell.adapter for cell in adapters.capabilities()})
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What every adapter has is described once, in `adapters.md`.
SHARED = {"results", "on_loss", "on_pending", "limits", "return"}

each_adapter = pytest.mark.parametrize("name", NAMES)


def read(*path: str) -> str:
    return DOCS.joinpath(*path).read_text(encoding="utf-8")


def table_of_capabilities() -> list[str]:
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for cell in adapters.capabilities():
        rows.setdefault((cell.adapter, cell.variant, cell.kind), {})[cell.source] = cell.outcome
    written = ["| adapter | variant | kind | data | URL | file id |", "|---|---|---|---|---|---|"]
    for row, outcomes in rows.items():
        cells = [outcomes.get(source, "-") for source in ("data", "url", "file_id")]
        written.append(f"| {' | '.join([*row, *cells])} |")
    return written


def options_of(name: str) -> dict[str, set[str]]:
    """Read the words that each option of its own takes off the annotations of `to_x`."""
    hints = get_type_hints(getattr(adapters, f"to_{name}"))
    return {option: words_of(hint) for option, hint in hints.items() if option not in SHARED}


def words_of(hint: object) -> set[str]:
    if get_origin(hint) is Literal:
        return set(get_args(hint))
    return {word for arm in get_args(hint) for word in words_of(arm)}


def test_the_table_of_capabilities_is_what_the_adapters_say():
    section = read("adapters.md").partition("\n## Capabilities\n")[2].partition("\n## ")[0]
    assert [line for line in section.splitlines() if line.startswith("|")] == table_of_capabilities()


def test_the_pages_are_those_of_the_adapters():
    assert sorted(page.stem for page in (DOCS / "adapters").glob("*.md")) == NAMES


@each_adapter
def test_a_page_is_in_the_table_of_contents(name):
    toctree = TOCTREE.search(read("index.md"))
    assert toctree is not None
    assert f"adapters/{name}" in toctree[1].splitlines()


@each_adapter
def test_a_page_is_linked_from_the_page_of_all_adapters(name):
    assert f"](adapters/{name}.md)" in read("adapters.md")


@each_adapter
def test_a_page_names_every_word_of_every_option(name):
    page = read("adapters", f"{name}.md")
    options = options_of(name)
    assert options
    assert [option for option in options if f"`{option}=`" not in page] == []
    assert [word for words in options.values() for word in sorted(words) if f'`"{word}"`' not in page] == []


def test_words_are_read_off_optional_options_too():
    assert options_of("openai_chat")["media"] == {"user", "inline", "text"}
    assert options_of("anthropic") == {"platform": {"anthropic", "bedrock", "vertex"}}


@each_adapter
def test_the_functions_of_an_adapter_are_in_the_reference(name):
    assert f".. automodule:: toolresult.adapters.{name}\n" in read("api.md")
    assert importlib.import_module(f"toolresult.adapters.{name}").__all__ == [
        "CAPABILITIES",
        "LIMITS",
        f"from_{name}",
        f"to_{name}",
    ]
