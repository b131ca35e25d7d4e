"""`save`: the content in one file of the directory, whole, or nothing at all."""

from __future__ import annotations

import errno
import os
import resource
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from toolresult import ContentPart, ContentPartError

PNG = b"\x89PNG\r\n\x1a\n"
ALL_BYTES = bytes(range(256))


def image(name=None, data=PNG):
    return ContentPart("image", data=data, mime_type="image/png", name=name)


def refusal(part, directory, **options):
    """Return the text of the error with which saving is refused."""
    with pytest.raises(ContentPartError) as caught:
        part.save(directory, **options)
    return str(caught.value)


def tree_of(directory):
    """Read everything in a directory: the content of files, the targets of links, `None` for directories."""
    return {
        str(path.relative_to(directory)): str(path.readlink())
        if path.is_symlink()
        else None
        if path.is_dir()
        else path.read_bytes()
        for path in sorted(directory.rglob("*"))
    }


@pytest.fixture
def folder(tmp_path):
    """Make an empty folder whose name no error may show, with a secret beside it."""
    folder = tmp_path / "private"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(b"SECRET")
    return folder


@pytest.fixture(autouse=True)
def nothing_outside(folder):
    """Check after each test that nothing appeared or changed outside of the folder."""
    yield
    outside = {name: content for name, content in tree_of(folder.parent).items() if not name.startswith("private/")}
    assert outside in ({"private": None, "secret": b"SECRET"}, {"secret": b"SECRET"})


# What is written


@pytest.mark.parametrize("data", [b"", ALL_BYTES, b"a\r\nb\n", bytes(1 << 20)], ids=["none", "all", "lines", "many"])
def test_data_is_written_as_it_is(folder, data):
    part = image("x.png", data)
    path = part.save(folder)
    assert path == f"{folder}/x.png"
    assert tree_of(folder) == {"x.png": data}
    assert Path(path).read_bytes() == part.data


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", b""),
        ("caf\u00e9 \U0001f600\r\n\0", b"caf\xc3\xa9 \xf0\x9f\x98\x80\r\n\0"),
        ("a\ud800b", b"a\xef\xbf\xbdb"),
        ("\ud83d\ude00", b"\xf0\x9f\x98\x80"),
        ("\udce9", b"\xef\xbf\xbd"),
    ],
    ids=["empty", "valid", "lone surrogate", "surrogate pair", "escaped byte"],
)
def test_text_is_written_in_utf_8_and_lone_surrogates_are_repaired(folder, text, written):
    ContentPart.from_text(text).save(folder)
    assert tree_of(folder) == {"text.txt": written}


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (image(), "image.png"),
        (ContentPart("audio", data=b"x", mime_type="audio/mpeg"), "audio.mp3"),
        (ContentPart("file", data=b"x", mime_type="application/octet-stream"), "file"),
        (ContentPart.json({"a": 1}), "text.json"),
        (ContentPart.tsv([["a"]]), "text.tsv"),
        (ContentPart.from_text("x", name="notes.md"), "notes.md"),
        (ContentPart("file", data=b"x", mime_type="text/csv; header=present", name="orders.csv"), "orders.csv"),
    ],
    ids=["image", "audio", "unknown type", "json", "tsv", "named text", "named file"],
)
def test_the_file_is_called_by_the_safe_name(folder, part, name):
    assert part.save(folder) == f"{folder}/{name}"
    assert list(tree_of(folder)) == [name]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("../../etc/passwd", "passwd"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\secret", "secret"),
        ("../secret", "secret"),
        ("..", "image.png"),
        (".", "image.png"),
        ("", "image.png"),
        ("\0", "image.png"),
        ("a\0b\n.png", "ab.png"),
        ("CON", "_CON"),
        ("nul.png", "_nul.png"),
        ("x" * 300 + ".png", "x" * 196 + ".png"),
        ("\u65e5" * 300, "\u65e5" * 66),
        ("caf\u00e9 \u65e5\u672c.png", "caf\u00e9 \u65e5\u672c.png"),
        ("caf\udce9.png", "caf\ufffd.png"),
        ("C:stream", "C_stream"),
        ("sub/x.png", "x.png"),
        ("~", "~"),
        ("-rf", "-rf"),
        (".bashrc", ".bashrc"),
    ],
    ids=ascii,
)
def test_no_name_leads_out_of_the_directory(folder, name, written):
    assert image(name).save(folder) == f"{folder}/{written}"
    assert image(name).save(folder, overwrite=True) == f"{folder}/{written}"
    assert tree_of(folder) == {written: PNG}


class Fspath:
    """A path object of somebody else."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


@pytest.mark.parametrize("spell", [str, Path, lambda path: Fspath(str(path))], ids=["str", "Path", "PathLike"])
@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_the_directory_may_be_written_in_any_way(folder, monkeypatch, spell, overwrite):
    path = image("x.png").save(spell(folder), overwrite=overwrite)
    assert (type(path), path) == (str, f"{folder}/x.png")
    monkeypatch.chdir(folder.parent)
    assert image("y.png").save(spell(Path("private")), overwrite=overwrite) == "private/y.png"
    assert image("z.png").save(f"{folder}/", overwrite=overwrite) == f"{folder}/z.png"
    assert tree_of(folder) == {"x.png": PNG, "y.png": PNG, "z.png": PNG}


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_a_link_to_a_directory_is_a_directory(folder, overwrite):
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    assert image("x.png").save(folder / "link", overwrite=overwrite) == f"{folder}/link/x.png"
    assert tree_of(folder) == {"link": "real", "real": None, "real/x.png": PNG}


def test_the_rights_of_the_file_are_those_of_a_new_file(folder):
    with Path(folder / "usual").open("wb"):
        usual = (folder / "usual").stat().st_mode
    for name, overwrite in (("x.png", False), ("y.png", True)):
        assert Path(image(name).save(folder, overwrite=overwrite)).stat().st_mode == usual


def test_several_parts_are_saved_beside_each_other(folder):
    parts = [image("a.png"), image("b.png", ALL_BYTES), ContentPart.from_text("c", name="c.txt")]
    assert [part.save(folder) for part in parts] == [f"{folder}/{name}" for name in ("a.png", "b.png", "c.txt")]
    assert tree_of(folder) == {"a.png": PNG, "b.png": ALL_BYTES, "c.txt": b"c"}


def test_what_was_saved_loads_again(folder):
    part = ContentPart.image(PNG, name="../shot.png")
    again = ContentPart.image(part.save(folder), root=folder)
    assert again == ContentPart("image", data=PNG, mime_type="image/png", name="shot.png")


# What is in the way


def test_an_existing_file_stays_as_it_is(folder):
    (folder / "x.png").write_bytes(b"old")
    text = refusal(image("x.png"), folder)
    assert text.startswith("name:")
    assert "'x.png'" in text
    assert "private" not in text
    assert tree_of(folder) == {"x.png": b"old"}


def test_an_existing_file_is_replaced_when_told(folder):
    (folder / "x.png").write_bytes(b"old and longer than the new one")
    assert image("x.png").save(folder, overwrite=True) == f"{folder}/x.png"
    assert tree_of(folder) == {"x.png": PNG}


def test_a_reader_of_the_replaced_file_still_reads_the_old_one(folder):
    (folder / "x.png").write_bytes(b"old")
    with (folder / "x.png").open("rb") as reader:
        image("x.png").save(folder, overwrite=True)
        assert reader.read() == b"old"
    assert tree_of(folder) == {"x.png": PNG}


def test_a_second_name_of_the_replaced_file_keeps_its_content(folder):
    (folder / "precious").write_bytes(b"old")
    (folder / "x.png").hardlink_to(folder / "precious")
    image("x.png").save(folder, overwrite=True)
    assert tree_of(folder) == {"precious": b"old", "x.png": PNG}


LINKS = ["../secret", "../new", "x.png", "own", "missing"]


@pytest.mark.parametrize("target", LINKS, ids=["outside", "new outside", "itself", "inside", "dangling"])
def test_a_link_of_that_name_is_refused(folder, target):
    (folder / "own").write_bytes(b"own")
    (folder / "x.png").symlink_to(target)
    text = refusal(image("x.png"), folder)
    assert text.startswith("name:")
    assert "private" not in text
    assert tree_of(folder) == {"own": b"own", "x.png": target}


@pytest.mark.parametrize("target", LINKS, ids=["outside", "new outside", "itself", "inside", "dangling"])
def test_a_link_of_that_name_is_replaced_when_told_and_its_target_is_untouched(folder, target):
    (folder / "own").write_bytes(b"own")
    (folder / "x.png").symlink_to(target)
    image("x.png").save(folder, overwrite=True)
    assert tree_of(folder) == {"own": b"own", "x.png": PNG}


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_a_directory_of_that_name_is_refused(folder, overwrite):
    (folder / "x.png").mkdir()
    (folder / "x.png" / "kept").write_bytes(b"kept")
    text = refusal(image("x.png"), folder, overwrite=overwrite)
    assert "'x.png'" in text
    assert "private" not in text
    assert tree_of(folder) == {"x.png": None, "x.png/kept": b"kept"}


def test_a_fifo_of_that_name_is_refused_at_once_or_replaced(folder):
    os.mkfifo(folder / "x.png")
    assert refusal(image("x.png"), folder).startswith("name:")
    image("x.png").save(folder, overwrite=True)
    assert tree_of(folder) == {"x.png": PNG}


# Directories that cannot be written to


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
@pytest.mark.parametrize(
    "place",
    ["missing", "missing/deeper", "file", "file/deeper", "loop", "dangling", "nul\0", "sur\ud800rogate", "x" * 300],
    ids=ascii,
)
def test_what_is_no_directory_is_refused_without_its_name(folder, place, overwrite):
    (folder / "file").write_bytes(b"kept")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    text = refusal(image("x.png"), f"{folder}/{place}", overwrite=overwrite)
    assert text.startswith("directory:")
    assert "'x.png'" in text
    assert not any(hidden in text for hidden in ("private", "missing", "deeper", "dangling", "xxx"))
    assert text.isprintable()
    assert len(text) < 300
    assert tree_of(folder) == {"dangling": "nowhere", "file": b"kept", "loop": "loop"}


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_a_directory_that_may_not_be_written_to_is_refused(overwrite, as_nobody):
    with TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        with as_nobody():
            text = refusal(image("x.png"), place, overwrite=overwrite)
        Path(place).chmod(0o755)
        assert tree_of(Path(place)) == {}
    assert text.startswith("directory:")
    assert Path(place).name not in text


@pytest.mark.parametrize("directory", [None, 3, b"/tmp", object()], ids=["None", "int", "bytes", "object"])
@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_what_is_no_path_of_text_is_a_type_error(directory, overwrite):
    with pytest.raises(TypeError):
        image("x.png").save(directory, overwrite=overwrite)


# Parts without content in memory


@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", url="https://host.test/x.png?token=hunter2"),
        ContentPart("file", file_id="hunter2", name="x.pdf"),
        ContentPart("hologram", raw={"type": "hologram", "data": "hunter2"}),
    ],
    ids=["url", "file id", "unknown kind"],
)
@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_a_part_whose_content_is_not_in_memory_is_refused(folder, part, overwrite):
    text = refusal(part, folder, overwrite=overwrite)
    assert text.startswith("data:")
    assert "hunter2" not in text
    assert tree_of(folder) == {}


# Writing that fails half-way


@contextmanager
def files_of_at_most(size):
    """Let the system refuse to write more than `size` bytes to a file, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
@pytest.mark.parametrize("size", [100, 1 << 20], ids=["small", "large"])
def test_nothing_is_left_of_a_file_that_does_not_fit(folder, size, overwrite):
    (folder / ("x.png" if overwrite else "other")).write_bytes(b"old")
    before = tree_of(folder)
    with files_of_at_most(50):
        text = refusal(image("x.png", bytes(size)), folder, overwrite=overwrite)
    assert text.startswith("directory:")
    assert "private" not in text
    assert tree_of(folder) == before


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device", "/private/x"), PermissionError(errno.EPERM, "No")],
    ids=["full", "not allowed"],
)
def test_the_old_file_stays_if_it_cannot_be_replaced(folder, monkeypatch, error):
    def fail(source, target):
        raise error

    (folder / "x.png").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", fail)
    text = refusal(image("x.png"), folder, overwrite=True)
    assert text.startswith("directory:")
    assert "private" not in text
    assert tree_of(folder) == {"x.png": b"old"}


def test_the_new_file_is_whole_before_it_takes_the_place_of_the_old_one(folder, monkeypatch):
    seen = []
    real_replace = os.replace

    def look(source, target):
        seen.append((Path(source).parent, Path(source).read_bytes(), Path(target).read_bytes()))
        real_replace(source, target)

    (folder / "x.png").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", look)
    image("x.png").save(folder, overwrite=True)
    assert seen == [(folder, PNG, b"old")]


def test_an_interrupt_leaves_nothing_behind(folder, monkeypatch):
    def interrupt(source, target):
        raise KeyboardInterrupt

    before = sorted(Path("/proc/self/fd").iterdir())
    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        image("x.png").save(folder, overwrite=True)
    assert tree_of(folder) == {}
    assert sorted(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize("overwrite", [False, True], ids=["new", "overwrite"])
def test_a_link_that_appears_just_before_the_file_is_made_is_not_followed(folder, monkeypatch, overwrite):
    real_open = os.open

    def swap(path, *args, **kwargs):
        Path(path).symlink_to("../secret")
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", swap)
    assert "private" not in refusal(image("x.png"), folder, overwrite=overwrite)
    assert set(tree_of(folder).values()) == {"../secret"}


@pytest.mark.parametrize(("directory", "error"), [("", ValueError), (b"folder", TypeError), (3, TypeError)])
def test_a_directory_of_the_wrong_kind_is_a_mistake_of_the_program(directory, error):
    with pytest.raises(error, match=r"^directory: "):
        ContentPart.from_text("x").save(directory)
