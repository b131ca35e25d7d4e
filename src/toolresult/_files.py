"""The only file I/O of the library: reading regular files, beneath a root if asked, and writing new ones.

A path may come from a model, so every one is hostile: one typed error, at once, that names no directory.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial
from typing import cast

from toolresult._frozen import type_name
from toolresult._text import last_segment, quote, repair
from toolresult.errors import ContentPartError

CHUNK = 64 * 1024
_MAX_PATH = 4096
_MAX_LINKS = 40
_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_READ_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # should a FIFO take the file's place, it opens at once, and is then refused
    | getattr(os, "O_NOCTTY", 0)
    | _FLAGS
)


def name_of(path: str | bytes) -> str:
    """Cut a path to a name that is safe to show: no directories, valid Unicode."""
    return repair(last_segment(path if isinstance(path, str) else os.fsdecode(path)))


def read(path: str | bytes, *, max_bytes: int | None, root: str | os.PathLike[str] | None) -> bytes:
    """Read a regular file whole, at most `max_bytes` of it, and only beneath `root` if there is one.

    Raises:
        ContentPartError: missing, unreadable, not a regular file, too large, or outside of `root`.
    """
    name = name_of(path)
    text = path if isinstance(path, str) else os.fsdecode(path)
    if not text or "\0" in text:
        raise ContentPartError("source: the path is empty or has a NUL in it; pass the path of a file")
    try:
        fd = _open(path, name) if root is None else _open_beneath(_checked_directory("root", root), text)
    except (OSError, UnicodeError) as error:
        raise _unreadable(name, error) from error
    try:
        status = os.fstat(fd)
        _check_regular(status, name)
        if max_bytes is not None and status.st_size > max_bytes:
            raise too_large(max_bytes)
        # One read takes the whole file, and one byte more to notice that it grew; the next one sees its end.
        return read_all(partial(os.read, fd), status.st_size + 1, max_bytes)
    except (OSError, MemoryError, OverflowError) as error:
        raise _unreadable(name, error) from error
    finally:
        os.close(fd)


def read_all(read: Callable[[int], object], first: int, max_bytes: int | None) -> bytes:
    """Join partial reads up to the end, asking for at most `max_bytes` + 1 bytes in all."""
    pieces: list[bytes] = []
    size, want = 0, first
    while True:
        if max_bytes is not None:
            want = min(want, max_bytes + 1 - size)
        piece = read(want)
        if type(piece) is not bytes:
            piece = _as_bytes(piece)
        if not piece:
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
        if max_bytes is not None and size > max_bytes:
            raise too_large(max_bytes)
        want = CHUNK


def too_large(max_bytes: int | None) -> ContentPartError:
    """Make the error for a source of more than `max_bytes`."""
    return ContentPartError(f"source: larger than max_bytes={max_bytes}; raise max_bytes or load less")


def write(directory: str | os.PathLike[str], name: str, data: bytes, *, overwrite: bool) -> str:
    """Write a file whose name is one path segment, whole or not at all; return its path.

    Raises:
        ContentPartError: it exists and `overwrite` is off, or the directory cannot be written to.
    """
    path = os.path.join(_checked_directory("directory", directory), name)
    # Never through a link: with O_EXCL one at the end of the path is refused, and replacing a name does not follow it.
    target = f"{path}.{os.urandom(6).hex()}.part" if overwrite else path
    try:
        fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
        try:
            with open(fd, "wb") as file:
                file.write(data)
            if overwrite:
                os.replace(target, path)
        except BaseException:
            os.unlink(target)
            raise
    except FileExistsError as error:
        raise ContentPartError(
            f"name: {quote(name, 80)} exists already; pass overwrite=True or another name"
        ) from error
    except (OSError, ValueError) as error:
        reason = str(error.strerror).lower() if isinstance(error, OSError) else "its name is not valid here"
        raise ContentPartError(f"directory: cannot write {quote(name, 80)} in it: {reason}; check both") from error
    return path


def _as_bytes(piece: object) -> bytes:
    if isinstance(piece, str):
        raise ContentPartError("source: the file object is open in text mode; open it in binary mode, as 'rb'")
    if isinstance(piece, (bytes, bytearray, memoryview)):
        return bytes(memoryview(cast("bytes", piece)))
    raise ContentPartError(f"source: read() of the file object gave {type_name(piece)}, not bytes")


def _checked_directory(label: str, directory: str | os.PathLike[str]) -> str:
    try:
        path: object = os.fspath(directory)
    except TypeError:
        path = directory
    if not isinstance(path, str):
        raise TypeError(f"{label}: must be a str or a path of str, got {type(path).__name__}")
    if not path:
        raise ValueError(f"{label}: must not be empty, which would mean the current directory; use '.' for that")
    return path


def _unreadable(name: str, error: Exception) -> ContentPartError:
    reason = "the name is not valid here" if isinstance(error, UnicodeError) else "too large for the memory"
    if isinstance(error, OSError):
        reason = str(error.strerror)
    return ContentPartError(f"source: cannot read {quote(name, 80)}: {reason.lower()}; check the path")


def _check_regular(status: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ContentPartError(f"source: {quote(name, 80)} is not a regular file; pass the path of a file")


def _open(path: str | bytes, name: str) -> int:
    # Opening a FIFO lets its writer go on, and opening a device may move it: ask first. What is then opened may be
    # something else, so the descriptor is asked again.
    _check_regular(os.stat(path), name)
    return os.open(path, _READ_FLAGS)


def _open_beneath(root: str, path: str) -> int:
    """Open `path` for reading without ever leaving `root`, whatever is swapped meanwhile.

    Every component is opened relative to the descriptor of the one before and without following links; links are
    read and walked in the same way. Names are never looked up twice, so there is nothing to race with.
    """
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):  # pragma: no cover - not on this system
        raise ContentPartError("root: this system cannot open files relative to a directory; check the path yourself")
    name = name_of(path)
    todo = _steps(root, path, name)
    links = 0
    try:
        fds = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    except (OSError, ValueError) as error:
        reason = str(error.strerror).lower() if isinstance(error, OSError) else "the name is not valid here"
        raise ContentPartError(f"root: cannot be opened: {reason}") from error
    try:
        while todo:
            step = todo.pop()
            if step == "." and todo:
                continue  # the step before it is open as a directory already
            if step == "..":
                if len(fds) == 1:
                    raise _outside(name)
                os.close(fds.pop())
                continue
            target = _link_target(step, fds[-1])
            if target is not None:
                links += 1
                if links > _MAX_LINKS:
                    raise ContentPartError(f"source: {quote(name, 80)} goes through too many links")
                if target.startswith("/"):
                    while len(fds) > 1:
                        os.close(fds.pop())
                todo.extend(_steps(root, target, name))
            elif todo:
                fds.append(os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fds[-1]))
            else:
                _check_regular(os.stat(step, dir_fd=fds[-1], follow_symlinks=False), name)
                return os.open(step, _READ_FLAGS | os.O_NOFOLLOW, dir_fd=fds[-1])
        raise ContentPartError(f"source: {quote(name, 80)} is not a regular file; pass the path of a file")
    finally:
        for fd in fds:
            os.close(fd)


def _link_target(step: str, directory: int) -> str | None:
    try:
        return os.readlink(step, dir_fd=directory)
    except OSError:
        return None  # not a link; or not there at all, which opening it will say


def _steps(root: str, path: str, name: str) -> list[str]:
    """Split a path into its components below `root`, the last one first."""
    if len(path) > _MAX_PATH:
        raise ContentPartError("source: the path is too long")
    if path.startswith("/"):
        # With a slash at the end of both, the root is below itself, and no other directory is.
        bases = (f"{base.rstrip('/')}/" for base in (os.path.join(os.getcwd(), root), os.path.realpath(root)))
        below = next((f"{path}/".removeprefix(base) for base in bases if f"{path}/".startswith(base)), None)
        if below is None:
            raise _outside(name)
        path = below.removesuffix("/")
    # A trailing slash asks for a directory, and so does a final dot: keep it as a step that only those have.
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.endswith(("/", "/.")) and steps:
        steps.append(".")
    return steps[::-1]


def _outside(name: str) -> ContentPartError:
    return ContentPartError(f"source: {quote(name, 80)} is outside the root directory; pass a path inside it")
