"""Untrusted bytes to an RGB picture, or one sentence that says why not. Never anything else."""

from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from math import sqrt
from threading import BoundedSemaphore

from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from vitviz.images.containers import MOST_PIXELS, Container, ImageError, damaged, read_container
from vitviz.images.deep import eight_bits, eight_bits_of_grey, lower_bytes
from vitviz.images.says import NOTES, REFUSALS, SMALLER
from vitviz.machine.wanted import while_wanted
from vitviz.numbers import bytes_, exact

MOST_BYTES = 20_000_000
LONGEST_RATIO = 30
SIDE = 2048  # pixels that the longer side keeps, more than any page shows
ROWS = 1024  # that the shorter side keeps, more than published models read: a panorama is not enlarged again
MOST_KEPT = 2 * SIDE**2  # pixels; the longest strip then keeps 529 rows
STRIP_PIXELS = 2**20  # converted at once, so that no conversion holds a second copy of a huge picture

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
    """The first picture in a JPEG, PNG, WebP, GIF or BMP file: RGB, upright, and of the size `kept` tells.

    `image.info["notes"]` is a tuple of sentences worth telling the user, `image.info["transparent"]` whether anything
    was laid on white; no metadata of the file is kept.

    Raises `ImageError`, and only that, whatever the bytes are.
    """
    if len(data) > MOST_BYTES:
        raise ImageError(REFUSALS["bytes"].format(size=bytes_(len(data)), limit=bytes_(MOST_BYTES)))
    container = read_container(data)
    _check_size(container)
    with _gate:
        try:
            return _decode(container)
        except ImageError:
            raise
        except MemoryError as error:
            raise ImageError(REFUSALS["memory"]) from error
        except Exception as error:  # decoders raise what they like: OSError, SyntaxError, ValueError, struct.error ...
            raise damaged(container.format) from error


def _check_size(container: Container) -> None:
    """Refuse pictures with too many pixels before a decoder allocates memory for them."""
    width, height, limit = container.width, container.height, container.most_pixels
    if width < 1 or height < 1:
        raise damaged(container.format)
    size = {"width": exact(width), "height": exact(height)}
    if max(width, height) > LONGEST_RATIO * min(width, height):
        raise ImageError(REFUSALS["thread"].format(**size, limit=LONGEST_RATIO))
    if width * height > limit:
        raise ImageError(
            REFUSALS["pixels"].format(
                **size,
                million=f"{width * height / 1e6:,.1f}",
                kind=container.kind or container.format,
                limit=f"{limit / 1e6:.0f}",
                smaller=SMALLER["all" if width * height > MOST_PIXELS else "kind"],
            )
        )


def _decode(container: Container) -> Image.Image:
    notes = []
    if container.frames > 1:
        notes.append(NOTES["frames"].format(frames=exact(container.frames)))
    with _DECODERS[container.format](BytesIO(container.drawing)) as image:
        if image.size != (container.width, container.height):
            raise damaged(container.format)
        shrink = _shrink(image.size)
        image.draft(None, (image.width // shrink, image.height // shrink))  # JPEG: decoded at 1/2, 1/4 or 1/8
        lower = lower_bytes(image, container.drawing)
        image.load()
        if image.mode == "CMYK":
            notes.append(NOTES["printing"])
        if lower or image.mode.startswith("I"):
            notes.append(NOTES["deep"])
        picture, transparent = _small_rgb(image, lower)
    if transparent:
        notes.append(NOTES["transparent"])
    if container.orientation in _UPRIGHT:
        picture = picture.transpose(_UPRIGHT[container.orientation])
    picture.info = {"notes": tuple(notes), "transparent": transparent}
    return picture


def reduced_size(size: tuple[int, int]) -> tuple[int, int]:
    """The size at which a picture of `size` is kept: whole, or as much smaller as SIDE, ROWS and MOST_KEPT allow."""
    shorter, longer = sorted(size)
    scale = min(1, max(SIDE / longer, min(ROWS / shorter, sqrt(MOST_KEPT / (shorter * longer)))))
    rows = int(shorter * scale + 1e-9)
    columns = round(longer * rows / shorter)  # so that the model finds the proportions as they were
    return (rows, columns) if size[0] < size[1] else (columns, rows)


def _shrink(size: tuple[int, int]) -> int:
    """By what whole number a picture can be made smaller and still be no smaller than it is kept."""
    return max(size) // max(reduced_size(size))


def _small_rgb(image: Image.Image, lower: Image.Image | None) -> tuple[Image.Image, bool]:
    """The picture in RGB at the size that is kept, and whether anything in it was transparent.

    Works in strips of whole rows, each shrunk by a whole number before the next is converted. `lower` holds the lower
    bytes of values of 16 bits.
    """
    width, height = image.size
    shrink = _shrink(image.size)
    rows = max(1, STRIP_PIXELS // (width * shrink)) * shrink
    picture = Image.new("RGB", (-(-width // shrink), -(-height // shrink)), "white")
    transparent = False
    for top in while_wanted(range(0, height, rows)):
        area = (0, top, width, min(top + rows, height))
        strip = image.crop(area)
        strip = _rgb(eight_bits(strip, lower.crop(area)) if lower else strip)
        small = strip.reduce(shrink)
        picture.paste(small, (0, top // shrink), small if strip.mode == "RGBA" else None)
        transparent |= strip.mode == "RGBA"
    if picture.size != reduced_size(image.size):
        box = (0.0, 0.0, width / shrink, height / shrink)
        picture = picture.resize(reduced_size(image.size), Image.Resampling.BICUBIC, box, reducing_gap=2)
    return picture, transparent


def _rgb(image: Image.Image) -> Image.Image:
    """Any mode to RGB, or to RGBA where something in it is transparent."""
    if image.mode.startswith("I"):
        image = eight_bits_of_grey(image)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        if image.getchannel("A").getextrema() != (255, 255):
            return image
    return image.convert("RGB")
