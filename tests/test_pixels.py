"""Width and height come from the header of a picture, whatever stands in it."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from toolresult._pixels import pixels

SIZES = [(1, 1), (2, 3), (255, 256), (257, 1), (1, 640), (4097, 5)]
FORMATS = {
    "PNG": ("PNG", "RGB", {}),
    "PNG with a palette": ("PNG", "P", {}),
    "PNG in grey": ("PNG", "L", {}),
    "GIF": ("GIF", "P", {}),
    "JPEG baseline": ("JPEG", "RGB", {}),
    "JPEG progressive": ("JPEG", "RGB", {"progressive": True}),
    "JPEG in grey": ("JPEG", "L", {}),
    "JPEG in CMYK": ("JPEG", "CMYK", {}),
    "WebP lossy": ("WEBP", "RGB", {}),
    "WebP lossless": ("WEBP", "RGB", {"lossless": True}),
    "WebP lossless with alpha": ("WEBP", "RGBA", {"lossless": True}),
    "WebP lossy with alpha": ("WEBP", "RGBA", {"quality": 50}),
}
PREFIXES = [
    b"\x89PNG\r\n\x1a\n",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    b"GIF87a",
    b"GIF89a",
    b"RIFF\x00\x00\x00\x00WEBP",
    b"RIFF\xff\xff\xff\xffWEBPVP8 ",
    b"RIFF\x00\x00\x00\x00WEBPVP8L",
    b"RIFF\x00\x00\x00\x00WEBPVP8X",
    b"\xff\xd8",
    b"\xff\xd8\xff",
    b"\xff\xd8\xff\xe0\x00\x00",
    b"\xff\xd8\xff\xe1\xff\xff",
    b"\xff\xd8\xff\xc0\x00\x0b\x08",
]


def written(size, form, mode="RGB", **options):
    file = io.BytesIO()
    Image.new(mode, size).save(file, form, **options)
    return file.getvalue()


def frames(size, form, **options):
    pictures = [Image.new("RGB", size, color) for color in ("red", "blue", "green")]
    file = io.BytesIO()
    pictures[0].save(file, form, save_all=True, append_images=pictures[1:], duration=100, **options)
    return file.getvalue()


def png(width, height):
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height) + bytes(9)


def jpeg(width, height, *segments, frame=0xC0):
    head = b"".join(b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body for marker, body in segments)
    return b"\xff\xd8" + head + b"\xff" + bytes([frame]) + struct.pack(">HBHH", 11, 8, height, width) + bytes(8)


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
@pytest.mark.parametrize("kind", FORMATS)
def test_the_size_is_that_which_was_written(kind, size):
    form, mode, options = FORMATS[kind]
    assert pixels(written(size, form, mode, **options)) == size


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP"])
def test_an_animation_has_the_size_of_its_canvas(kind):
    assert pixels(frames((37, 300), kind)) == (37, 300)


@pytest.mark.parametrize("kind", ["JPEG", "WEBP", "PNG"])
def test_exif_data_with_a_preview_and_a_rotation_do_not_change_the_size(kind):
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "a" * 30_000
    assert pixels(written((300, 20), kind, exif=exif)) == (300, 20)


def test_a_profile_in_front_of_the_frame_is_stepped_over():
    profile = bytes(200_000)
    assert pixels(written((300, 20), "JPEG", icc_profile=profile)) == (300, 20)
    assert pixels(written((300, 20), "WEBP", icc_profile=profile)) == (300, 20)


def test_a_frame_inside_a_segment_is_no_frame():
    assert pixels(jpeg(640, 480, (0xE1, b"Exif\0\0" + jpeg(16, 12)))) == (640, 480)


@pytest.mark.parametrize("frame", [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCA, 0xCF])
def test_every_marker_of_a_frame_tells_the_size(frame):
    assert pixels(jpeg(640, 480, (0xC4, bytes(28)), (0xCC, bytes(2)), frame=frame)) == (640, 480)


def test_fill_and_markers_without_length_are_stepped_over():
    assert pixels(b"\xff\xd8" + b"\xff\x01\xff\xd0" + b"\xff" * 7 + jpeg(640, 480)[2:]) == (640, 480)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        pytest.param(png(2**32 - 1, 2**31), (2**32 - 1, 2**31), id="PNG"),
        pytest.param(b"GIF89a\xff\xff\xfe\xff" + bytes(20), (65535, 65534), id="GIF"),
        pytest.param(jpeg(65535, 65534), (65535, 65534), id="JPEG"),
        pytest.param(
            b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\xff\xff\xff\xfe\xff\xff", (2**24, 2**24 - 1), id="VP8X"
        ),
        pytest.param(b"RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0/" + b"\xff\xff\xff\xff" + bytes(9), (2**14, 2**14), id="VP8L"),
        pytest.param(
            b"RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a" + b"\xff\xff\xfe\xff", (16383, 16382), id="VP8"
        ),
    ],
)
def test_the_largest_sizes_are_read(data, size):
    assert pixels(data) == size


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a",
        b"BM" + bytes(60),
        b"II*\0" + bytes(60),
        b"%PDF-1.7" + bytes(60),
        b"RIFF\0\0\0\0WAVEfmt " + bytes(60),
        b"GIF88a" + bytes(60),
        b"<svg width='9000' height='9000'/>",
    ],
    ids=repr,
)
def test_what_is_no_picture_of_a_known_format_has_no_size(data):
    assert pixels(data) is None


@pytest.mark.parametrize("kind", FORMATS)
def test_a_picture_cut_anywhere_has_its_size_or_none(kind):
    form, mode, options = FORMATS[kind]
    data = written((257, 9), form, mode, **options)
    found = {pixels(data[:end]) for end in range(min(len(data), 1200))}
    assert None in found
    assert found <= {None, (257, 9)}


@given(prefix=st.sampled_from(PREFIXES), rest=st.binary(max_size=400))
@example(prefix=b"\xff\xd8", rest=b"\xff\xe0\x00\x00" * 100)
@example(prefix=b"\xff\xd8", rest=b"\xff\xda" + bytes(40))
def test_hostile_headers_give_a_size_or_none(prefix, rest):
    size = pixels(prefix + rest)
    assert size is None or [*map(type, size)] == [int, int]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff\xd8" + b"\xff" * 5_000_000, id="fill"),
        pytest.param(b"\xff\xd8" + b"\xff\xd0" * 2_500_000, id="markers without length"),
        pytest.param(b"\xff\xd8" + b"\xff\xe0\x00\x00" * 1_250_000, id="segments of length 0"),
        pytest.param(b"\xff\xd8" + b"\xff\xe0\x00\x02" * 1_250_000, id="segments of length 2"),
    ],
)
def test_megabytes_of_markers_end(data):
    assert pixels(data) is None


@pytest.mark.parametrize("kind", FORMATS)
def test_pillow_reads_the_same_size(kind):
    form, mode, options = FORMATS[kind]
    data = written((123, 45), form, mode, **options)
    with Image.open(io.BytesIO(data)) as picture:
        assert pixels(data) == picture.size


# Bytes that look like a header without end are given up on, not walked to their end.
@pytest.mark.parametrize("endless", [b"\xff", b"\xff\x01", b"\xff\xe0\x00\x02", b"\xff\xff\xe0\x00\x02"])
def test_a_jpeg_header_without_end(endless):
    frame = b"\xff\xc0\x00\x0b\x08\x00\x05\x00\x07\x01\x01\x11\x00"
    assert pixels(b"\xff\xd8" + endless * 100 + frame) == (7, 5)
    data = b"\xff\xd8" + endless * 200_000 + frame
    assert pixels(data) == ((7, 5) if endless == b"\xff" else None)
    assert pixels(data[: -len(frame)]) is None


def test_a_webp_chunk_of_another_kind():
    assert pixels(b"RIFF\x00\x00\x00\x00WEBPXMP " + bytes(30)) is None
