"""What a suspended call asks, over MCP: elicitation, results that ask, and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from toolresult import _json
from toolresult._frozen import is_frozen_dict, type_name
from toolresult._mcp_access import Node, built
from toolresult._suspension import Answer, Request
from toolresult._text import join_path, repair
from toolresult.adapters._mcp_forms import APPROVAL, asks_to_approve, form_of
from toolresult.errors import DecodeError

Version: TypeAlias = Literal["2025-06-18", "2025-11-25", "2026-07-28"]
"""A revision of the protocol."""

_ELICIT: Final = "elicitation/create"
# Requests to the client that are no question to a person.
_OTHER_METHODS = frozenset({"sampling/createMessage", "roots/list"})
_NO = {"decline": "declined", "reject": "declined", "cancel": "cancelled"}


class InputRequired(NamedTuple):
    """What a result asks before the call can go on."""

    requests: dict[str, Request]
    """By the key under which the answer is expected, which is the id of the request wherever it can be."""
    state: str | None = None
    """Sent back with the answers as it came, and read by nobody but the server."""


def to_mcp_elicitation(request: Request, *, version: Version = "2025-11-25") -> dict[str, Any]:
    """Write the parameters of `elicitation/create`: a link if the request has a URL, otherwise a form.

    The form is `data["schema"]` of the request; without one it is `{"approved": boolean}`. The kind of the request,
    what it binds and when it expires have no place in it.

    Raises:
        EncodeError: the schema is no flat object of texts, numbers, booleans and choices.
        ValueError: 2025-06-18 has no links.
    """
    if type(request) is not Request:
        raise TypeError(f"request: must be a Request, got {type_name(request)}; use Request.approval(...)")
    if version not in get_args(Version):
        raise ValueError(f"version: must be one of {', '.join(map(repr, get_args(Version)))}")
    message = repair(request.prompt)
    if request.url is not None:
        if version == "2025-06-18":
            raise ValueError("version: 2025-06-18 has no links, and a url is never text; ask another way")
        link = {"mode": "url", "message": message, "url": request.url}
        return {**link, "elicitationId": request.id} if version == "2025-11-25" else link
    schema: object = request.data.get("schema") if request.data else None
    form = {"message": message, "requestedSchema": APPROVAL if schema is None else form_of(schema)}
    return form if version == "2025-06-18" else {"mode": "form", **form}


def to_mcp_input_required(
    requests: Iterable[Request] | Mapping[str, Request], state: str | None = None
) -> dict[str, Any]:
    """Write a result that asks, for 2026-07-28. A mapping names the key of each request; otherwise it is its id.

    `state` comes back with the answers, through the hands of the client: seal it, or it proves nothing.

    Raises:
        EncodeError: a schema that MCP has no form for.
        TypeError, ValueError: `requests` or `state` that cannot be.
    """
    if state is not None and not isinstance(cast("object", state), str):
        raise TypeError(f"state: must be a str, got {type_name(state)}; seal it and write it as text")
    written: dict[str, Any] = {"resultType": "input_required"}
    keyed = _keyed(requests)
    if keyed:
        written["inputRequests"] = {repair(key): _written(request) for key, request in keyed.items()}
    elif state is None:
        raise ValueError("requests: must not be empty without a state; return the result of the call")
    if state is not None:
        written["requestState"] = repair(state)
    return written


def _keyed(requests: Any) -> dict[str, Request]:
    given = type_name(requests)
    if isinstance(requests, Mapping):
        pairs = list(cast("Mapping[object, object]", requests).items())
    elif isinstance(requests, Iterable) and not isinstance(requests, str):
        listed = list(cast("Iterable[object]", requests))
        pairs = [(request.id if type(request) is Request else "", request) for request in listed]
    else:
        raise TypeError(f"requests: must be an iterable of Request, got {given}; put it in a list")
    keyed: dict[str, Request] = {}
    for key, request in pairs:
        if type(request) is not Request or not isinstance(key, str):
            raise TypeError(f"requests: must be Request objects by keys of type str, got {type_name(request)}")
        if key in keyed:
            raise ValueError("requests: two of them have the same id; give each its own")
        keyed[key] = request
    return keyed


def _written(request: Request) -> dict[str, Any]:
    kept: object = request.data.get("mcp") if request.data else None
    if request.kind in _OTHER_METHODS and is_frozen_dict(kept):
        return {"method": request.kind, **cast("dict[str, Any]", _json.plain(kept, "data.mcp"))}
    return {"method": _ELICIT, "params": to_mcp_elicitation(request, version="2026-07-28")}


def from_mcp_input_required(obj: Any) -> InputRequired:
    """Read a result that asks: a mapping with the keys in either spelling, or an object of a client.

    A form that asks for `approved` only is an approval. What is asked of the client and not of a person is a request of
    the kind `sampling/createMessage` or `roots/list`, with its parameters in `data["mcp"]`.

    Raises:
        DecodeError: it is malformed; `path` says where.
    """
    node = Node(obj, "")
    if node.optional_text("resultType") != "input_required":
        raise DecodeError("resultType", "must be input_required; read the result of a call with from_mcp")
    return read_requests(node)


def read_requests(node: Node) -> InputRequired:
    """Read what a result asks.

    Raises:
        DecodeError: it is malformed.
    """
    state = node.optional_text("requestState")
    requests: dict[str, Request] = {}
    if node.get("inputRequests") is not None:
        asked = node.get("inputRequests")
        if not isinstance(asked, Mapping):
            raise DecodeError("inputRequests", f"must be a mapping, got {type_name(asked)}")
        try:
            pairs = list(cast("Mapping[object, object]", asked).items())
        except Exception as error:  # noqa: BLE001 - its own methods may raise anything
            raise DecodeError("inputRequests", f"cannot be read: {type_name(error)}") from None
        for key, request in pairs:
            if not isinstance(key, str):
                raise DecodeError("inputRequests", f"must have keys of type str, got {type_name(key)}")
            requests[str.__str__(key)] = _request(str.__str__(key), Node(request, join_path("inputRequests", [key])))
    if not requests and state is None:
        raise DecodeError("inputRequests", "is required where there is no requestState")
    return InputRequired(requests, state)


def _request(key: str, node: Node) -> Request:
    method = node.text("method")
    request_id = _id_of(key)
    if method in _OTHER_METHODS:
        kept = {} if node.get("params") is None else {"params": _dumped(node)}
        prompt = f"The server asks the client for {method}."
        return built(node.at("params"), Request, method, prompt, id=request_id, data={"mcp": kept})
    if method != _ELICIT:
        raise DecodeError(node.at("method"), "is not one that a result may ask")
    params = node.node("params")
    message, mode = params.text("message"), params.optional_text("mode")
    if mode == "url":
        return built(params.at("url"), Request, "authorization", message, id=request_id, url=params.text("url"))
    if mode not in (None, "form"):
        raise DecodeError(params.at("mode"), "must be form or url")
    schema = params.mapping("requestedSchema")
    if schema is None:
        raise DecodeError(params.at("requestedSchema"), "is required")
    if schema == APPROVAL:
        return Request("approval", message, id=request_id)
    return built(params.at("requestedSchema"), Request, "input", message, id=request_id, data={"schema": schema})


def _id_of(key: str) -> str:
    """Take a key as the id of a request. What is no id of ours gives one, and the same key the same."""
    try:
        return Request("input", "", id=key).id
    except ValueError:
        return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _dumped(node: Node) -> Any:
    """Read parameters that are passed on: in camel case, if they are an object of the package."""
    params: object = node.get("params")
    dump: Any = None if isinstance(params, Mapping) else getattr(type(params), "model_dump", None)
    return node.mapping("params") if dump is None else dump(params, mode="json", by_alias=True, exclude_none=True)


def answer_from_mcp(request: Request, elicit_result: Any) -> Answer:
    """Make the answer of what a client sent back; `request.check` comes after it.

    Only a form that was submitted lets a call go on, and where it has a boolean `approved`, only `True` in it. To
    accept a link is to agree to open it: that answer is not ok, has no reason, and its data is `{"consent": True}`; the
    host builds `request.accept()` when what is behind the link has happened.

    Raises:
        DecodeError: it is malformed; `path` says where.
    """
    if type(request) is not Request:
        raise TypeError(f"request: must be a Request, got {type_name(request)}; pass the one that was asked")
    node = Node(elicit_result, "")
    action = node.text("action")
    if action in _NO:
        return Answer(request.id, ok=False, reason=cast("Any", _NO[action]))
    if action != "accept":
        raise DecodeError("action", "must be accept, decline or cancel")
    if request.url is not None:
        return Answer(request.id, ok=False, data={"consent": True})
    key = "content" if node.get("content") is not None else "data"
    content = _content(node, key)
    schema: object = request.data.get("schema") if request.data else None
    # As it came: what only becomes `True` when it is written as JSON approves nothing.
    if asks_to_approve(schema) and (content is None or node.node(key).get("approved") is not True):
        return Answer(request.id, ok=False, data=content, reason="declined")
    return request.accept(content)


def _content(node: Node, key: str) -> dict[str, Any] | None:
    content = node.mapping(key)
    for name, value in (content or {}).items():
        items = cast("list[object]", value) if isinstance(value, list) else []
        if isinstance(value, dict) or not all(isinstance(item, str) for item in items):
            raise DecodeError(join_path("content", [name]), "must be a text, a number, a boolean or a list of texts")
    return content
