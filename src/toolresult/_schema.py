"""The JSON Schema (2020-12) of the wire form: what is written is valid, and what is not valid is not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolresult._content import TYPES, ContentPart
from toolresult._decode import ALIASES
from toolresult._result import FACTS, PENDING, ToolResult
from toolresult._suspension import Answer, Request

Schema = dict[str, Any]

_BASE64 = (
    "^(?:[A-Za-z0-9+/]{4})*"
    "(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"  # no bits that no byte holds
)
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$"
_ID = "^[!-~]{1,128}$"
_WEB_URL = "^[Hh][Tt][Tt][Pp][Ss]?://."
_URL = "^(?![Dd][Aa][Tt][Aa]:|[Jj][Aa][Vv][Aa][Ss][Cc][Rr][Ii][Pp][Tt]:)[A-Za-z][A-Za-z0-9+.-]+:."
_SPELLINGS = {name: alias for alias, name in ALIASES.items()}


def schema_of(kind: type) -> Schema:
    """Build the schema of a type, whole, without references."""
    builder = _BUILDERS.get(kind)
    if builder is None:
        raise TypeError("kind: must be ToolResult, ContentPart, Request or Answer")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": kind.__name__, **builder()}


def _result() -> Schema:
    pending = {"properties": {"metadata": {"type": "object", **_has(PENDING)}}, "required": ["metadata"]}
    failed = {"properties": {name: {"enum": [True, None]} for name in ("isError", "is_error")}}
    return _object(
        {
            "output": {"type": "string"},
            "isError": {"type": "boolean"},
            "parts": {"type": "array", "items": _part()},
            "metadata": {
                "type": "object",
                "properties": {PENDING: _or_null(_request()), FACTS: _or_null(_facts())},
            },
        },
        required=["output", "isError"],
        rules=[{"if": pending, "then": failed}],
    )


def _facts() -> Schema:
    return {
        "type": "object",
        "properties": {
            "mime_type": {"type": "string"},
            "code": {"type": ["string", "null"]},
            "retryable": {"type": ["boolean", "null"]},
            "derived": {"const": True},
        },
        "not": {"required": ["derived", "value"]},
    }


def _part() -> Schema:
    text = _object(
        {"text": {"type": "string"}, **_shared()}, required=["text"], rules=[_lacks("data", "url", "fileId")]
    )
    binary = _object(
        {
            "data": {"type": "string", "pattern": _BASE64},
            "url": {"type": "string", "pattern": _URL},
            "fileId": {"type": "string", "minLength": 1},
            **_shared(),
        },
        rules=[
            _lacks("text"),
            {"oneOf": [_has("data"), _has("url"), _has("fileId")]},
            {"if": _has("data"), "then": _has("mimeType")},
        ],
    )
    return {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "allOf": [
            {"if": {"properties": {"type": {"const": "text"}}}, "then": text},
            {"if": {"properties": {"type": {"enum": sorted(TYPES - {"text"})}}}, "then": binary},
        ],
    }


def _shared() -> Schema:
    return {"mimeType": {"type": "string"}, "name": {"type": "string"}, "metadata": {"type": "object"}}


def _request() -> Schema:
    return _object(
        {
            "id": {"type": "string", "pattern": _ID},
            "kind": {"type": "string", "minLength": 1},
            "prompt": {"type": "string"},
            "url": {"type": "string", "pattern": _WEB_URL},
            "data": {
                "type": "object",
                "properties": {"schema": {"type": "object"}, "arguments": {"type": "object"}},
            },
            "expiresAt": {"type": "string", "pattern": _TIME},
        },
        required=["id", "kind", "prompt"],
    )


def _answer() -> Schema:
    return _object(
        {
            "id": {"type": "string", "pattern": _ID},
            "ok": {"type": "boolean"},
            "data": {},
            "reason": {"enum": ["declined", "cancelled", "expired"]},
        },
        required=["id", "ok"],
        rules=[{"if": _has("reason"), "then": {"properties": {"ok": {"const": False}}}}],
    )


def _object(members: Schema, required: Iterable[str] = (), rules: Iterable[Schema] = ()) -> Schema:
    """Describe an object whose optional members may be null, and where a member may have one of two spellings."""
    required = tuple(required)
    properties: Schema = {}
    conditions = list(rules)
    for name, schema in members.items():
        spellings = _spellings(name)
        for spelling in spellings:
            properties[spelling] = schema if name in required and len(spellings) == 1 else _or_null(schema)
        if len(spellings) > 1:
            once = [_present(spelling) for spelling in spellings]
            conditions.append({"oneOf": once} if name in required else {"not": {"allOf": once}})
    described: Schema = {"type": "object", "properties": properties, "allOf": conditions}
    alone = [name for name in required if len(_spellings(name)) == 1]
    if alone:
        described["required"] = alone
    return described


def _spellings(name: str) -> list[str]:
    return [name, _SPELLINGS[name]] if name in _SPELLINGS else [name]


_PASSED_BY_NULL = {"type", "pattern", "minLength", "items", "properties", "required"}


def _or_null(schema: Schema) -> Schema:
    if not schema:
        return {}
    if schema.keys() <= _PASSED_BY_NULL:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _present(name: str) -> Schema:
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}}}


def _has(name: str) -> Schema:
    spellings = _spellings(name)
    return _present(name) if len(spellings) == 1 else {"anyOf": [_present(spelling) for spelling in spellings]}


def _lacks(*names: str) -> Schema:
    return {"properties": {spelling: {"type": "null"} for name in names for spelling in _spellings(name)}}


_BUILDERS = {ToolResult: _result, ContentPart: _part, Request: _request, Answer: _answer}
