"""What a provider takes: kinds, types, sizes and counts; and a part seen as adapters see it, held against them."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, cast

from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._media import UNKNOWN, by_suffix, corrected, essence, is_textual, suffix_of
from toolresult._pixels import pixels
from toolresult._text import repair

DATA: Final = "data"
URL: Final = "url"
FILE_ID: Final = "file_id"
SOURCES: Final = frozenset({DATA, URL, FILE_ID})

_MAJORS = frozenset({"image", "audio", "video"})
# RFC 2045, section 5.1: a parameter of a MIME type, its value a word or quoted.
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)')
# Character encodings that a parameter of a MIME type may name. Python knows more, some of them no encodings at all.
_CHARSETS = re.compile(
    r"utf[-_]?(8|16|32)([-_]?[lb]e)?|us-ascii|ascii|(iso-?8859|windows|cp|koi8)-?(\d{1,4}|[ru])(-\d{1,2})?|gbk|gb2312|gb18030|big5|"
    r"shift[-_]jis|euc[-_](jp|kr)|latin-?1",
    re.IGNORECASE,
)
# Longest first: that of UTF-16 begins that of UTF-32.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# RFC 2781, section 4.3, and its like for UTF-32: big-endian, where no mark says otherwise.
_UNMARKED = {"utf-16": "utf-16-be", "utf16": "utf-16-be", "utf-32": "utf-32-be", "utf32": "utf-32-be"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a provider takes of one kind of media. The default is nothing."""

    types: frozenset[str] | None = frozenset()
    """MIME types; `None` is any."""
    sources: frozenset[str] = SOURCES
    """Of `data`, `url` and `file_id` those that are taken."""
    chars: int | None = None
    """Base64 characters of one part, at most."""
    count: int | None = None
    """Parts in one turn, at most."""
    side: int | None = None
    """Pixels of either side of a picture, at most."""

    def __post_init__(self) -> None:
        _check_words("types", self.types, is_optional=True)
        _check_words("sources", self.sources)
        for field in ("chars", "count", "side"):
            _check_number(field, getattr(self, field))


def _check_number(field: str, value: object) -> None:
    if value is not None and (type(value) is not int or value < 0):
        raise ValueError(f"{field}: must be None or a whole number of at least 0")


def _check_words(field: str, value: object, *, is_optional: bool = False) -> None:
    """Check a set of words; a text would be searched for each of them."""
    if value is None and is_optional:
        return
    words: Any = value
    if not isinstance(value, (frozenset, set)) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"{field}: must be a frozenset of str, got {type_name(words)}")


def _check_pattern(field: str, value: object) -> None:
    if value is None and field == "name":
        return
    if not isinstance(value, str):
        raise TypeError(f"{field}: must be a regular expression as a str, got {type_name(value)}")
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"{field}: is no regular expression: {error}") from None


NOTHING: Final = Kind()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a provider takes in one turn. Change one with `dataclasses.replace`."""

    call_id: str = "[!-~]+"
    """A regular expression for the whole id of a call."""
    name: str | None = None
    """A regular expression for the whole name of a tool, where the shape has one."""
    needs_name: bool = False
    """Whether each result must come with the name of its tool."""
    image: Kind = NOTHING
    audio: Kind = NOTHING
    video: Kind = NOTHING
    file: Kind = NOTHING
    nested: frozenset[str] | None = None
    """MIME types that may stand in the result itself, where not all may; others follow after the results."""
    text_chars: int | None = None
    """Characters of one text, at most."""
    total_bytes: int | None = None
    """Bytes of one turn, at most: of its texts in UTF-8, and of its media in base64."""
    url_chars: int | None = None
    """Characters of a URL, at most."""
    url: str = "(?i:https?)://.+"
    """A regular expression for the whole of a URL."""
    file_id: str = "(?!.*://)[!-~]{1,1024}"
    """A regular expression for the whole id of a file."""
    owners: frozenset[str] = frozenset()
    """Names by which `metadata["provider"]` of a part says that the provider holds its file."""
    crowd: tuple[int, int] | None = None
    """A number of images in one turn above which each side has at most so many pixels."""
    crowd_kinds: frozenset[str] = frozenset({"image"})
    """The kinds that count towards that number."""

    def __post_init__(self) -> None:
        for kind in _KINDS:
            if type(getattr(self, kind)) is not Kind:
                raise TypeError(f"{kind}: must be a Kind, got {type_name(getattr(self, kind))}")
        for field in ("call_id", "name", "url", "file_id"):
            _check_pattern(field, getattr(self, field))
        for field in ("text_chars", "total_bytes", "url_chars"):
            _check_number(field, getattr(self, field))
        _check_words("nested", self.nested, is_optional=True)
        _check_words("owners", self.owners)
        _check_words("crowd_kinds", self.crowd_kinds)
        if self.crowd is not None:
            if type(cast("object", self.crowd)) is not tuple or len(self.crowd) != 2:
                raise TypeError("crowd: must be None or a pair of a count and a number of pixels")
            for number in self.crowd:
                _check_number("crowd", number)
        if self.needs_name and self.name is None:
            raise ValueError("name: is required where needs_name is set; pass a regular expression")

    def without_media(self) -> Limits:
        """Return the same without any media."""
        return replace(self, image=NOTHING, audio=NOTHING, video=NOTHING, file=NOTHING)

    def takes_id(self, call_id: str) -> bool:
        """Say whether the provider takes the id of a call."""
        return re.fullmatch(self.call_id, call_id) is not None

    def takes_name(self, name: str | None) -> bool:
        """Say whether the provider takes the name of a tool."""
        if name is None or self.name is None:
            return not self.needs_name
        return re.fullmatch(self.name, name) is not None


class Piece(NamedTuple):
    """A part as adapters see it."""

    part: ContentPart
    kind: str
    """`text`, `image`, `audio`, `video`, `file`, by what it is; `unknown` of an unknown kind."""
    mime_type: str | None
    """Without parameters. What the bytes say where the label contradicts them."""
    text: str | None
    """The text of a text part, or of a file that can be read as text, repaired."""
    correction: str | None
    """What was wrong with the label, if anything."""

    @property
    def source(self) -> str:
        """Which of `data`, `url` and `file_id` it has."""
        return DATA if self.part.data is not None else URL if self.part.url is not None else FILE_ID

    @property
    def file_name(self) -> str:
        """A safe name whose suffix says the type, from which some providers take it."""
        name, mime_type = self.part.safe_name, self.mime_type or ""
        return name if by_suffix(name) == mime_type else name + suffix_of(mime_type)

    @property
    def data_url(self) -> str:
        """The data as a `data:` URL of the type that it has."""
        return f"data:{self.mime_type};base64,{self.part.base64()}"


def look_at(part: ContentPart) -> Piece:
    """See what a part is: by its bytes where they tell, else by its MIME type, else by its type."""
    if part.raw is not None:
        return Piece(part, "unknown", None, None, None)
    if part.text is not None:
        return Piece(part, "text", part.mime_type, clean(part.text), None)
    mime_type = part.mime_type
    if mime_type is None:
        return Piece(part, part.type, None, None, None)
    if part.data is None:
        return Piece(part, kind_of(mime_type), essence(mime_type), None, None)
    found = corrected(mime_type, part.data)
    text = _decoded(part.data, found) if is_textual(found) else None
    if text is not None:
        return Piece(part, "text file", essence(found), text, None)
    if is_textual(found):
        sniffed = corrected(UNKNOWN, part.data)
        found = essence(found) if sniffed == UNKNOWN else sniffed
    is_wrong = essence(mime_type) not in (UNKNOWN, found)
    correction = f"labelled {essence(mime_type)}, but its bytes are {found}" if is_wrong else None
    return Piece(part, kind_of(found), found, None, correction)


def kind_of(mime_type: str) -> str:
    """Name the kind of media of a MIME type; what is neither image, audio nor video is a file."""
    major = mime_type.partition("/")[0]
    return major if major in _MAJORS else "file"


def clean(text: str) -> str:
    """Repair text: lone surrogates and NUL, which providers refuse, become U+FFFD."""
    return repair(text).replace("\0", "\ufffd")


_MANY_NULS = 16


def _decoded(data: bytes, mime_type: str) -> str | None:
    parameters = (found.groups() for found in _PARAMETER.finditer(mime_type))
    named = next((value for key, value in parameters if key.lower() == "charset"), None)
    charset = "utf-8" if named is None else named.strip().strip('"').lower()
    if not _CHARSETS.fullmatch(charset):
        return None
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if named is None:
        charset = marked or charset
    elif marked is None:
        charset = _UNMARKED.get(charset.replace("_", "-"), charset)
    try:
        text = data.decode(charset)
    except (UnicodeError, LookupError):
        return None
    # Text has no NUL but by accident: where there are many, it is in another encoding or no text at all.
    return None if text.count("\0") > 1 + len(text) // _MANY_NULS else clean(text.removeprefix("\ufeff"))


class Room:
    """What is left, in one turn, of what a provider takes."""

    def __init__(self, limits: Limits, pieces: Iterable[Piece]) -> None:
        self._limits = limits
        self._taken: Counter[str] = Counter()
        self._bytes = 0
        self._side = limits.image.side
        # A text file is a document where there are such, and is counted like one.
        kinds = ["file" if piece.kind == "text file" else piece.kind for piece in pieces]
        if limits.crowd is not None and sum(kind in limits.crowd_kinds for kind in kinds) > limits.crowd[0]:
            self._side = limits.crowd[1]

    def refuses(self, piece: Piece) -> str | None:
        """Say why a part that is no text is not taken; otherwise take it."""
        if piece.kind not in _KINDS:
            return "its kind is not known here"
        kind: Kind = getattr(self._limits, piece.kind)
        problem = self._problem_of_type(piece, kind) or self._problem_of_source(piece, kind)
        if problem is not None:
            return problem
        if kind.count is not None and self._taken[piece.kind] >= kind.count:
            return f"more than {kind.count} of its kind in one turn"
        part = piece.part
        problem = self._exceeds(len(part.url or "") if part.data is None else encoded_size(part.data))
        if problem is None:
            self._taken[piece.kind] += 1
        return problem

    def refuses_text(self, text: str) -> str | None:
        """Say why a text is not taken; otherwise take it."""
        limit = self._limits.text_chars
        if limit is not None and len(text) > limit:
            return f"longer than {limit} characters"
        return self._exceeds(len(text) if text.isascii() else len(text.encode()))

    def _exceeds(self, size: int) -> str | None:
        limit = self._limits.total_bytes
        if limit is not None and self._bytes + size > limit:
            return f"more than {limit} bytes in one turn"
        self._bytes += size
        return None

    def _problem_of_type(self, piece: Piece, kind: Kind) -> str | None:
        if kind.types is None or piece.mime_type in kind.types:
            return None
        if piece.mime_type is None and kind.types:
            # A file behind a URL may be anything. One that the provider holds was checked when it came there.
            return "its type is not known" if piece.kind == "file" and piece.source == URL else None
        if piece.part.data is not None and piece.mime_type is not None and is_textual(piece.mime_type):
            return "it cannot be read as text in its encoding"
        return f"{piece.mime_type or piece.kind} is not accepted"

    def _problem_of_source(self, piece: Piece, kind: Kind) -> str | None:
        part, source = piece.part, piece.source
        if source not in kind.sources:
            return _NOT_TAKEN[source]
        if part.data is not None:
            return self._problem_of_data(part.data, kind)
        if part.url is not None:
            if not re.fullmatch(self._limits.url, part.url):
                return "a URL of this kind is not accepted"
            is_long = self._limits.url_chars is not None and len(part.url) > self._limits.url_chars
            return f"its URL is longer than {self._limits.url_chars} characters" if is_long else None
        owner = part.metadata.get("provider") if part.metadata else None
        if owner is not None and not (isinstance(owner, str) and owner in self._limits.owners):
            return "it is held by another provider"
        return (
            None if re.fullmatch(self._limits.file_id, part.file_id or "") else "a file id of this form is not accepted"
        )

    def _problem_of_data(self, data: bytes, kind: Kind) -> str | None:
        if not data:
            return "it is empty"
        if kind.chars is not None and encoded_size(data) > kind.chars:
            return f"larger than {kind.chars} base64 characters"
        side = self._side if kind is self._limits.image else None
        size = pixels(data) if side is not None else None
        if side is not None and size is not None and max(size) > side:
            return f"larger than {side} pixels on one side"
        return None


_KINDS = frozenset({"image", "audio", "video", "file"})
_NOT_TAKEN = {DATA: "bytes are not accepted", URL: "URLs are not accepted", FILE_ID: "file ids are not accepted"}


def encoded_size(data: bytes) -> int:
    """Count the base64 characters of bytes, without encoding them."""
    return (len(data) + 2) // 3 * 4
