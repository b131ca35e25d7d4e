"""MIME types: their grammar, aliases, one fixed suffix table, and what the bytes themselves say.

The platform's own table is never asked, so that an answer is the same on every machine.
"""

from __future__ import annotations

from toolresult.errors import ContentPartError

UNKNOWN = "application/octet-stream"
JSON_TYPE = "application/json"
TSV_TYPE = "text/tab-separated-values"

_NAME = frozenset("!#$&-^_.+0123456789abcdefghijklmnopqrstuvwxyz")  # RFC 6838, section 4.2
_MAX_LENGTH = 255  # RFC 6838, section 4.2: 127 characters on either side of the slash

_MAX_TOTAL = 1000

_SUFFIXES: dict[str, str] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "jpe": "image/jpeg",
    "jfif": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "txt": "text/plain",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
}

_ALIASES: dict[str, str] = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "application/x-pdf": "application/pdf",
    "audio/mp3": "audio/mpeg",
    "audio/x-mp3": "audio/mpeg",
    "audio/x-mpeg": "audio/mpeg",
    "audio/mpeg3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-pn-wav": "audio/wav",
    "text/x-markdown": "text/markdown",
    "text/tsv": "text/tab-separated-values",
    "text/json": "application/json",
    "application/x-json": "application/json",
    "binary/octet-stream": UNKNOWN,
}

# Types that the bytes reveal. A claim of one of these can be contradicted by the bytes; any other claim cannot.
_SIGNED = frozenset(
    ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/mpeg", "audio/wav"]
)

_TEXTUAL = frozenset(
    ["application/json", "application/xml", "application/yaml", "application/javascript", "application/toml"]
)


def essence(mime_type: str) -> str:
    """Cut a normalised MIME type to its type and subtype."""
    return mime_type.partition(";")[0]


def is_textual(mime_type: str) -> bool:
    """Say whether data of this type is text in some character encoding."""
    kind = essence(mime_type)
    return kind.startswith("text/") or kind in _TEXTUAL or kind.endswith(("+json", "+xml", "+yaml"))


def normalise(mime_type: object) -> str:
    """Fold case, map known aliases, and drop the parameters of everything but text.

    Raises:
        TypeError: not a `str`.
        ContentPartError: not of the form `type/subtype` (RFC 6838, section 4.2).
    """
    if not isinstance(mime_type, str):
        raise TypeError(f"mime_type: must be a str, got {type(mime_type).__name__}")
    if len(mime_type) > _MAX_TOTAL:
        raise ContentPartError(f"mime_type: must be at most {_MAX_TOTAL} characters with its parameters")
    kind, *parameters = _split(mime_type)
    major, _, minor = kind.partition("/")
    is_name = kind.isascii() and _NAME.issuperset((major + minor).lower())
    if not is_name or not major or not minor or len(kind) > _MAX_LENGTH:
        raise ContentPartError("mime_type: must be of the form type/subtype, for example image/png")
    kind = _ALIASES.get(kind.lower(), kind.lower())
    if not is_textual(kind):
        return kind
    return "; ".join(
        [kind, *(p for p in parameters if p and p.isascii() and p.isprintable() and len(p) <= _MAX_LENGTH)]
    )


def _split(mime_type: str) -> list[str]:
    """Split at semicolons, but not at those in quoted parameters."""
    pieces = [""]
    in_quotes = False
    for piece in mime_type.split(";"):
        pieces[-1] += f";{piece}" if in_quotes else piece
        in_quotes ^= piece.count('"') % 2 == 1
        if not in_quotes:
            pieces.append("")
    return [piece.strip() for piece in pieces[: None if pieces[-1] else -1]]


def by_suffix(name: str) -> str | None:
    """Look up the suffix of a file name; a name that is only a suffix, such as `.png`, has none."""
    stem, _, suffix = name.rpartition(".")
    return _SUFFIXES.get(suffix.lower()) if stem.strip(".") else None


def suffix_of(mime_type: str) -> str:
    """Return the usual suffix of a MIME type with its dot, or nothing."""
    kind = essence(mime_type)
    return next((f".{suffix}" for suffix, known in _SUFFIXES.items() if known == kind), "")


def sniff(data: bytes) -> str | None:
    """Name the type that the first bytes of `data` reveal."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    if data.startswith(b"RIFF"):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(data[8:12])
    return "audio/mpeg" if _is_id3_tag(data[:10]) or _is_mp3_frame(data[:4]) else None


def _is_id3_tag(head: bytes) -> bool:
    """Check the ten bytes in front of an MP3 (ID3v2.4, section 3.1): a version, and four times seven bits of size."""
    if len(head) < 10 or not head.startswith(b"ID3"):
        return False
    return 2 <= head[3] <= 4 and head[4] != 0xFF and max(head[6:10]) < 0x80


def _is_mp3_frame(head: bytes) -> bool:
    """Check a frame header of MPEG audio, layer III (ISO 11172-3, section 2.4.1.3); "FF FE" is a UTF-16 text."""
    return (
        len(head) == 4
        and head[0] == 0xFF
        and head[1] & 0xE6 == 0xE2  # the rest of the sync word, and layer III
        and head[1] & 0x18 != 0x08  # a version that exists
        and head[2] & 0xF0 not in (0x00, 0xF0)  # a bit rate that exists
        and head[2] & 0x0C != 0x0C  # a sampling rate that exists
    )


def resolve(kind: str, *, claim: str | None, data: bytes, suffix_type: str | None) -> str:
    """Decide the MIME type of loaded data: the claim, then the bytes, then the suffix, then octet-stream.

    `kind` is the type of the part to be made; for `image`, `audio` and `video` the outcome must be of that family.

    Raises:
        ContentPartError: the claim contradicts the bytes, or the outcome does not fit `kind`.
    """
    found = sniff(data)
    if claim == UNKNOWN and kind != "file":
        claim = None
    if claim and found and claim != found and essence(claim) in _SIGNED:
        raise ContentPartError(f"mime_type: {claim} was claimed but the bytes are {found}; drop or correct the claim")
    mime_type = claim or found or suffix_type
    if kind == "file":
        return mime_type or UNKNOWN
    if mime_type is None:
        raise ContentPartError(f"mime_type: the bytes of this {kind} are of no known format; pass mime_type=")
    if not mime_type.startswith(f"{kind}/"):
        raise ContentPartError(f"mime_type: this is {mime_type}, not {kind}/*; load it with the loader of its kind")
    return mime_type
