"""Laws of requests and answers: which answers may resume a call."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.strategies import arguments, moments, python_values, requests_with, texts

from toolresult import Answer, AnswerError, Request, match_answers
from toolresult.strategies import json_values, requests

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def ids() -> st.SearchStrategy[str]:
    return requests().map(lambda request: request.id)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def respelled(value: Any) -> Any:
    """The same JSON value with the keys of every object in the opposite order."""
    if type(value) is dict:
        return {key: respelled(below) for key, below in reversed(value.items())}
    return [respelled(below) for below in value] if type(value) is list else value


@given(st.data(), arguments(), ids(), ids(), st.none() | moments(), moments())
def test_an_answer_passes_when_it_is_to_this_request_in_time_and_for_these_arguments(
    data, shown, request_id, answer_id, expires_at, now
):
    """An ok answer passes if its id is the request's, time is left, and the arguments are, as JSON, those shown."""
    request = Request.approval("Go on?", arguments=shown, id=request_id, expires_at=expires_at)
    answer = Answer(data.draw(st.sampled_from([request_id, answer_id])), ok=True)
    given_arguments = data.draw(st.just(respelled(shown)) | arguments())
    wrong = set()
    if answer.id != request_id:
        wrong.add("unknown_id")
    if expires_at is not None and now >= expires_at:
        wrong.add("expired")
    if canonical(given_arguments) != canonical(shown):
        wrong.add("arguments")
    if wrong:
        with pytest.raises(AnswerError) as refusal:
            request.check(answer, now=now, arguments=given_arguments)
        assert refusal.value.kind in wrong
    else:
        assert request.check(answer, now=now, arguments=given_arguments) is answer


@given(arguments())
def test_the_order_of_keys_does_not_matter(shown):
    """Arguments with their keys in another order, at any depth, are the arguments that were shown."""
    request = Request.approval("Go on?", arguments=shown)
    answer = request.accept()
    assert request.check(answer, arguments=respelled(shown)) is answer


@given(st.integers(-(2**53), 2**53), st.sampled_from([lambda n: {"n": n}, lambda n: {"deep": [{"n": [n]}]}]))
def test_ten_is_not_ten_point_zero(number, spell):
    """An integer is not the float that Python thinks equal to it: the tool might do something else with it."""
    request = Request.approval("Go on?", arguments=spell(number))
    with pytest.raises(AnswerError) as refusal:
        request.check(request.accept(), arguments=spell(float(number)))
    assert refusal.value.kind == "arguments"


@given(
    arguments(),
    st.sampled_from(
        [float("nan"), float("inf"), object(), b"x", [{1: {2}}, object()], {"same": 1, 1: 2, "1": 3}],
    ),
)
def test_what_has_no_json_form_was_not_shown(shown, odd):
    """Arguments that JSON cannot hold are never those that were shown."""
    request = Request.approval("Go on?", arguments={**shown, "odd": None})
    with pytest.raises(AnswerError) as refusal:
        request.check(request.accept(), arguments={**shown, "odd": odd})
    assert refusal.value.kind == "arguments"


@given(requests_with(python_values()), st.none() | texts(), moments(), arguments())
def test_an_answer_that_is_not_ok_always_passes_for_its_id(request, comment, now, given_arguments):
    """A no is a no however late, and whatever the arguments are now."""
    bound = {"arguments": given_arguments} if "arguments" in (request.data or {}) else {}
    for answer in (request.decline(comment), request.cancel(comment), request.expire(), Answer(request.id, ok=False)):
        assert request.check(answer, now=now, **bound) is answer


@given(requests(), ids(), st.booleans(), arguments())
def test_an_answer_with_another_id_never_passes(request, answer_id, ok, given_arguments):
    """Nobody can answer a request without its id, not even with a no."""
    bound = {"arguments": given_arguments} if "arguments" in (request.data or {}) else {}
    answer = Answer(answer_id if answer_id != request.id else f"{request.id[:100]}~", ok)
    with pytest.raises(AnswerError) as refusal:
        request.check(answer, now=datetime(1, 1, 2, tzinfo=UTC), **bound)
    assert refusal.value.kind == "unknown_id"


@given(st.none() | arguments(), arguments(), st.booleans())
def test_bound_arguments_must_be_given_and_others_must_not(shown, given_arguments, ok):
    """Checking without the arguments that a request binds, or with arguments that it does not, is a mistake."""
    request = Request.approval("Go on?", arguments=shown)
    with pytest.raises(TypeError, match=r"^arguments"):
        request.check(Answer(request.id, ok), arguments=given_arguments if shown is None else None)


@given(moments())
def test_a_request_is_expired_from_its_moment_on(moment):
    """Time is up exactly when `now` has reached `expires_at`, in whatever zones the two are written."""
    request = Request.input("?", expires_at=moment)
    assert request.expires_at == moment
    assert request.expires_at.utcoffset() == timedelta(0)
    assert request.is_expired(moment)
    assert request.is_expired(moment.astimezone(UTC) + SECOND)
    assert not request.is_expired(moment - SECOND)
    assert not Request.input("?").is_expired(moment)


@given(requests(), json_values(), st.none() | texts())
def test_the_answers_of_a_request_carry_its_id_and_what_was_said(request, value, comment):
    """The four builders make the answer that their name says, and `bool` of it is `ok`."""
    said = None if comment is None else {"comment": comment}
    assert request.accept(value) == Answer(request.id, ok=True, data=value)
    assert request.decline(comment) == Answer(request.id, ok=False, data=said, reason="declined")
    assert request.cancel(comment) == Answer(request.id, ok=False, data=said, reason="cancelled")
    assert request.expire() == Answer(request.id, ok=False, reason="expired")
    assert [bool(request.accept(value)), bool(request.decline(comment))] == [True, False]


@given(requests(), st.sampled_from(["decline", "cancel"]), texts())
def test_a_refusal_is_a_failure_that_says_so_and_then_the_comment(request, manner, comment):
    """An answer that is not ok becomes an error result: nothing was executed, then what the person wrote."""
    result = getattr(request, manner)(comment).to_result()
    assert result.is_error
    assert not result.is_pending
    assert "not executed" in result.output.lower()
    assert not comment.strip() or result.output.endswith(comment)


@given(st.lists(requests(), unique_by=lambda request: request.id, max_size=4), st.randoms(use_true_random=False))
def test_answers_are_paired_with_their_requests_in_any_order(asked, random):
    """`match_answers` returns every answer under the id of its request, in the order of the requests."""
    replies = [request.accept({"comment": str(n)}) for n, request in enumerate(asked)]
    shuffled = random.sample(replies, len(replies))
    matched = match_answers(asked, shuffled, now=datetime(1, 1, 2, tzinfo=UTC))
    assert list(matched.items()) == [(reply.id, reply) for reply in replies]


@given(st.lists(requests(), unique_by=lambda request: request.id, min_size=1, max_size=4), st.data())
def test_an_answer_is_taken_once_and_none_may_be_missing(asked, data):
    """A second answer to a request is a duplicate, also to one answered before; a request without one is missing."""
    replies = [request.decline() for request in asked]
    one = data.draw(st.sampled_from(replies))
    others = [reply for reply in replies if reply is not one]
    for answers, used, kind in (
        ([*replies, one], (), "duplicate"),
        (replies, [one.id], "duplicate"),
        (others, (), "missing"),
    ):
        with pytest.raises(AnswerError) as refusal:
            match_answers(asked, answers, used)
        assert refusal.value.kind == kind
