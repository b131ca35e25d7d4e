"""Files: only regular ones, read at once or refused, and never one outside of a root."""

from __future__ import annotations

import gc
import itertools
import os
import socket
import subprocess
import sys
import threading
import tracemalloc
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from toolresult import ContentPart, ContentPartError
from toolresult._content import DEFAULT_MAX_BYTES
from toolresult._source import load

INSIDE = b"inside"
SECRET = b"SECRET"


def read(source, *, max_bytes=DEFAULT_MAX_BYTES, root=None):
    return load(source, max_bytes=max_bytes, root=root).data


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


@pytest.mark.parametrize("source", [Fspath(b"caf\xe9.txt"), "caf\udce9.txt"], ids=["bytes", "escaped str"])
def test_a_file_name_that_is_not_utf_8_is_loaded_and_its_name_repaired(folder, source):
    (folder / os.fsdecode(b"caf\xe9.txt")).write_bytes(INSIDE)
    for root in (None, folder):
        loaded = load(source, max_bytes=None, root=root)
        assert (loaded.data, loaded.name, loaded.hint) == (INSIDE, "caf\ufffd.txt", "text/plain")


def test_links_are_followed_when_there_is_no_root(folder):
    Path("target.bin").write_bytes(INSIDE)
    Path("link.txt").symlink_to(folder / "target.bin")
    assert read("link.txt") == INSIDE


def test_a_file_that_reports_no_size_is_read_to_its_end():
    assert read("/proc/self/status").startswith(b"Name:")


def test_short_reads_of_a_file_are_joined(folder, monkeypatch):
    Path("f").write_bytes(bytes(range(100)))
    real_read = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: real_read(fd, min(size, 7)))
    assert read("f") == bytes(range(100))


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
def test_what_may_not_be_read_is_refused(open_folder, with_root, as_nobody):
    readable, locked, hidden = open_folder / "readable", open_folder / "locked.png", open_folder / "closed" / "f.png"
    hidden.parent.mkdir()
    for path in (readable, locked, hidden):
        path.write_bytes(b"x")
    locked.chmod(0)
    hidden.parent.chmod(0)
    root = open_folder if with_root else None
    with as_nobody():
        assert read(readable, root=root) == b"x"
        texts = [refusal(locked, root=root), refusal(hidden, root=root)]
    hidden.parent.chmod(0o755)
    assert "'locked.png'" in texts[0]
    assert "'f.png'" in texts[1]
    assert "closed" not in texts[1]


def test_a_root_that_may_not_be_read_is_refused(open_folder, as_nobody):
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


def test_a_sparse_file_over_the_limit_is_refused_before_it_is_read(folder, monkeypatch):
    Path("sparse").touch()
    os.truncate("sparse", 8 << 30)
    monkeypatch.setattr(os, "read", None)
    assert f"max_bytes={64 << 20}" in refusal("sparse")
    assert f"max_bytes={64 << 20}" in refusal("sparse", root=folder)


def test_no_limit_means_none(folder):
    Path("sparse").touch()
    os.truncate("sparse", DEFAULT_MAX_BYTES + 1)
    assert len(read("sparse", max_bytes=None)) == DEFAULT_MAX_BYTES + 1


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
    assert read("growing.log", max_bytes=9) == b"123456789"


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
    assert read(path, root=tree) == data
    assert read(tree / path, root=tree) == data
    assert read(f"{tree}//{path}", root=tree) == data
    assert descriptors() == before


@pytest.mark.parametrize("link", ["to_sub_slash", "to_sub_dot", "abs_sub_slash"])
def test_the_parent_of_a_link_that_ends_in_a_slash_is_the_parent_of_its_target(tree, link):
    assert (tree / link / ".." / "f").read_bytes() == b"root"
    assert read(f"{link}/../f", root=tree) == b"root"


def test_an_absolute_link_to_the_root_itself_stays_inside(tree):
    (tree / "sub" / "home").symlink_to(tree)
    assert read("sub/home/f", root=tree) == b"root"


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
        found = outcome(lambda path=path: read(path, root=root))
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
    assert read("sub/f", root=root) == b"sub"
    assert read("abs_f", root=root) == b"root"
    assert read(tree / "f", root=root) == b"root"
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
    assert read("f", root=root) == b"right"


def test_the_current_directory_may_be_the_root(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert read("f", root=".") == b"root"
    assert "outside the root" in refusal("../outside/f", root=".")


def test_the_root_may_be_the_whole_system(tree):
    assert read(tree / "f", root="/") == b"root"
    assert read(tree / "abs_out", root="/") == SECRET


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
    found = [outcome(lambda root=root: read(f"link{length}", root=root)) for root in (None, folder)]
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


SYSTEM_CALLS = ("open", "fstat", "read", "readlink", "lstat", "stat")


@contextmanager
def calls_counted(before_call):
    """Call `before_call(n)` in front of the n-th system call that the loader makes on files."""
    number = itertools.count()

    def intercept(real):
        def call(*args, **kwargs):
            before_call(next(number))
            return real(*args, **kwargs)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in SYSTEM_CALLS:
            real = getattr(os, name)
            replacement = intercept(real)
            patch.setattr(os, name, replacement)
            if real in os.supports_dir_fd:
                patch.setattr(os, "supports_dir_fd", os.supports_dir_fd | {replacement})
        yield


def calls_of(load_it):
    """Count the system calls of a loading that nobody disturbs."""
    calls = []
    with calls_counted(calls.append):
        load_it()
    return calls


@pytest.mark.parametrize("undone_after", [None, 1, 2], ids=["for good", "for one call", "for two calls"])
@pytest.mark.parametrize("swap", list(SWAPS.values()), ids=list(SWAPS))
def test_nothing_outside_the_root_is_read_whatever_is_swapped_between_two_calls(tree, swap, undone_after):
    expected = read(swap.path, root=tree)
    assert expected in {b"root", b"sub", b"deep"}

    before = descriptors()
    for moment in calls_of(lambda: read(swap.path, root=tree)):
        is_swapped = False

        def interfere(call, moment=moment):
            nonlocal is_swapped
            if call == moment:
                swap.do(tree)
                is_swapped = True
            elif undone_after and is_swapped and call == moment + undone_after:
                swap.undo(tree)
                is_swapped = False

        with calls_counted(interfere):
            found = outcome(lambda: read(swap.path, root=tree))
        if is_swapped:
            swap.undo(tree)
        assert found in {expected, None}, f"swapped before call {moment}"
    assert descriptors() == before


HOSTILE = {
    "nothing": lambda path: None,
    "a FIFO": os.mkfifo,
    "a link to a FIFO": lambda path: path.symlink_to("fifo"),
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a directory": Path.mkdir,
    "a socket": lambda path: path.symlink_to("socket"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
@pytest.mark.parametrize("put", list(HOSTILE.values()), ids=list(HOSTILE))
@pytest.mark.parametrize("via", ["file.txt", "link_to_file"], ids=["by its name", "through a link"])
def test_a_file_that_is_swapped_between_two_calls_is_read_as_it_was_or_refused(special, put, via, with_root):
    victim, aside, root = special / "file.txt", special / "aside", special if with_root else None
    before = descriptors()
    found = []
    for moment in calls_of(lambda: read(via, root=root)):

        def interfere(call, moment=moment):
            if call == moment:
                victim.rename(aside)
                put(victim)

        with calls_counted(interfere):
            found.append(outcome(lambda: read(via, root=root)))
        if victim.is_dir():
            victim.rmdir()
        else:
            victim.unlink(missing_ok=True)
        aside.rename(victim)
    assert found[0] is None
    assert found[-1] == INSIDE
    assert set(found) == {None, INSIDE}
    assert descriptors() == before


def test_a_file_that_vanishes_is_refused_by_its_name(special):
    def vanish(call):
        if call == 1:
            Path("file.txt").unlink()

    with calls_counted(vanish):
        assert "'file.txt'" in refusal("file.txt")


# FIFOs


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
@pytest.mark.parametrize("path", ["fifo", "link_to_fifo", "socket", "/dev/zero"])
def test_what_is_no_regular_file_is_not_even_opened(special, monkeypatch, path, with_root):
    opened = []
    real_open = os.open

    def note(path, *args, **kwargs):
        opened.append(path)
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", note)
    monkeypatch.setattr(os, "supports_dir_fd", os.supports_dir_fd | {note})
    refusal(path, root=special if with_root else None)
    assert set(opened) <= {str(special)}


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
@pytest.mark.parametrize("path", ["fifo", "link_to_fifo"])
def test_a_writer_that_waits_at_a_fifo_goes_on_waiting(special, path, with_root):
    opened = threading.Event()

    def write():
        with Path("fifo").open("wb") as fifo:
            opened.set()
            fifo.write(b"for its reader")

    writer = threading.Thread(target=write)
    writer.start()
    refusal(path, root=special if with_root else None)
    was_let_go = opened.is_set()
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    received = os.read(reader, 100)
    os.close(reader)
    assert not was_let_go
    assert received == b"for its reader"


# Memory


def peak_of(load_it):
    """Return the most memory, in bytes, that an attempt to load something took."""
    gc.collect()
    tracemalloc.start()
    try:
        outcome(load_it)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
@pytest.mark.parametrize("path", ["/dev/zero", "fifo", "link_to_fifo", "loop", "sparse", "x" * 5000])
def test_refusing_costs_no_memory(special, path, with_root):
    Path("sparse").touch()
    os.truncate("sparse", 8 << 30)
    assert peak_of(lambda: read(path, root=special if with_root else None)) < 500_000


def test_a_file_that_grows_with_every_read_costs_no_more_than_the_limit(folder, monkeypatch):
    Path("growing.log").write_bytes(bytes(1_000_000))
    real_read = os.read
    taken = []

    def grow(fd, size):
        piece = real_read(fd, size)
        taken.append(len(piece))
        with Path("growing.log").open("ab") as file:
            file.write(bytes(100_000))
        return piece

    monkeypatch.setattr(os, "read", grow)
    assert peak_of(lambda: read("growing.log", max_bytes=2_000_000)) < 2_500_000
    assert sum(taken) == 2_000_001


@pytest.mark.parametrize("with_root", [False, True], ids=["no root", "root"])
def test_loading_takes_little_more_memory_than_the_file_has_bytes(folder, with_root):
    script = """
import sys, tracemalloc
from toolresult import ContentPart
root = sys.argv[1] or None
ContentPart.file("small.bin", root=root)
tracemalloc.start()
part = ContentPart.file("large.bin", root=root)
print(part.size, tracemalloc.get_traced_memory()[1])
"""
    Path("small.bin").write_bytes(b"x")
    Path("large.bin").write_bytes(bytes(10 << 20))
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder) if with_root else ""], capture_output=True, text=True, check=True
    )
    size, peak = map(int, done.stdout.split())
    assert size == 10 << 20
    assert peak < 1.05 * size


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


@pytest.mark.parametrize("path", ["a.txt", "/a.txt"])
def test_a_root_in_bytes_is_a_type_error(path):
    with pytest.raises(TypeError, match=r"^root: "):
        read(path, root=b"/")


def test_a_link_out_of_the_root_does_not_reveal_where_it_leads(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "alice-secret").mkdir()
    (root / "dir").symlink_to(tmp_path / "alice-secret")
    with pytest.raises(ContentPartError, match=r"^source: 'x' is outside") as caught:
        ContentPart.file("dir/x", root=root)
    assert "alice" not in str(caught.value)
