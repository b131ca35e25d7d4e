"""A server of the `mcp` package with four tools: text with a value, a chart, an error, and one that asks a person.

Run it with `python examples/mcp_server.py` over stdio, as `mcp_client.py` does, or with
`python examples/mcp_server.py --http 8000` at http://127.0.0.1:8000/mcp.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from toolresult import Answer, Request, ToolError, ToolResult
from toolresult.adapters import mcp_tool

DATA = Path(__file__).parent / "data"
TOTALS = {"north": 70, "south": 50}

server = MCPServer("orders")


@server.tool()
@mcp_tool(structured=True)
def count_orders() -> ToolResult:
    """Count all orders."""
    return ToolResult.ok("120 orders in 2 regions", value={"orders": sum(TOTALS.values()), "regions": [*TOTALS]})


@server.tool()
@mcp_tool
def draw_chart() -> ToolResult:
    """Draw the sales."""
    return ToolResult.image("chart.png", output="Sales rose in the north.", root=DATA)


@server.tool()
@mcp_tool
def region_total(region: str) -> ToolResult:
    """Count the orders of a region."""
    if region not in TOTALS:
        raise ToolError(f"No such region: {region}. There are: {', '.join(TOTALS)}")
    return ToolResult.ok(f"{TOTALS[region]} orders")


@server.tool()
@mcp_tool
def refund(order: str, amount: int, answer: Answer | None = None) -> ToolResult:
    """Pay an order back, if a person agrees."""
    if answer is None:
        return ToolResult.pending(Request.approval(f"Refund {amount} EUR for order {order}?"))
    return ToolResult.ok(f"Refunded {amount} EUR for order {order}.")


def main() -> None:
    """Serve, over stdio unless a port is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--http", type=int, metavar="PORT", help="serve streamable HTTP on loopback; 0 draws a port")
    port: int | None = parser.parse_args().http
    if port is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=port)


if __name__ == "__main__":
    main()
