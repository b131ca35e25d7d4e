"""What becomes of each kind of part from each source at each provider, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Literal, NamedTuple, TypeAlias

Outcome: TypeAlias = Literal["inline", "moved", "text", "described"]
"""`inline`: in the result itself. `moved`: after all results. `text`: as readable text. `described`: a text says what
was left out."""

Table: TypeAlias = Mapping[str, Mapping[str, tuple[Outcome, Outcome, Outcome]]]
"""By platform or dialect and by kind: the outcome of data, of a URL and of a file id."""

_DESCRIBED: tuple[Outcome, Outcome, Outcome] = ("described", "described", "described")
_TEXT_FILE: tuple[Outcome, Outcome, Outcome] = ("text", "described", "described")


class Capability(NamedTuple):
    """One cell of the table: what becomes of a part with the default options of an adapter."""

    adapter: str
    """`anthropic`, `openai_chat` ..., as in the name of the function."""
    variant: str
    """The platform or dialect."""
    kind: str
    """`text`, `image`, `audio`, `video`, `pdf`, `text file` (CSV, JSON, SVG ...) or `other file`."""
    source: Literal["data", "url", "file_id"]
    """Text counts as data. A URL is one of http; a file id has the form that the provider gives it."""
    outcome: Outcome


def capabilities() -> list[Capability]:
    """Return what every adapter does with every kind of part, for parts of types and sizes that it takes at all."""
    from importlib import import_module
    from pkgutil import iter_modules

    package = import_module("toolresult.adapters")
    modules = sorted(module.name for module in iter_modules(package.__path__) if not module.name.startswith("_"))
    return [
        cell
        for name in modules
        for variant, kinds in _table_of(import_module(f"{package.__name__}.{name}")).items()
        for cell in _cells(name, variant, kinds)
    ]


def _table_of(adapter: ModuleType) -> Table:
    """Read the table of an adapter. A protocol converts one result for another program, and has none."""
    table: Table = vars(adapter).get("CAPABILITIES", {})
    return table


def _cells(adapter: str, variant: str, kinds: Mapping[str, tuple[Outcome, Outcome, Outcome]]) -> Iterator[Capability]:
    yield Capability(adapter, variant, "text", "data", "inline")
    for kind in ("image", "audio", "video", "pdf", "text file", "other file"):
        outcomes = kinds.get(kind, _TEXT_FILE if kind == "text file" else _DESCRIBED)
        yield Capability(adapter, variant, kind, "data", outcomes[0])
        yield Capability(adapter, variant, kind, "url", outcomes[1])
        yield Capability(adapter, variant, kind, "file_id", outcomes[2])
