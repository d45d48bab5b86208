"""The buttons of the samples: each bears its picture."""

from base64 import b64encode
from functools import cache
from io import BytesIO

from PIL import Image

from vitviz.images import open_image
from vitviz.samples import samples

THUMBNAIL = 112  # pixels; shown at half of that


@cache
def style() -> str:
    """Small square JPEGs of all samples for the whole page: `--sample-cat` and so on, and on their buttons."""
    small = {id: _thumbnail(open_image(picture.data)) for id, picture in samples().items()}
    urls = "".join(f'--sample-{id}:url("data:image/jpeg;base64,{b64encode(it).decode()}");' for id, it in small.items())
    rules = "".join(
        f".st-key-sample button:nth-of-type({place}){{background-image:var(--sample-{id})}}"
        for place, id in enumerate(small, start=1)
    )
    return f"<style>:root{{{urls}}}{rules}</style>"


def _thumbnail(image: Image.Image) -> bytes:
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    small = image.resize((THUMBNAIL, THUMBNAIL), box=(left, top, left + side, top + side))
    buffer = BytesIO()
    small.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()
