"""A client of the `mcp` package that calls the tools of `mcp_server.py`, and what each provider would get of it.

Run it with `python examples/mcp_client.py`, which starts the server, or give it the address of one that runs:
`python examples/mcp_client.py http://127.0.0.1:8000/mcp`. One tool asks whether it may go on: say yes or no.
With `--old` it speaks the protocol of 2025, where the server asks during the call.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.to_thread import run_sync
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult
from one_turn_every_provider import ADAPTERS, shortened

from toolresult import ToolResult
from toolresult.adapters import CallResult, from_mcp

SERVER = Path(__file__).with_name("mcp_server.py")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("count_orders", {}),
    ("draw_chart", {}),
    ("region_total", {"region": "Atlantis"}),
    ("refund", {"order": "1007", "amount": 10}),
]


async def ask(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001
    """Put what a tool asks to the person at the terminal, who may also close it."""
    print(f"The server asks: {params.message} (yes/no) ", end="", flush=True)
    try:
        said = await run_sync(input)
    except EOFError:
        return ElicitResult(action="cancel")
    if said.strip() != "yes":
        return ElicitResult(action="decline")
    return ElicitResult(action="accept", content={"approved": True})


def report(name: str, result: ToolResult) -> None:
    """Print what a model reads of a result, and what each provider would be sent."""
    print(f"{name}: {result}")
    if result.value is not None:
        print(f"  value: {json.dumps(result.value)}")
    for provider, to_provider in ADAPTERS.items():
        messages = to_provider([CallResult("call00001", result, name)])
        print(f"  {provider}: {json.dumps(shortened(messages))}")


async def talk(target: str | StdioServerParameters, mode: str) -> None:
    """Call every tool."""
    async with Client(target, mode=mode, elicitation_callback=ask) as client:
        print(f"MCP {client.protocol_version}")
        for name, arguments in CALLS:
            report(name, from_mcp(await client.call_tool(name, arguments)))


def main() -> None:
    """Talk to a server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="?", help="the address of a server; without it one is started")
    parser.add_argument("--old", action="store_true", help="speak the protocol of 2025")
    options = parser.parse_args()
    started = StdioServerParameters(command=sys.executable, args=[str(SERVER)], env=dict(os.environ))
    anyio.run(partial(talk, options.url or started, "legacy" if options.old else "auto"))


if __name__ == "__main__":
    main()
