"""Provider shapes read back: typed access with paths, blocks made into parts, parts made into results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar, cast

from toolresult._content import TYPES, ContentPart
from toolresult._data_url import decode_base64, parse
from toolresult._frozen import type_name
from toolresult._media import UNKNOWN, corrected, essence, normalise
from toolresult._result import FACTS, ToolResult
from toolresult._text import is_blank
from toolresult.adapters._limits import kind_of
from toolresult.adapters._turn import DONE, CallResult, Loss, OnLoss, check_on_loss, pointer, report
from toolresult.errors import ContentPartError, DecodeError
from toolresult.render import ERROR_MARKER, NO_MESSAGE, WAITING

T = TypeVar("T")

_INTRODUCES = "[from tool call "
# Pointers as `lay_out` and `Laid.text` write them: texts of their own, joined to others by a blank line.
_BETWEEN = "\n\n"
_POINTER = re.compile(r"(?:\A|\n\n)(\[[^\n]*\])(?=\n\n|\Z)")
_FILES_OF_GOOGLE = ("https://generativelanguage.googleapis.com/", "gs://")


class Reading:
    """The results found so far in somebody's messages, in order."""

    def __init__(self, on_loss: OnLoss, *, has_flag: bool) -> None:
        check_on_loss(on_loss)
        self._on_loss: OnLoss = on_loss
        self._has_flag = has_flag
        self._found: list[Found] = []
        self._by_reference: dict[str, Found] = {}
        self._by_position: dict[str, Found] = {}
        self._turn: set[str] = set()
        self._losses: list[Loss] = []

    def add(self, call_id: str, name: str | None, path: str, reference: str | None = None) -> Found:
        """Begin a result. Parts that follow after the results name it by its id, or by its position.

        Raises:
            DecodeError: the id was there before in this turn.
        """
        found = Found(call_id, name, self._losses, path.rpartition(".")[0], has_flag=self._has_flag)
        if call_id and call_id in self._turn:
            raise DecodeError(path, "names a call that has a result already; a call has one")
        self._turn.add(call_id)
        self._found.append(found)
        if reference is not None:
            self._by_position[reference] = found
        if call_id:
            self._by_reference[call_id] = found
        return found

    def end_turn(self) -> None:
        """Let ids stand for other calls from here on: the model spoke, and some servers count from one again."""
        self._turn.clear()

    def follow(self, content: object, path: str, part: ReadPart, is_media: Callable[[dict[str, Any]], bool]) -> None:
        """Read the parts of results that follow after them in a list: each after the text that introduces it.

        Raises:
            DecodeError: one of them is malformed.
        """
        introduced = None
        for at, block in mappings_in(content, path):
            if introduced is not None and is_media(block):
                found, label = introduced
                found.moved.append((label, part(found, block, at)))
                introduced = None
            else:
                introduced = self.introduced(block)

    def introduced(self, block: Mapping[str, Any]) -> tuple[Found, str] | None:
        """Find the result that a text introduces a part of, and how it names the part."""
        text = word_at(block, "text")
        if text is None or not text.startswith(_INTRODUCES):
            return None
        reference, _, label = text[len(_INTRODUCES) :].partition("] ")
        found = self._by_reference.get(reference) or self._by_position.get(reference)
        if found is None or not label:
            return None
        # A message that was cut off shifts positions, so a pointer must confirm one.
        is_sure = reference in self._by_reference or found.points_to(label)
        return (found, label) if is_sure else None

    def results(self) -> list[CallResult]:
        """Finish: report what was lost and build the results.

        Raises:
            LossError: something was lost, and the caller asked to be stopped.
        """
        for loss in self._losses:
            report(loss, self._on_loss)
        return [CallResult(found.call_id, found.result(), found.name) for found in self._found]


class Found:
    """One result while it is read."""

    def __init__(self, call_id: str, name: str | None, losses: list[Loss], path: str, *, has_flag: bool) -> None:
        self.call_id = call_id
        self.name = name
        self.is_error = False
        self.has_flag = has_flag
        """Whether `is_error` is said beside the text. Where it is not, the marker in the text makes an error."""
        self.parts: list[ContentPart] = []
        self.moved: list[tuple[str, ContentPart]] = []
        """Parts that follow after the results, each with the words that point to it."""
        self._losses = losses
        self._path = path

    def read(self, content: object, path: str, part: ReadPart) -> None:
        """Read what a shape gives as one text or as a list of blocks.

        Raises:
            DecodeError: it is malformed.
        """
        if isinstance(content, str):
            self.parts.append(self.text(str.__str__(content)))
        else:
            self.parts.extend(part(self, block, at) for at, block in mappings_at(content, path))

    def points_to(self, label: str) -> bool:
        """Say whether a text points to a part that follows and has not come yet."""
        stands = sum((part.text or "").count(pointer(label)) for part in self.parts)
        return stands > sum(known == label for known, _ in self.moved)

    def text(self, text: str) -> ContentPart:
        """Make a part of text."""
        return ContentPart("text", text=text)

    def base64(
        self, text: str, claim: str | None, path: str, name: str | None = None, *, label_path: str | None = None
    ) -> ContentPart:
        """Make a part of base64 text.

        Raises:
            DecodeError: it is malformed.
        """
        data = built(path, decode_base64, text.encode("ascii", "replace"), None)
        return self.data(data or b"", claim, path, name, label_path=label_path)

    def data(
        self, data: bytes, claim: str | None, path: str, name: str | None = None, *, label_path: str | None = None
    ) -> ContentPart:
        """Make a part of bytes. A label that contradicts them is corrected and reported."""
        label = UNKNOWN if claim is None else built(label_path or path, normalise, claim)
        mime_type = corrected(label, data)
        part = built(path, ContentPart, kind_of(mime_type), data=data, mime_type=mime_type, name=name)
        if essence(label) not in (UNKNOWN, essence(mime_type)):
            reason = f"labelled {essence(label)}, but its bytes are {mime_type}"
            self._losses.append(Loss(self.call_id, part, reason, "relabelled"))
        return part

    def url(
        self,
        kind: str,
        url: str,
        claim: str | None,
        path: str,
        name: str | None = None,
        *,
        label_path: str | None = None,
    ) -> ContentPart:
        """Make a part of a URL; a `data:` URL is decoded.

        Raises:
            DecodeError: it is malformed.
        """
        if label_path is not None and claim is not None:
            claim = built(label_path, normalise, claim)
        if url[:5].lower() == "data:":
            data, declared = built(path, parse, url, None)
            return self.data(data or b"", declared or claim, path, name)
        return built(path, ContentPart, kind, url=url, mime_type=claim, name=name)

    def file(self, text: str, path: str, name: str | None) -> ContentPart:
        """Make a file part of what a shape calls file data: a `data:` URL, a URL, or bare base64."""
        if text[:5].lower() == "data:" or "://" in text[:10]:
            return self.url("file", text, None, path, name)
        return self.base64(text, None, path, name)

    def json(self, value: object, path: str) -> ContentPart:
        """Make a part of data.

        Raises:
            DecodeError: it has no JSON form.
        """
        return built(path, ContentPart.json, value)

    def uri(
        self, uri: str, claim: str | None, provider: str, path: str, name: str | None, kind: str | None = None
    ) -> ContentPart:
        """Make a part of a URI that may name a file of the provider: an id that is its own, or a URL."""
        kind = kind or ("file" if claim is None else kind_of(claim))
        if uri.startswith(_FILES_OF_GOOGLE):
            owner = {"provider": provider}
            return built(path, ContentPart, kind, file_id=uri, mime_type=claim, name=name, metadata=owner)
        return self.url(kind, uri, claim, path, name)

    def file_id(self, kind: str, file_id: str, provider: str, path: str, name: str | None = None) -> ContentPart:
        """Make a part of the id of a file that the provider holds."""
        return built(path, ContentPart, kind, file_id=file_id, name=name, metadata={"provider": provider})

    def unknown(self, block: Mapping[str, Any], path: str) -> ContentPart:
        """Keep a block of an unknown kind as it is, and report it."""
        kind = word_at(block, "type")
        is_new = kind is not None and not is_blank(kind) and kind not in TYPES
        part = built(path, ContentPart, kind if is_new else "unknown", raw=block)
        self._losses.append(Loss(self.call_id, part, "is of a kind that is not known", "raw"))
        return part

    def result(self) -> ToolResult:
        """Build the result: without marker and placeholders, and with what was moved in its place.

        Raises:
            DecodeError: its data is nested too deep for a result.
        """
        parts, is_error = self.parts, self.is_error
        first = parts[0].text if parts else None
        if first is not None and not self.has_flag and (first + " ").startswith(ERROR_MARKER):
            is_error = True
            rest = first[len(ERROR_MARKER) :]
            parts = [*([self.text(rest)] if rest else []), *parts[1:]]
        if is_error and parts and parts[0].text == NO_MESSAGE:
            parts = parts[1:]
        if first is not None and len(parts) == 1 and not self.moved:
            if first == DONE and not is_error:
                return ToolResult()
            if first.startswith(WAITING) and (is_error or not self.has_flag):
                return ToolResult(first, is_error=True, metadata={FACTS: {"placeholder": True}})
        result = built(self._path, ToolResult.from_parts, _woven(parts, self.moved))
        return ToolResult(result.output, is_error, parts=result.parts, metadata=result.metadata)


ReadPart: TypeAlias = Callable[[Found, dict[str, Any], str], ContentPart]
"""Makes a part of a block, given its path."""


def _woven(parts: list[ContentPart], moved: list[tuple[str, ContentPart]]) -> Iterator[ContentPart]:
    """Put what was moved where a pointer stands that names it, and the rest at the end."""
    left: dict[str, list[ContentPart]] = {}
    for label, part in moved:
        left.setdefault(pointer(label), []).append(part)
    for part in parts:
        text = part.text
        if text is None or not left:
            yield part
            continue
        begin = 0
        for found in _POINTER.finditer(text):
            here = left.get(found[1])
            if not here:
                continue
            if found.start() > begin:
                yield ContentPart("text", text=text[begin : found.start()])
            yield here.pop(0)
            begin = found.end() + len(_BETWEEN)
        if begin < len(text):
            yield ContentPart("text", text=text[begin:])
    for rest in left.values():
        yield from rest


def built(path: str, make: Callable[..., T], /, *values: Any, **fields: Any) -> T:
    """Call a constructor or parser of ours; its refusal becomes one that names the place.

    Raises:
        DecodeError: it refused.
    """
    try:
        return make(*values, **fields)
    except (ContentPartError, TypeError, ValueError) as error:
        raise DecodeError(path, str(error)) from None


def items_of(items: Any, *, takes_texts: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """Go through messages or items, each with its path; a bare text is somebody's message where there are such.

    Raises:
        DecodeError: they are no list of mappings.
    """
    kind = type_name(items)
    if _dump_of(items) is not None or not isinstance(items, Iterable) or isinstance(items, (str, bytes, Mapping)):
        raise DecodeError("items", f"must be a list of mappings, got {kind}; pass the list of all messages")
    for n, item in enumerate(cast("Iterable[object]", items)):
        if not takes_texts or not isinstance(item, str):
            yield f"items[{n}]", mapping_at(item, f"items[{n}]")


def mapping_at(value: Any, path: str) -> dict[str, Any]:
    """Read a mapping with string keys, or a model of a vendor's SDK, which says itself what its mapping is.

    Raises:
        DecodeError: it is something else.
    """
    given: Any = dumped(value, path)
    if not isinstance(given, Mapping):
        raise DecodeError(path, f"must be a mapping, got {type_name(value)}")
    try:
        members: dict[Any, Any] = {**given}
    except Exception as error:  # noqa: BLE001 - its own methods may raise anything
        raise DecodeError(path, f"cannot be read: {type_name(error)}") from None
    if given is not value:
        # Of a model, what is null at the top is not set; what is null in its data stays.
        members = {key: item for key, item in members.items() if item is not None}
    if not all(isinstance(key, str) for key in members):
        raise DecodeError(path, "must have keys of type str")
    return members


def dumped(value: object, path: str) -> object:
    """Replace an object of a vendor's SDK by what it dumps itself as; anything else stays.

    Raises:
        DecodeError: it cannot.
    """
    dump = _dump_of(value)
    try:
        return value if dump is None else dump(value, by_alias=True, warnings=False)
    except Exception as error:  # noqa: BLE001 - its own methods may raise anything
        raise DecodeError(path, f"cannot be read: {type_name(error)}") from None


def _dump_of(value: object) -> Callable[..., Any] | None:
    """Find the method by which pydantic's models, and so the objects of the SDKs, give their mapping."""
    dump = None if isinstance(value, Mapping) else getattr(type(value), "model_dump", None)
    return dump if callable(dump) else None


def mappings_at(value: object, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Go through a list of mappings, each with its path.

    Raises:
        DecodeError: it is something else.
    """
    for n, item in enumerate(list_at(value, path)):
        yield f"{path}[{n}]", mapping_at(item, f"{path}[{n}]")


def mappings_in(value: object, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Go through the mappings and models in a list, each with its path; whatever else is in it is not ours.

    Raises:
        DecodeError: a mapping has other keys than text.
    """
    for n, item in enumerate(list_at(value, path)):
        if isinstance(item, Mapping) or _dump_of(item) is not None:
            yield f"{path}[{n}]", mapping_at(cast("object", item), f"{path}[{n}]")


def is_list(value: object, path: str) -> bool:
    """Say whether content comes in blocks.

    Raises:
        DecodeError: it is an iterator, which would be used up by reading it.
    """
    if isinstance(value, Iterator):
        raise DecodeError(path, f"must be a list, got {type_name(cast('object', value))}")
    return isinstance(value, (list, tuple))


def list_at(value: object, path: str) -> list[Any]:
    """Read a list.

    Raises:
        DecodeError: it is something else.
    """
    if not isinstance(value, (list, tuple)):
        raise DecodeError(path, f"must be a list, got {type_name(value)}")
    try:
        return list(cast("list[Any]", value))
    except Exception as error:  # noqa: BLE001 - its own methods may raise anything
        raise DecodeError(path, f"cannot be read: {type_name(error)}") from None


def text_at(members: Mapping[str, Any], key: str, path: str) -> str:
    """Read a required text.

    Raises:
        DecodeError: it is missing, or something else.
    """
    value = optional_text_at(members, key, path)
    if value is None:
        raise DecodeError(f"{path}.{key}", "is required")
    return value


def optional_text_at(members: Mapping[str, Any], key: str, path: str) -> str | None:
    """Read a text that may be missing or null.

    Raises:
        DecodeError: it is something else.
    """
    value = members.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise DecodeError(f"{path}.{key}", f"must be a str, got {type_name(value)}")
    return str.__str__(value)


def word_at(members: Mapping[str, Any], key: str) -> str | None:
    """Read a word that says what something is; anything else than text is none that is known."""
    value = members.get(key)
    return str.__str__(value) if isinstance(value, str) else None


def bytes_of(value: Any) -> bytes | None:
    """Read bytes as the clients take and give them; anything else is none."""
    buffer = value
    return bytes(memoryview(buffer)) if isinstance(value, (bytes, bytearray, memoryview)) else None


def flag_at(members: Mapping[str, Any], key: str, path: str) -> bool:
    """Read a flag; missing or null is false.

    Raises:
        DecodeError: it is no bool.
    """
    value = members.get(key)
    if value is not None and value is not True and value is not False:
        raise DecodeError(f"{path}.{key}", f"must be a bool, got {type_name(value)}")
    return value is True
