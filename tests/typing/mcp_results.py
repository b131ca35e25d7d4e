"""The types of MCP, and what the classes of the `mcp` package take. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, assert_type

from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ElicitResult, InputRequiredResult

from toolresult import Answer, Request, ToolResult, adapters, tool_result
from toolresult.adapters import InputRequired, Loss
from toolresult.adapters.mcp import VERSIONS, Version


def writing(result: ToolResult, version: Version, tell: Callable[[Loss], None]) -> CallToolResult:
    assert_type(adapters.to_mcp(result), dict[str, Any])
    adapters.to_mcp(result, version="2025-06-18", structured=True, on_loss=tell, on_pending="placeholder")
    adapters.to_mcp(result, version=version, structured=None, on_loss="raise")
    adapters.to_mcp(result, version=VERSIONS[0])
    return CallToolResult.model_validate(adapters.to_mcp(result))


def reading(found: CallToolResult, wire: dict[str, Any], tell: Callable[[Loss], None]) -> None:
    assert_type(adapters.from_mcp(found), ToolResult)
    assert_type(adapters.from_mcp(wire, on_loss=tell), ToolResult)
    assert_type(adapters.mcp_meta(adapters.from_mcp(wire)), Mapping[str, Any] | None)
    assert_type(adapters.with_mcp_meta(adapters.from_mcp(wire), {"a": 1}), ToolResult)


def asking(request: Request, found: InputRequiredResult) -> None:
    assert_type(adapters.to_mcp_elicitation(request, version="2025-11-25"), dict[str, Any])
    assert_type(adapters.to_mcp_input_required([request], "sealed"), dict[str, Any])
    asked = adapters.from_mcp_input_required(found)
    assert_type(asked, InputRequired)
    assert_type(asked.requests, dict[str, Request])
    assert_type(asked.state, str | None)
    adapters.to_mcp_input_required(*asked)
    assert_type(adapters.answer_from_mcp(request, ElicitResult(action="accept")), Answer)


def refused(result: ToolResult, request: Request) -> None:
    adapters.to_mcp(result, version="2024-11-05")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    adapters.to_mcp(result, "2025-11-25")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    adapters.to_mcp([result])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    adapters.to_mcp_input_required(request)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def now() -> bool:
    return True


def serving(
    claim: Callable[[str], bool], later: Callable[[str], Awaitable[bool]], tell: Callable[[Loss], None]
) -> None:
    server, fast = MCPServer("s"), FastMCP("s")

    @server.tool()
    @adapters.mcp_tool
    def one(order: str, answer: Answer | None = None) -> ToolResult:
        return ToolResult(order) if answer else ToolResult()

    @fast.tool
    @adapters.mcp_tool(claim=later, structured=True, on_loss=tell)
    @tool_result
    async def two(answers: Mapping[str, Answer] | None = None) -> ToolResult:
        return ToolResult(str(answers))

    server.add_tool(adapters.mcp_tool(claim=claim, on_loss="raise")(two))
    assert_type(adapters.mcp_tool(one), Callable[..., Coroutine[Any, Any, Any]])
    adapters.mcp_tool(claim="r1")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    adapters.mcp_tool(claim=now)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
