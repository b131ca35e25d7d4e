"""Turning a source (path, bytes, file object, `data:` URL, http URL) into data. The only file I/O of the library.

Nothing here opens a socket: an http URL is kept as it is. A source may come from a model, so every one is hostile:
one typed error, at once, that names no directory.
"""

from __future__ import annotations

import os
import stat
from functools import partial
from typing import Any, Protocol, TypeAlias, cast

from toolresult._media import by_suffix, normalise
from toolresult._text import last_segment, place_of, quote, repair
from toolresult.errors import ContentPartError

DEFAULT_MAX_BYTES = 64 * 1024 * 1024
"""The most that a loader reads, in bytes decoded: 64 MiB."""

_CHUNK = 64 * 1024
_MAX_PATH = 4096
_MAX_LINKS = 40
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # so that a FIFO without a writer opens at once, and is then refused
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class BinaryReader(Protocol):
    """A file object that is open in binary mode."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""
        ...


Source: TypeAlias = str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryReader
"""What a loader takes. A bare `str` is a path or a URL, never content."""


class Loaded:
    """What a source holds, `data` or `url`, and what it says of itself.

    `label` is the MIME type that a data URL declares; `hint` is the one to fall back on, that of the suffix or the
    default of data URLs. (A named tuple would say the same, and take a tenth of a millisecond to import.)
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
    if isinstance(source, str):
        scheme = scheme_of(source)
        if scheme is None:
            return _load_path(source, max_bytes, root)
        _refuse_under(root, "a URL")
        if scheme == "data":
            if max_bytes is not None and len(source) > 16 * max_bytes + _MAX_PATH:
                raise _too_large(max_bytes)  # however it is written, it is not worth decoding
            return _load_data_url(source, max_bytes)
        if scheme in ("http", "https"):
            return Loaded(url=source, hint=by_suffix(last_segment(place_of(source).partition("/")[2])))
        raise ContentPartError(
            f"source: {quote(scheme or '//', 20)} URLs are not loaded; only paths, data: and http(s) URLs are "
            "(from_url takes other schemes on purpose; write a file name with a colon as ./name)"
        )
    if isinstance(source, os.PathLike):
        return _load_path(source, max_bytes, root)
    if isinstance(source, (bytes, bytearray, memoryview)):
        _refuse_under(root, type(source).__name__)
        return Loaded(data=_sized(_snapshot(source), max_bytes))
    if _can(source, "read"):
        _refuse_under(root, "a file object")
        return _load_file_object(source, max_bytes)
    raise TypeError(
        f"source: must be a path, a data: or http(s) URL, bytes or a binary file object, got {type(source).__name__}"
    )


def _can(source: object, method: str) -> bool:
    try:
        return callable(getattr(source, method, None))
    except Exception as error:
        raise ContentPartError(f"source: its {method} cannot be looked up: {type(error).__name__}") from error


def scheme_of(text: str) -> str | None:
    """Return the lower-case scheme if `text` is written as a URL (RFC 3986, section 3.1), else `None`.

    A single letter is a Windows drive. Two slashes or backslashes in front name a host, and have the scheme "".
    """
    if text.startswith(("//", "\\\\")):
        return ""
    scheme, colon, _ = text.lstrip(" \t\r\n").partition(":")
    if not colon or len(scheme) < 2 or not scheme.isascii() or not scheme[0].isalpha():
        return None
    return scheme.lower() if scheme.replace("+", "").replace("-", "").replace(".", "").isalnum() else None


def url_problem(url: str) -> str | None:
    """Say what is wrong with an absolute URI, if anything."""
    scheme = scheme_of(url)
    if not scheme or url[: len(scheme)].lower() != scheme:
        return "must be an absolute URI with a scheme, for example https://host/path"
    if " " in url or not url.isprintable():
        return "has white space or control characters in it; percent-encode them"
    rest = url[len(scheme) + 1 :]
    if scheme in ("http", "https") and not (rest.startswith("//") and place_of(url).partition("/")[0]):
        return "has no host; it must read like https://host/path"
    return None if rest else "has nothing after its scheme"


def _refuse_under(root: object, what: str) -> None:
    if root is not None:
        raise ContentPartError(f"source: with root= it must be a path inside that directory, not {what}")


def _too_large(max_bytes: int) -> ContentPartError:
    return ContentPartError(f"source: larger than max_bytes={max_bytes}; raise max_bytes or load less")


def _sized(data: bytes, max_bytes: int | None) -> bytes:
    if max_bytes is not None and len(data) > max_bytes:
        raise _too_large(max_bytes)
    return data


def _snapshot(source: bytes | bytearray | memoryview) -> bytes:
    try:
        return bytes(source)
    except ValueError as error:
        raise ContentPartError("source: the memoryview has been released; pass bytes") from error


# Paths


def _load_path(
    source: str | os.PathLike[str] | os.PathLike[bytes], max_bytes: int | None, root: str | os.PathLike[str] | None
) -> Loaded:
    try:
        path = os.fspath(source)
    except Exception as error:
        raise ContentPartError(f"source: its path cannot be read: {type(error).__name__}") from error
    text = path if isinstance(path, str) else os.fsdecode(path)
    name = repair(last_segment(text))
    if not text or "\0" in text:
        raise ContentPartError("source: the path is empty or has a NUL in it; pass the path of a file")
    try:
        fd = os.open(path, _OPEN_FLAGS) if root is None else _open_beneath(_checked_root(root), text)
    except (OSError, UnicodeError) as error:
        raise _unreadable(name, error) from error
    try:
        data = _read_regular(fd, name, max_bytes)
    except (OSError, MemoryError, OverflowError) as error:
        raise _unreadable(name, error) from error
    finally:
        os.close(fd)
    return Loaded(data=data, name=name, hint=by_suffix(name))


def _checked_root(root: str | os.PathLike[str]) -> str:
    path = os.fspath(root)
    if not isinstance(path, str):
        raise TypeError(f"root: must be a str or a path of str, got {type(path).__name__}")
    if not path:
        raise ValueError("root: must not be empty, which would mean the current directory; use '.' for that")
    return path


def _unreadable(name: str, error: Exception) -> ContentPartError:
    reason = "the name is not valid here" if isinstance(error, UnicodeError) else "too large for the memory"
    if isinstance(error, OSError):
        reason = str(error.strerror)
    return ContentPartError(f"source: cannot read {quote(name, 80)}: {reason.lower()}; check the path")


def _read_regular(fd: int, name: str, max_bytes: int | None) -> bytes:
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        raise ContentPartError(f"source: {quote(name, 80)} is not a regular file; pass the path of a file")
    if max_bytes is not None and status.st_size > max_bytes:
        raise _too_large(max_bytes)
    # One read takes the whole file, and one byte more to notice that it grew; the next one sees its end.
    return _read_all(partial(os.read, fd), status.st_size + 1, max_bytes)


def _read_all(read: Any, first: int, max_bytes: int | None) -> bytes:
    """Join partial reads up to the end, asking for at most `max_bytes` + 1 bytes in all."""
    pieces: list[bytes] = []
    size, want = 0, first
    while True:
        if max_bytes is not None:
            want = min(want, max_bytes + 1 - size)
        piece = read(want)
        if not isinstance(piece, bytes):
            piece = _as_bytes(piece)
        if not piece:
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if max_bytes is not None and size > max_bytes:
            raise _too_large(max_bytes)
        want = _CHUNK


def _open_beneath(root: str, path: str) -> int:
    """Open `path` for reading without ever leaving `root`, whatever is swapped meanwhile.

    Every component is opened relative to the descriptor of the one before and without following links; links are
    read and walked in the same way. Names are never looked up twice, so there is nothing to race with.
    """
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):  # pragma: no cover - not on this system
        raise ContentPartError("root: this system cannot open files relative to a directory; check the path yourself")
    todo = _steps(root, path)
    links = 0
    try:
        fds = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    except OSError as error:
        raise ContentPartError(f"root: cannot be opened: {str(error.strerror).lower()}") from error
    try:
        while todo:
            step = todo.pop()
            if step == "." and todo:
                continue  # the step before it is open as a directory already
            if step == "..":
                if len(fds) == 1:
                    raise _outside(path)
                os.close(fds.pop())
                continue
            target = _link_target(step, fds[-1])
            if target is not None:
                links += 1
                if links > _MAX_LINKS:
                    raise ContentPartError(f"source: {quote(last_segment(path), 80)} goes through too many links")
                if target.startswith("/"):
                    while len(fds) > 1:
                        os.close(fds.pop())
                todo.extend(_steps(root, target))
            elif todo:
                fds.append(os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fds[-1]))
            else:
                return os.open(step, _OPEN_FLAGS | os.O_NOFOLLOW, dir_fd=fds[-1])
        raise ContentPartError(
            f"source: {quote(last_segment(path), 80)} is not a regular file; pass the path of a file"
        )
    finally:
        for fd in fds:
            os.close(fd)


def _link_target(step: str, directory: int) -> str | None:
    try:
        return os.readlink(step, dir_fd=directory)
    except OSError:
        return None  # not a link; or not there at all, which opening it will say


def _steps(root: str, path: str) -> list[str]:
    """Split a path into its components below `root`, the last one first."""
    if len(path) > _MAX_PATH:
        raise ContentPartError("source: the path is too long")
    if path.startswith("/"):
        # With a slash at the end of both, the root is below itself, and no other directory is.
        bases = (f"{base.rstrip('/')}/" for base in (root, os.path.realpath(root)))
        below = next((f"{path}/".removeprefix(base) for base in bases if f"{path}/".startswith(base)), None)
        if below is None:
            raise _outside(path)
        path = below.removesuffix("/")
    # A trailing slash asks for a directory, and so does a final dot: keep it as a step that only those have.
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.endswith(("/", "/.")) and steps:
        steps.append(".")
    return steps[::-1]


def _outside(path: str) -> ContentPartError:
    return ContentPartError(
        f"source: {quote(last_segment(path), 80)} is outside the root directory; pass a path inside it"
    )


# File objects


def _load_file_object(source: Any, max_bytes: int | None) -> Loaded:
    try:
        if _can(source, "seekable") and source.seekable():
            source.seek(0)
        data = _read_all(source.read, _CHUNK, max_bytes)
        name = getattr(source, "name", None)  # a path, or the number of a descriptor
    except ContentPartError:
        raise
    except Exception as error:
        raise ContentPartError(f"source: the file object cannot be read: {type(error).__name__}") from error
    name = repair(last_segment(name)) if isinstance(name, str) else None
    return Loaded(data=data, name=name, hint=by_suffix(name or ""))


def _as_bytes(piece: object) -> bytes:
    if isinstance(piece, str):
        raise ContentPartError("source: the file object is open in text mode; open it in binary mode, as 'rb'")
    if isinstance(piece, (bytearray, memoryview)):
        return bytes(cast("bytearray | memoryview", piece))
    raise ContentPartError(f"source: read() of the file object gave {type(piece).__name__}, not bytes")


# Data URLs (RFC 2397)


def _load_data_url(url: str, max_bytes: int | None) -> Loaded:
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
        raw = _percent_decode(payload.encode())
    except UnicodeEncodeError:
        raise ContentPartError("source: the data: URL has a lone surrogate in it") from None
    if is_base64:
        raw = decode_base64(raw)
    return Loaded(data=_sized(raw, max_bytes), label=normalise(label) if label else None, hint="text/plain")


def _percent_decode(payload: bytes) -> bytes:
    first, *rest = payload.split(b"%")
    if not rest:
        return payload
    pieces = [first]
    for piece in rest:
        try:
            pieces.append(bytes.fromhex(piece[:2].decode("ascii")) if len(piece[:2].strip()) == 2 else b"")
        except ValueError:
            pieces.append(b"")
        if not pieces[-1]:
            raise ContentPartError("source: the data: URL has a % that two hexadecimal digits do not follow")
        pieces.append(piece[2:])
    return b"".join(pieces)


def decode_base64(text: bytes) -> bytes:
    """Decode base64 strictly, but in any dress: URL-safe alphabet, white space, missing padding."""
    from binascii import a2b_base64

    packed = text.translate(None, b" \t\r\n\f").replace(b"-", b"+").replace(b"_", b"/")
    try:
        return a2b_base64(packed + b"=" * (-len(packed) % 4 if b"=" not in packed else 0), strict_mode=True)
    except ValueError as error:
        raise ContentPartError(f"source: the base64 data is malformed: {str(error).lower()}") from None
