"""What a tool returned becomes a result: any Python value, or a typed error that names what has no form."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, KeysView, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from io import TextIOBase
from itertools import islice
from typing import Any, cast

from toolresult import _drawn, _foreign, _json, _mcp
from toolresult._content import DEFAULT_MAX_BYTES, ContentPart
from toolresult._frozen import type_name
from toolresult._json import NonFinite, RefusedError, Rules
from toolresult._media import JSON_TYPE, TSV_TYPE
from toolresult._raised import from_exception, steers
from toolresult._result import FACTS, ToolResult
from toolresult._suspension import Request
from toolresult.errors import ContentPartError, ConversionError, Suspend, ToolError

NON_FINITE = ("null", "text", "refuse")
MAX_ITEMS = 10_000
"""Of an iterator, which may have no end."""

MAX_ROWS = 1000
"""Of a table that becomes text; how many more there are is said below them."""

MAX_VALUES = 1_000_000
"""Of everything in one result, what is shared counted each time."""

_BUFFERS = (bytes, bytearray, memoryview)
_ADDRESS = re.compile(r"<.* at 0x[0-9A-Fa-f]+>", re.DOTALL)


class ToolsError(RefusedError):
    """Never leaves the library: what code of the tool's author raised while its value was read."""


class RelayedError(Exception):
    """Never leaves the library: what reading a returned iterator raised, which counts as raised by the tool."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


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
        ValueError: an unknown word, or an indent that is no white space.
    """
    if type(value) is str:
        return ToolResult.ok(value)
    if non_finite not in NON_FINITE:
        raise ValueError("non_finite: must be null, text or refuse")
    _json.check_indent(indent)
    return convert(value, indent=indent, non_finite=non_finite, default=default, expose=expose, relay=False)


def convert(
    value: object,
    *,
    indent: int | str | None,
    non_finite: NonFinite,
    default: Callable[[Any], object] | None,
    expose: Collection[type[BaseException]],
    relay: bool,
) -> ToolResult:
    """Do what `of` does, with options that have been looked at; with `relay` errors of iterators are not wrapped.

    Raises:
        RelayedError: reading an iterator that was returned raised something.
    """
    kind = type(value)
    if kind is ToolResult:
        return cast("ToolResult", value)
    if value is None:
        return ToolResult()
    if issubclass(kind, str):
        return ToolResult(str.__str__(cast("str", value)))
    if issubclass(kind, BaseException):
        return from_exception(cast("BaseException", value), expose)
    try:
        return _from_object(value, indent, _Lifter(default), non_finite)
    except RefusedError as refused:
        cause = refused.cause
        if issubclass(type(cause), ToolError):
            raise cast("ToolError", cause) from None
        if relay and cause is not None and (type(refused) is ToolsError or steers(cause)):
            raise RelayedError(cause) from None
        path, problem = refused.path("value"), refused.problem
    except (ToolError, ConversionError):
        raise
    except ContentPartError as error:
        path, problem = "value", f"cannot be made a part: {error}"
    except RecursionError:
        path, problem = "value", _json.NO_STACK
    except ValueError as error:  # the value of a result is frozen with it, a little deeper than it was
        path, problem = "value", str(error).partition(": ")[2] or type_name(error)
    except Exception as error:  # noqa: BLE001 - somebody's attribute may raise anything
        path, problem = "value", f"cannot be read: {type_name(error)}; convert it to plain data first"
    _close(value)
    raise ConversionError(path, problem)


def _from_protocol(value: Any) -> ToolResult:
    try:
        result: object = value.__tool_result__()
    except (ToolError, Suspend):
        raise
    except Exception as error:  # noqa: BLE001 - it is the author's own
        raise ToolsError(f"its __tool_result__ failed: {type_name(error)}", cause=error) from None
    if type(result) is ToolResult:
        return result
    raise RefusedError(f"its __tool_result__ returned {type_name(result)}; return a ToolResult")


def _from_object(value: object, indent: int | str | None, lifter: _Lifter, non_finite: NonFinite) -> ToolResult:
    if type(value) is Request:
        return ToolResult.pending(value)
    if _foreign.offers(type(value), "__tool_result__"):
        return _from_protocol(value)
    result = _mcp.result_of(value)
    if result is not None:
        return result
    part = lifter.part_of(value)
    if part is not None:
        return ToolResult.from_parts([part])
    rules = Rules(non_finite, lifter.lift, lifter.stand_in, MAX_VALUES)
    table = _foreign.table(value)
    if table is not None:
        return _from_table(value, table, rules, lifter)
    if type(value) in (list, tuple):
        parts = _mixed(cast("list[object]", value), lifter)
        if parts is not None:
            return ToolResult.from_parts(parts)
    if _foreign.offers(type(value), "__next__"):
        value = lifter.items_of(value)
        lifter.has_read = False
    tree = _json.plain_tree(value, rules)
    text = _json.write(tree, indent=indent)
    # What was read from an iterator is gone from it, so the form is the value that is left.
    kept = tree if lifter.has_read else value
    return ToolResult(text, parts=lifter.parts, metadata={FACTS: {"value": kept, "mime_type": JSON_TYPE}})


def _from_table(
    frame: object, table: tuple[list[Any], Iterable[Iterable[object]], int], rules: Rules, lifter: _Lifter
) -> ToolResult:
    names, rows, count = table
    most = min(MAX_ROWS, max(1, _foreign.MAX_ELEMENTS // max(1, len(names))))
    text = _json.rows_as_tsv(names, islice(rows, most), rules)
    if count > most:
        text += f"\n[... {count - most} of {count} rows left out ...]"
    return ToolResult(text, parts=lifter.parts, metadata={FACTS: {"value": frame, "mime_type": TSV_TYPE}})


def _mixed(items: Sequence[object], lifter: _Lifter) -> list[ContentPart] | None:
    """Make parts of a list of texts and parts; `None` for any other list."""
    parts: list[ContentPart] = []
    has_part = False
    for n, item in enumerate(items):
        if type(item) is str:
            parts.append(ContentPart.from_text(item))
            continue
        try:
            part = lifter.part_within(item)
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
        self.has_read = False

    def lift(self, value: object) -> object:
        """Keep the part that an object is, and give what stands for it."""
        part = self.part_within(value)
        if part is None:
            return _foreign.UNKNOWN
        self.parts.append(part)
        return f"[part {len(self.parts)}: {part.summary()}]"

    def stand_in(self, value: object) -> object:
        """Give the form of what nobody else knows."""
        kind = type(value)
        if _foreign.offers(kind, "__next__"):
            return self.items_of(value)
        if issubclass(kind, AbstractSet) and not issubclass(kind, (KeysView, ItemsView)):
            return frozenset(self.items_of(iter(cast("Iterable[object]", value)), marks=False))
        is_series = issubclass(kind, (Sequence, KeysView, ItemsView, ValuesView)) or _foreign.offers(kind, "popleft")
        if is_series and not issubclass(kind, _BUFFERS):
            return self.items_of(iter(cast("Iterable[object]", value)), marks=False)
        if self.default is None:
            return _foreign.UNKNOWN
        try:
            form = self.default(value)
        except Exception as error:  # noqa: BLE001 - it is somebody else's function
            problem = f"is of type {type_name(value)}, for which default= raised {type_name(error)}"
            raise ToolsError(problem, cause=error) from None
        if type(form) is str and _ADDRESS.search(form):
            raise RefusedError(f"is of type {type_name(value)}, for which default= gave text with a memory address")
        return form

    def part_within(self, value: object) -> ContentPart | None:
        """Give the part that an object in something else is, if it is one."""
        if _mcp.is_result(value):
            raise RefusedError(f"is of type {type_name(value)}, the result of a whole call; return it alone")
        try:
            return self.part_of(value)
        except ContentPartError as error:
            raise RefusedError(f"cannot be made a part: {error}") from None

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
        if _is_file(kind):
            if issubclass(kind, TextIOBase) or issubclass(type(getattr(value, "file", None)), TextIOBase):
                raise RefusedError("is an open text file; return its text")
            return _typed(ContentPart.file(cast("Any", value)))
        if _foreign.offers(kind, "get_figure") and _foreign.offers(kind, "get_xlim"):
            value = cast("Any", value).get_figure()  # the axes of a plot
        png = None if issubclass(kind, type) else _drawn.to_png(value, DEFAULT_MAX_BYTES, is_optional=True)
        return None if png is None else ContentPart("image", data=png, mime_type="image/png")

    def items_of(self, iterator: Any, *, marks: bool = True) -> Any:
        """Read an iterator to its end; the order of a set is nobody's choice, so its items stay a set."""
        self.has_read |= marks
        try:
            items = list(islice(cast("Iterator[object]", iterator), MAX_ITEMS + 1))
        except (RecursionError, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - it is the author's own
            raise ToolsError(f"cannot be read: {type_name(error)}; return a list", cause=error) from None
        if len(items) > MAX_ITEMS:
            raise RefusedError(f"gives more than {MAX_ITEMS} items one by one; return a list of those that matter")
        return frozenset(items) if type(iterator) is _SET_ITERATOR else items


def _is_file(kind: type) -> bool:
    if _foreign.offers(kind, "readable") and _foreign.offers(kind, "read"):
        return True
    return (kind.__module__, kind.__name__) == ("tempfile", "_TemporaryFileWrapper")


_SET_ITERATOR = type(iter(set[Any]()))


def _typed(part: ContentPart) -> ContentPart:
    kind = str(part.mime_type).partition("/")[0]
    if kind not in ("image", "audio", "video"):
        return part
    return ContentPart(kind, data=part.data, mime_type=part.mime_type, name=part.name)


def _refuse_awaitable(value: Any, kind: type) -> None:
    if _foreign.offers(kind, "__await__"):
        _close(value)
        raise RefusedError(f"is of type {type_name(value)}, which has no result yet; await it")
    if _foreign.offers(kind, "__anext__"):
        _close(value)
        raise RefusedError(f"is of type {type_name(value)}; read it with async for, and return a list")


def _close(value: Any) -> None:
    """Close what nobody will await: it would warn when it is collected. In a list, all of them."""
    kind = cast("Any", type(value))
    if kind in (list, tuple):
        for item in cast("list[object]", value)[:MAX_ITEMS]:
            if type(item) not in (list, tuple):
                _close(item)
    try:
        if _foreign.offers(kind, "__await__") and _foreign.offers(kind, "close"):
            value.close()
        elif _foreign.offers(kind, "__anext__") and _foreign.offers(kind, "aclose"):
            value.aclose().send(None)
    except BaseException:  # noqa: BLE001, S110 - how it ends is its own affair, and nobody waits for it
        pass
