"""The exact types of `Request`, `Answer` and `match_answers`. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, assert_type

from toolresult import Answer, Request, ToolResult, match_answers


def request_constructors(moment: datetime) -> None:
    assert_type(Request("question", "Which one?"), Request)
    assert_type(
        Request("input", "Which?", id="a:1", url="https://example.com", data={"options": [1]}, expires_at=moment),
        Request,
    )
    assert_type(Request.approval("Delete?", arguments={"path": "a"}, id="a:1", expires_at=moment), Request)
    assert_type(Request.authorization("https://example.com", "Log in", id="a:1", expires_at=moment), Request)
    assert_type(Request.input("Which?", schema={"type": "string"}, id="a:1", expires_at=moment), Request)


def request_fields(request: Request) -> None:
    assert_type(request.kind, str)
    assert_type(request.prompt, str)
    assert_type(request.id, str)
    assert_type(request.url, str | None)
    assert_type(request.data, Mapping[str, Any] | None)
    assert_type(request.expires_at, datetime | None)


def request_methods(request: Request, answer: Answer, moment: datetime) -> None:
    assert_type(request.accept(), Answer)
    assert_type(request.accept({"n": 1}), Answer)
    assert_type(request.decline(), Answer)
    assert_type(request.decline("not today"), Answer)
    assert_type(request.cancel("not today"), Answer)
    assert_type(request.expire(), Answer)
    assert_type(request.is_expired(), bool)
    assert_type(request.is_expired(moment), bool)
    assert_type(request.check(answer), Answer)
    assert_type(request.check(answer, now=moment, arguments={"path": "a"}), Answer)


def answers(answer: Answer) -> None:
    assert_type(Answer("a:1", True), Answer)
    assert_type(Answer(id="a:1", ok=False, data=[1], reason="declined"), Answer)
    assert_type(answer.id, str)
    assert_type(answer.ok, bool)
    assert_type(answer.data, Any)
    assert_type(answer.reason, Literal["declined", "cancelled", "expired"] | None)
    assert_type(answer.to_result(), ToolResult)
    assert_type(bool(answer), bool)


def matching(requests: list[Request], replies: list[Answer], moment: datetime) -> None:
    assert_type(match_answers(requests, replies), dict[str, Answer])
    assert_type(match_answers(tuple(requests), iter(replies), {"a:1"}, now=moment), dict[str, Answer])


def manners(request: Request, answer: Answer) -> None:
    assert_type(hash(request), int)
    assert_type(copy(request), Request)
    assert_type(deepcopy(request), Request)
    assert_type(replace(request, prompt="Which?"), Request)
    assert_type(hash(answer), int)
    assert_type(copy(answer), Answer)
    assert_type(deepcopy(answer), Answer)
    assert_type(replace(answer, data=None), Answer)
