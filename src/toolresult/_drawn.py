"""Objects that draw themselves: PIL images, matplotlib and plotly figures, and whatever has `_repr_png_`.

They are recognised by what they offer; no drawing library is imported. The outcome is always a PNG.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, Protocol, TypeAlias, cast

from toolresult._files import too_large
from toolresult._frozen import type_name
from toolresult._media import PNG_SIGNATURE
from toolresult.errors import ContentPartError

# Modes that PNG has no form for, and the nearest one that it has (Pillow's handbook, "Concepts: Modes"). Others that
# it refuses, such as floating point, have no faithful one.
_NEAREST_MODE = {
    "CMYK": "RGB",
    "YCbCr": "RGB",
    "LAB": "RGB",
    "HSV": "RGB",
    "RGBX": "RGB",
    "RGBa": "RGBA",
    "La": "LA",
    "PA": "RGBA",
}


_MAX_PIXELS = 2**27  # of all frames together; drawing more takes minutes and gigabytes


class _Canvas(BytesIO):
    """What drawings are written to; it stops at `max_bytes`."""

    def __init__(self, max_bytes: int | None) -> None:
        self._max_bytes = max_bytes

    def write(self, data: Any, /) -> int:
        if self._max_bytes is not None and self.tell() + len(data) > self._max_bytes:
            raise too_large(self._max_bytes)
        return super().write(data)


class ShowsPng(Protocol):
    """An object that shows itself in notebooks as a PNG, such as a PIL image."""

    def _repr_png_(self) -> Any: ...


class SavesFigure(Protocol):
    """A matplotlib figure."""

    def savefig(self, fname: Any) -> Any:
        """Draw into a binary file object."""
        ...


class WritesImage(Protocol):
    """A plotly figure."""

    def to_image(self, format: str) -> Any:
        """Return the drawing as bytes."""
        ...


Drawn: TypeAlias = ShowsPng | SavesFigure | WritesImage


def to_png(source: object, max_bytes: int | None, *, is_optional: bool = False) -> bytes | None:
    """Draw an object, or return `None` if it is none that can; with `is_optional` it may give no drawing, and has none.

    Raises:
        ContentPartError: it failed to draw itself; the text names the class of the error only.
    """
    for method, draw in _WAYS.items():
        if _offers(source, method):
            try:
                drawn: object = draw(source, _Canvas(max_bytes))
                if drawn is not None or not is_optional:
                    return _png_in(drawn)
            except ContentPartError:
                raise
            except Exception as error:
                raise ContentPartError(
                    f"source: this {type_name(source)} failed to draw itself: {type(error).__name__}; "
                    "save it to a file and load that"
                ) from error
    return None


def _offers(source: object, method: str) -> bool:
    """Say whether an object, not a class or module, has a method, whatever its attributes do when asked."""
    try:
        return callable(getattr(type(source), method, None)) and callable(getattr(source, method, None))
    except Exception:  # noqa: BLE001 - somebody's attribute may raise anything
        return False


def _draw_pil(image: Any, canvas: _Canvas) -> bytes:
    mode = _NEAREST_MODE.get(image.mode)
    count, shown = getattr(image, "n_frames", 1), image.tell()
    if count * image.width * image.height > _MAX_PIXELS:
        raise ContentPartError(f"source: this image has over {_MAX_PIXELS} pixels in its frames; make it smaller")
    frames = [_converted(image, n, mode) for n in range(count)] if mode else []
    # All frames of an animation: writing the first one only would lose the others in silence.
    (frames[0] if frames else image).save(canvas, format="PNG", save_all=count > 1, append_images=frames[1:])
    image.seek(shown)
    return canvas.getvalue()


def _converted(image: Any, number: int, mode: str) -> Any:
    if number != image.tell():
        image.seek(number)
    return image.convert(mode)


def _draw_matplotlib(figure: Any, canvas: _Canvas) -> bytes:
    figure.savefig(canvas, format="png")
    return canvas.getvalue()


def _draw_plotly(figure: Any, canvas: _Canvas) -> object:  # noqa: ARG001
    return figure.to_image(format="png")


def _draw_repr(source: Any, canvas: _Canvas) -> object:  # noqa: ARG001
    shown = cast("object", source._repr_png_())
    if isinstance(shown, tuple):  # with metadata behind it
        shown = next(iter(cast("tuple[object, ...]", shown)), None)
    if isinstance(shown, str):
        from toolresult._data_url import decode_base64

        return decode_base64(shown.encode(), None)
    return shown


_WAYS = {
    "getbands": _draw_pil,
    "savefig": _draw_matplotlib,
    "to_image": _draw_plotly,
    "_repr_png_": _draw_repr,
}
"""How to draw an object that has a method of this name."""


def _png_in(drawn: object) -> bytes:
    if isinstance(drawn, (bytes, bytearray)) and drawn.startswith(PNG_SIGNATURE):
        return bytes(drawn)
    raise ContentPartError(f"source: its drawing is {type_name(drawn)} that is no PNG; save it to a file and load that")
