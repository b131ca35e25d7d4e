"""Hypothesis strategies that yield valid values of every type, corners included.

They are registered with Hypothesis when the library is installed, so `st.from_type(ToolResult)` and annotated `@given`
work without importing this module. Import it for the switches. It needs the `hypothesis` package.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, TypeVar

from toolresult._content import TYPES, ContentPart
from toolresult._result import ToolResult
from toolresult._suspension import Answer, Request
from toolresult._text import repair

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as _missing:
    if _missing.name != "hypothesis":
        raise
    raise ModuleNotFoundError(
        "toolresult.strategies needs Hypothesis; install it with: pip install hypothesis", name="hypothesis"
    ) from _missing

__all__ = ["answers", "content_parts", "json_values", "requests", "tool_results"]

_T = TypeVar("_T")
Metadata: TypeAlias = Literal["json", "python"] | None
"""What metadata may hold: JSON types only, which every codec keeps; tuples, sets, bytes and dates too; or nothing."""

_STATES = ("ok", "error", "pending")
_SOURCES = ("data", "url", "file_id")
_MIME_TYPES = {
    "text": ["text/plain", "text/markdown", "application/json", "text/tab-separated-values", "image/svg+xml"],
    "image": ["image/png", "image/jpeg", "image/gif", "image/webp"],
    "audio": ["audio/wav", "audio/mpeg"],
    "video": ["video/mp4", "video/webm"],
    "file": ["application/octet-stream", "application/pdf", "text/csv", "application/vnd.unknown+zip"],
}
_RESERVED = frozenset({"pending", "toolresult"})
_CORNER_TEXTS = ["", " ", "\n", "\x00", "\x1b[31mred", "[tool error] x", "日本語", "\U0001f600", "a\u202eb"]
_ID_ALPHABET = "".join(chr(code) for code in range(0x21, 0x7F))
_TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


def json_values(*, max_leaves: int = 15, surrogates: bool = False) -> st.SearchStrategy[Any]:
    """Any JSON value: `None`, booleans, integers of any size, finite floats, text, lists, objects with `str` keys.

    `surrogates` allows lone surrogates in text, which Python strings can hold and UTF-8 cannot.
    """
    text = _texts(surrogates=surrogates)
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4).filter(_is_writable),
        max_leaves=max_leaves,
    )


def content_parts(
    *,
    types: Collection[str] = ("text", "image", "audio", "video", "file"),
    sources: Collection[str] = _SOURCES,
    metadata: Metadata = "json",
    raw: bool = False,
    surrogates: bool = False,
    max_size: int = 64,
) -> st.SearchStrategy[ContentPart]:
    """Content parts of the given types; those that are not text have one of the given sources.

    The data is no real picture or sound. `metadata` includes audiences, so that some parts are not for the model.
    `raw` adds parts of unknown kinds, as decoders keep them. `max_size` bounds text (characters) and data (bytes).
    """
    unknown = set(types) - TYPES or set(sources) - set(_SOURCES)
    if unknown:
        raise ValueError(f"unknown types or sources: {', '.join(sorted(unknown))}")
    _check_metadata(metadata)
    options = _parts(types, sources, metadata, raw=raw, surrogates=surrogates, max_size=max_size)
    return _named("content_parts", options)


def _parts(
    types: Collection[str],
    sources: Collection[str],
    metadata: Metadata,
    *,
    raw: bool,
    surrogates: bool,
    max_size: int,
) -> st.SearchStrategy[ContentPart]:
    name = st.none() | st.sampled_from(["chart.png", "../up", "a\\b", "CON", ""]) | _texts(surrogates=surrogates)
    common: dict[str, st.SearchStrategy[Any]] = {
        "name": name,
        "metadata": _part_metadata(metadata, surrogates=surrogates),
    }
    options: list[st.SearchStrategy[ContentPart]] = []
    if "text" in types:
        text = _texts(surrogates=surrogates, max_size=max_size)
        mime_type = st.none() | st.sampled_from(_MIME_TYPES["text"])
        options.append(st.builds(ContentPart, st.just("text"), text=text, mime_type=mime_type, **common))
    for kind in sorted(set(types) - {"text"}):
        mime_type = st.sampled_from(_MIME_TYPES[kind])
        held: dict[str, dict[str, st.SearchStrategy[Any]]] = {
            "data": {"data": st.binary(max_size=max_size), "mime_type": mime_type},
            "url": {"url": _urls(), "mime_type": st.none() | mime_type},
            "file_id": {"file_id": st.text("file-0123456789abcdef", min_size=1), "mime_type": st.none() | mime_type},
        }
        options.extend(st.builds(ContentPart, st.just(kind), **held[source], **common) for source in sources)
    if raw:
        blocks = st.dictionaries(
            _texts(surrogates=surrogates), json_values(surrogates=surrogates), min_size=1, max_size=3
        )
        options.append(st.builds(ContentPart, st.sampled_from(["hologram", "x-block"]), raw=blocks))
    return st.one_of(options)


def requests(*, bound: bool | None = None, expires: bool | None = None) -> st.SearchStrategy[Request]:
    """Requests of every kind.

    `bound` and `expires` say whether they bind arguments and have an expiry; `None` is either.
    """
    members: dict[str, st.SearchStrategy[Any]] = {
        "schema": st.just({"type": "object", "properties": {"comment": {"type": "string"}}}),
        "options": st.lists(st.text(max_size=5), max_size=3),
        "note": json_values(max_leaves=4),
    }
    arguments = {"arguments": st.dictionaries(st.text(max_size=5), json_values(max_leaves=6), max_size=3)}
    optional = {**members, **arguments} if bound is None else members
    data = st.fixed_dictionaries(arguments if bound else {}, optional=optional)
    return st.builds(
        Request,
        st.sampled_from(["approval", "authorization", "input", "question", "x-other"]),
        st.text(max_size=40),
        id=_ids(),
        url=st.none() | _urls(schemes=("https", "http")),
        data=data if bound else st.none() | data,
        expires_at={True: _TIMES, False: st.none(), None: st.none() | _TIMES}[expires],
    )


def answers(*, to: Request | None = None, ok: bool | None = None) -> st.SearchStrategy[Answer]:
    """Answers to one request, or to any; `ok` says which way, `None` is either.

    The data of a yes are any JSON value, which the schema of a request need not allow.
    """
    ids = _ids() if to is None else st.just(to.id)
    no = st.builds(
        Answer,
        ids,
        st.just(False),  # noqa: FBT003
        data=st.none() | st.fixed_dictionaries({"comment": st.text(max_size=20)}),
        reason=st.sampled_from(["declined", "cancelled", "expired", None]),
    )
    yes = st.builds(Answer, ids, st.just(True), data=json_values())  # noqa: FBT003
    return {True: yes, False: no, None: no | yes}[ok]


def tool_results(
    *,
    states: Collection[str] = _STATES,
    parts: st.SearchStrategy[ContentPart] | None = None,
    metadata: Metadata = "json",
    value: bool = True,
    raw: bool = False,
    surrogates: bool = False,
) -> st.SearchStrategy[ToolResult]:
    """Results in the given states, made by every constructor.

    `parts` are the parts to draw from; pass `st.nothing()` for results without any. `value` allows a value behind
    the text. The other switches are those of `content_parts`.
    """
    unknown = set(states) - set(_STATES)
    if unknown:
        raise ValueError(f"unknown states: {', '.join(sorted(unknown))}")
    _check_metadata(metadata)
    text = _texts(surrogates=surrogates)
    if parts is None:
        parts = _parts(TYPES, _SOURCES, metadata, raw=raw, surrogates=surrogates, max_size=16)
    some = st.lists(parts, max_size=3) if not parts.is_empty else st.just([])
    extra = _metadata(metadata, surrogates=surrogates)
    values = json_values(max_leaves=8, surrogates=surrogates) if value else st.none()
    options: list[st.SearchStrategy[ToolResult]] = []
    if "ok" in states:
        options += [st.builds(ToolResult.ok, text, parts=some, metadata=extra, value=values)]
        collapsed = st.builds(ToolResult.from_parts, some, metadata=extra)
        # A single JSON part becomes a JSON result, which has a value.
        options += [collapsed if value else collapsed.filter(lambda result: result.value is None)]
        if value:
            options += [st.builds(ToolResult.json, values, metadata=extra)]
            rows = st.lists(st.lists(st.none() | st.integers() | text, max_size=3), max_size=3)
            options += [st.builds(ToolResult.tsv, rows, metadata=extra)]
    if "error" in states:
        code = st.none() | st.sampled_from(["limit", "not_found"])
        facts = {"value": values, "code": code, "retryable": st.booleans()}
        options += [st.builds(ToolResult.error, text, parts=some, metadata=extra, **facts)]
    if "pending" in states:
        options += [st.builds(ToolResult.pending, requests(), metadata=extra)]
    return _named("tool_results", st.one_of(options))


def _is_writable(tree: dict[str, Any]) -> bool:
    """Say whether the keys stay different when they are written, which repairs lone surrogates."""
    return len({repair(key) for key in tree}) == len(tree)


def _named(name: str, strategy: st.SearchStrategy[_T]) -> st.SearchStrategy[_T]:
    """Show a strategy by its name: Hypothesis prints what it draws from, and warns of what is too long to print."""

    def draw_one(draw: st.DrawFn) -> _T:
        return draw(strategy)

    draw_one.__name__ = name
    return st.composite(draw_one)()


def _texts(*, surrogates: bool, max_size: int = 24) -> st.SearchStrategy[str]:
    corners = st.sampled_from(sorted({text[:max_size] for text in _CORNER_TEXTS}))
    usual = st.text(max_size=max_size)
    odd = st.text(st.sampled_from("a\ud83d\ude00\udcff"), max_size=min(8, max_size))
    return st.one_of(usual, corners, odd) if surrogates else st.one_of(usual, corners)


def _ids() -> st.SearchStrategy[str]:
    return st.text(_ID_ALPHABET, min_size=1, max_size=128)


def _urls(schemes: Collection[str] = ("https", "http", "s3", "gs")) -> st.SearchStrategy[str]:
    word = st.text("abcXYZ019-._~", min_size=1, max_size=8)
    path = st.lists(word, max_size=3).map(lambda words: "".join(f"/{word}" for word in words))
    query = st.just("") | word.map(lambda secret: f"?token={secret}")
    return st.builds("{}://{}.test{}{}".format, st.sampled_from(list(schemes)), word, path, query)


def _python_values(*, surrogates: bool) -> st.SearchStrategy[Any]:
    leaves = json_values(max_leaves=3, surrogates=surrogates) | st.binary(max_size=8) | _TIMES
    keys = st.booleans() | st.integers() | st.text(max_size=3) | st.tuples(st.integers(), st.text(max_size=2))
    containers = st.frozensets(keys, max_size=3) | st.sets(keys, max_size=3) | st.binary(max_size=4).map(bytearray)
    return st.recursive(
        leaves | containers,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner)
            | st.dictionaries(_texts(surrogates=surrogates), inner, max_size=3)
        ),
        max_leaves=6,
    )


def _check_metadata(kind: object) -> None:
    if kind not in ("json", "python", None):
        raise ValueError('metadata: unknown word; use "json", "python" or None')


def _metadata(kind: Metadata, *, surrogates: bool) -> st.SearchStrategy[dict[str, Any] | None]:
    if kind is None:
        return st.none()
    keys = _texts(surrogates=surrogates).filter(lambda key: key not in _RESERVED)
    values = json_values(surrogates=surrogates) if kind == "json" else _python_values(surrogates=surrogates)
    return st.none() | st.dictionaries(keys, values, max_size=3).filter(_is_writable)


def _part_metadata(kind: Metadata, *, surrogates: bool) -> st.SearchStrategy[dict[str, Any] | None]:
    if kind is None:
        return st.none()
    audience = st.sampled_from([["user"], ["assistant"], ["user", "assistant"], []])
    known = st.fixed_dictionaries(
        {}, optional={"audience": audience, "provider": st.sampled_from(["openai", "google"])}
    )
    return _metadata(kind, surrogates=surrogates) | known
