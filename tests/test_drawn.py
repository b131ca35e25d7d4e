"""Objects that draw themselves: the picture they show is the one that is loaded, or there is one typed error."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from base64 import b64encode
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock, Mock, NonCallableMock

import pytest
from matplotlib.figure import Figure
from PIL import Image, features

from toolresult import ContentPart, ContentPartError
from toolresult._drawn import to_png

PNG = b"\x89PNG\r\n\x1a\n"


def refusal(source):
    """Return the text of the error with which a drawing is refused."""
    with pytest.raises(ContentPartError) as caught:
        ContentPart.image(source)
    return str(caught.value)


def read_back(part):
    assert (part.type, part.mime_type, part.name) == ("image", "image/png", None)
    picture = Image.open(io.BytesIO(part.data))
    assert picture.format == "PNG"
    return picture


def pixels(picture):
    return [picture.getpixel((x, y)) for y in range(picture.height) for x in range(picture.width)]


def picture_of(mode, *colours, **info):
    """Make a picture of one line with these colours."""
    picture = Image.new(mode, (len(colours), 1))
    for x, colour in enumerate(colours):
        picture.putpixel((x, 0), colour)
    picture.info.update(info)
    return picture


def with_palette(mode, *entries, palette, **info):
    picture = picture_of(mode, *entries, **info)
    picture.putpalette(palette)
    return picture


# Pictures of PIL


@pytest.mark.parametrize(
    ("mode", "colours"),
    [
        ("1", (0, 255, 255)),
        ("L", (0, 7, 255)),
        ("LA", ((0, 0), (7, 128), (255, 255))),
        ("RGB", ((0, 0, 0), (1, 2, 3), (255, 254, 253))),
        ("RGBA", ((0, 0, 0, 0), (1, 2, 3, 128), (255, 254, 253, 255))),
        ("I;16", (0, 7, 256, 40_000, 65_535)),
    ],
)
def test_a_picture_in_a_mode_of_png_keeps_its_mode_and_every_pixel(mode, colours):
    drawn = read_back(ContentPart.image(picture_of(mode, *colours)))
    assert (drawn.mode, pixels(drawn)) == (mode, list(colours))


RED_GREEN = [255, 0, 0, 0, 255, 0]


@pytest.mark.parametrize(
    ("picture", "colours"),
    [
        (with_palette("P", 0, 1, 0, palette=RED_GREEN), [(255, 0, 0, 255), (0, 255, 0, 255), (255, 0, 0, 255)]),
        (with_palette("P", 0, 1, palette=RED_GREEN, transparency=0), [(255, 0, 0, 0), (0, 255, 0, 255)]),
        (with_palette("P", 0, 1, palette=RED_GREEN, transparency=b"\x80\x07"), [(255, 0, 0, 128), (0, 255, 0, 7)]),
        (picture_of("L", 5, 6, transparency=5), [(5, 5, 5, 0), (6, 6, 6, 255)]),
        (picture_of("RGB", (1, 2, 3), (4, 5, 6), transparency=(1, 2, 3)), [(1, 2, 3, 0), (4, 5, 6, 255)]),
    ],
    ids=["palette", "one clear entry", "alpha of every entry", "clear grey", "clear colour"],
)
def test_palettes_and_transparency_are_kept(picture, colours):
    assert pixels(read_back(ContentPart.image(picture)).convert("RGBA")) == colours


WHITE, GREY, BLACK = (255, 255, 255), (128, 128, 128), (0, 0, 0)


@pytest.mark.parametrize(
    ("picture", "mode", "colours"),
    [
        (
            picture_of("CMYK", (0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 0, 255)),
            "RGB",
            [WHITE, (0, 255, 255), (255, 0, 255), BLACK],
        ),
        (picture_of("YCbCr", (255, 128, 128), (128, 128, 128), (0, 128, 128)), "RGB", [WHITE, GREY, BLACK]),
        (
            picture_of("HSV", (0, 255, 255), (0, 0, 255), (85, 255, 255), (0, 0, 0)),
            "RGB",
            [(255, 0, 0), WHITE, (0, 255, 0), BLACK],
        ),
        (picture_of("RGBX", (1, 2, 3, 4)), "RGB", [(1, 2, 3)]),
        (picture_of("RGBa", (1, 2, 3, 255), (0, 0, 0, 0)), "RGBA", [(1, 2, 3, 255), (0, 0, 0, 0)]),
        (picture_of("La", (7, 255), (0, 0)), "LA", [(7, 255), (0, 0)]),
    ],
    ids=lambda value: value.mode if isinstance(value, Image.Image) else "",
)
def test_a_picture_in_another_mode_is_drawn_in_the_nearest_one(picture, mode, colours):
    drawn = read_back(ContentPart.image(picture))
    assert (drawn.mode, pixels(drawn)) == (mode, colours)


@pytest.mark.skipif(not features.check("littlecms2"), reason="this Pillow is built without colour management")
def test_a_picture_in_lab_is_drawn_in_rgb():
    drawn = read_back(ContentPart.image(picture_of("LAB", (255, 128, 128), (0, 128, 128), (138, 209, 198))))
    assert drawn.mode == "RGB"
    assert sum(pixels(drawn), ()) == pytest.approx((*WHITE, *BLACK, 255, 0, 0), abs=5)


@pytest.mark.parametrize(
    "picture",
    [
        picture_of("F", 0.25, 1e9),
        picture_of("I", -1, 70_000),
        picture_of("I;16L", 1, 40_000),
        picture_of("I;16B", 1, 40_000),
        picture_of("I;16N", 1, 40_000),
        with_palette("PA", (0, 128), (1, 255), palette=RED_GREEN),
    ],
    ids=lambda picture: picture.mode,
)
def test_a_picture_in_a_rare_mode_is_the_same_picture_or_refused(picture):
    try:
        drawn = read_back(ContentPart.image(picture))
    except ContentPartError as error:
        assert str(error).startswith(f"source: this {type(picture).__name__} ")  # noqa: PT017 - either outcome is right
    else:
        is_palette = picture.mode == "PA"
        assert pixels(drawn.convert("RGBA") if is_palette else drawn) == pixels(
            picture.convert("RGBA") if is_palette else picture
        )


def test_a_picture_that_was_opened_from_a_file_is_drawn_anew():
    buffer = io.BytesIO()
    picture_of("RGB", WHITE, WHITE).save(buffer, "JPEG")
    with Image.open(buffer) as picture:
        drawn = read_back(ContentPart.image(picture))
    assert pixels(drawn) == [WHITE, WHITE]


def animation(form, mode, *colours, **options):
    first, *others = (Image.new(mode, (2, 2), colour) for colour in colours)
    buffer = io.BytesIO()
    first.save(buffer, form, save_all=True, append_images=others, **options)
    return Image.open(buffer)


def frames_of(picture):
    for number in range(getattr(picture, "n_frames", 1)):
        picture.seek(number)
        yield picture.convert("RGB").getpixel((0, 0)), picture.info.get("duration")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_animation_keeps_its_frames_and_their_times(at):
    picture = animation(
        "GIF", "RGB", (255, 0, 0), (0, 255, 0), (0, 0, 255), duration=[100, 200, 300], loop=3, optimize=False
    )
    picture.seek(at)
    drawn = read_back(ContentPart.image(picture))
    assert list(frames_of(drawn)) == [((255, 0, 0), 100), ((0, 255, 0), 200), ((0, 0, 255), 300)]


def test_pages_are_frames():
    drawn = read_back(ContentPart.image(animation("TIFF", "RGB", WHITE, BLACK)))
    assert [colour for colour, _ in frames_of(drawn)] == [WHITE, BLACK]


@pytest.mark.parametrize(
    ("mode", "white", "black"),
    [("CMYK", (0, 0, 0, 0), (0, 0, 0, 255)), ("YCbCr", (255, 128, 128), (0, 128, 128)), ("F", 255.0, 0.0)],
)
def test_no_page_in_another_mode_is_lost_in_silence(mode, white, black):
    try:
        part = ContentPart.image(animation("TIFF", mode, white, black))
    except ContentPartError:
        return
    assert [colour for colour, _ in frames_of(read_back(part))] == [WHITE, BLACK]


def test_a_picture_without_pixels_or_that_was_closed_is_refused():
    assert refusal(Image.new("RGB", (0, 0))).startswith("source: this Image ")
    closed = Image.new("RGB", (1, 1))
    closed.close()
    assert refusal(closed).startswith("source: this Image ")


# Figures


def test_a_matplotlib_figure_is_drawn_in_its_own_size():
    figure = Figure(figsize=(2, 1), dpi=50, facecolor="red")
    figure.subplots().plot([1, 2])
    drawn = read_back(ContentPart.image(figure))
    assert drawn.size == (100, 50)
    assert drawn.convert("RGB").getpixel((0, 0)) == (255, 0, 0)


def test_a_matplotlib_figure_that_cannot_be_drawn_is_refused():
    figure = Figure(figsize=(1, 1), dpi=50)
    figure.text(0, 0, "$\\secret$")
    text = refusal(figure)
    assert text.startswith("source: this Figure ")
    assert "secret" not in text


PLOTLY = """
import sys
if sys.argv[1] == "without":
    sys.modules["kaleido"] = None
import plotly.graph_objects as go
from toolresult import ContentPart, ContentPartError
figure = go.Figure(go.Bar(y=[1, 2]), layout={"width": 300, "height": 200})
try:
    part = ContentPart.image(figure)
except ContentPartError as error:
    print(str(error))
else:
    print(part.mime_type, *(int.from_bytes(part.data[at : at + 4], "big") for at in (16, 20)))
"""


@pytest.mark.parametrize(
    ("engine", "starts"),
    [("with", "image/png 300 200"), ("without", "source: this Figure failed")],
    ids=["with kaleido", "without kaleido"],
)
def test_a_plotly_figure_is_drawn_if_its_engine_is_installed(engine, starts):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLOTLY, engine], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(starts)
    assert len(done.stdout) < 300


class PlotlyLike:
    """A figure that answers as it was told to, and only to the call that plotly documents."""

    def __init__(self, answer):
        self.answer = answer

    def to_image(self, format):
        assert format == "png"
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def test_what_a_figure_gives_as_its_image_is_loaded():
    assert ContentPart.image(PlotlyLike(PNG)) == ContentPart("image", data=PNG, mime_type="image/png")


@pytest.mark.parametrize(
    ("answer", "culprit"),
    [(ValueError("install secret"), "ValueError"), (None, "NoneType"), ("text", "str"), (b"", "bytes")],
    ids=["raises", "None", "text", "nothing"],
)
def test_a_figure_that_gives_no_image_is_refused(answer, culprit):
    text = refusal(PlotlyLike(answer))
    assert text.startswith("source:")
    assert culprit in text
    assert "secret" not in text


# What shows itself in notebooks


class Shown:
    """An object that shows itself as it was told to."""

    def __init__(self, shown):
        self.shown = shown

    def _repr_png_(self):
        if isinstance(self.shown, BaseException):
            raise self.shown
        return self.shown


@pytest.mark.parametrize(
    "shown",
    [
        PNG,
        bytearray(PNG),
        b64encode(PNG).decode(),
        f"{b64encode(PNG).decode()}\n",
        (PNG, {"width": 3}),
        (b64encode(PNG).decode(), {}),
        (PNG,),
    ],
    ids=["bytes", "bytearray", "base64", "base64 line", "with metadata", "base64 with metadata", "alone"],
)
def test_what_a_notebook_would_show_is_loaded(shown):
    part = ContentPart.image(Shown(shown))
    assert part == ContentPart("image", data=PNG, mime_type="image/png")
    assert type(part.data) is bytes


@pytest.mark.parametrize(
    ("shown", "culprit"),
    [
        (None, "NoneType"),
        ((None, {}), "NoneType"),
        ((), "NoneType"),
        (3, "int"),
        ([PNG], "list"),
        (b"", "bytes"),
        ("", "bytes"),
        ("not base64!", "base64"),
        ("\u00e9", "base64"),
        ("\ud800", "UnicodeEncodeError"),
        (RuntimeError("secret"), "RuntimeError"),
    ],
    ids=[
        "None",
        "None with metadata",
        "empty tuple",
        "number",
        "list",
        "no bytes",
        "no text",
        "no base64",
        "no ASCII",
        "lone surrogate",
        "raises",
    ],
)
def test_what_shows_nothing_is_refused(shown, culprit):
    text = refusal(Shown(shown))
    assert text.startswith("source:")
    assert culprit in text
    assert "secret" not in text


def test_an_interrupt_while_drawing_passes():
    with pytest.raises(KeyboardInterrupt):
        ContentPart.image(Shown(KeyboardInterrupt()))


def test_a_drawing_that_raises_our_own_error_passes_it_on():
    assert refusal(Shown(ContentPartError("mine"))) == "mine"


def test_a_drawing_is_an_image_for_every_loader_that_takes_one():
    assert ContentPart.file(Shown(PNG)) == ContentPart("file", data=PNG, mime_type="image/png")
    with pytest.raises(ContentPartError, match=r"^mime_type:"):
        ContentPart.audio(Shown(PNG))


# What only seems to draw


@pytest.mark.parametrize("source", [Image.Image, Figure, Shown, PlotlyLike, Image], ids=lambda source: source.__name__)
def test_a_class_or_module_is_no_drawing(source):
    with pytest.raises(TypeError, match=rf"^source: .*\b{type(source).__name__}$"):
        ContentPart.image(source)


def test_a_module_with_functions_of_the_same_names_is_no_drawing():
    module = ModuleType("pyplot")
    module.savefig = module.to_image = module.getbands = lambda *args, **kwargs: PNG
    assert to_png(module, None) is None


class Yes:
    """An object that has every attribute."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: PNG


class Chain:
    """An object whose every attribute and every call is itself."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


class Record(dict):
    """A mapping whose members are attributes, `None` where there is none."""

    def __getattr__(self, name):
        return self.get(name)


class Raises:
    """An object whose every attribute raises."""

    def __getattr__(self, name):
        raise RuntimeError("secret")


class NamedShown(Shown):
    """A drawing whose other attributes raise."""

    def __getattribute__(self, name):
        if name in ("savefig", "to_image", "getbands"):
            raise RuntimeError("secret")
        return super().__getattribute__(name)

    def savefig(self, file):
        raise AssertionError

    to_image = getbands = savefig


class Property:
    """An object whose drawing is no method."""

    @property
    def _repr_png_(self):
        raise RuntimeError("secret")


@pytest.mark.parametrize(
    "make",
    [MagicMock, Mock, NonCallableMock, Yes, Chain, Record, Raises, Property, lambda: SimpleNamespace(savefig=print)],
    ids=["MagicMock", "Mock", "NonCallableMock", "yes", "chain", "record", "raises", "property", "namespace"],
)
def test_an_object_that_answers_anything_is_no_drawing_and_one_typed_error(make):
    source = make()
    assert to_png(source, None) is None
    with pytest.raises((ContentPartError, TypeError), match=r"^source:") as caught:
        ContentPart.image(source, max_bytes=100)
    assert "secret" not in str(caught.value)


def test_a_method_that_cannot_be_looked_up_does_not_hide_the_next_one():
    assert to_png(NamedShown(PNG), None) == PNG


@pytest.mark.parametrize("name", ["mode", "save", "is_animated"])
def test_a_picture_whose_attribute_raises_is_refused(name):
    def fail(self):
        raise RuntimeError("secret")

    kind = type("Odd", (Image.Image,), {name: property(fail)})
    source = object.__new__(kind)
    text = refusal(source)
    assert text.startswith("source: this Odd ")
    assert "secret" not in text


def test_no_drawing_library_is_loaded_by_the_package_or_by_loading_a_file(tmp_path):
    (tmp_path / "x.png").write_bytes(PNG)
    script = """
import json, sys
import toolresult
toolresult.ContentPart.image("x.png")
toolresult.ContentPart.image("x.png", root=".")
toolresult.ContentPart.image(bytearray(b"\\x89PNG\\r\\n\\x1a\\n"))
try:
    toolresult.ContentPart.image(object())
except TypeError:
    print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=tmp_path)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert loaded.isdisjoint({"PIL", "matplotlib", "plotly", "kaleido", "numpy", "IPython", "seaborn"})


def test_drawing_an_animation_leaves_it_at_its_frame():
    frames = [Image.new("RGB", (4, 4), color) for color in ("red", "lime", "blue")]
    buffer = io.BytesIO()
    frames[0].save(buffer, format="GIF", save_all=True, append_images=frames[1:])
    animation = Image.open(buffer)
    animation.seek(1)
    ContentPart.image(animation)
    assert animation.tell() == 1


def test_what_a_drawing_writes_is_bounded_while_it_is_written():
    noise = Image.frombytes("RGB", (200, 200), random.Random(1).randbytes(120_000))
    with pytest.raises(ContentPartError, match=r"^source: .*max_bytes=1000"):
        ContentPart.image(noise, max_bytes=1000)


def test_an_image_of_too_many_pixels_is_refused_before_it_is_drawn():
    class Huge:
        mode, width, height, n_frames = "RGB", 1000, 1000, 10**7

        def getbands(self):
            return ("R", "G", "B")

        def tell(self):
            return 0

    with pytest.raises(ContentPartError, match=r"^source: .*pixels"):
        ContentPart.image(Huge())


def test_a_drawing_that_is_no_png_is_refused():
    class Text:
        def _repr_png_(self):
            return b"hello"

    with pytest.raises(ContentPartError, match=r"^source: .*no PNG"):
        ContentPart.file(Text())
