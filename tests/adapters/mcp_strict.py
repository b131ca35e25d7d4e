"""What the `mcp` package says of what was written for MCP, in a form that lets nothing pass.

Its own checks drop what they do not know, and that of 2026-07-28 turns a malformed result into an empty one that asks
for something. So what it dumps must be what it was given. Each function returns None, or raises
`pydantic.ValidationError` or `AssertionError`.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any, get_args

import mcp_types
import pydantic
from mcp_types import _v2025_11_25 as wire
from mcp_types import methods
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

Json = dict[str, Any]

VERSIONS = tuple(version for version in KNOWN_PROTOCOL_VERSIONS if version >= "2025-06-18")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.")


def call_result(result: Json, version: str) -> None:
    """Check the result of a `tools/call`, as a server sends it and as a client reads it."""
    _check_json(result)
    dump = methods.serialize_server_result("tools/call", version, result)
    assert dump == result, f"the package sends {dump}"
    parsed = methods.parse_server_result("tools/call", version, result)
    assert isinstance(parsed, mcp_types.CallToolResult | mcp_types.InputRequiredResult)
    again = parsed.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert _without_result_type(again) == _without_result_type({"isError": False, **result}), "the client reads less"
    if version < "2026":
        assert "resultType" not in result
        assert isinstance(result.get("structuredContent", {}), dict)
    for block in result.get("content", []):
        _check_block(block)


def vendor_result(result: Json, version: str) -> None:
    """Check what anybody may send: the same without rules that are ours."""
    _check_json(result)
    dump = methods.serialize_server_result("tools/call", version, result)
    assert dump == result, f"the package sends {dump}"


def input_required(result: Json) -> None:
    """Check a result that asks."""
    _check_json(result)
    assert methods.serialize_server_result("tools/call", "2026-07-28", result) == result
    parsed = methods.parse_server_result("tools/call", "2026-07-28", result)
    assert isinstance(parsed, mcp_types.InputRequiredResult)
    assert "content" not in result
    for request in result.get("inputRequests", {}).values():
        if request["method"] == "elicitation/create":
            # The dump of the package keeps any schema here, so each is held against the older one, which does not.
            elicitation(
                {"elicitationId": "e", **request["params"]} if "url" in request["params"] else request["params"]
            )


def elicitation(params: Json, version: str = "2025-11-25") -> None:
    """Check the parameters of a request of the server, of which nothing may be dropped."""
    _check_json(params)
    methods.parse_server_request("elicitation/create", version, params)
    surface: Any = methods.SERVER_REQUESTS[("elicitation/create", version)]
    body = {"method": "elicitation/create", "params": params, "jsonrpc": "2.0", "id": 1}
    model = surface.model_validate(body, by_name=False)
    dump = model.params.model_dump(mode="json", by_alias=True, exclude_none=True)
    for field in params.get("requestedSchema", {}).get("properties", {}).values():
        assert any(_is_of(kind, field) for kind in get_args(wire.PrimitiveSchemaDefinition)), field
    without_mode = {"mode": dump["mode"], **params} if version == "2025-06-18" else params
    assert dump == without_mode, f"the package sends {dump}"


def elicit_result(result: Json, version: str = "2025-11-25") -> None:
    """Check what a client answers."""
    methods.parse_client_result("elicitation/create", version, result)


def _is_of(kind: type[pydantic.BaseModel], field: Json) -> bool:
    """Say whether a field of a form is of a kind that the schema has, with nothing more."""
    try:
        model = kind.model_validate(field, by_name=False)
    except pydantic.ValidationError:
        return False
    return model.model_dump(mode="json", by_alias=True, exclude_none=True) == field


def _without_result_type(result: Json) -> Json:
    return {key: member for key, member in result.items() if key != "resultType"}


def _check_json(value: Json) -> None:
    assert json.loads(json.dumps(value, allow_nan=False)) == value, "no plain JSON"
    json.dumps(value, ensure_ascii=False).encode()


def _check_block(block: Json) -> None:
    """Check what no type says: base64 that is base64, labels that are types, URIs that have a scheme."""
    holder = block.get("resource", block)
    for key in ("data", "blob"):
        if key in holder:
            decoded = base64.b64decode(holder[key], validate=True)
            assert base64.b64encode(decoded).decode() == holder[key]
    if "mimeType" in holder:
        assert re.fullmatch(r"[^/\s]+/[^/\s;]+.*", holder["mimeType"]), holder["mimeType"]
    if block["type"] in ("image", "audio"):
        assert block["mimeType"].startswith(f"{block['type']}/"), block["mimeType"]
    if "uri" in holder:
        assert SCHEME.match(holder["uri"]), holder["uri"]
