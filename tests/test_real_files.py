"""Files that real programs wrote: their types by bytes, suffix and claim, and what other detectors say."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import tarfile
import wave
import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import av
import docx
import filetype
import matplotlib as mpl
import nbformat
import numpy as np
import odf.opendocument
import odf.text
import openpyxl
import pillow_heif
import pptx
import puremagic
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
import soundfile
import xlsxwriter
import yaml
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from toolresult import ContentPart, ContentPartError

OCTETS = "application/octet-stream"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ODT = "application/vnd.oasis.opendocument.text"
ICO = "image/vnd.microsoft.icon"
PARQUET = "application/vnd.apache.parquet"

# Types that share a signature, so that the bytes do not contradict one of them for another.
KIN = (
    {"video/mp4", "audio/mp4", "video/quicktime"},
    {"video/webm", "audio/webm", "video/matroska", "audio/matroska"},
    {"audio/ogg", "video/ogg"},
    {"image/heic", "image/heif", "image/avif"},
    {"application/zip", DOCX, XLSX, PPTX, ODT},
)
SIGNED = {
    *("image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff", ICO, "application/pdf"),
    *("audio/mpeg", "audio/wav", "audio/flac", "audio/aac", "video/mpeg"),
    *("application/gzip", "application/x-tar", PARQUET),
    *(mime_type for family in KIN for mime_type in family),
}


def kin_of(mime_type):
    return {mime_type}.union(*(family for family in KIN if mime_type in family))


# Pictures


def picture(mode="RGB"):
    return Image.radial_gradient("L").resize((24, 24)).convert(mode)


def pillow(file_format, mode="RGB", *, frames=1, **options):
    def write(path):
        more = [picture(mode).rotate(90 * turn) for turn in range(1, frames)]
        several = {"save_all": True, "append_images": more} if more else {}
        picture(mode).save(path, file_format, **several, **options)

    return write


def write_deep_tiff(path):
    Image.new("I;16B", (4, 4)).save(path, "TIFF")  # the one mode that is written in big-endian order


def heif(pictures):
    def write(path):
        file = pillow_heif.from_pillow(picture())
        for turn in range(1, pictures):
            file.add_from_pillow(picture().rotate(90 * turn))
        file.save(path)

    return write


def plot(path):
    figure = Figure(figsize=(1, 1))
    figure.subplots().plot([1, 2])
    with mpl.rc_context({"svg.hashsalt": "salt"}):
        figure.savefig(path)


# Sound and film


def film(codec, container=None, *, pixels="yuv420p", **options):
    def write(path):
        with av.open(str(path), "w", format=container, options=options) as target:
            stream = target.add_stream(codec, rate=25)
            stream.width, stream.height, stream.pix_fmt = 64, 64, pixels
            for at in range(3):
                frame = av.VideoFrame(64, 64, pixels)
                for plane in frame.planes:
                    plane.update(bytes(plane.buffer_size))
                frame.pts = at
                target.mux(stream.encode(frame))
            target.mux(stream.encode(None))

    return write


def sound(codec, container=None, **options):
    def write(path):
        with av.open(str(path), "w", format=container, options=options) as target:
            stream = target.add_stream(codec, rate=48000, layout="mono")
            stream.codec_context.open()
            size = stream.codec_context.frame_size or 1024
            for at in range(4):
                frame = av.AudioFrame(format=stream.codec_context.format.name, layout="mono", samples=size)
                for plane in frame.planes:
                    plane.update(bytes(plane.buffer_size))
                frame.sample_rate, frame.pts, frame.time_base = 48000, at * size, Fraction(1, 48000)
                target.mux(stream.encode(frame))
            target.mux(stream.encode(None))

    return write


def sndfile(file_format, coding):
    return lambda path: soundfile.write(path, np.zeros(2400), 48000, format=file_format, subtype=coding)


def write_wave(path):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(64))


# Documents, archives, data


def write_reportlab(path):
    canvas = Canvas(str(path))
    canvas.drawString(72, 72, "report")
    canvas.save()


def write_docx(path):
    document = docx.Document()
    document.add_heading("report")
    document.save(str(path))


def write_pptx(path):
    slides = pptx.Presentation()
    slides.slides.add_slide(slides.slide_layouts[0])
    slides.save(str(path))


def write_xlsx(path, **options):
    book = openpyxl.Workbook(**options)
    (book.active or book.create_sheet()).append([1, "a"])
    book.save(path)


def write_xlsxwriter(path):
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet().write(0, 0, 1)


def write_odt(path):
    document = odf.opendocument.OpenDocumentText()
    document.text.addElement(odf.text.P(text="report"))
    document.save(str(path))


def open_document(mime_type):
    return lambda path: odf.opendocument.OpenDocument(mime_type).save(str(path))


def zipped(*names, compression=zipfile.ZIP_DEFLATED):
    def write(path):
        with zipfile.ZipFile(path, "w", compression) as archive:
            for name in names:
                archive.writestr(name, "word/document.xml " * 9)

    return write


def with_entry(write_document, name):
    def write(path):
        write_document(path)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(name, b"\xd0\xcf\x11\xe0")

    return write


def tarred(mode, file_format=tarfile.PAX_FORMAT):
    def write(path):
        with tarfile.open(path, mode, format=file_format) as archive:
            archive.add(__file__, "tests/\u00e9.py")

    return write


def compressed(compress):
    return lambda path: path.write_bytes(compress(b"a,b\n" * 9))


TABLE = pa.table({"a": [1, 2], "b": ["x", None]})
ROWS = [["name", "\u540d"], ["a\tb", 'say "hi"'], [1, None]]


def write_csv(path, **options):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, **options).writerows(ROWS)


def write_jsonl(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def write_xml(path):
    root = ET.Element("rows")
    ET.SubElement(root, "row", name="\u540d").text = "a < b"
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def write_notebook(path):
    cell = nbformat.v4.new_code_cell("1 + 1", id="cell")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)


def text(content):
    return lambda path: path.write_text(content, encoding="utf-8")


class Row(NamedTuple):
    """A file, the type that its loader finds, and the type that the bytes alone reveal, `None` for text."""

    name: str
    mime_type: str
    revealed: str | None
    write: Callable[[Path], object]

    @property
    def kind(self):
        major = self.mime_type.partition("/")[0]
        return major if major in {"image", "audio", "video"} else "file"


def exact(name, mime_type, write):
    """Describe a file whose bytes alone reveal the type that its name says."""
    return Row(name, mime_type, mime_type, write)


BINARY = [
    exact("rgb.png", "image/png", pillow("PNG")),
    exact("palette.png", "image/png", pillow("PNG", "P")),
    exact("animated.png", "image/png", pillow("PNG", frames=3)),
    exact("plot.png", "image/png", plot),
    exact("baseline.jpg", "image/jpeg", pillow("JPEG")),
    exact("progressive.jpeg", "image/jpeg", pillow("JPEG", progressive=True)),
    exact("cmyk.jpg", "image/jpeg", pillow("JPEG", "CMYK")),
    exact("exif.jpg", "image/jpeg", pillow("JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0")),
    exact("still.gif", "image/gif", pillow("GIF", "P")),
    exact("animated.gif", "image/gif", pillow("GIF", "P", frames=3)),
    exact("ffmpeg.gif", "image/gif", film("gif", pixels="rgb8")),
    exact("lossy.webp", "image/webp", pillow("WEBP")),
    exact("lossless.webp", "image/webp", pillow("WEBP", lossless=True)),
    exact("animated.webp", "image/webp", pillow("WEBP", frames=3)),
    exact("rgb.bmp", "image/bmp", pillow("BMP")),
    exact("palette.bmp", "image/bmp", pillow("BMP", "P")),
    exact("rgba.bmp", "image/bmp", pillow("BMP", "RGBA")),
    exact("little_endian.tiff", "image/tiff", pillow("TIFF")),
    exact("big_endian.tif", "image/tiff", write_deep_tiff),
    exact("pages.tiff", "image/tiff", pillow("TIFF", frames=3)),
    exact("big.tiff", "image/tiff", pillow("TIFF", big_tiff=True)),
    exact("png.ico", ICO, pillow("ICO", "RGBA")),
    exact("bmp.ico", ICO, pillow("ICO", "RGBA", bitmap_format="bmp")),
    exact("sizes.ico", ICO, pillow("ICO", sizes=[(8, 8), (16, 16), (24, 24)])),
    exact("still.avif", "image/avif", pillow("AVIF")),
    exact("animated.avif", "image/avif", pillow("AVIF", frames=3)),
    exact("still.heic", "image/heic", heif(1)),
    exact("several.heic", "image/heic", heif(3)),
    exact("reportlab.pdf", "application/pdf", write_reportlab),
    exact("matplotlib.pdf", "application/pdf", plot),
    exact("pillow.pdf", "application/pdf", pillow("PDF", frames=2)),
    exact("stdlib.wav", "audio/wav", write_wave),
    exact("ffmpeg.wav", "audio/wav", sound("pcm_s16le")),
    exact("24_bit.wav", "audio/wav", sndfile("WAV", "PCM_24")),
    exact("extensible.wav", "audio/wav", sndfile("WAVEX", "PCM_16")),
    exact("rf64.wav", "audio/wav", sndfile("RF64", "PCM_16")),
    exact("sndfile.flac", "audio/flac", sndfile("FLAC", "PCM_16")),
    exact("ffmpeg.flac", "audio/flac", sound("flac")),
    exact("vorbis.ogg", "audio/ogg", sndfile("OGG", "VORBIS")),
    exact("sndfile.opus", "audio/ogg", sndfile("OGG", "OPUS")),
    exact("ffmpeg.opus", "audio/ogg", sound("libopus", "opus")),
    exact("flac.oga", "audio/ogg", sound("flac", "oga")),
    exact("id3_v3.mp3", "audio/mpeg", sound("libmp3lame", id3v2_version="3")),
    exact("id3_v4.mp3", "audio/mpeg", sound("libmp3lame", id3v2_version="4")),
    exact("no_id3.mp3", "audio/mpeg", sound("libmp3lame", id3v2_version="0", write_xing="0")),
    exact("sndfile.mp3", "audio/mpeg", sndfile("MP3", "MPEG_LAYER_III")),
    exact("itunes.m4a", "audio/mp4", sound("aac", "ipod")),
    Row("plain.m4a", "audio/mp4", "video/mp4", sound("aac", "mp4")),
    exact("adts.aac", "audio/aac", sound("aac", "adts")),
    exact("id3.aac", "audio/aac", sound("aac", "adts", write_id3v2="1")),
    Row("opus.weba", "audio/webm", "video/webm", sound("libopus", "webm")),
    exact("h264.mp4", "video/mp4", film("libx264")),
    exact("mpeg4.mp4", "video/mp4", film("mpeg4")),
    exact("fragmented.mp4", "video/mp4", film("libx264", movflags="frag_keyframe+empty_moov+default_base_moof")),
    exact("cmaf.mp4", "video/mp4", film("libx264", movflags="cmaf")),
    exact("ipod.m4v", "video/mp4", film("mpeg4", "ipod")),
    exact("mpeg4.mov", "video/quicktime", film("mpeg4")),
    exact("h264.mkv", "video/matroska", film("libx264")),
    exact("vp8.webm", "video/webm", film("libvpx")),
    exact("vp9.webm", "video/webm", film("libvpx-vp9")),
    exact("live.webm", "video/webm", film("libvpx", live="1")),
    exact("mpeg1.mpg", "video/mpeg", film("mpeg1video")),
    exact("mpeg2.mpeg", "video/mpeg", film("mpeg2video", "vob")),
    exact("stream_of_mpeg1.mpg", "video/mpeg", film("mpeg1video", "mpeg1video")),
    exact("stream_of_mpeg2.mpg", "video/mpeg", film("mpeg2video", "mpeg2video")),
    Row("vp8.ogv", "video/ogg", "audio/ogg", film("libvpx", "ogv")),
    exact("python_docx.docx", DOCX, write_docx),
    exact("openpyxl.xlsx", XLSX, write_xlsx),
    exact("streamed.xlsx", XLSX, partial(write_xlsx, write_only=True)),
    exact("xlsxwriter.xlsx", XLSX, write_xlsxwriter),
    exact("python_pptx.pptx", PPTX, write_pptx),
    exact("odfpy.odt", ODT, write_odt),
    exact("deflated.zip", "application/zip", zipped("a.txt", "word/document.xml")),
    exact("stored.zip", "application/zip", zipped("mimetype", compression=zipfile.ZIP_STORED)),
    exact("empty.zip", "application/zip", zipped()),
    exact("table.csv.gz", "application/gzip", compressed(gzip.compress)),
    exact("archive.tgz", "application/gzip", tarred("w:gz")),
    exact("pax.tar", "application/x-tar", tarred("w", tarfile.PAX_FORMAT)),
    exact("gnu.tar", "application/x-tar", tarred("w", tarfile.GNU_FORMAT)),
    exact("ustar.tar", "application/x-tar", tarred("w", tarfile.USTAR_FORMAT)),
    exact("snappy.parquet", PARQUET, partial(pyarrow.parquet.write_table, TABLE)),
    exact("plain.parquet", PARQUET, partial(pyarrow.parquet.write_table, TABLE, compression="none")),
]

TEXTUAL = [
    Row("plot.svg", "image/svg+xml", None, plot),
    Row("note.txt", "text/plain", None, text("caf\u00e9\r\n")),
    Row("note.md", "text/markdown", None, text("# Report\n\n* caf\u00e9\n")),
    Row("table.csv", "text/csv", None, write_csv),
    Row("table.tsv", "text/tab-separated-values", None, partial(write_csv, dialect="excel-tab")),
    Row("rows.json", "application/json", None, text(json.dumps(ROWS))),
    Row("rows.jsonl", "application/jsonl", None, write_jsonl),
    Row("rows.yaml", "application/yaml", None, text(yaml.safe_dump(ROWS, allow_unicode=True))),
    Row("rows.xml", "application/xml", None, write_xml),
    Row("page.html", "text/html", None, text("<!doctype html>\n<title>caf\u00e9</title>\n<p>hi\n")),
    Row("page.css", "text/css", None, text("@charset 'utf-8';\nbody { color: red }\n")),
    Row("page.js", "text/javascript", None, text("'use strict';\nexport const x = '\u540d';\n")),
    Row("module.py", "text/x-python", None, text(Path(__file__).read_text(encoding="utf-8"))),
    Row("notebook.ipynb", "application/x-ipynb+json", None, write_notebook),
]

# Files of formats outside the table, and what their bytes may be taken for: a relative of which they are a kind.
OTHERS = [
    Row("picture.jp2", OCTETS, None, pillow("JPEG2000")),
    Row("picture.icns", OCTETS, None, pillow("ICNS")),
    Row("picture.pcx", OCTETS, None, pillow("PCX")),
    Row("picture.ppm", OCTETS, None, pillow("PPM")),
    Row("picture.tga", OCTETS, None, pillow("TGA")),
    Row("palette.tga", OCTETS, None, pillow("TGA", "P")),
    Row("picture.dds", OCTETS, None, pillow("DDS")),
    Row("picture.eps", OCTETS, None, pillow("EPS")),
    Row("picture.sgi", OCTETS, None, pillow("SGI")),
    Row("picture.mpo", "image/jpeg", "image/jpeg", pillow("MPO", frames=2)),
    Row("film.avi", OCTETS, None, film("mpeg4")),
    Row("film.ts", OCTETS, None, film("mpeg2video", "mpegts")),
    Row("film.flv", OCTETS, None, film("flv1", "flv")),
    Row("film.3gp", "video/mp4", "video/mp4", film("mpeg4")),
    Row("sound.mka", "video/matroska", "video/matroska", sound("libopus", "matroska")),
    Row("sound.aiff", OCTETS, None, sound("pcm_s16be", "aiff")),
    Row("sound.au", OCTETS, None, sound("pcm_s16be", "au")),
    Row("sound.caf", OCTETS, None, sndfile("CAF", "PCM_16")),
    Row("sound.w64", OCTETS, None, sndfile("W64", "PCM_16")),
    Row("sound.mp2", OCTETS, None, sound("mp2")),
    Row("sound.ac3", OCTETS, None, sound("ac3")),
    Row("table.bz2", OCTETS, None, compressed(bz2.compress)),
    Row("table.xz", OCTETS, None, compressed(lzma.compress)),
    Row("table.npy", OCTETS, None, lambda path: np.save(path, np.zeros(3))),
    Row("table.npz", "application/zip", "application/zip", lambda path: np.savez(path, a=np.zeros(3))),
    Row("table.feather", OCTETS, None, partial(pyarrow.feather.write_feather, TABLE)),
    Row("macros.xlsm", "application/zip", "application/zip", with_entry(write_xlsx, "xl/vbaProject.bin")),
    Row("macros.docm", "application/zip", "application/zip", with_entry(write_docx, "word/vbaProject.bin")),
    Row("template.ott", "application/zip", "application/zip", open_document(f"{ODT}-template")),
    Row(
        "sheet.ods",
        "application/zip",
        "application/zip",
        open_document("application/vnd.oasis.opendocument.spreadsheet"),
    ),
]


class Made(NamedTuple):
    """A row and the file that was made of it."""

    row: Row
    path: Path
    data: bytes


def make(row, folder):
    path = folder / row.name
    row.write(path)
    data = path.read_bytes()
    assert data
    return Made(row, path, data)


def each(rows, **options):
    return pytest.mark.parametrize("made", rows, ids=[row.name for row in rows], indirect=True, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("real files")


@pytest.fixture(scope="module")
def shelf():
    """Keep what was made, by file name."""
    return {}


@pytest.fixture
def made(request, folder, shelf):
    row = request.param
    if row.name not in shelf:
        shelf[row.name] = make(row, folder)
    return shelf[row.name]


# The name and the bytes


@each([*BINARY, *TEXTUAL, *OTHERS])
def test_a_file_has_the_type_of_the_table(made):
    part = ContentPart.file(made.path)
    assert part == ContentPart("file", mime_type=made.row.mime_type, data=made.data, name=made.row.name)


@each([row for row in [*BINARY, *TEXTUAL] if row.kind != "file"])
def test_the_loader_of_its_kind_takes_a_file_by_path_and_by_bytes(made):
    kind, mime_type = made.row.kind, made.row.mime_type
    load = getattr(ContentPart, kind)
    assert load(made.path) == ContentPart(kind, mime_type=mime_type, data=made.data, name=made.row.name)
    if made.row.revealed:
        assert load(made.data) == ContentPart(kind, mime_type=mime_type, data=made.data)


@pytest.mark.parametrize("kind", ["image", "audio", "video"])
@each(BINARY)
def test_a_loader_of_another_kind_takes_kin_and_refuses_the_rest(made, kind):
    kin = {mime_type for mime_type in kin_of(made.row.revealed) if mime_type.startswith(f"{kind}/")}
    load = getattr(ContentPart, kind)
    if kin:
        assert load(made.data).mime_type in kin
        assert load(made.data).type == kind
    else:
        with pytest.raises(ContentPartError) as caught:
            load(made.path)
        assert str(caught.value).startswith("mime_type:")
        assert made.row.revealed in str(caught.value)
        assert str(made.path.parent) not in str(caught.value)


LIES = {
    ".txt": "text/plain",
    ".json": "application/json",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".docx": DOCX,
    ".unheard-of": OCTETS,
}


@each(BINARY)
def test_the_bytes_win_over_a_suffix_that_lies(made, tmp_path):
    for suffix, lie in LIES.items():
        if lie in kin_of(made.row.revealed):
            continue
        liar = tmp_path / f"liar{suffix}"
        liar.write_bytes(made.data)
        expected = ContentPart("file", mime_type=made.row.revealed, data=made.data, name=liar.name)
        assert ContentPart.file(liar) == expected, suffix


@each([*BINARY, *TEXTUAL, *OTHERS])
def test_the_bytes_without_a_name_reveal_the_type_or_that_of_the_family(made):
    assert ContentPart.file(made.data) == ContentPart("file", mime_type=made.row.revealed or OCTETS, data=made.data)
    assert made.row.mime_type in {OCTETS, *kin_of(made.row.revealed)} or made.row in TEXTUAL


@each(TEXTUAL)
def test_text_with_a_suffix_of_something_else_is_believed(made, tmp_path):
    liar = tmp_path / "liar.png"
    liar.write_bytes(made.data)
    assert ContentPart.file(liar) == ContentPart("file", mime_type="image/png", data=made.data, name="liar.png")


# The claim


@each(BINARY)
def test_a_claim_of_another_family_is_refused_naming_both(made):
    for claim in SIGNED - kin_of(made.row.revealed):
        with pytest.raises(ContentPartError) as caught:
            ContentPart.file(made.path, mime_type=claim)
        assert str(caught.value).startswith("mime_type:")
        assert claim in str(caught.value)
        assert made.row.revealed in str(caught.value)
        assert str(made.path.parent) not in str(caught.value)


@each(BINARY)
def test_a_claim_of_kin_is_taken_at_its_word(made):
    for claim in kin_of(made.row.revealed):
        expected = ContentPart("file", mime_type=claim, data=made.data, name=made.row.name)
        assert ContentPart.file(made.path, mime_type=claim) == expected


@pytest.mark.parametrize(
    ("name", "kind", "claim", "kept"),
    [
        ("h264.mp4", "audio", "audio/mp4", "audio/mp4"),
        ("h264.mp4", "audio", "audio/x-m4a", "audio/mp4"),
        ("itunes.m4a", "video", "video/x-m4v", "video/mp4"),
        ("opus.weba", "video", "video/webm", "video/webm"),
        ("vp8.webm", "audio", "audio/webm", "audio/webm"),
        ("h264.mkv", "video", "video/x-matroska", "video/matroska"),
        ("vorbis.ogg", "video", "video/ogg", "video/ogg"),
        ("still.heic", "image", "image/heif", "image/heif"),
        ("stdlib.wav", "audio", "audio/x-wav", "audio/wav"),
        ("png.ico", "image", "image/x-icon", ICO),
        ("python_docx.docx", "file", "application/x-zip-compressed", "application/zip"),
        ("rgb.png", "image", OCTETS, "image/png"),
        ("rgb.png", "file", OCTETS, OCTETS),
        ("rgb.png", "file", "x/y", "x/y"),
    ],
)
def test_a_claim_that_the_bytes_allow_is_kept_in_its_normal_form(name, kind, claim, kept, folder):
    made = make(next(row for row in BINARY if row.name == name), folder)
    part = getattr(ContentPart, kind)(made.path, mime_type=claim)
    assert part == ContentPart(kind, mime_type=kept, data=made.data, name=name)


# A second opinion

SPELLINGS = {
    "application/ogg": "audio/ogg",
    "application/x-gzip": "application/gzip",
    "audio/wave": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-wav": "audio/wav",
    "image/apng": "image/png",
    "image/x-icon": ICO,
    "image/x-ms-bmp": "image/bmp",
    "video/dvd": "video/mpeg",
    "video/x-matroska": "video/matroska",
}
FILETYPE_DIFFERS = {
    "big.tiff": None,  # does not know BigTIFF,
    "animated.avif": None,  # nor the brand of sequences,
    "rf64.wav": None,  # nor WAV over 4 GiB,
    "snappy.parquet": None,  # nor Parquet
    "plain.parquet": None,
    "id3.aac": "audio/mpeg",  # takes every ID3 tag for that of an MP3
}
PUREMAGIC_DIFFERS = {
    "big.tiff",  # does not know BigTIFF,
    "snappy.parquet",  # nor Parquet, before version 2
    "plain.parquet",
    "id3.aac",  # takes every ID3 tag for that of an MP3
}


@each(BINARY)
def test_filetype_is_of_the_same_opinion(made):
    opinion = filetype.guess_mime(made.data)
    expected = FILETYPE_DIFFERS.get(made.row.name, made.row.revealed)
    assert SPELLINGS.get(opinion, opinion) == expected


@each([row for row in BINARY if row.name not in PUREMAGIC_DIFFERS])
def test_puremagic_counts_the_type_among_its_guesses(made):
    guesses = {SPELLINGS.get(guess.mime_type, guess.mime_type) for guess in puremagic.magic_string(made.data)}
    assert guesses & kin_of(made.row.revealed)


@each([row for row in [*TEXTUAL, *OTHERS] if row.revealed is None])
def test_filetype_sees_no_format_of_the_table_in_what_reveals_nothing(made):
    assert filetype.guess_mime(made.data) not in SIGNED


# What is no such file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@each(TEXTUAL)
def test_text_in_any_encoding_reveals_nothing(made, encoding):
    data = made.data.decode("utf-8").encode(encoding, "replace")
    assert ContentPart.file(data) == ContentPart("file", mime_type=OCTETS, data=data)


LETTERS = st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\t\r\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@given(content=st.text(LETTERS, max_size=64))
def test_generated_text_in_any_encoding_reveals_nothing(content, encoding):
    data = content.encode(encoding, "replace")
    if not (encoding == "latin-1" and data.startswith(b"\xff")):  # such text can begin as MP3 and JPEG do
        assert ContentPart.file(data).mime_type == OCTETS


@each([*BINARY, *OTHERS])
def test_the_beginning_of_a_file_reveals_its_family_or_nothing(made):
    allowed = {OCTETS, *kin_of(made.row.revealed)}
    if made.row.name == "id3.aac":
        allowed.add("audio/mpeg")  # a tag with nothing behind it
    for size in range(65):
        head = made.data[:size]
        assert ContentPart.file(head).mime_type in allowed, head


@pytest.mark.parametrize("kind", ["image", "audio", "video"])
@each(BINARY)
def test_the_beginning_of_a_file_loads_or_is_refused_with_the_typed_error(made, kind):
    for size in range(65):
        try:
            part = getattr(ContentPart, kind)(made.data[:size])
        except ContentPartError:
            continue
        assert part.mime_type in kin_of(made.row.revealed) | {"audio/mpeg"}
        assert part.data == made.data[:size]
