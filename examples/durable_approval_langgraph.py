"""The refund of `durable_approval.py` on LangGraph with its SQLite checkpointer: no process waits, each one ends.

    python examples/durable_approval_langgraph.py start call-1 1007 10   # refund 10 EUR for order 1007
    python examples/durable_approval_langgraph.py show call-1            # what it asks, or what became of it
    python examples/durable_approval_langgraph.py answer call-1 yes      # or: no
    python examples/durable_approval_langgraph.py go-on call-1           # after a crash, and when its time is up

LangGraph restarts nothing by itself: run `go-on` for every call that has not ended, now and then. All of it is kept in
the folder `durable-data`, or in the one that the environment variable DURABLE_DATA names.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.graph.state import CompiledStateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.types import Command, interrupt

from toolresult import Answer, AnswerError, ContentPart, Request, ToolResult, tool_result

DATA = Path(os.environ.get("DURABLE_DATA", "durable-data"))
PATIENCE = timedelta(days=30)

# All four, since a result holds parts and requests: what is not listed comes back as a dict, and nothing is raised.
SERIALIZER = JsonPlusSerializer(allowed_msgpack_modules=[ToolResult, ContentPart, Request, Answer])


# The tool. It knows no engine: a call comes with its id, which stays the same however often the call is made again.


@tool_result
def refund(order: str, amount: int, *, call_id: str, answer: Answer | None = None) -> ToolResult:
    """Pay an order back once, if a person agrees."""
    if answer is None:
        request = Request.approval(
            f"Refund {amount} EUR for order {order}?",
            id=f"{call_id}:0",
            arguments={"order": order, "amount": amount},
            expires_at=datetime.now(UTC) + PATIENCE,
        )
        return ToolResult.pending(request)
    with refunds() as table:  # an engine runs this at least once; the key makes that once
        table.execute("INSERT OR IGNORE INTO refunds VALUES (?, ?, ?)", (call_id, order, amount))
    return ToolResult.ok(f"Refunded {amount} EUR for order {order}.", value={"order": order, "amount": amount})


@contextmanager
def refunds() -> Generator[sqlite3.Connection]:
    """Stand for a payment provider that takes an idempotency key: one refund for each."""
    with closing(sqlite3.connect(DATA / "refunds.sqlite", timeout=60)) as connection, connection:
        connection.execute("CREATE TABLE IF NOT EXISTS refunds (key TEXT PRIMARY KEY, ordered TEXT, amount INTEGER)")
        yield connection


TOOLS: dict[str, Callable[..., ToolResult]] = {"refund": refund}


# The graph. The state types stand at the top of the module, since their annotations are read when it is built.


class Call(TypedDict):
    """The state of a call, stored after each node."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    result: ToolResult | None
    answer: Answer | None


def call_tool(state: Call) -> dict[str, ToolResult]:
    """Call the tool. If the process ends before the state is stored, the tool is called again."""
    tool = TOOLS[state["name"]]
    return {"result": tool(**state["arguments"], call_id=state["call_id"], answer=state["answer"])}


def wait(state: Call) -> dict[str, Answer]:
    """Ask. This node runs again from its top when the answer is there, so nothing else is in it."""
    return {"answer": interrupt(state["result"] and state["result"].request)}


def asks(state: Call) -> bool:
    """Tell a result that asks from one that has ended."""
    return state["result"] is not None and state["result"].is_pending


Graph = CompiledStateGraph[Call, None, Call, Call]


@contextmanager
def graph() -> Generator[Graph]:
    """Open the checkpoints, for one process at a time: two that resume the same call both run its tool."""
    DATA.mkdir(parents=True, exist_ok=True)
    with (
        closing(sqlite3.connect(DATA / "lock.sqlite", timeout=60, isolation_level=None)) as lock,
        closing(sqlite3.connect(DATA / "checkpoints.sqlite", check_same_thread=False)) as connection,
    ):
        lock.execute("BEGIN EXCLUSIVE")  # ends with the process, however that ends
        builder: Any = StateGraph(Call)  # its own annotations are incomplete
        builder.add_node(call_tool)
        builder.add_node(wait)
        builder.add_edge(START, "call_tool")
        builder.add_conditional_edges("call_tool", asks, {True: "wait", False: END})
        builder.add_edge("wait", "call_tool")
        yield builder.compile(SqliteSaver(connection, serde=SERIALIZER))


def thread(call_id: str) -> RunnableConfig:
    """Name the call for LangGraph."""
    return {"configurable": {"thread_id": call_id}}


def run(graph: Graph, call_id: str, step: Call | Command[Any] | None) -> None:
    """Go on until the call asks or ends. With `sync`, each state is on disk before the next node runs."""
    graph.invoke(step, thread(call_id), durability="sync")  # pyright: ignore[reportUnknownMemberType]


def asked(graph: Graph, call_id: str) -> Request | None:
    """Read what a call asks, as it was stored."""
    interrupts = graph.get_state(thread(call_id)).interrupts
    return interrupts[0].value if interrupts else None


def told(graph: Graph, call_id: str) -> str:
    """Say what a call asks, or what became of it."""
    state = graph.get_state(thread(call_id))
    if not state.values:
        return f"There is no call {call_id}"
    if (request := asked(graph, call_id)) is not None:
        return f"{call_id} asks: {request.prompt} (yes/no)"
    return f"{call_id} has stopped: run go-on" if state.next else f"{call_id} has ended: {state.values['result']}"


def start(call_id: str, order: str, amount: int) -> None:
    """Begin a call, if there is none of that id."""
    with graph() as calls:
        if not calls.get_state(thread(call_id)).values:
            arguments = {"order": order, "amount": amount}
            run(calls, call_id, Call(call_id=call_id, name="refund", arguments=arguments, result=None, answer=None))
        print(told(calls, call_id))


def show(call_id: str) -> None:
    """Say what a call asks, or what became of it."""
    with graph() as calls:
        print(told(calls, call_id))


def answer(call_id: str, said: str) -> None:
    """Answer a call, if it asks: check what was said against the stored request, and go on."""
    with graph() as calls:
        request = asked(calls, call_id)
        if request is None:
            raise SystemExit(f"{call_id} asks nothing")
        given = request.accept() if said == "yes" else request.decline()
        try:
            checked = request.check(given, arguments=calls.get_state(thread(call_id)).values["arguments"])
        except AnswerError as refused:
            raise SystemExit(f"{call_id} is not answered: {refused}") from None
        run(calls, call_id, Command(resume=checked))
        print(told(calls, call_id))


def go_on(call_id: str) -> None:
    """Go on after a crash, or with the answer that the time is up."""
    with graph() as calls:
        request = asked(calls, call_id)
        if request is not None and request.is_expired():
            run(calls, call_id, Command(resume=request.expire()))
        elif request is None and calls.get_state(thread(call_id)).next:
            run(calls, call_id, None)
        print(told(calls, call_id))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(run=parser.print_help)
    commands = parser.add_subparsers()
    for name, function in {"start": start, "show": show, "answer": answer, "go-on": go_on}.items():
        command = commands.add_parser(name, help=function.__doc__)
        command.set_defaults(run=function)
        command.add_argument("call_id")
    commands.choices["start"].add_argument("order")
    commands.choices["start"].add_argument("amount", type=int)
    commands.choices["answer"].add_argument("said", choices=["yes", "no"])
    options = vars(parser.parse_args())
    options.pop("run")(**options)


if __name__ == "__main__":
    main()
