"""The contract of `toolresult.adapters`, for every adapter, over generated turns."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import filterfalse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.clients import occurrences, payloads
from tests.adapters.strict import encoded
from tests.adapters.table import ADAPTERS, Adapter

from toolresult import ContentPart, LossError, Request, ToolResult
from toolresult.adapters import CallResult, Kind, Loss

EXAMPLES = settings().max_examples
TURNS = 300 if EXAMPLES <= 100 else 20_000
SECRET = "s3cret-metadata"
MARKER = "[tool error] "
POINTER = "[image (image/png, 9 bytes) follows after the tool results]"
REPAIRED = str.maketrans({"\0": "\ufffd"})

HEADS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/gif": b"GIF89a",
    "image/bmp": b"BM",
    "audio/wav": b"RIFF\x00\x00\x00\x00WAVE",
    "audio/mpeg": b"ID3\x04\x00",
    "audio/flac": b"fLaC\x00\x00\x00\x22",
    "video/mp4": b"\x00\x00\x00\x18ftypisom",
    "application/pdf": b"%PDF-1.7",
    "application/zip": b"PK\x03\x04",
    "application/octet-stream": b"\x00\x01\x02",
}
TEXT_FILES = ["text/csv", "application/json", "image/svg+xml", "text/plain; charset=utf-8", "application/yaml"]
URLS = [
    "https://h.example/a.png?token=s3cret-query",
    "http://h.example/b",
    "s3://bucket/key",
    "gs://bucket/key",
    "https://generativelanguage.googleapis.com/v1beta/files/abc",
    "file:///etc/passwd",
]

names = st.none() | st.sampled_from(["chart.png", "a.pdf", "Ω.csv", "\ud800.x", "CON", "two\nlines", "", "x" * 300])
metadata = st.none() | st.sampled_from(
    [
        {"note": SECRET},
        {"provider": "openai"},
        {"provider": "anthropic"},
        {"provider": "google"},
        {"audience": ["user"], "note": SECRET},
        {"audience": ["assistant"]},
    ]
)
texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", " ", "\n\t", "\0", "a\0b", "\ud83d", "\u2028", "[tool error]", "[done] The tool returned nothing."]
    ),
    st.sampled_from(
        ["a\n\nb", "[image (image/png, 9 bytes) follows after the tool results]", "[from tool call c0] x", "{}"]
    ),
)


@st.composite
def media(draw: st.DrawFn) -> ContentPart:
    """A part that is no text, of a type that its bytes have, or of another, or of none that is known."""
    number = draw(st.integers(0, 2**64))
    actual = draw(st.sampled_from(sorted(HEADS)))
    claimed = draw(st.just(actual) | st.just(actual) | st.sampled_from(sorted(HEADS)))
    major = claimed.partition("/")[0]
    kind = major if major in ("image", "audio", "video") and draw(st.booleans()) else "file"
    common = {"name": draw(names), "metadata": draw(metadata)}
    match draw(st.sampled_from(["data", "data", "data", "text file", "url", "file_id", "empty", "raw"])):
        case "data":
            data = HEADS[actual] + b"\xfe\xff" + number.to_bytes(9, "big") + b"\xff" * 12
            return ContentPart(kind, data=data, mime_type=claimed, **common)
        case "text file":
            mime_type = draw(st.sampled_from(TEXT_FILES))
            return ContentPart("file", data=f"line {number}\r\n".encode(), mime_type=mime_type, **common)
        case "url":
            return ContentPart(
                kind, url=draw(st.sampled_from(URLS)), mime_type=draw(st.none() | st.just(claimed)), **common
            )
        case "file_id":
            file_id = draw(st.sampled_from(["file-abc", "bad id", "gs://b/k", "ü", URLS[4]]))
            return ContentPart(kind, file_id=file_id, mime_type=draw(st.none() | st.just(claimed)), **common)
        case "empty":
            return ContentPart(kind, data=b"", mime_type=claimed, **common)
        case _:
            return ContentPart("hologram", raw={"type": "hologram", "note": SECRET})


parts = st.lists(
    st.one_of(media(), media(), st.builds(ContentPart.from_text, texts, metadata=metadata, name=names)), max_size=4
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
private = st.none() | st.just({"note": SECRET})
results = st.one_of(
    st.builds(ToolResult.ok, texts, parts=parts, metadata=private),
    st.builds(ToolResult.error, texts, parts=parts, metadata=private),
    st.builds(ToolResult.from_parts, parts, metadata=private),
    st.dictionaries(st.text(max_size=3), values, max_size=3).map(ToolResult.json),
    texts.map(
        lambda text: ToolResult.pending(Request("approval", text or "?", id="r1", url="https://h.example/approve"))
    ),
)


@st.composite
def turns(draw: st.DrawFn) -> list[CallResult]:
    """The results of one turn, with ids and names that every provider takes."""
    several = draw(st.lists(results, max_size=4))
    return [CallResult(f"c{n}", result, draw(st.sampled_from(["search", "run"]))) for n, result in enumerate(several)]


each_adapter = pytest.mark.parametrize(
    "adapter", ADAPTERS, ids=lambda adapter: f"{adapter.name}-{adapter.check.__name__}"
)


def strings(value: object) -> Iterator[str]:
    """Every string in a structure, keys and bytes of text included."""
    if isinstance(value, bytes):
        yield value.decode(errors="replace")
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)


def containers(value: object) -> Iterator[int]:
    """The identity of every dict and list in a structure."""
    if isinstance(value, (dict, list)):
        yield id(value)
        for member in value.values() if isinstance(value, dict) else value:
            yield from containers(member)


def repaired(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").translate(REPAIRED)


def binary(part: ContentPart) -> bool:
    return part.data is not None and is_binary(part.data)


def is_binary(data: bytes) -> bool:
    return b"\xfe\xff" in data


@each_adapter
@settings(max_examples=TURNS)
@given(turn=turns(), data=st.data())
def test_what_is_written_obeys_the_contract(adapter: Adapter, turn: list[CallResult], data: st.DataObject) -> None:
    turn, options = adapter.renamed(turn), data.draw(st.sampled_from(adapter.variants))
    losses: list[Loss] = []
    written = adapter.to(iter(turn), on_loss=losses.append, on_pending="placeholder", **options)

    adapter.check(written)
    text = json.dumps(encoded(written), allow_nan=False, ensure_ascii=False)
    text.encode()
    again = adapter.to(turn, on_pending="placeholder", **options)
    assert again == written
    assert not {*containers(again)} & {*containers(written)}
    assert SECRET not in text
    assert "approve" not in text

    said = "\n".join(strings(written))
    lost = [loss for loss in losses if loss.fallback == "text"]
    for loss in lost:
        assert loss.reason in said
        assert "s3cret-query" not in loss.reason
    for call in turn:
        if call.result.is_pending:
            assert "was not executed" in said
            continue
        for part in call.result.content:
            if part.text is not None and part.text.strip() and call.result.value is None:
                assert repaired(part.text) in said
            elif part.raw is not None:
                assert part in [loss.part for loss in lost if loss.call_id == call.call_id]
            elif part.data and not binary(part):
                assert part.data.decode() in said
    contents = [part for call in turn if not call.result.is_pending for part in call.result.content]
    gone = Counter(loss.part.data for loss in lost if loss.part.data is not None)
    carried = Counter(part.data for part in contents if binary(part)) - gone
    sent = payloads(encoded(written))
    assert Counter(filter(is_binary, sent)) == carried
    assert {*filterfalse(is_binary, sent)} <= {part.data for part in contents}
    for part in contents:
        if binary(part):
            assert occurrences(part.data or b"", encoded(written)) == carried[part.data]
    if lost and all(loss.part.url != URLS[0] or loss in lost for loss in losses):
        native = [p for p in contents if p.url == URLS[0] and p not in [loss.part for loss in lost]]
        assert native or "s3cret-query" not in said


@each_adapter
@settings(max_examples=TURNS)
@given(turn=turns(), data=st.data())
def test_what_is_written_reads_back(adapter: Adapter, turn: list[CallResult], data: st.DataObject) -> None:
    turn, options = adapter.renamed(turn), data.draw(st.sampled_from(adapter.variants))
    losses: list[Loss] = []
    written = adapter.to(turn, on_loss=losses.append, on_pending="placeholder", **options)
    back = adapter.back(json.loads(json.dumps(encoded(written))))
    assert adapter.back(written) == back
    has_ids = options.get("platform") != "vertex" or adapter.name != "gemini"
    assert [call.call_id for call in back] == [call.call_id if has_ids else "" for call in turn]
    if adapter.keeps_name:
        assert [call.name for call in back] == [call.name for call in turn]
    for before, after in zip(turn, back, strict=True):
        claims = next((part.text for part in before.result.content if part.text and part.text.strip()), "")
        if before.result.is_pending:
            assert after.result.is_placeholder
            assert after.result.is_error
            continue
        if not claims.startswith(("[tool error]", "[done]")):
            assert after.result.is_error == before.result.is_error
            assert not after.result.is_placeholder
        gone = {id(loss.part) for loss in losses if loss.fallback == "text"}
        expected = [part.data for part in before.result.content if binary(part) and id(part) not in gone]
        received = [part.data for part in after.result.content if binary(part)]
        assert sorted(map(bytes, filter(None, received))) == sorted(map(bytes, filter(None, expected)))
        if adapter.keeps_order:
            assert received == expected
        said = "\n".join([*strings(str(after.result)), *(part.text or str(part.data) for part in after.result.content)])
        for part in before.result.content:
            is_plain = part.text is not None and part.text.strip() and before.result.value is None
            if (
                is_plain
                and "follows after" not in said
                and not (part.text or "").startswith(("[tool error]", "[done]"))
            ):
                assert repaired(part.text or "") in said
        if not losses and not before.result.content and not before.result.is_error:
            assert after.result == ToolResult()
        assert adapter.to([before._replace(result=after.result)], **options)  # what was read can be written again


@each_adapter
@given(turn=turns(), chars=st.sampled_from([0, 20, 40, 48, 1000]), count=st.integers(0, 2), data=st.data())
def test_no_limit_is_exceeded(
    adapter: Adapter, turn: list[CallResult], chars: int, count: int, data: st.DataObject
) -> None:
    turn, options = adapter.renamed(turn), data.draw(st.sampled_from(adapter.variants))
    limits = adapter.limits(**options)

    def smaller(kind: Kind) -> Kind:
        return replace(kind, chars=chars, count=count)

    kinds = {name: smaller(getattr(limits, name)) for name in ("image", "audio", "video", "file")}
    limits = replace(limits, **kinds, total_bytes=2 * chars)
    written = adapter.to(turn, on_pending="placeholder", limits=limits, **options)
    adapter.check(written)
    sizes = [(len(payload) + 2) // 3 * 4 for payload in payloads(encoded(written))]
    assert all(size <= chars for size in sizes)
    assert sum(sizes) <= 2 * chars
    assert len(sizes) <= 4 * count


plain_turns = st.lists(
    st.builds(
        CallResult,
        st.sampled_from(["call_1", "toolu_2", "c3", "9", "\u00e9", "a-b", "", "x" * 65, "x" * 64]),
        st.builds(
            ToolResult.ok,
            texts | st.text("ab \x7f\x01", max_size=3) | st.just("long" * 20_000),
            metadata=private,
        )
        | st.builds(ToolResult.of, values),
        st.none() | st.sampled_from(["search", "do.it", "", "\u00e9"]),
    ),
    max_size=3,
)


# Plain turns in a list are written in a way of their own; in an iterator they are not.
@each_adapter
@given(turn=plain_turns, data=st.data())
def test_the_short_way_writes_what_the_long_one_does(
    adapter: Adapter, turn: list[CallResult], data: st.DataObject
) -> None:
    turn, options = adapter.renamed(turn), data.draw(st.sampled_from(adapter.variants))
    try:
        written = adapter.to(iter(turn), **options)
    except ValueError as error:
        with pytest.raises(ValueError, match=re.escape(str(error))):
            adapter.to(turn, **options)
    else:
        assert adapter.to(turn, **options) == written


@each_adapter
@given(turn=turns())
def test_a_refusal_names_what_would_be_lost_and_builds_nothing(adapter: Adapter, turn: list[CallResult]) -> None:
    turn, losses = adapter.renamed(turn), list[Loss]()
    written = adapter.to(turn, on_loss=losses.append, on_pending="placeholder", **adapter.variants[0])
    if not losses:
        assert adapter.to(turn, on_loss="raise", on_pending="placeholder", **adapter.variants[0]) == written
        return
    with pytest.raises(LossError) as refusal:
        adapter.to(turn, on_loss="raise", on_pending="placeholder", **adapter.variants[0])
    assert SECRET not in str(refusal.value)
    assert "s3cret-query" not in str(refusal.value)
