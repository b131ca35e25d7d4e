"""Text that is bounded and escaped for people, repaired for machines, and safe as a file name."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolresult._text import (
    escape,
    is_blank,
    join_path,
    key_list,
    last_segment,
    place_of,
    quote,
    repair,
    safe_name,
)

ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters included
NASTY = "\u202e\x00\x1b[31m\r\n\t\u2028\u00a0\ud800\U000e0001"


@pytest.mark.parametrize("text", ["", " ", "\t\r\n", "\u00a0\u2003\u2028"], ids=ascii)
def test_white_space_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["x", " . ", "\0", "\u200b", "\ud800"], ids=ascii)
def test_anything_else_is_not_blank(text):
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("", 5, ""),
        ("abc", 5, "abc"),
        ("abcde", 5, "abcde"),
        ("abcdef", 5, "abcd…"),
        ("a\nb", 5, "a\\nb"),
        ("\n\n\n", 5, "\\n\\n…"),
        ("\x1b[31m", 20, "\\x1b[31m"),
        ("\u202eb", 20, "\\u202eb"),
        ("\ud800", 20, "\\ud800"),
        ("\u00a0", 20, "\\xa0"),
        ("h\u00e9 \u65e5\u672c \U0001f600", 20, "h\u00e9 \u65e5\u672c \U0001f600"),
        ("'\"\\", 20, "'\"\\"),
        ("abc", 1, "…"),
        ("\n", 1, "…"),
        ("x" * 1_000_000, 3, "xx…"),
    ],
    ids=lambda value: ascii(value[:12]) if isinstance(value, str) else None,
)
def test_escaped_text_is_one_line_of_at_most_the_limit(text, limit, shown):
    assert escape(text, limit) == shown


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("", 5, "''"),
        ("abc", 5, "'abc'"),
        ("it's", 9, "'it\\'s'"),
        ("a\\b", 9, "'a\\\\b'"),
        ("a\nb", 9, "'a\\nb'"),
        ("abcdef", 5, "'abcd…'"),
        ("'''''", 5, "'\\'\\'…'"),
        ("\\\\\\\\", 5, "'\\\\\\\\…'"),
        ("' OR '1", 80, "'\\' OR \\'1'"),
    ],
)
def test_quoted_text_is_a_literal_of_at_most_the_limit_between_its_quotes(text, limit, shown):
    assert quote(text, limit) == shown


@given(ANY_TEXT, st.integers(1, 40))
@example(NASTY, 10)
def test_shown_text_is_printable_and_bounded_whatever_it_holds(text, limit):
    for shown in (escape(text, limit), quote(text, limit)[1:-1]):
        assert shown.isprintable()
        assert len(shown) <= limit
    assert quote(text, 10_000) == quote(text, 20_000)


@given(ANY_TEXT)
def test_a_quoted_text_reads_back_when_it_was_not_cut(text):
    literal = quote(text, 12 * len(text) + 1)
    assert literal[1:-1].encode("ascii", "backslashreplace").decode("unicode_escape") == text


@pytest.mark.parametrize(
    ("mapping", "shown"),
    [
        ({}, "{}"),
        ({"a": "secret"}, "{a}"),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, "{a, b, c, d}"),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "{a, b, c, d, +1 more}"),
        (dict.fromkeys(map(str, range(1_000_000))), "{0, 1, 2, 3, +999996 more}"),
        ({"k" * 100: 1}, "{kkkkkkkkkkkkkkkkkkkkkkk…}"),
        ({"a\nb": 1, "": 2}, "{a\\nb, }"),
    ],
    ids=["empty", "one", "four", "five", "a million", "long", "escaped"],
)
def test_a_mapping_is_shown_by_a_few_of_its_keys(mapping, shown):
    assert key_list(mapping) == shown


@given(st.dictionaries(ANY_TEXT, st.none(), max_size=10))
def test_the_keys_of_a_mapping_are_shown_on_one_bounded_line(mapping):
    assert key_list(mapping).isprintable()
    assert len(key_list(mapping)) <= 130


@pytest.mark.parametrize(
    ("trail", "path"),
    [
        ([], "metadata"),
        (["hits", 3, "when"], "metadata.hits[3].when"),
        (["h\u00f6he", "_x1"], "metadata.h\u00f6he._x1"),
        (["a b", "", "1", "a.b", "it's"], "metadata['a b']['']['1']['a.b']['it\\'s']"),
        (["a\nb\u202e"], "metadata['a\\nb\\u202e']"),
        (["x" * 40], f"metadata.{'x' * 40}"),
        (["x" * 41], f"metadata['{'x' * 39}…']"),
        ([-1, 10**9 - 1, 10**9, 10**5000], "metadata[-1][999999999][int][int]"),
        ([True, None, 1.5, b"secret", ("secret",)], "metadata[True][NoneType][float][bytes][tuple]"),
    ],
    ids=["nothing", "names", "identifiers", "quoted", "escaped", "longest name", "cut name", "integers", "other types"],
)
def test_a_place_is_named_by_its_keys(trail, path):
    assert join_path("metadata", trail) == path


def test_a_long_path_loses_its_middle():
    path = join_path("metadata", [*range(100), "last"])
    assert path.startswith("metadata[0][1][2]")
    assert path.endswith("[98][99].last")
    assert "…" in path
    assert len(path) <= 160
    longest = "metadata" + f".{'x' * 40}" * 3 + f".{'x' * 28}"
    assert join_path("metadata", ["x" * 40] * 3 + ["x" * 28]) == longest


@given(st.lists(ANY_TEXT | st.integers() | st.none() | st.binary(), max_size=120))
def test_a_path_is_one_bounded_line_whatever_the_keys_are(trail):
    path = join_path("metadata", trail)
    assert path.isprintable()
    assert len(path) <= 160
    assert path.startswith("metadata")


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("", ""),
        ("abc", "abc"),
        ("h\u00e9 \U0001f600\0", "h\u00e9 \U0001f600\0"),
        ("\ud83d\ude00", "\U0001f600"),
        ("a\ud83d", "a\ufffd"),
        ("\ud83da", "\ufffda"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        ("\ud83d\ude00\ude00", "\U0001f600\ufffd"),
        ("caf\udce9", "caf\ufffd"),
        ("\U0001f600\ud800\ufeff", "\U0001f600\ufffd\ufeff"),
        ("\ufeff\ud800", "\ufeff\ufffd"),
    ],
    ids=ascii,
)
def test_a_pair_of_surrogates_becomes_its_character_and_a_lone_one_a_replacement(text, repaired):
    assert repair(text) == repaired


@given(ANY_TEXT)
def test_repaired_text_is_valid_and_valid_text_is_kept(text):
    repaired = repair(text)
    assert repaired.encode().decode() == repaired
    assert repair(repaired) == repaired
    assert len(repaired) <= len(text)
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert repaired == text


@pytest.mark.parametrize(
    ("path", "segment"),
    [
        ("x.png", "x.png"),
        ("/home/someone/x.png", "x.png"),
        ("C:\\Users\\someone\\x.png", "x.png"),
        ("C:\\mixed/x.png", "x.png"),
        ("a/b/", "b"),
        ("a\\b\\\\", "b"),
        ("/", ""),
        ("", ""),
        ("..", ".."),
        ("../..", ".."),
        ("a/./.", "."),
    ],
)
def test_a_path_of_any_system_is_cut_to_its_last_segment(path, segment):
    assert last_segment(path) == segment


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://h.test/a/b.png", "h.test/a/b.png"),
        ("https://h.test", "h.test"),
        ("https://user:secret@h.test:8080/a?token=secret#secret", "h.test:8080/a"),
        ("https://h.test?token=secret", "h.test"),
        ("https://h.test#secret", "h.test"),
        ("https://h.test#secret?secret", "h.test"),
        ("https://secret@secret@h.test/@x", "h.test/@x"),
        ("s3://bucket/key?versionId=secret", "bucket/key"),
        ("urn:isbn:1?secret", "urn:isbn:1"),
        ("mailto:a@b.test?subject=secret", "mailto:a@b.test"),
    ],
)
def test_the_place_of_a_url_holds_nothing_secret(url, place):
    assert place_of(url) == place


# File names

WINDOWS_RESERVED = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{device}{digit}" for device in ("COM", "LPT") for digit in "0123456789\u00b9\u00b2\u00b3"),
}


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("h\u00e9 \u65e5\u672c \U0001f600.png", "h\u00e9 \u65e5\u672c \U0001f600.png"),
        ("a.tar.gz", "a.tar.gz"),
        (".hidden", ".hidden"),
        ("../../etc/x", "x"),
        ("/etc/passwd", "passwd"),
        ("C:\\t\\x.png", "x.png"),
        ("C:x.png", "C_x.png"),
        ("a/b", "b"),
        ("a/b/", "b"),
        ("a\x00b", "ab"),
        ("a\nb\x1b[31m\u202e.png", "ab[31m.png"),
        ('a<b>c:d"e|f?g*h.txt', "a_b_c_d_e_f_g_h.txt"),
        ("  x.png  ", "x.png"),
        ("x.png. . .", "x.png"),
        ("caf\udce9.txt", "caf\ufffd.txt"),
        ("\ud83d\ude00.txt", "\U0001f600.txt"),
        ("CON", "_CON"),
        ("con", "_con"),
        ("Aux.txt", "_Aux.txt"),
        ("nul.tar.gz", "_nul.tar.gz"),
        ("COM1.png", "_COM1.png"),
        ("LPT9", "_LPT9"),
        ("CON .txt", "_CON .txt"),
        ("console.txt", "console.txt"),
        ("x.CON", "x.CON"),
        ("a" * 300 + ".png", "a" * 196 + ".png"),
        ("\u65e5" * 100 + ".png", "\u65e5" * 65 + ".png"),
        ("\u00e9" * 300, "\u00e9" * 100),
        ("a." + "b" * 300, "a." + "b" * 198),
        (f"a.{'b' * 20}", f"a.{'b' * 20}"),
        ("a" * 190 + f".{'b' * 20}", "a" * 179 + f".{'b' * 20}"),
        ("a" * 190 + f".{'b' * 21}", "a" * 190 + f".{'b' * 9}"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_a_name_is_made_one_segment_that_every_system_can_have(name, safe):
    assert safe_name(name, "fallback") == safe
    assert safe_name(safe, "fallback") == safe


@pytest.mark.parametrize(
    "name", [None, "", "/", "..", ".", "../..", "...", " . ", "\0", "\n\u202e", "a/\x00", "\u3000"]
)
def test_without_a_usable_name_the_fallback_is_taken(name):
    assert safe_name(name, "image.png") == "image.png"


@pytest.mark.parametrize("name", sorted(WINDOWS_RESERVED))
def test_a_reserved_word_is_no_file_name(name):
    assert safe_name(name, "fallback") == f"_{name}"
    assert safe_name(f"{name.lower()}.txt", "fallback") == f"_{name.lower()}.txt"


@pytest.mark.parametrize(
    "name",
    [
        "CON." + "a" * 300 + ".txt",
        "aux." + "\u65e5" * 100,
        "a" * 199 + "." + "b" * 30,
        "a" * 199 + " " + "b" * 30,
        "a" * 198 + ". " + "b" * 30,
        "a" * 195 + " b.txt",
        "\u65e5" * 66 + "." + "b" * 30,
    ],
    ids=["reserved and long", "reserved and wide", "dot", "space", "both", "space before a suffix", "wide"],
)
def test_cutting_a_long_name_keeps_it_safe(name):
    assert_safe(safe_name(name, "fallback"))


def assert_safe(name):
    assert name
    assert name.isprintable()
    assert len(name.encode()) <= 200
    assert not set('/\\<>:"|?*') & set(name)
    assert name.strip(".")
    assert not name.endswith((".", " "))
    assert name.split(".")[0].rstrip(" ").upper() not in WINDOWS_RESERVED


@given(ANY_TEXT | st.from_regex(r"\A(con|a{0,210}|\u65e5{60,70})[. ]{0,3}(x{0,30}|a{190,210})\.?[a-z]{0,30}\Z"))
@example(NASTY)
def test_any_name_becomes_a_safe_one(name):
    safe = safe_name(name, "fallback")
    assert_safe(safe)
    assert safe_name(safe, "fallback") == safe
