"""`Request` and `Answer`: what a waiting call asks, and what may let it go on."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from toolresult import Answer, AnswerError, ConversionError, Request, ToolResult, match_answers

NOON = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)
TICK = timedelta(microseconds=1)


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "something else"


class Moment(datetime):
    pass


def request(**fields) -> Request:
    return Request("approval", "Delete 3 files?", **{"id": "r1", **fields})


def fields_of(value: Request | Answer) -> dict[str, object]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def refused(error: type[Exception], make, *args, **kwargs) -> str:
    with pytest.raises(error) as caught:
        make(*args, **kwargs)
    assert type(caught.value) is error
    return str(caught.value)


def problem_of(check, *args, **kwargs) -> str:
    with pytest.raises(AnswerError) as caught:
        check(*args, **kwargs)
    return caught.value.kind


def test_a_request_needs_a_kind_and_a_prompt():
    assert fields_of(Request("question", "Which one?", id="q1")) == {
        "kind": "question",
        "prompt": "Which one?",
        "id": "q1",
        "url": None,
        "data": None,
        "expires_at": None,
    }


def test_a_request_keeps_all_its_fields():
    data = {"schema": {"type": "string"}, "options": ["a", "b"], "mcpr": "x"}
    made = Request("input", "Name?", id="q1", url="https://host.test/ask?state=S", data=data, expires_at=NOON)
    assert fields_of(made) == {
        "kind": "input",
        "prompt": "Name?",
        "id": "q1",
        "url": "https://host.test/ask?state=S",
        "data": {"schema": {"type": "string"}, "options": ["a", "b"], "mcpr": "x"},
        "expires_at": NOON,
    }


@pytest.mark.parametrize("kind", ["approval", "authorization", "input", "question", "four-eyes", "vendor/x"])
def test_the_kind_of_a_request_is_open(kind):
    assert Request(kind, "?").kind == kind


@pytest.mark.parametrize("kind", ["", "a\nb", "a\x07"], ids=repr)
def test_a_kind_that_cannot_be_shown_is_refused(kind):
    assert refused(ValueError, Request, kind, "?").startswith("kind:")


@pytest.mark.parametrize("value", [5, b"x", ["x"], True], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("label", ["kind", "prompt", "id", "url"])
def test_a_field_of_text_that_is_no_str_is_a_type_error(label, value):
    message = refused(TypeError, Request, **{"kind": "input", "prompt": "?", label: value})
    assert message.startswith(f"{label}:")
    assert type(value).__name__ in message


def test_every_str_subclass_is_stored_as_plain_text():
    made = Request(Text("input"), Text("?"), id=Text("q1"), url=Text("https://host.test/"))
    answer = Answer(Text("q1"), False, reason=Text("declined"))
    assert fields_of(made) == {
        "kind": "input",
        "prompt": "?",
        "id": "q1",
        "url": "https://host.test/",
        "data": None,
        "expires_at": None,
    }
    assert {type(value) for value in fields_of(made).values() if value} == {str}
    assert (type(answer.id), type(answer.reason), answer.reason) == (str, str, "declined")


def test_fields_are_keyword_only_after_the_first_two():
    with pytest.raises(TypeError):
        Request("input", "?", "q1")
    with pytest.raises(TypeError):
        Answer("q1", True, {"a": 1})


def test_each_request_gets_its_own_long_id():
    ids = {Request("input", "?").id for _ in range(100)}
    assert len(ids) == 100
    assert min(map(len, ids)) >= 22
    assert all(Request("input", "?", id=made).id == made for made in ids)


@pytest.mark.parametrize("value", ["x", "call-1:0", "x" * 128, "~!@#$%^&*()_+{}", "0"])
def test_an_id_of_printable_ascii_is_kept(value):
    assert Request("input", "?", id=value).id == value
    assert Answer(value, True).id == value


@pytest.mark.parametrize("value", ["", "x" * 129, "a b", " a", "a\n", "a\x00", "é", "a\u200b"], ids=ascii)
def test_any_other_id_is_refused(value):
    assert refused(ValueError, Request, "input", "?", id=value).startswith("id:")
    assert refused(ValueError, Answer, value, True).startswith("id:")


@pytest.mark.parametrize("url", ["https://host.test", "http://host.test:8080/a?state=S#x", "HTTPS://host.test/"])
def test_a_web_address_is_kept_as_given(url):
    assert request(url=url).url == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host.test/a",
        "//host.test/a",
        "https://",
        "https:///a",
        "https:a",
        "ftp://host.test/a",
        "file:///a",
        "javascript:alert('hunter2')",
        " javascript:alert('hunter2')",
        "data:text/html,hunter2",
        "s3://bucket/hunter2",
        " https://host.test/hunter2",
        "https://host.test/a hunter2",
        "https://host.test/\nhunter2",
    ],
)
def test_any_other_url_is_refused(url):
    message = refused(ValueError, request, url=url)
    assert message.startswith("url:")
    assert "hunter2" not in message


def test_the_data_of_a_request_is_a_frozen_snapshot():
    source = {"arguments": {"files": ["a"]}, "options": [{"label": "yes"}]}
    made = request(data=source)
    source["arguments"]["files"].append("b")
    source["options"].clear()
    assert made.data == {"arguments": {"files": ["a"]}, "options": [{"label": "yes"}]}
    with pytest.raises(TypeError):
        made.data["arguments"]["files"].append("c")
    assert request(data={}).data is None


@pytest.mark.parametrize("member", ["schema", "arguments"])
@pytest.mark.parametrize("value", [None, [], "x", 5], ids=repr)
def test_schema_and_arguments_are_mappings(member, value):
    message = refused(TypeError, request, data={member: value})
    assert message.startswith(f"data.{member}:")
    assert type(value).__name__ in message


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"a": {"b": [object()]}}, "data.arguments.a.b[0]"),
        ({"a": float("nan")}, "data.arguments.a"),
        ({"a": [float("inf")]}, "data.arguments.a[0]"),
        ({"a": b"x"}, "data.arguments.a"),
    ],
    ids=["object", "NaN", "infinity", "bytes"],
)
def test_arguments_that_json_cannot_hold_cannot_be_approved(arguments, path):
    with pytest.raises(ConversionError) as caught:
        Request.approval("?", arguments=arguments)
    assert caught.value.path == path


@pytest.mark.parametrize(
    "moment",
    [
        NOON,
        datetime(2026, 1, 2, 17, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        datetime(2026, 1, 2, 7, 0, tzinfo=ZoneInfo("America/New_York")),
        Moment(2026, 1, 2, 13, 0, tzinfo=timezone(timedelta(hours=1))),
    ],
    ids=["UTC", "+05:30", "named zone", "subclass"],
)
def test_expires_at_is_kept_in_utc(moment):
    kept = request(expires_at=moment).expires_at
    assert kept == NOON
    assert kept.tzinfo is UTC
    assert type(kept) is datetime
    assert (kept.hour, kept.minute) == (12, 0)


def test_expires_at_keeps_microseconds_and_the_fold():
    ambiguous = datetime(2025, 11, 2, 1, 30, 0, 123456, tzinfo=ZoneInfo("America/New_York"))
    assert request(expires_at=ambiguous).expires_at == datetime(2025, 11, 2, 5, 30, 0, 123456, tzinfo=UTC)
    later = ambiguous.replace(fold=1)
    assert request(expires_at=later).expires_at == datetime(2025, 11, 2, 6, 30, 0, 123456, tzinfo=UTC)


def test_expires_at_without_a_time_zone_is_refused():
    assert refused(ValueError, request, expires_at=datetime(2026, 1, 2)).startswith("expires_at:")  # noqa: DTZ001


@pytest.mark.parametrize("moment", [date(2026, 1, 2), 1767355200, "2026-01-02T12:00:00Z"], ids=repr)
def test_expires_at_that_is_no_datetime_is_refused(moment):
    message = refused(TypeError, request, expires_at=moment)
    assert message.startswith("expires_at:")
    assert type(moment).__name__ in message


@pytest.mark.parametrize(
    "moment",
    [
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
    ],
    ids=["first", "last"],
)
def test_expires_at_beyond_the_calendar_is_refused(moment):
    assert refused(ValueError, request, expires_at=moment).startswith("expires_at:")


def test_the_three_factories_fill_in_their_kind():
    assert Request.approval("Go?", id="r1") == Request("approval", "Go?", id="r1")
    assert Request.approval("Go?", arguments={"n": 1}, id="r1", expires_at=NOON) == Request(
        "approval", "Go?", id="r1", data={"arguments": {"n": 1}}, expires_at=NOON
    )
    assert Request.authorization("https://idp.test/?s=1", "Log in", id="r1", expires_at=NOON) == Request(
        "authorization", "Log in", id="r1", url="https://idp.test/?s=1", expires_at=NOON
    )
    assert Request.input("Name?", id="r1") == Request("input", "Name?", id="r1")
    assert Request.input("Name?", schema={"type": "string"}, id="r1", expires_at=NOON) == Request(
        "input", "Name?", id="r1", data={"schema": {"type": "string"}}, expires_at=NOON
    )


def test_the_factories_draw_an_id_when_none_is_given():
    made = [Request.approval("?"), Request.authorization("https://idp.test/", "?"), Request.input("?")]
    assert len({one.id for one in made}) == 3


def test_authorization_needs_a_web_address():
    assert refused(ValueError, Request.authorization, "idp.test", "Log in").startswith("url:")


@pytest.mark.parametrize("data", [None, {"name": "Ada"}, [1], "", 0, False, [], {}], ids=repr)
def test_accept_builds_a_yes_with_any_data(data):
    answer = request().accept(data)
    assert fields_of(answer) == {"id": "r1", "ok": True, "data": data, "reason": None}
    assert type(answer.data) is type(Answer("r1", True, data=data).data)


@pytest.mark.parametrize(("method", "reason"), [("decline", "declined"), ("cancel", "cancelled")])
def test_decline_and_cancel_build_a_no_with_a_comment(method, reason):
    build = getattr(request(), method)
    assert build() == Answer("r1", False, reason=reason)
    assert build("not now") == Answer("r1", False, data={"comment": "not now"}, reason=reason)
    assert build("") == Answer("r1", False, data={"comment": ""}, reason=reason)
    assert refused(TypeError, build, 5).startswith("comment:")


def test_expire_builds_the_answer_that_nobody_gave():
    assert request().expire() == Answer("r1", False, reason="expired")


@pytest.mark.parametrize("ok", [1, 0, "true", "false", None, "yes", [True], Decimal(1)], ids=repr)
def test_nothing_but_a_bool_approves(ok):
    message = refused(TypeError, Answer, "r1", ok)
    assert message.startswith("ok:")
    assert type(ok).__name__ in message


def test_the_truth_of_an_answer_is_whether_it_is_ok():
    assert bool(request().accept()) is True
    assert bool(request().accept(False)) is True
    assert bool(request().decline()) is False
    assert bool(request().expire()) is False


def test_the_reasons_are_a_closed_set_and_only_beside_a_no():
    assert Answer("r1", False).reason is None
    for reason in ("declined", "cancelled", "expired"):
        assert Answer("r1", False, reason=reason).reason == reason
        assert refused(ValueError, Answer, "r1", True, reason=reason).startswith("reason:")
    for reason in ("", "rejected", "Declined", "decline"):
        assert refused(ValueError, Answer, "r1", False, reason=reason).startswith("reason:")
    assert refused(TypeError, Answer, "r1", False, reason=5).startswith("reason:")


def test_the_data_of_an_answer_is_a_frozen_snapshot():
    source = {"names": ["Ada"]}
    answer = Answer("r1", True, data=source)
    source["names"].append("Bob")
    assert answer.data == {"names": ["Ada"]}
    with pytest.raises(TypeError):
        answer.data["names"].append("Eve")
    listed = Answer("r1", True, data=[[1]])
    with pytest.raises(TypeError):
        listed.data[0].append(2)


@pytest.mark.parametrize(
    ("expires_at", "now", "expired"),
    [
        (None, NOON, False),
        (NOON, NOON - TICK, False),
        (NOON, NOON, True),
        (NOON, NOON + TICK, True),
        (NOON, datetime(2026, 1, 2, 13, 0, tzinfo=timezone(timedelta(hours=1))), True),
        (NOON, datetime(2026, 1, 2, 12, 59, tzinfo=timezone(timedelta(hours=1))), False),
    ],
    ids=["never", "just before", "at the moment", "just after", "same moment elsewhere", "a minute before elsewhere"],
)
def test_a_request_is_expired_from_its_moment_on(expires_at, now, expired):
    assert request(expires_at=expires_at).is_expired(now) is expired
    assert request(expires_at=expires_at).is_expired(now=now) is expired


def test_without_a_moment_the_clock_of_the_system_counts():
    assert request(expires_at=datetime(2001, 1, 1, tzinfo=UTC)).is_expired() is True
    assert request(expires_at=datetime(9999, 1, 1, tzinfo=UTC)).is_expired() is False
    assert request().is_expired() is False


def test_a_moment_without_a_time_zone_is_refused():
    naive = datetime(2026, 1, 2)  # noqa: DTZ001
    assert refused(ValueError, request(expires_at=NOON).is_expired, naive).startswith("now:")
    assert refused(TypeError, request(expires_at=NOON).is_expired, 0).startswith("now:")


def test_check_returns_the_answer_that_may_resume_the_call():
    asked = request(expires_at=NOON)
    yes, no = asked.accept({"a": 1}), asked.decline()
    assert asked.check(yes, now=NOON - TICK) is yes
    assert asked.check(no, now=NOON - TICK) is no
    assert request().check(Answer("r1", True)) == Answer("r1", True)


def test_check_refuses_the_answer_to_another_request():
    other = request(id="r2")
    assert problem_of(request().check, other.accept()) == "unknown_id"
    assert problem_of(request().check, other.decline()) == "unknown_id"
    assert problem_of(request(expires_at=NOON).check, other.accept(), now=NOON) == "unknown_id"


@pytest.mark.parametrize(("now", "late"), [(NOON - TICK, False), (NOON, True), (NOON + TICK, True)], ids=str)
def test_check_refuses_a_yes_that_comes_too_late(now, late):
    asked = request(expires_at=NOON)
    if late:
        assert problem_of(asked.check, asked.accept(), now=now) == "expired"
    else:
        assert asked.check(asked.accept(), now=now).ok is True


def test_check_takes_the_clock_of_the_system_when_no_moment_is_given():
    asked = request(expires_at=datetime(2001, 1, 1, tzinfo=UTC))
    assert problem_of(asked.check, asked.accept()) == "expired"


@pytest.mark.parametrize("method", ["decline", "cancel", "expire"])
def test_a_late_no_is_still_a_no(method):
    asked = request(expires_at=NOON)
    answer = getattr(asked, method)()
    assert asked.check(answer, now=NOON + timedelta(days=1)) is answer


SHOWN = {"amount": 10, "to": {"name": "Ada", "tags": ["a", "b"]}, "note": None}


@pytest.mark.parametrize(
    "given",
    [
        SHOWN,
        {"note": None, "to": {"tags": ["a", "b"], "name": "Ada"}, "amount": 10},
        {**SHOWN, "to": {"name": "Ada", "tags": ("a", "b")}},
    ],
    ids=["same", "other order of keys", "tuple for a list"],
)
def test_check_passes_the_arguments_that_were_shown(given):
    asked = Request.approval("Pay?", arguments=SHOWN)
    assert asked.check(asked.accept(), arguments=given).ok is True


@pytest.mark.parametrize(
    "given",
    [
        {**SHOWN, "amount": 10_000},
        {**SHOWN, "amount": 10.0},
        {**SHOWN, "amount": "10"},
        {**SHOWN, "amount": True},
        {**SHOWN, "extra": 1},
        {"amount": 10, "to": {"name": "Ada", "tags": ["a", "b"]}},
        {**SHOWN, "to": {"name": "Ada", "tags": ["b", "a"]}},
        {**SHOWN, "to": {"name": "ada", "tags": ["a", "b"]}},
        {**SHOWN, "note": ""},
        {**SHOWN, "note": float("nan")},
        {**SHOWN, "note": object()},
        {},
        [],
    ],
    ids=[
        "other amount",
        "float for int",
        "text for int",
        "bool for int",
        "one more",
        "one less",
        "other order of items",
        "other case",
        "empty text for null",
        "NaN",
        "no JSON",
        "none at all",
        "a list",
    ],
)
def test_check_refuses_arguments_that_were_not_shown(given):
    asked = Request.approval("Pay?", arguments=SHOWN)
    assert problem_of(asked.check, asked.accept(), arguments=given) == "arguments"


def test_one_and_true_are_different_arguments():
    asked = Request.approval("Go?", arguments={"n": 1})
    assert problem_of(asked.check, asked.accept(), arguments={"n": True}) == "arguments"


def test_empty_arguments_are_bound_too():
    asked = Request.approval("Go?", arguments={})
    assert asked.check(asked.accept(), arguments={}).ok is True
    assert problem_of(asked.check, asked.accept(), arguments={"n": 1}) == "arguments"
    assert refused(TypeError, asked.check, asked.accept()).startswith("arguments:")


def test_arguments_are_given_exactly_when_the_request_binds_some():
    bound, free = Request.approval("Go?", arguments={"n": 1}), Request.approval("Go?")
    assert refused(TypeError, bound.check, bound.accept()).startswith("arguments:")
    assert refused(TypeError, bound.check, bound.decline()).startswith("arguments:")
    assert refused(TypeError, free.check, free.accept(), arguments={"n": 1}).startswith("arguments:")
    assert refused(TypeError, free.check, free.accept(), arguments={}).startswith("arguments:")


def test_a_no_passes_whatever_the_arguments_are():
    asked = Request.approval("Go?", arguments={"n": 1})
    no = asked.decline()
    assert asked.check(no, arguments={"n": 2}) is no


each_impostor = pytest.mark.parametrize(
    "impostor",
    [True, None, "yes", {"id": "r1", "ok": True}, SimpleNamespace(id="r1", ok=True)],
    ids=lambda value: type(value).__name__,
)


@each_impostor
def test_check_takes_nothing_but_an_answer(impostor):
    message = refused(TypeError, request().check, impostor)
    assert message.startswith("answer:")
    assert type(impostor).__name__ in message


@each_impostor
def test_match_takes_nothing_but_answers(impostor):
    message = refused(TypeError, match_answers, [request()], [impostor])
    assert message.startswith("answers")
    assert type(impostor).__name__ in message


@pytest.mark.parametrize(
    ("method", "word"), [("decline", "declined"), ("cancel", "cancelled"), ("expire", "nobody answered")]
)
def test_a_no_becomes_an_error_result_that_says_nothing_was_executed(method, word):
    result = getattr(request(), method)().to_result()
    assert isinstance(result, ToolResult)
    assert result.is_error is True
    assert result.is_pending is False
    assert result.parts is None
    assert "not executed" in result.output.lower()
    assert word in result.output


@pytest.mark.parametrize("method", ["decline", "cancel"])
def test_the_comment_follows_the_fact(method):
    result = getattr(request(), method)("use the staging database").to_result()
    assert result.output.endswith("use the staging database")
    assert "not executed" in result.output.lower().partition("use the staging")[0]


@pytest.mark.parametrize(
    "data",
    [None, {}, {"comment": ""}, {"comment": " \n"}, {"comment": 5}, {"other": "hunter2"}, "hunter2", ["hunter2"]],
    ids=repr,
)
def test_a_no_without_a_comment_is_the_bare_fact(data):
    result = Answer("r1", False, data=data, reason="declined").to_result()
    assert result == Answer("r1", False, reason="declined").to_result()


def test_programs_can_tell_the_refusals_apart():
    answers = [request().decline(), request().cancel(), request().expire()]
    assert [answer.to_result().error_code for answer in answers] == ["declined", "cancelled", "expired"]
    assert "not executed" in Answer("r1", False).to_result().output.lower()


def test_a_yes_has_no_result():
    assert refused(ValueError, request().accept().to_result).startswith("ok:")


def test_match_returns_the_answers_by_id_in_order_of_the_requests():
    first, second, third = (request(id=name) for name in ("r1", "r2", "r3"))
    answers = [third.accept({"n": 3}), first.decline(), second.accept()]
    found = match_answers([first, second, third], answers)
    assert list(found.items()) == [("r1", first.decline()), ("r2", second.accept()), ("r3", third.accept({"n": 3}))]


def test_match_takes_any_iterables_and_nothing_at_all():
    first = request()
    assert match_answers((r for r in [first]), (a for a in [first.accept()]), used=(u for u in ["r0"])) == {
        "r1": first.accept()
    }
    assert match_answers([], []) == {}


def test_match_names_what_is_wrong_with_a_set_of_answers():
    first, second = request(id="r1"), request(id="r2")
    yes = first.accept()
    assert problem_of(match_answers, [first, second], [yes]) == "missing"
    assert problem_of(match_answers, [first], []) == "missing"
    assert problem_of(match_answers, [first], [yes, yes]) == "duplicate"
    assert problem_of(match_answers, [first], [yes, first.decline()]) == "duplicate"
    assert problem_of(match_answers, [first], [yes], used=["r1"]) == "duplicate"
    assert problem_of(match_answers, [first], [yes], used={"r0", "r1"}) == "duplicate"
    assert problem_of(match_answers, [first], [yes, second.accept()]) == "unknown_id"
    assert problem_of(match_answers, [], [yes]) == "unknown_id"


def test_match_refuses_a_late_yes_and_takes_a_late_no():
    asked = request(expires_at=NOON)
    assert problem_of(match_answers, [asked], [asked.accept()], now=NOON) == "expired"
    assert match_answers([asked], [asked.accept()], now=NOON - TICK) == {"r1": asked.accept()}
    assert match_answers([asked], [asked.decline()], now=NOON) == {"r1": asked.decline()}


def test_match_refuses_two_requests_with_one_id():
    with pytest.raises(ValueError, match=r"^requests:") as caught:
        match_answers([request(), request()], [request().accept()])
    assert not isinstance(caught.value, AnswerError)


def test_match_keeps_no_record():
    asked = request()
    assert match_answers([asked], [asked.accept()]) == match_answers([asked], [asked.accept()])


NASTY = "\x1b]8;;http://x.test\x07\n\u2028\u202e\ud800" * 200


@pytest.mark.parametrize(
    "value",
    [
        Request("k" * 500, NASTY, id="x" * 128, url="https://h.test/" + "y" * 999, data={NASTY: 1}, expires_at=NOON),
        Answer("x" * 128, False, data={NASTY + str(n): n for n in range(99)}, reason="cancelled"),
        Answer("x" * 128, True, data=NASTY),
    ],
    ids=["request", "answer", "answer with text"],
)
def test_repr_is_a_short_single_line_of_printable_text(value):
    assert len(repr(value)) < 1000
    assert repr(value).isprintable()


def test_repr_shows_no_query_no_values_and_not_the_whole_id():
    asked = Request(
        "authorization",
        "Log in",
        id="0123456789abcdef",
        url="https://user:hunter2@idp.test/cb?state=hunter2&token=hunter2#hunter2",
        data={"arguments": {"password": "hunter2"}, "options": ["hunter2"]},
    )
    assert repr(asked).startswith("Request(")
    assert "hunter2" not in repr(asked)
    assert "idp.test/cb" in repr(asked)
    assert "arguments" in repr(asked)
    assert asked.id not in repr(asked)
    answer = asked.accept({"code": "hunter2"})
    assert repr(answer).startswith("Answer(")
    assert "hunter2" not in repr(answer)
    assert "code" in repr(answer)
    assert "hunter2" not in repr(asked.accept("hunter2"))
    assert "declined" in repr(asked.decline())
    assert "hunter2" not in repr(asked.decline("hunter2"))


@pytest.mark.parametrize("foreign", [None, "id", {"id": "x"}, Answer("x", ok=True)], ids=lambda v: type(v).__name__)
def test_matching_takes_requests_that_are_real_ones_only(foreign):
    with pytest.raises(TypeError, match=r"^requests: "):
        match_answers([foreign], [])


@pytest.mark.parametrize("kind", [dict, type("Foreign", (dict,), {})], ids=["dict", "foreign mapping"])
def test_what_was_shown_cannot_be_changed_before_the_answer(kind):
    order = kind(amount=10)
    request = Request.approval("Pay 10?", arguments={"order": order})
    order["amount"] = 99
    with pytest.raises(AnswerError) as caught:
        request.check(request.accept(), arguments={"order": {"amount": 99}})
    assert caught.value.kind == "arguments"


class SpoiltZone(tzinfo):
    def utcoffset(self, moment):
        raise RuntimeError("secret")


def test_a_time_zone_that_fails_is_a_value_error_that_names_the_field():
    with pytest.raises(ValueError, match=r"^expires_at: ") as caught:
        Request.approval("Go on?", expires_at=datetime(2026, 1, 2, tzinfo=SpoiltZone()))
    assert "secret" not in str(caught.value)


def test_used_ids_are_not_the_letters_of_a_word():
    with pytest.raises(TypeError, match=r"^used: "):
        match_answers([], [], used="cab")
