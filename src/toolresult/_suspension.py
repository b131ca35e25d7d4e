"""`Request` and `Answer`: a call that waits for somebody, and the reply that lets it go on.

The functions here are pure. They keep no record of what was asked or answered: that is the host's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, final

from toolresult._frozen import FrozenDict, freeze, freeze_mapping, is_frozen_dict, slot_setter, type_name, value_type
from toolresult._portable import Portable
from toolresult._text import escape, key_list, place_of, quote, scheme_of, url_problem
from toolresult.errors import AnswerError, ConversionError

if TYPE_CHECKING:
    from toolresult._result import ToolResult

Reason = Literal["declined", "cancelled", "expired"]
"""Why an answer is not ok. The set is closed."""

_REASONS = frozenset({"declined", "cancelled", "expired"})
_MAX_ID = 128


def _new_id() -> str:
    """Draw 128 bits from the system's own source: nobody can guess it."""
    return os.urandom(16).hex()


@value_type
@final
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Request(Portable):
    """What a suspended call asks, as data. The host stores it, shows it, and checks the answer against it.

    Raises:
        TypeError: a field of the wrong type.
        ValueError: a malformed `id` or `url`, or an `expires_at` without a time zone.
    """

    kind: str
    """What sort of answer is needed: `approval`, `authorization`, `input`, `question` or any other word."""
    prompt: str
    """What the person reads. A model reads it too."""
    id: str = field(default_factory=_new_id, kw_only=True)
    """Ties the answer to the request: printable ASCII without spaces, 1 to 128 characters. Random by default; a host
    whose engine replays code passes a stable one, such as `f"{call_id}:{n}"`."""
    url: str | None = field(default=None, kw_only=True)
    """http or https, for the person only: an approval link in the context would let the model approve itself."""
    data: Mapping[str, Any] | None = field(default=None, kw_only=True)
    """Deep-frozen. Known members: `schema` (JSON Schema of the answer's data), `arguments` (what is shown and
    approved, kept in its JSON form), `options`."""
    expires_at: datetime | None = field(default=None, kw_only=True)
    """Aware, kept in UTC. The request is expired from this moment on."""

    def __init__(
        self,
        kind: str,
        prompt: str,
        *,
        id: str | None = None,
        url: str | None = None,
        data: Mapping[str, object] | None = None,
        expires_at: datetime | None = None,
    ) -> None:
        kind = _text_field("kind", kind)
        if not kind or not kind.isprintable():
            raise ValueError("kind: must be a printable word, for example approval")
        prompt = _text_field("prompt", prompt)
        id = _new_id() if id is None else _checked_id(id)
        if url is not None:
            url = _checked_url(_text_field("url", url))
        if data is not None:
            data = _checked_data(freeze_mapping(data, "data"))
        if expires_at is not None:
            expires_at = _in_utc("expires_at", expires_at)
        _set_kind(self, kind)
        _set_prompt(self, prompt)
        _set_request_id(self, id)
        _set_url(self, url)
        _set_request_data(self, data)
        _set_expires_at(self, expires_at)

    def __post_init__(self) -> None:
        """Check again: some libraries fill the fields past `__init__` and call only this."""
        self.__init__(self.kind, self.prompt, id=self.id, url=self.url, data=self.data, expires_at=self.expires_at)

    @classmethod
    def approval(
        cls,
        prompt: str,
        *,
        arguments: Mapping[str, object] | None = None,
        id: str | None = None,
        expires_at: datetime | None = None,
    ) -> Request:
        """Ask whether to go on. `arguments` binds the answer to what was shown: `check` compares them."""
        data = None if arguments is None else {"arguments": arguments}
        return cls("approval", prompt, id=id, data=data, expires_at=expires_at)

    @classmethod
    def authorization(
        cls,
        url: str,
        prompt: str,
        *,
        id: str | None = None,
        expires_at: datetime | None = None,
    ) -> Request:
        """Ask to log in or consent at `url`. Credentials are asked for this way only, never with `input`."""
        return cls("authorization", prompt, id=id, url=url, expires_at=expires_at)

    @classmethod
    def input(
        cls,
        prompt: str,
        *,
        schema: Mapping[str, object] | None = None,
        id: str | None = None,
        expires_at: datetime | None = None,
    ) -> Request:
        """Ask for data; `schema` is its JSON Schema. Never ask for credentials this way."""
        return cls("input", prompt, id=id, data=None if schema is None else {"schema": schema}, expires_at=expires_at)

    def accept(self, data: object = None) -> Answer:
        """Build the answer that lets the call go on, with any JSON value as its data."""
        return Answer(self.id, ok=True, data=data)

    def decline(self, comment: str | None = None) -> Answer:
        """Build the answer of a person who said no; the comment goes to `data["comment"]`."""
        return Answer(self.id, ok=False, data=_comment(comment), reason="declined")

    def cancel(self, comment: str | None = None) -> Answer:
        """Build the answer of a person who closed the question without deciding."""
        return Answer(self.id, ok=False, data=_comment(comment), reason="cancelled")

    def expire(self) -> Answer:
        """Build the answer of a request that nobody answered in time."""
        return Answer(self.id, ok=False, reason="expired")

    def is_expired(self, now: datetime | None = None) -> bool:
        """Whether `now` (aware; the system's clock by default) has reached `expires_at`."""
        if self.expires_at is None:
            return False
        return (datetime.now(UTC) if now is None else _in_utc("now", now)) >= self.expires_at

    def check(
        self, answer: Answer, *, now: datetime | None = None, arguments: Mapping[str, object] | None = None
    ) -> Answer:
        """Return the answer with which the call may be resumed.

        `arguments` are those that the tool would run with now; they are compared with the ones that were shown, as
        canonical JSON. Data are held against `data["schema"]`: a flat one by the library, any other by the
        `jsonschema` package. What is returned is `answer`, or one to whose data the defaults of a flat schema are
        added. An answer that is not ok approves nothing: it passes late, whatever the arguments, with any data.

        Raises:
            AnswerError: `kind` is `unknown_id` (it answers something else), `expired`, `arguments` (they are not
                those that were approved), or `schema` (the data do not fit, or the schema cannot be checked; `path`
                says where).
            TypeError: `answer` is not an `Answer`; or the request binds arguments and none are given, or the reverse.
        """
        if not isinstance(answer, Answer):
            raise TypeError(f"answer: must be an Answer, got {type(answer).__name__}; build one with request.accept()")
        shown = _shown(self)
        if (shown is None) != (arguments is None):
            must = "pass those of the call" if arguments is None else "the request binds none, leave them out"
            raise TypeError(f"arguments: {must}")
        if answer.id != self.id:
            raise AnswerError("unknown_id", "the answer is to another request; look its request up by the id")
        if answer.ok:
            if self.is_expired(now):
                raise AnswerError("expired", "the answer came too late; ask again")
            if arguments is not None and not _same_arguments(shown, arguments):
                raise AnswerError("arguments", "they are not those that were shown; ask again")
            return self._with_checked_data(answer)
        return answer

    def _with_checked_data(self, answer: Answer) -> Answer:
        if self.data is None or "schema" not in self.data:
            return answer
        from toolresult._answer_data import checked

        return checked(answer, self.data["schema"])

    def __repr__(self) -> str:
        shown = [quote(self.kind, 30), quote(self.prompt, 80), f"id={quote(self.id, 9)}"]
        if self.url is not None:
            shown.append(f"url={quote(place_of(self.url), 60)}")
        if self.data is not None:
            shown.append(f"data={key_list(self.data)}")
        if self.expires_at is not None:
            shown.append(f"expires_at={self.expires_at.isoformat()}")
        return escape(f"Request({', '.join(shown)})", 400)


@value_type
@final
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Answer(Portable):
    """The reply to a request. `bool(answer)` is `answer.ok`, and nothing but `True` there approves.

    Raises:
        TypeError: a field of the wrong type; `ok` must be a real `bool`.
        ValueError: a malformed `id`, or a `reason` that is unknown or beside `ok=True`.
    """

    id: str
    """The id of the request."""
    ok: bool
    """Whether the call may go on."""
    data: Any = field(default=None, kw_only=True)
    """What was answered: any JSON value, deep-frozen; falsy ones count."""
    reason: Reason | None = field(default=None, kw_only=True)
    """Why not: `declined`, `cancelled` or `expired`; only beside `ok=False`."""

    def __init__(
        self,
        id: str,
        ok: bool,  # noqa: FBT001 - the one fact of an answer
        *,
        data: object = None,
        reason: Reason | None = None,
    ) -> None:
        if ok is not True and ok is not False:
            raise TypeError(f"ok: must be a bool, got {type(ok).__name__}; nothing else approves")
        if reason is not None:
            if _text_field("reason", reason) not in _REASONS:
                raise ValueError("reason: must be declined, cancelled or expired")
            if ok:
                raise ValueError("reason: only an answer that is not ok has one; leave it out")
        _set_answer_id(self, _checked_id(id))
        _set_ok(self, ok)
        _set_answer_data(self, freeze(data, "data"))
        _set_reason(self, None if reason is None else str.__str__(reason))

    def __post_init__(self) -> None:
        """Check again: some libraries fill the fields past `__init__` and call only this."""
        self.__init__(self.id, self.ok, data=self.data, reason=self.reason)

    def __bool__(self) -> bool:
        return self.ok

    def to_result(self) -> ToolResult:
        """Return the error result of an answer that is not ok: nothing was executed, and why.

        Raises:
            ValueError: the answer is ok; run the tool.
        """
        from toolresult.render import refusal

        return refusal(self)

    def __repr__(self) -> str:
        shown = [f"id={quote(self.id, 9)}", f"ok={self.ok}"]
        if self.reason is not None:
            shown.append(f"reason={self.reason!r}")
        if self.data is not None:
            data: object = self.data
            shown.append(f"data={key_list(data) if is_frozen_dict(data) else escape(type_name(data), 60)}")
        return f"Answer({', '.join(shown)})"


def match_answers(
    requests: Iterable[Request],
    answers: Iterable[Answer],
    used: Iterable[str] = (),
    *,
    now: datetime | None = None,
) -> dict[str, Answer]:
    """Pair several answers with the requests that they are for; return them by request id, in order of the requests.

    `used` are ids that have been answered before. Data are checked as by `Request.check`; arguments are compared
    afterwards, by `Request.check` on each.

    Raises:
        AnswerError: `kind` is `unknown_id`, `duplicate` (two answers to one request, or one to a used id), `expired`,
            `schema`, or `missing` (a request without an answer).
        ValueError: two requests with the same id.
    """
    asked: dict[str, Request] = {}
    for request in requests:
        if not isinstance(request, Request):
            raise TypeError(f"requests: must be Request objects, got {type_name(request)}")
        if request.id in asked:
            raise ValueError("requests: two of them have the same id; give each its own")
        asked[request.id] = request
    if isinstance(used, str):
        raise TypeError("used: must be a collection of ids, got str; put it in a list")
    taken = set(used)
    found: dict[str, Answer] = {}
    for answer in answers:
        if not isinstance(answer, Answer):
            raise TypeError(f"answers: must be Answer objects, got {type_name(answer)}; build them with accept()")
        if answer.id in taken:
            raise AnswerError("duplicate", "the request has been answered already; keep the first answer")
        if answer.id not in asked:
            raise AnswerError("unknown_id", "the answer is to no request here; look its request up by the id")
        request = asked[answer.id]
        taken.add(answer.id)
        found[answer.id] = request.check(answer, now=now, arguments=_shown(request))
    if len(found) != len(asked):
        raise AnswerError("missing", f"{len(asked) - len(found)} of {len(asked)} requests have no answer; wait for it")
    return {request_id: found[request_id] for request_id in asked}


_set_kind = slot_setter(Request, "kind")
_set_prompt = slot_setter(Request, "prompt")
_set_request_id = slot_setter(Request, "id")
_set_url = slot_setter(Request, "url")
_set_request_data = slot_setter(Request, "data")
_set_expires_at = slot_setter(Request, "expires_at")
_set_answer_id = slot_setter(Answer, "id")
_set_ok = slot_setter(Answer, "ok")
_set_answer_data = slot_setter(Answer, "data")
_set_reason = slot_setter(Answer, "reason")


def _text_field(label: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{label}: must be a str, got {type(value).__name__}")
    return str.__str__(value)


def _checked_id(value: object) -> str:
    text = _text_field("id", value)
    if not 1 <= len(text) <= _MAX_ID or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError(f"id: must be 1 to {_MAX_ID} printable ASCII characters without spaces")
    return text


def _checked_url(url: str) -> str:
    problem = url_problem(url)
    if problem is None and scheme_of(url) not in ("http", "https"):
        problem = "must be an http or https URL"
    if problem:
        raise ValueError(f"url: {problem}")
    return url


def _in_utc(label: str, moment: object) -> datetime:
    if not isinstance(moment, datetime):
        raise TypeError(f"{label}: must be a datetime, got {type(moment).__name__}")
    try:
        offset = moment.utcoffset()
    except Exception as error:
        raise ValueError(f"{label}: its time zone cannot be read: {type(error).__name__}") from error
    if offset is None:
        raise ValueError(f"{label}: must have a time zone; use datetime.now(UTC) or .astimezone()")
    try:
        return _exact(moment) - offset
    except OverflowError:
        pass
    raise ValueError(f"{label}: is out of range in UTC")


def _exact(moment: datetime) -> datetime:
    """Read the fields of a `datetime`, of a subclass too, as if they were in UTC."""
    day = (moment.year, moment.month, moment.day)
    return datetime(*day, moment.hour, moment.minute, moment.second, moment.microsecond, tzinfo=UTC)


def _checked_data(data: FrozenDict[str, Any] | None) -> FrozenDict[str, Any] | None:
    if data is None:
        return None
    for member in ("schema", "arguments"):
        if member in data and not isinstance(data[member], Mapping):
            raise TypeError(f"data.{member}: must be a mapping, got {type_name(data[member])}")
    if "arguments" not in data:
        return data
    from toolresult import _json

    # A foreign mapping in there could change between the question and the answer; its JSON form cannot.
    _json.canonical(data["arguments"], "data.arguments")
    shown = _json.plain(data["arguments"], "data.arguments")
    return freeze_mapping({**data, "arguments": shown}, "data")


def _shown(request: Request) -> Mapping[str, Any] | None:
    return request.data.get("arguments") if request.data else None


def _same_arguments(shown: object, given: object) -> bool:
    from toolresult import _json

    try:
        return _json.canonical(shown) == _json.canonical(given)
    except ConversionError:
        return False  # what has no JSON form was not shown


def _comment(comment: str | None) -> dict[str, str] | None:
    return None if comment is None else {"comment": _text_field("comment", comment)}
