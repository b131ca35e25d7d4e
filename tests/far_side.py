"""Values that travel to other processes and threads, and what both sides check; all import this module by its name."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from datetime import UTC, datetime

import cloudpickle

from toolresult import Answer, ContentPart, Request, Suspend, ToolError, ToolResult
from toolresult._frozen import FrozenDict, FrozenList

TAGS = ("north", "south", "east", "west")


def values() -> dict[str, ToolResult | ContentPart | Request | Answer]:
    """Build one value of each kind, always equal ones. Sets and keys in them are found by hashes of this process."""
    part = ContentPart("image", data=b"\x89PNG" * 1000, mime_type="image/png", name="x.png", metadata={"page": [1]})
    request = Request(
        "approval",
        "Refund 10 EUR?",
        id="call_1:0",
        url="https://example.test/approve?token=x",
        data={"arguments": {"amount": 10, "tags": ["a"]}},
        expires_at=datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
    answer = Answer("call_1:0", ok=False, data={"comment": ["no"]}, reason="declined")
    hashed = {"tags": set(TAGS), "by part": {part: {"n": [1]}, (answer, "a"): 2}, "asked": {request, answer}}
    return {
        "result": ToolResult.ok(
            "found", parts=[part, ContentPart.from_text("hi")], metadata=hashed, value={"rows": [1]}
        ),
        "done": ToolResult(),
        "error": ToolResult.error("no such key", code="unknown_key", retryable=True),
        "pending": ToolResult.pending(request),
        "part": part,
        "unknown part": ContentPart("hologram", raw={"type": "hologram", "frames": [1]}),
        "request": request,
        "answer": answer,
    }


def frozen_below(value: object) -> bool:
    """Say whether all that a value holds is of a type that cannot be changed."""
    if isinstance(value, (ToolResult, ContentPart, Request, Answer)):
        return all(frozen_below(getattr(value, field.name)) for field in dataclasses.fields(value))
    if type(value) is FrozenDict:
        return all(frozen_below(key) and frozen_below(inner) for key, inner in value.items())
    if type(value) in (FrozenList, tuple, frozenset):
        return all(map(frozen_below, value))
    return value is None or type(value) in (str, bytes, bool, int, datetime)


def refuses(change: Callable[[], object]) -> bool:
    try:
        change()
    except dataclasses.FrozenInstanceError:
        return True
    return False


def faults(name: str, value: object) -> list[str]:
    """Say what of a value that has arrived here differs from the one that is built here."""
    try:
        holds = found(values()[name], value)
    except Exception as error:  # noqa: BLE001 a process that ends would not be heard of
        return [f"{name}: {error!r}"]
    return [f"{name}: {what}" for what, holding in holds.items() if not holding]


def found(fresh: object, value: object) -> dict[str, bool]:
    first = dataclasses.fields(fresh)[0].name
    holds = {
        "type": type(value) is type(fresh),
        "equal": value == fresh and fresh == value,
        "hash": hash(value) == hash(fresh),
        "set": {value} == {fresh} and {value: 1}.get(fresh) == 1,
        "repr": repr(value) == repr(fresh),
        "frozen": frozen_below(value),
        "attribute": refuses(lambda: setattr(value, first, getattr(fresh, first))),
        "pickle": pickle.loads(pickle.dumps(value)) == fresh,
    }
    if "tags" in (getattr(fresh, "metadata", None) or {}):
        metadata = value.metadata
        holds["sets below"] = all(tag in metadata["tags"] for tag in TAGS) and values()["request"] in metadata["asked"]
        holds["keys below"] = metadata["by part"][values()["part"]] == {"n": [1]}
    return holds


def echo(name: str, value: object) -> tuple[list[str], object, int]:
    """Check a value on this side and send it back, with a hash that tells the seed of this process."""
    return faults(name, value), value, hash("seed")


def echo_pair(pair: tuple[str, object]) -> tuple[list[str], object, int]:
    return echo(*pair)


def echo_each(nested: list[dict[str, list[tuple[str, object]]]]) -> list[tuple[list[str], object, int]]:
    return [echo(*pair) for pair in nested[0]["values"]]


def echo_queue(there, back) -> None:
    for pair in iter(there.get, None):
        back.put(echo(*pair))


def echo_pipe(connection) -> None:
    for pair in iter(connection.recv, None):
        connection.send(echo(*pair))


def echo_kept(kept, name: str) -> tuple[list[str], object, int]:
    return echo(name, kept[name])


def echo_all(values: dict[str, object], back) -> None:
    back.put([echo(name, value) for name, value in values.items()])


def call(function: bytes) -> bytes:
    """Call a function that has come as a pickle by value, and pickle what it returns."""
    return cloudpickle.dumps(pickle.loads(function)())


def ask(request: Request) -> None:
    raise Suspend(request)


def fail(result: ToolResult) -> None:
    raise ToolError(result.output, code="unknown_key", retryable=True)
