"""What gets out of a tool's result through frameworks that know nothing of it: the text for the model, nothing else."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from fastmcp import Client as FastClient
from fastmcp import FastMCP
from mcp import Client
from mcp.server.mcpserver import MCPServer
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from toolresult import ContentPart, Request, ToolResult
from toolresult.wire import Stored

pytestmark = pytest.mark.filterwarnings("ignore:pydantic wrote a ToolResult as its text")

IMAGE = ContentPart("image", data=b"\x89PNG\r\n\x1a\nPIXELS-OF-A-PICTURE", mime_type="image/png")
SECRETS = ["SECRET", "VALUE", "PRIVATE", "TOKEN", "PIXELS", IMAGE.base64(), IMAGE.base64()[12:24]]


def make() -> ToolResult:
    private = ContentPart.from_text("PRIVATE", metadata={"audience": ["user"]})
    return ToolResult.ok("2 rows", value={"v": "VALUE"}, parts=[IMAGE, private], metadata={"key": "SECRET"})


def declared() -> ToolResult:
    return make()


def several() -> list[ToolResult]:
    return [make(), make()]


def anything() -> Any:
    return make()


def undeclared():
    return make()


def perhaps() -> ToolResult | None:
    return make()


def by_name() -> dict[str, ToolResult]:
    return {"first": make()}


def either() -> ToolResult | str:
    return make()


def part() -> ContentPart:
    return IMAGE


def pending() -> ToolResult:
    return ToolResult.pending(Request.authorization("https://h.test/login?t=TOKEN", "Log in"))


def request() -> Request:
    return Request.approval("Refund?", arguments={"account": "SECRET"})


def failed() -> ToolResult:
    return ToolResult.error("no such table", value={"v": "VALUE"}, metadata={"key": "SECRET"})


TOOLS = [declared, several, anything, undeclared, perhaps, by_name, either, part, pending, request, failed]
SEEN = {
    "part": ["image (image/png, 27 bytes)"],
    "pending": ["not executed", "Log in"],
    "request": ["not executed", "Refund?"],
    "failed": ["[tool error] no such table"],
}
each_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.__name__)


def check(tool, text: str) -> None:
    """Compare what somebody got with what the model should read, and with what it must not."""
    assert [secret for secret in SECRETS if secret in text] == []
    for seen in SEEN.get(tool.__name__, ["2 rows", "image (image/png, 27 bytes)"]):
        assert text.count(seen) >= (2 if tool is several else 1)


@each_tool
def test_mcp_sends_the_text(tool):
    server = MCPServer("server")
    server.add_tool(tool)

    async def call() -> tuple[Any, Any]:
        async with Client(server) as client:
            return await client.list_tools(), await client.call_tool(tool.__name__, {})

    tools, result = asyncio.run(call())
    assert not result.is_error
    assert tools.tools[0].output_schema is None
    assert result.structured_content is None
    check(tool, "\n".join(json.dumps(block.text) for block in result.content))
    check(tool, result.model_dump_json())


@each_tool
def test_fastmcp_sends_the_text_as_content_and_as_structure(tool):
    server = FastMCP("server")
    server.tool(tool)

    async def call() -> tuple[Any, Any]:
        async with FastClient(server) as client:
            return await client.list_tools(), await client.call_tool(tool.__name__, {})

    tools, result = asyncio.run(call())
    assert not result.is_error
    check(tool, json.dumps([block.text for block in result.content]))
    if result.structured_content is not None:
        check(tool, json.dumps(result.structured_content))
    shown = tools[0].model_dump_json()
    assert "isError" not in shown
    assert "is_error" not in shown


@each_tool
def test_pydantic_ai_gives_the_model_the_text(tool):
    seen: list[Any] = []

    def model(messages: list[Any], _: Any) -> ModelResponse:
        seen.append(messages)
        if len(seen) == 1:
            return ModelResponse(parts=[ToolCallPart(tool.__name__, {}, tool_call_id="call_1")])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(FunctionModel(model))
    agent.tool_plain(tool)
    history = asyncio.run(agent.run("go")).all_messages_json().decode()
    (returned,) = seen[-1][-1].parts
    check(tool, json.dumps(returned.model_response_str()))
    check(tool, json.dumps(returned.model_response_object()))
    check(tool, history)


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool is not undeclared], ids=lambda tool: tool.__name__)
def test_fastapi_answers_with_the_text_on_a_declared_route(tool):
    app = FastAPI()
    app.get("/")(tool)
    with TestClient(app) as client:
        response = client.get("/")
        described = client.get("/openapi.json").json()
    assert response.status_code == 200
    check(tool, response.text)
    assert "isError" not in json.dumps(described)


def test_fastapi_reads_and_writes_the_wire_form_where_a_route_says_stored():
    app = FastAPI()

    @app.post("/")
    def store(result: Annotated[ToolResult, Stored]) -> Annotated[ToolResult, Stored]:
        return result

    with TestClient(app) as client:
        assert client.post("/", json=make().to_wire()).json() == make().to_wire()
        assert client.post("/", json={"output": "x"}).status_code == 422
        described = json.dumps(client.get("/openapi.json").json())
    assert "isError" in described


def test_an_undeclared_fastapi_route_dumps_fields_and_a_declared_one_is_the_fix():
    app = FastAPI()

    @app.get("/undeclared")
    def leaking():
        return ToolResult.ok("x", metadata={"key": "SECRET"})

    @app.get("/declared")
    def fixed() -> ToolResult:
        return ToolResult.ok("x", metadata={"key": "SECRET"})

    with TestClient(app) as client:
        assert "SECRET" in client.get("/undeclared").text
        assert client.get("/declared").json() == "x"
