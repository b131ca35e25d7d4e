"""Results of MCP, read from mappings and from objects of the `mcp` package. Nothing is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from toolresult import _json
from toolresult._content import ContentPart, is_for_model
from toolresult._encode import is_object
from toolresult._frozen import type_name
from toolresult._mcp_access import Node, built
from toolresult._mcp_reading import HINTS, read_block, tell_nobody
from toolresult._media import JSON_TYPE
from toolresult._result import FACTS, ToolResult
from toolresult._text import escape, is_blank
from toolresult.errors import ConversionError, DecodeError
from toolresult.render import WAITING

WRAPPED = "io.github.toolresult/wrapped"
"""The key in the `_meta` of a result that says that its structured data is in an object only because it had to be."""

STRUCTURED = "structured"
"""Says of a result whether its value came as structured data."""

ADDED = "added"
"""Says of a part, or of the output, that it is the copy of the structured data for the model."""

RESULT = "result"
"""The one member of the object around structured data that is none, as the `mcp` package itself names it."""

_mro_of: Callable[[type], tuple[type[Any], ...]] = type.__dict__["__mro__"].__get__
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_PACKAGES = frozenset({"mcp", "mcp_types"})
_BLOCKS = frozenset({"TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink"})
_CONTENTS = frozenset({"TextResourceContents", "BlobResourceContents"})


def part_of(value: Any) -> ContentPart | None:
    """Make a part of a content block, or of the contents of a resource; `None` for any other object.

    What is broken in a block of somebody else becomes a text that says so, and a wrong label is corrected.
    """
    names = _class_names(value)
    if not _CONTENTS.isdisjoint(names):
        return _read_or_note({"type": "resource", "resource": value}, value)
    return None if _BLOCKS.isdisjoint(names) else _read_or_note(value, value)


def is_result(value: object) -> bool:
    """Say whether an object is the result of a whole call."""
    return "CallToolResult" in _class_names(value)


def result_of(value: Any) -> ToolResult | None:
    """Make a result of the result of a call; `None` for any other object."""
    if not is_result(value):
        return None
    return read_result(Node(value, ""), lambda block, _: _read_or_note(block, block))


def _read_or_note(block: object, source: object) -> ContentPart:
    try:
        return read_block(Node(block, "block"), tell_nobody)
    except Exception:  # noqa: BLE001 - one broken block must not lose the others
        return ContentPart("text", text=f"[{escape(type_name(source), 60)} that cannot be read]")


def _class_names(value: object) -> list[str]:
    """Name the classes of an object that are of the package, the nearest first."""
    bases = _mro_of(type(value))
    return [kind.__name__ for kind in bases if str(_module_of(kind)).partition(".")[0] in _PACKAGES]


def read_result(node: Node, read: Callable[[object, str], ContentPart]) -> ToolResult:
    """Make a result; `read` makes a part of a block, given its path.

    Raises:
        DecodeError: it is malformed.
    """
    is_error = node.flag("isError")
    if node.get("content") is None:
        raise DecodeError(node.at("content"), "is required; pass the result of a tools/call, not what it stands in")
    parts = [read(block, at) for block, at in node.items("content")]
    structured: object = node.json("structuredContent")
    meta = node.meta()
    hints: dict[str, object] = {}
    if meta is not None:
        if meta.get(WRAPPED) is True and _inner(structured) is not structured:
            structured = _inner(structured)
            meta = {key: member for key, member in meta.items() if key != WRAPPED} or None
        if meta is not None:
            hints["_meta"] = meta
    if structured is not None and not is_said(texts_of(parts), structured):
        # One copy of the data is for the model, and never none.
        hints.update({ADDED: True} if not parts else {})
        parts.append(ContentPart.json(structured, metadata={HINTS: {ADDED: True}} if parts else None))
    return built(node.at("structuredContent"), _result, parts, is_error, structured, hints)


def _result(
    parts: list[ContentPart],
    is_error: bool,  # noqa: FBT001
    structured: object,
    hints: dict[str, object],
) -> ToolResult:
    result = ToolResult.from_parts(parts)
    if result.parts is None and [*result.content] != parts:
        # A text that is blank, or said to be plain, is not the same as the output.
        result = ToolResult.ok(parts=parts)
    facts: dict[str, object] = {**(result.metadata or {}).get(FACTS, {})}
    if structured is not None:
        facts["value"] = structured
        says_all = result.parts is None and same(result.output, structured)
        if says_all:
            facts.setdefault("mime_type", JSON_TYPE)
        if is_error or not says_all or ADDED in hints:
            hints[STRUCTURED] = True
    elif not is_error and "mime_type" in facts:
        hints[STRUCTURED] = False  # or it would go on with data that did not come
    if is_error and result.parts is None and result.output.startswith(WAITING):
        facts["placeholder"] = True
    if hints:
        facts[HINTS] = hints
    return ToolResult(result.output, is_error, parts=result.parts, metadata={FACTS: facts} if facts else None)


def texts_of(parts: Iterable[ContentPart]) -> list[str]:
    """List the texts among parts that a model reads."""
    return [part.text for part in parts if part.text is not None and not is_blank(part.text) and is_for_model(part)]


def is_said(texts: list[str], structured: object) -> bool:
    """Say whether texts hold structured data already: as JSON, whatever its dress, or as servers write a plain value.

    Servers put a value that is no object into one with the member `result`, and write a list as one text per item.
    """
    inner = _inner(structured)
    items = _items(inner)
    if len(items) == len(texts) > 0 and all(map(_says, texts, items)):
        return True
    # Each is written once, and each text is parsed once.
    forms = {_json.canonical(structured), _json.canonical(inner)}
    return any(text == inner or _parsed(text) in forms for text in texts)


def same(text: str, value: object) -> bool:
    """Say whether a text is the JSON of a value, whatever its dress."""
    return _parsed(text) == _json.canonical(value)


def _inner(structured: object) -> object:
    return structured[RESULT] if is_object(structured) and set(structured) == {RESULT} else structured


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _says(text: str, value: object) -> bool:
    return text == value if isinstance(value, str) else same(text, value)


def _parsed(text: str) -> str | None:
    """Write JSON text in its canonical form; `None` if it is none."""
    try:
        return _json.canonical(_json.parse(text))
    except (ValueError, ConversionError):  # it nests deeper than any value of ours
        return None
