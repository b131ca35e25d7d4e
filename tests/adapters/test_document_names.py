"""Whatever documents are called, no name that Bedrock refuses is sent, and the files keep the names that they have."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters import strict

from toolresult import ContentPart, ToolResult
from toolresult.adapters import from_bedrock, to_bedrock

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
