"""What MCP can hold: results as servers send them, and results of ours that lose nothing on the way."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from hypothesis import strategies as st

from toolresult import ContentPart, ToolResult
from toolresult._media import corrected
from toolresult.adapters import with_mcp_meta
from toolresult.strategies import content_parts, json_values, tool_results

Strategy = st.SearchStrategy[Any]

PNG = b"\x89PNG\r\n\x1a\n-picture"
LABELS = {
    "image": ["image/png", "image/svg+xml", "IMAGE/JPG", "application/octet-stream", "application/json", "png"],
    "audio": ["audio/wav", "audio/x-wav", "audio/L16;rate=1", "image/png", ""],
    "any": [
        "text/csv",
        "text/plain;charset=utf-8",
        "text/plain; charset=latin-1",
        "application/pdf",
        "video/mp4",
        "x/y",
    ],
}
URIS = [
    "https://h.test/a.png",
    "file:///a%20b",
    "a.pdf",
    "",
    "data:,x",
    "javascript:x",
    "toolresult:///x",
    "toolresult:///1",
    "toolresult:///2/a%20b",
    "HTTPS://H.test",
]
KEYS = """
    type text data mimeType mime_type uri name resource blob annotations audience priority lastModified _meta meta size
    icons src sizes title content structuredContent isError resultType inputRequests requestState fileId provider
    unnamed result method params message mode url requestedSchema io.github.toolresult/part io.github.toolresult/wrapped
"""
WORDS = """
    text image audio resource resource_link complete input_required user assistant image/png text/csv
    https://h.test/a.b elicitation/create form roots/list video
"""


def vendor_results(version: str) -> Strategy:
    """Anything that a server of this revision may send, as the dict on the wire."""
    structured = _objects() if version < "2026" else json_values(max_leaves=6).filter(lambda value: value is not None)
    optional = {"structuredContent": structured, "_meta": _metas()}
    fixed: dict[str, Strategy] = {"content": st.lists(_blocks(), max_size=3), "isError": st.booleans()}
    if version >= "2026":
        fixed["resultType"] = st.just("complete")
    return st.fixed_dictionaries(fixed, optional=optional) | _echoing(fixed, optional)


@st.composite
def _echoing(draw: st.DrawFn, fixed: dict[str, Strategy], optional: dict[str, Strategy]) -> Any:
    """Draw a result whose text says the structured data, in one of the ways that servers do."""
    result = draw(st.fixed_dictionaries(fixed, optional=optional))
    value = draw(json_values(max_leaves=5).filter(lambda value: value is not None))
    is_wrapped = "resultType" not in result and not isinstance(value, dict)
    result["structuredContent"] = {"result": value} if is_wrapped or draw(st.booleans()) else value
    texts = [draw(st.sampled_from([json.dumps(value), json.dumps(value, indent=2), str(value)]))]
    if isinstance(value, list) and draw(st.booleans()):
        texts = [json.dumps(item) for item in value]
    blocks = [{"type": "text", "text": text} for text in texts]
    result["content"] = blocks if draw(st.booleans()) else [*result["content"], *blocks]
    return result


def _blocks() -> Strategy:
    base64 = (st.binary(max_size=8).map(lambda data: b"\xff\x00raw" + data) | st.just(b"")).map(_in_base64)
    texts = st.text(max_size=8) | st.sampled_from(["", " ", "\0", '{"a": 1}', "5"])
    optional = {"annotations": _annotations(), "_meta": _metas()}
    labels = st.sampled_from([label for labels in LABELS.values() for label in labels])
    contents = {"mimeType": labels, "_meta": _metas()}
    uris = st.sampled_from(URIS) | st.text(max_size=6)
    blobs = base64 | st.text(max_size=6).map(lambda text: _in_base64(text.encode()))
    of_link = {
        "title": texts,
        "description": texts,
        "mimeType": labels,
        "size": st.integers(0, 2**40),
        "icons": st.lists(
            st.fixed_dictionaries(
                {"src": uris},
                optional={
                    "mimeType": labels,
                    "sizes": st.lists(st.just("48x48"), max_size=2),
                    "theme": st.sampled_from(["light", "dark"]),
                },
            ),
            max_size=2,
        ),
    }
    media = [
        st.fixed_dictionaries(
            {"type": st.just(kind), "data": base64, "mimeType": st.sampled_from(LABELS[kind])}, optional=optional
        )
        for kind in ("image", "audio")
    ]
    picture = {"type": st.just("image"), "data": st.just(_in_base64(PNG)), "mimeType": st.just("image/png")}
    resources = [
        st.fixed_dictionaries({"uri": uris, **body}, optional=contents) for body in ({"text": texts}, {"blob": blobs})
    ]
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("text"), "text": texts}, optional=optional),
        st.fixed_dictionaries(picture, optional=optional),
        *media,
        *(
            st.fixed_dictionaries({"type": st.just("resource"), "resource": resource}, optional=optional)
            for resource in resources
        ),
        st.fixed_dictionaries(
            {"type": st.just("resource_link"), "uri": uris, "name": texts}, optional={**of_link, **optional}
        ),
    )


def _in_base64(data: bytes) -> str:
    return b64encode(data).decode()


def _annotations() -> Strategy:
    return st.fixed_dictionaries(
        {},
        optional={
            "audience": st.lists(st.sampled_from(["user", "assistant"]), max_size=2),
            "priority": st.floats(0, 1) | st.sampled_from([0, 1]),
            "lastModified": st.just("2026-01-12T15:00:58Z") | st.text(max_size=4),
        },
    )


def _metas(at_least: int = 0) -> Strategy:
    """Whatever one may add; the package drops what is null there."""
    keys = st.sampled_from(["com.example/a", "ui", "progressToken"]) | st.text(max_size=4)
    values = json_values(max_leaves=3).filter(lambda value: value is not None)
    return st.dictionaries(keys, values, min_size=at_least, max_size=2)


def _objects() -> Strategy:
    return st.dictionaries(st.text(max_size=4), json_values(max_leaves=4), max_size=3)


def holdable_parts() -> Strategy:
    """Parts of which MCP loses nothing."""
    annotations = {"priority": st.floats(0, 1), "lastModified": st.text(max_size=4)}
    added = st.fixed_dictionaries(
        {},
        optional={
            "audience": st.lists(st.sampled_from(["user", "assistant"]), max_size=2),
            "annotations": st.fixed_dictionaries({}, optional=annotations).filter(bool),
            "mcp": st.fixed_dictionaries({"_meta": _metas(1)}),
        },
    )
    parts = content_parts(metadata=None).filter(_is_labelled_right)
    owned = st.sampled_from(["openai", "google"])
    with_more = st.builds(_with_metadata, parts, added, st.none() | owned)
    return parts | with_more


def _is_labelled_right(part: ContentPart) -> bool:
    return part.data is None or corrected(str(part.mime_type), part.data) == part.mime_type


def _with_metadata(part: ContentPart, metadata: dict[str, Any], owner: str | None) -> ContentPart:
    if part.file_id is not None and owner is not None:
        metadata = {**metadata, "provider": owner}
    fields = {name: getattr(part, name) for name in ("text", "mime_type", "data", "url", "file_id", "name")}
    return ContentPart(part.type, **fields, metadata=metadata)


def holdable_results() -> Strategy:
    """Results, with `_meta` and without, of which MCP loses no content."""
    results: st.SearchStrategy[ToolResult] = tool_results(states=["ok", "error"], parts=holdable_parts())
    return results | st.builds(with_mcp_meta, results, _metas(1))


def junk() -> Strategy:
    """What looks like a result, and holds anything anywhere."""
    keys = st.sampled_from(KEYS.split())
    words = st.sampled_from(WORDS.split())
    leaves = st.none() | st.booleans() | st.integers(-1, 2) | st.floats() | words | st.text(st.characters(), max_size=3)
    anything = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5), max_leaves=12
    )
    members = {
        "type": words,
        "text": st.text(max_size=2),
        "data": st.just("iVBORw0KGgo=") | leaves,
        "uri": words,
        "name": words,
    }
    blocks = st.fixed_dictionaries(
        {}, optional={**members, "resource": anything, "_meta": anything, "annotations": anything}
    )
    fixed = {"content": st.lists(blocks | anything, max_size=3)}
    asked = st.dictionaries(st.text(max_size=2), anything, max_size=2)
    optional = {"structuredContent": anything, "_meta": anything, "isError": leaves, "inputRequests": asked | anything}
    return st.fixed_dictionaries(fixed, optional={**optional, "resultType": words}) | anything
