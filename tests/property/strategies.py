"""What the published strategies leave out: foreign objects, odd texts and times, and values that hold such things.

The values themselves come from `toolresult.strategies`; the strategies called `..._with` add `values` to what these
hold for the application.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from toolresult import ContentPart, Request, ToolResult
from toolresult.strategies import answers, content_parts, json_values, requests, tool_results

Strategy = st.SearchStrategy[Any]

_OWN_KEYS = {"pending", "toolresult", "audience", "provider", "arguments", "schema"}
_CORNER_TEXTS = ["", " ", "\n", "\0", "\x1b[2J", "\ud83d\ude00", "\u2028", "\u202e", "😀", "'\"\\", "[tool error] no"]
_MEDIA_TYPES = ["IMAGE/JPG", "audio/x-wav", "application/pdf", "text/csv; charset=UTF-8; x=\0"]
_URLS = [
    "HTTP://user:pw@host:80/a%20b/ü?q=1#f",
    "https://bücher.example",
    "https://[::1]/" + "x" * 300,
    "https://host?",
    "file:///etc/passwd",
    "urn:x:y",
    "mailto:a@b?c=d",
]
_AUDIENCES = [("user",), ("user", "assistant"), {"assistant"}, {"user"}, "user", "assistant", None]
_FAR_ZONES = [timedelta(0), timedelta(hours=14), timedelta(hours=-23, minutes=-59, seconds=-59, microseconds=-1)]


def texts() -> Strategy:
    """Any `str`: empty, blank, unprintable, with lone surrogates."""
    return st.sampled_from(_CORNER_TEXTS) | st.text(max_size=12) | st.text(st.characters(), max_size=6)


def arguments() -> Strategy:
    """The arguments of a call: a JSON object."""
    values = json_values(max_leaves=8) | st.sampled_from([10**400, 2**53 + 1])
    return st.dictionaries(st.text(max_size=6), values, max_size=4)


def moments() -> Strategy:
    """Aware times, in zones far from UTC too."""
    zones = st.sampled_from([timezone(offset) for offset in _FAR_ZONES])
    return st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones)  # noqa: DTZ001 - the zone comes after


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


def metadata(values: Strategy) -> Strategy:
    """Free metadata, absent and empty included."""
    return st.none() | st.dictionaries(texts().filter(lambda key: key not in _OWN_KEYS), values, max_size=3)


def parts_with(values: Strategy) -> Strategy:
    """Parts of every type and with every kind of content, hidden ones and those of an unknown kind included."""
    common = {"name": st.none() | texts(), "metadata": metadata(values) | _audiences()}
    kinds = st.sampled_from(["image", "audio", "video", "file"])
    file_ids = texts().filter(lambda text: text and not text.isspace())
    return st.one_of(
        _holding(content_parts(metadata="python", raw=True, surrogates=True), metadata(values)),
        st.builds(ContentPart, st.just("text"), text=texts(), mime_type=st.just("Text/X-Md;charset=UTF-8"), **common),
        st.builds(ContentPart, kinds, data=st.binary(max_size=4), mime_type=st.sampled_from(_MEDIA_TYPES), **common),
        st.builds(ContentPart, kinds, url=st.sampled_from(_URLS), **common),
        st.builds(ContentPart, kinds, file_id=file_ids, **common),
        st.builds(ContentPart, st.sampled_from([" ", "Text", "\n" * 300]), raw=metadata(values).filter(bool)),
    )


def _audiences() -> Strategy:
    return st.fixed_dictionaries({"audience": st.sampled_from(_AUDIENCES)})


def requests_with(values: Strategy) -> Strategy:
    """Requests with any prompt and any data beside the known members."""
    odd = st.builds(
        Request,
        st.just("ü" * 300),
        texts(),
        id=st.sampled_from(["x", "!~", "i" * 128]),
        url=st.none() | st.sampled_from([url for url in _URLS if url.lower().startswith("http")]),
        data=metadata(values),
        expires_at=st.none() | moments(),
    )
    return _holding(requests(), metadata(values)) | odd


def answers_with(values: Strategy) -> Strategy:
    """Answers with any data, whichever way they go."""
    return answers() | st.builds(replace, answers(), data=values)


def results_with(values: Strategy) -> Strategy:
    """Results of every constructor and in every state, with such parts, requests, values and metadata."""
    parts = st.none() | st.lists(parts_with(values), max_size=3)
    common = {"metadata": metadata(values)}
    published = tool_results(parts=parts_with(values), metadata="python", raw=True, surrogates=True)
    return st.one_of(
        _holding(published, metadata(values)),
        st.builds(ToolResult, texts(), st.booleans(), parts=parts, **common),
        st.builds(ToolResult.error, texts(), parts=parts, value=values, code=st.none() | texts(), **common),
        st.builds(ToolResult.pending, requests_with(values), **common),
    )


def values_of_every_type(values: Strategy) -> Strategy:
    """Any of our four value types."""
    return st.one_of(results_with(values), parts_with(values), requests_with(values), answers_with(values))


def _holding(drawn: Strategy, extra: Strategy) -> Strategy:
    @st.composite
    def holding(draw: st.DrawFn) -> Any:
        return _with_extra(draw(drawn), draw(extra))

    return holding()


def _with_extra(value: Any, extra: dict[str, Any] | None) -> Any:
    if type(value) is Request:
        field = "data"
    else:
        field = "raw" if type(value) is ContentPart and value.raw is not None else "metadata"
    return replace(value, **{field: {**(getattr(value, field) or {}), **(extra or {})}})
