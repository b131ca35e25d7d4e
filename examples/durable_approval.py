"""A refund that waits for a person, for days if need be, on DBOS with SQLite: any process may be killed at any moment.

Start a worker with `python examples/durable_approval.py work`, and in other terminals:

    python examples/durable_approval.py start call-1 1007 10   # refund 10 EUR for order 1007
    python examples/durable_approval.py show call-1            # what it asks, or what became of it
    python examples/durable_approval.py answer call-1 yes      # or: no

Kill the worker whenever you like and start it again. All of it is kept in the folder `durable-data`, or in the one that
the environment variable DURABLE_DATA names. A second worker beside the first has a name of its own: `work worker-2`.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dbos import DBOS, DBOSClient, DBOSConfig, Serializer, error
from sqlalchemy import Engine, event

from toolresult import Answer, AnswerError, Request, ToolResult, tool_result, wire

DATA = Path(os.environ.get("DURABLE_DATA", "durable-data"))
DATABASE = f"sqlite:///{DATA.absolute() / 'dbos.sqlite'}"
PATIENCE = timedelta(days=30)
QUEUE = "tools"

if sqlite3.sqlite_version_info < (3, 42):  # from Python 3.12 on, DBOS 3.4 takes for granted that SQLite is newer

    @event.listens_for(Engine, "connect")
    def _with_milliseconds(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        """Give `unixepoch('subsec')`, which is NULL in an older SQLite, to each connection."""

        def unixepoch(_modifier: str) -> float:
            return time.time()

        if isinstance(connection, sqlite3.Connection):
            connection.create_function("unixepoch", 1, unixepoch)


class WireSerializer(Serializer):
    """Stores JSON in place of pickles. DBOS keeps the name of the codec in every row, and reads rows of pickles too."""

    def name(self) -> str:
        """Name the codec. The name is part of what is stored."""
        return "toolresult"

    def serialize(self, data: Any) -> str:
        """Write JSON types with our values in them; of an exception its class and its message."""
        if isinstance(data, BaseException):
            return wire.dumps({"raised": f"{type(data).__name__}: {data}"})
        return wire.dumps({"value": data})

    def deserialize(self, serialized_data: str) -> Any:
        """Read the same. Tuples come back as lists."""
        stored = wire.loads(serialized_data)
        return stored["value"] if "value" in stored else RuntimeError(stored["raised"])


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


# The loop. A step is recorded when it has ended, and then never runs again. Whatever looks at a clock is in a step.


@DBOS.step()
def call_tool(name: str, arguments: dict[str, Any], call_id: str, answer: Answer | None) -> ToolResult:
    """Call a tool. If the process ends before the result is recorded, the tool is called again."""
    return TOOLS[name](**arguments, call_id=call_id, answer=answer)


@DBOS.step()
def seconds_left(request: Request) -> float:
    """Say how long somebody may still answer."""
    if request.expires_at is None:
        return PATIENCE.total_seconds()
    return max(0.0, (request.expires_at - datetime.now(UTC)).total_seconds())


@DBOS.step()
def judge(request: Request, message: object, arguments: dict[str, Any]) -> Answer | None:
    """Hold what came against the stored request. That time is up is an answer too; anything wrong is none."""
    if not isinstance(message, Answer):
        return request.expire() if request.is_expired() else None
    try:
        return request.check(message, arguments=arguments)
    except AnswerError as refused:
        return request.expire() if refused.kind == "expired" else None


@DBOS.workflow(max_recovery_attempts=None)  # by default it is given up after 100 restarts
def run_tool(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call a tool until it no longer asks. After a restart this goes on where it was, in whatever process."""
    call_id = str(DBOS.workflow_id)
    result = call_tool(name, arguments, call_id, None)
    while (request := result.request) is not None:
        DBOS.set_event("request", request)
        answer = None
        while answer is None:  # each request has its own topic: no answer gets to another question
            answer = judge(request, DBOS.recv(request.id, timeout_seconds=seconds_left(request)), arguments)
        result = call_tool(name, arguments, call_id, answer)
    DBOS.set_event("request", None)
    return result


def work(executor: str) -> None:
    """Run calls until the process is killed. A worker takes up by itself what one of the same name left."""
    DATA.mkdir(parents=True, exist_ok=True)
    config: DBOSConfig = {
        "name": "durable-approval",
        "system_database_url": DATABASE,
        "application_version": "1",  # pinned: by default a change of a workflow's source leaves waiting calls behind
        "executor_id": executor,  # one for each process that is alive, and the same after its restart
        "serializer": WireSerializer(),
        "notification_listener_polling_interval_sec": 0.1,
        "log_level": "WARNING",
    }
    DBOS(config=config)
    DBOS.launch()
    DBOS.register_queue(QUEUE, polling_interval_sec=0.1)
    print(f"{executor} works", flush=True)
    threading.Event().wait()


# The other side: any process that reaches the database, such as a web page.


@contextmanager
def client() -> Generator[DBOSClient]:
    """Connect to the database, which the first worker makes."""
    connected = DBOSClient(system_database_url=DATABASE, serializer=WireSerializer())
    try:
        yield connected
    finally:
        connected.destroy()


def start(call_id: str, order: str, amount: int) -> None:
    """Hand a call to the workers; a second time with the same id, it is the same call."""
    with client() as connected:
        connected.enqueue(
            {"workflow_name": "run_tool", "queue_name": QUEUE, "workflow_id": call_id},
            "refund",
            {"order": order, "amount": amount},
        )
    print(f"{call_id} is started")


def show(call_id: str) -> None:
    """Say what a call asks, or what became of it."""
    with client() as connected:
        status = connected.retrieve_workflow(call_id).get_status()
        request = connected.get_event(call_id, "request", timeout_seconds=0)
    if status.status == "SUCCESS":
        print(f"{call_id} has ended: {status.output}")
    else:
        print(f"{call_id} asks: {request.prompt} (yes/no)" if request else f"{call_id} runs: {status.status}")


def answer(call_id: str, said: str) -> None:
    """Answer a call, if it asks. The check is made here, where somebody can be told, and again by the workflow."""
    with client() as connected:
        request: Request | None = connected.get_event(call_id, "request", timeout_seconds=0)
        if request is None or request.data is None:
            raise SystemExit(f"{call_id} asks nothing")
        given = request.accept() if said == "yes" else request.decline()
        try:
            request.check(given, arguments=request.data["arguments"])
        except AnswerError as refused:
            raise SystemExit(f"{call_id} is not answered: {refused}") from None
        # The first answer counts. A second one is not refused, it is never read.
        connected.send(call_id, given, topic=request.id, idempotency_key=request.id)
    print(f"{call_id} is answered: {said}")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(run=parser.print_help)
    commands = parser.add_subparsers()
    for run in (work, start, show, answer):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.set_defaults(run=run)
        if run is not work:
            command.add_argument("call_id")
    commands.choices["work"].add_argument("executor", nargs="?", default="worker-1", help="the name of this worker")
    commands.choices["start"].add_argument("order")
    commands.choices["start"].add_argument("amount", type=int)
    commands.choices["answer"].add_argument("said", choices=["yes", "no"])
    options = vars(parser.parse_args())
    try:
        options.pop("run")(**options)
    except error.DBOSNonExistentWorkflowError:
        raise SystemExit(f"There is no call {options['call_id']}") from None


if __name__ == "__main__":
    main()
