"""What a suspended call asks over MCP, and what comes back."""

from __future__ import annotations

import dataclasses
import enum
from collections import UserDict
from typing import Any

import mcp_types
import numpy as np
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.elicitation import AcceptedElicitation, CancelledElicitation, DeclinedElicitation
from tests.adapters import mcp_strict

from toolresult import Answer, AnswerError, DecodeError, EncodeError, Request
from toolresult.adapters import (
    InputRequired,
    answer_from_mcp,
    from_mcp_input_required,
    to_mcp_elicitation,
    to_mcp_input_required,
)
from toolresult.strategies import requests

APPROVED = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}
ASK = Request.approval("Refund 10 EUR?", id="r1", arguments={"amount": 10})
LOGIN = Request.authorization("https://h.test/login?t=1", "Log in", id="r2")


def form(properties: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **members}


def asking(schema: dict[str, Any]) -> Request:
    return Request.input("Name?", schema=schema, id="r3")


def elicitation(request: Request, version: str = "2025-11-25") -> dict[str, Any]:
    params = to_mcp_elicitation(request, version=version)
    if version != "2026-07-28":
        mcp_strict.elicitation(params, version)
    return params


# Elicitation.


def test_a_request_without_a_form_asks_for_approval():
    params = elicitation(ASK)
    assert params == {"mode": "form", "message": "Refund 10 EUR?", "requestedSchema": APPROVED}
    assert elicitation(ASK, "2026-07-28") == params
    assert elicitation(ASK, "2025-06-18") == {"message": "Refund 10 EUR?", "requestedSchema": APPROVED}


def test_a_request_with_a_url_is_a_link():
    link = {"mode": "url", "message": "Log in", "url": "https://h.test/login?t=1"}
    assert elicitation(LOGIN) == {**link, "elicitationId": "r2"}
    assert elicitation(LOGIN, "2026-07-28") == link
    with pytest.raises(ValueError, match=r"^version: ") as caught:
        to_mcp_elicitation(LOGIN, version="2025-06-18")
    assert "h.test" not in str(caught.value)


def test_a_lone_surrogate_is_repaired():
    assert elicitation(Request.approval("a\ud800"))["message"] == "a\ufffd"


FLAT = {
    "text": {"type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 9, "default": "x"},
    "format": {"type": "string", "format": "email"},
    "number": {"type": "number", "minimum": 0, "maximum": 1.5},
    "integer": {"type": "integer", "default": 3},
    "boolean": {"type": "boolean", "default": True},
    "choice": {"type": "string", "enum": ["a", "b"], "default": "a"},
    "titled choice by names": {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]},
    "titled choice": {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    "choices": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1, "default": ["a"]},
    "titled choices": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "maxItems": 2},
}


@pytest.mark.parametrize("field", FLAT.values(), ids=FLAT)
def test_a_flat_form_goes_as_it_is(field):
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **form({"x": field}, required=["x"])}
    assert elicitation(asking(schema))["requestedSchema"] == schema


SIMPLIFIED = {
    "pattern": ({"type": "string", "pattern": "^a"}, {"type": "string"}),
    "format": ({"type": "string", "format": "uuid"}, {"type": "string"}),
    "multiple": ({"type": "integer", "multipleOf": 2}, {"type": "integer"}),
    "enum without type": ({"enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    "option": (
        {"oneOf": [{"const": "a", "title": "A", "deprecated": True}]},
        {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    ),
    "items": (
        {"type": "array", "uniqueItems": True, "items": {"enum": ["a"]}},
        {"type": "array", "items": {"type": "string", "enum": ["a"]}},
    ),
}


@pytest.mark.parametrize(("field", "sent"), SIMPLIFIED.values(), ids=SIMPLIFIED)
def test_what_a_form_has_no_word_for_is_left_to_the_check(field, sent):
    schema = form({"x": field}, title="T", additionalProperties=False)
    assert elicitation(asking(schema))["requestedSchema"] == form({"x": sent})


RICH = {
    "nested": ({"x": form({})}, "data.schema.properties.x"),
    "list of numbers": ({"a b": {"type": "array", "items": {"type": "number"}}}, "data.schema.properties['a b']"),
    "list of anything": ({"x": {"type": "array"}}, "data.schema.properties.x"),
    "reference": ({"x": {"$ref": "#/$defs/a"}}, "data.schema.properties.x"),
    "several types": ({"x": {"type": ["string", "null"]}}, "data.schema.properties.x"),
    "numbers to choose from": ({"x": {"enum": [1, 2]}}, "data.schema.properties.x"),
    "options without title": ({"x": {"oneOf": [{"const": "a"}]}}, "data.schema.properties.x"),
    "options that are none": ({"x": {"oneOf": ["a"]}}, "data.schema.properties.x"),
    "no schema": ({"x": True}, "data.schema.properties.x"),
    "another type": ({"x": {"type": "null"}}, "data.schema.properties.x"),
}


@pytest.mark.parametrize(("properties", "path"), RICH.values(), ids=RICH)
def test_a_rich_schema_is_refused_with_its_place(properties, path):
    with pytest.raises(EncodeError, match="flat") as caught:
        to_mcp_elicitation(asking(form(properties)))
    assert caught.value.path == path


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "object"}, {}, {"type": "object", "properties": []}])
def test_a_schema_of_no_object_is_refused(schema):
    with pytest.raises(EncodeError) as caught:
        to_mcp_elicitation(asking(schema))
    assert caught.value.path == "data.schema"


def test_only_requests_are_asked():
    with pytest.raises(TypeError, match=r"^request: "):
        to_mcp_elicitation("Go?")
    with pytest.raises(ValueError, match=r"^version: "):
        to_mcp_elicitation(ASK, version="2024-11-05")


# Results that ask.


def test_several_requests_are_asked_by_their_ids():
    named = asking(form({"name": {"type": "string"}}))
    sent = to_mcp_input_required([ASK, LOGIN, named], "sealed")
    mcp_strict.input_required(sent)
    assert sent == {
        "resultType": "input_required",
        "inputRequests": {
            request.id: {"method": "elicitation/create", "params": elicitation(request, "2026-07-28")}
            for request in (ASK, LOGIN, named)
        },
        "requestState": "sealed",
    }
    requests, state = from_mcp_input_required(sent)
    assert requests == {"r1": Request.approval("Refund 10 EUR?", id="r1"), "r2": LOGIN, "r3": named}
    assert state == "sealed"
    assert to_mcp_input_required(requests, state) == sent


def test_a_state_alone_is_enough():
    sent = to_mcp_input_required([], "sealed\ud800")
    mcp_strict.input_required(sent)
    assert from_mcp_input_required(sent) == InputRequired({}, "sealed\ufffd")
    assert from_mcp_input_required(to_mcp_input_required([ASK])).state is None


@given(st.lists(requests(bound=False), min_size=1, max_size=3, unique_by=lambda request: request.id))
def test_what_asks_goes_and_comes_back(some):
    sent = to_mcp_input_required(iter(some), "s")
    mcp_strict.input_required(sent)
    back = from_mcp_input_required(sent)
    assert [(request.id, request.prompt, request.url) for request in back.requests.values()] == [
        (request.id, request.prompt, request.url) for request in some
    ]
    assert to_mcp_input_required(*back) == sent
    assert from_mcp_input_required(mcp_types.InputRequiredResult.model_validate(sent)) == back


def test_a_key_that_is_no_id_gives_the_same_id_each_time():
    sent = to_mcp_input_required({"a key": ASK, "": LOGIN})
    mcp_strict.input_required(sent)
    first, second = from_mcp_input_required(sent), from_mcp_input_required(sent)
    assert first == second
    assert [*first.requests] == ["a key", ""]
    assert len({request.id for request in first.requests.values()}) == 2
    assert to_mcp_input_required(first.requests) == sent


def test_what_is_asked_of_the_client_itself_is_kept():
    params = {"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], "maxTokens": 5}
    asked = {"a": {"method": "sampling/createMessage", "params": params}, "b": {"method": "roots/list"}}
    sent = {"resultType": "input_required", "inputRequests": asked}
    mcp_strict.input_required(sent)
    found = from_mcp_input_required(sent)
    assert [request.kind for request in found.requests.values()] == ["sampling/createMessage", "roots/list"]
    assert to_mcp_input_required(*found) == sent
    assert from_mcp_input_required(mcp_types.InputRequiredResult.model_validate(sent)) == found
    # A request of that name that holds no parameters is a question like any other.
    assert "elicitation/create" in str(to_mcp_input_required([Request("roots/list", "?")]))


def test_both_spellings_of_what_asks_are_read():
    params = {"message": "?", "requested_schema": APPROVED}
    asked = {"k": {"method": "elicitation/create", "params": params}}
    snake = {"result_type": "input_required", "input_requests": asked, "request_state": "s"}
    assert from_mcp_input_required(snake) == InputRequired({"k": Request.approval("?", id="k")}, "s")


def test_what_cannot_be_asked_is_refused():
    for bad in (ASK, "x", [ASK, "x"], {"k": "x"}, {5: ASK}, None):
        with pytest.raises(TypeError, match=r"^requests: "):
            to_mcp_input_required(bad)
    with pytest.raises(ValueError, match=r"^requests: two"):
        to_mcp_input_required([ASK, ASK])
    with pytest.raises(ValueError, match=r"^requests: must not be empty"):
        to_mcp_input_required([])
    with pytest.raises(TypeError, match=r"^state: "):
        to_mcp_input_required([ASK], b"state")


def one(**params: Any) -> dict[str, Any]:
    return {"k": {"method": "elicitation/create", "params": params}}


MALFORMED = {
    "no mapping": (5, "obj"),
    "a complete one": ({"content": []}, "resultType"),
    "nothing asked": ({}, "inputRequests"),
    "no requests": ({"inputRequests": []}, "inputRequests"),
    "a key": ({"inputRequests": {5: {}}}, "inputRequests"),
    "a request": ({"inputRequests": {"k": 5}}, "inputRequests.k"),
    "no method": ({"inputRequests": {"k": {}}}, "inputRequests.k.method"),
    "method": ({"inputRequests": {"k": {"method": "tools/call"}}}, "inputRequests.k.method"),
    "no params": ({"inputRequests": {"k": {"method": "elicitation/create"}}}, "inputRequests.k.params"),
    "sampling": ({"inputRequests": {"k": {"method": "roots/list", "params": [5]}}}, "inputRequests.k.params"),
    "no message": ({"inputRequests": one()}, "inputRequests.k.params.message"),
    "mode": ({"inputRequests": one(message="", mode="fax")}, "inputRequests.k.params.mode"),
    "no url": ({"inputRequests": one(message="", mode="url")}, "inputRequests.k.params.url"),
    "url": ({"inputRequests": one(message="", mode="url", url="javascript:x")}, "inputRequests.k.params.url"),
    "no schema": ({"inputRequests": one(message="")}, "inputRequests.k.params.requestedSchema"),
    "schema": ({"inputRequests": one(message="", requestedSchema=[])}, "inputRequests.k.params.requestedSchema"),
    "state": ({"requestState": 5}, "requestState"),
}


@pytest.mark.parametrize(("sent", "path"), MALFORMED.values(), ids=MALFORMED)
def test_what_asks_malformed_is_one_error_that_names_the_place(sent, path):
    if isinstance(sent, dict) and "content" not in sent:
        sent = {"resultType": "input_required", **sent}
    with pytest.raises(DecodeError) as caught:
        from_mcp_input_required(sent)
    assert caught.value.path == path


# Answers.


def test_the_default_form_approves_by_true_only():
    yes = answer_from_mcp(ASK, {"action": "accept", "content": {"approved": True}})
    assert yes == ASK.accept({"approved": True})
    assert ASK.check(yes, arguments={"amount": 10}) is yes
    for content in ({"approved": False}, {"approved": "true"}, {"approved": 1}, {}, None, {"other": True}):
        no = answer_from_mcp(ASK, {"action": "accept", "content": content})
        assert (no.ok, no.reason) == (False, "declined")


def test_what_becomes_true_only_as_json_approves_nothing():
    class Yes(enum.Enum):
        YES = True

    @dataclasses.dataclass
    class Form:
        approved: object

    for value in (np.True_, Yes.YES):
        for content in ({"approved": value}, UserDict(approved=value), Form(value)):
            no = answer_from_mcp(ASK, {"action": "accept", "content": content})
            assert (no.ok, no.reason) == (False, "declined")
            assert answer_from_mcp(ASK, {"action": "accept", "data": Form(approved=True)}).ok


def test_a_form_of_its_own_is_accepted_by_submitting_it():
    request = asking(form({"name": {"type": "string"}, "agreed": {"type": "boolean"}}))
    for content in ({"name": "x", "agreed": False}, {}, None):
        assert answer_from_mcp(request, {"action": "accept", "content": content}) == request.accept(content)
    same = asking(APPROVED)
    assert not answer_from_mcp(same, {"action": "accept", "content": {"approved": False}})


def test_declined_and_cancelled_are_kept_apart():
    for action, reason in (("decline", "declined"), ("reject", "declined"), ("cancel", "cancelled")):
        for request in (ASK, LOGIN, asking(form({}))):
            answer = answer_from_mcp(request, {"action": action, "content": {"approved": True, "x": {"y": 1}}})
            assert answer == Answer(request.id, ok=False, reason=reason)


def test_to_accept_a_link_is_to_agree_to_open_it():
    answer = answer_from_mcp(LOGIN, {"action": "accept"})
    assert answer == Answer("r2", ok=False, data={"consent": True})
    assert "Not executed" in answer.to_result().output
    assert LOGIN.check(LOGIN.accept())


def test_objects_of_the_package_are_answers():
    accepted = mcp_types.ElicitResult(action="accept", content={"approved": True})
    assert answer_from_mcp(ASK, accepted).ok
    assert answer_from_mcp(ASK, mcp_types.ElicitResult(action="cancel")).reason == "cancelled"

    class Form(pydantic.BaseModel):
        approved: bool

    assert answer_from_mcp(ASK, AcceptedElicitation(data=Form(approved=True))).ok
    assert not answer_from_mcp(ASK, AcceptedElicitation(data=Form(approved=False))).ok
    assert answer_from_mcp(ASK, DeclinedElicitation()).reason == "declined"
    assert answer_from_mcp(ASK, CancelledElicitation()).reason == "cancelled"


def test_an_answer_still_has_to_be_checked():
    yes = answer_from_mcp(ASK, {"action": "accept", "content": {"approved": True}})
    with pytest.raises(AnswerError, match="arguments"):
        ASK.check(yes, arguments={"amount": 10_000})
    with pytest.raises(AnswerError, match="unknown_id"):
        LOGIN.check(yes)


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        (True, "obj"),
        ({}, "action"),
        ({"action": True}, "action"),
        ({"action": "accepted"}, "action"),
        ({"action": "ACCEPT"}, "action"),
        ({"action": "accept", "content": [True]}, "content"),
        ({"action": "accept", "content": {"approved": {"a": 1}}}, "content.approved"),
        ({"action": "accept", "content": {"a b": [1]}}, "content['a b']"),
        ({"action": "accept", "content": {"a": object()}}, "content.a"),
    ],
)
def test_a_malformed_answer_approves_nothing(sent, path):
    with pytest.raises(DecodeError) as caught:
        answer_from_mcp(ASK, sent)
    assert caught.value.path == path


def test_an_answer_is_to_a_request():
    with pytest.raises(TypeError, match=r"^request: "):
        answer_from_mcp("r1", {"action": "accept"})


@pytest.mark.parametrize(
    "more",
    [
        {"additionalProperties": False},
        {"title": "Sure?"},
        {"$schema": "https://json-schema.org/draft/2020-12/schema"},
        {"properties": {"approved": {"type": "boolean", "title": "Sure?", "default": True}}},
        {"required": []},
        {"properties": {"approved": {"type": "boolean"}, "comment": {"type": "string"}}},
        {"properties": {"approved": {"type": "boolean"}, "lines": {"type": "array", "items": {"type": "object"}}}},
    ],
    ids=str,
)
@pytest.mark.parametrize("content", [None, {}, {"approved": False}, {"approved": "true"}, {"approved": 1}], ids=str)
def test_a_form_that_asks_for_an_approval_is_approved_by_true_only(more, content):
    schema = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"], **more}
    request = Request("approval", "Wipe?", data={"schema": schema})
    answer = answer_from_mcp(request, {"action": "accept", "content": content})
    assert (answer.ok, answer.reason) == (False, "declined")
    assert answer_from_mcp(request, {"action": "accept", "content": {"approved": True}}).ok


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"agreed": {"type": "boolean"}, "why": {"type": "string"}}},
        {"type": "object", "properties": {"approved": True}},
        {"type": "object", "properties": True},
        {"type": "object", "properties": {"approved": {"type": "string"}}},
        {"type": "object", "properties": {"approved": {"type": "object"}}},
    ],
    ids=str,
)
def test_any_other_form_is_answered_by_what_was_submitted(schema):
    request = Request.input("What?", schema=schema)
    assert answer_from_mcp(request, {"action": "accept", "content": {"approved": False}}).ok
