"""Loaders: what a source holds, what is refused, and that nothing outside a root is ever read."""

from __future__ import annotations

import io
import itertools
import os
import socket
import sys
from base64 import b64encode
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from toolresult import ContentPartError
from toolresult._content import DEFAULT_MAX_BYTES
from toolresult._data_url import decode_base64
from toolresult._source import load
from toolresult._text import scheme_of, url_problem

INSIDE = b"inside"
SECRET = b"SECRET"


class Loaded(NamedTuple):
    """What a source was found to hold, in a form that compares."""

    data: bytes | None = None
    url: str | None = None
    name: str | None = None
    label: str | None = None
    hint: str | None = None


def read(source, *, max_bytes=DEFAULT_MAX_BYTES, root=None):
    loaded = load(source, max_bytes=max_bytes, root=root)
    return Loaded(*(getattr(loaded, field) for field in Loaded._fields))


def refusal(source, **options):
    """Return the text of the error with which a source is refused."""
    with pytest.raises(ContentPartError) as caught:
        read(source, **options)
    return str(caught.value)


def descriptors():
    return sorted(Path("/proc/self/fd").iterdir())


class Fspath:
    """A path object of somebody else, text or bytes."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to an empty folder whose name no error may show; relative paths are short enough for sockets."""
    folder = tmp_path / "private"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@contextmanager
def as_nobody():
    """Drop the rights of the superuser, who may read everything."""
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if was_root:
            os.seteuid(0)


# Paths


def entry_of(path):
    with os.scandir(path.parent) as entries:
        return next(entries)


@pytest.mark.parametrize(
    "spell",
    [str, Path, lambda path: Fspath(str(path)), lambda path: Fspath(os.fsencode(path)), entry_of],
    ids=["str", "Path", "PathLike of str", "PathLike of bytes", "DirEntry"],
)
@pytest.mark.parametrize("is_absolute", [True, False], ids=["absolute", "relative"])
def test_a_path_gives_bytes_base_name_and_the_type_of_its_suffix(folder, spell, is_absolute):
    path = (folder if is_absolute else Path()) / "shot.PNG"
    path.write_bytes(b"\x89PNG")
    assert read(spell(path)) == Loaded(data=b"\x89PNG", name="shot.PNG", hint="image/png")


def test_an_empty_file_gives_no_bytes(folder):
    Path("empty.txt").touch()
    assert read("empty.txt") == Loaded(data=b"", name="empty.txt", hint="text/plain")


def test_an_unknown_suffix_gives_no_hint(folder):
    Path("data.xyz").write_bytes(b"x")
    assert read("data.xyz") == Loaded(data=b"x", name="data.xyz")


@pytest.mark.parametrize("name", ["data:,hi", "http:x", "file:x"])
@pytest.mark.parametrize("spell", [Path, Fspath, lambda name: f"./{name}"], ids=["Path", "PathLike", "./name"])
def test_a_file_name_that_reads_like_a_url_is_a_path_when_written_as_one(folder, name, spell):
    Path(name).write_bytes(INSIDE)
    assert read(spell(name)) == Loaded(data=INSIDE, name=name)


def test_a_single_letter_before_a_colon_is_a_drive_and_not_a_scheme(folder):
    Path("c:x.txt").write_bytes(INSIDE)
    assert read("c:x.txt") == Loaded(data=INSIDE, name="c:x.txt", hint="text/plain")


@pytest.mark.parametrize("source", [Fspath(b"caf\xe9.txt"), "caf\udce9.txt"], ids=["bytes", "escaped str"])
def test_a_file_name_that_is_not_utf_8_is_loaded_and_its_name_repaired(folder, source):
    (folder / os.fsdecode(b"caf\xe9.txt")).write_bytes(INSIDE)
    assert read(source) == Loaded(data=INSIDE, name="caf\ufffd.txt", hint="text/plain")
    assert read(source, root=folder) == Loaded(data=INSIDE, name="caf\ufffd.txt", hint="text/plain")


def test_links_are_followed_when_there_is_no_root(folder):
    Path("target.bin").write_bytes(INSIDE)
    Path("link.txt").symlink_to(folder / "target.bin")
    assert read("link.txt") == Loaded(data=INSIDE, name="link.txt", hint="text/plain")


def test_a_file_that_reports_no_size_is_read_to_its_end():
    assert read("/proc/self/status").data.startswith(b"Name:")


def test_short_reads_of_a_file_are_joined(folder, monkeypatch):
    Path("f").write_bytes(bytes(range(100)))
    real_read = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: real_read(fd, min(size, 7)))
    assert read("f").data == bytes(range(100))


def test_an_input_error_while_reading_is_one_typed_error():
    assert "mem" in refusal("/proc/self/mem")


@pytest.mark.parametrize("error", [MemoryError, OverflowError])
def test_a_file_that_memory_cannot_hold_is_one_typed_error(folder, monkeypatch, error):
    def fail(fd, size):
        raise error

    Path("f").write_bytes(b"x")
    before = descriptors()
    monkeypatch.setattr(os, "read", fail)
    assert "source" in refusal("f", max_bytes=None)
    assert descriptors() == before


SPECIAL_FILES = [
    "missing.png",
    "directory",
    "directory/",
    "directory/.",
    "directory/..",
    ".",
    "./",
    "fifo",
    "link_to_fifo",
    "socket",
    "link_to_directory",
    "link_to_directory/",
    "link_with_slash",
    "dangling",
    "loop",
    "ping",
    "file.txt/",
    "file.txt/.",
    "file.txt/..",
    "file.txt/x",
    "link_to_file/",
    "missing/x.png",
    "missing/..",
    "x" * 300,
    "a\nb\x1b[31m\u202e.png",
    "no url: at all",
]


@pytest.fixture
def special(folder):
    """A folder with everything that is not a regular file, and one that is."""
    Path("file.txt").write_bytes(INSIDE)
    Path("directory").mkdir()
    os.mkfifo("fifo")
    for name, target in {
        "link_to_fifo": "fifo",
        "link_to_directory": "directory",
        "link_with_slash": "directory/",
        "link_to_file": "file.txt",
        "dangling": "nowhere",
        "loop": "loop",
        "ping": "pong",
        "pong": "ping",
    }.items():
        Path(name).symlink_to(target)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        yield folder


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
@pytest.mark.parametrize("path", SPECIAL_FILES, ids=ascii)
def test_what_is_no_readable_regular_file_is_refused_at_once_without_its_directory(special, path, with_root):
    before = descriptors()
    for spelling in (path, f"{special}/{path}", Fspath(path), Fspath(os.fsencode(f"{special}/{path}"))):
        text = refusal(spelling, root=special if with_root else None)
        assert text.startswith("source:")
        assert text.isprintable()
        assert len(text) < 300
        assert "private" not in text.replace("'private'", "")
        assert special.parent.name not in text
    assert descriptors() == before


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_devices_are_refused(path):
    assert f"'{Path(path).name}'" in refusal(path)


@pytest.mark.parametrize("name", ["missing.png", "directory", "fifo", "socket", "loop"])
def test_the_error_names_the_file(special, name):
    assert f"'{name}'" in refusal(special / name)
    assert f"'{name}'" in refusal(special / name, root=special)


@pytest.fixture
def open_folder():
    """Make a folder that everybody may look into, unlike those of `tmp_path`."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
def test_what_may_not_be_read_is_refused(open_folder, with_root):
    readable, locked, hidden = open_folder / "readable", open_folder / "locked.png", open_folder / "closed" / "f.png"
    hidden.parent.mkdir()
    for path in (readable, locked, hidden):
        path.write_bytes(b"x")
    locked.chmod(0)
    hidden.parent.chmod(0)
    root = open_folder if with_root else None
    with as_nobody():
        assert read(readable, root=root).data == b"x"
        texts = [refusal(locked, root=root), refusal(hidden, root=root)]
    hidden.parent.chmod(0o755)
    assert "'locked.png'" in texts[0]
    assert "'f.png'" in texts[1]
    assert "closed" not in texts[1]


def test_a_root_that_may_not_be_read_is_refused(open_folder):
    open_folder.chmod(0)
    with as_nobody():
        text = refusal("f", root=open_folder)
    assert text.startswith("root:")
    assert open_folder.name not in text


@pytest.mark.parametrize(
    "path",
    ["", "a\0b.png", "\0", Fspath(""), Fspath("a\0b"), Fspath(b""), Fspath(b"a\0b"), "\ud800.png", Fspath("\ud83d")],
    ids=ascii,
)
@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
def test_a_path_that_the_system_cannot_have_is_refused(folder, path, with_root):
    text = refusal(path, root=folder if with_root else None)
    assert text.startswith("source:")
    assert text.isprintable()


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
def test_a_very_long_path_is_refused_in_few_words(folder, with_root):
    for path in ("x" * 1_000_000, "x/" * 500_000, "../" * 500_000):
        text = refusal(path, root=folder if with_root else None)
        assert text.startswith("source:")
        assert len(text) < 300


# The limit on size


def from_file(data):
    Path("f.bin").write_bytes(data)
    return "f.bin"


def percent_encoded(data):
    return "data:," + "".join(f"%{byte:02x}" for byte in data)


EVERY_SOURCE = {
    "path": from_file,
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "file object": io.BytesIO,
    "base64 URL": lambda data: f"data:;base64,{b64encode(data).decode()}",
    "percent-encoded URL": percent_encoded,
}


@pytest.mark.parametrize("make", list(EVERY_SOURCE.values()), ids=list(EVERY_SOURCE))
@pytest.mark.parametrize("size", [0, 1, 2, 3, 1000, 65_536, 65_537])
def test_a_source_of_exactly_the_limit_is_loaded(folder, make, size):
    data = bytes(size)
    assert read(make(data), max_bytes=size).data == data


@pytest.mark.parametrize("make", list(EVERY_SOURCE.values()), ids=list(EVERY_SOURCE))
@pytest.mark.parametrize("size", [1, 2, 3, 1000, 65_537])
def test_a_source_of_one_byte_more_than_the_limit_is_refused(folder, make, size):
    before = descriptors()
    text = refusal(make(bytes(size)), max_bytes=size - 1)
    assert text.startswith("source:")
    assert f"max_bytes={size - 1}" in text
    assert descriptors() == before


def test_a_sparse_file_over_the_limit_is_refused_before_it_is_read(folder, monkeypatch):
    Path("sparse").touch()
    os.truncate("sparse", 8 << 30)
    monkeypatch.setattr(os, "read", None)
    assert f"max_bytes={64 << 20}" in refusal("sparse")
    assert f"max_bytes={64 << 20}" in refusal("sparse", root=folder)


def test_no_limit_means_none(folder):
    Path("sparse").touch()
    os.truncate("sparse", DEFAULT_MAX_BYTES + 1)
    assert len(read("sparse", max_bytes=None).data) == DEFAULT_MAX_BYTES + 1


def test_a_file_that_grows_over_the_limit_while_it_is_read_is_refused(folder, monkeypatch):
    path = folder / "growing.log"
    path.write_bytes(b"12345")
    real_fstat = os.fstat

    def grow(fd):
        status = real_fstat(fd)
        path.write_bytes(b"123456789")
        return status

    monkeypatch.setattr(os, "fstat", grow)
    assert "max_bytes=8" in refusal("growing.log", max_bytes=8)
    path.write_bytes(b"12345")
    assert read("growing.log", max_bytes=9).data == b"123456789"


@pytest.mark.parametrize("max_bytes", [-1, True, 1.0, "1", (1,)], ids=repr)
def test_a_limit_that_is_no_number_of_bytes_is_a_type_error(max_bytes):
    with pytest.raises(TypeError, match=r"^max_bytes:"):
        read(b"x", max_bytes=max_bytes)


# Bytes-like sources


@pytest.mark.parametrize(
    ("source", "data"),
    [
        (b"\x00\xff", b"\x00\xff"),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd")[1:3], b"bc"),
        (memoryview(b"abcdef")[::2], b"ace"),
        (memoryview(b"abcdefgh").cast("I"), b"abcdefgh"),
        (memoryview(b"abcdef").cast("B", (2, 3)), b"abcdef"),
        (b"file:///etc/passwd", b"file:///etc/passwd"),
        (b"iVBORw0K", b"iVBORw0K"),
    ],
    ids=["bytes", "bytearray", "slice", "strided", "other items", "two dimensions", "looks like a URL", "like base64"],
)
def test_bytes_are_content_and_have_no_name(source, data):
    loaded = read(source)
    assert loaded == Loaded(data=data)
    assert type(loaded.data) is bytes


@pytest.mark.parametrize("wrap", [lambda buffer: buffer, memoryview], ids=["bytearray", "memoryview"])
def test_a_buffer_that_changes_later_does_not_change_what_was_loaded(wrap):
    buffer = bytearray(b"before")
    loaded = read(wrap(buffer))
    buffer[:] = b"after!"
    assert loaded.data == b"before"


def test_a_released_memoryview_is_one_typed_error():
    view = memoryview(b"abc")
    view.release()
    assert refusal(view).startswith("source:")


@pytest.mark.parametrize("source", [None, 3, 1.5, ["a"], ("a",), {"a": 1}, object(), True], ids=repr)
def test_what_is_no_source_is_a_type_error_that_names_the_type(source):
    with pytest.raises(TypeError, match=rf"^source: .*{type(source).__name__}"):
        read(source)


# File objects


class Reader:
    """A file object that gives one prepared answer after the other, and notes what it was asked for."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def read(self, size):
        self.asked.append(size)
        answer = self.answers.pop(0) if self.answers else b""
        if isinstance(answer, BaseException):
            raise answer
        return answer


def test_a_file_object_that_is_open_for_reading_gives_its_bytes_and_its_base_name(folder):
    Path("chart.csv").write_bytes(b"a,b")
    with (folder / "chart.csv").open("rb") as file:
        assert read(file) == Loaded(data=b"a,b", name="chart.csv", hint="text/csv")
        assert not file.closed


@pytest.mark.parametrize(
    ("name", "kept", "hint"),
    [
        ("/home/someone/x.png", "x.png", "image/png"),
        ("C:\\Users\\someone\\x.png", "x.png", "image/png"),
        ("x\ud800.txt", "x\ufffd.txt", "text/plain"),
        ("", "", None),
        (3, None, None),
        (None, None, None),
        (b"/home/someone/x.png", None, None),
    ],
    ids=["posix", "windows", "lone surrogate", "empty", "descriptor", "None", "bytes"],
)
def test_the_name_of_a_file_object_is_cut_to_its_last_segment(name, kept, hint):
    file = Reader(b"data")
    file.name = name
    assert read(file) == Loaded(data=b"data", name=kept, hint=hint)


def test_a_file_object_is_read_from_its_start():
    file = io.BytesIO(b"header and body")
    file.read(7)
    assert read(file) == Loaded(data=b"header and body")


def test_a_file_object_that_cannot_seek_is_read_from_where_it_is():
    reading, writing = os.pipe()
    os.write(writing, b"from a pipe")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert read(pipe) == Loaded(data=b"from a pipe")


def test_partial_reads_of_a_file_object_are_joined():
    assert read(Reader(b"a", b"bc", b"d")) == Loaded(data=b"abcd")


def test_pieces_may_be_any_buffer():
    assert read(Reader(bytearray(b"ab"), memoryview(b"cdef")[::2])) == Loaded(data=b"abce")
    assert read(Reader(b"ab", bytearray())) == Loaded(data=b"ab")


@pytest.mark.parametrize(
    ("answer", "culprit"),
    [(None, "NoneType"), (3, "int"), (["x"], "list"), ("text", "text mode"), ("", "text mode")],
    ids=["None", "int", "list", "str", "empty str"],
)
@pytest.mark.parametrize("before", [(), (b"first",)], ids=["at once", "later"])
def test_a_read_that_gives_no_bytes_is_refused(answer, culprit, before):
    text = refusal(Reader(*before, answer))
    assert text.startswith("source:")
    assert culprit in text


@pytest.mark.parametrize(
    "error", [OSError("/home/secret"), ValueError("/home/secret"), RuntimeError(), StopIteration()]
)
def test_a_read_that_raises_is_one_typed_error_without_the_foreign_message(error):
    text = refusal(Reader(b"first", error))
    assert type(error).__name__ in text
    assert "secret" not in text


def test_an_interrupt_while_reading_passes():
    with pytest.raises(KeyboardInterrupt):
        read(Reader(KeyboardInterrupt()))


def test_a_read_that_raises_our_own_error_passes_it_on():
    assert refusal(Reader(ContentPartError("mine"))) == "mine"


def test_a_closed_file_object_is_refused():
    file = io.BytesIO(b"x")
    file.close()
    assert "ValueError" in refusal(file)


@pytest.mark.parametrize("data", [b"text", b"\xff\xfe"], ids=["text", "no text at all"])
def test_a_file_in_text_mode_is_refused(folder, data):
    Path("t.txt").write_bytes(data)
    with Path("t.txt").open(encoding="utf-8") as file:
        assert refusal(file).startswith("source:")
    assert "text mode" in refusal(io.StringIO("x"))


def test_a_seek_that_fails_is_one_typed_error():
    file = Reader(b"x")
    file.seekable = lambda: True
    file.seek = lambda place: 1 / 0
    assert "ZeroDivisionError" in refusal(file)


def broken(name):
    def refuse(self):
        raise RuntimeError("/home/secret")

    return type("Broken", (Reader,), {name: property(refuse)})(b"x")


@pytest.mark.parametrize("name", ["read", "seekable", "name"])
def test_a_file_object_whose_attribute_raises_is_one_typed_error(name):
    text = refusal(broken(name))
    assert text.startswith("source:")
    assert "secret" not in text


@pytest.mark.parametrize("max_bytes", [0, 1, 10, 65_535, 65_536, 200_000])
def test_a_file_object_is_never_asked_for_more_than_one_byte_over_the_limit(max_bytes):
    file = Reader(*(b"x" * n for n in (1, 2, 3)))
    if max_bytes < 6:
        refusal(file, max_bytes=max_bytes)
    else:
        assert read(file, max_bytes=max_bytes).data == b"xxxxxx"
    taken = [0, 1, 3, 6]
    assert all(0 < asked <= max_bytes + 1 - had for asked, had in zip(file.asked, taken, strict=False))


def test_an_endless_file_object_is_refused_at_the_limit():
    class Endless(Reader):
        def read(self, size):
            self.asked.append(size)
            return bytes(size)

    file = Endless()
    assert "max_bytes=100000" in refusal(file, max_bytes=100_000)
    assert sum(file.asked) == 100_001


def test_a_read_that_gives_more_than_it_was_asked_for_is_refused_over_the_limit():
    assert "max_bytes=4" in refusal(Reader(b"12345"), max_bytes=4)
    assert read(Reader(b"1234"), max_bytes=4).data == b"1234"


# http URLs and other schemes


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("https://h.test/a/b.png", "image/png"),
        ("http://h.test/A.JPG?size=1#top", "image/jpeg"),
        ("HTTPS://user:secret@h.test/x.pdf", "application/pdf"),
        ("https://h.test/get?name=x.png", None),
        ("https://h.test/x.png/", "image/png"),
        ("https://h.test/", None),
        ("https://h.test", None),
        ("http://169.254.169.254/x", None),
    ],
)
def test_an_http_url_is_kept_as_it_is_and_not_fetched(url, hint):
    assert read(url) == Loaded(url=url, hint=hint)


@pytest.mark.parametrize(
    "url", ["https://example.md", "https://example.md/", "https://notes.json?x=1", "http://a.txt#b"]
)
def test_a_host_is_no_file_name_whose_suffix_says_a_type(url):
    assert read(url) == Loaded(url=url)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "file:/etc/passwd",
        "file:etc/passwd",
        "FILE:/etc/passwd",
        " file:///etc/passwd",
        "\r\n\tfile:///etc/passwd",
        "ftp://h.test/x",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "//h.test/x.png",
        "//etc/passwd",
        "\\\\h.test\\share\\x.png",
        "s3://bucket/key",
        "s3:key",
        "gs://bucket/key",
        "mailto:a@b.test",
        "blob:https://h.test/1",
        "view-source:http://h.test",
        "git+ssh://h.test/x",
        "a.b:c",
        f"{'x' * 100_000}:y",
    ],
    ids=lambda url: ascii(url[:30]),
)
def test_every_other_scheme_is_refused(url):
    text = refusal(url)
    assert text.startswith("source:")
    assert len(text) < 300
    assert not any(secret in text for secret in ("passwd", "h.test", "bucket", "alert"))


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("data:,hi", "URL"),
        ("https://h.test/x.png", "URL"),
        ("file:///etc/passwd", "URL"),
        ("s3://bucket/key", "URL"),
        ("//h.test/x", "URL"),
        (b"x", "bytes"),
        (bytearray(b"x"), "bytearray"),
        (memoryview(b"x"), "memoryview"),
        (io.BytesIO(b"x"), "file object"),
    ],
    ids=["data", "http", "file", "s3", "host", "bytes", "bytearray", "memoryview", "file object"],
)
def test_with_a_root_everything_but_a_path_is_refused(folder, source, what):
    text = refusal(source, root=folder)
    assert "root=" in text
    assert what in text


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("https://h.test", "https"),
        ("DATA:,x", "data"),
        ("  data:,x", "data"),
        ("git+ssh://h", "git+ssh"),
        ("x-y.z:1", "x-y.z"),
        ("s3:", "s3"),
        ("//h.test", ""),
        ("\\\\h\\x", ""),
        ("", None),
        (":", None),
        ("c:x", None),
        ("1a:x", None),
        ("+a:x", None),
        ("a/b:c", None),
        ("a b:c", None),
        ("a_b:c", None),
        ("d\u00e4ta:x", None),
        ("\u017fs:x", None),
        ("a\u0661:x", None),
        ("no colon", None),
        ("/data:x", None),
        ("./data:x", None),
        ("/\\h", None),
        ("dat\na:x", None),
    ],
    ids=ascii,
)
def test_a_scheme_is_recognised_by_the_grammar_of_urls(text, scheme):
    assert scheme_of(text) == scheme


@pytest.mark.parametrize(
    "url",
    [
        "https://h",
        "HTTP://h.test:80/x?y#z",
        "http://u:p@h/",
        "s3://bucket/key",
        "urn:isbn:1",
        "mailto:a@b",
        "https://\u00e4.test/",
    ],
    ids=ascii,
)
def test_an_absolute_uri_has_no_problem(url):
    assert url_problem(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "/x",
        "//h.test/x",
        "c:x",
        " https://h.test",
        "https:",
        "https:/h",
        "https:h",
        "https://",
        "https:///x",
        "https://?x",
        "https://#x",
        "https://user@/x",
        "https://h.test/a b",
        "https://h.test/\n",
        "https://h.test/\u00a0",
        "https://h.test/\u202e",
        "https://h.test/\ud800",
        "https://h.test/\0",
        "s3:",
        "urn:",
    ],
    ids=ascii,
)
def test_what_is_no_absolute_uri_has_a_problem_that_does_not_repeat_it(url):
    problem = url_problem(url)
    assert problem
    assert problem.isprintable()
    assert "h.test" not in problem


# URLs that hold their data


@pytest.mark.parametrize(
    ("url", "data", "label"),
    [
        ("data:,hi", b"hi", None),
        ("data:,", b"", None),
        ("data:;base64,aGk=", b"hi", None),
        ("data:;base64,", b"", None),
        ("data:text/plain;base64,aGk=", b"hi", "text/plain"),
        ("DATA:Image/PNG;Base64,aGk=", b"hi", "image/png"),
        (" \r\n\tdata:image/jpg;base64,aGk=", b"hi", "image/jpeg"),
        ("data:base64,abc", b"abc", None),
        ("data:text/base64,abc", b"abc", "text/base64"),
        ("data:image/png;charset=utf-8;name=a%3Bb.png;BASE64,aGk=", b"hi", "image/png"),
        ("data:text/csv;header=present;charset=utf-8;base64,aGk=", b"hi", "text/csv; header=present; charset=utf-8"),
        ("data:text/csv;charset=utf-8;header=present;base64,aGk=", b"hi", "text/csv; charset=utf-8; header=present"),
        ("data:text/plain; charset=utf-8 ; base64 ,aGk=", b"hi", "text/plain; charset=utf-8"),
        ("data:text/plain;base64;charset=utf-8,aGk=", b"aGk=", "text/plain; base64; charset=utf-8"),
        ("data:text;base64,aGk=", b"hi", None),
        ("data:,a,b", b"a,b", None),
    ],
)
def test_a_data_url_gives_its_bytes_and_its_declared_type(url, data, label):
    assert read(url) == Loaded(data=data, label=label, hint="text/plain")


@pytest.mark.parametrize(
    ("url", "data"),
    [("data:;charset=iso-8859-1,caf%e9", b"caf\xe9"), ("data:;charset=iso-8859-1;base64,Y2Fm6Q==", b"caf\xe9")],
    ids=["percent-encoded", "base64"],
)
def test_a_data_url_without_a_type_keeps_its_character_set(url, data):
    """RFC 2397: "As a shorthand, "text/plain" can be omitted but the charset parameter supplied"."""
    assert read(url) == Loaded(data=data, label="text/plain; charset=iso-8859-1", hint="text/plain")


@pytest.mark.parametrize(
    ("payload", "data"),
    [
        ("a+b", b"a+b"),
        ("a%20b%2Bc%2bd", b"a b+c+d"),
        ("%00%ff%FF", b"\x00\xff\xff"),
        ("%25%34%31", b"%41"),
        ("caf\u00e9", b"caf\xc3\xa9"),
        ("a b\tc\r\nd", b"a b\tc\r\nd"),
        ("%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E", b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ("aGk=", b"aGk="),
    ],
    ids=ascii,
)
def test_a_data_url_without_base64_is_percent_decoded(payload, data):
    assert read(f"data:image/svg+xml,{payload}") == Loaded(data=data, label="image/svg+xml", hint="text/plain")


@pytest.mark.parametrize(
    ("payload", "data"),
    [
        ("aGk=", b"hi"),
        ("aGk", b"hi"),
        ("YQ==", b"a"),
        ("YQ", b"a"),
        ("aGkh", b"hi!"),
        ("+/+/", b"\xfb\xff\xbf"),
        ("-_-_", b"\xfb\xff\xbf"),
        ("+/-_", b"\xfb\xff\xbf"),
        ("%2B/%2b%2F", b"\xfb\xff\xbf"),
        ("aGk%3D", b"hi"),
        ("a\r\nG k\t=\f\n", b"hi"),
        ("aG%0D%0Ak%20=", b"hi"),
    ],
    ids=ascii,
)
def test_base64_is_read_in_any_dress(payload, data):
    assert read(f"data:;base64,{payload}").data == data


def test_wrapped_base64_is_read_whole():
    data = bytes(range(256)) * 40
    lines = b64encode(data).decode()
    wrapped = "\r\n".join(lines[n : n + 76] for n in range(0, len(lines), 76))
    assert read(f"data:application/pdf;base64,\r\n{wrapped}\r\n ").data == data


@pytest.mark.parametrize(
    "payload",
    [
        "a",
        "aGkha",
        "=",
        "====",
        "a===",
        "YQ=",
        "YQ===",
        "aGk==",
        "aGk=aGk=",
        "YQ==YQ==",
        "a=Gk",
        "aGk!",
        "aG.k",
        "aGk\x0b=",
        "aGk\u00e9",
        "aGk\uff1d",
        "%ff%ff%ff%ff",
        "not-base64!!!",
        "data:image/png;base64,aGk=",
    ],
    ids=ascii,
)
def test_malformed_base64_is_refused_and_not_repeated(payload):
    text = refusal(f"data:;base64,{payload}")
    assert text.startswith("source:")
    assert "base64" in text
    assert len(payload) < 8 or payload not in text


@pytest.mark.parametrize("text", [b"a\xffGk", b"\x00", b"a b c d e"])
def test_decoding_base64_of_bytes_is_strict(text):
    with pytest.raises(ContentPartError, match="base64"):
        decode_base64(text)


@pytest.mark.parametrize(
    "url",
    [
        "data:",
        "data:text/plain",
        "data:text/plain;base64",
        "data:,%",
        "data:,%4",
        "data:,100%",
        "data:,%zz",
        "data:,%4g",
        "data:,%+1",
        "data:,% 4",
        "data:,%4 1",
        "data:,%\n4",
        "data:,%\u0661\u0661",
        "data:;base64,%4",
        "data:,\ud800",
        "data:;base64,aGk\udce9",
        "data:text/,x",
        "data:/plain,x",
        "data:te xt/plain,x",
        "data:text/plain/x,x",
        "data:\ud800/x,y",
    ],
    ids=ascii,
)
def test_a_malformed_data_url_is_one_typed_error(url):
    text = refusal(url)
    assert text.startswith(("source:", "mime_type:"))
    assert text.isprintable()


# root=


@pytest.fixture
def tree(tmp_path):
    """Make a root with links of every kind, and a secret beside it; return the root."""
    private = tmp_path / "private"
    root = private / "root"
    outside = private / "outside"
    (root / "sub" / "deep").mkdir(parents=True)
    outside.mkdir()
    (root / "f").write_bytes(b"root")
    (root / "sub" / "f").write_bytes(b"sub")
    (root / "sub" / "deep" / "f").write_bytes(b"deep")
    (outside / "f").write_bytes(SECRET)
    (private / "f").write_bytes(SECRET)
    (private / "root-beside").mkdir()
    (private / "root-beside" / "f").write_bytes(SECRET)
    for name, target in {
        "to_f": "sub/f",
        "to_sub": "sub",
        "to_sub_slash": "sub/",
        "to_sub_dot": "sub/.",
        "sub/up": "..",
        "sub/deep/up_f": "../../f",
        "chain": "to_f",
        "chain_dir": "./to_sub/../to_sub/deep",
        "abs_f": root / "f",
        "abs_sub": root / "sub",
        "abs_sub_slash": f"{root}/sub/",
        "out_f": "../outside/f",
        "out_dir": "../outside",
        "out_up": "..",
        "sub/out": "../../outside/f",
        "abs_out": outside / "f",
        "abs_out_dir": outside,
        "abs_beside": private / "root-beside" / "f",
        "abs_climb": f"{root}/../outside/f",
        "to_out": "out_f",
        "passwd": "/etc/passwd",
        "slash": "/",
    }.items():
        (root / name).symlink_to(target)
    return root


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("f", b"root"),
        ("./f", b"root"),
        ("sub//f", b"sub"),
        ("sub/./f", b"sub"),
        ("sub/../f", b"root"),
        ("sub/deep/../../sub/f", b"sub"),
        ("to_f", b"sub"),
        ("to_sub/f", b"sub"),
        ("to_sub/../f", b"root"),
        ("sub/up/f", b"root"),
        ("sub/deep/up_f", b"root"),
        ("chain", b"sub"),
        ("chain_dir/f", b"deep"),
        ("abs_f", b"root"),
        ("abs_sub/f", b"sub"),
        ("abs_sub/../f", b"root"),
        ("abs_sub_slash/f", b"sub"),
        ("to_sub_slash/f", b"sub"),
        ("to_sub_dot/deep/f", b"deep"),
    ],
)
def test_a_path_that_stays_inside_the_root_is_loaded(tree, path, data):
    before = descriptors()
    assert read(path, root=tree) == Loaded(data=data, name=Path(path).name)
    assert read(tree / path, root=tree) == Loaded(data=data, name=Path(path).name)
    assert read(f"{tree}//{path}", root=tree).data == data
    assert descriptors() == before


@pytest.mark.parametrize("link", ["to_sub_slash", "to_sub_dot", "abs_sub_slash"])
def test_the_parent_of_a_link_that_ends_in_a_slash_is_the_parent_of_its_target(tree, link):
    assert (tree / link / ".." / "f").read_bytes() == b"root"
    assert read(f"{link}/../f", root=tree).data == b"root"


def test_an_absolute_link_to_the_root_itself_stays_inside(tree):
    (tree / "sub" / "home").symlink_to(tree)
    assert read("sub/home/f", root=tree).data == b"root"


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../f",
        "../outside/f",
        "../root/f",
        "sub/../../f",
        "sub/../../root/f",
        "sub/up/../f",
        "to_sub/../../f",
        "to_sub_slash/../../f",
        "to_sub_slash/../../../f",
        "out_f",
        "out_dir/f",
        "out_up/f",
        "out_up/root/f",
        "sub/out",
        "abs_out",
        "abs_out_dir/f",
        "abs_beside",
        "abs_climb",
        "to_out",
        "passwd",
        "slash/etc/passwd",
        "slash",
        "/etc/passwd",
        "/",
        "/..",
    ],
)
def test_a_path_that_leaves_the_root_is_refused(tree, path):
    before = descriptors()
    text = refusal(path if path.startswith("/") else f"./{path}", root=tree)
    assert "outside the root" in text
    assert tree.parent.name not in text
    assert descriptors() == before


def test_an_absolute_path_beside_the_root_is_refused(tree):
    for path in (f"{tree}-beside/f", tree.parent / "f", f"{tree}/../f", f"{tree}/../root-beside/f", f"/{tree}/../f"):
        assert "outside the root" in refusal(Path(path), root=tree)


def is_inside(root, steps):
    """Say by the system's own resolution whether a walk from `root` stays in it after every step."""
    walked = [Path(root, *steps[:n]).resolve() for n in range(len(steps) + 1)]
    return all(place.is_relative_to(root) for place in walked)


def outcome(attempt):
    try:
        return attempt()
    except (OSError, ContentPartError):
        return None


def test_under_a_root_every_walk_reads_what_the_system_reads_or_nothing(tree):
    root = tree.resolve()
    names = ["sub", "deep", "to_sub_slash", "abs_sub", "out_dir", "..", "f"]
    walks = [walk for length in range(1, 5) for walk in itertools.product(names, repeat=length)]
    wrong = []
    for walk in walks:
        path = "/".join(walk)
        found = outcome(lambda path=path: read(path, root=root).data)
        expected = outcome(Path(root, path).read_bytes) if is_inside(root, walk) else None
        if found != expected:
            wrong.append((path, found, expected))
    assert not wrong


@pytest.mark.parametrize(
    "spell",
    [
        lambda root: root,
        lambda root: f"{root}/",
        lambda root: f"{root}//",
        lambda root: f"{root}/sub/..",
        lambda root: root.name,
        lambda root: f"./{root.name}",
        lambda root: Fspath(str(root)),
        lambda root: "linked",
        lambda root: root.parent / "linked",
    ],
    ids=["Path", "slash", "slashes", "dots", "relative", "dot", "PathLike", "link", "absolute link"],
)
def test_the_root_may_be_written_in_any_way(tree, monkeypatch, spell):
    monkeypatch.chdir(tree.parent)
    Path("linked").symlink_to(tree)
    root = spell(tree)
    assert read("sub/f", root=root).data == b"sub"
    assert read("abs_f", root=root).data == b"root"
    assert read(tree / "f", root=root).data == b"root"
    assert "outside the root" in refusal("../f", root=root)
    assert "outside the root" in refusal("abs_out", root=root)


def test_the_root_is_the_directory_that_the_system_means_by_it(tmp_path):
    (tmp_path / "real" / "deep").mkdir(parents=True)
    for place, data in (("docs", b"wrong"), ("real/docs", b"right")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "f").write_bytes(data)
    (tmp_path / "link").symlink_to("real/deep")
    root = f"{tmp_path}/link/../docs"
    assert Path(root, "f").read_bytes() == b"right"
    assert read("f", root=root).data == b"right"


def test_the_current_directory_may_be_the_root(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert read("f", root=".").data == b"root"
    assert "outside the root" in refusal("../outside/f", root=".")


def test_the_root_may_be_the_whole_system(tree):
    assert read(tree / "f", root="/").data == b"root"
    assert read(tree / "abs_out", root="/").data == SECRET


def test_the_root_itself_is_no_file(tree):
    for path in (".", "./", "sub/..", "sub/up"):
        assert "regular file" in refusal(path, root=tree)


def test_an_empty_root_is_a_value_error_and_not_the_current_directory(folder):
    Path("f").write_bytes(SECRET)
    for root in ("", Fspath("")):
        with pytest.raises(ValueError, match=r"^root:") as caught:
            read("f", root=root)
        assert not isinstance(caught.value, ContentPartError)


@pytest.mark.parametrize("root", ["missing", "file.txt", "fifo", "socket", "loop", "dangling"])
def test_a_root_that_is_no_directory_is_refused_without_its_name(special, root):
    text = refusal("f", root=special / root)
    assert text.startswith("root:")
    assert "private" not in text


@pytest.mark.parametrize(("length", "is_loaded"), [(40, True), (41, False)])
def test_chains_of_links_end_where_those_of_the_system_end(folder, length, is_loaded):
    Path("link0").write_bytes(INSIDE)
    for n in range(length):
        Path(f"link{n + 1}").symlink_to(f"link{n}")
    found = [outcome(lambda root=root: read(f"link{length}", root=root).data) for root in (None, folder)]
    assert found == [INSIDE if is_loaded else None] * 2


# Files that are swapped between two system calls


class Swap(NamedTuple):
    """A path, what is done to the tree behind the loader's back, and how that is undone."""

    path: str
    do: object
    undo: object


def put_link(root, name, target):
    (root / name).rename(root.parent / "aside")
    (root / name).symlink_to(target)


def take_back(root, name):
    (root / name).unlink()
    (root.parent / "aside").rename(root / name)


def move_out(root, name):
    (root / name).rename(root.parent / "outside" / "moved")


def move_back(root, name):
    (root.parent / "outside" / "moved").rename(root / name)


def by_link(path, name, target):
    return Swap(path, partial(put_link, name=name, target=target), partial(take_back, name=name))


SWAPS = {
    "file for a relative link": by_link("sub/f", "sub/f", "../../outside/f"),
    "file for an absolute link": by_link("sub/f", "sub/f", "/etc/passwd"),
    "directory for a relative link": by_link("sub/f", "sub", "../outside"),
    "directory for an absolute link": by_link("sub/deep/f", "sub/deep", "/etc"),
    "link for another link": by_link("to_f", "to_f", "../outside/f"),
    "link to a directory for another": by_link("to_sub/f", "to_sub", "../outside"),
    "absolute link for another": by_link("abs_sub/f", "abs_sub", "../outside"),
    "target of a link": by_link("chain_dir/f", "sub", "../outside"),
    "directory moved away before it is left": Swap(
        "sub/deep/../../f", partial(move_out, name="sub"), partial(move_back, name="sub")
    ),
    "directory moved away before its parent is read": Swap(
        "sub/../f", partial(move_out, name="sub"), partial(move_back, name="sub")
    ),
}


def count_calls(monkeypatch, before_call):
    """Call `before_call(n)` in front of the n-th look-up that the loader makes by name."""
    number = itertools.count()

    def intercept(real):
        def call(*args, **kwargs):
            before_call(next(number))
            return real(*args, **kwargs)

        return call

    for name in ("open", "readlink", "lstat", "stat"):
        real = getattr(os, name)
        replacement = intercept(real)
        monkeypatch.setattr(os, name, replacement)
        if real in os.supports_dir_fd:
            monkeypatch.setattr(os, "supports_dir_fd", os.supports_dir_fd | {replacement})


@pytest.mark.parametrize("undone_after", [None, 1, 2], ids=["for good", "for one call", "for two calls"])
@pytest.mark.parametrize("swap", list(SWAPS.values()), ids=list(SWAPS))
def test_nothing_outside_the_root_is_read_whatever_is_swapped_between_two_calls(tree, monkeypatch, swap, undone_after):
    calls = []
    with monkeypatch.context() as patch:
        count_calls(patch, calls.append)
        expected = read(swap.path, root=tree).data
    assert expected in {b"root", b"sub", b"deep"}

    before = descriptors()
    for moment in calls:
        is_swapped = False

        def interfere(call, moment=moment):
            nonlocal is_swapped
            if call == moment:
                swap.do(tree)
                is_swapped = True
            elif undone_after and is_swapped and call == moment + undone_after:
                swap.undo(tree)
                is_swapped = False

        with monkeypatch.context() as patch:
            count_calls(patch, interfere)
            found = outcome(lambda: read(swap.path, root=tree).data)
        if is_swapped:
            swap.undo(tree)
        assert found in {expected, None}, f"swapped before call {moment}"
    assert descriptors() == before


# Descriptors


def test_loading_many_times_leaves_no_descriptor_open(special):
    before = descriptors()
    for root in (None, special):
        for path in ("file.txt", "directory", "fifo", "loop", "missing", "link_to_file", "directory/../file.txt"):
            outcome(lambda path=path, root=root: read(path, root=root))
        outcome(lambda root=root: read("file.txt", root=root, max_bytes=1))
    assert descriptors() == before


def test_a_descriptor_is_closed_when_reading_is_interrupted(folder, monkeypatch):
    def interrupt(fd, size):
        raise KeyboardInterrupt

    Path("f").write_bytes(INSIDE)
    before = descriptors()
    monkeypatch.setattr(os, "read", interrupt)
    for root in (None, folder):
        with pytest.raises(KeyboardInterrupt):
            read("f", root=root)
    assert descriptors() == before


def test_a_program_that_the_loader_starts_inherits_no_descriptor(folder, monkeypatch):
    flags = []
    real_open = os.open

    def note(path, how, *args, **kwargs):
        flags.append(how)
        return real_open(path, how, *args, **kwargs)

    Path("f").write_bytes(INSIDE)
    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(os, "supports_dir_fd", os.supports_dir_fd | {note})
    read("f")
    read("f", root=folder)
    assert len(flags) == 3
    assert all(how & os.O_CLOEXEC for how in flags)


def test_this_module_runs_on_a_system_that_can_walk_directories():
    assert sys.platform != "win32"
    assert os.open in os.supports_dir_fd


class SpoiltPath:
    def __fspath__(self):
        raise RuntimeError("/home/secret")


def test_a_path_object_that_fails_is_one_typed_error_and_an_error_result():
    with pytest.raises(ContentPartError, match=r"^source: ") as caught:
        read(SpoiltPath())
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["data:," + "%41" * 200_000, "data:;base64," + "QUJD" * 200_000], ids=["escapes", "base64"]
)
def test_a_data_url_far_over_the_limit_is_refused_before_it_is_decoded(url, monkeypatch):
    monkeypatch.setattr("toolresult._source._percent_decode", None)
    with pytest.raises(ContentPartError, match="max_bytes"):
        read(url, max_bytes=10)


def test_the_type_of_a_data_url_is_bounded():
    with pytest.raises(ContentPartError, match=r"^mime_type: "):
        read('data:text/plain;x="' + ";" * 200_000 + ",hi")


@pytest.mark.parametrize("path", ["a.txt", "/a.txt"])
def test_a_root_in_bytes_is_a_type_error(path):
    with pytest.raises(TypeError, match=r"^root: "):
        read(path, root=b"/")
