"""What a tool returned becomes a result: any Python value, or a typed error that names what has no form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import islice
from typing import Any, cast

from toolresult import _drawn, _foreign, _json, _mcp
from toolresult._content import DEFAULT_MAX_BYTES, ContentPart
from toolresult._frozen import type_name
from toolresult._json import NonFinite, RefusedError, Rules
from toolresult._media import JSON_TYPE, TSV_TYPE
from toolresult._raised import from_exception
from toolresult._result import FACTS, ToolResult
from toolresult._suspension import Request
from toolresult.errors import ContentPartError, ConversionError, Suspend, ToolError

MAX_ITEMS = 10_000
"""Of an iterator, which may have no end."""

MAX_ROWS = 1000
"""Of a table that becomes text; how many more there are is said below them."""

_BUFFERS = (bytes, bytearray, memoryview)


def of(
    value: object,
    *,
    indent: int | str | None = None,
    non_finite: NonFinite = "null",
    default: Callable[[Any], object] | None = None,
    expose: Collection[type[BaseException]] = (),
) -> ToolResult:
    """Make a result of anything that a tool may return; the table is on the page about conversions.

    `indent` writes JSON on several lines. `non_finite` says what becomes of NaN and the infinities: "null", "text"
    (`"NaN"`), or "refuse". `default` is called with an object that has no JSON form, and returns one that has.
    `expose` lists exception classes whose messages a model may read.

    Raises:
        ConversionError: something has no form; `path` says where.
    """
    kind = type(value)
    if kind is str:
        return ToolResult.ok(cast("str", value))
    if kind is ToolResult:
        return cast("ToolResult", value)
    if value is None:
        return ToolResult()
    if issubclass(kind, str):
        return ToolResult(str.__str__(cast("str", value)))
    if issubclass(kind, BaseException):
        return from_exception(cast("BaseException", value), expose)
    if _foreign.offers(kind, "__tool_result__"):
        return _from_protocol(value)
    if kind is Request:
        return ToolResult.pending(cast("Request", value))
    try:
        return _from_object(value, indent, _Lifter(default), non_finite)
    except RefusedError as refused:
        path, problem = refused.path("value"), refused.problem
    except ContentPartError as error:
        path, problem = "value", f"cannot be made a part: {error}"
    raise ConversionError(path, problem)


def _from_protocol(value: Any) -> ToolResult:
    try:
        result: object = value.__tool_result__()
    except (ToolError, Suspend):
        raise
    except Exception as error:
        raise ConversionError("value", f"its __tool_result__ failed: {type_name(error)}") from error
    if type(result) is ToolResult:
        return result
    raise ConversionError("value", f"its __tool_result__ returned {type_name(result)}; return a ToolResult")


def _from_object(value: object, indent: int | str | None, lifter: _Lifter, non_finite: NonFinite) -> ToolResult:
    result = _mcp.result_of(value)
    if result is not None:
        return result
    part = lifter.part_of(value)
    if part is not None:
        return ToolResult.from_parts([part])
    table = _foreign.table(value)
    if table is not None:
        return _from_table(value, table)
    if type(value) in (list, tuple):
        parts = _mixed(cast("list[object]", value), lifter)
        if parts is not None:
            return ToolResult.from_parts(parts)
    if _foreign.offers(type(value), "__next__"):
        value = lifter.items_of(cast("Iterator[object]", value))
    tree = _json.plain(value, rules=Rules(non_finite, lifter.lift, lifter.stand_in))
    text = _json.write(tree, indent=indent)
    return ToolResult(text, parts=lifter.parts, metadata={FACTS: {"value": value, "mime_type": JSON_TYPE}})


def _from_table(frame: object, table: tuple[list[str], Iterable[Iterable[object]], int]) -> ToolResult:
    names, rows, count = table
    text = _json.tsv([names, *islice(rows, MAX_ROWS)])
    if count > MAX_ROWS:
        text += f"\n[... {count - MAX_ROWS} of {count} rows left out ...]"
    return ToolResult(text, metadata={FACTS: {"value": frame, "mime_type": TSV_TYPE}})


def _mixed(items: Sequence[object], lifter: _Lifter) -> list[ContentPart] | None:
    """Make parts of a list of texts and parts; `None` for any other list."""
    parts: list[ContentPart] = []
    has_part = False
    for n, item in enumerate(items):
        if type(item) is str:
            parts.append(ContentPart.from_text(item))
            continue
        try:
            part = lifter.part_of(item)
        except RefusedError as refused:
            refused.trail.append(n)
            raise
        if part is None:
            return None
        has_part = True
        parts.append(part)
    return parts if has_part else None


class _Lifter:
    """Stands in for what JSON has no form for: parts are lifted out, iterators and sequences become lists."""

    def __init__(self, default: Callable[[Any], object] | None) -> None:
        self.default = default
        self.parts: list[ContentPart] = []

    def lift(self, value: object) -> object:
        """Keep the part that an object is, and give what stands for it."""
        try:
            part = self.part_of(value)
        except ContentPartError as error:
            raise RefusedError(f"cannot be made a part: {error}") from None
        if part is None:
            return _foreign.UNKNOWN
        self.parts.append(part)
        return f"[part {len(self.parts)}: {part.summary()}]"

    def stand_in(self, value: object) -> object:
        """Give the form of what nobody else knows."""
        kind = type(value)
        if _foreign.offers(kind, "__next__"):
            return self.items_of(cast("Iterator[object]", value))
        if issubclass(kind, (Sequence, AbstractSet, ValuesView)) or _foreign.offers(kind, "popleft"):
            return self.items_of(iter(cast("Iterable[object]", value)))
        return _foreign.UNKNOWN if self.default is None else self.default(value)

    def part_of(self, value: object) -> ContentPart | None:
        """Give the part that an object is, if it is one."""
        kind = type(value)
        if kind is ContentPart:
            return cast("ContentPart", value)
        if issubclass(kind, _BUFFERS):
            return _typed(ContentPart.file(cast("bytes", value)))
        block = _mcp.part_of(value)
        if block is not None:
            return block
        _refuse_awaitable(value, kind)
        png = None if issubclass(kind, type) else _drawn.to_png(value, DEFAULT_MAX_BYTES)
        return None if png is None else ContentPart("image", data=png, mime_type="image/png")

    def items_of(self, iterator: Iterator[object]) -> list[object]:
        """Read an iterator to its end."""
        try:
            items = list(islice(iterator, MAX_ITEMS + 1))
        except (ToolError, Suspend):
            raise
        except Exception as error:
            raise RefusedError(f"cannot be read: {type_name(error)}; return a list") from error
        if len(items) > MAX_ITEMS:
            raise RefusedError(f"gives more than {MAX_ITEMS} items one by one; return a list of those that matter")
        return items


def _typed(part: ContentPart) -> ContentPart:
    kind = str(part.mime_type).partition("/")[0]
    if kind not in ("image", "audio", "video"):
        return part
    return ContentPart(kind, data=part.data, mime_type=part.mime_type)


def _refuse_awaitable(value: Any, kind: type) -> None:
    if _foreign.offers(kind, "__await__"):
        if _foreign.offers(kind, "close"):
            value.close()  # a coroutine that nobody awaits warns when it is collected
        raise RefusedError(f"is a {type_name(value)}, which has no result yet; await it")
    if _foreign.offers(kind, "__anext__"):
        with suppress(BaseException):
            value.aclose().send(None)
        raise RefusedError(f"is a {type_name(value)}; read it with async for, and return a list")
