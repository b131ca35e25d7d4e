"""Laws of `safe_name`: a file name that cannot lead anywhere else, on any system."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

from hypothesis import example, given
from hypothesis import strategies as st
from tests.property.strategies import texts

from toolresult import ContentPart
from toolresult.strategies import content_parts

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file; the dollar names are those of the console.
PORTS = [f"{port}{digit}" for port in ("COM", "LPT") for digit in "123456789¹²³"]
RESERVED = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *PORTS}


def pieces() -> st.SearchStrategy[str]:
    odd = [
        "/",
        "\\",
        "..",
        ".",
        " ",
        "\0",
        "\n",
        "\x7f",
        "\x9f",
        "\u202e",
        "\u2044",
        "\ud800",
        "C:",
        ":",
        "*",
        "~",
        "😀",
    ]
    lengths = st.sampled_from([1, 2, 50, 180, 197, 198, 199, 200, 260])
    long = st.builds(lambda text, count: text * count, st.sampled_from(["a", ".", " ", "ü", "😀", "_"]), lengths)
    return (
        st.sampled_from([*odd, ".png", ".tar.gz"]) | st.sampled_from(sorted(RESERVED)).flatmap(casings) | long | texts()
    )


def casings(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from([word, word.lower(), word.title()])


def hostile_names() -> st.SearchStrategy[str]:
    return st.lists(pieces(), max_size=4).map("".join)


def named(name: str | None) -> ContentPart:
    return ContentPart("image", data=b"", mime_type="image/png", name=name)


def named_parts() -> st.SearchStrategy[ContentPart]:
    return st.builds(
        ContentPart,
        st.sampled_from(["image", "file"]),
        data=st.just(b""),
        mime_type=st.sampled_from(["image/png", "application/octet-stream"]),
        name=hostile_names(),
    )


def parts() -> st.SearchStrategy[ContentPart]:
    return named_parts() | content_parts(raw=True, surrogates=True)


@given(parts())
def test_a_safe_name_is_one_path_segment_on_every_system(part):
    """A safe name joined to a directory names something directly inside it."""
    name = part.safe_name
    assert name not in ("", ".", "..")
    assert not set(name) & set('/\\<>:"|?*')
    assert PurePosixPath("root", name).parts == ("root", name)
    assert PureWindowsPath("root", name).parts == ("root", name)


@given(parts())
def test_a_safe_name_has_no_control_character_and_can_be_encoded(part):
    """A safe name is printable, valid Unicode: no controls, no direction marks, no surrogates."""
    assert part.safe_name.isprintable()
    assert not [c for c in part.safe_name if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


@given(parts())
@example(named("con." + "a" * 300))
@example(named("ü" * 300 + ".png"))
def test_a_safe_name_fits_every_file_system(part):
    """A safe name is at most 200 bytes of UTF-8."""
    assert 1 <= len(part.safe_name.encode()) <= 200


@given(parts())
@example(named("con.tar.png"))
@example(named("NUL .txt"))
@example(named("lpt¹"))
@example(named("CONOUT$"))
@example(named("AUX" + " " * 300 + "x"))
def test_a_safe_name_is_not_a_device(part):
    """A safe name is not one that Windows reserves, with or without a suffix."""
    assert part.safe_name.partition(".")[0].rstrip(" ").upper() not in RESERVED


@given(parts())
@example(named("." * 300 + "a" * 30))
@example(named("a" * 199 + " " + "b" * 30))
@example(named("x. ."))
def test_a_safe_name_is_not_changed_by_windows(part):
    """A safe name does not end in a dot or a space, which Windows drops: it would name another file."""
    assert not part.safe_name.endswith((".", " "))


@given(st.text("abcxyzüß😀0123456789_-", min_size=1, max_size=40), st.sampled_from(["", ".png", ".tar.gz", ".x y"]))
def test_an_ordinary_name_is_kept(stem, suffix):
    """A name that is safe already is not touched, wherever the directories before it lead."""
    name = f"{stem}{suffix}"
    for path in (name, f"/etc/{name}", f"..\\..\\{name}", f"C:\\x/{name}"):
        assert named(path).safe_name == name


@given(st.sampled_from([None, "", ".", "..", "/", "..\\", " ", "\0", "...", "\u202e"]))
def test_a_part_without_a_usable_name_is_named_after_its_type(name):
    """Without a usable name the safe name is the type and the suffix of the MIME type."""
    assert named(name).safe_name == "image.png"
    assert ContentPart.from_text("x", name=name).safe_name == "text.txt"
