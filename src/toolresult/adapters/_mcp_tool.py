"""A function that returns results, made a tool of an MCP server that can ask a person.

It works in `MCPServer` of the `mcp` package and in `FastMCP`, which are imported when a tool is made.
"""

from __future__ import annotations

import inspect
import threading
import typing
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from os import urandom
from types import FunctionType
from typing import Any, Final, TypeAlias, cast, get_args, overload

from toolresult import _json
from toolresult._answers import MANY, ONE, AnswerParameter
from toolresult._decorator import ASKS, MCP, dress, names_around, tool_of
from toolresult._frozen import type_name
from toolresult._mcp_access import built
from toolresult._result import ToolResult
from toolresult._suspension import Answer, Request
from toolresult.adapters._turn import OnLoss, check_on_loss
from toolresult.adapters.mcp import (
    VERSIONS,
    Version,
    answer_from_mcp,
    to_mcp,
    to_mcp_elicitation,
    to_mcp_input_required,
    with_mcp_meta,
)
from toolresult.errors import AnswerError, ConversionError, DecodeError, EncodeError
from toolresult.render import waiting

Claim: TypeAlias = Callable[[str], bool | Awaitable[bool]]
"""Takes an id for good, and says `True` to the first who does. It may be asynchronous."""

McpTool: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

REFUSED: Final = "io.github.toolresult/refused"
"""The key in the `_meta` of a result under which stands why an answer was refused: the `kind` of an `AnswerError`."""

_ASKING: Final = "2026-07-28"
"""From this revision on a result asks; before it the server asks the client during the call."""

_OBJECTS_ONLY: Final[Version] = "2025-11-25"
"""The last revision whose structured data is an object."""

_UNSEALED = frozenset({"request_state", "input_responses"})
_ROUNDS = 10  # as many as the client of the `mcp` package answers by itself


@overload
def mcp_tool(function: Callable[..., object], /) -> McpTool: ...
@overload
def mcp_tool(
    *, claim: Claim | None = None, structured: bool | None = None, on_loss: OnLoss = None
) -> Callable[[Callable[..., object]], McpTool]: ...
def mcp_tool(
    function: Any = None,
    /,
    *,
    claim: Claim | None = None,
    structured: bool | None = None,
    on_loss: OnLoss = None,
) -> Any:
    """Make a tool of an MCP server of a function that returns results, with or without `@tool_result`.

    A pending result asks the person at the client, and the answer, checked against the request, runs the function
    again: within the call on older connections, and from 2026-07-28 on in the next one, where request and arguments
    come back in the state that the server seals. A client that cannot ask gets an error result that says that the
    call waits.

    `claim` gets an id that belongs to one question of one call, and lets its answer run the function if it says `True`.
    By default the ids are kept in this process. `structured` and `on_loss` are those of `to_mcp`.

    Raises:
        ImportError: the `mcp` package is missing, or older than 2.
        TypeError, ValueError: an option of the wrong type, or a function that is no tool.
    """
    if claim is not None and not callable(claim):
        raise TypeError(f"claim: must be a function of an id, got {type_name(claim)}")
    if structured is not None and not isinstance(cast("object", structured), bool):
        raise TypeError(f"structured: must be a bool or None, got {type_name(structured)}")
    check_on_loss(on_loss)

    def decorate(function: Any, /) -> Any:
        return _Tool(function, names_around(), claim or _Claims(), structured, on_loss).wrapper()

    if function is None:
        return decorate
    return _Tool(function, names_around(), claim or _Claims(), structured, on_loss).wrapper()


class _Claims:
    """The ids that were taken in this process."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, request_id: str, /) -> bool:
        with self._lock:
            is_first = request_id not in self._taken
            self._taken.add(request_id)
        return is_first


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a call has asked, and what was answered before: all that is needed to go on with it."""

    call: str
    request: Request
    answers: Mapping[str, Answer]

    def sealed(self) -> str:
        """Write this as the state, which the server seals.

        Raises:
            EncodeError: the request holds what JSON cannot.
        """
        answers = [answer.to_wire() for answer in self.answers.values()]
        return _json.compact({"call": self.call, "request": self.request.to_wire(), "answers": answers})

    @classmethod
    def opened(cls, state: str) -> _Asked:
        """Read this from the state, which the server has unsealed.

        Raises:
            DecodeError: it is none of ours.
        """
        tree: object = _json.parse(state)
        if not isinstance(tree, dict):
            raise DecodeError("", "must be an object")
        members = cast("dict[str, Any]", tree)
        call: object = members.get("call")
        if not isinstance(call, str):
            raise DecodeError("call", f"must be a str, got {type_name(call)}")
        answers = [Answer.from_wire(each) for each in built("answers", list[Any], members.get("answers"))]
        request = Request.from_wire(members.get("request"))
        return cls(call, request, {answer.id: answer for answer in answers})


class _Connection:
    """What the server knows of the client that calls; the contexts of both packages read alike."""

    def __init__(self, context: Any) -> None:
        self.context = context
        try:
            session = context.session
        except (AttributeError, RuntimeError, ValueError):  # there is no request: a call in the same process
            session = None
        self.session: Any = session

    @property
    def version(self) -> str:
        return VERSIONS[-1] if self.session is None else str(self.session.protocol_version)

    @property
    def asks_in_results(self) -> bool:
        return self.version >= _ASKING

    @property
    def form(self) -> Version:
        """The revision whose shapes are written."""
        known: list[Version] = [version for version in VERSIONS if version <= self.version]
        return known[-1] if known else VERSIONS[0]

    @property
    def form_of_results(self) -> Version:
        """The revision whose results are written: `FastMCP` takes no structured data but objects."""
        return _OBJECTS_ONLY if self.is_fast and self.form == _ASKING else self.form

    @property
    def is_fast(self) -> bool:
        """Say whether the server is a `FastMCP`."""
        return any(kind.__module__.partition(".")[0] == "fastmcp" for kind in type(self.context).__mro__)

    def carried(self) -> tuple[str | None, Any]:
        """Read the state and the answers that came with a call.

        `FastMCP` takes the names of Python too, by which a state passes the seal of the server unseen (4.2,
        `Context.request_state`); only the names of the protocol count.

        Raises:
            AnswerError: they came by other names.
        """
        state: str | None = getattr(self.context, "request_state", None)
        replies: Any = getattr(self.context, "input_responses", None)
        if self.is_fast and (state is not None or replies):
            params: Any = getattr(getattr(self.context.request_context, "_srctx", None), "params", None)
            if not isinstance(params, Mapping) or not _UNSEALED.isdisjoint(cast("Mapping[str, object]", params)):
                raise AnswerError("unknown_id", "the state did not come sealed; call without it")
        return state, replies

    def can_ask(self, request: Request) -> bool:
        """Say whether the client said that it can put this to a person."""
        modes: Any = getattr(getattr(self.session, "client_capabilities", None), "elicitation", None)
        if modes is None or not (self.asks_in_results or self.session.can_send_request):
            return False
        if request.url is not None:
            return modes.url is not None and self.form != VERSIONS[0]
        return modes.form is not None or modes.url is None  # {} is what was said before there were links

    async def ask(self, request: Request) -> Any:
        """Put a request to the client while the call waits.

        Raises:
            EncodeError: a schema that MCP has no form for.
            MCPError: the client, or the way to it, failed.
        """
        from mcp.shared.message import ServerMessageMetadata
        from mcp_types import ElicitRequest, ElicitResult

        asked = {"method": "elicitation/create", "params": to_mcp_elicitation(request, version=self.form)}
        return await self.session.send_request(
            ElicitRequest.model_validate(asked, by_name=False),
            ElicitResult,
            metadata=ServerMessageMetadata(related_request_id=self.context.request_id),
        )


class _Tool:
    """A function as a tool of a server."""

    def __init__(
        self,
        function: Any,
        names: Mapping[str, Any],
        claim: Claim,
        structured: bool | None,  # noqa: FBT001
        on_loss: OnLoss,
    ) -> None:
        made = tool_of(function, names)
        self.function: Any = made[0]
        self.asks: AnswerParameter | None = made[1]
        if isinstance(self.function, (staticmethod, classmethod)):
            raise TypeError("function: must be callable by itself; decorate the method of an instance")
        self.claim = claim
        self.structured = structured
        self.on_loss: OnLoss = on_loss
        self.context = "mcp_context"
        self.is_context_shared = False

    def wrapper(self) -> Any:
        """Stand in for the function, with a parameter for the context that both packages fill and show to no model."""
        signature = inspect.signature(self.function)
        parameters = list(signature.parameters.values())
        for parameter in parameters:
            if parameter.name in ("answer", "answers") and parameter.annotation is inspect.Parameter.empty:
                raise TypeError(f"{parameter.name}: a model would fill it in; annotate it, as Answer | None")
        classes = _contexts()
        own = _context_parameter(self.function, signature, classes)
        if own is not None:
            self.context, self.is_context_shared = own, True
        else:
            while self.context in signature.parameters:
                self.context += "_"
            kind = inspect.Parameter.KEYWORD_ONLY
            annotation: Any = None
            for each in classes:
                annotation = each | annotation
            added = inspect.Parameter(self.context, kind, default=None, annotation=annotation)
            is_open = bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD
            parameters.insert(len(parameters) - is_open, added)
        bind = self.to

        async def tool(*args: Any, **arguments: Any) -> Any:
            return await bind(args).call(arguments)

        made = dress(cast("FunctionType", tool), self.function, signature.replace(parameters=parameters), None)
        own_facts = cast("dict[str, object]", vars(made))
        own_facts.pop(ASKS, None)
        own_facts[MCP] = True
        return made

    def to(self, args: tuple[Any, ...]) -> _Tool:
        """Bind the function to what comes by position: the object of a method. Arguments of a call have names."""
        tool = copy(self)
        tool.function = partial(self.function, *args)
        return tool

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Answer a `tools/call`."""
        context = arguments.get(self.context) if self.is_context_shared else arguments.pop(self.context, None)
        connection = _Connection(context)
        if not connection.asks_in_results:
            return self.written(await self.conversation(connection, arguments), connection)
        asked = await self.round(connection, arguments)
        if isinstance(asked, ToolResult):
            return self.written(asked, connection)
        from mcp_types import InputRequiredResult

        return InputRequiredResult.model_validate(asked, by_name=False)

    async def conversation(self, connection: _Connection, arguments: dict[str, Any]) -> ToolResult:
        """Run the function, and ask the client as long as it asks, all within one call."""
        from mcp.shared.exceptions import MCPError

        call, answers = _new_call(), dict[str, Answer]()
        result = await self.run(arguments, answers)
        for _ in range(_ROUNDS):
            if result.request is None or self.asks is None or not connection.can_ask(result.request):
                break
            asked = _Asked(call, self.bound(result.request, arguments), answers)
            try:
                reply = await connection.ask(result.request)
            except EncodeError as error:
                return _not_executed(error)
            except MCPError:  # the client failed, or is gone: nobody has answered
                break
            except ValueError as error:
                return _not_executed(DecodeError("answer", f"cannot be read: {type_name(error)}"))
            result, answers = await self.answered(asked, reply, arguments)
        return result

    async def round(self, connection: _Connection, arguments: dict[str, Any]) -> ToolResult | dict[str, Any]:
        """Run the function for the first time, or with the answer that came with this call."""
        try:
            state, replies = connection.carried()
        except AnswerError as error:
            return _refused(error)
        if state is None:
            if replies:
                return _refused(AnswerError("unknown_id", "the answer is to nothing that was asked; call without it"))
            call, answers = _new_call(), dict[str, Answer]()
            result = await self.run(arguments, answers)
        else:
            try:
                asked = _Asked.opened(state)
            except DecodeError:
                return _refused(AnswerError("unknown_id", "the state is of nothing that this tool asked; ask again"))
            if not replies:
                return _question(asked)
            if asked.request.id not in replies:
                return _refused(AnswerError("unknown_id", "the answer is to another request; ask again"))
            result, answers = await self.answered(asked, replies[asked.request.id], arguments)
            call = asked.call
        if result.request is None or self.asks is None or not connection.can_ask(result.request):
            return result
        return _question(_Asked(call, self.bound(result.request, arguments), answers))

    async def answered(
        self, asked: _Asked, reply: Any, arguments: dict[str, Any]
    ) -> tuple[ToolResult, dict[str, Answer]]:
        """Check what the client sent back, and go on with it; also return all answers so far."""
        request, answers = asked.request, dict(asked.answers)
        try:
            answer = answer_from_mcp(request, reply)
            answer = request.check(answer, arguments=self.shown(arguments))
            if not answer.ok and answer.reason is None:  # somebody agreed to open a link, and no more is known
                return ToolResult.error(waiting(request)), answers
            claimed = self.claim(f"{asked.call}:{request.id}")
            if (await claimed if inspect.isawaitable(claimed) else claimed) is not True:
                raise AnswerError("duplicate", "the request has been answered already; its first answer counts")
        except AnswerError as error:
            return _refused(error), answers
        except DecodeError as error:
            return _not_executed(error), answers
        answers[request.id] = answer
        return await self.run(arguments, answers), answers

    async def run(self, arguments: dict[str, Any], answers: dict[str, Answer]) -> ToolResult:
        """Run the function with the answers so far, of which it may take the last one only."""
        given = dict(arguments)
        if self.asks is not None and answers:
            takes_many = MANY in self.asks.kinds and (ONE not in self.asks.kinds or self.asks.name == "answers")
            given[self.asks.name] = dict(answers) if takes_many else [*answers.values()][-1]
        if inspect.iscoroutinefunction(self.function):
            return cast("ToolResult", await self.function(**given))
        from anyio.to_thread import run_sync

        return cast("ToolResult", await run_sync(partial(self.function, **given)))

    def bound(self, request: Request, arguments: dict[str, Any]) -> Request:
        """Bind a request to the arguments of the call, so that its answer holds for no others."""
        return replace(request, data={**(request.data or {}), "arguments": self.shown(arguments)})

    def shown(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Choose the arguments that a client sent: the context, and what has no JSON form, is the server's."""
        shown: dict[str, Any] = {}
        for name, value in arguments.items():
            if name == self.context:
                continue
            try:
                _json.canonical(value, name)
            except ConversionError:
                continue
            shown[name] = value
        return shown

    def written(self, result: ToolResult, connection: _Connection) -> Any:
        """Write a result as an object of the package; one that still waits is an error that says so."""
        from mcp_types import CallToolResult

        wire = to_mcp(
            result,
            version=connection.form_of_results,
            structured=self.structured,
            on_loss=self.on_loss,
            on_pending="placeholder",
        )
        return CallToolResult.model_validate(wire, by_name=False)


def _new_call() -> str:
    return urandom(16).hex()


def _question(asked: _Asked) -> ToolResult | dict[str, Any]:
    try:
        return to_mcp_input_required([asked.request], asked.sealed())
    except EncodeError as error:
        return _not_executed(error)


def _refused(error: AnswerError) -> ToolResult:
    result = ToolResult.error(f"Not executed: {error}", code=error.kind)
    return with_mcp_meta(result, {REFUSED: error.kind})


def _not_executed(error: EncodeError | DecodeError) -> ToolResult:
    return ToolResult.error(f"Not executed: {error}")


def _contexts() -> list[type[Any]]:
    """List the classes of the context in the packages that are installed."""
    from mcp.server.mcpserver import Context

    classes: list[type[Any]] = [Context]
    try:
        from fastmcp import Context as FastContext
    except ImportError:
        return classes
    return [*classes, FastContext]


def _context_parameter(function: Any, signature: inspect.Signature, classes: list[type[Any]]) -> str | None:
    """Name the parameter in which a function takes the context itself."""
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # noqa: BLE001 - a name that is there for type checkers only
        hints = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    for name in signature.parameters:
        for hint in (hints.get(name), *get_args(hints.get(name))):
            if isinstance(hint, type) and issubclass(hint, tuple(classes)):
                return name
    return None
