"""Laws of what is shown: `repr`, `summary()` and `str` are bounded, on one line, and give nothing away."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import moments, parts_with, python_values, results_with, texts, values_of_every_type

from toolresult import Answer, ContentPart, Request, ToolResult
from toolresult._content import TYPES

WILD = python_values(foreign=True)
SECRET = "Zx9-secret-9xZ"


def long_texts(pieces: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of `pieces`, short ones and repeated up to 1 MiB; never with the secret in them."""
    lengths = st.sampled_from([1, 30, 90, 300, 2**20])
    safe = pieces.filter(lambda text: text and SECRET[0] not in text)
    return safe.flatmap(
        lambda text: lengths.map(lambda length: (text * (length // len(text) + 1))[:length]) | st.just(text)
    )


def hostile_texts() -> st.SearchStrategy[str]:
    return long_texts(texts())


def hostile_urls() -> st.SearchStrategy[str]:
    """URLs with the secret in user, query and fragment, around a path of any length."""
    paths = long_texts(st.text(st.sampled_from("ab.~%/@:;ü'\\\"("), min_size=1, max_size=5))
    return st.builds(
        lambda scheme, path, tail: f"{scheme}/{path}{tail}",
        st.sampled_from([f"https://{SECRET}:{SECRET}@host", "http://host:80", f"s3://{SECRET}@bucket", "urn:x"]),
        paths,
        st.sampled_from([f"?{SECRET}", f"?a=/{SECRET}#{SECRET}", f"#{SECRET}", f"#?{SECRET}", f"?@{SECRET}@/{SECRET}"]),
    )


def secret_metadata() -> st.SearchStrategy[Any]:
    secrets = st.sampled_from([SECRET, SECRET.encode(), [SECRET], {"k": {"d": (SECRET,)}}, {SECRET}, {SECRET: SECRET}])
    return st.none() | st.dictionaries(hostile_texts(), secrets, min_size=1, max_size=6)


def hostile_parts() -> st.SearchStrategy[ContentPart]:
    """Parts that are too much in every way, with the secret wherever it must not be shown."""
    common = {"name": st.none() | hostile_texts(), "metadata": secret_metadata()}
    kinds = st.sampled_from(["image", "audio", "video", "file"])
    mime_types = st.sampled_from(["image/png", f"application/{'x' * 127}", f"text/{'y' * 127}; charset={'z' * 200}"])
    payloads = st.sampled_from([SECRET.encode(), SECRET.encode() * 70_000])
    file_ids = hostile_texts().filter(lambda text: not text.isspace())
    return st.one_of(
        st.builds(ContentPart, st.just("text"), text=hostile_texts(), mime_type=st.none() | mime_types, **common),
        st.builds(ContentPart, kinds, data=payloads, mime_type=mime_types, **common),
        st.builds(ContentPart, kinds, url=hostile_urls(), mime_type=st.none() | mime_types, **common),
        st.builds(ContentPart, kinds, file_id=file_ids, mime_type=st.none() | mime_types, **common),
        st.builds(
            ContentPart, hostile_texts().filter(lambda text: text not in TYPES), raw=secret_metadata().filter(bool)
        ),
    )


def hostile_requests() -> st.SearchStrategy[Request]:
    return st.builds(
        Request,
        long_texts(st.text(st.sampled_from("ab'\\ü"), min_size=1)),
        hostile_texts(),
        id=st.sampled_from(["x", "'" * 128, "\\" * 128]),
        url=st.none() | hostile_urls().filter(lambda url: url.startswith("http")),
        data=secret_metadata(),
        expires_at=st.none() | moments(),
    )


def hostile_answers() -> st.SearchStrategy[Answer]:
    names = hostile_texts().filter(lambda text: "\0" not in text and text.isascii())
    foreign = names.map(lambda name: type(name, (), {})())
    odd_keys = st.sampled_from([{1: SECRET}, {None: [SECRET]}, {(1, "k"): SECRET}, {b"x": 0, frozenset({1}): SECRET}])
    held = secret_metadata() | foreign | odd_keys | st.sampled_from([SECRET, [SECRET], 0, b"x" * 2**20])
    return st.builds(Answer, st.sampled_from(["x", "'" * 128]), st.just(True), data=held)


def hostile_results() -> st.SearchStrategy[ToolResult]:
    parts = st.none() | st.lists(hostile_parts(), max_size=6)
    return st.one_of(
        st.builds(ToolResult, hostile_texts(), st.booleans(), parts=parts, metadata=secret_metadata()),
        st.builds(ToolResult.error, hostile_texts(), parts=parts, value=st.just(SECRET), code=st.just(SECRET)),
        st.builds(ToolResult.pending, hostile_requests(), metadata=secret_metadata()),
        st.builds(ToolResult.from_parts, st.lists(hostile_parts(), max_size=6), metadata=secret_metadata()),
    )


def assert_one_line(text: str, limit: int) -> None:
    assert len(text) < limit
    assert text.isprintable()


@given(hostile_parts() | parts_with(WILD))
def test_the_repr_and_the_summary_of_a_part_are_one_short_line(part):
    """Whatever a part holds, its `repr` and its summary are one printable line of under 300 characters."""
    assert_one_line(repr(part), 300)
    assert_one_line(part.summary(), 300)


@given(hostile_results() | results_with(WILD))
def test_the_repr_of_a_result_is_one_short_line(result):
    """Whatever a result holds, its `repr` is one printable line of under 1,000 characters."""
    assert_one_line(repr(result), 1000)


@given(hostile_requests() | hostile_answers() | values_of_every_type(WILD))
def test_the_repr_of_any_value_is_one_short_line(value):
    """Whatever a request or an answer holds, its `repr` is one printable line too."""
    assert_one_line(repr(value), 1000)


@given(hostile_parts())
def test_a_part_gives_nothing_away(part):
    """Neither `repr` nor the summary has payload, a metadata value, or the user, query or fragment of a URL in it."""
    for shown in (repr(part), part.summary()):
        assert SECRET not in shown
        assert part.data is None or part.base64()[:16] not in shown
    assert SECRET not in str(part)


@given(hostile_results())
def test_a_result_gives_nothing_away(result):
    """Neither `repr` nor `str` has payload, a metadata value, or the user, query or fragment of a URL in it."""
    for shown in (repr(result), str(result)):
        assert SECRET not in shown
        assert not [part for part in result.parts or () if part.data is not None and part.base64()[:16] in shown]


@given(hostile_requests() | hostile_answers())
def test_a_request_and_an_answer_give_nothing_away(value):
    """The `repr` of a request or an answer has no data value, and no user, query or fragment of a URL in it."""
    assert SECRET not in repr(value)


@given(hostile_texts(), hostile_urls().filter(lambda url: url.startswith("http")), secret_metadata())
def test_the_model_never_sees_the_url_of_a_request(prompt, url, extra):
    """A suspension's text, output and content have nothing of the URL that its request gives to the person."""
    result = ToolResult.pending(Request.authorization(f"https://approve.example/{SECRET}", prompt), metadata=extra)
    other = ToolResult.pending(Request.authorization(url, prompt), metadata=extra)
    for shown in (result, other):
        read_by_model = [str(shown), shown.output, *map(str, shown.content)]
        assert not [text for text in read_by_model if "approve.example" in text or SECRET in text]
    assert str(result) == str(other)


@given(results_with(WILD).filter(lambda result: result.is_error))
def test_the_repr_of_an_error_says_so_first(result):
    """The `repr` of a failure says ERROR, and that of a suspension PENDING, before anything that the tool wrote."""
    state = "PENDING" if result.is_pending else "ERROR"
    assert repr(result).startswith(f"ToolResult({state}")


@given(results_with(WILD).filter(lambda result: not result.is_error))
def test_the_repr_of_a_success_claims_no_failure(result):
    """The `repr` of a success starts with neither word."""
    assert not repr(result).startswith(("ToolResult(PENDING", "ToolResult(ERROR"))


@given(hostile_parts() | parts_with(WILD))
def test_the_text_of_a_part_is_its_text_or_its_summary(part):
    """`str` of a text part is its text as given, of any other its summary."""
    assert str(part) == (part.summary() if part.text is None else part.text)
