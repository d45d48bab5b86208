"""Pictures that visitors bring."""

import random
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

from vitviz.images import PHOTOS

SIZE = 1600, 1200  # pixels


def photograph(seed: int) -> bytes:
    """A JPEG that no other seed gives."""
    chance = random.Random(seed)
    sky = np.random.default_rng(seed).integers(0, 256, (12, 16, 3), np.uint8)
    picture = Image.fromarray(sky).resize(SIZE, Image.Resampling.BICUBIC)
    for _ in range(6):
        x, y, size = chance.randrange(1400), chance.randrange(1000), chance.randrange(80, 400)
        ImageDraw.Draw(picture).ellipse((x, y, x + size, y + size), fill=chance.randrange(1 << 24))
    return _jpeg(picture)


def snapshot(seed: int) -> bytes:
    """A JPEG cut out of a sample photograph, slightly turned, as no other seed cuts it."""
    chance = random.Random(seed)
    whole = Image.open(BytesIO(PHOTOS[seed % len(PHOTOS)].read())).convert("RGB")
    turned = whole.rotate(chance.uniform(-15, 15), Image.Resampling.BICUBIC)
    share = chance.uniform(0.5, 0.6)  # of each side: no corner of it lies outside of what was turned
    left, top = (side * (1 - share + chance.uniform(-0.05, 0.05)) / 2 for side in turned.size)
    box = left, top, left + share * turned.width, top + share * turned.height
    return _jpeg(turned.resize(SIZE, Image.Resampling.BICUBIC, box))


def _jpeg(picture: Image.Image) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=88)
    return buffer.getvalue()
