"""Pictures that visitors bring."""

import random
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw


def photograph(seed: int) -> bytes:
    """A JPEG that no other seed gives."""
    chance = random.Random(seed)
    sky = np.random.default_rng(seed).integers(0, 256, (12, 16, 3), np.uint8)
    picture = Image.fromarray(sky).resize((1600, 1200), Image.Resampling.BICUBIC)
    for _ in range(6):
        x, y, size = chance.randrange(1400), chance.randrange(1000), chance.randrange(80, 400)
        ImageDraw.Draw(picture).ellipse((x, y, x + size, y + size), fill=chance.randrange(1 << 24))
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=88)
    return buffer.getvalue()
