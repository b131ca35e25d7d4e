"""What pydantic is told about our types. Only pydantic asks for it, so what is imported here is loaded already."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Annotated, Any, cast

from toolresult import wire
from toolresult._content import ContentPart
from toolresult._foreign import CONTEXT
from toolresult._frozen import VALUE_TYPES, type_name
from toolresult._result import ToolResult
from toolresult._suspension import Answer, Request
from toolresult.errors import EncodeError
from toolresult.render import for_model, part_for_model, reply, waiting

_TEXT_IS_LOST = "what was written as text for a model cannot be read back: annotate it with toolresult.wire.Stored"
_TEXT_TO_PARSE = "read JSON text with from_json, or declare pydantic.Json of the type"
_INSTANCES_ONLY = (
    "an Answer is taken as an instance only, since a model could approve its own call through its JSON; "
    "where no model writes the input, declare Annotated[Answer, toolresult.wire.Stored]"
)


def core_schema(kind: Any, handler: Callable[[Any], Any]) -> Any:
    """Build the schema of a type by its name alone: written as text for a model, read from the wire form.

    An answer is read from an instance only, so that no model can approve its own call.
    """
    read = _read_answer if kind is Answer else partial(_read, kind, advice=_TEXT_IS_LOST)
    return handler(_annotated(kind, read, _WRITERS[kind], str, _Described(kind)))


def stored_schema(kind: Any, handler: Callable[[Any], Any]) -> Any:
    """Build the schema of `Annotated[kind, wire.Stored]`: the wire form, both ways."""
    if kind not in VALUE_TYPES:
        raise TypeError(
            f"Stored: must annotate ToolResult, ContentPart, Request or Answer itself, got {kind!r}; "
            "write list[Annotated[ToolResult, Stored]] or Annotated[ToolResult, Stored] | None"
        )
    from pydantic import WithJsonSchema

    read = partial(_read, kind, advice=_TEXT_TO_PARSE)
    return handler(_annotated(kind, read, _write_wire, dict[str, Any], WithJsonSchema(_inner_schema(kind))))


@cache
def serializer(kind: Any) -> Any:
    """Build what writes a value whose type nobody declared."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind).serializer


def _annotated(
    kind: Any, read: Callable[[Any], object], write: Callable[[Any], object], written: Any, schema: object
) -> Any:
    from pydantic import PlainSerializer, PlainValidator

    return Annotated[Any, PlainValidator(read), PlainSerializer(_only(kind, write), return_type=written), schema]


def _read(kind: Any, value: object, *, advice: str) -> object:
    if isinstance(value, (str, bytes)):
        raise ValueError(  # noqa: TRY004 - pydantic turns a ValueError into its own error
            f"must be a {kind.__name__} or its wire form, got {type_name(value)}; {advice}"
        )
    return wire.from_wire(kind, value)


def _read_answer(value: object) -> object:
    if type(value) is not Answer:
        raise ValueError(_INSTANCES_ONLY)
    return value


class _Described:
    """Describes, in JSON Schema, a type that is written as text and read from the wire form."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __get_pydantic_json_schema__(self, schema: object, handler: Any) -> dict[str, Any]:
        if handler.mode == "serialization":
            return {"type": "string"}
        if self.kind is Answer:
            from pydantic.errors import PydanticInvalidForJsonSchema

            raise PydanticInvalidForJsonSchema(_INSTANCES_ONLY)
        from pydantic_core import core_schema as core

        # Some frameworks hold what a tool returns against the schema of what is read. They build it with a strict
        # generator, which gives up, and rightly, on hearing that an instance is read too and has no JSON form.
        handler(core.union_schema([core.is_instance_schema(self.kind), core.any_schema()]))
        return _inner_schema(self.kind)


def _only(kind: Any, write: Callable[[Any], object]) -> Callable[[Any, Any], object]:
    """Refuse what is in a field past validation, and is no value of ours.

    Whoever makes a result of a model passes a `CONTEXT` that lifts parts out of it.
    """

    def write_value(value: object, info: Any) -> object:
        if type(value) is not kind:
            raise ValueError(f"must be a {kind.__name__}, got {type_name(value)}")
        context: object = info.context
        lift = cast("dict[object, Any]", context).get(CONTEXT) if type(context) is dict else None
        return write(value) if lift is None else lift(value)

    return write_value


def _inner_schema(kind: Any) -> dict[str, Any]:
    return {key: rule for key, rule in wire.json_schema(kind).items() if key != "$schema"}


def _write_wire(value: Any) -> dict[str, Any]:
    try:
        return wire.to_wire(value)
    except EncodeError as error:
        problem = str(error)
    raise ValueError(problem)


def _write_result(result: ToolResult) -> str:
    _warn()
    return for_model(result)


@cache
def _warn() -> None:
    """Say once per process what happens."""
    warnings.warn(
        "pydantic wrote a ToolResult as its text for a model. To store it, declare Annotated[ToolResult, "
        "toolresult.wire.Stored], or write result.to_json().",
        stacklevel=2,
    )


_WRITERS: dict[Any, Callable[[Any], str]] = {
    ToolResult: _write_result,
    ContentPart: part_for_model,
    Request: waiting,
    Answer: reply,
}
