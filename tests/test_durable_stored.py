"""What engines store: every type comes back from DBOS and LangGraph as it was, from rows of version 0.1.0 too."""

from __future__ import annotations

import base64
import importlib.util
import json
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.serde import jsonplus
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from tests.test_stored import VALUES

from toolresult import Answer, ContentPart, Request, ToolResult, wire
from toolresult._frozen import FrozenDict

ROOT = Path(__file__).parent.parent
DBOS_VALUES = ROOT / "tests" / "durable" / "values.py"
GOLDEN_DBOS = json.loads((ROOT / "tests" / "golden" / "dbos.json").read_text(encoding="utf-8"))
GOLDEN_LANGGRAPH = json.loads((ROOT / "tests" / "golden" / "langgraph.json").read_text(encoding="utf-8"))

each_value = pytest.mark.parametrize("name", VALUES)


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


on_dbos, on_langgraph = example("durable_approval"), example("durable_approval_langgraph")


def check(loaded, value):
    """Equal, of the same type, and as immutable as before."""
    assert loaded == value
    assert type(loaded) is type(value)
    assert hash(loaded) == hash(value)
    for field in value.__dataclass_fields__:
        with pytest.raises(AttributeError):
            setattr(loaded, field, None)
        assert type(getattr(loaded, field)) is type(getattr(value, field))
        if type(getattr(value, field)) is FrozenDict:
            with pytest.raises(TypeError):
                getattr(loaded, field)["new"] = 1


@pytest.mark.parametrize("codec", ["toolresult", "py_pickle"])
def test_dbos(codec, tmp_path):
    database = tmp_path / "dbos.sqlite"
    url = f"sqlite:///{database}"
    command = [sys.executable, "-W", "ignore", str(DBOS_VALUES), url, codec]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT DISTINCT serialization FROM workflow_status").fetchall() == [(codec,)]
        outputs = dict(connection.execute("SELECT workflow_uuid, output FROM workflow_output"))
    holds_pickles = b"gASV" in b"".join(path.read_bytes() for path in tmp_path.iterdir())  # how their base64 begins
    assert holds_pickles == (codec == "py_pickle")
    if codec == "toolresult":
        assert {name: wire.loads(text)["value"] for name, text in outputs.items()} == VALUES
    # Each row names its codec: a client that is configured with ours reads pickles too.
    client = on_dbos.DBOSClient(system_database_url=url, serializer=on_dbos.WireSerializer())
    try:
        for name, value in VALUES.items():
            status = client.retrieve_workflow(name).get_status()
            check(status.output, value)
            check(status.input["args"][0], value)
            check(client.get_event(name, "value", timeout_seconds=0), value)
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE workflow_output SET output = NULL")
            for name, stored in GOLDEN_DBOS[codec].items():
                connection.execute("UPDATE workflow_output SET output = ? WHERE workflow_uuid = ?", (stored, name))
        for name, value in VALUES.items():
            check(client.retrieve_workflow(name).get_status().output, value)
        # So no codec protects from somebody who can write such a row.
        event = (GOLDEN_DBOS["py_pickle"]["part"], "py_pickle")
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE workflow_events SET value = ?, serialization = ?", event)
        check(client.get_event("answer", "value", timeout_seconds=0), VALUES["part"])
    finally:
        client.destroy()


def test_the_codec_for_dbos_writes_an_exception_as_text_and_cannot_be_misled():
    codec = on_dbos.WireSerializer()
    read = codec.deserialize(codec.serialize(ValueError("no such order")))
    assert type(read) is RuntimeError
    assert str(read) == "ValueError: no such order"
    for data in ({"raised": "x"}, {"value": 1}, {"$toolresult": ["Answer", {}]}, None, [1, {"a": None}]):
        assert codec.deserialize(codec.serialize(data)) == data


@each_value
def test_langgraph_with_all_types_allowed(name):
    serializer = on_langgraph.SERIALIZER
    stored = serializer.dumps_typed(VALUES[name])
    assert stored[0] == "msgpack"
    check(serializer.loads_typed(stored), VALUES[name])
    check(serializer.loads_typed(serializer.dumps_typed({"values": [VALUES[name]]}))["values"][0], VALUES[name])
    check(serializer.loads_typed(("msgpack", base64.b64decode(GOLDEN_LANGGRAPH[name]))), VALUES[name])


@each_value
def test_langgraph_with_nothing_allowed_gives_a_dict(name):
    strict = JsonPlusSerializer(allowed_msgpack_modules=None)
    loaded = strict.loads_typed(on_langgraph.SERIALIZER.dumps_typed(VALUES[name]))
    assert type(loaded) is dict
    assert set(loaded) == set(VALUES[name].__dataclass_fields__)


@each_value
def test_langgraph_with_results_allowed_only_gives_a_whole_result_or_a_dict(name):
    partial = JsonPlusSerializer(allowed_msgpack_modules=[ToolResult])
    loaded = partial.loads_typed(on_langgraph.SERIALIZER.dumps_typed(VALUES[name]))
    if name == "error":  # nothing else is in it
        check(loaded, VALUES[name])
    else:  # also a result that holds a part or a request: the constructor refuses a dict in its place
        assert type(loaded) is dict


@each_value
def test_langgraph_allows_everything_by_default_and_logs_it(name, caplog, monkeypatch):
    monkeypatch.setattr(jsonplus, "_warned_unregistered_types", set())
    check(JsonPlusSerializer().loads_typed(on_langgraph.SERIALIZER.dumps_typed(VALUES[name])), VALUES[name])
    assert "will be blocked in a future version" in caplog.text


def test_an_answer_that_langgraph_does_not_know_approves_nothing():
    strict = JsonPlusSerializer(allowed_msgpack_modules=None)
    request = VALUES["request"]
    for answer in (request.accept(), request.decline()):
        loaded = strict.loads_typed(strict.dumps_typed(answer))
        assert loaded  # a dict, which is true, for a no as well
        refused = on_langgraph.refund("1007", 10, call_id="call-1", answer=loaded)
        assert refused.error_code == "answer"
        with pytest.raises(TypeError):
            request.check(loaded, arguments=request.data["arguments"])


class State(TypedDict):
    values: dict[str, Any]
    answer: Answer | None


def ask(_state):
    return {"answer": interrupt(VALUES["request"])}


@contextmanager
def asking_graph(path):
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        builder = StateGraph(State)
        builder.add_node(ask)
        builder.add_edge(START, "ask")
        builder.add_edge("ask", END)
        yield builder.compile(SqliteSaver(connection, serde=on_langgraph.SERIALIZER))


def test_langgraph_keeps_every_type_in_its_database_as_state_as_question_and_as_answer(tmp_path):
    thread = {"configurable": {"thread_id": "call-1"}}
    answer = VALUES["request"].accept({"rooms": ["A"]})
    with asking_graph(tmp_path / "db") as graph:
        graph.invoke({"values": VALUES, "answer": None}, thread, durability="sync")
    with asking_graph(tmp_path / "db") as graph:
        check(graph.get_state(thread).interrupts[0].value, VALUES["request"])
        graph.invoke(Command(resume=answer), thread, durability="sync")
    with asking_graph(tmp_path / "db") as graph:
        state = graph.get_state(thread)
    assert state.next == ()
    check(state.values["answer"], answer)
    for name, value in VALUES.items():
        check(state.values["values"][name], value)


def test_the_allow_list_of_the_example_names_every_type():
    names = {(kind.__module__, kind.__name__) for kind in (ToolResult, ContentPart, Request, Answer)}
    assert names <= on_langgraph.SERIALIZER._allowed_msgpack_modules
