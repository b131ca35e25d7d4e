"""Results and content blocks of MCP, read: from mappings, and from objects of the `mcp` package. Nothing is imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias, cast

from toolresult import _json
from toolresult._content import TYPES, ContentPart, is_for_model
from toolresult._data_url import decode_base64, parse
from toolresult._frozen import type_name
from toolresult._mcp_access import Node, built, decoded
from toolresult._media import JSON_TYPE, UNKNOWN, corrected, essence, is_textual, normalise
from toolresult._result import FACTS, ToolResult
from toolresult._text import escape, is_blank
from toolresult.errors import ContentPartError, DecodeError
from toolresult.render import WAITING

HINTS = "mcp"
"""The key in the metadata of a part, and in the facts of a result, under which MCP's own members are kept."""

OURS = "io.github.toolresult/part"
"""The key in the `_meta` of a block under which stands what a block has no field for."""

WRAPPED = "io.github.toolresult/wrapped"
"""The key in the `_meta` of a result that says that its structured data is in an object only because it had to be."""

INVENTED = "toolresult:///"
"""Begins the URI of an embedded resource that had none."""

STRUCTURED = "structured"
"""Says of a result that its value came as structured data."""

ADDED = "added"
"""Says of a part, or of the output, that it is the copy of the structured data for the model."""

RESULT = "result"
"""The one member of the object around structured data that is none, as the `mcp` package itself names it."""

Tell: TypeAlias = Callable[[ContentPart, str, Literal["relabelled", "raw"]], object]
"""Is told what was repaired, or is not known."""

_mro_of: Callable[[type], tuple[type[Any], ...]] = type.__dict__["__mro__"].__get__
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_PACKAGES = frozenset({"mcp", "mcp_types"})
_BLOCKS = frozenset({"TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink"})
_CONTENTS = frozenset({"TextResourceContents", "BlobResourceContents"})
_MAJORS = ("image", "audio", "video")
# RFC 2045, section 5.1: a parameter of a MIME type that names another encoding than UTF-8 or its subset.
_OTHER_CHARSET = re.compile(r';\s*charset\s*=\s*"?(?!utf-?8|us-ascii)', re.IGNORECASE)


def part_of(value: Any) -> ContentPart | None:
    """Make a part of a content block, or of the contents of a resource; `None` for any other object.

    What is broken in a block of somebody else becomes a text that says so, and a wrong label is corrected.
    """
    names = _class_names(value)
    if not _CONTENTS.isdisjoint(names):
        return _read_or_note({"type": "resource", "resource": value}, value)
    return None if _BLOCKS.isdisjoint(names) else _read_or_note(value, value)


def is_result(value: object) -> bool:
    """Say whether an object is the result of a whole call."""
    return "CallToolResult" in _class_names(value)


def result_of(value: Any) -> ToolResult | None:
    """Make a result of the result of a call; `None` for any other object."""
    if not is_result(value):
        return None
    return read_result(Node(value, ""), lambda block, _: _read_or_note(block, block))


def _read_or_note(block: object, source: object) -> ContentPart:
    try:
        return read_block(Node(block, "block"), lambda *_: None)
    except Exception:  # noqa: BLE001 - one broken block must not lose the others
        return ContentPart("text", text=f"[{escape(type_name(source), 60)} that cannot be read]")


def _class_names(value: object) -> list[str]:
    """Name the classes of an object that are of the package, the nearest first."""
    bases = _mro_of(type(value))
    return [kind.__name__ for kind in bases if str(_module_of(kind)).partition(".")[0] in _PACKAGES]


def read_result(node: Node, read: Callable[[object, str], ContentPart]) -> ToolResult:
    """Make a result; `read` makes a part of a block, given its path.

    Raises:
        DecodeError: it is malformed.
    """
    is_error = node.flag("isError")
    if node.get("content") is None:
        raise DecodeError(node.at("content"), "is required; pass the result of a tools/call, not what it stands in")
    parts = [read(block, at) for block, at in node.items("content")]
    structured = node.json("structuredContent")
    meta = node.meta()
    hints: dict[str, object] = {}
    if meta is not None:
        wrapped = meta.get(WRAPPED) is True and isinstance(structured, dict) and set(structured) == {RESULT}
        kept = {key: member for key, member in meta.items() if not wrapped or key != WRAPPED}
        if kept or not meta:
            hints["_meta"] = kept
        structured = cast("dict[str, Any]", structured)[RESULT] if wrapped else structured
    if structured is not None and not is_said(texts_of(parts), structured):
        # One copy of the data is for the model, and never none.
        hints.update({ADDED: True} if not parts else {})
        parts.append(ContentPart.json(structured, metadata={HINTS: {ADDED: True}} if parts else None))
    return built(node.at("structuredContent"), _result, parts, is_error, structured, hints)


def _result(
    parts: list[ContentPart], is_error: bool, structured: Any, hints: dict[str, object]  # noqa: FBT001
) -> ToolResult:
    # A blank text that became the output would be no content at all.
    is_blank_text = len(parts) == 1 and parts[0].text is not None and is_blank(parts[0].text)
    result = ToolResult(parts=parts) if is_blank_text else ToolResult.from_parts(parts)
    facts: dict[str, object] = {**(result.metadata or {}).get(FACTS, {})}
    if structured is not None:
        facts["value"] = structured
        says_all = result.parts is None and same(result.output, structured)
        if says_all:
            facts.setdefault("mime_type", JSON_TYPE)
        if is_error or not says_all or ADDED in hints:
            hints[STRUCTURED] = True
    if is_error and result.parts is None and result.output.startswith(WAITING):
        facts["placeholder"] = True
    if hints:
        facts[HINTS] = hints
    return ToolResult(result.output, is_error, parts=result.parts, metadata={FACTS: facts} if facts else None)


def texts_of(parts: Iterable[ContentPart]) -> list[str]:
    """List the texts among parts that a model reads."""
    return [part.text for part in parts if part.text is not None and not is_blank(part.text) and is_for_model(part)]


def is_said(texts: list[str], structured: object) -> bool:
    """Say whether texts hold structured data already: as JSON, whatever its dress, or as servers write a plain value.

    Servers put a value that is no object into one with the member `result`, and write a list as one text per item.
    """
    inner = _inner(structured)
    if isinstance(inner, list) and len(inner) == len(texts) > 0 and all(map(_says, texts, cast("list[Any]", inner))):
        return True
    whole = _json.canonical(structured)
    return any(_parsed(text) == whole or _says(text, inner) for text in texts)


def same(text: str, value: object) -> bool:
    """Say whether a text is the JSON of a value, whatever its dress."""
    return _parsed(text) == _json.canonical(value)


def _inner(structured: object) -> object:
    if isinstance(structured, dict):
        members = cast("dict[str, object]", structured)
        return members[RESULT] if set(members) == {RESULT} else structured
    return structured


def _says(text: str, value: object) -> bool:
    return text == value if isinstance(value, str) else same(text, value)


def _parsed(text: str) -> str | None:
    """Write JSON text in its canonical form; `None` if it is none."""
    try:
        return _json.canonical(_json.parse(text))
    except ValueError:
        return None


def native_block(mime_type: str) -> str:
    """Name the kind of block that holds data of a MIME type."""
    # A picture that no model takes poisons the conversation for good (anthropics/claude-code#58330).
    if essence(mime_type) == "image/svg+xml":
        return "resource"
    major = mime_type.partition("/")[0]
    return major if major in ("image", "audio") else "resource"


def kind_of(mime_type: str | None) -> str:
    """Name the type of part for a MIME type."""
    major = (mime_type or "").partition("/")[0]
    return major if major in _MAJORS else "file"


def read_block(node: Node, tell: Tell) -> ContentPart:
    """Make a part of a content block.

    Raises:
        DecodeError: it is malformed.
    """
    kind = node.word("type")
    block = _Block(node, tell)
    if kind == "text":
        return block.text()
    if kind in ("image", "audio"):
        return block.media(kind)
    if kind == "resource":
        return block.resource(node.node("resource"))
    return block.link() if kind == "resource_link" else block.unknown(kind)


class _Block:
    """A content block while it is read: its common members, and what is to be told of it."""

    def __init__(self, node: Node, tell: Tell) -> None:
        self.node = node
        self._tell = tell
        self._reasons: list[str] = []
        self.hints: dict[str, object] = {}
        self.metadata: dict[str, object] = annotations_of(node)
        self.ours: Mapping[str, Any] = {}
        meta = node.meta()
        if meta is not None:
            ours = meta.get(OURS)
            if _is_ours(ours):
                self.ours = ours
                meta = {key: member for key, member in meta.items() if key != OURS}
            if meta or not self.ours:
                self.hints["_meta"] = meta

    def text(self) -> ContentPart:
        """Make a part of a text block."""
        text = self.node.text("text")
        return self._part("text", self.node.at("text"), text=text, mime_type=self.ours.get("mimeType"), name=self._name)

    def media(self, kind: str) -> ContentPart:
        """Make a part of an image or audio block."""
        data, mime_type = self._data(self.node, "data")
        if native_block(mime_type) != kind and not self._reasons:
            self.hints["block"] = kind
        found = self.ours.get("type", kind_of(mime_type))
        return self._part(found, self.node.at("data"), data=data, mime_type=mime_type, name=self._name)

    def resource(self, contents: Node) -> ContentPart:
        """Make a part of an embedded resource; text in bytes is decoded."""
        uri = contents.text("uri")
        name: str | None = uri
        if uri.startswith(INVENTED):
            name = self._name
        else:
            self.hints["uri"] = uri
            name = self.ours.get("name", uri)
        meta = contents.meta()
        if meta is not None:
            self.hints["resourceMeta"] = meta
        if contents.get("text") is not None:
            text = contents.text("text")
            mime_type = self._label(contents)
            if "type" in self.ours:  # a file that was written as text, since it can be read
                data, mime_type = text.encode("utf-8", "replace"), mime_type or UNKNOWN
                return self._part(self.ours["type"], contents.path, data=data, mime_type=mime_type, name=name)
            self._keep_label(contents, mime_type)
            return self._part("text", contents.at("text"), text=text, mime_type=mime_type, name=name)
        data, mime_type = self._data(contents, "blob")
        text_in_it = None if "type" in self.ours else text_in(data, mime_type)
        if text_in_it is not None:
            self.hints["blob"] = True
            return self._part("text", contents.at("blob"), text=text_in_it, mime_type=mime_type, name=name)
        kind = self.ours.get("type", kind_of(mime_type))
        return self._part(kind, contents.at("blob"), data=data, mime_type=mime_type, name=name)

    def link(self) -> ContentPart:
        """Make a part of a link to a resource."""
        uri, name = self.node.text("uri"), self.node.text("name")
        mime_type = self._label(self.node)
        self._keep_label(self.node, mime_type)
        self.hints.update(of_link(self.node))
        fields: dict[str, Any] = {"mime_type": mime_type, "name": None if self.ours.get("unnamed") is True else name}
        kind = self.ours.get("type", kind_of(mime_type))
        if "fileId" in self.ours:
            if "provider" in self.ours:
                self.metadata["provider"] = self.ours["provider"]
            return self._part(kind, self.node.at("uri"), file_id=self.ours["fileId"], **fields)
        try:
            ContentPart(kind, url=uri)
        except ContentPartError:  # it is relative, or holds the data itself
            link = {"type": "resource_link", "uri": uri, "name": name, **_common(self.node), **of_link(self.node)}
            part = built(self.node.path, ContentPart, "resource_link", raw=link)
            self._tell(part, "its URI is not absolute, or of a kind that is refused", "raw")
            return part
        return self._part(kind, self.node.at("uri"), url=uri, **fields)

    def unknown(self, kind: str | None) -> ContentPart:
        """Keep a block of an unknown kind as it is, and tell of it."""
        block = decoded(self.node.path, _json.plain, self.node.source)
        if not isinstance(block, dict):
            raise DecodeError(self.node.path, f"must be a content block, got {type_name(self.node.source)}")
        is_new = kind is not None and not is_blank(kind) and kind not in TYPES
        part = built(self.node.path, ContentPart, kind if is_new else "unknown", raw=block or {"type": kind})
        self._tell(part, "is of a kind that is not known", "raw")
        return part

    @property
    def _name(self) -> str | None:
        return self.ours.get("name")

    def _data(self, node: Node, key: str) -> tuple[bytes, str]:
        """Decode base64, or a `data:` URL in its place, and decide its MIME type."""
        text, declared = node.text(key), None
        if text.lstrip()[:5].lower() == "data:":
            data, declared = built(node.at(key), parse, text, None)
            self._reasons.append("a data: URL stood where base64 must")
        else:
            data = built(node.at(key), decode_base64, text.encode("ascii", "replace"), None)
        content = data or b""
        label = self._label(node) or declared
        if label is None and key == "data" and not self._reasons:
            self._reasons.append("had no MIME type")
        mime_type = corrected(label or UNKNOWN, content)
        if label is not None and essence(label) not in (UNKNOWN, essence(mime_type)):
            self._reasons.append(f"labelled {essence(label)}, but its bytes are {mime_type}")
        if not self._reasons:
            self._keep_label(node, mime_type)
        return content, mime_type

    def _label(self, node: Node) -> str | None:
        label = node.optional_text("mimeType")
        if label is None:
            return None
        try:
            return normalise(label)
        except ContentPartError:
            self._reasons.append("its label is no MIME type")
            return None

    def _keep_label(self, node: Node, mime_type: str | None) -> None:
        """Keep the spelling of a label that says the same, so that it goes out as it came."""
        label = node.optional_text("mimeType")
        if label != mime_type and not self._reasons:
            self.hints["mimeType"] = label

    def _part(self, kind: str, path: str, **fields: Any) -> ContentPart:
        metadata = {**self.metadata, HINTS: self.hints} if self.hints else self.metadata
        part = built(path, ContentPart, kind, metadata=metadata, **fields)
        for reason in self._reasons:
            self._tell(part, reason, "relabelled")
        return part


def _is_ours(ours: object) -> bool:
    """Say whether what stands under our key was written by us; otherwise it stays where it is."""
    if not isinstance(ours, dict):
        return False
    members = cast("dict[str, object]", ours)
    texts = all(isinstance(members.get(key, ""), str) for key in ("type", "name", "mimeType", "fileId", "provider"))
    return texts and bool(members) and members.get("type", "file") in TYPES - {"text"}


def text_in(data: bytes, mime_type: str) -> str | None:
    """Decode data whose type says that it is text in UTF-8; `None` for any other."""
    if not is_textual(mime_type) or _OTHER_CHARSET.search(mime_type):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def annotations_of(node: Node) -> dict[str, object]:
    """Read who a block is for, and how important and how old it is."""
    if node.get("annotations") is None:
        return {}
    annotations = node.node("annotations")
    rest: dict[str, object] = {}
    metadata: dict[str, object] = {}
    if annotations.get("audience") is not None:
        metadata["audience"] = annotations.texts("audience")
    priority = annotations.number("priority")
    if priority is not None:
        if not 0 <= priority <= 1:
            raise DecodeError(annotations.at("priority"), "must be a number from 0 to 1")
        rest["priority"] = priority
    modified = annotations.optional_text("lastModified")
    if modified is not None:
        rest["lastModified"] = modified
    if rest or not metadata:
        metadata["annotations"] = rest
    return metadata


def of_link(node: Node) -> dict[str, object]:
    """Read what only a link to a resource has."""
    found: dict[str, object] = {}
    for key in ("title", "description"):
        text = node.optional_text(key)
        if text is not None:
            found[key] = text
    size = node.number("size")
    if size is not None:
        if not isinstance(size, int):
            raise DecodeError(node.at("size"), "must be a whole number")
        found["size"] = size
    if node.get("icons") is not None:
        found["icons"] = [_icon(Node(icon, at)) for icon, at in node.items("icons")]
    return found


def _icon(node: Node) -> dict[str, object]:
    icon: dict[str, object] = {"src": node.text("src")}
    for key in ("mimeType", "theme"):
        text = node.optional_text(key)
        if text is not None:
            icon[key] = text
    if node.get("sizes") is not None:
        icon["sizes"] = node.texts("sizes")
    return icon


def _common(node: Node) -> dict[str, object]:
    """Read again, as they stand, the members of a block that is kept as it is."""
    return dict(_as_they_stand(node))


def _as_they_stand(node: Node) -> Iterator[tuple[str, object]]:
    label = node.optional_text("mimeType")
    if label is not None:
        yield "mimeType", label
    found = annotations_of(node)
    if found:
        audience = {"audience": found["audience"]} if "audience" in found else {}
        yield "annotations", {**cast("dict[str, object]", found.get("annotations", {})), **audience}
    meta = node.meta()
    if meta is not None:
        yield "_meta", meta
