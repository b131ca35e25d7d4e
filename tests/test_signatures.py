"""What the bytes themselves reveal of their type, and that nothing else does."""

from __future__ import annotations

import io
import itertools
import zipfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolresult._signatures import sniff

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ODT = "application/vnd.oasis.opendocument.text"
ZIP = "application/zip"
ICO = "image/vnd.microsoft.icon"
PARQUET = "application/vnd.apache.parquet"
CONTENT_TYPES = "[Content_Types].xml"

MP3_FRAME = b"\xff\xfb\x90\x00" + bytes(413)  # MPEG 1, layer III, 128 kbit/s, 44.1 kHz: a silent frame
ADTS_FRAME = bytes.fromhex("fff14c40035ffc")  # MPEG 4, AAC LC, 48 kHz


def bmp(header_size):
    return b"BM" + bytes(12) + header_size.to_bytes(4, "little") + bytes(8)


def icon(*, count=1, reserved=0):
    return b"\x00\x00\x01\x00" + count.to_bytes(2, "little") + bytes([16, 16, 0, reserved]) + bytes(12)


def brands(major, *compatible):
    """Write the first atom of an ISO media file."""
    content = major + b"\x00\x00\x02\x00" + b"".join(compatible)
    return (8 + len(content)).to_bytes(4, "big") + b"ftyp" + content


def ebml(doctype):
    content = b"\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82" + bytes([0x80 | len(doctype)]) + doctype
    return b"\x1a\x45\xdf\xa3" + bytes([0x80 | len(content)]) + content + b"\x18\x53\x80\x67"


def ogg(packet):
    return b"OggS\x00\x02" + bytes(20) + bytes([1, len(packet)]) + packet


def id3(content=b"", *, version=3, revision=0, size=None):
    length = len(content)
    size = bytes([0, 0, length >> 7, length & 127]) if size is None else size
    return b"ID3" + bytes([version, revision, 0]) + size + content


def archive(*names, comment=b"", entry_comment=b"", content=b"x", compression=zipfile.ZIP_DEFLATED):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as file:
        file.comment = comment
        for name in names:
            entry = zipfile.ZipInfo(name)
            entry.comment = entry_comment
            entry.compress_type = compression
            file.writestr(entry, content)
    return target.getvalue()


def open_document(mime_type, first="mimetype"):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as file:
        file.writestr(first, mime_type)
        file.writestr("content.xml", "<office/>")
    return target.getvalue()


SIGNED = [
    pytest.param(data, mime_type, id=name)
    for name, data, mime_type in [
        ("png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"),
        ("jpeg with JFIF", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "image/jpeg"),
        ("jpeg with Exif", b"\xff\xd8\xff\xe1\x00\x10Exif\x00", "image/jpeg"),
        ("gif 87a", b"GIF87a\x01\x00\x01\x00", "image/gif"),
        ("gif 89a", b"GIF89a\x01\x00\x01\x00", "image/gif"),
        ("webp", b"RIFF\x1a\x00\x00\x00WEBPVP8L", "image/webp"),
        ("little-endian tiff", b"II*\x00\x08\x00\x00\x00", "image/tiff"),
        ("big-endian tiff", b"MM\x00*\x00\x00\x00\x08", "image/tiff"),
        ("little-endian bigtiff", b"II+\x00\x08\x00\x00\x00", "image/tiff"),
        ("big-endian bigtiff", b"MM\x00+\x00\x08\x00\x00", "image/tiff"),
        *((f"bmp of {size}", bmp(size), "image/bmp") for size in (12, 16, 40, 52, 56, 64, 108, 124)),
        ("ico", icon(), ICO),
        ("ico of many", icon(count=256), ICO),
        ("pdf", b"%PDF-1.7\n", "application/pdf"),
        ("wav", b"RIFF\x2c\x00\x00\x00WAVEfmt ", "audio/wav"),
        ("wav over 4 GiB", b"RF64\xff\xff\xff\xffWAVEds64", "audio/wav"),
        ("flac", b"fLaC\x00\x00\x00\x22", "audio/flac"),
        ("flac behind ID3", id3(b"tag") + b"fLaC\x00\x00\x00\x22", "audio/flac"),
        ("mp3", MP3_FRAME, "audio/mpeg"),
        ("mp3 behind ID3 v2.2", id3(b"tag", version=2) + MP3_FRAME, "audio/mpeg"),
        ("mp3 behind ID3 v2.3", id3(b"tag", version=3) + MP3_FRAME, "audio/mpeg"),
        ("mp3 behind ID3 v2.4", id3(bytes(257), version=4) + MP3_FRAME, "audio/mpeg"),
        ("a tag alone", id3(b"tag"), "audio/mpeg"),
        ("a tag before padding", id3(b"tag") + bytes(64), "audio/mpeg"),
        ("a tag of 256 MiB", id3(size=b"\x7f\x7f\x7f\x7f"), "audio/mpeg"),
        ("aac", ADTS_FRAME, "audio/aac"),
        ("aac with a checksum", b"\xff\xf0" + ADTS_FRAME[2:], "audio/aac"),
        ("aac of MPEG 2", b"\xff\xf9" + ADTS_FRAME[2:], "audio/aac"),
        ("aac behind ID3", id3(b"tag") + ADTS_FRAME, "audio/aac"),
        ("aac behind a long ID3", id3(bytes(300)) + ADTS_FRAME, "audio/aac"),
        ("aac behind a longer ID3", id3(bytes(1 << 14), size=b"\x00\x01\x00\x00") + ADTS_FRAME, "audio/aac"),
        ("aac behind a cover", id3(bytes(1 << 21), size=b"\x01\x00\x00\x00") + ADTS_FRAME, "audio/aac"),
        ("vorbis", ogg(b"\x01vorbis"), "audio/ogg"),
        ("opus", ogg(b"OpusHead"), "audio/ogg"),
        ("theora", ogg(b"\x80theora\x03\x02"), "video/ogg"),
        ("webm", ebml(b"webm"), "video/webm"),
        ("matroska", ebml(b"matroska"), "video/matroska"),
        ("program stream of mpeg", b"\x00\x00\x01\xba\x44\x00", "video/mpeg"),
        ("video stream of mpeg", b"\x00\x00\x01\xb3\x14\x00", "video/mpeg"),
        ("gzip", b"\x1f\x8b\x08\x00", "application/gzip"),
        ("tar of POSIX", bytes(257) + b"ustar\x0000", "application/x-tar"),
        ("tar of GNU", b"name" + bytes(253) + b"ustar  \x00", "application/x-tar"),
        ("parquet", b"PAR1\x15\x04\x15\x10" + bytes(64) + b"\x10\x00\x00\x00PAR1", PARQUET),
    ]
]


@pytest.mark.parametrize(("data", "mime_type"), SIGNED)
def test_bytes_with_a_signature_reveal_their_type(data, mime_type):
    assert sniff(data) == mime_type


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89",
        b"\x89PNG\r\n\x1a",
        b"\x89PNG\n\x1a\n",
        b"PNG",
        b"\xff\xd8",
        b"GIF88a",
        b"GIF8",
        b"%PDF",
        b" %PDF-1.7",
        b"II*\x01",
        b"MM*\x00",
        b"RIFF",
        b"RIFF\x00\x00\x00\x00",
        b"RIFF\x00\x00\x00\x00AVI LIST",
        b"RIFF\x00\x00\x00\x00webp",
        b"RF64\xff\xff\xff\xff",
        b"WEBPRIFF",
        b"\xff\xfb\x90",
        b"\xff\xf1\x4c",
        b"\x00" * 64,
        b"\xff" * 64,
        b"{}",
        b"<svg/>",
        b"BM\x00\x00",
        bmp(40)[:-1],
        bmp(41),
        bmp(0),
        icon()[:-1],
        icon(count=0),
        icon(reserved=1),
        b"\x00\x00\x02\x00" + icon()[4:],
        b"\x00\x00\x00\x18ftypjp2 ",
        b"\x00\x00\x00\x18ftyp",
        b"OggS",
        b"OggS\x01\x02",
        b"PK",
        b"PK\x01\x02",
        b"PK\x07\x08",
        b"ID",
        b"\x1a\x45\xdf\xa3",
        ebml(b"other"),
        b"\x1a\x45\xdf\xa3" + bytes(124) + b"\x42\x82\x84webm",
        b"\x00\x00\x01\xb5",
        b"\x1f\x8b\x00",
        bytes(256) + b"ustar",
        bytes(258) + b"ustar",
        bytes(257) + b"usta",
    ],
    ids=lambda data: repr(data[:24]),
)
def test_other_bytes_reveal_nothing(data):
    assert sniff(data) is None


# Text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-8-sig", "utf-8", "latin-1"])
@pytest.mark.parametrize("text", ["hi", "", "\u00fb\u00ff", "\u9000\u9000"], ids=ascii)
def test_text_with_or_without_a_byte_order_mark_is_no_mp3(encoding, text):
    mark = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    data = mark + text.encode(encoding, "replace")
    assert sniff(data) is None


def test_no_text_in_utf_16_looks_like_sound():
    assert not any(sniff(b"\xff\xfe" + bytes(pair)) for pair in itertools.product(range(256), repeat=2))


@pytest.mark.parametrize(
    "data",
    [
        b"ID3,AGE\n1,40\n",
        b"ID3 is an algorithm that builds decision trees.",
        b"ID3\tname",
        b"ID3",
        b"ID3\n",
        b"ID34567890",
    ],
    ids=repr,
)
def test_text_that_begins_with_the_letters_of_an_id3_tag_is_no_mp3(data):
    """ID3 2.4, section 3.1: the version after the identifier is binary, and below 255."""
    assert sniff(data) is None


@pytest.mark.parametrize(
    "data",
    [
        b"BMW,Audi,Fiat\n320,A4,500\n1,2,3\n",
        b"MM/DD/YYYY,amount\n01/02/2026,3\n",
        b"II. The second chapter\n",
        b"PK,name\n1,a\n",
        b"PAR1,PAR2\n0.5,0.7\n",
        b"ADIF Export from a logger\n<ADIF_VER:5>3.1.4\n<EOH>\n",
        b"RIFF raff, and then the WAVE came",
        b"OggS and eggs",
        b"The ftypqt   file type",
        b"\t\t\t\tmoov\n",
        b"    moov is the atom of a movie",
        b"    wide and narrow",
        "\ufeffID3\x03".encode(),
        "\u00ef\u00bb\u00bf".encode(),
    ],
    ids=lambda data: repr(data[:24]),
)
def test_text_that_begins_with_the_letters_of_a_signature_reveals_nothing(data):
    assert sniff(data) is None


# Sound


@pytest.mark.parametrize(
    ("version", "revision", "size"),
    [
        (1, 0, bytes(4)),
        (5, 0, bytes(4)),
        (0xFF, 0, bytes(4)),
        (3, 0xFF, bytes(4)),
        (3, 0, b"\x00\x00\x00\x80"),
        (3, 0, b"\x80\x00\x00\x00"),
    ],
)
def test_a_tag_whose_fields_are_out_of_range_is_no_mp3(version, revision, size):
    assert sniff(id3(version=version, revision=revision, size=size) + bytes(64)) is None


def test_a_tag_cut_before_its_size_reveals_nothing():
    assert [sniff(id3(b"tag")[:size]) for size in range(10)] == [None] * 10


def bits_of(second, third):
    """Read the bits of a frame header one field at a time: "FF", then these two bytes."""
    bits = f"{second:08b}{third:08b}"
    return bits[:3], bits[3:5], bits[5:7], bits[8:12], bits[12:14]


def is_layer_3_header(second, third):
    """ISO 11172-3 and 13818-3."""
    sync, version, layer, bit_rate, sampling_rate = bits_of(second, third)
    return (
        sync == "111"
        and version != "01"
        and layer == "01"
        and bit_rate not in {"0000", "1111"}
        and sampling_rate != "11"
    )


def is_adts_header(second, third):
    """ISO 13818-7, section 6.2: twelve bits of ones, the version, two bits of layer, protection; then the profile."""
    bits = f"{second:08b}{third:08b}"
    return bits[:4] == "1111" and bits[5:7] == "00" and int(bits[10:14], 2) <= 12


@pytest.mark.parametrize(
    ("mime_type", "is_header", "count"),
    [
        ("audio/mpeg", is_layer_3_header, 3 * 2 * 14 * 3 * 4),  # versions, protection, bit rates, sampling rates, rest
        ("audio/aac", is_adts_header, 2 * 2 * 4 * 13 * 4),  # versions, protection, profiles, sampling rates, rest
    ],
)
def test_exactly_the_frame_headers_of_a_coding_are_that_coding(mime_type, is_header, count):
    pairs = list(itertools.product(range(256), repeat=2))
    headers = {pair for pair in pairs if is_header(*pair)}
    assert {pair for pair in pairs if sniff(bytes([0xFF, *pair, 0])) == mime_type} == headers
    assert len(headers) == count


# ISO media files


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (brands(b"isom", b"isom", b"iso2", b"avc1", b"mp41"), "video/mp4"),
        (brands(b"mp42"), "video/mp4"),
        (brands(b"M4V "), "video/mp4"),
        (brands(b"f4v "), "video/mp4"),
        (brands(b"MSNV", b"isom"), "video/mp4"),
        (brands(b"dash"), "video/mp4"),
        (brands(b"3gp4", b"3gp4", b"isom"), "video/mp4"),
        (brands(b"M4A ", b"isom", b"mp42"), "audio/mp4"),
        (brands(b"M4B "), "audio/mp4"),
        (brands(b"qt  ", b"qt  "), "video/quicktime"),
        (brands(b"heic", b"mif1", b"heic"), "image/heic"),
        *((brands(brand), "image/heic") for brand in (b"heix", b"heim", b"heis", b"hevc", b"hevx")),
        (brands(b"avif", b"mif1", b"miaf"), "image/avif"),
        (brands(b"avis"), "image/avif"),
        (brands(b"mif1"), "image/heif"),
        (brands(b"msf1", b"miaf"), "image/heif"),
        (brands(b"mif1", b"miaf", b"heic"), "image/heic"),
        (brands(b"mif1", b"miaf", b"avif"), "image/avif"),
        (brands(b"mif1", b"isom"), "image/heif"),
        (brands(b"jp2 ", b"jp2 "), None),
        (brands(b"jxl ", b"jxl "), None),
        (brands(b"????"), None),
        (brands(b"????", b"????", b"qt  "), "video/quicktime"),
        (brands(b"????") + b"isom", None),
        (brands(b"????", *[b"????"] * 200, b"isom"), None),
        (b"\x00\x00\x00\x18ftypmp42", "video/mp4"),
        (b"\x00\x00\x00\x08wide\x00\x00\x10\x00mdat", "video/quicktime"),
        (b"\x00\x00\x00\x0cwide\x00\x00\x10\x00mdat", None),
        (b"\x00\x00\x10\x00moov\x00\x00\x00\x6cmvhd", "video/quicktime"),
        (b"\x00\x00\x10\x00mdat", "video/quicktime"),
        (b"\x00\x00\x00\x08mdat", "video/quicktime"),
        (b"\x00\x00\x00\x07moov", None),
        (b"\x20\x00\x10\x00moov", None),
        (b"\x00\x00\x10\x00free", None),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else None,
)
def test_the_first_atom_of_an_iso_media_file_reveals_its_type(data, mime_type):
    assert sniff(data) == mime_type


# Archives and documents


@pytest.mark.parametrize("main", ["word/document.xml", "xl/workbook.xml", "ppt/presentation.xml"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"comment": b"by hand"},
        {"comment": b"c" * 65_535},
        {"entry_comment": b"PK\x01\x02"},
        {"compression": zipfile.ZIP_STORED, "content": b"PK\x01\x02 PK\x03\x04"},
    ],
    ids=["plain", "comment", "longest comment", "comment of an entry", "signatures inside"],
)
def test_the_names_in_an_archive_reveal_an_office_document(main, options):
    expected = {"word": DOCX, "xl": XLSX, "ppt": PPTX}[main.partition("/")[0]]
    assert sniff(archive(CONTENT_TYPES, "_rels/.rels", main, "docProps/app.xml", **options)) == expected
    assert sniff(archive("docProps/app.xml", main, "_rels/.rels", CONTENT_TYPES, **options)) == expected


@pytest.mark.parametrize(
    "names",
    [
        (),
        ("a.txt",),
        ("word/document.xml",),
        (CONTENT_TYPES,),
        (CONTENT_TYPES, "xl/workbook.bin"),
        (CONTENT_TYPES, "backup/word/document.xml"),
        (CONTENT_TYPES, "word/document.xml.bak"),
        (CONTENT_TYPES, "WORD/DOCUMENT.XML"),
        (CONTENT_TYPES, "word/document.xml", "word/vbaProject.bin"),
        (CONTENT_TYPES, "xl/vbaProject.bin", "xl/workbook.xml"),
        (CONTENT_TYPES, "ppt/presentation.xml", "ppt/vbaProject.bin"),
        (CONTENT_TYPES, *map(str, range(10_000)), "word/document.xml"),
        ("mimetype", "META-INF/container.xml"),
    ],
    ids=lambda names: " ".join(names[:3]) or "empty",
)
def test_another_archive_is_only_an_archive(names):
    assert sniff(archive(*names)) == ZIP


def test_an_office_document_that_is_cut_or_garbled_is_an_archive():
    whole = archive(CONTENT_TYPES, "word/document.xml")
    end = whole.rindex(b"PK\x05\x06")
    assert {sniff(whole[:size]) for size in range(4, end + 4)} == {ZIP}
    huge = whole[: end + 12] + b"\xff" * 8 + whole[end + 20 :]
    assert sniff(huge) == ZIP
    assert sniff(whole.replace(b"PK\x01\x02", b"PK\x01\x03")) == ZIP


def test_what_stands_in_the_contents_of_an_archive_does_not_count():
    inner = archive(CONTENT_TYPES, "word/document.xml")
    assert sniff(archive("inner.docx", content=inner, compression=zipfile.ZIP_STORED)) == ZIP


@pytest.mark.parametrize(
    ("mime_type", "expected"),
    [
        (ODT, ODT),
        (f"{ODT}-template", ZIP),
        (f"{ODT}-master", ZIP),
        (f"{ODT}-web", ZIP),
        ("application/vnd.oasis.opendocument.spreadsheet", ZIP),
        ("application/epub+zip", ZIP),
    ],
)
def test_the_first_entry_of_an_archive_reveals_an_open_document(mime_type, expected):
    assert sniff(open_document(mime_type)) == expected


def test_a_later_or_other_entry_does_not_make_an_open_document():
    assert sniff(open_document(ODT, first="MIMETYPE")) == ZIP
    assert sniff(archive("a.txt", "mimetype", content=ODT.encode(), compression=zipfile.ZIP_STORED)) == ZIP
    assert sniff(archive("mimetype", content=ODT.encode() * 2)) == ZIP


# Any bytes

# What every file of a type has, at an offset; one of several is enough.
MARKS = {
    "image/png": [(0, b"\x89PNG")],
    "image/jpeg": [(0, b"\xff\xd8\xff")],
    "image/gif": [(0, b"GIF8")],
    "image/webp": [(8, b"WEBP")],
    "image/bmp": [(0, b"BM")],
    "image/tiff": [(0, b"II"), (0, b"MM")],
    "image/heic": [(4, b"ftyp")],
    "image/heif": [(4, b"ftyp")],
    "image/avif": [(4, b"ftyp")],
    ICO: [(0, b"\x00\x00\x01\x00")],
    "application/pdf": [(0, b"%PDF-")],
    "audio/mpeg": [(0, b"ID3"), (0, b"\xff")],
    "audio/wav": [(8, b"WAVE")],
    "audio/flac": [(0, b"fLaC"), (0, b"ID3")],
    "audio/aac": [(0, b"\xff"), (0, b"ADIF"), (0, b"ID3")],
    "audio/ogg": [(0, b"OggS\x00")],
    "audio/mp4": [(4, b"ftyp")],
    "video/mp4": [(4, b"ftyp")],
    "video/quicktime": [(4, b"ftyp"), (4, b"wide"), (4, b"moov"), (4, b"mdat")],
    "video/webm": [(0, b"\x1a\x45\xdf\xa3")],
    "video/matroska": [(0, b"\x1a\x45\xdf\xa3")],
    "video/ogg": [(0, b"OggS\x00")],
    "video/mpeg": [(0, b"\x00\x00\x01\xba"), (0, b"\x00\x00\x01\xb3")],
    "application/gzip": [(0, b"\x1f\x8b\x08")],
    "application/x-tar": [(257, b"ustar")],
    PARQUET: [(0, b"PAR1")],
    **{kind: [(0, b"PK\x03\x04"), (0, b"PK\x05\x06")] for kind in (ZIP, DOCX, XLSX, PPTX, ODT)},
}

SAMPLES = [parameters.values[0] for parameters in SIGNED if len(parameters.values[0]) < 1000] + [
    brands(b"mif1", b"heic"),
    brands(b"qt  "),
    archive(CONTENT_TYPES, "word/document.xml"),
    open_document(ODT),
]


@st.composite
def damaged_files(draw):
    """Cut a file, change a byte of it, and put something behind it."""
    data = draw(st.sampled_from(SAMPLES))
    data = data[: draw(st.integers(0, len(data)))]
    if data and draw(st.booleans()):
        at = draw(st.integers(0, min(len(data), 40) - 1))
        data = data[:at] + draw(st.binary(min_size=1, max_size=1)) + data[at + 1 :]
    return data + draw(st.binary(max_size=64))


@given(st.one_of(st.binary(max_size=600), damaged_files()))
@example(b"PK\x05\x06" + b"\xff" * 18)
@example(b"PK\x05\x06" + bytes(18))
@example(b"PK\x03\x04" + b"PK\x01\x02" + b"\xff" * 60 + b"PK\x05\x06" + bytes(8) + b"\x40" + bytes(9))
@example(b"\x42\x82" * 20)
def test_any_bytes_reveal_nothing_or_a_type_whose_mark_they_bear(data):
    found = sniff(data)
    assert found is None or any(data.startswith(mark, at) for at, mark in MARKS[found])


@given(st.sampled_from([data for data in SAMPLES if not data.startswith((b"PK", b"PAR1", b"ID3"))]), st.binary())
def test_what_follows_a_header_does_not_matter(header, tail):
    assert sniff(header + tail) == sniff(header)
