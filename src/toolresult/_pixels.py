"""Width and height of a picture, read from its header."""

from __future__ import annotations

import re

from toolresult._media import PNG_SIGNATURE

_JPEG_FRAMES = frozenset([*range(0xC0, 0xD0)]) - {0xC4, 0xC8, 0xCC}  # ITU-T T.81, table B.1: the SOF markers
_JPEG_BARE = frozenset([0x01, *range(0xD0, 0xD9)])  # markers that no length follows
_JPEG_FILL = re.compile(b"\xff+")
_JPEG_SEGMENTS = 100_000  # looked at before giving up


def pixels(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG, GIF, WebP or JPEG image; `None` where the header does not say."""
    if data.startswith(PNG_SIGNATURE):
        return _pair(data, 16, 4, "big")
    if data.startswith((b"GIF87a", b"GIF89a")):
        return _pair(data, 6, 2, "little")
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    return None


def _pair(data: bytes, at: int, size: int, order: str) -> tuple[int, int] | None:
    if len(data) < at + 2 * size:
        return None
    if order == "big":
        return int.from_bytes(data[at : at + size], "big"), int.from_bytes(data[at + size : at + 2 * size], "big")
    return int.from_bytes(data[at : at + size], "little"), int.from_bytes(data[at + size : at + 2 * size], "little")


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if len(data) < 30:
        return None
    if kind == b"VP8X":  # the canvas, each side less one in 24 bits
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":  # 14 bits each, less one
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":  # RFC 6386, section 9.1: 14 bits each, below two bits of scale
        return (data[26] | data[27] << 8) & 0x3FFF, (data[28] | data[29] << 8) & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    for _ in range(_JPEG_SEGMENTS):
        fill = _JPEG_FILL.match(data, at)
        if fill is None:
            break
        at = fill.end() - 1
        if at + 9 > len(data):
            break
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 if marker in _JPEG_BARE else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
