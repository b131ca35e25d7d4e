"""`data:` URLs and base64: read in any dress, refused when malformed, never shortened."""

from __future__ import annotations

import tracemalloc
from base64 import b64encode

import pytest

from toolresult import ContentPart, ContentPartError
from toolresult._data_url import decode_base64, parse


def refusal(url, max_bytes=None):
    """Return the text of the error with which a URL is refused."""
    with pytest.raises(ContentPartError) as caught:
        parse(url, max_bytes)
    return str(caught.value)


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
        ("data:;BASE64;charset=utf-8,aGk=", b"aGk=", "text/plain; BASE64; charset=utf-8"),
        ("data:;charset=utf-8;base64;base64,aGk=", b"hi", "text/plain; charset=utf-8; base64"),
        ("data:image/png;base64=1;base64,aGk=", b"hi", "image/png"),
        ("data:IMAGE/JPG;Q=1;;BaSe64,aGk=", b"hi", "image/jpeg"),
        ("data: image/png ;\tbase64\r\n,aGk=", b"hi", "image/png"),
        ('data:text/plain;title="a;b";base64,aGk=', b"hi", 'text/plain; title="a;b"'),
        ("data:;base64;,aGk=", b"aGk=", "text/plain; base64"),
        ("data:;,hi", b"hi", "text/plain"),
        ("data:text/plain;base 64,aGk=", b"aGk=", "text/plain; base 64"),
    ],
)
def test_a_data_url_gives_its_bytes_and_its_declared_type(url, data, label):
    assert parse(url, None) == (data, label)


@pytest.mark.parametrize(
    ("url", "data"),
    [("data:;charset=iso-8859-1,caf%e9", b"caf\xe9"), ("data:;charset=iso-8859-1;base64,Y2Fm6Q==", b"caf\xe9")],
    ids=["percent-encoded", "base64"],
)
def test_a_data_url_without_a_type_keeps_its_character_set(url, data):
    """RFC 2397: "As a shorthand, "text/plain" can be omitted but the charset parameter supplied"."""
    assert parse(url, None) == (data, "text/plain; charset=iso-8859-1")


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
        ("%41\\n\\x41\\u0041\\101\\", b"A\\n\\x41\\u0041\\101\\"),
        ("\\%41\\\\%5Cn%5C", b"\\A\\\\\\n\\"),
        ("%41\u00e9\u65e5%e9", b"A\xc3\xa9\xe6\x97\xa5\xe9"),
    ],
    ids=ascii,
)
def test_a_data_url_without_base64_is_percent_decoded(payload, data):
    assert parse(f"data:image/svg+xml,{payload}", None) == (data, "image/svg+xml")


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
    assert parse(f"data:;base64,{payload}", None) == (data, None)


def test_wrapped_base64_is_read_whole():
    data = bytes(range(256)) * 40
    lines = b64encode(data).decode()
    wrapped = "\r\n".join(lines[n : n + 76] for n in range(0, len(lines), 76))
    assert parse(f"data:application/pdf;base64,\r\n{wrapped}\r\n ", None) == (data, "application/pdf")


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
        decode_base64(text, None)


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


@pytest.mark.parametrize(
    "parameters", [";" * 200_000, ";a=b" * 50_000, ";" + "a" * 200_000], ids=["bare", "many", "long"]
)
def test_the_type_of_a_data_url_is_bounded(parameters):
    text = refusal(f'data:text/plain;x="{parameters},hi')
    assert text.startswith("source:")
    assert len(text) < 300


# The limit on size


def in_base64(data):
    return f"data:;base64,{b64encode(data).decode()}"


def in_percents(data):
    return "data:," + "".join(f"%{byte:02x}" for byte in data)


DRESSES = {
    "base64": in_base64,
    "base64 without padding": lambda data: in_base64(data).rstrip("="),
    "base64 in lines": lambda data: in_base64(data).replace("A", "\r\n A\t"),
    "base64 in percents": lambda data: "data:;base64," + in_percents(b64encode(data)).partition(",")[2],
    "base64 in percents and lines": lambda data: in_base64(data).replace("A", "%0D%0A%41"),
    "percents": in_percents,
    "percents in part": lambda data: "data:," + data.decode("latin-1").replace("\0", "%00"),
    "as it is": lambda data: "data:," + data.decode("latin-1").replace("\0", "0"),
}


@pytest.mark.parametrize("write", list(DRESSES.values()), ids=list(DRESSES))
@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6, 1000, 65_537])
def test_data_of_exactly_the_limit_is_read_and_one_byte_more_is_not(write, size):
    url = write(b"\0a" * (size // 2) + b"\0" * (size % 2))
    data, label = parse(url, size)
    assert data is not None
    assert len(data) == size
    assert label is None
    assert size == 0 or parse(url, size - 1) == (None, None)


def test_characters_of_several_bytes_count_as_bytes():
    assert parse("data:,\u00e9\u00e9", 4) == (b"\xc3\xa9\xc3\xa9", None)
    assert parse("data:,\u00e9\u00e9", 3) == (None, None)


@pytest.mark.parametrize("url", ["data:image/png;base64,QUJD", "data:image/png,ABC"], ids=["base64", "percents"])
def test_a_loader_says_which_limit_was_passed(url):
    assert ContentPart.image(url, max_bytes=3).data == b"ABC"
    with pytest.raises(ContentPartError, match=r"^source: .*max_bytes=2\b"):
        ContentPart.image(url, max_bytes=2)


@pytest.mark.parametrize(
    "url",
    [
        "data:," + "%41" * 200_000,
        "data:;base64," + "QUJD" * 200_000,
        "data:;base64," + "%20" * 200_000,
        "data:" * 200_000,
    ],
    ids=["percents", "base64", "white space", "no comma"],
)
def test_a_url_far_over_the_limit_is_not_decoded(url):
    tracemalloc.start()
    found = parse(url, 10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == (None, None)
    assert peak < 10_000


@pytest.mark.parametrize(
    "url",
    [
        "data:;base64,aGk",
        "data:;base64,aG k=",
        "data:;charset=utf-8,%68%69",
        "data:text/plain;name=a%3Bb.txt;base64,a%47k%3D",
        "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E",
    ],
)
def test_what_was_read_in_any_dress_is_written_in_one(url):
    part = ContentPart.file(url)
    again = ContentPart.file(part.data_url())
    assert (again.data, again.mime_type) == (part.data, part.mime_type)
    assert part.data_url().endswith(f";base64,{b64encode(part.data).decode()}")


@pytest.mark.parametrize("parameter", ["x=a,b", 'x="a#; b"', "charset=utf-8"])
def test_a_data_url_that_was_written_reads_back(parameter):
    part = ContentPart("file", data=b"hi", mime_type=f"text/plain; {parameter}")
    assert ContentPart.file(part.data_url()).data == b"hi"
