"""The formats of texts: what each takes and refuses."""

from __future__ import annotations

import time

import pytest

from toolresult._formats import FORMATS


def fits(name: str, texts: list[str]) -> list[str]:
    return [text for text in texts if FORMATS[name](text)]


def test_the_formats_are_those_of_mcp():
    assert list(FORMATS) == ["email", "uri", "date", "date-time"]


EMAILS = ["ada@example.test", "a.b+c@x-1.example.test", "o'neil@example", "A_1!#$%&'*/=?^`{|}~-@EXAMPLE.test", "1@2.3"]
NO_EMAILS = [
    *("", "@", "a@", "@b", "ada", "a@b@c", "a b@c.test", "ada@example.test ", "ada@example.test\n", "a@b..c"),
    *(".a@b", "a.@b", "a..b@c", "a@-b", "a@b-", "a@b_c", 'a"b@c', '"a b"@c.test', "a@[127.0.0.1]", "é@b.test", "a@é"),
    *("a" * 65 + "@b", "a@" + "b" * 64, "a@" + ".".join(["b" * 60] * 5), "Ada <ada@example.test>", "a@b\x00"),
]


def test_an_email_is_a_plain_mailbox():
    assert fits("email", EMAILS) == EMAILS
    assert fits("email", NO_EMAILS) == []
    assert fits("email", ["a" * 64 + "@" + "b" * 63]) != []


URIS = [
    *("https://example.test", "http://h.test:8080/a%20b?q=[1]&r=%C3%A9#frag/?!", "mailto:ada@example.test"),
    *("urn:isbn:0451450523", "tel:+1-816-555-1212", "file:///a", "ftp://[2001:db8::7]/c=GB?a", "x-y.z+1:a", "data:,x"),
]
NO_URIS = [
    *("", "example.test", "/a/b", "//example.test/a", "?q", "#f", "1http://h.test", "https://", "https:///a", "https:"),
    *("http://h.test/a b", " http://h.test", "http://h.test\n", "http://h.test/é", "http://h.test/%zz", "http://h/%2"),
    *("http://h.test/#a#b", "http://h.test/<a>", 'http://h.test/"', "http://h.test/\\", "http://h.test/{a}", "c:\\a"),
    *("http://h.test/|", "http://h.test/`", "http://h.test/^", "http://h.test/#[", "a b:c", "é:a", "c:/a", "mailto:"),
]


def test_a_uri_is_absolute_and_of_ascii():
    assert fits("uri", URIS) == URIS
    assert fits("uri", NO_URIS) == []


DATES = ["2026-01-02", "2024-02-29", "0001-01-01", "9999-12-31"]
NO_DATES = [
    *("", "2026-02-29", "2026-1-2", "20260102", "2026-01-02T00:00:00Z", "2026-W01-1", "2026-001", "0000-01-01"),
    *("2026-13-01", "2026-00-01", "2026-01-32", " 2026-01-02", "2026-01-02\n", "٢٠٢٦-٠١-٠٢", "02.01.2026"),
]


def test_a_date_is_one_of_the_calendar():
    assert fits("date", DATES) == DATES
    assert fits("date", NO_DATES) == []


TIMES = [
    "2026-01-02T03:04:05Z",
    "2026-01-02t03:04:05.123456789z",
    "2026-01-02 03:04:05+05:30",
    "2026-01-02T00:00:00-00:00",
]
NO_TIMES = [
    *("", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:05+05"),
    *(
        "2026-02-30T03:04:05Z",
        "2026-01-02T03:60:05Z",
        "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05Z\n",
        "03:04:05Z",
    ),
]


def test_a_date_time_has_a_zone_and_exists():
    assert fits("date-time", TIMES) == TIMES
    assert fits("date-time", NO_TIMES) == []


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", ["a@" + "b." * 500_000, "a:" + "%41" * 300_000 + "%", "." * 10**6, "a" * 10**6 + "@"])
def test_no_format_takes_long(name, text):
    start = time.process_time()
    assert FORMATS[name](text) is False
    assert time.process_time() - start < 2
