"""`ToolResult`: what a tool function returns."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, final

from toolresult._content import DEFAULT_MAX_BYTES, ContentPart, Source, is_for_model, load_part
from toolresult._frozen import (
    FrozenDict,
    deepcopy_fields,
    freeze,
    freeze_mapping,
    is_frozen_dict,
    slot_setter,
    type_name,
    value_type,
)
from toolresult._media import JSON_TYPE, TSV_TYPE, essence, normalise
from toolresult._portable import Portable
from toolresult._suspension import Request
from toolresult._text import is_blank, key_list, quote
from toolresult.errors import ContentPartError, ConversionError, Suspend, ToolError

PENDING = "pending"
"""The metadata key that holds a `Request` and makes the result a suspension."""

FACTS = "toolresult"
"""The metadata key under which the library keeps its own facts; nobody else reads it."""

NOTHING_FOR_MODEL = "[no content for the model]"
_NO_FACTS: Mapping[str, Any] = FrozenDict()


@value_type
@final
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class ToolResult(Portable):
    """What a tool function returns: text for the model, parts beside it, metadata for the application.

    Make one with `ok`, `error` or `pending`, or with a constructor named after the content. An error result is data:
    the tool ran and failed. A pending result is a call that was not executed and waits for an answer; it is an error
    result too, so that nobody takes it for a success.

    Raises:
        TypeError: a field of the wrong type.
        ValueError: a pending result that is not an error, or metadata that contains itself or is nested too deep.
    """

    output: str = ""
    """What the transcript, token counting and text-only providers see. Kept as given."""
    is_error: bool = False
    """Whether the call failed or is pending."""
    parts: tuple[ContentPart, ...] | None = field(default=None, kw_only=True)
    """Content beside `output`; an empty iterable becomes `None`. Models get `content`, not this."""
    metadata: Mapping[str, Any] | None = field(default=None, kw_only=True)
    """For the application, never for a model; a deep-frozen snapshot, empty becomes `None`. The key `pending` holds
    a `Request`; the key `toolresult` is the library's own and is read through properties."""

    def __init__(
        self,
        output: str = "",
        is_error: bool = False,  # noqa: FBT001, FBT002 - the four fields of the type, in their order
        *,
        parts: Iterable[ContentPart] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        if type(output) is not str:
            output = _plain_output(output)
        if is_error is not True and is_error is not False:
            raise TypeError(f"is_error: must be a bool, got {type(is_error).__name__}")
        if parts is not None:
            parts = _checked_parts(parts)
        if metadata is not None:
            metadata = freeze_mapping(metadata)
            if metadata is not None and (PENDING in metadata or FACTS in metadata):
                _check_reserved(metadata, is_error=is_error)
        _set_output(self, output)
        _set_is_error(self, is_error)
        _set_parts(self, parts)
        _set_metadata(self, metadata)

    def __post_init__(self) -> None:
        """Check again: some libraries fill the fields past `__init__` and call only this."""
        self.__init__(self.output, self.is_error, parts=self.parts, metadata=self.metadata)

    @classmethod
    def ok(
        cls,
        output: str = "",
        *,
        parts: Iterable[ContentPart] | None = None,
        metadata: Mapping[str, object] | None = None,
        value: object = None,
    ) -> ToolResult:
        """Return a success.

        `value` is the application's own object behind the text, read back with the property `value`; `None` is no
        value. Without `output`, the text is the compact JSON of `value`, or else the projection of `parts`: their
        texts, or their summaries when none is text.

        Raises:
            ConversionError: there is no `output` and nothing to take it from, because `value` has no JSON form.
        """
        if value is None and parts is None:
            # The most common calls: stored here, since a second call would cost as much as all the rest.
            self = _new(cls)
            _set_output(self, output if type(output) is str else _plain_output(output))
            _set_is_error(self, False)  # noqa: FBT003
            _set_parts(self, None)
            if metadata is not None:
                metadata = freeze_mapping(metadata)
                if metadata is not None and (PENDING in metadata or FACTS in metadata):
                    _check_reserved(metadata, is_error=False)
            _set_metadata(self, metadata)
            return self
        parts = None if parts is None else _checked_parts(parts)
        facts = {} if value is None else {"value": value}
        if type(output) is not str:
            output = _plain_output(output)
        if not output:
            output, mime_type = _derived_output(value, parts)
            if mime_type:
                facts["mime_type"] = mime_type
        return cls(output, parts=parts, metadata=_with_facts(metadata, facts))

    @classmethod
    def error(
        cls,
        message: str,
        *,
        parts: Iterable[ContentPart] | None = None,
        metadata: Mapping[str, object] | None = None,
        value: object = None,
        code: str | None = None,
        retryable: bool = False,
    ) -> ToolResult:
        """Return a failure that the model reads: the tool ran and this is what went wrong.

        `code` is a short word for programs; `retryable` says that the same call may succeed later.
        """
        facts: dict[str, object] = {}
        if value is not None:
            facts["value"] = value
        if code is not None:
            facts["code"] = str.__str__(code) if isinstance(cast("object", code), str) else code
        if cast("object", retryable) is not False:
            facts["retryable"] = retryable
        return cls(message, True, parts=parts, metadata=_with_facts(metadata, facts))  # noqa: FBT003

    @classmethod
    def pending(cls, request: Request, *, metadata: Mapping[str, object] | None = None) -> ToolResult:
        """Return a suspension: the call was not executed, and the host asks `request`.

        The output is the prompt. The host keeps the request, checks the answer against it and runs the tool again.
        """
        if not isinstance(request, Request):
            raise TypeError(f"request: must be a Request, got {type(request).__name__}; use Request.approval(...)")
        known: Mapping[str, Any] = freeze_mapping(metadata) or {}
        if PENDING in known:
            raise ValueError("metadata.pending: is where the request goes; leave it out")
        return cls(request.prompt, True, metadata={**known, PENDING: request})  # noqa: FBT003

    @classmethod
    def json(cls, value: object, *, metadata: Mapping[str, object] | None = None) -> ToolResult:
        """Return a success whose output is the compact JSON of `value`, with `value` itself behind it.

        Raises:
            ConversionError: `value` has no JSON form; `path` says where.
        """
        from toolresult import _json

        facts: dict[str, object] = {"mime_type": JSON_TYPE}
        if value is not None:
            facts["value"] = value
        return cls(_json.compact(value), metadata=_with_facts(metadata, facts))

    @classmethod
    def tsv(
        cls,
        rows: str | Iterable[Iterable[object] | Mapping[str, object]],
        *,
        metadata: Mapping[str, object] | None = None,
    ) -> ToolResult:
        """Return a success whose output is tab-separated text: finished text as it is, or rows, kept as `value`.

        Rows that are mappings get a header. In cells a backslash, tab, newline or carriage return is escaped.

        Raises:
            ConversionError: a cell has no JSON form; `path` says which.
        """
        from toolresult import _json

        facts: dict[str, object] = {"mime_type": TSV_TYPE}
        if isinstance(rows, str):
            return cls(rows, metadata=_with_facts(metadata, facts))
        table = [_snapshot_of_row(row) for row in rows]
        return cls(_json.tsv(table), metadata=_with_facts(metadata, {"value": table, **facts}))

    @classmethod
    def image(
        cls,
        source: Source,
        *,
        output: str = "",
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ToolResult:
        """Load an image as `ContentPart.image` does; a bad source gives an error result and raises nothing.

        `output` replaces the summary as the text of the result.

        Raises:
            TypeError: an object that is no source, such as `None`.
        """
        return _load_result("image", source, output, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def audio(
        cls,
        source: Source,
        *,
        output: str = "",
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ToolResult:
        """Load audio as `ContentPart.audio` does; a bad source gives an error result and raises nothing."""
        return _load_result("audio", source, output, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def video(
        cls,
        source: Source,
        *,
        output: str = "",
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ToolResult:
        """Load video as `ContentPart.video` does; a bad source gives an error result and raises nothing."""
        return _load_result("video", source, output, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def file(
        cls,
        source: Source,
        *,
        output: str = "",
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ToolResult:
        """Load any file as `ContentPart.file` does; a bad source gives an error result and raises nothing."""
        return _load_result("file", source, output, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def from_parts(cls, parts: Iterable[ContentPart], *, metadata: Mapping[str, object] | None = None) -> ToolResult:
        """Return a success made of parts, in the simplest form that says the same.

        No parts is `ok()`. A single text part without name and metadata is that text with its MIME type, and a JSON
        one a JSON result. Anything else keeps its parts, and `output` is their projection.
        """
        kept = _checked_parts(parts)
        if kept is None:
            return cls(metadata=metadata)
        part = kept[0]
        if len(kept) > 1 or part.text is None or part.name is not None or part.metadata is not None:
            return cls(_projection_of_visible(kept), parts=kept, metadata=metadata)
        return cls(part.text, metadata=_with_facts(metadata, _facts_of_text(part.text, part.mime_type)))

    @classmethod
    def of(
        cls,
        value: object,
        *,
        indent: int | str | None = None,
        non_finite: Literal["null", "text", "refuse"] = "null",
        default: Callable[[Any], object] | None = None,
        expose: Collection[type[BaseException]] = (),
    ) -> ToolResult:
        """Make a result of anything that a tool may return; see `toolresult.convert.of`.

        Raises:
            ConversionError: something has no form; `path` says where.
        """
        if type(value) is str:
            return cls.ok(value)
        import toolresult.convert

        return toolresult.convert.of(value, indent=indent, non_finite=non_finite, default=default, expose=expose)

    @property
    def is_pending(self) -> bool:
        """Whether the call was not executed and waits for an answer."""
        return self.metadata is not None and PENDING in self.metadata

    @property
    def request(self) -> Request | None:
        """What a pending result asks."""
        return None if self.metadata is None else self.metadata.get(PENDING)

    @property
    def is_done(self) -> bool:
        """Whether the call succeeded with nothing to say: no output, no parts."""
        return not self.is_error and not self.output and self.parts is None

    @property
    def error_message(self) -> str | None:
        """The output of a failure; `None` for a success and for a pending result."""
        return self.output if self.is_error and not self.is_pending else None

    @property
    def value(self) -> object:
        """The application's own object behind the text, frozen if it was plain data; `None` when there is none."""
        return self._facts.get("value")

    @property
    def is_derived(self) -> bool:
        """Whether `output` is the compact JSON of `value`, so that one can be had from the other."""
        if self.value is None:
            return False
        from toolresult import _json

        try:
            return self.output == _json.compact(self.value)
        except ConversionError:
            return False

    @property
    def error_code(self) -> str | None:
        """The short word for programs that the error was given."""
        return self._facts.get("code")

    @property
    def is_retryable(self) -> bool:
        """Whether the author of the error said that the same call may succeed later."""
        return self._facts.get("retryable", False) is True

    @property
    def mime_type(self) -> str | None:
        """The MIME type of the one part that is not text; without such parts, that of `output`.

        `None` for plain text, and when several parts are not text.
        """
        media = self._media
        return self._facts.get("mime_type") if not media else media[0].mime_type if len(media) == 1 else None

    @property
    def data(self) -> bytes | None:
        """The bytes of the one part that is not text, when there is exactly one and they are in memory."""
        media = self._media
        return media[0].data if len(media) == 1 else None

    @property
    def is_placeholder(self) -> bool:
        """Whether the text only says that the call waits and was not executed; it was read from a provider's shape."""
        return self._facts.get("placeholder", False) is True

    @property
    def content(self) -> tuple[ContentPart, ...]:
        """What a model should get, in order: every adapter sends exactly this.

        The parts whose audience includes the assistant, preceded by `output` as a text part unless it is blank or
        only their projection. A result whose parts are all for somebody else has a short placeholder text.
        """
        visible = () if self.parts is None else tuple(filter(is_for_model, self.parts))
        if not is_blank(self.output) and self.output != projection(visible):
            text = ContentPart("text", text=self.output, mime_type=self._facts.get("mime_type"))
            return (text, *visible)
        if self.parts is not None and not visible:
            return (ContentPart("text", text=NOTHING_FOR_MODEL),)
        return visible

    def as_text(self) -> str | None:
        """Return the content as text, joined by blank lines; `None` as soon as one part is not text."""
        if self.parts is None:
            return self.output
        if self._media:
            return None
        return "\n\n".join(part.text or "" for part in self.content)

    def raise_for_error(self) -> ToolResult:
        """Return the result itself if it succeeded.

        Raises:
            ToolError: it failed; `result` is this result.
            Suspend: it is pending; `request` is its request.
        """
        if not self.is_error:
            return self
        if self.request is not None:
            raise Suspend(self.request)
        raise ToolError(
            self.output,
            code=self.error_code,
            retryable=self.is_retryable,
            parts=self.parts or (),
            value=self.value,
            result=self,
        )

    def render_for_model(self) -> str:
        """Return what a text-only model should read, the same as `str(result)`.

        The content as text, summaries for what is not text, the error marker once before an error, and a plain
        sentence with the prompt for a suspension. Never payload, never metadata.
        """
        from toolresult.render import for_model

        return for_model(self)

    @property
    def _facts(self) -> Mapping[str, Any]:
        return _NO_FACTS if self.metadata is None else self.metadata.get(FACTS, _NO_FACTS)

    @property
    def _media(self) -> list[ContentPart]:
        return [part for part in self.parts or () if part.text is None]

    def __str__(self) -> str:
        return self.render_for_model()

    def __repr__(self) -> str:
        state = "PENDING, " if self.is_pending else "ERROR, " if self.is_error else ""
        shown = [f"output={quote(self.output, 120)}"]
        if self.parts is not None:
            summaries = [part.summary() for part in self.parts[:3]]
            more = len(self.parts) - len(summaries)
            shown.append(f"parts=[{', '.join([*summaries, f'+{more} more'] if more else summaries)}]")
        if self.metadata is not None:
            shown.append(f"metadata={key_list(self.metadata)}")
        return f"ToolResult({state}{', '.join(shown)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> ToolResult:
        return self if self.parts is None and self.metadata is None else deepcopy_fields(self, memo)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sys.getsizeof(self.output) + sum(map(sys.getsizeof, self.parts or ()))


_new = object.__new__
_set_output = slot_setter(ToolResult, "output")
_set_is_error = slot_setter(ToolResult, "is_error")
_set_parts = slot_setter(ToolResult, "parts")
_set_metadata = slot_setter(ToolResult, "metadata")


def _plain_output(output: object) -> str:
    if isinstance(output, str):
        return str.__str__(output)
    raise TypeError(
        f"output: must be a str, got {type(output).__name__}; make a result of it with ToolResult.of(value)"
    )


_SEQUENCES = frozenset([tuple, list])


def _checked_parts(parts: Iterable[ContentPart]) -> tuple[ContentPart, ...] | None:
    # A tuple or a list is iterable; asking the abstract class costs as much as all the rest.
    if type(parts) not in _SEQUENCES and not isinstance(cast("object", parts), Iterable):
        raise TypeError(f"parts: must be an iterable of ContentPart, got {type(parts).__name__}; use a list")
    kept: tuple[Any, ...] = tuple(parts)  # the same object if it is a tuple already
    for part in kept:
        if type(part) is not ContentPart:
            n = next(n for n, other in enumerate(kept) if other is part)
            raise TypeError(f"parts[{n}]: must be a ContentPart, got {type(part).__name__}; use ContentPart.from_text")
    return kept or None


def _check_reserved(metadata: Mapping[str, Any], *, is_error: bool) -> None:
    if PENDING in metadata:
        request = metadata[PENDING]
        if type(request) is not Request:
            raise TypeError(f"metadata.pending: must be a Request, got {type_name(request)}; build one")
        if not is_error:
            raise ValueError("is_error: must be True for a pending result; use ToolResult.pending(request)")
    facts = metadata.get(FACTS, _NO_FACTS)
    if not is_frozen_dict(facts):
        raise TypeError(f"metadata.toolresult: is the library's own and must be a mapping, got {type_name(facts)}")
    for name, kind in _FACT_TYPES.items():
        fact: object = facts.get(name)
        if fact is not None and type(fact) is not kind:
            raise TypeError(f"metadata.toolresult.{name}: must be {kind.__name__}, got {type_name(fact)}")
    if "derived" in facts:
        raise ValueError("metadata.toolresult.derived: stands in the wire form only; leave it out")
    if "mime_type" in facts:
        try:
            normalise(facts["mime_type"])
        except (ContentPartError, TypeError) as error:
            raise ValueError(f"metadata.toolresult.{error}") from None


_FACT_TYPES = {"mime_type": str, "code": str, "retryable": bool, "placeholder": bool}


def _with_facts(metadata: Mapping[str, object] | None, facts: Mapping[str, object]) -> Mapping[str, object] | None:
    if not facts:
        return metadata
    if metadata is None:
        return {FACTS: facts}
    known = cast("Any", metadata).get(FACTS, _NO_FACTS) if isinstance(cast("object", metadata), Mapping) else None
    if not isinstance(known, Mapping):
        return metadata  # which the constructor will refuse
    return {**metadata, FACTS: {**cast("Mapping[str, object]", known), **facts}}


def _facts_of_text(text: str, mime_type: str | None) -> dict[str, object]:
    """Say what is worth keeping of a text part that becomes the output of a result."""
    if mime_type is None or essence(mime_type) == "text/plain":
        return {}
    facts: dict[str, object] = {"mime_type": mime_type}
    if essence(mime_type) == JSON_TYPE:
        from toolresult import _json

        try:
            value = freeze(_json.parse(text))
        except ValueError:  # no JSON after all, or nested too deep for a value
            value = None
        if value is not None:
            facts["value"] = value
    return facts


def projection(parts: Sequence[ContentPart]) -> str:
    """Say in one text what a model gets of parts: their texts, or their summaries when none is text."""
    texts = [part.text for part in parts if part.text is not None and not is_blank(part.text)]
    return "\n\n".join(texts or [part.summary() for part in parts if part.text is None])


def _projection_of_visible(parts: Iterable[ContentPart]) -> str:
    return projection(tuple(filter(is_for_model, parts)))


def _snapshot_of_row(row: Any) -> Any:
    """Read a row once, so that an iterator can be both text and value."""
    if isinstance(row, (Mapping, str, bytes)) or not isinstance(row, Iterable):
        return cast("object", row)
    return list(cast("Iterable[object]", row))


def _derived_output(value: object, parts: tuple[ContentPart, ...] | None) -> tuple[str, str | None]:
    if value is not None:
        from toolresult import _json

        try:
            return _json.compact(value), JSON_TYPE
        except ConversionError:
            if parts is None:
                raise
    return _projection_of_visible(parts or ()), None


def _load_result(
    kind: str,
    source: Source,
    output: str,
    mime_type: str | None,
    name: str | None,
    max_bytes: int | None,
    root: str | os.PathLike[str] | None,
    metadata: Mapping[str, object] | None,
) -> ToolResult:
    try:
        part = load_part(kind, source, mime_type, name, max_bytes, root, None)
    except ContentPartError as error:
        return ToolResult.error(str(error), metadata=metadata)
    # A loaded part has no text and no audience: its projection is its summary.
    if metadata is not None or type(output) is not str:
        return ToolResult(output or part.summary(), parts=(part,), metadata=metadata)
    self = _new(ToolResult)
    _set_output(self, output or part.summary())
    _set_is_error(self, False)  # noqa: FBT003
    _set_parts(self, (part,))
    _set_metadata(self, None)
    return self
