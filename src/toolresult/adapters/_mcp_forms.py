"""Forms of MCP's elicitation: JSON Schema of a flat object."""

from __future__ import annotations

from typing import Any, Final, cast

from toolresult import _json
from toolresult._frozen import is_frozen_dict
from toolresult._text import join_path
from toolresult.errors import EncodeError

APPROVAL: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
}
"""The form of a request that has none of its own."""

# RequestedSchema and PrimitiveSchemaDefinition of the 2025-11-25 schema: what else stands there a client does not know.
_TOP = ("$schema", "type", "properties", "required")
_ANY = ("type", "title", "description", "default")
_KEYS = {
    "string": (*_ANY, "minLength", "maxLength", "format"),
    "choice": (*_ANY, "enum", "enumNames", "oneOf"),
    "number": (*_ANY, "minimum", "maximum"),
    "integer": (*_ANY, "minimum", "maximum"),
    "boolean": _ANY,
    "array": (*_ANY, "items", "minItems", "maxItems"),
}
_FORMATS = ("email", "uri", "date", "date-time")
_FLAT = "MCP forms are flat objects of texts, numbers, booleans and choices; flatten it, or ask at a url"


def form_of(schema: Any) -> dict[str, Any]:
    """Write a schema as a form. Keywords that only narrow a value, and that MCP has not, are left to the check.

    Raises:
        EncodeError: it is no flat object.
    """
    tree = cast("dict[str, Any]", _json.plain(schema, "data.schema"))
    properties: object = tree.get("properties")
    if tree.get("type") != "object" or not isinstance(properties, dict):
        raise EncodeError("data.schema", f"must be of type object with properties; {_FLAT}")
    form = {key: tree[key] for key in _TOP if key in tree}
    fields = cast("dict[str, object]", properties)
    form["properties"] = {name: _field(field, ("properties", name)) for name, field in fields.items()}
    return form


def asks_to_approve(schema: Any) -> bool:
    """Say whether a form asks for `approved` as a boolean, as that of a bare request does, whatever else it asks."""
    if schema is None:
        return True
    properties: Any = schema.get("properties") if is_frozen_dict(schema) else None
    field: Any = properties.get("approved") if is_frozen_dict(properties) else None
    return is_frozen_dict(field) and field.get("type") == "boolean"


def _field(field: object, trail: tuple[str, ...]) -> dict[str, Any]:
    members = cast("dict[str, Any]", field) if isinstance(field, dict) else {}
    kind: object = members.get("type")
    choice = _choice(members, "oneOf")
    if choice is not None:
        kind, members = "choice", {**members, "type": "string", **choice}
    elif kind == "array":
        items = _choice(members.get("items"), "anyOf")
        kind, members = (None if items is None else kind), {**members, "items": items}
    if not isinstance(kind, str) or kind not in _KEYS:
        raise EncodeError(join_path("data.schema", trail), f"has no place in a form; {_FLAT}")
    kept = {key: members[key] for key in _KEYS[kind] if key in members}
    if kept.get("format") not in _FORMATS:
        kept.pop("format", None)
    return kept


def _choice(field: object, titled: str) -> dict[str, object] | None:
    """Read what several texts there are to choose from, with titles or without; `None` if it is no such field."""
    if not isinstance(field, dict):
        return None
    members = cast("dict[str, object]", field)
    if members.get("type", "string") != "string":
        return None
    options, words = members.get(titled), members.get("enum")
    if isinstance(options, list):
        found = [_option(option) for option in cast("list[object]", options)]
        return None if None in found else {titled: found}
    if isinstance(words, list) and all(isinstance(word, str) for word in cast("list[object]", words)):
        return {"type": "string", "enum": words}
    return None


def _option(option: object) -> dict[str, object] | None:
    members = cast("dict[str, object]", option) if isinstance(option, dict) else {}
    found = {key: members[key] for key in ("const", "title") if isinstance(members.get(key), str)}
    return found if len(found) == 2 else None
