"""Parts as content blocks of MCP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote

from toolresult import _json, _mcp_reading
from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._mcp_access import Node
from toolresult._media import UNKNOWN, corrected, essence, normalise
from toolresult._text import last_segment, place_of, repair, safe_name
from toolresult.errors import ContentPartError, DecodeError, EncodeError

Tell: TypeAlias = Callable[[ContentPart, str, Literal["relabelled", "text"]], object]
"""Is told of what goes out with another label, or as a text in its place."""

_ROLES = ("user", "assistant")
_FILE = "toolresult-file:"


def write_block(part: ContentPart, number: int, path: str, tell: Tell) -> dict[str, Any]:
    """Make the content block of a part; `number` tells apart the URIs of parts that have none.

    Raises:
        EncodeError: MCP's own members in the metadata of the part are malformed.
    """
    if part.raw is not None:
        return _raw(part, tell)
    try:
        return _Writer(part, number, path, tell).block()
    except DecodeError as error:
        raise EncodeError(error.path, error.problem) from None


class _Writer:
    """A block while it is written, with what MCP has no field for."""

    def __init__(self, part: ContentPart, number: int, path: str, tell: Tell) -> None:
        self._part = part
        self._number = number
        self._tell = tell
        metadata: Mapping[str, Any] = part.metadata or {}
        at = f"{path}.metadata"
        hints: object = metadata.get(_mcp_reading.HINTS)
        if hints is not None and not isinstance(hints, dict):
            raise EncodeError(f"{at}.{_mcp_reading.HINTS}", f"must be a mapping, got {type_name(hints)}")
        self._hints = Node(hints or {}, f"{at}.{_mcp_reading.HINTS}")
        self._ours: dict[str, object] = {}
        self._common = _annotations(metadata, at)

    def block(self) -> dict[str, Any]:
        """Make the block."""
        part = self._part
        if part.text is not None:
            block = self._text(repair(part.text))
        elif part.data is not None:
            block = self._data(part.data)
        else:
            block = self._link()
        block.update(self._common)
        meta: dict[str, Any] | None = self._hints.meta()
        if meta is not None and _mcp_reading.is_mark(meta.get(_mcp_reading.OURS)):
            meta = {key: member for key, member in meta.items() if key != _mcp_reading.OURS}
        if self._ours:
            meta = {**(meta or {}), _mcp_reading.OURS: self._ours}
        if meta is not None:
            block["_meta"] = meta
        return block

    def _text(self, text: str) -> dict[str, Any]:
        part, uri = self._part, self._hints.optional_text("uri")
        if uri is None:
            if part.mime_type is not None:
                self._ours["mimeType"] = part.mime_type
            self._keep_name(None)
            return {"type": "text", "text": text}
        body = {"text": text}
        if self._hints.flag("blob"):
            body = {"blob": ContentPart("file", data=text.encode(), mime_type=UNKNOWN).base64()}
        return self._resource(uri, part.mime_type, body)

    def _data(self, data: bytes) -> dict[str, Any]:
        part, uri = self._part, self._hints.optional_text("uri")
        label = cast("str", part.mime_type)
        mime_type = corrected(label, data)
        if essence(label) not in (UNKNOWN, essence(mime_type)):
            self._tell(part, f"labelled {essence(label)}, but its bytes are {mime_type}", "relabelled")
        if part.type != _mcp_reading.kind_of(mime_type):
            self._ours["type"] = part.type
        asked = self._hints.word("block")
        kind = asked if asked in ("image", "audio") else _mcp_reading.native_block(mime_type)
        if uri is None and kind != "resource":
            self._keep_name(None)
            return {"type": kind, "data": part.base64(), "mimeType": self._label(mime_type, None)}
        text = _mcp_reading.text_in(data, mime_type)
        if text is not None:
            self._ours["type"] = part.type  # or it would be read as a text
        return self._resource(uri, mime_type, {"blob": part.base64()} if text is None else {"text": text})

    def _resource(self, uri: str | None, mime_type: str | None, body: dict[str, str]) -> dict[str, Any]:
        self._keep_name(None if uri is None or _mcp_reading.is_invented(uri) else uri)
        if uri is None:
            name = "" if self._part.name is None else f"/{quote(safe_name(self._part.name, self._part.type), safe='')}"
            uri = f"{_mcp_reading.INVENTED}{self._number}{name}"
            if not self._ours:
                self._ours["unnamed"] = True  # which tells it from a URI that somebody else has given
        label = self._label(mime_type, self._implied(body))
        contents: dict[str, Any] = {"uri": uri, **({} if label is None else {"mimeType": label}), **body}
        meta = self._hints.mapping("resourceMeta")
        if meta is not None:
            contents["_meta"] = meta
        return {"type": "resource", "resource": contents}

    def _link(self) -> dict[str, Any]:
        part = self._part
        uri = part.url
        name = part.name
        if uri is None:
            file_id = repair(cast("str", part.file_id))
            self._ours["fileId"] = file_id
            owner = part.metadata.get("provider") if part.metadata else None
            if isinstance(owner, str):
                self._ours["provider"] = repair(owner)
            uri = _FILE + quote(file_id, safe="")
        if name is None:
            # A link must have a name, and people see it.
            self._ours["unnamed"] = True
            name = last_segment(place_of(part.url)) or part.type if part.url else part.type
        if part.type != _mcp_reading.kind_of(part.mime_type):
            self._ours["type"] = part.type
        label = self._label(part.mime_type, None)
        block = {"type": "resource_link", "uri": uri, "name": repair(name), **_mcp_reading.of_link(self._hints)}
        return block if label is None else {**block, "mimeType": label}

    def _keep_name(self, implied: str | None) -> None:
        name = self._part.name
        if name is None and implied is not None:
            self._ours["unnamed"] = True
        elif name is not None and name != implied:
            self._ours["name"] = repair(name)

    def _implied(self, body: dict[str, str]) -> str | None:
        """Say which MIME type is read where none stands."""
        if "text" in body:
            return None if self._part.data is None else UNKNOWN
        data = self._part.data
        return corrected(UNKNOWN, cast("str", self._part.text).encode() if data is None else data)

    def _label(self, mime_type: str | None, implied: str | None) -> str | None:
        """Spell a MIME type as it came, if that says the same, or if nothing better is known."""
        if "mimeType" not in self._hints.source:
            return mime_type
        spelled = self._hints.optional_text("mimeType")
        if spelled is None:
            return None if mime_type == implied else mime_type
        try:
            same = normalise(spelled) in (mime_type, UNKNOWN)
        except ContentPartError:
            same = mime_type in (None, UNKNOWN)
        return spelled if same else mime_type


def _annotations(metadata: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Write whom a part is for, and what else is known of it; nobody else than MCP knows is named."""
    found = _mcp_reading.annotations_of(Node(metadata, at))
    written: dict[str, object] | None = cast("dict[str, object] | None", found.get("annotations"))
    audience: object = metadata.get("audience")
    if isinstance(audience, frozenset):
        audience = sorted(word for word in cast("frozenset[object]", audience) if isinstance(word, str))
    if audience is not None:
        words = cast("list[object]", audience) if isinstance(audience, (list, tuple)) else [audience]
        written = {**(written or {}), "audience": [word for word in words if word in _ROLES]}
    return {} if written is None else {"annotations": written}


def _raw(part: ContentPart, tell: Tell) -> dict[str, Any]:
    """Write a link as it was read; a block of another kind is none that MCP has, so a text says what was left out."""
    if part.type == "resource_link":
        try:
            again = _mcp_reading.read_block(Node(part.raw, "raw"), _mcp_reading.tell_nobody)
        except DecodeError:
            pass
        else:
            if again == part:
                return cast("dict[str, Any]", _json.plain(part.raw))
    reason = "its kind is not known here"
    tell(part, reason, "text")
    return {"type": "text", "text": f"[{part.summary()} was left out: {reason}]"}
