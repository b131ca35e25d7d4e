"""Content blocks of MCP, made parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypeGuard, cast

from toolresult import _json
from toolresult._content import TYPES, ContentPart
from toolresult._data_url import decode_base64, parse
from toolresult._frozen import type_name
from toolresult._mcp_access import Node, built, decoded
from toolresult._media import UNKNOWN, corrected, essence, is_textual, normalise
from toolresult._text import is_blank
from toolresult.errors import ContentPartError, DecodeError

HINTS = "mcp"
"""The key in the metadata of a part, and in the facts of a result, under which MCP's own members are kept."""

OURS = "io.github.toolresult/part"
"""The key in the `_meta` of a block under which stands what a block has no field for."""

INVENTED = "toolresult:///"
"""Begins the URI of an embedded resource that had none."""

Tell: TypeAlias = Callable[[ContentPart, str, Literal["relabelled", "raw"]], object]
"""Is told what was repaired, or is not known."""

_INVENTED = re.compile(rf"{INVENTED}[0-9]+(/[^/]*)?")
_MARKS = frozenset({"type", "name", "mimeType", "fileId", "provider"})
_MARKED = TYPES - {"text"}
_MAJORS = ("image", "audio", "video")
# RFC 2045, section 5.1: a parameter of a MIME type that names another encoding than UTF-8 or its subset.
_OTHER_CHARSET = re.compile(r';\s*charset\s*=\s*"?(?!utf-?8|us-ascii)', re.IGNORECASE)


def tell_nobody(part: ContentPart, reason: str, fallback: str) -> None:
    """Take what is told where nobody asked."""


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


def is_invented(uri: str) -> bool:
    """Say whether a URI has the form of those that stand where there was none; it names nothing."""
    return _INVENTED.fullmatch(uri) is not None


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
            ours: object = meta.get(OURS)
            if is_mark(ours):
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
        is_text = contents.get("text") is not None
        if is_text and contents.get("blob") is not None:
            raise DecodeError(contents.at("blob"), "is there beside text; leave one out")
        if not (is_invented(uri) and self.ours and ("type" in self.ours or not is_text)):
            self.hints["uri"] = uri  # which is not invented again when the part goes out
        name = self._name if is_invented(uri) or self._is_unnamed else self.ours.get("name", uri)
        meta = contents.meta()
        if meta is not None:
            self.hints["resourceMeta"] = meta
        if is_text:
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
        fields: dict[str, Any] = {"mime_type": mime_type, "name": None if self._is_unnamed else name}
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
    def _is_unnamed(self) -> bool:
        return self.ours.get("unnamed") is True

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
        mime_type = corrected(label or UNKNOWN, content)
        given = node.optional_text("mimeType")
        if given is None and declared is None and key == "data":
            self._reasons.append("had no MIME type")
        elif given is not None and label is None and mime_type != UNKNOWN:
            self._reasons.append("its label is no MIME type")
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
            return None

    def _keep_label(self, node: Node, mime_type: str | None) -> None:
        """Keep a label that is spelled otherwise, or is no MIME type, so that it goes out as it came."""
        label = node.optional_text("mimeType")
        if label != mime_type and not self._reasons:
            self.hints["mimeType"] = label

    def _part(self, kind: str, path: str, **fields: Any) -> ContentPart:
        metadata = {**self.metadata, HINTS: self.hints} if self.hints else self.metadata
        part = built(path, ContentPart, kind, metadata=metadata, **fields)
        for reason in self._reasons:
            self._tell(part, reason, "relabelled")
        return part


def is_mark(ours: object) -> TypeGuard[dict[str, Any]]:
    """Say whether what stands under our key is what we write; otherwise it stays where it is."""
    if not isinstance(ours, dict):
        return False
    members = cast("dict[str, object]", ours)
    texts = all(isinstance(members[key], str) if key in _MARKS else key == "unnamed" for key in members)
    return texts and bool(members) and members.get("unnamed", True) is True and members.get("type", "file") in _MARKED


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
