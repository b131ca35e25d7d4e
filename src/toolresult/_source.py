"""Turning a source (path, bytes, file object, drawing, `data:` URL, http URL) into data.

Nothing here opens a socket: an http URL is kept as it is. A source may come from a model, so every one is hostile.
"""

from __future__ import annotations

import os
from typing import Any, Protocol, TypeAlias, cast

from toolresult import _data_url, _files
from toolresult._drawn import Drawn, to_png
from toolresult._frozen import type_name
from toolresult._media import by_suffix
from toolresult._text import last_segment, place_of, quote, scheme_of
from toolresult.errors import ContentPartError


class BinaryReader(Protocol):
    """A file object that is open in binary mode."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""
        ...


Source: TypeAlias = str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryReader | Drawn
"""What a loader takes. A bare `str` is a path or a URL, never content."""


class Loaded:
    """What a source holds, `data` or `url`, and what it says of itself.

    `label` is the MIME type that a data URL declares; `hint` is the one to fall back on, that of the suffix or the
    default of data URLs.
    """

    __slots__ = ("data", "hint", "label", "name", "url")

    def __init__(
        self,
        *,
        data: bytes | None = None,
        url: str | None = None,
        name: str | None = None,
        label: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.data = data
        self.url = url
        self.name = name
        self.label = label
        self.hint = hint


def load(source: Source, *, max_bytes: int | None, root: str | os.PathLike[str] | None) -> Loaded:
    """Read a source whole, at most `max_bytes` of it.

    With `root`, only a path that resolves inside that directory is taken; a relative one is relative to it.

    Raises:
        ContentPartError: the source is missing, unreadable, not a regular file, too large, malformed or refused.
        TypeError: an object that is no source at all.
    """
    if max_bytes is not None and (type(max_bytes) is not int or max_bytes < 0):
        raise TypeError("max_bytes: must be a whole number of bytes, or None for no limit")
    kind = type(source)  # an object may say otherwise when `isinstance` asks it
    if issubclass(kind, (bytes, bytearray, memoryview)):
        _refuse_under(root, type_name(source))
        return Loaded(data=_sized(_snapshot(cast("bytes", source)), max_bytes))
    if issubclass(kind, str):
        text = str.__str__(cast("str", source))
        scheme = scheme_of(text)
        if scheme is None:
            return _load_path(text, max_bytes, root)
        _refuse_under(root, "a URL")
        return _load_url(text, scheme, max_bytes)
    if issubclass(kind, cast("Any", os.PathLike)):
        try:
            path = os.fspath(cast("os.PathLike[str] | os.PathLike[bytes]", source))
        except Exception as error:
            raise ContentPartError(f"source: its path cannot be read: {type(error).__name__}") from error
        return _load_path(str.__str__(path) if isinstance(path, str) else bytes(memoryview(path)), max_bytes, root)
    _refuse_under(root, f"an object of type {type_name(source)}")
    if _can(source, "read"):
        return _load_file_object(source, max_bytes)
    png = to_png(source, max_bytes)
    if png is not None:
        return Loaded(data=_sized(png, max_bytes))
    raise TypeError(
        "source: must be a path, a data: or http(s) URL, bytes, a binary file object, a PIL image or a figure, "
        f"got {type_name(source)}"
    )


def _refuse_under(root: object, what: str) -> None:
    if root is not None:
        raise ContentPartError(f"source: with root= it must be a path inside that directory, not {what}")


def _sized(data: bytes | None, max_bytes: int | None) -> bytes:
    if data is None or (max_bytes is not None and len(data) > max_bytes):
        raise _files.too_large(max_bytes)
    return data


def _snapshot(source: bytes | bytearray | memoryview) -> bytes:
    if type(source) is bytes:
        return source
    try:
        return bytes(memoryview(source))  # past the methods of a subclass
    except Exception as error:
        raise ContentPartError(f"source: this {type_name(source)} cannot be read; pass bytes") from error


def _load_path(path: str | bytes, max_bytes: int | None, root: str | os.PathLike[str] | None) -> Loaded:
    name = _files.name_of(path)
    return Loaded(data=_files.read(path, max_bytes=max_bytes, root=root), name=name, hint=by_suffix(name))


def _load_url(url: str, scheme: str, max_bytes: int | None) -> Loaded:
    if scheme == "data":
        data, label = _data_url.parse(url, max_bytes)
        return Loaded(data=_sized(data, max_bytes), label=label, hint="text/plain")  # RFC 2397, section 2
    if scheme in ("http", "https"):
        return Loaded(url=url, hint=by_suffix(last_segment(place_of(url).partition("/")[2])))
    raise ContentPartError(
        f"source: {quote(scheme or '//', 20)} URLs are not loaded; only paths, data: and http(s) URLs are "
        "(from_url takes other schemes on purpose; write a file name with a colon as ./name)"
    )


def _can(source: object, method: str) -> bool:
    try:
        return callable(getattr(source, method, None))
    except Exception as error:
        raise ContentPartError(f"source: its {method} cannot be looked up: {type(error).__name__}") from error


def _load_file_object(source: Any, max_bytes: int | None) -> Loaded:
    try:
        if _can(source, "seekable") and source.seekable():
            source.seek(0)
        data = _files.read_all(source.read, _files.CHUNK, max_bytes)
        name = getattr(source, "name", None)  # a path, or the number of a descriptor
    except ContentPartError:
        raise
    except Exception as error:
        raise ContentPartError(f"source: the file object cannot be read: {type(error).__name__}") from error
    name = _files.name_of(str.__str__(name)) if isinstance(name, str) else None
    return Loaded(data=data, name=name, hint=by_suffix(name or ""))
