"""A server of the `mcp` package whose tools return results of ours, in this process or over stdio as a script."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types
from mcp.server import Server
from mcp.server.stdio import stdio_server

from toolresult import ContentPart, Request, ToolResult
from toolresult.adapters import answer_from_mcp, to_mcp, to_mcp_elicitation, with_mcp_meta

PNG = b"\x89PNG\r\n\x1a\n-picture"
ASK = Request.approval("Refund 10 EUR?", id="r1")
LOGIN = Request.authorization("https://h.test/login", "Log in", id="r2")

RESULTS = {
    "text": ToolResult("It is sunny. ü😀"),
    "nothing": ToolResult(),
    "data": with_mcp_meta(ToolResult.json({"rows": [1, 2.5, None, "x"]}), {"com.example/a": {"b": [None]}}),
    "list": ToolResult.json([1, 2]),
    "error": ToolResult.error("no such row"),
    "media": ToolResult.ok(
        "see",
        parts=[
            ContentPart.image(PNG, name="a.png", metadata={"audience": ["user", "assistant"]}),
            ContentPart("audio", data=b"ID3", mime_type="audio/mpeg", metadata={"annotations": {"priority": 0.5}}),
            ContentPart("video", data=b"film", mime_type="video/mp4", name="f.mp4"),
            ContentPart.file(b"%PDF-1.7 page", name="r.pdf", metadata={"mcp": {"_meta": {"a": 1}}}),
            ContentPart.file(b"a,b\n1,2", mime_type="text/csv"),
            ContentPart("image", url="https://h.test/a.png"),
            ContentPart.from_file_id("f1", type="file", provider="openai"),
            ContentPart.from_text("# x", mime_type="text/markdown", metadata={"mcp": {"uri": "docs:x"}}),
            ContentPart.from_text("card 4242", metadata={"audience": ["user"]}),
        ],
    ),
}


async def list_tools(_context: Any, _params: Any) -> mcp_types.ListToolsResult:
    names = [*RESULTS, "refund", "login"]
    return mcp_types.ListToolsResult(
        tools=[mcp_types.Tool(name=name, input_schema={"type": "object"}) for name in names]
    )


async def call_tool(
    context: Any, params: mcp_types.CallToolRequestParams
) -> mcp_types.CallToolResult | mcp_types.InputRequiredResult:
    version = context.protocol_version
    if params.name in RESULTS:
        return mcp_types.CallToolResult.model_validate(to_mcp(RESULTS[params.name], version=version), by_name=False)
    request = ASK if params.name == "refund" else LOGIN
    if version == "2026-07-28":
        response = (params.input_responses or {}).get(request.id)
        if response is None:
            return mcp_types.InputRequiredResult.model_validate(to_mcp(ToolResult.pending(request)), by_name=False)
    else:
        asked = mcp_types.ElicitRequest.model_validate({"params": to_mcp_elicitation(request, version=version)})
        response = await context.session.send_request(asked, mcp_types.ElicitResult)
    answer = answer_from_mcp(request, response)
    said = ToolResult("Refunded.") if answer else answer.to_result()
    return mcp_types.CallToolResult.model_validate(to_mcp(said, version=version), by_name=False)


server: Server[Any] = Server("results", on_list_tools=list_tools, on_call_tool=call_tool)


async def main() -> None:
    """Serve over stdio."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
