"""Sources of every kind: what each one holds, what it says of itself, and what is refused."""

from __future__ import annotations

import io
import os
import weakref
from base64 import b64encode
from pathlib import Path
from typing import NamedTuple

import pytest

from toolresult import ContentPartError
from toolresult._content import DEFAULT_MAX_BYTES
from toolresult._source import load
from toolresult._text import scheme_of, url_problem

INSIDE = b"inside"
PNG = b"\x89PNG\r\n\x1a\n"


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


# Paths


class Fspath:
    """A path object of somebody else, text or bytes."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


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


class SpoiltPath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        if self.path is None:
            raise RuntimeError("/home/secret")
        return self.path


@pytest.mark.parametrize(("path", "culprit"), [(None, "RuntimeError"), (3, "TypeError")], ids=["raises", "no path"])
def test_a_path_object_that_fails_is_one_typed_error(path, culprit):
    text = refusal(SpoiltPath(path))
    assert text.startswith("source:")
    assert culprit in text
    assert "secret" not in text


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
    text = refusal(make(bytes(size)), max_bytes=size - 1)
    assert text.startswith("source:")
    assert f"max_bytes={size - 1}" in text


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


# Drawings


class Drawing:
    """An object that shows itself as a picture."""

    def _repr_png_(self):
        return PNG


def test_a_drawing_is_its_png_and_has_no_name():
    assert read(Drawing()) == Loaded(data=PNG)


def test_a_drawing_over_the_limit_is_refused():
    assert read(Drawing(), max_bytes=len(PNG)).data == PNG
    assert f"max_bytes={len(PNG) - 1}" in refusal(Drawing(), max_bytes=len(PNG) - 1)


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
        (io.BytesIO(b"x"), "BytesIO"),
        (Drawing(), "Drawing"),
    ],
    ids=["data", "http", "file", "s3", "host", "bytes", "bytearray", "memoryview", "file object", "drawing"],
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


def test_a_data_url_gives_its_bytes_the_type_that_it_declares_and_the_default_type():
    assert read("data:image/jpg;base64,aGk=") == Loaded(data=b"hi", label="image/jpeg", hint="text/plain")
    assert read("DATA:,hi") == Loaded(data=b"hi", hint="text/plain")


def test_an_object_that_cannot_even_be_looked_at_is_a_bad_source():
    class Gone:
        pass

    gone = Gone()
    proxy = weakref.proxy(gone)
    del gone
    with pytest.raises(ContentPartError, match=r"^source: "):
        load(proxy, max_bytes=None, root=None)


class Loud(str):
    """Text whose every method fails, and which lies about itself."""

    __slots__ = ()

    def __getattribute__(self, name):
        raise RuntimeError("secret")

    def __len__(self):
        return 0


class LoudBytes(bytes):
    """Bytes that lie about their length and fail when asked for a beginning."""

    def __len__(self):
        return 0

    def startswith(self, *_):
        raise RuntimeError("secret")


def test_text_and_bytes_of_subclasses_are_read_past_their_methods(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"hello")
    assert load(Loud(path), max_bytes=None, root=None).data == b"hello"

    class Reader:
        name = Loud("b.csv")
        left = b"hello"

        def read(self, _):
            piece, self.left = LoudBytes(self.left), b""
            return piece

    found = load(Reader(), max_bytes=5, root=None)
    assert (found.data, found.name, found.hint) == (b"hello", "b.csv", "text/csv")
    with pytest.raises(ContentPartError, match=r"^source: larger"):
        load(Reader(), max_bytes=4, root=None)


def test_an_object_that_lies_about_its_class_is_no_source():
    class Liar:
        __class__ = property(lambda _: str)

    with pytest.raises(TypeError, match=r"^source: .*Liar"):
        load(Liar(), max_bytes=None, root=None)
