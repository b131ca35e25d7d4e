"""Strategies for the value types: valid values only, with the corners that random data seldom reaches.

What goes into metadata and data is a strategy of its own: `json_values()`, or `python_values()`, which adds tuples,
sets, buffers, times and our own values, and foreign objects on demand.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from toolresult import Answer, ContentPart, Request, ToolResult

Strategy = st.SearchStrategy[Any]

_OWN_KEYS = {"pending", "toolresult", "audience", "provider", "arguments", "schema"}
_CORNER_TEXTS = ["", " ", "\n", "\0", "\x1b[2J", "\ud83d\ude00", "\u2028", "\u202e", "😀", "'\"\\", "[tool error] no"]
_MEDIA_TYPES = [
    "image/png",
    "IMAGE/JPG",
    "audio/x-wav",
    "video/mp4",
    "application/pdf",
    "text/csv; charset=UTF-8; x=\0",
]
_TEXT_TYPES = ["application/json", "text/tab-separated-values", "Text/X-Markdown", "text/plain;charset=UTF-8"]
_FAR_ZONES = [timedelta(0), timedelta(hours=14), timedelta(hours=-23, minutes=-59, seconds=-59, microseconds=-1)]


def texts() -> Strategy:
    """Any `str`: empty, blank, unprintable, with lone surrogates."""
    return st.sampled_from(_CORNER_TEXTS) | st.text(max_size=12) | st.text(st.characters(), max_size=6)


def json_values() -> Strategy:
    """What JSON can hold, valid Unicode and finite numbers only."""
    numbers = st.integers() | st.sampled_from([10**400, 2**53 + 1]) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | st.text(max_size=12),
        lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=6), below, max_size=4),
        max_leaves=8,
    )


def arguments() -> Strategy:
    """The arguments of a call: a JSON object."""
    return st.dictionaries(st.text(max_size=6), json_values(), max_size=4)


def python_values(*, foreign: bool = False) -> Strategy:
    """What Python can hold and freezing knows, in any nesting; with `foreign`, also what it does not know."""
    hashable = st.recursive(
        st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | texts() | st.binary(max_size=4),
        lambda below: st.tuples(below, below) | st.frozensets(below, max_size=2),
        max_leaves=3,
    )
    buffers = st.binary(max_size=4).flatmap(lambda data: st.sampled_from([bytearray(data), memoryview(data)]))
    own = st.sampled_from([ContentPart.from_text("inner"), Request("input", "?", id="inner"), ToolResult.json([{}])])
    leaves = hashable | buffers | own | st.datetimes() | st.timedeltas()
    if foreign:
        leaves |= st.builds(Fraction, st.integers(-3, 3)) | _foreign(hashable | own | st.lists(hashable, max_size=2))
    return st.recursive(
        leaves,
        lambda below: (
            st.lists(below, max_size=3)
            | st.lists(below, max_size=3).map(tuple)
            | st.dictionaries(hashable, below, max_size=3)
            | st.sets(hashable, max_size=3)
        ),
        max_leaves=6,
    )


def _foreign(below: Strategy) -> Strategy:
    return (
        st.builds(SimpleNamespace, held=below)
        | st.lists(below, max_size=2).map(deque)
        | st.dictionaries(st.text(max_size=3), below, max_size=2).map(OrderedDict)
    )


def metadata(values: Strategy, known: Mapping[str, Strategy] | None = None) -> Strategy:
    """Free metadata, absent and empty included, with some of the `known` members."""
    free = st.dictionaries(texts().filter(lambda key: key not in _OWN_KEYS), values, max_size=3)
    members = st.fixed_dictionaries({}, optional=dict(known or {}))
    return st.none() | st.builds(lambda a, b: {**a, **b}, free, members)


def http_urls() -> Strategy:
    """URLs of http and https."""
    return st.builds(
        "{}{}{}".format,
        st.sampled_from(["https://host", "HTTP://user:pw@host:80", "https://bücher.example", "https://[::1]"]),
        st.sampled_from(["", "/", "/a%20b/ü", "/" + "x" * 300]),
        st.sampled_from(["", "?", "?q=1#f", "#f"]),
    )


def urls() -> Strategy:
    """Absolute URIs of any scheme that a part takes."""
    return http_urls() | st.sampled_from(
        ["s3://bucket/key", "gs://b", "file:///etc/passwd", "urn:x:y", "mailto:a@b?c=d"]
    )


def content_parts(values: Strategy | None = None) -> Strategy:
    """Parts of every type and with every kind of content, hidden ones and those of an unknown kind included."""
    audiences = [
        ["assistant"],
        ["user"],
        ["user", "assistant"],
        ("user",),
        {"assistant"},
        [],
        "user",
        "assistant",
        None,
    ]
    known = {"audience": st.sampled_from(audiences), "provider": st.just("openai")}
    common = {"name": st.none() | texts(), "metadata": metadata(json_values() if values is None else values, known)}
    kinds = st.sampled_from(["image", "audio", "video", "file"])
    media_types = st.sampled_from(_MEDIA_TYPES)
    maybe_type = st.none() | media_types
    file_ids = texts().filter(lambda text: text and not text.isspace())
    text_types = st.none() | st.sampled_from(_TEXT_TYPES)
    return st.one_of(
        st.builds(ContentPart, st.just("text"), text=texts(), mime_type=text_types, **common),
        st.builds(ContentPart.from_text, texts()),
        st.builds(ContentPart, kinds, data=st.binary(max_size=40), mime_type=media_types, **common),
        st.builds(ContentPart, kinds, url=urls(), mime_type=maybe_type, **common),
        st.builds(ContentPart, kinds, file_id=file_ids, mime_type=maybe_type, **common),
        st.builds(
            ContentPart,
            st.sampled_from(["resource_link", "Text", " ", "\n" * 300]),
            raw=st.dictionaries(texts(), json_values() if values is None else values, min_size=1, max_size=3),
        ),
    )


def ids() -> Strategy:
    """What ties an answer to its request."""
    return st.sampled_from(["x", "!~", "i" * 128]) | st.text(
        st.characters(min_codepoint=33, max_codepoint=126), min_size=1
    )


def moments() -> Strategy:
    """Aware times, in zones far from UTC too."""
    zones = st.sampled_from([timezone(offset) for offset in _FAR_ZONES])
    return st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones)  # noqa: DTZ001 - the zone comes after


def requests(values: Strategy | None = None) -> Strategy:
    """Requests of every kind, with and without bound arguments, url and expiry."""
    known = {"arguments": arguments(), "schema": arguments(), "options": st.just(["yes", "no"])}
    return st.builds(
        Request,
        st.sampled_from(["approval", "authorization", "input", "question", "ü" * 300]),
        texts(),
        id=ids(),
        url=st.none() | http_urls(),
        data=metadata(json_values() if values is None else values, known),
        expires_at=st.none() | moments(),
    )


def answers(values: Strategy | None = None) -> Strategy:
    """Answers that go on and answers that do not, with any data, falsy ones included."""
    held = json_values() if values is None else values
    reasons = st.none() | st.sampled_from(["declined", "cancelled", "expired"])
    return st.builds(Answer, ids(), st.just(True), data=held) | st.builds(
        Answer, ids(), st.just(False), data=held, reason=reasons
    )


def tool_results(values: Strategy | None = None) -> Strategy:
    """Results of every constructor: successes, failures and suspensions."""
    held = json_values() if values is None else values
    common = {"metadata": metadata(held)}
    parts = st.none() | st.lists(content_parts(held), max_size=3)
    rows = st.lists(st.lists(json_values(), max_size=2), max_size=2)
    return st.one_of(
        st.builds(ToolResult, texts(), st.booleans(), parts=parts, **common),
        st.builds(ToolResult.ok, texts(), parts=parts, value=json_values(), **common),
        st.builds(
            ToolResult.error,
            texts(),
            parts=parts,
            value=held,
            code=st.none() | texts(),
            retryable=st.booleans(),
            **common,
        ),
        st.builds(ToolResult.pending, requests(held), **common),
        st.builds(ToolResult.json, json_values(), **common),
        st.builds(ToolResult.tsv, texts() | rows, **common),
        st.builds(ToolResult.from_parts, st.lists(content_parts(held), max_size=3), **common),
    )


def values_of_every_type(held: Strategy | None = None) -> Strategy:
    """Any of our four value types."""
    return st.one_of(tool_results(held), content_parts(held), requests(held), answers(held))
