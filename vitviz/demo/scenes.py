"""Small pictures with a right answer: one of twelve things, or two balls and how they lie to each other.

A scene is decided by its seed alone. The class is the seed modulo 16, so any 16 seeds in a row hold each class once.
"""

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from vitviz.demo.drawings.canvas import Canvas, Point, hsv
from vitviz.demo.drawings.nature import butterfly, cat, fish, flower, mushroom, tree
from vitviz.demo.drawings.objects import ball, car, house, rocket, sailboat, snowman, umbrella
from vitviz.machine.wanted import require_wanted

SIZE = 96
SCALE = 3  # things are drawn this much larger, then reduced: smooth edges
# Each takes its colours and small variations from the random numbers it gets.
THINGS = (house, tree, car, sailboat, fish, flower, cat, mushroom, rocket, butterfly, snowman, umbrella)
RELATIONS = ("left of", "right of", "above", "below")
OPPOSITE = (1, 0, 3, 2)  # by place among the relations: where red and blue have exchanged their places
CLASSES = (*(thing.__name__ for thing in THINGS), *(f"red ball {relation} blue ball" for relation in RELATIONS))
# Each of several classes that models were trained to name; what they have in common nobody told them.
FAMILIES = {
    "plants and mushrooms": ("tree", "flower", "mushroom"),
    "vehicles": ("car", "sailboat", "rocket"),
    "animals": ("fish", "cat", "butterfly"),
    "other things": ("house", "snowman", "umbrella"),
}
OBJECTS = ("background", *CLASSES[: len(THINGS)], "red ball", "blue ball")
RED, BLUE = OBJECTS.index("red ball"), OBJECTS.index("blue ball")

_ROWS, _COLUMNS = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) / (SIZE - 1)
# Top brighter, left warmer, hardly visible. In a world whose pictures are as likely as their mirror images, position
# embeddings learn left from right only very late; this faint light makes the two differ from the first step on.
LIGHT = (1 - 2 * _ROWS)[..., None] * np.float32(20) + (1 - 2 * _COLUMNS)[..., None] * np.array([16, 0, -16], np.float32)


class Scene(NamedTuple):
    """A picture, the class it belongs to, and where the thing or the balls are."""

    image: Image.Image
    label: int
    mask: NDArray[np.bool_]


def members(name: str) -> tuple[str, ...]:
    """The classes of scenes that a family has; of a class, itself."""
    return FAMILIES.get(name, (name,))


def render(seed: int, exchanged: bool = False) -> Scene:
    """The scene of a seed: RGB image of 96 x 96, index into `CLASSES`, mask of the target `y x`."""
    image, objects = paint(seed, exchanged=exchanged)
    label = seed % len(CLASSES)
    if exchanged and label >= len(THINGS):
        label = len(THINGS) + OPPOSITE[label - len(THINGS)]
    return Scene(image, label, objects > 0)


def paint(seed: int, light: float = 1, exchanged: bool = False) -> tuple[Image.Image, NDArray[np.uint8]]:
    """The picture of a seed and, for each pixel `y x`, which of `OBJECTS` it shows.

    `light` 0 takes the faint light away, -1 lets it come from the other side; nothing else changes. Nor does it where
    two balls have `exchanged` their colours.
    """
    require_wanted()
    rnd = Random(seed)
    pixels = np.asarray(_background(rnd), np.float32)
    objects = np.zeros((SIZE, SIZE), np.uint8)
    label = seed % len(CLASSES)
    if label < len(THINGS):
        canvas = _thing(rnd, label)
        pixels, cover = _put(pixels, canvas)
        objects[cover] = label + 1
    else:
        canvas, red, blue = _balls(rnd, RELATIONS[label - len(THINGS)], exchanged)
        pixels, cover = _put(pixels, canvas)
        objects[cover] = np.where(_distance(red)[cover] < _distance(blue)[cover], RED, BLUE)
    return _photograph(rnd, pixels, light), objects


def _thing(rnd: Random, label: int) -> Canvas:
    size = rnd.uniform(15, 29)
    margin = size * 0.72  # of a thing at the edge about 15 % may lie outside
    canvas = Canvas(SIZE * SCALE, hsv(rnd.random(), 0.5, 0.2))
    canvas.place(
        centre=(SCALE * rnd.uniform(margin, SIZE - margin), SCALE * rnd.uniform(margin, SIZE - margin)),
        size=SCALE * size,
        angle=rnd.uniform(-0.26, 0.26),
        stretch=rnd.uniform(0.93, 1.07),
        mirror=rnd.random() < 0.5,
    )
    THINGS[label](canvas, rnd)
    return canvas


def _balls(rnd: Random, relation: str, exchanged: bool) -> tuple[Canvas, Point, Point]:
    """Both balls, wholly inside the picture, and the centres of the red and the blue one."""
    along = rnd.uniform(28, 52)
    across = along * rnd.uniform(-0.5, 0.5)
    dx, dy = {
        "left of": (along, across),
        "right of": (-along, across),
        "above": (across, along),
        "below": (across, -along),
    }[relation]
    edge = 14
    x = rnd.uniform(edge + max(0, -dx), SIZE - edge - max(0, dx))
    y = rnd.uniform(edge + max(0, -dy), SIZE - edge - max(0, dy))
    red, blue = (x, y), (x + dx, y + dy)
    canvas = Canvas(SIZE * SCALE, hsv(rnd.uniform(0.7, 0.8), 0.6, 0.22))
    hues = (0.61, 0.0) if exchanged else (0.0, 0.61)
    for centre, hue in zip((red, blue), hues, strict=True):
        canvas.place((SCALE * centre[0], SCALE * centre[1]), SCALE * rnd.uniform(7.5, 12))
        ball(canvas, hue + rnd.uniform(-0.025, 0.025))
    return (canvas, blue, red) if exchanged else (canvas, red, blue)


def _distance(point: Point) -> NDArray[np.float32]:
    """Squared distance of every pixel from a point, `y x`, in pixels."""
    return (_COLUMNS * (SIZE - 1) - point[0]) ** 2 + (_ROWS * (SIZE - 1) - point[1]) ** 2


def _put(pixels: NDArray[np.float32], canvas: Canvas) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Lay what the canvas drew on the picture, with an outline and a soft shadow; also return where it covers."""
    cover = canvas.mask.reduce(SCALE)
    shadow = Image.new("L", cover.size)
    shadow.paste(cover, (2, 3))
    shadow = shadow.filter(ImageFilter.BoxBlur(2))
    pixels = pixels * (1 - np.asarray(shadow, np.float32)[..., None] * np.float32(0.3 / 255))
    outlined = np.asarray(cover.filter(ImageFilter.MaxFilter(3)), np.float32)[..., None] / np.float32(255)
    layer = np.asarray(canvas.layer.reduce(SCALE), np.float32)
    return pixels + (layer - pixels) * outlined, np.asarray(cover) >= 128


def _background(rnd: Random) -> Image.Image:
    """A quiet ground with some clutter on it."""
    side = 2 * SIZE
    hue, saturation, value = rnd.random(), rnd.uniform(0.08, 0.42), rnd.uniform(0.6, 0.95)

    def near(spread: float) -> tuple[int, ...]:
        return hsv(
            hue + spread * rnd.uniform(-0.12, 0.12),
            min(1, max(0, saturation + spread * rnd.uniform(-0.2, 0.2))),
            min(1, max(0, value + spread * rnd.uniform(-0.22, 0.22))),
        )

    kind = rnd.random()
    if kind < 0.75:
        cells = 2 if kind < 0.35 else rnd.randrange(4, 8)
        small = Image.new("RGB", (cells, cells))
        small.putdata([near(1) for _ in range(cells * cells)])
        ground = small.resize((side, side), Image.Resampling.BICUBIC)
    else:
        ground = Image.new("RGB", (side, side), near(0.5))
    draw = ImageDraw.Draw(ground, "RGBA")
    if kind >= 0.75:
        colour, step = near(0.8), rnd.randrange(18, 44)
        slant = rnd.randrange(-side, side)
        for x in range(-2 * side, 2 * side, 2 * step):
            draw.polygon([(x, 0), (x + step, 0), (x + step + slant, side), (x + slant, side)], colour)
        if kind >= 0.88:
            for y in range(0, side, 2 * step):
                draw.rectangle((0, y, side, y + step), (*near(0.8), 128))
    for _ in range(rnd.randrange(4, 13)):
        _clutter(draw, rnd, (rnd.uniform(0, side), rnd.uniform(0, side)), (*near(2), rnd.randrange(110, 230)))
    return ground.reduce(2)


def _clutter(draw: ImageDraw.ImageDraw, rnd: Random, at: Point, colour: tuple[int, ...]) -> None:
    x, y = at
    size = rnd.uniform(5, 18)
    match rnd.randrange(4):
        case 0:
            draw.ellipse((x - size / 2, y - size / 2, x + size / 2, y + size / 2), colour)
        case 1:
            end = x + rnd.uniform(-2, 2) * size, y + rnd.uniform(-2, 2) * size
            draw.line((x, y, *end), colour, rnd.randrange(2, 6))
        case 2:
            draw.polygon([(x + rnd.uniform(-1, 1) * size, y + rnd.uniform(-1, 1) * size) for _ in range(3)], colour)
        case _:
            start = rnd.randrange(360)
            draw.arc((x - size, y - size, x + size, y + size), start, start + rnd.randrange(90, 240), colour, 4)


def _photograph(rnd: Random, pixels: NDArray[np.float32], light: float) -> Image.Image:
    """Exposure, grain, and the faint light that every picture has."""
    exposure, grain, light = rnd.uniform(0.8, 1.15), rnd.uniform(1, 9), light * rnd.uniform(0.5, 1.5)
    noise = np.random.default_rng(rnd.getrandbits(64)).standard_normal(pixels.shape, np.float32)
    pixels = pixels * np.float32(exposure) + noise * np.float32(grain) + LIGHT * np.float32(light)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
