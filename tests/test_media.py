"""MIME types: grammar, aliases, suffixes, families, and who wins when they disagree."""

from __future__ import annotations

import io
import itertools
import wave
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolresult import ContentPart, ContentPartError, ToolResult
from toolresult._media import are_kin, by_suffix, essence, is_textual, normalise, resolve, suffix_of

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ODT = "application/vnd.oasis.opendocument.text"

EXAMPLES = Path(__file__).parents[1] / "examples" / "data"


def silent_wav():
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(bytes(8))
    return target.getvalue()


PNG = (EXAMPLES / "fixture.png").read_bytes()
PDF = (EXAMPLES / "report.pdf").read_bytes()
WAV = silent_wav()
# Pictures of one pixel, written by Pillow.
JPEG = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)
GIF = b64decode("R0lGODdhAQABAIEAAAAAAAAAAAAAAAAAACwAAAAAAQABAAAIBAABBAQAOw==")
WEBP = b64decode("UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==")
# MPEG 1, layer III, 128 kbit/s, 44.1 kHz: a silent frame of 417 bytes, bare and after an empty ID3 tag.
MP3 = b"\xff\xfb\x90\x00" + bytes(413)
MP3_WITH_ID3 = b"ID3\x03\x00\x00\x00\x00\x00\x0a" + bytes(10) + MP3
MP3_WITH_ID3_V4 = b"ID3\x04\x00\x00\x00\x00\x02\x01" + bytes(257) + MP3

REAL_BYTES = {
    "png": (PNG, "image/png"),
    "png of matplotlib": ((EXAMPLES / "chart.png").read_bytes(), "image/png"),
    "jpeg": (JPEG, "image/jpeg"),
    "gif 87a": (GIF, "image/gif"),
    "gif 89a": (b"GIF89a" + GIF[6:], "image/gif"),
    "webp": (WEBP, "image/webp"),
    "pdf": (PDF, "application/pdf"),
    "wav": (WAV, "audio/wav"),
    "wav of sox": ((EXAMPLES / "chime.wav").read_bytes(), "audio/wav"),
    "mp3": (MP3, "audio/mpeg"),
    "mp3 with ID3 v2.3": (MP3_WITH_ID3, "audio/mpeg"),
    "mp3 with ID3 v2.4": (MP3_WITH_ID3_V4, "audio/mpeg"),
}


# Grammar


@pytest.mark.parametrize(
    ("given_type", "kept"),
    [
        ("image/png", "image/png"),
        ("IMAGE/Png", "image/png"),
        (" image/png; q=1 ", "image/png"),
        ("image/png\r\n", "image/png"),
        ("image/svg+xml", "image/svg+xml"),
        ("application/vnd.ms-excel", "application/vnd.ms-excel"),
        ("application/x.y_z-1!#$&^", "application/x.y_z-1!#$&^"),
        ("video/mp4; codecs=avc1", "video/mp4"),
        ("text/plain", "text/plain"),
        ("TEXT/Plain;Charset=UTF-8", "text/plain; Charset=UTF-8"),
        ("text/csv ;header=present;  charset=utf-8", "text/csv; header=present; charset=utf-8"),
        ("application/json;charset=utf-8", "application/json; charset=utf-8"),
        ("image/svg+xml; charset=utf-8", "image/svg+xml; charset=utf-8"),
        ("text/plain;", "text/plain"),
        ("text/plain;;;a=b;", "text/plain; a=b"),
        ("text/plain;a=\u00e9;b=c", "text/plain; b=c"),
        ("text/plain;a=\x00;b=\n;c=d", "text/plain; b=; c=d"),
        (f"text/plain;{'a' * 256}", "text/plain"),
        (f"text/plain;{'a' * 255}", f"text/plain; {'a' * 255}"),
        (f"x/{'a' * 127}", f"x/{'a' * 127}"),
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_a_mime_type_is_brought_to_its_normal_form(given_type, kept):
    assert normalise(given_type) == kept
    assert normalise(kept) == kept


def test_a_semicolon_in_a_quoted_parameter_stays_as_it_is():
    assert normalise('text/plain; title="a;b"') == 'text/plain; title="a;b"'


@pytest.mark.parametrize(
    ("alias", "mime_type"),
    [
        ("image/jpg", "image/jpeg"),
        ("IMAGE/JPG", "image/jpeg"),
        ("image/pjpeg", "image/jpeg"),
        ("image/x-png", "image/png"),
        ("image/x-webp", "image/webp"),
        ("image/x-bmp", "image/bmp"),
        ("image/x-ms-bmp", "image/bmp"),
        ("image/tif", "image/tiff"),
        ("image/x-tiff", "image/tiff"),
        ("image/svg", "image/svg+xml"),
        ("image/x-icon", "image/vnd.microsoft.icon"),
        ("image/ico", "image/vnd.microsoft.icon"),
        ("application/x-pdf", "application/pdf"),
        ("audio/mp3", "audio/mpeg"),
        ("audio/x-mp3", "audio/mpeg"),
        ("audio/x-mpeg", "audio/mpeg"),
        ("audio/mpeg3", "audio/mpeg"),
        ("audio/mpg", "audio/mpeg"),
        ("audio/x-wav", "audio/wav"),
        ("audio/wave", "audio/wav"),
        ("audio/vnd.wave", "audio/wav"),
        ("audio/x-pn-wav", "audio/wav"),
        ("audio/x-flac", "audio/flac"),
        ("audio/x-ogg", "audio/ogg"),
        ("audio/m4a", "audio/mp4"),
        ("audio/x-m4a", "audio/mp4"),
        ("audio/x-mp4", "audio/mp4"),
        ("audio/x-aac", "audio/aac"),
        ("audio/aacp", "audio/aac"),
        ("video/x-m4v", "video/mp4"),
        ("video/x-matroska", "video/matroska"),
        ("video/x-mpeg", "video/mpeg"),
        ("video/mpg", "video/mpeg"),
        ("text/x-markdown; variant=GFM", "text/markdown; variant=GFM"),
        ("application/csv", "text/csv"),
        ("text/x-csv; header=absent", "text/csv; header=absent"),
        ("text/tsv", "text/tab-separated-values"),
        ("text/json; charset=utf-8", "application/json; charset=utf-8"),
        ("application/x-json", "application/json"),
        ("application/x-ndjson", "application/jsonl"),
        ("application/jsonlines", "application/jsonl"),
        ("application/x-jsonl", "application/jsonl"),
        ("application/x-yaml", "application/yaml"),
        ("text/yaml", "application/yaml"),
        ("text/x-yaml", "application/yaml"),
        ("text/xml; charset=utf-8", "application/xml; charset=utf-8"),
        ("application/javascript; charset=utf-8", "text/javascript; charset=utf-8"),
        ("application/x-javascript", "text/javascript"),
        ("application/x-python", "text/x-python"),
        ("text/x-script.python", "text/x-python"),
        ("application/x-zip", "application/zip"),
        ("application/x-zip-compressed", "application/zip"),
        ("application/x-gzip", "application/gzip"),
        ("application/tar", "application/x-tar"),
        ("application/parquet", "application/vnd.apache.parquet"),
        ("application/x-parquet", "application/vnd.apache.parquet"),
        ("application/binary", "application/octet-stream"),
        ("binary/octet-stream", "application/octet-stream"),
    ],
)
def test_a_known_alias_is_mapped_to_the_registered_type(alias, mime_type):
    assert normalise(alias) == mime_type


@pytest.mark.parametrize(
    "mime_type",
    [
        "",
        " ",
        "/",
        ";",
        "png",
        "image/",
        "/png",
        "image//png",
        "image/png/x",
        "image / png",
        "image/p ng",
        "image/p\tng",
        "image\\png",
        "image/png,image/gif",
        "image/p(n)g",
        '"image/png"',
        "im\u00e4ge/png",
        "image/png\u0661",
        "image/\ud800",
        "image/\0",
        "; image/png",
        f"{'a' * 200}/{'b' * 200}",
        f"image/{'p' * 1_000_000}",
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_what_is_not_type_slash_subtype_is_refused_and_not_repeated(mime_type):
    with pytest.raises(ContentPartError) as caught:
        normalise(mime_type)
    assert str(caught.value).startswith("mime_type:")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("mime_type", ["text/mar\u212adown", "app\u212a/x", "image/\u212a"], ids=ascii)
def test_a_letter_that_only_folds_to_ascii_is_refused(mime_type):
    with pytest.raises(ContentPartError, match="mime_type"):
        normalise(mime_type)


@pytest.mark.parametrize("mime_type", ["*/*", "image/*", "*/png"])
def test_a_range_of_types_is_no_type(mime_type):
    with pytest.raises(ContentPartError, match="mime_type"):
        normalise(mime_type)


@pytest.mark.parametrize("mime_type", [None, b"image/png", 3, ["image/png"]], ids=repr)
def test_a_mime_type_that_is_no_str_is_a_type_error(mime_type):
    with pytest.raises(TypeError, match=rf"^mime_type: .*{type(mime_type).__name__}"):
        normalise(mime_type)


@given(st.one_of(st.text(st.characters()), st.from_regex(r"\A[a-z]+/[a-z.+-]+(; ?[!-~]+)*\Z")))
def test_normalising_gives_a_printable_fixed_point_or_refuses(text):
    try:
        kept = normalise(text)
    except ContentPartError:
        return
    assert normalise(kept) == kept
    assert kept.isascii()
    assert kept.isprintable()
    assert essence(kept) == essence(kept).lower().strip()


@pytest.mark.parametrize(
    ("mime_type", "expected"),
    [
        ("text/plain; charset=utf-8", True),
        ("text/x-anything", True),
        ("application/json", True),
        ("application/xml", True),
        ("application/yaml", True),
        ("text/javascript", True),
        ("application/toml", True),
        ("application/ld+json; profile=x", True),
        ("image/svg+xml", True),
        ("application/openapi+yaml", True),
        ("application/octet-stream", False),
        ("application/pdf", False),
        ("image/png", False),
        ("audio/mpeg", False),
        ("x/text", False),
    ],
)
def test_text_in_some_encoding_is_told_from_binary(mime_type, expected):
    assert is_textual(mime_type) is expected


# Suffixes


@pytest.mark.parametrize(
    ("name", "mime_type"),
    [
        ("a.png", "image/png"),
        ("A.JPG", "image/jpeg"),
        ("a.JpEg", "image/jpeg"),
        ("a.jpe", "image/jpeg"),
        ("a.jfif", "image/jpeg"),
        ("a.gif", "image/gif"),
        ("a.webp", "image/webp"),
        ("a.bmp", "image/bmp"),
        ("a.tiff", "image/tiff"),
        ("a.tif", "image/tiff"),
        ("a.svg", "image/svg+xml"),
        ("a.heic", "image/heic"),
        ("a.heif", "image/heif"),
        ("a.avif", "image/avif"),
        ("a.ico", "image/vnd.microsoft.icon"),
        ("a.pdf", "application/pdf"),
        ("a.mp3", "audio/mpeg"),
        ("a.wav", "audio/wav"),
        ("a.flac", "audio/flac"),
        ("a.ogg", "audio/ogg"),
        ("a.oga", "audio/ogg"),
        ("a.opus", "audio/ogg"),
        ("a.m4a", "audio/mp4"),
        ("a.aac", "audio/aac"),
        ("a.weba", "audio/webm"),
        ("a.mp4", "video/mp4"),
        ("a.m4v", "video/mp4"),
        ("a.mov", "video/quicktime"),
        ("a.mkv", "video/matroska"),
        ("a.webm", "video/webm"),
        ("a.mpeg", "video/mpeg"),
        ("a.mpg", "video/mpeg"),
        ("a.ogv", "video/ogg"),
        ("a.txt", "text/plain"),
        ("a.log", "text/plain"),
        ("a.md", "text/markdown"),
        ("a.markdown", "text/markdown"),
        ("a.csv", "text/csv"),
        ("a.tsv", "text/tab-separated-values"),
        ("a.json", "application/json"),
        ("a.jsonl", "application/jsonl"),
        ("a.ndjson", "application/jsonl"),
        ("a.yaml", "application/yaml"),
        ("a.yml", "application/yaml"),
        ("a.xml", "application/xml"),
        ("a.html", "text/html"),
        ("a.htm", "text/html"),
        ("a.css", "text/css"),
        ("a.js", "text/javascript"),
        ("a.mjs", "text/javascript"),
        ("a.py", "text/x-python"),
        ("a.docx", DOCX),
        ("a.xlsx", XLSX),
        ("a.pptx", PPTX),
        ("a.odt", ODT),
        ("a.zip", "application/zip"),
        ("a.gz", "application/gzip"),
        ("a.tgz", "application/gzip"),
        ("a.tar", "application/x-tar"),
        ("a.parquet", "application/vnd.apache.parquet"),
        ("a.ipynb", "application/x-ipynb+json"),
        ("a.b.png", "image/png"),
        (".hidden.png", "image/png"),
        ("\u65e5\u672c.png", "image/png"),
        ("a.png.bak", None),
        ("a.tar.gz", "application/gzip"),
        ("a.docm", None),
        ("a.exe", None),
        (".png", None),
        ("..png", None),
        ("png", None),
        ("a.", None),
        ("a.png ", None),
        ("a. png", None),
        ("", None),
        (".", None),
    ],
    ids=ascii,
)
def test_a_suffix_is_looked_up_in_the_fixed_table(name, mime_type):
    assert by_suffix(name) == mime_type


def test_the_tables_of_the_platform_are_never_asked(monkeypatch):
    monkeypatch.setattr("mimetypes.guess_type", None)
    monkeypatch.setattr("mimetypes.init", None)
    assert by_suffix("a.rtf") is None
    assert by_suffix("a.wav") == "audio/wav"


@pytest.mark.parametrize(
    ("mime_type", "suffix"),
    [
        ("image/png", ".png"),
        ("image/jpeg", ".jpg"),
        ("image/gif", ".gif"),
        ("image/webp", ".webp"),
        ("image/bmp", ".bmp"),
        ("image/tiff", ".tiff"),
        ("image/svg+xml", ".svg"),
        ("image/svg+xml; charset=utf-8", ".svg"),
        ("image/heic", ".heic"),
        ("image/avif", ".avif"),
        ("image/vnd.microsoft.icon", ".ico"),
        ("application/pdf", ".pdf"),
        ("audio/mpeg", ".mp3"),
        ("audio/wav", ".wav"),
        ("audio/flac", ".flac"),
        ("audio/ogg", ".ogg"),
        ("audio/mp4", ".m4a"),
        ("audio/aac", ".aac"),
        ("audio/webm", ".weba"),
        ("video/mp4", ".mp4"),
        ("video/webm", ".webm"),
        ("video/quicktime", ".mov"),
        ("video/matroska", ".mkv"),
        ("video/mpeg", ".mpeg"),
        ("video/ogg", ".ogv"),
        ("text/plain; charset=utf-8", ".txt"),
        ("text/markdown", ".md"),
        ("text/csv; header=present", ".csv"),
        ("text/tab-separated-values", ".tsv"),
        ("application/json", ".json"),
        ("application/jsonl", ".jsonl"),
        ("application/yaml", ".yaml"),
        ("application/xml", ".xml"),
        ("text/html", ".html"),
        ("text/css", ".css"),
        ("text/javascript", ".js"),
        ("text/x-python", ".py"),
        (DOCX, ".docx"),
        (XLSX, ".xlsx"),
        (PPTX, ".pptx"),
        (ODT, ".odt"),
        ("application/zip", ".zip"),
        ("application/gzip", ".gz"),
        ("application/x-tar", ".tar"),
        ("application/vnd.apache.parquet", ".parquet"),
        ("application/x-ipynb+json", ".ipynb"),
        ("application/octet-stream", ""),
        ("video/x-unheard-of", ""),
    ],
)
def test_a_type_has_one_usual_suffix(mime_type, suffix):
    assert suffix_of(mime_type) == suffix


# Who wins: the claim, the bytes, the suffix


@pytest.mark.parametrize(
    ("kind", "claim", "data", "suffix_type", "mime_type"),
    [
        ("image", "image/png", PNG, None, "image/png"),
        ("image", None, PNG, None, "image/png"),
        ("image", None, JPEG, "image/png", "image/jpeg"),
        ("image", None, PNG, "text/plain", "image/png"),
        ("image", None, b"?", "image/gif", "image/gif"),
        ("image", "image/heic", b"?", None, "image/heic"),
        ("image", "image/heic", b"?", "image/png", "image/heic"),
        ("image", "image/png", b"?", None, "image/png"),
        ("image", "application/octet-stream", PNG, None, "image/png"),
        ("image", "application/octet-stream", b"?", "image/gif", "image/gif"),
        ("image", "image/svg+xml", b"<svg/>", "text/plain", "image/svg+xml"),
        ("audio", None, WAV, "audio/mpeg", "audio/wav"),
        ("audio", None, MP3, None, "audio/mpeg"),
        ("audio", "audio/ogg", b"OggS", None, "audio/ogg"),
        ("video", "video/ogg", b"OggS", None, "video/ogg"),
        ("video", "video/mp4", b"\x00\x00\x00\x18ftypmp42", None, "video/mp4"),
        ("file", None, b"?", None, "application/octet-stream"),
        ("file", None, b"", None, "application/octet-stream"),
        ("file", None, b"?", "text/csv", "text/csv"),
        ("file", None, PDF, "text/csv", "application/pdf"),
        ("file", "application/octet-stream", PNG, "image/png", "application/octet-stream"),
        ("file", "text/plain; charset=utf-8", PNG, None, "text/plain; charset=utf-8"),
        ("file", "application/rtf", PNG, None, "application/rtf"),
        ("file", "image/svg+xml", PNG, None, "image/svg+xml"),
        ("file", "application/pdf", b"?", None, "application/pdf"),
        ("file", None, "\ufeffhi".encode("utf-16-le"), "text/plain", "text/plain"),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else None,
)
def test_the_claim_comes_first_then_the_bytes_then_the_suffix(kind, claim, data, suffix_type, mime_type):
    assert resolve(kind, claim=claim, data=data, suffix_type=suffix_type) == mime_type


SIGNED = {mime_type: data for data, mime_type in REAL_BYTES.values()}


@pytest.mark.parametrize("kind", ["image", "audio", "video", "file"])
@pytest.mark.parametrize(("claim", "found"), list(itertools.permutations(SIGNED, 2)))
def test_a_claim_that_the_bytes_contradict_is_refused_naming_both(kind, claim, found):
    with pytest.raises(ContentPartError) as caught:
        resolve(kind, claim=claim, data=SIGNED[found], suffix_type=claim)
    assert str(caught.value).startswith("mime_type:")
    assert claim in str(caught.value)
    assert found in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "claim", "data", "suffix_type", "culprit"),
    [
        ("image", None, PDF, None, "application/pdf"),
        ("image", None, WAV, None, "audio/wav"),
        ("image", None, b"?", "text/plain", "text/plain"),
        ("image", "text/plain", b"?", "image/png", "text/plain"),
        ("image", "application/pdf", PDF, "image/png", "application/pdf"),
        ("audio", None, PNG, "audio/wav", "image/png"),
        ("audio", "video/mp4", b"?", None, "video/mp4"),
        ("video", None, MP3, None, "audio/mpeg"),
        ("video", "audio/ogg", b"OggS", None, "audio/ogg"),
        ("image", "imagery/png", b"?", None, "imagery/png"),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else None,
)
def test_an_outcome_of_another_family_is_refused_naming_it(kind, claim, data, suffix_type, culprit):
    with pytest.raises(ContentPartError) as caught:
        resolve(kind, claim=claim, data=data, suffix_type=suffix_type)
    assert str(caught.value).startswith("mime_type:")
    assert culprit in str(caught.value)
    assert kind in str(caught.value)


@pytest.mark.parametrize("kind", ["image", "audio", "video"])
@pytest.mark.parametrize("claim", [None, "application/octet-stream"])
@pytest.mark.parametrize("data", [b"", b"?", b"RIFF"], ids=repr)
def test_bytes_of_no_known_format_are_refused_with_the_repair(kind, claim, data):
    with pytest.raises(ContentPartError, match="mime_type=") as caught:
        resolve(kind, claim=claim, data=data, suffix_type=None)
    assert str(caught.value).startswith("mime_type:")
    assert kind in str(caught.value)


# Families

FAMILIES = [
    ["video/mp4", "audio/mp4", "video/quicktime"],
    ["video/webm", "audio/webm", "video/matroska", "audio/matroska"],
    ["audio/ogg", "video/ogg", "application/ogg", "audio/opus"],
    ["image/heif", "image/heic", "image/avif"],
    ["application/zip", DOCX, XLSX, PPTX, ODT],
]
LONERS = ["image/png", "image/tiff", "audio/mpeg", "audio/wav", "video/mpeg", "application/gzip", "text/plain", "x/y"]


def test_exactly_the_types_that_share_a_signature_are_kin():
    kinds = [*itertools.chain(*FAMILIES), *LONERS]
    expected = {pair for family in FAMILIES for pair in itertools.product(family, repeat=2)}
    expected |= {(loner, loner) for loner in LONERS}
    assert {pair for pair in itertools.product(kinds, repeat=2) if are_kin(*pair)} == expected


def ftyp(brand):
    return b"\x00\x00\x00\x10ftyp" + brand + bytes(4)


MP4, M4A, MOV, HEIF, HEIC = map(ftyp, (b"isom", b"M4A ", b"qt  ", b"mif1", b"heic"))
WEBM = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webm"
MKV = b"\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska"
OGG = b"OggS\x00\x02" + bytes(22)
OGV = OGG + b"\x80theora"
ZIP = b"PK\x05\x06" + bytes(18)


@pytest.mark.parametrize(
    ("kind", "data", "suffix_type", "mime_type"),
    [
        ("file", MP4, None, "video/mp4"),
        ("file", MP4, "audio/mp4", "audio/mp4"),
        ("file", MP4, "video/quicktime", "video/quicktime"),
        ("file", MP4, "video/webm", "video/mp4"),
        ("file", MP4, "text/plain", "video/mp4"),
        ("video", MP4, None, "video/mp4"),
        ("video", MP4, "audio/mp4", "video/mp4"),
        ("video", MP4, "video/quicktime", "video/quicktime"),
        ("audio", MP4, None, "audio/mp4"),
        ("audio", MP4, "audio/mp4", "audio/mp4"),
        ("audio", MP4, "video/mp4", "audio/mp4"),
        ("audio", MP4, "audio/mpeg", "audio/mp4"),
        ("file", M4A, "video/mp4", "audio/mp4"),
        ("video", M4A, None, "video/mp4"),
        ("file", MOV, "video/mp4", "video/quicktime"),
        ("audio", MOV, None, "audio/mp4"),
        ("file", WEBM, "audio/webm", "audio/webm"),
        ("file", WEBM, "video/matroska", "video/webm"),
        ("audio", WEBM, None, "audio/webm"),
        ("audio", WEBM, "video/webm", "audio/webm"),
        ("video", WEBM, "audio/webm", "video/webm"),
        ("file", MKV, None, "video/matroska"),
        ("audio", MKV, None, "audio/matroska"),
        ("file", OGG, None, "audio/ogg"),
        ("file", OGG, "video/ogg", "video/ogg"),
        ("video", OGG, None, "video/ogg"),
        ("audio", OGG, "video/ogg", "audio/ogg"),
        ("file", OGV, "audio/ogg", "video/ogg"),
        ("audio", OGV, None, "audio/ogg"),
        ("image", HEIF, None, "image/heif"),
        ("image", HEIF, "image/heic", "image/heic"),
        ("image", HEIF, "image/png", "image/heif"),
        ("image", HEIC, "image/avif", "image/heic"),
        ("file", ZIP, None, "application/zip"),
        ("file", ZIP, DOCX, DOCX),
        ("file", ZIP, "application/pdf", "application/zip"),
        ("file", ZIP, "application/x-tar", "application/zip"),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else None,
)
def test_a_suffix_or_the_loader_chooses_within_a_family(kind, data, suffix_type, mime_type):
    assert resolve(kind, claim=None, data=data, suffix_type=suffix_type) == mime_type


@pytest.mark.parametrize(
    ("kind", "claim", "data"),
    [
        ("file", "audio/mp4", MP4),
        ("audio", "audio/mp4", MOV),
        ("video", "video/mp4", M4A),
        ("video", "video/quicktime", MP4),
        ("video", "video/3gpp", MP4),
        ("audio", "audio/webm", WEBM),
        ("video", "video/matroska", WEBM),
        ("video", "video/webm", MKV),
        ("audio", "audio/opus", OGG),
        ("video", "video/ogg", OGG),
        ("file", "application/ogg", OGV),
        ("image", "image/avif", HEIF),
        ("image", "image/heif", HEIC),
        ("file", DOCX, ZIP),
        ("file", ODT, ZIP),
        ("file", "application/epub+zip", ZIP),
        ("file", "application/java-archive", ZIP),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else None,
)
def test_a_claim_of_kin_or_without_a_signature_is_kept(kind, claim, data):
    assert resolve(kind, claim=claim, data=data, suffix_type=None) == claim


@pytest.mark.parametrize(
    ("kind", "data", "culprit"),
    [
        ("image", MP4, "video/mp4"),
        ("audio", HEIC, "image/heic"),
        ("video", HEIF, "image/heif"),
        ("image", OGV, "video/ogg"),
        ("image", ZIP, "application/zip"),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else None,
)
def test_a_family_without_a_member_of_the_kind_is_refused_naming_the_type(kind, data, culprit):
    with pytest.raises(ContentPartError) as caught:
        resolve(kind, claim=None, data=data, suffix_type=f"{kind}/x")
    assert str(caught.value).startswith("mime_type:")
    assert culprit in str(caught.value)


# The same through the loaders


def test_a_picture_with_the_wrong_suffix_is_what_its_bytes_are(tmp_path):
    (tmp_path / "shot.png").write_bytes(JPEG)
    part = ContentPart("image", mime_type="image/jpeg", data=JPEG, name="shot.png")
    assert ContentPart.image(tmp_path / "shot.png") == part
    assert ContentPart.file(tmp_path / "shot.png") == ContentPart(
        "file", mime_type="image/jpeg", data=JPEG, name="shot.png"
    )


def test_the_suffix_of_a_given_name_comes_before_that_of_the_file(tmp_path):
    (tmp_path / "upload.tmp").write_bytes(b"a,b\n")
    part = ContentPart.file(tmp_path / "upload.tmp", name="orders.csv")
    assert part == ContentPart("file", mime_type="text/csv", data=b"a,b\n", name="orders.csv")


def test_a_data_url_that_lies_about_its_bytes_is_refused():
    with pytest.raises(ContentPartError) as caught:
        ContentPart.image(ContentPart("image", mime_type="image/png", data=JPEG).data_url())
    assert "image/png" in str(caught.value)
    assert "image/jpeg" in str(caught.value)


def test_what_the_caller_says_comes_before_what_a_data_url_says():
    url = ContentPart("image", mime_type="image/png", data=JPEG).data_url()
    assert ContentPart.image(url, mime_type="image/jpg") == ContentPart("image", mime_type="image/jpeg", data=JPEG)


@pytest.mark.parametrize(("data", "mime_type"), list(REAL_BYTES.values()), ids=list(REAL_BYTES))
def test_what_was_loaded_loads_again_from_its_data_url(data, mime_type):
    part = ContentPart.file(data)
    assert part == ContentPart("file", mime_type=mime_type, data=data)
    assert ContentPart.file(part.data_url()) == part


def test_a_bare_data_url_is_plain_text_unless_its_bytes_say_more():
    assert ContentPart.file("data:,hi") == ContentPart("file", mime_type="text/plain", data=b"hi")
    png = ContentPart("image", mime_type="image/png", data=PNG)
    assert ContentPart.image(f"data:;base64,{png.base64()}") == png


@pytest.mark.parametrize("load", [ContentPart.image, ContentPart.audio, ContentPart.video])
@pytest.mark.parametrize("mime_type", [None, "image/png", "audio/wav", "video/mp4"])
def test_no_data_at_all_is_no_image_audio_or_video(load, mime_type):
    with pytest.raises(ContentPartError, match="empty"):
        load(b"", mime_type=mime_type)


@pytest.mark.parametrize("mime_type", [None, "text/csv"])
def test_an_empty_file_is_a_file(mime_type):
    expected = ContentPart("file", mime_type=mime_type or "application/octet-stream", data=b"")
    assert ContentPart.file(b"", mime_type=mime_type) == expected


@pytest.mark.parametrize("mime_type", ["png", "image/", "\ud800/x"], ids=ascii)
def test_a_malformed_claim_is_refused_before_anything_is_read(mime_type):
    with pytest.raises(ContentPartError, match="mime_type"):
        ContentPart.image("/dev/zero", mime_type=mime_type)
    assert ToolResult.image("/dev/zero", mime_type=mime_type).is_error


@pytest.mark.parametrize("name", [Path("x.png"), b"x.png", 3], ids=repr)
@pytest.mark.parametrize("source", [PNG, "https://h.test/x.png"], ids=["bytes", "URL"])
def test_a_name_that_is_no_str_is_a_type_error_that_names_the_field(name, source):
    with pytest.raises(TypeError, match=rf"^name: .*{type(name).__name__}"):
        ContentPart.image(source, name=name)


@pytest.mark.parametrize(
    ("load", "url", "mime_type"),
    [
        (ContentPart.image, "https://h.test/a/shot.PNG", "image/png"),
        (ContentPart.image, "https://h.test/shot.png?as=x.gif", "image/png"),
        (ContentPart.image, "https://h.test/shot.png#x.gif", "image/png"),
        (ContentPart.image, "https://h.test/shot?name=x.gif", None),
        (ContentPart.image, "https://h.test/shot#x.gif", None),
        (ContentPart.image, "https://h.test/dir.png/shot", None),
        (ContentPart.image, "https://host.png", None),
        (ContentPart.image, "https://host.png/", None),
        (ContentPart.image, "https://x.png@h.test/shot", None),
        (ContentPart.image, "https://h.test/report.pdf", None),
        (ContentPart.audio, "https://h.test/talk.mp3", "audio/mpeg"),
        (ContentPart.video, "https://h.test/talk.mov", "video/quicktime"),
        (ContentPart.file, "https://h.test/report.pdf?download=1", "application/pdf"),
        (ContentPart.file, "https://h.test/archive.tar.gz", "application/gzip"),
        (ContentPart.file, "https://h.test/report", None),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_type_of_a_url_comes_from_its_path_only(load, url, mime_type):
    part = load(url)
    assert part == ContentPart(load.__name__, url=url, mime_type=mime_type)


def test_a_claim_comes_before_the_suffix_of_a_url():
    part = ContentPart.image("https://h.test/shot.png", mime_type="image/jpg")
    assert part == ContentPart("image", url="https://h.test/shot.png", mime_type="image/jpeg")
