"""`ContentPart`: one piece of text, image, audio, video or file in a tool result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final

from toolresult._frozen import deepcopy_fields, freeze_mapping, slot_setter, value_type
from toolresult._media import JSON_TYPE, PNG_SIGNATURE, TSV_TYPE, by_suffix, in_data_url, normalise, resolve, suffix_of
from toolresult._portable import Portable
from toolresult._text import escape, is_blank, key_list, place_of, quote, repair, safe_name, scheme_of, url_problem
from toolresult.errors import ContentPartError

if TYPE_CHECKING:
    from toolresult import _source

    Source: TypeAlias = _source.Source
else:
    Source = object  # reading sources is loaded with the first one; annotations must resolve before that

TYPES: Final = frozenset({"text", "image", "audio", "video", "file"})
DEFAULT_MAX_BYTES: Final = 64 * 1024 * 1024
"""The most that a loader reads, in bytes decoded: 64 MiB."""
class_of = type  # the fields of a part include one called `type`
_BINARY_TYPES = TYPES - {"text"}
_FORBIDDEN_SCHEMES = frozenset({"data", "javascript"})


@value_type
@final
@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class ContentPart(Portable):
    """One piece of content.

    A text part has `text`. An image, audio, video or file part has exactly one of `data`, `url` and `file_id`. The
    loaders `image`, `audio`, `video` and `file` make a part from a source and decide its MIME type; this plain
    constructor takes fields as they are and does not look at the bytes.

    Raises:
        TypeError: a field of the wrong type.
        ContentPartError: fields that do not go together, or a malformed `mime_type` or `url`.
    """

    type: str
    """`text`, `image`, `audio`, `video` or `file`; another word only beside `raw`."""
    text: str | None = field(default=None, kw_only=True)
    """What a text part says, as given."""
    mime_type: str | None = field(default=None, kw_only=True)
    """Lower case, aliases mapped, without parameters unless it is text. Always set beside `data`."""
    data: bytes | None = field(default=None, kw_only=True)
    """The payload, decoded. Base64 exists only on a wire."""
    url: str | None = field(default=None, kw_only=True)
    """An absolute URI, which is kept and never fetched; `data` and `javascript` URLs are refused."""
    file_id: str | None = field(default=None, kw_only=True)
    """A file that a provider holds; `metadata["provider"]` says which, if it matters."""
    name: str | None = field(default=None, kw_only=True)
    """A name for people, as given. For a file name use `safe_name`."""
    metadata: Mapping[str, Any] | None = field(default=None, kw_only=True)
    """For the application, deep-frozen; empty becomes `None`. Known members: `provider`, `audience` (who the part
    is for, `"user"` and `"assistant"`), `annotations`, `mcp`."""
    raw: Mapping[str, Any] | None = field(default=None, kw_only=True)
    """The frozen original of a block of an unknown kind, kept by decoders; nothing else is set then."""

    def __init__(
        self,
        type: str,
        *,
        text: str | None = None,
        mime_type: str | None = None,
        data: bytes | bytearray | memoryview | None = None,
        url: str | None = None,
        file_id: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
        raw: Mapping[str, object] | None = None,
    ) -> None:
        # Two common cases need no normalising: plain text, and data of a well-known type.
        common = class_of(type) is str and url is None and file_id is None and metadata is None and raw is None
        if not common or not (
            (type == "text" and class_of(text) is str and mime_type is None and data is None and name is None)
            or (
                class_of(data) is bytes
                and class_of(mime_type) is str
                and mime_type in _PLAIN_MEDIA
                and type in _BINARY_TYPES
                and text is None
                and (name is None or class_of(name) is str)
            )
        ):
            type, text, mime_type, data, url, file_id, name, metadata, raw = _checked(
                type, text, mime_type, data, url, file_id, name, metadata, raw
            )
        _set_type(self, type)
        _set_text(self, text)
        _set_mime_type(self, mime_type)
        _set_data(self, data)
        _set_url(self, url)
        _set_file_id(self, file_id)
        _set_name(self, name)
        _set_metadata(self, metadata)
        _set_raw(self, raw)

    def __post_init__(self) -> None:
        """Check again: some libraries fill the fields past `__init__` and call only this."""
        self.__init__(
            self.type,
            text=self.text,
            mime_type=self.mime_type,
            data=self.data,
            url=self.url,
            file_id=self.file_id,
            name=self.name,
            metadata=self.metadata,
            raw=self.raw,
        )

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        mime_type: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Make a text part."""
        return cls("text", text=text, mime_type=mime_type, name=name, metadata=metadata)

    @classmethod
    def json(
        cls, value: object, *, name: str | None = None, metadata: Mapping[str, object] | None = None
    ) -> ContentPart:
        """Make a text part of type `application/json`: the compact JSON of `value`.

        Raises:
            ConversionError: `value` has no JSON form; `path` says where.
        """
        from toolresult import _json

        return cls("text", text=_json.compact(value), mime_type=JSON_TYPE, name=name, metadata=metadata)

    @classmethod
    def tsv(
        cls,
        rows: str | Iterable[Iterable[object] | Mapping[str, object]],
        *,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Make a text part of type `text/tab-separated-values` from finished text or from rows.

        Rows that are mappings get a header. In cells a backslash, tab, newline or carriage return is escaped.
        """
        from toolresult import _json

        text = rows if isinstance(rows, str) else _json.tsv(rows)
        return cls("text", text=text, mime_type=TSV_TYPE, name=name, metadata=metadata)

    @classmethod
    def image(
        cls,
        source: Source,
        *,
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Load an image from a path, a `data:` URL, bytes, a binary file object or a drawing, or point to a URL.

        A bare `str` is always a path or a URL, never content; http(s) URLs are kept and never fetched, those of
        other schemes are refused. A drawing is a PIL image, a matplotlib or plotly figure, or anything with
        `_repr_png_`; it is stored as PNG. `max_bytes` bounds the decoded size (64 MiB; `None` for no limit). With
        `root`, the source must be a path that resolves inside that directory.

        The MIME type is what the caller says, else what the bytes say, else what the suffix says.

        Raises:
            ContentPartError: the source is missing, unreadable, empty, too large, refused, or not an image, or
                `mime_type` contradicts its bytes. The message names the file without its directories.
            TypeError: an object that is no source.
        """
        return load_part("image", source, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def audio(
        cls,
        source: Source,
        *,
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Load audio; sources, options and errors are those of `image`."""
        return load_part("audio", source, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def video(
        cls,
        source: Source,
        *,
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Load video; sources, options and errors are those of `image`."""
        return load_part("video", source, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def file(
        cls,
        source: Source,
        *,
        mime_type: str | None = None,
        name: str | None = None,
        max_bytes: int | None = DEFAULT_MAX_BYTES,
        root: str | os.PathLike[str] | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Load any file; sources, options and errors are those of `image`.

        What neither the caller, nor the bytes, nor the suffix can name is `application/octet-stream`.
        """
        return load_part("file", source, mime_type, name, max_bytes, root, metadata)

    @classmethod
    def from_url(
        cls,
        url: str,
        *,
        type: str,
        mime_type: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Point to a URL of any scheme on purpose, for example `s3:` or `gs:`. It is never fetched.

        Such a URL may be read with the host's credentials: do not pass one that a model wrote.
        """
        return cls(type, url=url, mime_type=mime_type, name=name, metadata=metadata)

    @classmethod
    def from_file_id(
        cls,
        file_id: str,
        *,
        type: str,
        provider: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> ContentPart:
        """Point to a file that a provider holds; without `provider` it is sent to any."""
        if provider is not None:
            metadata = dict(freeze_mapping(metadata) or (), provider=provider)
        return cls(type, file_id=file_id, mime_type=mime_type, name=name, metadata=metadata)

    @property
    def size(self) -> int | None:
        """Bytes: of `data` decoded, or of `text` in UTF-8; `None` for a URL, a file id or an unknown kind."""
        if self.data is not None:
            return len(self.data)
        if self.text is None:
            return None
        return len(self.text) if self.text.isascii() else len(self.text.encode("utf-8", "surrogatepass"))

    def base64(self) -> str:
        """Encode `data`: standard alphabet, padded, one line.

        Raises:
            ContentPartError: the part has no `data`.
        """
        from binascii import b2a_base64

        return b2a_base64(self._own_data(), newline=False).decode("ascii")

    def data_url(self) -> str:
        """Write `data` as a base64 `data:` URL (RFC 2397), without parameters of its type that a URL cannot hold.

        Raises:
            ContentPartError: the part has no `data`.
        """
        return f"data:{in_data_url(self.mime_type or '')};base64,{self.base64()}"

    def sha256(self) -> str:
        """Return the SHA-256 of `data`, 64 lower-case hexadecimal digits.

        Raises:
            ContentPartError: the part has no `data`.
        """
        from hashlib import sha256

        return sha256(self._own_data()).hexdigest()

    def save(self, directory: str | os.PathLike[str], *, overwrite: bool = False) -> str:
        """Write `data`, or `text` in UTF-8, to a file called `safe_name` in `directory`, and return its path.

        The file is in the directory and nowhere else: a link of that name is refused, or replaced with `overwrite`.

        Raises:
            ContentPartError: the part holds neither, the file exists and `overwrite` is off, or the directory is
                missing or cannot be written to.
        """
        from toolresult._files import write

        data = self._own_data() if self.text is None else repair(self.text).encode()
        return write(directory, self.safe_name, data, overwrite=overwrite)

    def _own_data(self) -> bytes:
        if self.data is None:
            raise ContentPartError(f"data: this {escape(self.type, 40)} part has none; its content is not in memory")
        return self.data

    @property
    def safe_name(self) -> str:
        """A file name made of `name`: one path segment on every system, never empty, at most 200 bytes.

        Directories, control characters and characters that a system forbids are out; reserved words get an
        underscore. Without a usable name it is the type with the suffix of the MIME type: `image.png`.
        """
        suffix = suffix_of(self.mime_type) if self.mime_type else ".txt" if self.type == "text" else ""
        return safe_name(self.name, (self.type if self.type in TYPES else "part") + suffix)

    def summary(self) -> str:
        """Return one short line that stands in for the part: `image (image/png, 82 bytes)`.

        A URL or a file id stands where the size is unknown: host and path, no query. It never contains data.
        """
        mime_type, data = self.mime_type, self.data
        if data is not None:
            size = len(data)
            if size != 1 and mime_type in _PLAIN_MEDIA:
                return f"{self.type} ({mime_type}, {size} bytes)"
            place = f"{size} bytes" if size != 1 else "1 byte"
        elif self.text is not None:
            place = f"{len(self.text)} character{'' if len(self.text) == 1 else 's'}"
        elif self.url is not None:
            place = escape(place_of(self.url), 80)
        else:
            file_id = self.file_id or "unknown kind"
            scheme, slashes, _ = file_id.partition("://")
            place = escape(scheme + slashes + place_of(file_id) if slashes else file_id, 80)
        facts = [escape(mime_type, 60), place] if mime_type else [place]
        return f"{escape(self.type, 40)} ({', '.join(facts)})"

    def __str__(self) -> str:
        return self.summary() if self.text is None else self.text

    def __repr__(self) -> str:
        shown = [self.summary()]
        if self.text is not None:
            shown.append(f"text={quote(self.text, 60)}")
        if self.name is not None:
            shown.append(f"name={quote(self.name, 40)}")
        if self.metadata is not None:
            shown.append(f"metadata={key_list(self.metadata)}")
        return escape(f"ContentPart({', '.join(shown)})", 290)

    def __deepcopy__(self, memo: dict[int, Any]) -> ContentPart:
        return self if self.metadata is None and self.raw is None else deepcopy_fields(self, memo)


_new = object.__new__
_set_type = slot_setter(ContentPart, "type")
_set_text = slot_setter(ContentPart, "text")
_set_mime_type = slot_setter(ContentPart, "mime_type")
_set_data = slot_setter(ContentPart, "data")
_set_url = slot_setter(ContentPart, "url")
_set_file_id = slot_setter(ContentPart, "file_id")
_set_name = slot_setter(ContentPart, "name")
_set_metadata = slot_setter(ContentPart, "metadata")
_set_raw = slot_setter(ContentPart, "raw")

# The types that the loaders give most often, in normal form: for these nothing is left to normalise.
_PLAIN_MEDIA = frozenset({"image/png", "image/jpeg", "application/pdf", "audio/wav", "audio/mpeg", "video/mp4"})


def is_for_model(part: ContentPart) -> bool:
    """Say whether the model may see a part: an `audience`, when there is one, must name the assistant."""
    audience = part.metadata.get("audience") if part.metadata else None
    if isinstance(audience, (list, tuple, frozenset)):
        return any(isinstance(reader, str) and reader == "assistant" for reader in cast("tuple[object, ...]", audience))
    return audience is None or (isinstance(audience, str) and audience == "assistant")


def _checked(
    kind: Any, text: Any, mime_type: Any, data: Any, url: Any, file_id: Any, name: Any, metadata: Any, raw: Any
) -> tuple[Any, ...]:
    """Normalise, then validate: the one place where the rules of a part are kept."""
    kind = _plain_str("type", kind)
    text, url, file_id, name = (
        None if value is None else _plain_str(label, value)
        for label, value in (("text", text), ("url", url), ("file_id", file_id), ("name", name))
    )
    if data is not None:
        data = _plain_bytes(data)
    if mime_type is not None:
        mime_type = normalise(mime_type)
    metadata = freeze_mapping(metadata, "metadata")
    if raw is not None:
        raw = freeze_mapping(raw, "raw")
        if raw is None:
            raise ContentPartError("raw: must not be empty; pass the original block")
        _check_raw(kind, (text, mime_type, data, url, file_id, name, metadata))
    elif kind == "text":
        _check_text(text, (data, url, file_id))
    elif kind in TYPES:
        _check_binary(kind, text, mime_type, data, url, file_id)
    else:
        raise ContentPartError("type: must be text, image, audio, video or file; another one is kept only beside raw")
    return kind, text, mime_type, data, url, file_id, name, metadata, raw


def _plain_str(label: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{label}: must be a str, got {type(value).__name__}")
    return str.__str__(value)


def _plain_bytes(value: Any) -> bytes:
    if type(value) is bytes:
        return value
    if not isinstance(value, (bytes, bytearray, memoryview)):
        hint = "; base64 text comes in through a data: URL" if isinstance(value, str) else ""
        raise TypeError(f"data: must be bytes, got {type(value).__name__}{hint}")
    buffer = cast("bytes", value)
    try:
        return bytes(memoryview(buffer))  # past the methods of a subclass
    except Exception as error:
        raise ContentPartError(f"data: this {type(buffer).__name__} cannot be read; pass bytes") from error


def _check_raw(kind: str, others: tuple[object, ...]) -> None:
    if kind in TYPES:
        raise ContentPartError(f"raw: is for unknown kinds only, and {kind} is known; set the fields of a {kind} part")
    if any(value is not None for value in others):
        raise ContentPartError("raw: stands alone; leave out every other field")


def _check_text(text: str | None, others: tuple[object, ...]) -> None:
    if text is None:
        raise ContentPartError("text: a text part needs it; pass text=")
    if any(value is not None for value in others):
        raise ContentPartError("text: a text part has no data, url or file_id; make a file part for those")


def _check_binary(kind: str, text: Any, mime_type: Any, data: Any, url: Any, file_id: Any) -> None:
    if text is not None:
        raise ContentPartError(f"text: only a text part has it, not a part of type {kind}")
    if (data is not None) + (url is not None) + (file_id is not None) != 1:
        raise ContentPartError(f"data: a part of type {kind} needs exactly one of data, url and file_id")
    if data is not None and mime_type is None:
        raise ContentPartError(f"mime_type: data needs it; pass mime_type=, or use ContentPart.{kind}, which finds it")
    if file_id is not None and is_blank(file_id):
        raise ContentPartError("file_id: must not be blank")
    if url is not None:
        _check_url(url)


def _check_url(url: str) -> None:
    scheme = scheme_of(url)
    if scheme in _FORBIDDEN_SCHEMES:
        repair = "; load it with ContentPart.image or another loader" if scheme == "data" else ""
        raise ContentPartError(f"url: {scheme}: is refused{repair}")
    problem = url_problem(url)
    if problem:
        raise ContentPartError(f"url: {problem}")


def load_part(
    kind: str,
    source: Source,
    mime_type: str | None,
    name: str | None,
    max_bytes: int | None,
    root: str | os.PathLike[str] | None,
    metadata: Mapping[str, object] | None,
) -> ContentPart:
    """Load a source as a part of type `kind`, which is not `text`."""
    if (
        type(source) is bytes
        and source.startswith(PNG_SIGNATURE)
        and mime_type is None
        and name is None
        and root is None
        and metadata is None
        and kind == "image"
        and max_bytes == DEFAULT_MAX_BYTES
        and len(source) <= DEFAULT_MAX_BYTES
    ):
        # What tools load most often, a picture from memory, in a third of the usual time.
        part = _new(ContentPart)
        _set_type(part, "image")
        _set_text(part, None)
        _set_mime_type(part, "image/png")
        _set_data(part, source)
        _set_url(part, None)
        _set_file_id(part, None)
        _set_name(part, None)
        _set_metadata(part, None)
        _set_raw(part, None)
        return part
    from toolresult._source import load

    claim = None if mime_type is None else normalise(mime_type)
    if name is not None:
        name = _plain_str("name", name)
    loaded = load(source, max_bytes=max_bytes, root=root)
    hint = (by_suffix(name) if name else None) or loaded.hint
    if loaded.data is None:
        # The bytes are somewhere else: a suffix may say what they are, but only the caller knows.
        claim = claim or (hint if hint and (kind == "file" or hint.startswith(f"{kind}/")) else None)
        return ContentPart(kind, url=loaded.url, mime_type=claim, name=name, metadata=metadata)
    if not loaded.data and kind != "file":
        raise ContentPartError(f"source: it is empty, which no {kind} is; check what wrote it")
    found = resolve(kind, claim=claim or loaded.label, data=loaded.data, suffix_type=hint)
    return ContentPart(
        kind, data=loaded.data, mime_type=found, name=name if name is not None else loaded.name, metadata=metadata
    )
