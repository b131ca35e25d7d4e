"""Results and questions through the real client and server of the `mcp` package, in this process and over stdio."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import fastmcp
import fastmcp.tools
import mcp
import mcp_types
import pytest
from tests.adapters.mcp_server import ASK, LOGIN, RESULTS, server

from toolresult import ToolResult
from toolresult.adapters import from_mcp, from_mcp_input_required, mcp_meta, to_mcp, with_mcp_meta

SCRIPT = mcp.StdioServerParameters(
    command=sys.executable, args=["-W", "ignore", str(Path(__file__).with_name("mcp_server.py"))], env=dict(os.environ)
)
SERVER_INFO = mcp_types.SERVER_INFO_META_KEY
"""Under it a server of 2026-07-28 says in the `_meta` of every result what it is."""

CONNECTIONS = [
    pytest.param(server, "auto", "2026-07-28", id="in one process"),
    pytest.param(server, "legacy", "2025-11-25", id="in one process, old"),
    pytest.param(SCRIPT, "auto", "2026-07-28", id="stdio"),
    pytest.param(SCRIPT, "legacy", "2025-11-25", id="stdio, old"),
]


def call(target: Any, mode: str, names: list[str], **options: Any) -> tuple[str, list[Any]]:
    async def called() -> tuple[str, list[Any]]:
        async with mcp.Client(target, mode=mode, **options) as client:
            return client.protocol_version, [await client.call_tool(name) for name in names]

    return asyncio.run(asyncio.wait_for(called(), 60))


@pytest.mark.parametrize(("target", "mode", "version"), CONNECTIONS)
def test_a_result_arrives_as_it_was(target, mode, version):
    spoken, arrived = call(target, mode, [*RESULTS])
    assert spoken == version
    for name, found in zip(RESULTS, arrived, strict=True):
        sent, back = RESULTS[name], from_mcp(found)
        assert back.content == sent.content, name
        assert (back.is_error, back.value) == (sent.is_error, sent.value), name
        meta = dict(mcp_meta(back) or {})
        assert (SERVER_INFO in meta) == (version == "2026-07-28"), name
        meta.pop(SERVER_INFO, None)
        assert meta == (mcp_meta(sent) or {}), name
        assert to_mcp(with_mcp_meta(back, meta or None), version=version) == to_mcp(sent, version=version), name


REPLIES = {
    "yes": ({"action": "accept", "content": {"approved": True}}, "Refunded."),
    "no": ({"action": "accept", "content": {"approved": False}}, "Not executed: declined by the user."),
    "declined": ({"action": "decline"}, "Not executed: declined by the user."),
    "cancelled": ({"action": "cancel"}, "Not executed: cancelled by the user."),
}


@pytest.mark.parametrize(("target", "mode", "version"), CONNECTIONS)
@pytest.mark.parametrize(("reply", "said"), REPLIES.values(), ids=REPLIES)
def test_a_question_is_asked_and_answered(target, mode, version, reply, said):
    asked: list[Any] = []

    async def answer(_context: Any, params: Any) -> mcp_types.ElicitResult:
        asked.append(params)
        return mcp_types.ElicitResult(**reply)

    _, (found,) = call(target, mode, ["refund"], elicitation_callback=answer)
    result = from_mcp(found)
    assert (result.output, result.is_error) == (said, said != "Refunded.")
    (params,) = asked
    assert (params.mode, params.message) == ("form", ASK.prompt)
    assert [*params.requested_schema["properties"]] == ["approved"]


@pytest.mark.parametrize(("target", "mode", "version"), CONNECTIONS)
def test_a_link_that_was_opened_approves_nothing(target, mode, version):
    asked: list[Any] = []

    async def answer(_context: Any, params: Any) -> mcp_types.ElicitResult:
        asked.append(params)
        return mcp_types.ElicitResult(action="accept")

    _, (found,) = call(target, mode, ["login"], elicitation_callback=answer)
    assert from_mcp(found).output == "Not executed: not approved."
    assert [(params.mode, params.url) for params in asked] == [("url", LOGIN.url)]


def test_a_client_that_does_not_answer_by_itself_sees_what_is_asked():
    async def called() -> Any:
        async def never(_context: Any, _params: Any) -> Any:
            raise AssertionError

        async with mcp.Client(server, elicitation_callback=never) as client:
            return await client.session.call_tool("refund", {}, allow_input_required=True)

    found = asyncio.run(called())
    assert with_mcp_meta(from_mcp(found), None) == ToolResult.pending(ASK)
    assert from_mcp_input_required(found).requests == {"r1": ASK}


def test_results_of_a_server_of_fastmcp_are_read_and_go_on():
    serving = fastmcp.FastMCP("results")

    @serving.tool
    def count() -> int:
        return 2

    @serving.tool
    def show() -> fastmcp.tools.ToolResult:
        sent = mcp_types.CallToolResult.model_validate(to_mcp(RESULTS["media"]), by_name=False)
        return fastmcp.tools.ToolResult(content=sent.content, meta=sent.meta)

    async def called() -> tuple[Any, Any, Any]:
        async with fastmcp.Client(serving) as client:
            counted = await client.call_tool_mcp("count", {})
            return await client.call_tool("count"), counted, await client.call_tool("show")

    parsed, counted, shown = asyncio.run(called())
    result = from_mcp(counted)
    assert (str(result), result.value) == ("2", {"result": 2})
    assert from_mcp(parsed) == result
    assert to_mcp(result) == counted.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert from_mcp(shown).content == RESULTS["media"].content
