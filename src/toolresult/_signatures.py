"""Magic numbers: what the bytes themselves say of their MIME type."""

from __future__ import annotations

from collections.abc import Iterator

from toolresult._media import DOCX, ODT, PNG_SIGNATURE, PPTX, XLSX

_FIXED: tuple[tuple[bytes, str], ...] = (
    (PNG_SIGNATURE, "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    *((b"%PDF-" + digit, "application/pdf") for digit in (b"1", b"2")),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),
    (b"MM\x00+", "image/tiff"),
    (b"fLaC\x00\x00\x00\x22", "audio/flac"),
    (b"\x00\x00\x01\xba", "video/mpeg"),
    (b"\x00\x00\x01\xb3", "video/mpeg"),
    (b"\x1f\x8b\x08", "application/gzip"),
)

_ISO_BRANDS = {
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"M4P ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"hevc": "image/heic",
    b"hevx": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
    **dict.fromkeys(
        # Of the register of brands (mp4ra.org), those that say MP4; other families, such as JPEG 2000, have theirs.
        b"isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 mp71 avc1 dash cmfc M4VH M4VP MSNV".split(),
        "video/mp4",
    ),
    b"M4V ": "video/mp4",
    b"f4v ": "video/mp4",
}

_BMP_HEADERS = frozenset([12, 16, 40, 52, 56, 64, 108, 124])  # the sizes that the versions of its second header have
_OFFICE_NAMES = {b"word/document.xml": DOCX, b"xl/workbook.xml": XLSX, b"ppt/presentation.xml": PPTX}
_ZIP_COMMENT = 65_535
_MAX_ENTRIES = 10_000


def sniff(data: bytes) -> str | None:
    """Name the type that the bytes reveal, the general one of its family where they say no more."""
    for signature, kind in _FIXED:
        if data.startswith(signature):
            return kind
    if data.startswith((b"RIFF", b"RF64")):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(data[8:12])
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _sniff_zip(data)
    if data.startswith(b"\x1a\x45\xdf\xa3"):
        return _sniff_ebml(data[:128])
    if data.startswith(b"OggS\x00"):
        return "video/ogg" if b"\x80theora" in data[:128] else "audio/ogg"
    if data.startswith(b"PAR1"):
        return "application/vnd.apache.parquet" if data.endswith(b"PAR1") and len(data) >= 12 else None
    if data.startswith((b"ID3", b"\xff")):
        return _sniff_mpeg_audio(data)
    return _sniff_atoms(data[:512]) or _sniff_weak(data[:512])


def _sniff_zip(data: bytes) -> str:
    # OpenDocument 1.3, part 2, section 3.3: the first entry, stored as it is, names the type.
    if data[30:38] == b"mimetype" and data.startswith(ODT.encode() + b"PK", 38):
        return ODT
    names = set(_zip_names(data))
    if b"[Content_Types].xml" not in names or any(name.endswith(b"/vbaProject.bin") for name in names):
        return "application/zip"  # documents with macros have types of their own, which are not in the table
    return next((kind for name, kind in _OFFICE_NAMES.items() if name in names), "application/zip")


def _zip_names(data: bytes) -> Iterator[bytes]:
    """Read the names in the central directory (APPNOTE 6.3.10, sections 4.3.12 and 4.3.16), the first ten thousand."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - _ZIP_COMMENT))
    at = end - int.from_bytes(data[end + 12 : end + 16], "little")
    for _ in range(_MAX_ENTRIES):
        if end < 0 or at < 0 or data[at : at + 4] != b"PK\x01\x02":
            return
        name, extra, comment = (int.from_bytes(data[at + i : at + i + 2], "little") for i in (28, 30, 32))
        yield data[at + 46 : at + 46 + name]
        at += 46 + name + extra + comment


def _sniff_ebml(head: bytes) -> str | None:
    """Read the document type in an EBML header (RFC 8794, section 11.2.6)."""
    doctype = head.partition(b"\x42\x82")[2][:24]
    return "video/webm" if b"webm" in doctype else "video/matroska" if b"matroska" in doctype else None


def _sniff_atoms(head: bytes) -> str | None:
    """Read the brands of an ISO media file (ISO 14496-12, section 4.3): the major one, then the compatible ones.

    QuickTime files from before brands begin with another atom.
    """
    size, kind = int.from_bytes(head[:4], "big"), head[4:8]
    if kind != b"ftyp":
        is_quicktime = (kind == b"wide" and size == 8) or (kind == b"moov" and size >= 8)
        is_quicktime |= kind == b"mdat" and (size == 1 or size >= 8)  # 1: its size is of 64 bits, and follows
        return "video/quicktime" if is_quicktime and head[0] < 9 else None  # a text may begin with tabs
    # A text; or a raw picture of Canon or a JPEG 2000 that calls itself MP4 as well.
    if not 16 <= size <= 0xFFFF or head[8:12] in (b"crx ", b"jp2 ", b"jpx "):
        return None
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, min(size, len(head)), 4))]
    known = [_ISO_BRANDS[brand] for brand in brands if brand in _ISO_BRANDS]
    if known[:1] == ["image/heif"]:  # a still picture in some coding, which a further brand may name
        return next((kind for kind in known if kind in ("image/avif", "image/heic")), "image/heif")
    return known[0] if known else None


def _sniff_mpeg_audio(data: bytes) -> str | None:
    at = 0
    is_tagged = _is_id3_tag(data[:10])
    if is_tagged:
        at = 10 + sum(byte << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0), strict=True))
        if data.startswith(b"fLaC", at):
            return "audio/flac"
    frame = data[at : at + 4]
    if _is_adts_frame(frame):
        return "audio/aac"
    return "audio/mpeg" if is_tagged or _is_mp3_frame(frame) else None


def _is_id3_tag(head: bytes) -> bool:
    """Check the ten bytes in front of an MP3 (ID3v2.4, section 3.1): a version, and four times seven bits of size."""
    if len(head) < 10 or not head.startswith(b"ID3"):
        return False
    return 2 <= head[3] <= 4 and head[4] != 0xFF and max(head[6:10]) < 0x80


def _is_adts_frame(head: bytes) -> bool:
    """Check the header of an AAC frame (ISO 13818-7, section 6.2): the sync word, layer 0, a sampling rate."""
    return len(head) == 4 and head[0] == 0xFF and head[1] & 0xF6 == 0xF0 and head[2] & 0x3C <= 12 << 2


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


def _sniff_weak(head: bytes) -> str | None:
    """Try signatures so short that other data may begin with them: more of the header must make sense."""
    if head.startswith(b"BM") and len(head) >= 26 and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "image/bmp"
    if head.startswith(b"\x00\x00\x01\x00") and len(head) >= 22 and head[4:6] != b"\x00\x00" and head[9] == 0:
        return "image/vnd.microsoft.icon"
    return "application/x-tar" if head[257:262] == b"ustar" else None
