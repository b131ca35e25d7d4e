"""MIME types: their grammar, aliases, one fixed suffix table, and what the bytes themselves say.

The platform's own table is never asked, so that an answer is the same on every machine.
"""

from __future__ import annotations

from toolresult.errors import ContentPartError

UNKNOWN = "application/octet-stream"
JSON_TYPE = "application/json"
TSV_TYPE = "text/tab-separated-values"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

_NAME = frozenset("!#$&-^_.+0123456789abcdefghijklmnopqrstuvwxyz")  # RFC 6838, section 4.2
_MAX_LENGTH = 255  # RFC 6838, section 4.2: 127 characters on either side of the slash

_MAX_TOTAL = 1000
_NOT_IN_URLS = frozenset('",;# ')

_OOXML = "application/vnd.openxmlformats-officedocument."
DOCX = f"{_OOXML}wordprocessingml.document"
XLSX = f"{_OOXML}spreadsheetml.sheet"
PPTX = f"{_OOXML}presentationml.presentation"
ODT = "application/vnd.oasis.opendocument.text"

# Type, suffixes (the usual one first), aliases. Names are those of the IANA registry where it has one and the field
# uses it; `audio/wav` is that of the WHATWG, section 6.2 of its MIME Sniffing standard.
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("image/png", "png", "image/x-png"),
    ("image/jpeg", "jpg jpeg jpe jfif", "image/jpg image/pjpeg"),
    ("image/gif", "gif", ""),
    ("image/webp", "webp", "image/x-webp"),
    ("image/bmp", "bmp dib", "image/x-bmp image/x-ms-bmp"),
    ("image/tiff", "tiff tif", "image/tif image/x-tiff"),
    ("image/svg+xml", "svg", "image/svg"),
    ("image/heic", "heic", ""),
    ("image/heif", "heif hif", ""),
    ("image/avif", "avif", ""),
    ("image/vnd.microsoft.icon", "ico", "image/x-icon image/ico"),
    ("application/pdf", "pdf", "application/x-pdf"),
    ("audio/mpeg", "mp3", "audio/mp3 audio/x-mp3 audio/x-mpeg audio/mpeg3 audio/mpg"),
    ("audio/wav", "wav wave", "audio/x-wav audio/wave audio/vnd.wave audio/x-pn-wav"),
    ("audio/flac", "flac", "audio/x-flac"),
    ("audio/ogg", "ogg oga opus", "audio/x-ogg"),  # RFC 7845, section 9: the file type of Opus is audio/ogg
    ("audio/mp4", "m4a m4b", "audio/m4a audio/x-m4a audio/x-mp4"),
    ("audio/aac", "aac adts", "audio/x-aac audio/aacp"),
    ("audio/webm", "weba", ""),
    ("video/mp4", "mp4 m4v", "video/x-m4v"),
    ("video/webm", "webm", ""),
    ("video/quicktime", "mov qt", ""),
    ("video/matroska", "mkv", "video/x-matroska"),
    ("video/ogg", "ogv", ""),
    ("video/mpeg", "mpeg mpg", "video/x-mpeg video/mpg"),
    ("text/plain", "txt text log", ""),
    ("text/markdown", "md markdown", "text/x-markdown"),
    ("text/csv", "csv", "application/csv text/x-csv"),
    ("text/tab-separated-values", "tsv", "text/tsv"),
    ("application/json", "json", "text/json application/x-json"),
    ("application/jsonl", "jsonl ndjson", "application/x-jsonl application/jsonlines application/x-ndjson"),
    ("application/yaml", "yaml yml", "application/x-yaml text/yaml text/x-yaml"),
    ("application/xml", "xml", "text/xml"),
    ("text/html", "html htm", ""),
    ("text/css", "css", ""),
    ("text/javascript", "js mjs", "application/javascript application/x-javascript"),
    ("text/x-python", "py", "text/x-script.python application/x-python"),
    (DOCX, "docx", ""),
    (XLSX, "xlsx", ""),
    (PPTX, "pptx", ""),
    (ODT, "odt", ""),
    ("application/zip", "zip", "application/x-zip application/x-zip-compressed"),
    ("application/gzip", "gz tgz", "application/x-gzip"),
    ("application/x-tar", "tar", "application/tar"),
    ("application/vnd.apache.parquet", "parquet", "application/parquet application/x-parquet"),
    ("application/x-ipynb+json", "ipynb", ""),
    (UNKNOWN, "", "binary/octet-stream application/binary"),
)
_SUFFIXES = {suffix: kind for kind, suffixes, _ in _TABLE for suffix in suffixes.split()}
_ALIASES = {alias: kind for kind, _, aliases in _TABLE for alias in aliases.split()}

_TEXTUAL = frozenset(
    ["application/json", "application/jsonl", "application/xml", "application/yaml", "application/toml"]
)

# Types that share a signature, the general one first: the bytes alone cannot contradict one of them for another.
_FAMILIES: tuple[tuple[str, ...], ...] = (
    ("video/mp4", "audio/mp4", "video/quicktime"),
    ("video/webm", "audio/webm"),
    ("video/matroska", "audio/matroska", "video/webm", "audio/webm"),
    ("audio/ogg", "video/ogg", "application/ogg", "audio/opus"),
    ("image/heif", "image/heic", "image/avif"),
    ("application/zip", DOCX, XLSX, PPTX, ODT),
)

# Types that the bytes reveal. A claim of one of these can be contradicted by the bytes; any other claim cannot.
_SIGNED = frozenset(
    [
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "image/bmp",
        "image/tiff",
        "image/vnd.microsoft.icon",
        "application/pdf",
        "audio/mpeg",
        "audio/wav",
        "audio/flac",
        "audio/aac",
        "video/mpeg",
        "application/gzip",
        "application/x-tar",
        "application/vnd.apache.parquet",
        *(kind for family in _FAMILIES for kind in family),
    ]
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
    mime_type = str.__str__(mime_type)
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


def in_data_url(mime_type: str) -> str:
    """Write a normalised MIME type as it stands in a `data:` URL; parameters that would need quotes are left out."""
    kind, *parameters = _split(mime_type)
    return ";".join([kind, *(p for p in parameters if not _NOT_IN_URLS.intersection(p))])


def by_suffix(name: str) -> str | None:
    """Look up the suffix of a file name; a name that is only a suffix, such as `.png`, has none."""
    stem, _, suffix = name.rpartition(".")
    return _SUFFIXES.get(suffix.lower()) if stem.strip(".") else None


def suffix_of(mime_type: str) -> str:
    """Return the usual suffix of a MIME type with its dot, or nothing."""
    kind = essence(mime_type)
    return next((f".{suffixes.partition(' ')[0]}" for known, suffixes, _ in _TABLE if known == kind and suffixes), "")


def are_kin(one: str, other: str) -> bool:
    """Say whether two types are the same or share a signature."""
    return one == other or any(one in family and other in family for family in _FAMILIES)


def resolve(kind: str, *, claim: str | None, data: bytes, suffix_type: str | None) -> str:
    """Decide the MIME type of loaded data: the claim, then the bytes, then the suffix, then octet-stream.

    `kind` is the type of the part to be made; for `image`, `audio` and `video` the outcome must be of that family.

    Raises:
        ContentPartError: the claim contradicts the bytes, or the outcome does not fit `kind`.
    """
    from toolresult._signatures import sniff

    found = sniff(data)
    if claim == UNKNOWN and kind != "file":
        claim = None
    if claim and found and essence(claim) in _SIGNED and not are_kin(claim, found):
        raise ContentPartError(f"mime_type: {claim} was claimed but the bytes are {found}; drop or correct the claim")
    mime_type = claim or _refined(kind, found, suffix_type) or suffix_type
    if kind == "file":
        return mime_type or UNKNOWN
    if mime_type is None:
        raise ContentPartError(f"mime_type: the bytes of this {kind} are of no known format; pass mime_type=")
    if not mime_type.startswith(f"{kind}/"):
        raise ContentPartError(f"mime_type: this is {mime_type}, not {kind}/*; load it with the loader of its kind")
    return mime_type


def corrected(claim: str, data: bytes) -> str:
    """Believe the bytes where a normalised label contradicts them or says nothing, and the label otherwise."""
    from toolresult._signatures import sniff

    found = sniff(data)
    if found is None or (claim != UNKNOWN and (essence(claim) not in _SIGNED or are_kin(essence(claim), found))):
        return claim
    return found


def _refined(kind: str, found: str | None, suffix_type: str | None) -> str | None:
    """Choose within a family what the bytes leave open: what the suffix says, or the member of the loader's kind."""
    if found is None:
        return None
    family = next((family for family in _FAMILIES if family[0] == found), (found,))
    if suffix_type is not None and suffix_type in family and (kind == "file" or suffix_type.startswith(f"{kind}/")):
        return suffix_type
    if kind == "file" or found.startswith(f"{kind}/"):
        return found
    return next((kin for kin in _kin_of(found) if kin.startswith(f"{kind}/")), found)


def _kin_of(kind: str) -> tuple[str, ...]:
    return next((family for family in _FAMILIES if kind in family), ())
