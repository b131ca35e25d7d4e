"""Tools that `mcp_tool` made, in servers of `mcp` and of `fastmcp`, on old and on new connections."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, NoReturn

import fastmcp
import httpx
import mcp
import mcp_types
import pytest
from mcp.server.mcpserver import Context, MCPServer
from pydantic import Field
from tests.adapters import mcp_tool_server, processes

from toolresult import Answer, ContentPart, Request, ToolResult, tool_result
from toolresult.adapters import Loss, from_mcp, mcp_meta, mcp_tool, to_mcp_input_required

SCRIPT = Path(mcp_tool_server.__file__)
REFUSED = "io.github.toolresult/refused"
YES = {"action": "accept", "content": {"approved": True}}
CONNECTIONS = [("auto", "2026-07-28"), ("legacy", "2025-11-25")]
each_connection = pytest.mark.parametrize(("mode", "version"), CONNECTIONS, ids=["new", "old"])
each_package = pytest.mark.parametrize("package", ["mcp", "fastmcp"])


def every(test: Any) -> Any:
    return each_connection(each_package(test))


def target_of(server: Any) -> Any:
    return server._mcp_server if isinstance(server, fastmcp.FastMCP) else server


def here(package: str) -> Any:
    mcp_tool_server.RUNS.clear()
    return target_of(mcp_tool_server.SERVERS[package]())


def replying(*replies: Mapping[str, Any], asked: list[Any] | None = None) -> Any:
    """Make what a client answers with, in order; the last one again and again."""
    queue = list(replies)

    async def answer(_context: Any, params: Any) -> Any:
        if asked is not None:
            asked.append(params)
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        return mcp_types.ElicitResult.model_validate(reply)

    return answer


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    return asyncio.run(asyncio.wait_for(work(), 60))


def called(target: Any, mode: str, name: str, arguments: dict[str, Any], answer: Any = None) -> ToolResult:
    async def work() -> Any:
        async with mcp.Client(target, mode=mode, elicitation_callback=answer) as client:
            return await client.call_tool(name, arguments)

    return from_mcp(run(work))


def kind_of(result: ToolResult) -> Any:
    return (mcp_meta(result) or {}).get(REFUSED)


@every
@pytest.mark.parametrize("name", ["refund", "refund_later"])
def test_a_model_sees_the_parameters_that_are_its_own(package, mode, version, name):
    async def work() -> Any:
        async with mcp.Client(here(package), mode=mode) as client:
            assert client.protocol_version == version
            return await client.list_tools()

    (tool,) = [tool for tool in run(work).tools if tool.name == name]
    assert {name: rule["type"] for name, rule in tool.input_schema["properties"].items()} == {
        "order": "string",
        "amount": "integer",
    }
    assert tool.input_schema["required"] == ["order"]
    assert tool.description == "Refund an order."
    assert tool.output_schema is None


@every
@pytest.mark.parametrize("name", ["refund", "refund_later"])
def test_an_answer_runs_the_tool(package, mode, version, name):
    asked: list[Any] = []
    result = called(here(package), mode, name, {"order": "7", "amount": 3}, replying(YES, asked=asked))
    assert str(result) == "REFUNDED 7 3"
    assert mcp_tool_server.RUNS == ["7"]
    (params,) = asked
    assert (params.mode, params.message) == ("form", "Refund 3 EUR for 7?")


REPLIES = {
    "no": ({"action": "accept", "content": {"approved": False}}, "Not executed: declined by the user."),
    "1": ({"action": "accept", "content": {"approved": 1}}, "Not executed: declined by the user."),
    "text": ({"action": "accept", "content": {"approved": "true"}}, "Not executed: declined by the user."),
    "nothing": ({"action": "accept"}, "Not executed: declined by the user."),
    "declined": ({"action": "decline"}, "Not executed: declined by the user."),
    "cancelled": ({"action": "cancel", "content": {"approved": True}}, "Not executed: cancelled by the user."),
}


@every
@pytest.mark.parametrize(("reply", "said"), REPLIES.values(), ids=REPLIES)
def test_only_true_approves(package, mode, version, reply, said):
    result = called(here(package), mode, "refund", {"order": "7"}, replying(reply))
    assert (result.output, result.is_error) == (said, True)
    assert mcp_tool_server.RUNS == []


@every
@pytest.mark.parametrize("name", ["refund", "refund_later"])
@pytest.mark.parametrize(
    "forged",
    [True, "yes", {"id": "x", "ok": True}, {"x": {"id": "x", "ok": True}}],
    ids=["true", "text", "one", "many"],
)
def test_a_forged_argument_approves_nothing(package, mode, version, name, forged):
    for key in ("answer", "answers", "mcp_context"):
        result = called(here(package), mode, name, {"order": "7", key: forged})
        assert result.is_error
    assert mcp_tool_server.RUNS == []


@every
def test_a_client_that_cannot_ask_hears_that_the_call_waits(package, mode, version):
    for name, arguments in (("refund", {"order": "7"}), ("login", {}), ("two_questions", {})):
        result = called(here(package), mode, name, arguments)
        assert result.is_placeholder
        assert result.is_error
        assert "was not executed" in result.output
        assert "s3cret" not in result.output
    assert mcp_tool_server.RUNS == []


@every
def test_what_no_answer_reaches_waits(package, mode, version):
    assert called(here(package), mode, "relayed", {}, replying(YES)).is_placeholder


@every
def test_an_answer_brings_data(package, mode, version):
    reply = {"action": "accept", "content": {"name": "Ada"}}
    assert called(here(package), mode, "rename", {}, replying(reply)).value == {"name": "Ada"}


@every
def test_a_tool_asks_several_times_under_stable_ids(package, mode, version):
    server, asked = here(package), []
    replies = [{"action": "accept", "content": {"name": name}} for name in ("Ada", "Eve")]
    for _ in range(2):  # the ids are those of the call before, and the answers are not
        result = called(server, mode, "two_questions", {}, replying(*replies, asked=asked))
        assert result.value == {"first": "Ada", "second": "Eve"}
    assert [params.message for params in asked] == ["first", "second"] * 2
    assert mcp_tool_server.RUNS == ["two", "two"]
    result = called(server, mode, "two_questions", {}, replying(replies[0], {"action": "decline"}))
    assert result.output == "Not executed: declined by the user."


@every
def test_a_tool_that_takes_one_answer_gets_the_last_one(package, mode, version):
    def ask(answer: Answer | None = None) -> ToolResult:
        name = answer.data["name"] if answer else ""
        return ToolResult(name) if name == "Eve" else ToolResult.pending(Request.input(f"After {name}?", schema=form))

    form = mcp_tool_server.NAME
    server: Any = MCPServer("s") if package == "mcp" else fastmcp.FastMCP("s")
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(ask))
    replies = [{"action": "accept", "content": {"name": name}} for name in ("Ada", "Bob", "Eve")]
    asked: list[Any] = []
    assert called(target_of(server), mode, "ask", {}, replying(*replies, asked=asked)).output == "Eve"
    assert [params.message for params in asked] == ["After ?", "After Ada?", "After Bob?"]


@every
def test_each_question_of_a_call_has_an_id_of_its_own(package, mode, version):
    def ask(answer: Answer | None = None) -> ToolResult:
        return ToolResult.pending(Request.approval("Again?" if answer else "Go?", id="same"))

    server: Any = MCPServer("s") if package == "mcp" else fastmcp.FastMCP("s")
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(ask))
    asked: list[Any] = []
    assert kind_of(called(target_of(server), mode, "ask", {}, replying(YES, asked=asked))) == "duplicate"
    assert [params.message for params in asked] == ["Go?", "Again?"]


@every
def test_a_tool_may_see_declines(package, mode, version):
    assert called(here(package), mode, "sees_declines", {}, replying({"action": "decline"})).output == "saw declined"


@every
def test_a_late_answer_is_refused(package, mode, version):
    result = called(here(package), mode, "too_late", {}, replying(YES))
    assert kind_of(result) == "expired"
    assert result.output.startswith("Not executed: expired")
    assert mcp_tool_server.RUNS == []
    declined = called(here(package), mode, "too_late", {}, replying({"action": "decline"}))
    assert declined.output == "Not executed: declined by the user."


@every
@pytest.mark.parametrize("content", [{}, {"name": 5}, {"name": True}, {"title": "x"}], ids=str)
def test_an_answer_that_does_not_fit_the_form_is_refused(package, mode, version, content):
    result = called(here(package), mode, "rename", {}, replying({"action": "accept", "content": content}))
    assert kind_of(result) == "schema"
    assert result.output.startswith("Not executed: schema: ")


@every
def test_a_link_that_was_opened_approves_nothing(package, mode, version):
    asked: list[Any] = []
    result = called(here(package), mode, "login", {}, replying({"action": "accept"}, asked=asked))
    assert result.is_placeholder
    assert "s3cret" not in result.output
    assert [(params.mode, params.url) for params in asked] == [("url", "https://h.test/login?token=s3cret")]
    assert mcp_tool_server.RUNS == []


@every
def test_what_mcp_has_no_form_for_is_said(package, mode, version):
    result = called(here(package), mode, "nested", {}, replying(YES))
    assert result.output.startswith("Not executed: data.schema.properties.name: ")


@every
def test_results_arrive(package, mode, version):
    server = here(package)
    assert called(server, mode, "text", {}).output == "2 rows"
    assert called(server, mode, "listed", {}).value == [1, 2]
    (part,) = called(server, mode, "picture", {}).parts[1:]
    assert (part.data, part.name) == (mcp_tool_server.PNG, "a.png")
    failed = called(server, mode, "fails", {})
    assert (failed.output, failed.is_error) == ("OSError", True)


def test_an_old_connection_does_not_ask_for_ever():
    asked: list[Any] = []
    result = called(here("mcp"), "legacy", "endless", {}, replying(YES, asked=asked))
    assert result.is_placeholder
    assert len(asked) == 10


@each_package
def test_a_client_that_fails_has_not_answered(package):
    async def fail(_context: Any, _params: Any) -> Any:
        return mcp_types.ErrorData(code=-32000, message="no")

    assert called(here(package), "legacy", "refund", {"order": "7"}, fail).is_placeholder
    assert mcp_tool_server.RUNS == []


# New connections: what a client may send, which answers by itself no more.


class Rounds:
    """A client that sends what it likes."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def talk(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        async def never(_context: Any, _params: Any) -> NoReturn:
            raise AssertionError

        async def talked() -> Any:
            async with mcp.Client(self.target, elicitation_callback=never) as client:

                async def send(name: str, arguments: dict[str, Any], replies: Any = None, state: Any = None) -> Any:
                    sent = {key: mcp_types.ElicitResult.model_validate(reply) for key, reply in (replies or {}).items()}
                    return await client.session.call_tool(
                        name,
                        arguments,
                        input_responses=sent if replies is not None else None,
                        request_state=state,
                        allow_input_required=True,
                    )

                return await work(send)

        return run(talked)


async def first_round(send: Any, **arguments: Any) -> tuple[str, str]:
    asked = await send("refund", {"order": "7", **arguments})
    ((key, _),) = asked.input_requests.items()
    return key, asked.request_state


@each_package
def test_one_answer_runs_the_tool_once(package):
    async def work(send: Any) -> list[ToolResult]:
        key, state = await first_round(send)
        return [from_mcp(await send("refund", {"order": "7"}, {key: YES}, state)) for _ in range(2)]

    first, second = Rounds(here(package)).talk(work)
    assert first.output == "REFUNDED 7 1"
    assert kind_of(second) == "duplicate"
    assert second.output.startswith("Not executed: duplicate")
    assert mcp_tool_server.RUNS == ["7"]


@each_package
def test_one_of_many_answers_at_once_runs_the_tool(package):
    async def work(send: Any) -> list[ToolResult]:
        key, state = await first_round(send)
        sent = [send("refund", {"order": "7"}, {key: YES}, state) for _ in range(8)]
        return [from_mcp(found) for found in await asyncio.gather(*sent)]

    results = Rounds(here(package)).talk(work)
    assert sorted(map(str, map(kind_of, results))) == ["None"] + ["duplicate"] * 7
    assert mcp_tool_server.RUNS == ["7"]


@each_package
def test_after_a_decline_no_yes_counts(package):
    async def work(send: Any) -> ToolResult:
        key, state = await first_round(send)
        await send("refund", {"order": "7"}, {key: {"action": "decline"}}, state)
        return from_mcp(await send("refund", {"order": "7"}, {key: YES}, state))

    assert kind_of(Rounds(here(package)).talk(work)) == "duplicate"
    assert mcp_tool_server.RUNS == []


@each_package
def test_an_answer_to_another_request_is_refused(package):
    async def work(send: Any) -> list[ToolResult]:
        first, state = await first_round(send)
        second, _ = await first_round(send)
        assert first != second
        sent = [({second: YES}, state), ({"": YES}, state), ({first: YES}, None)]
        return [from_mcp(await send("refund", {"order": "7"}, *each)) for each in sent]

    for result in Rounds(here(package)).talk(work):
        assert kind_of(result) == "unknown_id"
        assert result.is_error
    assert mcp_tool_server.RUNS == []


@each_package
def test_of_several_answers_only_the_one_that_was_asked_for_counts(package):
    async def work(send: Any) -> ToolResult:
        key, state = await first_round(send)
        return from_mcp(await send("refund", {"order": "7"}, {"a": YES, key: {"action": "decline"}, "z": YES}, state))

    assert Rounds(here(package)).talk(work).output == "Not executed: declined by the user."
    assert mcp_tool_server.RUNS == []


@each_package
def test_without_an_answer_the_same_is_asked_again(package):
    async def work(send: Any) -> Any:
        key, state = await first_round(send)
        again = await send("refund", {"order": "7"}, None, state)
        assert [*again.input_requests] == [key]
        assert again.input_requests[key].params.message == "Refund 1 EUR for 7?"
        return from_mcp(await send("refund", {"order": "7"}, {key: YES}, again.request_state))

    assert Rounds(here(package)).talk(work).output == "REFUNDED 7 1"


@each_package
def test_the_state_holds_for_one_tool_one_set_of_arguments_and_as_it_is(package):
    async def work(send: Any) -> None:
        key, state = await first_round(send)
        broken = state[:-2] + ("A" if state[-2] != "A" else "B") + state[-1]
        for name, arguments, sealed in (
            ("refund", {"order": "8"}, state),
            ("refund", {"order": "7", "amount": 1000}, state),
            ("refund_later", {"order": "7"}, state),
            ("refund", {"order": "7"}, broken),
            ("refund", {"order": "7"}, "{}"),
        ):
            with pytest.raises(mcp.MCPError) as caught:
                await send(name, arguments, {key: YES}, sealed)
            assert caught.value.error.data == {"reason": "invalid_request_state"}
        assert "7" not in state[:3]
        assert "Refund" not in state

    Rounds(here(package)).talk(work)
    assert mcp_tool_server.RUNS == []


@each_package
def test_the_state_holds_for_the_one_who_was_asked(package):
    from mcp.server.request_state import RequestStateSecurity

    who = ["ada"]
    security = RequestStateSecurity(keys=["k" * 32], bind_principal=lambda _context: who[0], audience="tools")
    server: Any = (MCPServer if package == "mcp" else fastmcp.FastMCP)("s", request_state_security=security)
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(mcp_tool_server.refund))
    mcp_tool_server.RUNS.clear()

    async def work(send: Any) -> ToolResult:
        key, state = await first_round(send)
        who[0] = "eve"
        with pytest.raises(mcp.MCPError):
            await send("refund", {"order": "7"}, {key: YES}, state)
        who[0] = "ada"
        return from_mcp(await send("refund", {"order": "7"}, {key: YES}, state))

    assert Rounds(target_of(server)).talk(work).output == "REFUNDED 7 1"


@each_package
def test_several_processes_share_a_claim(package):
    from mcp.server.request_state import RequestStateSecurity

    taken: list[str] = []

    async def claim(request_id: str) -> bool:
        await asyncio.sleep(0)
        taken.append(request_id)
        return taken.count(request_id) == 1

    def server() -> Any:
        security = RequestStateSecurity(keys=["k" * 32], audience="tools")
        made: Any = (MCPServer if package == "mcp" else fastmcp.FastMCP)("s", request_state_security=security)
        (made.add_tool if package == "mcp" else made.tool)(mcp_tool(claim=claim)(mcp_tool_server.refund))
        return Rounds(target_of(made))

    mcp_tool_server.RUNS.clear()
    key, state = server().talk(first_round)

    async def work(send: Any) -> ToolResult:
        return from_mcp(await send("refund", {"order": "7"}, {key: YES}, state))

    results = [server().talk(work) for _ in range(2)]
    assert [kind_of(result) for result in results] == [None, "duplicate"]
    assert mcp_tool_server.RUNS == ["7"]
    assert len({*taken}) == 1
    assert taken[0].endswith(f":{key}")


@pytest.mark.parametrize("said", [False, None, 1, "yes"])
def test_a_claim_that_does_not_say_true_runs_nothing(said):
    server = MCPServer("s")
    server.add_tool(mcp_tool(claim=lambda _id: said)(mcp_tool_server.refund))
    mcp_tool_server.RUNS.clear()
    for mode, _ in CONNECTIONS:
        assert kind_of(called(server, mode, "refund", {"order": "7"}, replying(YES))) == "duplicate"
    assert mcp_tool_server.RUNS == []


def test_a_claim_that_fails_runs_nothing():
    def claim(_id: str) -> bool:
        raise ConnectionError

    server = MCPServer("s")
    server.add_tool(mcp_tool(claim=claim)(mcp_tool_server.refund))
    mcp_tool_server.RUNS.clear()
    for mode, _ in CONNECTIONS:
        assert called(server, mode, "refund", {"order": "7"}, replying(YES)).is_error
    assert mcp_tool_server.RUNS == []


# A context that is not sealed and checked by a server: what is left to the tool itself.


def context(version: str = "2026-07-28", elicitation: Any = None, **fields: Any) -> Any:
    modes = elicitation or mcp_types.ElicitationCapability(form=mcp_types.FormElicitationCapability())
    capabilities = SimpleNamespace(elicitation=modes)
    session = SimpleNamespace(protocol_version=version, client_capabilities=capabilities, can_send_request=True)
    return SimpleNamespace(session=session, request_id="1", **fields)


def tried(function: Any, where: Any, **arguments: Any) -> Any:
    return run(lambda: mcp_tool(function)(**arguments, mcp_context=where))


def test_an_answer_for_changed_arguments_is_refused():
    asked = tried(mcp_tool_server.refund, context(), order="7", amount=10)
    ((key, _),) = asked.input_requests.items()
    mcp_tool_server.RUNS.clear()
    for changed in ({"order": "7", "amount": 11}, {"order": "7", "amount": 10.0}, {"order": "7"}, {"order": 7}):
        where = context(request_state=asked.request_state, input_responses={key: YES})
        result = from_mcp(tried(mcp_tool_server.refund, where, **changed))
        assert kind_of(result) == "arguments", changed
    assert mcp_tool_server.RUNS == []
    where = context(request_state=asked.request_state, input_responses={key: YES})
    assert from_mcp(tried(mcp_tool_server.refund, where, amount=10, order="7")).output == "REFUNDED 7 10"


@every
def test_an_answer_for_arguments_that_are_new_in_each_call_is_refused(package, mode, version):
    drawn = iter(range(100))

    def pay(answer: Answer | None = None, *, at: int) -> ToolResult:
        mcp_tool_server.RUNS.append(str(at))
        return ToolResult("paid") if answer else ToolResult.pending(Request.approval(f"Pay at {at}?"))

    pay.__annotations__["at"] = Annotated[int, Field(default_factory=lambda: next(drawn))]
    server: Any = MCPServer("s") if package == "mcp" else fastmcp.FastMCP("s")
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(pay))
    mcp_tool_server.RUNS.clear()
    result = called(target_of(server), mode, "pay", {}, replying(YES))
    if version == "2026-07-28":
        assert kind_of(result) == "arguments"
        assert mcp_tool_server.RUNS == ["0"]
    else:  # it is one call, with the same arguments
        assert result.output == "paid"
        assert mcp_tool_server.RUNS == ["0", "0"]


@pytest.mark.parametrize(
    "state",
    [
        "",
        "{}",
        "[]",
        "1",
        '{"call":1,"answers":[],"request":{"id":"x","kind":"a","prompt":"?"}}',
        '{"call":"c","answers":[],"request":{}}',
        '{"call":"c","answers":1,"request":{}}',
        "x" * 99,
    ],
)
def test_a_state_that_is_none_of_ours_is_refused(state):
    where = context(request_state=state, input_responses={"x": YES})
    assert kind_of(from_mcp(tried(mcp_tool_server.refund, where, order="7"))) == "unknown_id"


def test_a_malformed_answer_is_refused_and_may_be_given_again():
    asked = tried(mcp_tool_server.refund, context(), order="7")
    ((key, _),) = asked.input_requests.items()
    tool = mcp_tool(mcp_tool_server.refund)

    def answered(reply: Any) -> ToolResult:
        where = context(request_state=asked.request_state, input_responses={key: reply})
        return from_mcp(run(lambda: tool(order="7", mcp_context=where)))

    nested = {"action": "accept", "content": {"name": {"a": 1}}}
    for reply in ({}, {"action": "yes"}, {"action": True}, None, nested, mcp_types.ListRootsResult(roots=[])):
        result = answered(reply)
        assert result.output.startswith("Not executed: ")
        assert result.is_error
    assert answered(YES).output == "REFUNDED 7 1"


def test_an_answer_that_no_client_can_have_sent_is_said_on_old_connections():
    async def send_request(_request: Any, _kind: Any, *, metadata: Any) -> NoReturn:
        assert metadata.related_request_id == "1"  # over HTTP the question goes where the call waits
        mcp_types.ElicitResult.model_validate({"action": "s3cret"})
        raise AssertionError

    where = context("2025-11-25")
    where.session.send_request = send_request
    result = from_mcp(tried(mcp_tool_server.refund, where, order="7"))
    assert result.output == "Not executed: answer: cannot be read: ValidationError"


FORM, URL = mcp_types.FormElicitationCapability(), mcp_types.UrlElicitationCapability()
MODES = {
    "none named": (mcp_types.ElicitationCapability(), True, False),
    "form": (mcp_types.ElicitationCapability(form=FORM), True, False),
    "url": (mcp_types.ElicitationCapability(url=URL), False, True),
    "both": (mcp_types.ElicitationCapability(form=FORM, url=URL), True, True),
}


@pytest.mark.parametrize(("modes", "takes_forms", "takes_links"), MODES.values(), ids=MODES)
def test_a_client_is_asked_what_it_can_ask(modes, takes_forms, takes_links):
    form = tried(mcp_tool_server.refund, context(elicitation=modes), order="7")
    link = tried(mcp_tool_server.login, context(elicitation=modes))
    assert isinstance(form, mcp_types.InputRequiredResult) is takes_forms
    assert isinstance(link, mcp_types.InputRequiredResult) is takes_links


def test_a_connection_without_a_way_back_waits():
    where = context("2025-11-25")
    where.session.can_send_request = False
    assert from_mcp(tried(mcp_tool_server.refund, where, order="7")).is_placeholder
    both = MODES["both"][0]
    assert from_mcp(tried(mcp_tool_server.login, context("2025-06-18", both))).is_placeholder


@pytest.mark.parametrize(("version", "data"), [("2024-11-05", {"result": [1, 2]}), ("2027-01-01", [1, 2])])
def test_a_revision_that_is_not_known_gets_the_nearest(version, data):
    assert tried(mcp_tool_server.listed, context(version)).structured_content == data


def test_a_call_outside_of_a_server_waits():
    tool = mcp_tool(mcp_tool_server.refund)
    for where in (None, Context()):
        assert from_mcp(run(lambda where=where: tool(order="7", mcp_context=where))).is_placeholder
    assert from_mcp(run(lambda: tool(order="7"))).is_placeholder
    assert from_mcp(run(lambda: tool(nothing="7"))).is_error


def test_an_argument_that_only_the_server_has_is_not_bound():
    class Connection:
        pass

    def lookup(order: str, database: object = None, answer: Answer | None = None) -> ToolResult:
        return ToolResult.ok(order) if answer else ToolResult.pending(Request.approval("Go?"))

    asked = tried(lookup, context(), order="7", database=Connection())
    ((key, _),) = asked.input_requests.items()
    where = context(request_state=asked.request_state, input_responses={key: YES})
    assert from_mcp(tried(lookup, where, order="7", database=Connection())).output == "7"


def test_the_request_keeps_what_else_it_holds():
    until = datetime(2999, 1, 1, tzinfo=UTC)

    def ask(answer: Answer | None = None) -> ToolResult:
        return ToolResult.pending(Request("x-own", "Go?", id="r", data={"options": ["a"]}, expires_at=until))

    asked = tried(ask, context())
    state = json.loads(asked.request_state)
    kept = Request("x-own", "Go?", id="r", data={"options": ["a"], "arguments": {}}, expires_at=until)
    assert Request.from_wire(state["request"]) == kept
    shown = asked.model_dump(by_alias=True, exclude_none=True, mode="json")
    assert shown == to_mcp_input_required([kept], asked.request_state)
    assert "2999" not in str(shown["inputRequests"])


def test_a_request_that_holds_what_json_cannot_is_said():
    def ask(answer: Answer | None = None) -> ToolResult:
        return ToolResult.pending(Request("x-own", "Go?", data={"what": object()}))

    result = from_mcp(tried(ask, context()))
    assert result.output.startswith("Not executed: data.what: ")


# How a function is wrapped.


class Legible:
    """Seals nothing."""

    def seal(self, payload: bytes) -> str:
        return payload.decode()

    def unseal(self, token: str) -> bytes:
        return token.encode()


@each_package
def test_the_state_holds_the_request_and_the_arguments_of_the_client(package):
    from mcp.server.request_state import RequestStateSecurity

    kind: Any = Context if package == "mcp" else fastmcp.Context

    def asks(order: str, ctx: kind, answer: Answer | None = None) -> ToolResult:
        return ToolResult.ok(order) if answer else ToolResult.pending(Request.approval("Go?", id="r"))

    asks.__annotations__ = {"order": str, "ctx": kind, "answer": Answer | None}
    security = RequestStateSecurity(codec=Legible(), audience="tools")
    server: Any = (MCPServer if package == "mcp" else fastmcp.FastMCP)("s", request_state_security=security)
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(asks))

    async def work(send: Any) -> Any:
        return json.loads((await send("asks", {"order": "7"})).request_state)

    claims = Rounds(target_of(server)).talk(work)
    assert (claims["m"], claims["t"]) == ("tools/call", "asks")
    state = json.loads(claims["s"])
    assert [*state] == ["call", "request", "answers"]
    assert Request.from_wire(state["request"]) == Request.approval("Go?", id="r", arguments={"order": "7"})


@every
@pytest.mark.parametrize("is_decorated", [True, False])
def test_a_function_may_take_the_context_itself(package, mode, version, is_decorated):
    kind: Any = Context if package == "mcp" else fastmcp.Context

    async def asks(order: str, ctx: kind, answer: Answer | None = None) -> ToolResult:
        assert ctx.session.protocol_version == version
        return ToolResult.ok(order) if answer else ToolResult.pending(Request.approval("Go?"))

    asks.__annotations__ = {"order": str, "ctx": kind, "answer": Answer | None}
    server: Any = MCPServer("s") if package == "mcp" else fastmcp.FastMCP("s")
    made = mcp_tool(tool_result(asks) if is_decorated else asks)
    (server.add_tool if package == "mcp" else server.tool)(made)
    assert called(target_of(server), mode, "asks", {"order": "7"}, replying(YES)).output == "7"


@every
def test_a_parameter_may_have_the_name_of_ours(package, mode, version):
    def named(mcp_context: str, **_rest: Any) -> ToolResult:
        return ToolResult(mcp_context)

    def plain(mcp_context: str) -> ToolResult:
        return ToolResult(mcp_context)

    server: Any = MCPServer("s") if package == "mcp" else fastmcp.FastMCP("s")
    (server.add_tool if package == "mcp" else server.tool)(mcp_tool(plain))
    assert called(target_of(server), mode, "plain", {"mcp_context": "x"}).output == "x"
    assert [*mcp_tool(named).__signature__.parameters] == ["mcp_context", "mcp_context_", "_rest"]
    assert mcp_tool(named).__signature__.bind("x").arguments == {"mcp_context": "x"}


def test_a_parameter_of_an_unknown_type_takes_what_its_name_says():
    def one(answer=None) -> ToolResult:
        return ToolResult(type(answer).__name__) if answer else ToolResult.pending(Request.approval("Go?"))

    def many(answers=None) -> ToolResult:
        return ToolResult(type(answers).__name__) if answers else ToolResult.pending(Request.approval("Go?"))

    one.__annotations__ = {"answer": "Missing"}
    many.__annotations__ = {"answers": "Missing"}
    for function, said in ((one, "Answer"), (many, "dict")):
        server = MCPServer("s")
        server.add_tool(mcp_tool(function))
        assert called(server, "auto", function.__name__, {}, replying(YES)).output == said


def test_an_ordinary_function_does_not_hold_up_the_server():
    def where() -> ToolResult:
        return ToolResult(threading.current_thread().name)

    async def where_later() -> ToolResult:
        return ToolResult(threading.current_thread().name)

    here_too = threading.current_thread().name
    assert from_mcp(run(mcp_tool(where))).output != here_too
    assert from_mcp(run(mcp_tool(where_later))).output == here_too


def test_names_that_are_there_for_type_checkers_only_do_no_harm():
    def tool(value: "Missing") -> ToolResult:  # noqa: F821, UP037
        return ToolResult(str(value))

    tool.__annotations__ = {"value": "Missing"}
    assert from_mcp(run(lambda: mcp_tool(tool)(value=1))).output == "1"


def test_a_method_of_an_object_is_a_tool():
    class Shop:
        @tool_result
        def ask(self, order: str, answer: Answer | None = None) -> ToolResult:
            return ToolResult.ok(order) if answer else ToolResult.pending(Request.approval("Go?"))

        def plain(self, order: str, answer: Answer | None = None) -> ToolResult:
            return self.ask(order, answer=answer)

        @mcp_tool
        async def made(self, order: str, answer: Answer | None = None) -> ToolResult:
            return self.ask(order, answer=answer)

    for method in (mcp_tool(Shop().ask), mcp_tool(Shop().plain), Shop().made):
        for mode, _ in CONNECTIONS:
            server = MCPServer("s")
            server.add_tool(method)
            assert called(server, mode, method.__name__, {"order": "7"}, replying(YES)).output == "7"


def test_what_is_made_is_no_tool_that_takes_answers():
    made = mcp_tool(mcp_tool_server.refund_later)
    assert vars(made).keys() - {"__signature__", "__type_params__"} == {"__toolresult_mcp__"}
    assert made.__name__ == "refund_later"


def test_options_of_the_result():
    losses: list[Loss] = []
    tool = mcp_tool(structured=True, on_loss=losses.append)(mcp_tool_server.text)
    assert run(tool).structured_content == {"rows": 2}
    assert run(mcp_tool(mcp_tool_server.text)).structured_content is None
    assert losses == []
    part = ContentPart("hologram", raw={"a": 1})
    run(mcp_tool(on_loss=losses.append)(lambda: ToolResult.ok("see", parts=[part])))
    assert [loss.part for loss in losses] == [part]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"claim": 1}, TypeError),
        ({"structured": 1}, TypeError),
        ({"on_loss": 1}, TypeError),
        ({"on_loss": "no"}, (TypeError, ValueError)),
    ],
)
def test_an_option_of_the_wrong_type_is_refused(options, error):
    with pytest.raises(error):
        mcp_tool(**options)


@pytest.mark.parametrize("function", [1, "x", staticmethod(len), classmethod(len)])
def test_what_is_no_function_is_refused(function):
    with pytest.raises(TypeError):
        mcp_tool(function)


@pytest.mark.parametrize("decorate", [mcp_tool, mcp_tool(structured=True), tool_result])
@pytest.mark.parametrize("function", [mcp_tool_server.refund, mcp_tool_server.refund_later, mcp_tool_server.text])
def test_what_is_a_tool_of_a_server_is_no_function_for_one(decorate, function):
    with pytest.raises(TypeError, match="already"):
        decorate(mcp_tool(function))


def test_without_fastmcp(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastmcp", None)
    server = MCPServer("s")
    server.add_tool(mcp_tool(mcp_tool_server.refund))
    assert called(server, "auto", "refund", {"order": "7"}, replying(YES)).output == "REFUNDED 7 1"


def test_without_the_package_of_mcp(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(ImportError):
        mcp_tool(mcp_tool_server.refund)


def test_no_framework_is_imported_with_it():
    code = "import sys; from toolresult.adapters import mcp_tool; print({'mcp', 'mcp_types', 'anyio'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "set()\n"


# In processes of their own.


@every
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_over_the_wire(package, mode, version, transport):
    def talk(target: Any) -> None:
        async def work() -> Any:
            answer = replying(YES, {"action": "decline"})
            async with mcp.Client(target, mode=mode, elicitation_callback=answer) as client:
                assert client.protocol_version == version
                calls = [("refund", {"order": "7"}), ("refund_later", {"order": "8"})]
                calls += [(name, {}) for name in ("text", "listed", "picture", "fails")]
                return [from_mcp(await client.call_tool(*call)) for call in calls]

        said = [result.output for result in run(work)]
        assert said[:2] == ["REFUNDED 7 1", "Not executed: declined by the user."]
        assert said[2:] == ["2 rows", "[1,2]", "see", "OSError"]
        waits = called(target, mode, "refund", {"order": "9"})
        assert waits.is_placeholder

    if transport == "stdio":
        arguments = ["-W", "ignore", str(SCRIPT), package, "stdio"]
        talk(mcp.StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ)))
    else:
        with processes.serving(SCRIPT, package, "http") as url:
            talk(url)


CLIENT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


def posted(url: str, **params: Any) -> dict[str, Any]:
    """Send a call as it is, past every client, and read its result."""
    params = {"name": "refund", "arguments": {"order": "7"}, "_meta": CLIENT, **params}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "refund",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    text = httpx.post(url, json=body, headers=headers, timeout=60).text
    events = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
    found: dict[str, Any] = json.loads(events[-1] if events else text)["result"]
    return found


@each_package
def test_a_state_that_passes_the_seal_by_another_name_is_refused(package):
    forged = Request.approval("Refund?", id="x", arguments={"order": "7", "amount": 1})
    state = json.dumps({"call": "c", "request": forged.to_wire(), "answers": []})
    with processes.serving(SCRIPT, package, "http") as url:
        asked = posted(url)
        ((key, _),) = asked["inputRequests"].items()
        for more in (
            {"input_responses": {"x": YES}, "request_state": state},
            {"inputResponses": {"x": YES}, "request_state": state},
            {"inputResponses": {"x": YES, key: YES}, "request_state": state, "requestState": asked["requestState"]},
            {"input_responses": {key: YES}, "requestState": asked["requestState"]},
            {"input_responses": {key: YES}},
        ):
            said = posted(url, **more)
            assert "REFUNDED" not in json.dumps(said) or "requestState" in more
            if package == "fastmcp":
                assert said["_meta"][REFUSED] == "unknown_id"
        done = posted(url, inputResponses={key: YES}, requestState=asked["requestState"])
    assert "REFUNDED 7 1" in json.dumps(done) or package == "mcp"


def test_a_state_whose_way_is_not_known_is_refused():
    class Strange(fastmcp.Context):
        request_state = "{}"
        input_responses = None
        request_context = SimpleNamespace()
        session = SimpleNamespace(protocol_version="2026-07-28")

    result = asyncio.run(mcp_tool(mcp_tool_server.refund)(order="7", mcp_context=object.__new__(Strange)))
    assert result.meta[REFUSED] == "unknown_id"


@each_connection
@pytest.mark.parametrize("transport", ["in one process", "http"])
def test_through_the_client_of_fastmcp(mode, version, transport):
    async def answer(_message: str, _type: Any, _params: Any, _context: Any) -> Any:
        return {"approved": True}

    def talk(target: Any) -> None:
        async def work() -> Any:
            async with fastmcp.Client(target, mode=mode, elicitation_handler=answer) as client:
                return await client.call_tool("refund", {"order": "7"}, raise_on_error=False)

        assert run(work).content[0].text == "REFUNDED 7 1"

    if transport == "http":
        with processes.serving(SCRIPT, "fastmcp", "http") as url:
            talk(url)
    else:
        talk(mcp_tool_server.server_of_fastmcp())


@every
@pytest.mark.parametrize("content", [{}, None], ids=str)
def test_the_tool_gets_the_defaults_of_the_form(package, mode, version, content):
    server = mcp_tool_server.SERVERS[package]()
    unit = {"type": "string", "enum": ["C", "F"], "default": "C"}

    def weather(answer: Answer | None = None) -> ToolResult:
        if answer is None:
            return ToolResult.pending(Request.input("Unit?", schema={"type": "object", "properties": {"unit": unit}}))
        return ToolResult.ok(answer.data["unit"])

    server.add_tool(mcp_tool(weather)) if package == "mcp" else server.tool(mcp_tool(weather))
    reply = {"action": "accept", **({} if content is None else {"content": content})}
    assert called(target_of(server), mode, "weather", {}, replying(reply)).output == "C"


@pytest.mark.parametrize("name", ["answer", "answers"])
def test_an_answer_without_annotation_is_no_parameter_of_a_tool(name):
    space: dict[str, Any] = {"ToolResult": ToolResult}
    exec(f"def tool({name}=None): return ToolResult()", space)
    with pytest.raises(TypeError, match=rf"^{name}: a model would fill it in"):
        mcp_tool(space["tool"])
