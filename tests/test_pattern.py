"""Patterns: what of ECMA-262 they know, and that none takes long."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from toolresult._pattern import Pattern, Steps, TooLongError
from toolresult._pattern_syntax import PatternError

SOON = 20
"""Seconds of work that no check takes, even while coverage is measured: most take one."""


def is_found(pattern: str, text: str) -> bool:
    return Pattern(pattern, Steps(1_000_000)).is_in(text, Steps(100_000))


@pytest.mark.parametrize(
    ("pattern", "found", "missed"),
    [
        ("", ["", "a"], []),
        ("b", ["b", "abc"], ["", "ac"]),
        ("^b", ["b", "bc"], ["ab"]),
        ("b$", ["b", "ab"], ["bc", "b\n"]),
        ("^a|b$", ["ac", "cb"], ["ca", "bc"]),
        ("^.$", ["a", "é", "😀", "\x85", "\x0b"], ["", "ab", "\n", "\r", "\u2028", "\u2029"]),
        (r"^\d+$", ["0", "0123456789"], ["", "1a", "٣", "१"]),
        (r"^\D$", ["a", "٣"], ["1"]),
        (r"^\w+$", ["aZ_9"], ["é", "a-b", "ſ", "\u212a"]),
        (r"^\W$", ["é", "-"], ["a", "_"]),
        (r"^\s$", [" ", "\t", "\n", "\xa0", "\ufeff", "\u2028", "\u3000"], ["a", "\x85", "\x1c", "\u200b"]),
        (r"^\S$", ["a", "\x85"], [" "]),
        (r"\bcat\b", ["cat", "a cat.", "écaté"], ["cats", "_cat"]),
        (r"a\Bb", ["ab"], ["a b"]),
        ("[abc]", ["xbx"], ["xdx"]),
        ("^[^abc]$", ["d", "\n"], ["a", ""]),
        ("^[a-c]$", ["a", "b", "c"], ["d", "-"]),
        ("^[-a]$", ["-", "a"], ["b"]),
        ("^[a-]$", ["-", "a"], ["b"]),
        (r"^[\d-x]$", ["1", "-", "x"], ["a"]),
        (r"^[\b]$", ["\b"], ["b"]),
        (r"^[\]\\^]$", ["]", "\\", "^"], ["a"]),
        (r"^[\D]$", ["a"], ["1"]),
        (r"^[^\S]$", [" "], ["a"]),
        ("[]", [], ["", "a", "]"]),
        ("^[^]$", ["a", "\n"], ["", "ab"]),
        ("^ab?c??$", ["a", "ab", "abc", "ac"], ["abb", ""]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{2,}$", ["aa", "aaaa"], ["a"]),
        ("^a{1,2}$", ["a", "aa"], ["", "aaa"]),
        ("^a{0}$", [""], ["a"]),
        ("^a{,2}$", ["a{,2}"], ["a", "aa"]),
        ("^{$", ["{"], ["a"]),
        ("^x{a}]}$", ["x{a}]}"], ["x"]),
        ("^(ab)*?$", ["", "abab"], ["aba"]),
        ("^(?:a|b|cd)+$", ["abcd"], ["c", ""]),
        ("^(?<name>a)b$", ["ab"], ["a"]),
        ("^(a*)*$", ["", "aaa"], ["b"]),
        ("^(|a)+$", ["", "aa"], ["b"]),
        (r"^(?=.*\d)(?=.*[a-z]).{3,}$", ["a1b", "1ab"], ["abc", "123", "a1"]),
        (r"^(?!.*\.\.)[a-z.]+$", ["a.b"], ["a..b"]),
        ("a(?=b)", ["ab"], ["ac", "a"]),
        ("(?!)", [], ["", "a"]),
        (r"^\t\n\v\f\r\0$", ["\t\n\x0b\x0c\r\x00"], [""]),
        (r"^\x41\u0042\u{43}\u{1F600}$", ["ABC😀"], ["ABC"]),
        (r"^\ud83d\ude00$", ["😀"], ["a"]),
        (r"^[\ud83d\ude00-\ud83d\ude02]$", ["😁"], ["😃"]),
        (r"^\ud83da", [], ["a"]),
        (r"^\ud83d\u0041", [], ["A"]),
        (r"^\0a\x00$", ["\x00a\x00"], ["\x00a"]),
        (r"^\ud800\udc00$", ["\U00010000"], ["\ud800"]),
        (r"^\udbff\udfff$", ["\U0010ffff"], ["a"]),
        ("(" * 50 + "a" + ")" * 50, ["a"], ["b"]),
        (r"^\cA\cz$", ["\x01\x1a"], ["A"]),
        (r"^\.\-\@\/\ \😀$", [".-@/ 😀"], ["a-@/ 😀"]),
        (r"^\p{L}+$", ["Zoë", "名前", "ſ"], ["a1", ""]),
        (r"^\p{Lu}\p{Ll}+$", ["Ada", "Élan"], ["ada"]),
        (r"^\P{L}$", ["1", "-"], ["a"]),
        (r"^[\p{L}\p{gc=Nd}_-]+$", ["Ada_9٣-"], ["a b"]),
        (r"^[^\p{L}\P{Nd}]$", ["1"], ["a", "-"]),
        (r"^\p{General_Category=Sc}$", ["€"], ["e"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pattern_is_read_as_ecma_262_says(pattern, found, missed):
    assert [text for text in found if not is_found(pattern, text)] == []
    assert [text for text in missed if is_found(pattern, text)] == []


WHITE = [
    0x9,
    0xA,
    0xB,
    0xC,
    0xD,
    0x20,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
    0xFEFF,
]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"^\d$", "0123456789"),
        (r"^\w$", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"),
        (r"^\s$", "".join(map(chr, WHITE))),
    ],
)
def test_the_classes_hold_exactly_what_ecma_262_lists(pattern, text):
    inside, outside = Pattern(pattern, Steps(1_000)), Pattern(pattern.upper(), Steps(1_000))
    every = [chr(code) for code in range(0x11000)]
    assert "".join(char for char in every if inside.is_in(char, Steps(100))) == text
    assert "".join(char for char in every if not outside.is_in(char, Steps(100))) == text


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "open"),
        ("(a", "open"),
        (")", "not open"),
        ("a)", "not open"),
        ("[", "open"),
        ("[a", "open"),
        ("[a-", "open"),
        ("\\", "backslash"),
        ("[\\", "backslash"),
        ("*", "repeats nothing"),
        ("a|+", "repeats nothing"),
        ("a**", "repeats nothing"),
        ("(?:?)", "repeats nothing"),
        ("^*", "assertion"),
        (r"\b+", "assertion"),
        ("(?=a)*", "assertion"),
        ("a{2,1}", "order"),
        ("[b-a]", "order"),
        (r"[a-\d]", "order"),
        (r"(a)\1", "refers back"),
        (r"(?<x>a)\k<x>", "refers back"),
        (r"\00", "refers back"),
        ("(?<=a)b", "behind"),
        ("(?<!a)b", "behind"),
        ("(?<1>a)", "name"),
        ("(?<a", "name"),
        ("(?i)a", "unknown kind"),
        ("(?P<a>b)", "unknown kind"),
        ("(?", "unknown kind"),
        (r"\A", "ECMA"),
        (r"\Z", "ECMA"),
        (r"\x4", "ECMA"),
        (r"\u{110000}", "exist"),
        (r"\u12", "ECMA"),
        (r"\c1", "ECMA"),
        ("\\cé", "ECMA"),
        (r"\c", "ECMA"),
        (r"\p{Script=Greek}", "ECMA"),
        (r"\pL", "ECMA"),
        ("a" * 2001, "2000"),
        ("(" * 51 + ")" * 51, "50"),
        ("(?=" * 60 + ")" * 60, "50"),
        ("(((a{100}){100}){100})", "too much"),
        ("(()*{0})", "repeats nothing"),
        ("a{999999999}", "too much"),
        ("(((){999999999}){999999999}){999999999}", "too much"),
    ],
)
def test_a_pattern_that_is_malformed_or_beyond_this_search_is_refused(pattern, problem):
    with pytest.raises(PatternError, match=problem):
        Pattern(pattern, Steps(1_000_000))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 5_000 + "!"),
        ("^(a|a)*$", "a" * 5_000 + "!"),
        ("^(a|aa)+$", "a" * 5_000 + "!"),
        ("a*a*a*a*a*a*b", "a" * 5_000),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 2_000),
        ("^(.*)*(.*)*(.*)*x$", "a" * 2_000),
        ("(?=(a+)+$)x|" * 20 + "y", "a" * 2_000),
        ("((a{0,30}){0,30})$", "a" * 2_000 + "!"),
    ],
)
def test_no_pattern_takes_long(pattern, text):
    start = time.process_time()
    with suppress(TooLongError):
        assert Pattern(pattern, Steps(1_000_000)).is_in(text, Steps(1_000_000)) is False
    assert time.process_time() - start < SOON


def test_a_search_stops_when_its_steps_are_used_up():
    steps = Steps(50)
    assert Pattern("^a+$", Steps(1_000_000)).is_in("a" * 5, steps) is True
    with pytest.raises(TooLongError):
        Pattern("^a+$", Steps(1_000_000)).is_in("a" * 50, steps)
