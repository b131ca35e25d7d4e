"""MCP: the result of one `tools/call`, and what a suspended call asks.

The shapes are those of `CallToolResult` and `InputRequiredResult` in the `mcp` package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, cast, get_args

from toolresult import _json, _mcp
from toolresult._content import ContentPart, is_for_model
from toolresult._frozen import freeze_mapping, is_frozen_dict, type_name
from toolresult._mcp_access import Node
from toolresult._mcp_reading import HINTS, read_block
from toolresult._media import JSON_TYPE, essence
from toolresult._result import FACTS, ToolResult, projection
from toolresult._suspension import Request
from toolresult._text import is_blank
from toolresult.adapters._mcp_ask import (
    InputRequired,
    Version,
    answer_from_mcp,
    from_mcp_input_required,
    read_requests,
    to_mcp_elicitation,
    to_mcp_input_required,
)
from toolresult.adapters._mcp_blocks import write_block
from toolresult.adapters._turn import Loss, OnLoss, OnPending, check_on_loss, report
from toolresult.errors import ConversionError, DecodeError, PendingResultError
from toolresult.render import waiting

__all__ = [
    "VERSIONS",
    "InputRequired",
    "Version",
    "answer_from_mcp",
    "from_mcp",
    "from_mcp_input_required",
    "mcp_meta",
    "to_mcp",
    "to_mcp_elicitation",
    "to_mcp_input_required",
    "with_mcp_meta",
]

VERSIONS: Final[tuple[Version, ...]] = get_args(Version)
"""The revisions of the protocol that results are written for, the oldest first."""

_LATEST: Final = "2026-07-28"


def to_mcp(
    result: ToolResult,
    *,
    version: Version = _LATEST,
    structured: bool | None = None,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
) -> dict[str, Any]:
    """Write a result as that of a `tools/call`.

    `structuredContent` says nothing that the text does not: it is the data of an output that is JSON, or what came
    from MCP and is still in the text. `structured=True` sends `value`, beside media too; `False` sends none. A new one
    is never written for an error.

    A pending result is one that asks, from 2026-07-28 on. With `on_pending="placeholder"` it is an error result that
    says that the call waits, for a client that cannot be asked.

    Raises:
        ConversionError: `structured=True`, and the value has no JSON form.
        EncodeError: MCP's own members in metadata are malformed, or a form that MCP has not.
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: it is pending, and this revision has no shape for that.
        TypeError, ValueError: `result` or an option that cannot be.
    """
    _check_options(result, version, structured, on_loss, on_pending)
    hints = _hints_of(result)
    if result.request is not None:
        return _pending(result.request, hints, version, on_pending)
    data = _structured(result, hints, structured)
    losses: list[Loss] = []

    def tell(part: ContentPart, reason: str, fallback: Literal["relabelled", "text"]) -> None:
        losses.append(Loss("", part, reason, fallback))

    pieces = list(_pieces(result, hints, data))
    blocks = [write_block(part, n, path, tell) for n, (path, part) in enumerate(pieces, 1)]
    written: dict[str, Any] = {"content": blocks, "isError": result.is_error}
    meta = _meta_of(hints)
    if data is not None:
        # An object until 2025-11-25; any value since SEP-2106.
        if version != _LATEST and not isinstance(data, dict):
            data, meta = {_mcp.RESULT: data}, {**(meta or {}), _mcp.WRAPPED: True}
        written["structuredContent"] = data
    if meta is not None:
        written["_meta"] = meta
    if version == _LATEST:
        written["resultType"] = "complete"
    for loss in losses:
        report(loss, on_loss)
    return written


def from_mcp(obj: Any, *, on_loss: OnLoss = None) -> ToolResult:
    """Read the result of a `tools/call`: a mapping with the keys in either spelling, or an object of a client.

    Structured data is `value`, and the text for the model holds one copy of it, never none. A result that asks one
    thing is a pending result.

    Raises:
        DecodeError: it is malformed, or asks several things; `path` says where.
        LossError: something was repaired or is not known, and `on_loss` is `"raise"`.
    """
    check_on_loss(on_loss)
    node = Node(obj, "")
    result_type = node.optional_text("resultType")
    if result_type == "input_required":
        return _asking(node)
    if result_type not in (None, "complete"):
        raise DecodeError("resultType", "must be complete or input_required; a task is not the result of a call yet")
    losses: list[Loss] = []

    def tell(part: ContentPart, reason: str, fallback: Literal["relabelled", "raw"]) -> None:
        losses.append(Loss("", part, reason, fallback))

    result = _mcp.read_result(node, lambda block, at: read_block(Node(block, at), tell))
    for loss in losses:
        report(loss, on_loss)
    return result


def mcp_meta(result: ToolResult) -> Mapping[str, Any] | None:
    """Return the `_meta` of a result: what it came with, or what it was given. No model sees it."""
    meta = _hints_of(result).get("_meta")
    return cast("Mapping[str, Any]", meta) if isinstance(meta, Mapping) else None


def with_mcp_meta(result: ToolResult, meta: Mapping[str, object] | None) -> ToolResult:
    """Return the same result with this `_meta`, which `to_mcp` sends to the client; `None` takes it away."""
    hints = {key: hint for key, hint in _hints_of(result).items() if key != "_meta"}
    if meta is not None:
        hints["_meta"] = freeze_mapping(meta, "meta") or {}
    metadata = dict(result.metadata or {})
    facts = {**metadata.pop(FACTS, {}), HINTS: hints}
    if not hints:
        del facts[HINTS]
    return replace(result, metadata={**metadata, FACTS: facts} if facts else metadata)


def _check_options(result: object, version: object, structured: object, on_loss: object, on_pending: object) -> None:
    if type(result) is not ToolResult:
        raise TypeError(f"result: must be a ToolResult, got {type_name(result)}; make one with ToolResult.of(value)")
    if version not in VERSIONS:
        raise ValueError(f"version: must be one of {', '.join(map(repr, VERSIONS))}")
    if structured is not None and structured is not True and structured is not False:
        raise TypeError(f"structured: must be a bool or None, got {type_name(structured)}")
    if on_pending not in get_args(OnPending):
        raise ValueError("on_pending: must be 'raise' or 'placeholder'")
    check_on_loss(on_loss)


def _hints_of(result: ToolResult) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = (result.metadata or {}).get(FACTS, {})
    hints: object = facts.get(HINTS)
    return cast("Mapping[str, Any]", hints) if is_frozen_dict(hints) else {}


def _meta_of(hints: Mapping[str, Any]) -> dict[str, Any] | None:
    """Write what is kept as `_meta` of the result.

    Raises:
        ConversionError: it has no JSON form.
    """
    meta: object = hints.get("_meta")
    return cast("dict[str, Any]", _json.plain(meta, "_meta")) if is_frozen_dict(meta) else None


def _structured(result: ToolResult, hints: Mapping[str, Any], wanted: bool | None) -> Any:  # noqa: FBT001
    """Choose the structured data to send, in its JSON form; `None` is none."""
    if wanted is False:
        return None
    if hints.get(_mcp.STRUCTURED) is True and result.value is not None:
        # What came from MCP goes on as it came, but not past a host that changed what the text says.
        data = _json.plain(result.value)
        if _mcp.is_said(_mcp.texts_of(result.content), data):
            return data
    # Clients hold that of an error against the schema of the output (ArcadeAI/arcade-mcp#817).
    if result.is_error:
        return None
    if wanted and result.value is not None:
        return _json.plain(result.value)
    if not wanted and hints.get(_mcp.STRUCTURED) is False:
        return None
    # Clients that see it may throw media away (anthropics/claude-code#54737).
    if not wanted and any(part.text is None for part in result.parts or ()):
        return None
    return _data_of_output(result)


def _data_of_output(result: ToolResult) -> Any:
    kind = essence(_type_of_output(result) or "")
    if kind != JSON_TYPE and not kind.endswith("+json"):
        return None
    try:
        return _json.plain(_json.parse(result.output))
    except (ValueError, ConversionError):  # it nests deeper than any value of ours
        return None


def _pieces(result: ToolResult, hints: Mapping[str, Any], data: Any) -> Iterator[tuple[str, ContentPart]]:
    """Go through what is written as blocks, each with its path: the output unless its parts say it, and all parts.

    The copy of structured data that was made for the model is left out where the data itself is sent.
    """
    parts = result.parts or ()
    visible = tuple(filter(is_for_model, parts))
    if not is_blank(result.output) and result.output != projection(visible):
        is_copy = data is not None and result.parts is None and _mcp.same(result.output, data)
        if not (is_copy and hints.get(_mcp.ADDED) is True):
            # That a text is JSON is said by the same data beside it.
            mime_type = _type_of_output(result)
            label = None if is_copy and mime_type == JSON_TYPE else mime_type
            yield "output", ContentPart("text", text=result.output, mime_type=label)
    for n, part in enumerate(parts):
        marks: object = part.metadata.get(HINTS) if part.metadata else None
        is_added = is_frozen_dict(marks) and marks.get(_mcp.ADDED) is True
        if not (is_added and data is not None and part.text is not None and _mcp.same(part.text, data)):
            yield f"parts[{n}]", part


def _type_of_output(result: ToolResult) -> str | None:
    return cast("str | None", (result.metadata or {}).get(FACTS, {}).get("mime_type"))


def _pending(request: Request, hints: Mapping[str, Any], version: Version, on_pending: OnPending) -> dict[str, Any]:
    if on_pending == "placeholder":
        return to_mcp(ToolResult(waiting(request), is_error=True), version=version)
    if version != _LATEST:
        raise PendingResultError(
            f"result: is pending, which {version} has no result for; ask with to_mcp_elicitation(request) and run the "
            "tool again, or pass on_pending='placeholder'"
        )
    key, state, meta = hints.get("key"), hints.get("requestState"), _meta_of(hints)
    written = to_mcp_input_required(
        {key if isinstance(key, str) else request.id: request}, state if isinstance(state, str) else None
    )
    return written if meta is None else {**written, "_meta": meta}


def _asking(node: Node) -> ToolResult:
    requests, state = read_requests(node)
    if len(requests) != 1:
        what = "asks several things" if requests else "asks nothing, and only wants the call again with its state"
        raise DecodeError("inputRequests", f"{what}; read it with from_mcp_input_required")
    ((key, request),) = requests.items()
    meta = node.meta()
    hints: dict[str, object] = {} if meta is None else {"_meta": meta}
    if key != request.id:
        hints["key"] = key
    if state is not None:
        hints["requestState"] = state
    return ToolResult.pending(request, metadata={FACTS: {HINTS: hints}} if hints else None)
