"""The pictures that are always there: scenes drawn like those the demo model learned from, and photographs."""

from functools import cache
from io import BytesIO

from PIL import Image

from vitviz.images import PHOTOS, open_image
from vitviz.ui.selection import Picture

THUMBNAIL = 112  # pixels; shown at half of that


@cache
def samples() -> dict[str, Picture]:
    """All samples by id, the first one first."""
    from vitviz.demo.samples import SAMPLES

    scenes = [
        Picture(it.id, it.title, f"A drawn scene: {it.title}.", _png(it.scene.image), drawn=True) for it in SAMPLES
    ]
    photos = [Picture(it.id, it.title, it.alt, it.read()) for it in PHOTOS]
    return {picture.id: picture for picture in scenes + photos}


def first() -> Picture:
    """The picture that everybody sees first."""
    return next(iter(samples().values()))


@cache
def thumbnails() -> dict[str, bytes]:
    """Small square JPEGs of all samples, by id."""
    return {id: _thumbnail(open_image(picture.data)) for id, picture in samples().items()}


def _thumbnail(image: Image.Image) -> bytes:
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    small = image.resize((THUMBNAIL, THUMBNAIL), box=(left, top, left + side, top + side))
    buffer = BytesIO()
    small.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


def _png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
