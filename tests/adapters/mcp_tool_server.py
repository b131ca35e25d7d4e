"""Servers of `mcp` and of `fastmcp` whose tools are made by `mcp_tool`; as a script, over stdio or HTTP on loopback."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fastmcp import FastMCP
from mcp.server.mcpserver import MCPServer

from toolresult import Answer, ContentPart, Request, Suspend, ToolResult, tool_result
from toolresult.adapters import mcp_tool

PNG = b"\x89PNG\r\n\x1a\n-picture"
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NESTED = {"type": "object", "properties": {"name": {"type": "object", "properties": {}}}}
RUNS: list[str] = []
"""What was executed in this process."""


def refund(order: str, amount: int = 1, answer: Answer | None = None) -> ToolResult:
    """Refund an order."""
    if answer is None:
        return ToolResult.pending(Request.approval(f"Refund {amount} EUR for {order}?", arguments={"cents": amount}))
    RUNS.append(order)
    return ToolResult.ok(f"REFUNDED {order} {amount}")


@tool_result
async def refund_later(order: str, amount: int = 1, answer: Answer | None = None) -> ToolResult:
    """Refund an order."""
    return refund(order, amount, answer)


def rename(answer: Answer | None = None) -> ToolResult:
    """Ask for a name, by raising."""
    if answer is None:
        raise Suspend(Request.input("What name?", schema=NAME))
    return ToolResult.json(answer.data)


@tool_result
def two_questions(answers: Mapping[str, Answer] | None = None) -> ToolResult:
    """Ask twice."""
    given = answers or {}
    for key in ("first", "second"):
        if key not in given:
            return ToolResult.pending(Request.input(key, schema=NAME, id=key))
    RUNS.append("two")
    return ToolResult.json({key: answer.data["name"] for key, answer in given.items()})


def too_late(answer: Answer | None = None) -> ToolResult:
    """Ask what nobody can answer in time."""
    if answer is None:
        return ToolResult.pending(Request.approval("Go?", expires_at=datetime(2026, 1, 1, tzinfo=UTC)))
    RUNS.append("late")
    return ToolResult("went")


def login(answer: Answer | None = None) -> ToolResult:
    """Ask to log in."""
    if answer is None:
        return ToolResult.pending(Request.authorization("https://h.test/login?token=s3cret", "Log in"))
    RUNS.append("login")
    return ToolResult("in")


def nested(answer: Answer | None = None) -> ToolResult:
    """Ask what MCP has no form for."""
    return ToolResult("ran") if answer else ToolResult.pending(Request.input("Deep?", schema=NESTED))


def relayed() -> ToolResult:
    """Wait for what no answer reaches."""
    return ToolResult.pending(Request.approval("Elsewhere?"))


def endless(answer: Answer | None = None) -> ToolResult:
    """Ask again and again."""
    return ToolResult.pending(Request.approval(f"Sure, after {answer is not None}?"))


@tool_result(sees_declines=True)
def sees_declines(answer: Answer | None = None) -> ToolResult:
    """See why not."""
    return ToolResult.pending(Request.approval("Go?")) if answer is None else ToolResult(f"saw {answer.reason}")


def text() -> ToolResult:
    """Return text and a value."""
    return ToolResult.ok("2 rows", value={"rows": 2})


def listed() -> ToolResult:
    """Return a list."""
    return ToolResult.json([1, 2])


def picture() -> ToolResult:
    """Return a picture."""
    return ToolResult.ok("see", parts=[ContentPart.image(PNG, name="a.png")])


def fails() -> ToolResult:
    """Fail."""
    raise OSError("s3cret")


TOOLS: list[Any] = [refund, refund_later, rename, two_questions, too_late, login, nested, relayed, endless]
TOOLS += [sees_declines, text, listed, picture, fails]


def server_of_mcp() -> MCPServer:
    server = MCPServer("tools")
    for tool in TOOLS:
        server.add_tool(mcp_tool(tool))
    return server


def server_of_fastmcp() -> FastMCP:
    server = FastMCP("tools")
    for tool in TOOLS:
        server.tool(mcp_tool(tool))
    return server


def main(package: str, transport: str) -> None:
    """Serve; over HTTP at a port that the system draws and the server names on stderr."""
    server: Any = SERVERS[package]()
    options: dict[str, Any] = {"show_banner": False} if package == "fastmcp" else {}
    if transport == "http":
        options |= {"host": "127.0.0.1", "port": 0}
    server.run("stdio" if transport == "stdio" else "streamable-http", **options)


SERVERS = {"mcp": server_of_mcp, "fastmcp": server_of_fastmcp}

if __name__ == "__main__":
    main(*sys.argv[1:])
