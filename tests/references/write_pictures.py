"""Write down what Pillow makes of pictures, and what models read of them, for the browser's own resizing.

Run from the root of the repository: `python -m tests.references.write_pictures`. `tests/frontend/picture` holds the
scripts to what stands in the file, `tests/unit/images/test_in_the_browser.py` Pillow.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from einops import rearrange
from numpy.typing import NDArray
from PIL import Image

from vitviz.images import DEMO, Crop, Preprocess, for_size
from vitviz.weights import load

FILE = Path(__file__).parents[1] / "frontend/picture/pictures.json"
MODES = {1: "L", 3: "RGB", 4: "CMYK"}  # four channels that Pillow resizes as they are
RESAMPLING = {"bicubic": Image.Resampling.BICUBIC, "bilinear": Image.Resampling.BILINEAR}
SIZES = ((600, 400), (400, 600), (97, 511), (2000, 69), (1, 1), (3, 511), (517, 516), (224, 224), (1023, 683))
CROPS = ((250, 100, 500), (0, 0, 1000), (999, 333, 77), (99_999, 99_999, 500), (0, 0, 1))


def made(width: int, height: int, channels: int, seed: int) -> NDArray[np.uint8]:
    """Noise, `h w c`, that scripts make alike; of every third seed black and white alone, so that filters overshoot."""
    value = (np.arange(width * height * channels, dtype=np.uint32) + np.uint32(seed)) * np.uint32(2_654_435_761)
    value = (value ^ value >> np.uint32(15)) * np.uint32(2_246_822_519)
    noise = (value >> np.uint32(24)).astype(np.uint8)
    if seed % 3 == 0:
        noise = np.where(noise < 128, 0, 255).astype(np.uint8)
    return noise.reshape(height, width, channels)


def digest(data: bytes) -> str:
    """Enough of its sha256."""
    return sha256(data).hexdigest()[:16]


def picture(values: NDArray[np.uint8]) -> Image.Image:
    """The same as a picture of Pillow's."""
    height, width, channels = values.shape
    return Image.frombytes(MODES[channels], (width, height), values.tobytes())


def resized() -> Iterator[dict[str, Any]]:
    """Pictures of all shapes, made smaller and larger, whole and in part."""
    rnd = Random(0)
    shapes = ((200, 200), (1, 300), (300, 1), (700, 30), (30, 700))
    for seed in range(160):
        most = shapes[seed % len(shapes)]
        width, height = (rnd.randint(1, it) for it in most)
        size = (rnd.choice([width, rnd.randint(1, 250)]), rnd.choice([height, rnd.randint(1, 250)]))
        name, channels, box = rnd.choice(list(RESAMPLING)), rnd.choice(list(MODES)), None
        if seed % 2:
            left, top = rnd.uniform(0, 0.9 * width), rnd.uniform(0, 0.9 * height)
            box = (left, top, rnd.uniform(left + width / 50, width), rnd.uniform(top + height / 50, height))
        of = picture(made(width, height, channels, seed)).resize(size, RESAMPLING[name], box)
        case = {"of": (width, height, channels, seed), "size": size, "filter": name, "digest": digest(of.tobytes())}
        yield case | ({"box": box} if box else {})


def reduced() -> Iterator[dict[str, Any]]:
    """Pictures made smaller by whole numbers."""
    rnd = Random(1)
    for seed in range(40):
        width, height, channels = rnd.randint(1, 400), rnd.randint(1, 90), rnd.choice(list(MODES))
        factor = seed % 20 + 1
        small = picture(made(width, height, channels, seed)).reduce(factor)
        yield {"of": (width, height, channels, seed), "factor": factor, "digest": digest(small.tobytes())}


def rules() -> dict[str, tuple[Preprocess, tuple[int, int]]]:
    """How models want their pictures, with rows and columns of a patch."""
    photo = load("photo")
    return {
        "demo": (DEMO, (16, 16)),
        "photo": (photo.preprocess, photo.model.config.patch_sides),
        "vit_tiny_patch16_224": (for_size(224), (16, 16)),
        "squashed": (Preprocess(32, 1.0, "squash", "bilinear"), (8, 8)),
        "wide": (Preprocess((64, 128), 0.77, mean=(0.48, 0.457, 0.4), std=(0.26, 0.2, 1 / 3)), (16, 8)),
        "huge": (Preprocess(640, 0.05), (32, 32)),
    }


def read() -> Iterator[dict[str, Any]]:
    """What models read: the crop of their own, or one that was chosen; where it lies; its patches."""
    for number, (name, (rule, (tall, wide))) in enumerate(rules().items()):
        for seed, (width, height) in enumerate(SIZES if name != "huge" else ((600, 20), (20, 600))):
            image = picture(made(width, height, 3, seed))
            for chosen in (None, CROPS[(seed + number) % len(CROPS)]):
                part = Crop(*chosen) if chosen else None
                cropped = rule.crop(image, part)
                patches = rearrange(
                    rule.normalised(cropped)[0], "c (gh ph) (gw pw) -> (gh gw) (c ph pw)", ph=tall, pw=wide
                )
                yield {
                    "rule": name,
                    "of": (width, height, 3, seed),
                    "chosen": chosen and asdict(Crop(*chosen)),
                    "box": rule.box(image, part),
                    "crop": digest(cropped.tobytes()),
                    "patches": digest(patches.numpy().tobytes()),
                }


def cases() -> dict[str, Any]:
    """All that stands in the file."""
    return {
        "rules": {
            name: {**asdict(rule), "sides": rule.sides, "patch": patch} for name, (rule, patch) in rules().items()
        },
        "resized": list(resized()),
        "reduced": list(reduced()),
        "read": list(read()),
    }


def written() -> str:
    """The text of the file: each case in a line."""
    parts = []
    for name, each in cases().items():
        if isinstance(each, dict):
            lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in each.items()]
        else:
            lines = [json.dumps(case) for case in each]
        opens, closes = "{}" if isinstance(each, dict) else "[]"
        parts.append(f"{json.dumps(name)}: {opens}\n" + ",\n".join(lines) + f"\n{closes}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
