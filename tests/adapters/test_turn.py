"""The contract of one turn: options, limits of the caller, and what errors say and carry."""

from __future__ import annotations

import pickle
from dataclasses import replace
from enum import StrEnum

import pytest
from tests.adapters import seeing

from toolresult import ContentPart, LossError, PendingResultError, Request, ToolResult
from toolresult.adapters import (
    CallResult,
    Kind,
    Limits,
    to_anthropic,
    to_gemini,
    to_gemini_interactions,
    to_ollama,
    to_openai_chat,
    to_openai_responses,
)
from toolresult.adapters.anthropic import LIMITS as ANTHROPIC
from toolresult.adapters.gemini import LIMITS as GEMINI
from toolresult.adapters.openai_chat import LIMITS as CHAT

ALL = [
    to_anthropic,
    to_openai_chat,
    to_openai_responses,
    to_gemini,
    to_gemini_interactions,
    seeing.to_mistral,
    seeing.to_cohere,
    to_ollama,
]
PNG = b"\x89PNG\r\n\x1a\nxx"
CHART = ContentPart("image", data=PNG, mime_type="image/png")
SOUND = ContentPart("audio", data=b"RIFF\x24\x00\x00\x00WAVEfmt ", mime_type="audio/wav")
ANY = Kind(types=None)

all_adapters = pytest.mark.parametrize("to", ALL, ids=lambda to: to.__name__)


def one(result):
    return [CallResult("call_1", result, "tool")]


def waits(prompt="Delete 3 files?"):
    return ToolResult.pending(Request("approval", prompt, id="r1", url="https://h.test/approve?token=s3cret"))


class Loud(str):
    """Text that answers every question about itself wrongly."""

    __slots__ = ()

    def __eq__(self, other):
        raise RuntimeError

    def __ne__(self, other):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __str__(self):
        raise RuntimeError


class Agreeable:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


# What errors carry


@all_adapters
def test_a_loss_that_stops_comes_with_the_error(to):
    zipped = ContentPart("file", data=b"PK\x03\x04" + bytes(30), mime_type="application/zip")
    with pytest.raises(LossError) as stopped:
        to(one(ToolResult("", parts=[zipped])), on_loss="raise")
    loss = stopped.value.loss
    assert (loss.call_id, loss.part, loss.fallback) == ("call_1", zipped, "text")
    assert loss.reason in str(stopped.value)
    copied = pickle.loads(pickle.dumps(stopped.value))
    assert (copied, copied.loss) == (stopped.value, loss)


@all_adapters
def test_a_pending_result_that_stops_is_named(to):
    with pytest.raises(PendingResultError, match=r"^results\[1\]: ") as stopped:
        to([CallResult("call_0", ToolResult(), "tool"), *one(waits())])
    assert stopped.value.call_id == "call_1"
    assert pickle.loads(pickle.dumps(stopped.value)).call_id == "call_1"


def test_errors_can_be_made_without_what_they_carry():
    assert LossError("a").loss is None
    assert PendingResultError("a").call_id is None


# Ids, names and results


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([("", ToolResult())], r"results\[0\]\.call_id: is empty; it must be of the form \[!-~\]\{1,64\}"),
        ([("a" * 65, ToolResult())], r"results\[0\]\.call_id: has 65 characters and is not of the form"),
        ([(" ", ToolResult("x"))], r"results\[0\]\.call_id: has 1 character and is not of the form"),
        ([("a", ToolResult()), ("a", ToolResult())], r"results\[1\]\.call_id: was given before"),
    ],
)
def test_an_id_that_is_refused_is_described_and_not_shown(results, message):
    with pytest.raises(ValueError, match=message):
        to_openai_chat(results)


def test_a_name_that_is_missing_is_said_to_be_so():
    with pytest.raises(ValueError, match=r"^results\[0\]\.name: is missing; it must be of the form"):
        to_gemini([("a", ToolResult())])
    with pytest.raises(ValueError, match=r"^results\[0\]\.name: has 3 characters and is not of the form"):
        to_gemini([("a", ToolResult(), "a b")])


@all_adapters
def test_a_coroutine_is_to_be_awaited(to):
    async def tool():
        return ToolResult()

    coroutine = tool()
    with pytest.raises(TypeError, match=r"^results\[0\]\.result: must be a ToolResult, got coroutine; await"):
        to([("call_1", coroutine, "tool")])
    coroutine.close()
    with pytest.raises(TypeError, match=r"got str; make one with ToolResult.of\(value\)$"):
        to([("call_1", "text", "tool")])


@all_adapters
def test_what_is_no_tuple_is_not_unpacked(to):
    for stranger in (iter(["call_1", ToolResult("x"), "tool"]), ["call_1", ToolResult("x"), "tool"], "abc"):
        with pytest.raises(TypeError, match=r"^results\[0\]: must be a CallResult or a tuple"):
            to([stranger])


class Unreadable(tuple):
    __slots__ = ()

    def __iter__(self):
        raise KeyError


@all_adapters
def test_a_tuple_of_a_class_of_its_own_is_read_as_the_tuple_that_it_is(to):
    call = ("call_1", ToolResult("x"), "tool")
    assert to([Unreadable(call)]) == to([call])


# Options


@all_adapters
@pytest.mark.parametrize("limits", [Loud("x"), 5, {}, Limits], ids=lambda limits: type(limits).__name__)
def test_limits_are_limits(to, limits):
    with pytest.raises(TypeError, match=r"^limits: must be Limits, got "):
        to(one(ToolResult("x")), limits=limits)


@all_adapters
@pytest.mark.parametrize("option", [Loud("placeholders"), Agreeable(), [], 5], ids=lambda value: type(value).__name__)
def test_on_pending_is_one_of_two_words(to, option):
    with pytest.raises(ValueError, match=r"^on_pending: must be 'raise' or 'placeholder'$"):
        to(one(ToolResult("x")), on_pending=option)


@all_adapters
@pytest.mark.parametrize("option", [Loud("explode"), Agreeable(), [], 5], ids=lambda value: type(value).__name__)
def test_on_loss_is_checked_before_anything_is_written(to, option):
    with pytest.raises(TypeError, match=r"^on_loss: must be 'raise', a function or None, got "):
        to(one(ToolResult("", parts=[CHART])), on_loss=option)


class Word(StrEnum):
    """Options as a host may keep them in its settings."""

    PLACEHOLDER = "placeholder"
    RAISE = "raise"
    VERTEX = "vertex"
    AZURE = "azure"


@all_adapters
def test_words_of_an_enumeration_are_words(to):
    assert to(one(waits()), on_pending=Word.PLACEHOLDER) == to(one(waits()), on_pending="placeholder")
    with pytest.raises(LossError):
        to(one(ToolResult("", parts=[ContentPart("hologram", raw={"a": 1})])), on_loss=Word.RAISE)


@pytest.mark.parametrize(
    ("to", "option", "word"),
    [
        (to_anthropic, "platform", Word.VERTEX),
        (to_openai_chat, "dialect", Word.AZURE),
        (to_gemini, "platform", Word.VERTEX),
    ],
)
def test_a_word_is_one_of_those_that_are_listed(to, option, word):
    turn = one(ToolResult("", parts=[CHART]))
    assert to(turn, **{option: word}) == to(turn, **{option: word.value})
    with pytest.raises(ValueError, match=rf"^{option}: must be one of '"):
        to(one(ToolResult("x")), **{option: Loud("?")})
    for hostile in (Agreeable(), Loud(word)):
        with pytest.raises(ValueError, match=r"^media: must be one of '"):
            to_gemini(turn, media=hostile)
    with pytest.raises(ValueError, match=rf"^{option}: must be one of '"):
        to(turn, **{option: Agreeable()})


# Limits of the caller


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"image": 5}, TypeError, r"^image: must be a Kind, got int$"),
        ({"file": None}, TypeError, r"^file: must be a Kind, got NoneType$"),
        ({"text_chars": -1}, ValueError, r"^text_chars: must be None or a whole number of at least 0$"),
        ({"total_bytes": 1.5}, ValueError, r"^total_bytes: "),
        ({"url_chars": True}, ValueError, r"^url_chars: "),
        ({"call_id": "["}, ValueError, r"^call_id: is no regular expression: "),
        ({"call_id": None}, TypeError, r"^call_id: must be a regular expression as a str, got NoneType$"),
        ({"name": 5}, TypeError, r"^name: must be a regular expression"),
        ({"url": b"x"}, TypeError, r"^url: "),
        ({"file_id": "(?P<"}, ValueError, r"^file_id: "),
        ({"owners": "openai"}, TypeError, r"^owners: must be a frozenset of str, got str$"),
        ({"nested": 5}, TypeError, r"^nested: must be a frozenset of str, got int$"),
        ({"crowd_kinds": None}, TypeError, r"^crowd_kinds: "),
        ({"crowd_kinds": frozenset({5})}, TypeError, r"^crowd_kinds: "),
        ({"crowd": 5}, TypeError, r"^crowd: must be None or a pair"),
        ({"crowd": (20,)}, TypeError, r"^crowd: "),
        ({"crowd": ("a", "b")}, ValueError, r"^crowd: must be None or a whole number"),
        ({"needs_name": True}, ValueError, r"^name: is required where needs_name is set"),
    ],
    ids=repr,
)
def test_limits_that_cannot_be_are_refused_when_they_are_made(fields, error, message):
    with pytest.raises(error, match=message):
        Limits(**fields)


@pytest.mark.parametrize("field", ["chars", "count", "side"])
@pytest.mark.parametrize("value", [-1, 1.5, "1", False], ids=repr)
def test_limits_of_a_kind_are_whole_numbers(field, value):
    with pytest.raises(ValueError, match=rf"^{field}: must be None or a whole number of at least 0$"):
        Kind(**{field: value})
    assert getattr(Kind(**{field: 0}), field) == 0


@pytest.mark.parametrize("field", ["types", "sources"])
@pytest.mark.parametrize("value", ["image/png", 5, ["image/png"], frozenset({5})], ids=repr)
def test_types_and_sources_of_a_kind_are_sets_of_text(field, value):
    with pytest.raises(TypeError, match=rf"^{field}: must be a frozenset of str, got "):
        Kind(**{field: value})


def test_the_urls_of_a_turn_count_towards_its_size():
    linked = [ContentPart("image", url=f"https://h.test/{n}" + "a" * 80, mime_type="image/png") for n in range(3)]
    limits = replace(ANTHROPIC["anthropic"], total_bytes=200)
    losses = []
    to_anthropic(one(ToolResult("", parts=linked)), limits=limits, on_loss=losses.append)
    assert [loss.part for loss in losses] == linked[2:]


def test_text_documents_count_among_documents_where_a_crowd_of_those_counts():
    wide = ContentPart("image", data=png(3000), mime_type="image/png")
    texts = [ContentPart("file", data=b"a,b", mime_type="text/csv")] * 20
    losses = []
    to_anthropic(one(ToolResult("", parts=[wide, *texts])), platform="bedrock", on_loss=losses.append)
    assert [loss.reason for loss in losses] == ["larger than 2000 pixels on one side"]
    to_anthropic(one(ToolResult("", parts=[wide, *texts])), on_loss="raise")


def png(width):
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width.to_bytes(4, "big") + b"\x00\x00\x00\x01" + bytes(9)


@pytest.mark.parametrize("part", [SOUND, ContentPart("audio", url="https://h.test/a.wav", mime_type="audio/wav")])
def test_limits_that_promise_more_than_chat_has_a_place_for_give_no_broken_block(part):
    flac = ContentPart("audio", data=b"fLaC" + bytes(34), mime_type="audio/flac")
    pictured = ContentPart("image", file_id="file-1", mime_type="image/png")
    limits = replace(CHAT["openai"], image=ANY, audio=ANY, owners=frozenset({"openai"}))
    losses = []
    turn = one(ToolResult("", parts=[part, flac, pictured]))
    messages = to_openai_chat(turn, limits=limits, on_loss=losses.append)
    sounds = [] if part is SOUND else ["audio is accepted as bytes of WAV or MP3 only"]
    assert [loss.reason for loss in losses if loss.fallback == "text"] == [
        *sounds,
        "audio is accepted as bytes of WAV or MP3 only",
        "file ids are accepted of files only",
    ]
    assert len(messages) == 1 + (part is SOUND)


def test_an_owner_that_is_no_text_is_nobody_the_provider_knows():
    held = ContentPart("image", file_id="file_1", mime_type="image/png", metadata={"provider": ["anthropic"]})
    losses = []
    to_anthropic(one(ToolResult("", parts=[held])), on_loss=losses.append)
    assert [loss.reason for loss in losses] == ["it is held by another provider"]


def test_the_query_of_a_uri_that_is_a_file_id_is_not_told():
    held = ContentPart("image", file_id="gs://bucket/a.png?token=s3cret#s3cret", mime_type="image/png")
    losses = []
    (message,) = to_openai_chat(one(ToolResult("", parts=[held])), on_loss=losses.append)
    assert message["content"] == ("[image (image/png, gs://bucket/a.png) was left out: file ids are not accepted]")
    assert "s3cret" not in repr(held) + losses[0].reason + held.summary()


# Results that wait


@all_adapters
def test_that_a_call_waits_is_said_however_long_its_question_is(to):
    limits = replace(GEMINI["gemini"], text_chars=20)
    (item,) = to(one(waits("Delete? " * 100)), on_pending="placeholder", limits=limits)
    assert str(item).count("[waiting] This call was not executed.") == 1
    assert "Delete?" not in str(item)
    assert "[tool error]" not in str(item)


def test_an_error_that_is_no_longer_a_placeholder_is_marked():
    # Its text was replaced, which its metadata cannot know.
    parked = ToolResult("gone", is_error=True, metadata={"toolresult": {"placeholder": True}})
    assert to_openai_chat(one(parked))[0]["content"] == "[tool error] gone"
