"""Bytes from a stranger to an RGB picture, or one sentence that says why not. Never anything else."""

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from threading import BoundedSemaphore

import numpy as np
from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from vitviz.images.containers import MOST_PIXELS, Container, ImageError, damaged, read_container
from vitviz.numbers import bytes_, exact

MOST_BYTES = 20_000_000
LONGEST_RATIO = 30
SIDE = 2048  # of the picture returned: more than any model or page here shows
STRIP_PIXELS = 2**22  # converted at once, so that no conversion holds a second copy of a huge picture

# The decoders are named one by one: `Image.open` would look at the bytes again, and warn before we can say no.
_DECODERS: dict[str, Callable[[BytesIO], ImageFile]] = {
    "JPEG": JpegImageFile,
    "PNG": PngImageFile,
    "WebP": WebPImageFile,
    "GIF": GifImageFile,
    "BMP": BmpImageFile,
}

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# One decoded picture may need some hundred megabytes: two at a time in the whole process, the others wait.
_gate = BoundedSemaphore(2)


def digest(data: bytes) -> str:
    """The name of a file's content: sha256, 64 hexadecimal digits; the picture's part of every cache key."""
    return sha256(data).hexdigest()


def open_image(data: bytes) -> Image.Image:
    """The first picture in a JPEG, PNG, WebP, GIF or BMP file: RGB, upright, at most 2048 pixels on the longer side.

    `image.info["notes"]` is a tuple of sentences worth telling the user; no metadata of the file is kept.

    Raises `ImageError`, and only that, whatever the bytes are.
    """
    if len(data) > MOST_BYTES:
        raise ImageError(
            f"The file has {bytes_(len(data))} and the limit is {bytes_(MOST_BYTES)}; "
            "save the picture smaller, or as JPEG, and upload that."
        )
    container = read_container(data)
    _check_size(container)
    with _gate:
        try:
            return _decode(container)
        except ImageError:
            raise
        except MemoryError as error:
            raise ImageError("There is not enough memory for this picture now; upload a smaller copy.") from error
        except Exception as error:  # decoders raise what they like: OSError, SyntaxError, ValueError, struct.error ...
            raise damaged(container.format) from error


def _check_size(container: Container) -> None:
    """Refuse what nobody photographs before a decoder makes room for it."""
    width, height, limit = container.width, container.height, container.most_pixels
    if width < 1 or height < 1:
        raise damaged(container.format)
    size = f"The picture has {exact(width)} × {exact(height)} pixels"
    if max(width, height) > LONGEST_RATIO * min(width, height):
        raise ImageError(
            f"{size}, and the longer side may be {LONGEST_RATIO} times the shorter at most; crop it and upload that."
        )
    if width * height > limit:
        way_out = "smaller" if width * height > MOST_PIXELS else "as baseline JPEG, or smaller,"
        raise ImageError(
            f"{size}, {width * height / 1e6:,.1f} million, and the limit for {container.kind or container.format} is "
            f"{limit / 1e6:.0f} million; save it {way_out} and upload that."
        )


def _decode(container: Container) -> Image.Image:
    notes = []
    if container.frames > 1:
        notes.append(f"Frame 1 of {exact(container.frames)}.")
    with _DECODERS[container.format](BytesIO(container.drawing)) as image:
        if image.size != (container.width, container.height):
            raise damaged(container.format)
        shrink = _shrink(image.size)
        image.draft(None, (image.width // shrink, image.height // shrink))  # JPEG: decoded at 1/2, 1/4 or 1/8
        image.load()
        if image.mode == "CMYK":
            notes.append("Printing colours (CMYK) are shown approximately.")
        if image.mode.startswith("I"):
            notes.append("16-bit grey values are shown in 8 bits.")
        picture, transparent = _small_rgb(image)
    if transparent:
        notes.append("Transparent areas are shown on white.")
    if container.orientation in _UPRIGHT:
        picture = picture.transpose(_UPRIGHT[container.orientation])
    picture.info = {"notes": tuple(notes)}
    return picture


def _shrink(size: tuple[int, int]) -> int:
    """By what whole number a picture can be made smaller and still have SIDE pixels on its longer side."""
    return max(1, max(size) // SIDE)


def _small_rgb(image: Image.Image) -> tuple[Image.Image, bool]:
    """The picture in RGB, its longer side at most SIDE, and whether anything in it was transparent.

    Works in strips of whole rows, each shrunk by a whole number before the next is converted.
    """
    width, height = image.size
    shrink = _shrink(image.size)
    rows = max(1, STRIP_PIXELS // (width * shrink)) * shrink
    picture = Image.new("RGB", (-(-width // shrink), -(-height // shrink)), "white")
    transparent = False
    for top in range(0, height, rows):
        strip = _rgb(image.crop((0, top, width, min(top + rows, height))))
        small = strip.reduce(shrink)
        picture.paste(small, (0, top // shrink), small if strip.mode == "RGBA" else None)
        transparent |= strip.mode == "RGBA"
    picture.thumbnail((SIDE, SIDE))
    return picture, transparent


def _rgb(image: Image.Image) -> Image.Image:
    """Any mode to RGB, or to RGBA where something in it is transparent."""
    if image.mode.startswith("I"):
        image = _eight_bits(image)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        if image.getchannel("A").getextrema() != (255, 255):
            return image
    return image.convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """16-bit grey to 8 bits: v / 257, rounded; a key value for "transparent" becomes an alpha channel."""
    values = np.asarray(image).astype(np.uint32)
    grey = Image.fromarray(((values + 128) // 257).astype(np.uint8))
    if "transparency" in image.info:
        grey.putalpha(Image.fromarray(np.where(values == image.info["transparency"], 0, 255).astype(np.uint8)))
    return grey
