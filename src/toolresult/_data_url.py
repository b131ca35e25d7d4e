"""Reading `data:` URLs (RFC 2397) and base64 text: generous in dress, strict in content."""

from __future__ import annotations

from binascii import a2b_base64

from toolresult._media import normalise
from toolresult.errors import ContentPartError


def parse(url: str, max_bytes: int | None) -> tuple[bytes | None, str | None]:
    """Read a data URL; return its bytes, `None` if there are more than `max_bytes`, and the MIME type it declares.

    Raises:
        ContentPartError: malformed; the data is never shortened.
    """
    if max_bytes is not None and len(url) > 16 * max_bytes + 4096:
        return None, None  # however it is written, it is not worth decoding
    head, comma, payload = url.lstrip(" \t\r\n")[len("data:") :].partition(",")
    if not comma:
        raise ContentPartError("source: the data: URL has no comma before its data")
    # The marker is the last token, whatever stands before it: a parameter may hold anything but a bare semicolon.
    declared, semicolon, marker = head.rpartition(";")
    is_base64 = bool(semicolon) and marker.strip().lower() == "base64"
    label = (declared if is_base64 else head).strip()
    if label.startswith(";"):
        label = f"text/plain{label}"  # parameters only: they are those of the default type
    elif "/" not in label.partition(";")[0]:
        label = ""  # a word that is no type
    try:
        mime_type = normalise(label) if label else None
    except ContentPartError:
        raise ContentPartError("source: the MIME type of the data: URL is not of the form type/subtype") from None
    if max_bytes is not None:
        # At least as many bytes stand in it; base64 may have white space between its characters.
        most = 4 * max_bytes + 4096 if is_base64 else max_bytes
        if len(payload) - 2 * payload.count("%") > most:
            return None, mime_type
    try:
        raw = _percent_decode(payload.encode())
    except UnicodeEncodeError:
        raise ContentPartError("source: the data: URL has a lone surrogate in it") from None
    if is_base64:
        return decode_base64(raw, max_bytes), mime_type
    return raw if max_bytes is None or len(raw) <= max_bytes else None, mime_type


def decode_base64(text: bytes, max_bytes: int | None) -> bytes | None:
    """Decode base64 in any dress: URL-safe alphabet, white space, missing padding; `None` if it is too much.

    Raises:
        ContentPartError: anything else, data behind the padding included.
    """
    packed = text.translate(None, b" \t\r\n\f").replace(b"-", b"+").replace(b"_", b"/")
    if max_bytes is not None and (len(packed) - packed.count(b"=", -4)) * 3 // 4 > max_bytes:
        return None
    try:
        return a2b_base64(packed + b"=" * (-len(packed) % 4 if b"=" not in packed else 0), strict_mode=True)
    except ValueError as error:
        raise ContentPartError(f"source: the base64 data is malformed: {str(error).lower()}") from None


def _percent_decode(payload: bytes) -> bytes:
    if b"%" not in payload:
        return payload
    # Written as the escapes of Python literals, they are decoded in one pass in C; a loop would take half a minute for
    # the largest URLs. Every backslash that was there is doubled, so no other escape can occur.
    literal = payload.replace(b"\\", b"\\\\").replace(b"%", b"\\x")
    try:
        return literal.decode("unicode_escape").encode("latin-1")
    except UnicodeDecodeError:
        raise ContentPartError("source: the data: URL has a % that two hexadecimal digits do not follow") from None
