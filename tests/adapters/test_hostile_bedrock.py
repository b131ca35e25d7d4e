"""Whatever ids, names, types and places are, nothing that the model of Bedrock's service refuses is sent."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters import strict

from toolresult import ContentPart, ContentPartError, DecodeError, ToolResult
from toolresult.adapters import from_bedrock, to_bedrock
from toolresult.adapters.bedrock import LIMITS

LEGAL = re.compile(r"[A-Za-z0-9()\[\]-]+( [A-Za-z0-9()\[\]-]+)*")
TYPES = {"application/pdf": b"%PDF-1.7\n", "text/csv": b"a,b", "application/json": b"{}", "text/plain": b"a"}
STEMS = st.one_of(
    st.text(max_size=12),
    st.text("aA .-_()[]'\"#/\\\t\n\u3000\u00a0\u200b\u00e9\u0130\u017f\ufb01\u2460\ufdfa\ud800\0", max_size=12),
    st.sampled_from(
        [
            "a",
            "A",
            "a ",
            " a",
            "a (2)",
            "A (2)",
            "a (2) (2)",
            "document",
            "Document (2)",
            "x" * 200,
            "x" * 300,
            "..",
            "CON",
        ]
    ),
    st.sampled_from(
        ["x" * 199 + " y", "x" * 196 + " (2)", "X" * 250, "\uff41", "a\u3000b", "a  b", "a\u2003\tb", '"a"']
    ),
)
NAMES = st.none() | st.builds(
    str.__add__, STEMS, st.sampled_from(["", ".pdf", ".PDF", ".csv", ".json", ".tar.gz", ".", ". pdf", ".\u0440df"])
)
FILES = st.builds(
    lambda name, mime_type, n: ContentPart("file", data=TYPES[mime_type] + b"%d" % n, mime_type=mime_type, name=name),
    NAMES,
    st.sampled_from(sorted(TYPES)),
    st.integers(0, 99),
)
TURNS = st.lists(st.tuples(st.booleans(), st.lists(FILES, max_size=4)), max_size=3)


def names_in(messages):
    blocks = [block for message in messages for block in message["content"]]
    blocks += [inner for block in blocks if "toolResult" in block for inner in block["toolResult"]["content"]]
    return [block["document"]["name"] for block in blocks if "document" in block]


@settings(max_examples=500)
@given(
    turns=st.lists(TURNS, min_size=1, max_size=3),
    taken=st.lists(st.text(max_size=5) | st.sampled_from(["a", "A (2)", "DOCUMENT", "document (2)", "x" * 200])),
    media=st.sampled_from(["inline", "user"]),
)
def test_no_name_that_is_refused_is_sent(turns, taken, media):
    given_names = [*taken]
    for turn in turns:
        results = [(f"c{n}", ToolResult("seen", is_error, parts=parts)) for n, (is_error, parts) in enumerate(turn)]
        messages = to_bedrock(results, taken=given_names, media=media)
        strict.bedrock_messages(messages)
        names = names_in(messages)
        assert [name for name in names if len(name) > 200 or not LEGAL.fullmatch(name)] == []
        given_names += names
        lowered = [name.lower() for name in given_names]
        assert all(lowered.count(name.lower()) == 1 for name in names)
        assert to_bedrock(results, taken=given_names[: len(given_names) - len(names)], media=media) == messages
    news = [name.lower() for name in given_names[len(taken) :]]
    assert len({*news}) == len(news)


@given(name=NAMES)
def test_a_name_that_was_read_is_written_again(name):
    part = ContentPart("file", data=b"%PDF-1.7\n", mime_type="application/pdf", name=name)
    messages = to_bedrock([("c1", ToolResult("seen", parts=[part]))])
    ((_, result, _),) = from_bedrock(messages)
    assert to_bedrock([("c1", result)]) == messages


IDS = (
    st.text(max_size=70)
    | st.text("aZ09_.:-", max_size=70)
    | st.from_regex(r"[a-zA-Z0-9_.:-]{60,70}\n?", fullmatch=True)
)


@given(call_id=IDS, is_plain=st.booleans())
def test_no_id_that_is_refused_is_sent(call_id, is_plain):
    result = ToolResult("seen", metadata=None if is_plain else {"a": 1})
    is_legal = re.fullmatch(r"[a-zA-Z0-9_.:-]{1,64}", call_id) is not None
    refused = True
    with suppress(ValueError):
        strict.bedrock_messages(to_bedrock([(call_id, result)]))
        refused = False
    assert refused is not is_legal


MIME_TYPES = st.sampled_from(
    [
        *(
            "image/png",
            "image/jpg",
            "image/JPEG",
            "image/gif",
            "image/webp",
            "image/bmp",
            "image/heic",
            "image/svg+xml",
        ),
        *("video/mp4", "video/quicktime", "video/x-matroska", "video/matroska", "video/3gpp", "video/x-msvideo"),
        *("audio/wav", "audio/mpeg", "application/pdf", "application/msword", "application/zip", "text/csv"),
        *("text/plain; charset=latin-1", "text/html", "text/x-markdown", "application/json", "application/x-a.b+xml"),
    ]
)
BUCKETS = st.sampled_from(["bucket", "my.bucket-1", "b", "BUCKET", "-b-", "b" * 64, "", "b_c", "h.test:80"])
PLACES = st.builds(
    "{}://{}{}".format,
    st.sampled_from(["s3", "S3", "https", "gs", "s3a"]),
    BUCKETS,
    st.sampled_from(
        ["/a", "/", "", "/é/%20?a=1#b", "/" + "k" * 1012, "/" + "k" * 1025, "/\ud800", "/a\0", "/a\x07", "/a b"]
    ),
)
DATA = st.binary(max_size=3) | st.sampled_from(
    [b"\x89PNG\r\n\x1a\n", b"%PDF-1.7", b"a,b", b"\xe9", b"\0", b"\xff\xfea\0"]
)


@settings(max_examples=500)
@given(
    kinds=st.lists(
        st.tuples(
            st.sampled_from(["image", "audio", "video", "file"]),
            st.none() | MIME_TYPES,
            st.fixed_dictionaries({"data": DATA})
            | st.fixed_dictionaries({"url": PLACES})
            | st.fixed_dictionaries({"file_id": PLACES}),
        ),
        max_size=8,
    ),
    is_error=st.booleans(),
    media=st.sampled_from(["inline", "user", "text"]),
    errors=st.sampled_from(["status", "marker"]),
)
def test_no_type_and_no_place_that_is_refused_is_sent(kinds, is_error, media, errors):
    parts = []
    for kind, mime_type, source in kinds:
        with suppress(ContentPartError):
            parts.append(ContentPart(kind, mime_type=mime_type, **source))
    result = ToolResult("", is_error, parts=parts)
    messages = to_bedrock([("c1", result)], media=media, errors=errors)
    strict.bedrock_messages(messages)
    text = json.dumps(strict.encoded(messages), ensure_ascii=False)
    assert text.isprintable()
    text.encode()


def test_limits_that_promise_a_kind_without_a_place_give_no_broken_block():
    sound = ContentPart("audio", data=b"RIFF\x24\x00\x00\x00WAVEfmt ", mime_type="audio/wav")
    losses = []
    limits = replace(LIMITS, audio=replace(LIMITS.image, types=None))
    to_bedrock([("c1", ToolResult("", parts=[sound]))], limits=limits, on_loss=losses.append)
    assert [loss.reason for loss in losses] == ["its type is not known"]


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({"text": "a", "json": {"a": 1}}, ""),
        ({"text": "a", "image": {"format": "png", "source": {"bytes": b"a"}}}, ""),
        ({"image": {"format": "png", "source": {"bytes": b"a", "s3Location": {"uri": "s3://bkt/a"}}}}, ".image.source"),
        ({"document": {"format": "a b", "source": {"s3Location": {"uri": "s3://bkt/a"}}}}, ".document.format"),
        ({"document": {"format": "a b", "source": {"bytes": b"a"}}}, ".document.format"),
    ],
)
def test_two_members_of_a_union_are_refused_as_the_client_does(block, path):
    message = {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [block]}}]}
    with pytest.raises(DecodeError) as caught:
        from_bedrock([message])
    assert caught.value.path == "items[0].content[0].toolResult.content[0]" + path


def test_buffers_are_bytes():
    block = {"image": {"format": "png", "source": {"bytes": memoryview(b"\x89PNG\r\n\x1a\n")}}}
    message = {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [block]}}]}
    assert from_bedrock([message])[0].result.parts[0].data == b"\x89PNG\r\n\x1a\n"
