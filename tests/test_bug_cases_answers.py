"""Ways in which asking a human has gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from toolresult import Answer, AnswerError, Request, ToolResult, match_answers, tool_result

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def kind_of(check, *args, **kwargs) -> str:
    with pytest.raises(AnswerError) as caught:
        check(*args, **kwargs)
    return caught.value.kind


class Ledger:
    """A host with a tool that asks: it runs what `check` let through, and counts."""

    def __init__(self) -> None:
        self.paid: list[int] = []
        self.pay = tool_result(self._pay)

    def _pay(self, amount: int, answer: Answer | None = None) -> str | ToolResult:
        if answer is None:
            return ToolResult.pending(Request.approval(f"Pay {amount}?", arguments={"amount": amount}))
        self.paid.append(amount)
        return f"paid {amount}"

    def resume(self, request: Request, answer: Answer, amount: int) -> ToolResult:
        return self.pay(amount, answer=request.check(answer, arguments={"amount": amount}))


# modelcontextprotocol/python-sdk#1056, #1284, modelcontextprotocol/go-sdk#758, mastra-ai/mastra#6796
def test_accept_decline_and_cancel_are_three_things_and_content_counts_for_the_first():
    form = {"type": "object", "properties": {"x": {"type": "string"}}}
    request = Request.input("?", schema=form, id="r1")
    accepted = [request.check(request.accept(content)) for content in (None, {}, {"x": "a"})]
    assert [(answer.ok, answer.reason, answer.data) for answer in accepted] == [
        (True, None, {}),
        (True, None, {}),
        (True, None, {"x": "a"}),
    ]
    declined, cancelled, expired = request.decline(), request.cancel(), request.expire()
    assert [answer.reason for answer in (declined, cancelled, expired)] == ["declined", "cancelled", "expired"]
    assert len({declined, cancelled, expired, Answer("r1", False)}) == 4
    for no in (declined, cancelled, Answer("r1", False, data={"x": 1}, reason="cancelled")):
        assert request.check(no) is no
    with pytest.raises(ValueError, match="reason"):
        Answer("r1", False, reason="reject")


# mastra-ai/mastra#19377
def test_an_answer_to_another_request_runs_nothing():
    ledger = Ledger()
    first, second = ledger.pay(1).request, ledger.pay(2).request
    with pytest.raises(AnswerError) as caught:
        ledger.resume(first, second.accept(), 1)
    assert caught.value.kind == "unknown_id"
    assert kind_of(match_answers, [first], [second.accept()]) == "unknown_id"
    assert ledger.paid == []


# openai/openai-agents-python#4827, #4896, maziyarpanahi/openmed#2768
def test_an_approval_is_of_the_arguments_that_were_shown():
    ledger = Ledger()
    request = ledger.pay(10).request
    with pytest.raises(AnswerError) as caught:
        ledger.resume(request, request.accept(), 10_000)
    assert caught.value.kind == "arguments"
    assert ledger.paid == []
    shown = Request.approval("?", arguments={"amount": 10, "to": "a"})
    assert shown.check(shown.accept(), arguments={"to": "a", "amount": 10})
    assert kind_of(shown.check, shown.accept(), arguments={"to": "a", "amount": 10.0}) == "arguments"
    assert ledger.resume(request, request.accept(), 10).output == "paid 10"


# microsoft/agent-framework#4618, margince/margince#1689, huaweicloud/huaweicloud-devkit#727
def test_a_second_a_late_and_an_unknown_answer_are_told_apart():
    request = Request.approval("?", expires_at=NOON)
    yes = request.accept()
    tick = timedelta(microseconds=1)
    assert kind_of(match_answers, [request], [yes, yes], now=NOON - tick) == "duplicate"
    assert kind_of(match_answers, [request], [yes], used=[request.id], now=NOON - tick) == "duplicate"
    assert kind_of(match_answers, [request], [yes], now=NOON) == "expired"
    assert kind_of(request.check, yes, now=NOON) == "expired"
    assert kind_of(request.check, yes, now=NOON + tick) == "expired"
    assert kind_of(match_answers, [request], [Answer("other", True)]) == "unknown_id"
    assert kind_of(match_answers, [request], []) == "missing"
    assert request.check(yes, now=NOON - tick) is yes
    assert match_answers([request], [yes], now=NOON - tick) == {request.id: yes}


# cap-js/agents#93, brightwave-inc/tidebreak#1303, Yanyutin753/LambChat#358
def test_a_refusal_says_that_nothing_was_executed_and_then_the_comment():
    ledger = Ledger()
    request = ledger.pay(10).request
    result = ledger.resume(request, request.decline("no"), 10)
    assert result == ToolResult.error("Not executed: declined by the user. Comment: no", code="declined")
    assert ledger.paid == []


@pytest.mark.parametrize(
    "forged",
    [True, 1, "yes", {"id": "r1", "ok": True}, {"approved": True}, [Answer("r1", True)], Request.approval("?")],
    ids=repr,
)
def test_a_forged_answer_approves_nothing(forged):
    ledger = Ledger()
    request = ledger.pay(10).request
    result = ledger.pay(10, answer=forged)
    assert result.is_error
    assert not result.is_pending
    with pytest.raises(TypeError, match=r"^answer: "):
        request.check(forged, arguments={"amount": 10})
    with pytest.raises(TypeError, match=r"^answers: "):
        match_answers([request], [forged])
    assert ledger.paid == []


@pytest.mark.parametrize("content", ["true", "True", "yes", 1, 1.0, [True], {"approved": True}, None], ids=repr)
def test_only_the_boolean_true_is_a_yes_in_a_form(content):
    approved = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
    request = Request.input("Go on?", schema=approved)
    assert kind_of(request.check, request.accept({"approved": content})) == "schema"
    assert request.check(request.accept({"approved": True})).data["approved"] is True


def test_a_tool_that_asks_twice_gets_its_answers_by_id_and_each_is_checked():
    def move(answers: Mapping[str, Answer]) -> ToolResult:
        if "where" not in answers:
            schema = {"type": "object", "properties": {"room": {"type": "string", "enum": ["A", "B"]}}}
            return ToolResult.pending(Request.input("Where to?", id="where", schema=schema))
        if "sure" not in answers:
            return ToolResult.pending(Request.approval("Sure?", id="sure"))
        return ToolResult.ok(f"moved to {answers['where'].data['room']}")

    first = move({}).request
    answers = match_answers([first], [first.accept({"room": "B"})])
    second = move(answers).request
    with pytest.raises(AnswerError):
        match_answers([first, second], [first.accept({"room": "C"}), second.accept()])
    answers |= match_answers([second], [second.accept()], used=answers)
    assert move(answers).output == "moved to B"
