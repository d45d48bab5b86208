"""Twelve things and a ball, each drawn by one function with one pen.

A thing lives in a square from -1 to 1, x to the right and y down; the pen knows where that square lies in the picture,
how large it is and how far it is turned. Every thing takes its colours and small variations from the `Random` it gets.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from colorsys import hsv_to_rgb
from random import Random

from PIL import Image, ImageDraw

Point = tuple[float, float]
Colour = tuple[int, ...]

CIRCLE = [(math.cos(i * math.tau / 28), math.sin(i * math.tau / 28)) for i in range(28)]
WHITE = (255, 253, 247)
CREAM = (250, 238, 214)
COAL = (38, 36, 48)
GLASS = (178, 222, 244)
SHADE = (24, 16, 60, 46)
SHINE = (255, 255, 255, 90)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Red, green and blue, 0 to 255, from a hue in turns (any whole turn more is the same) and two shares of one."""
    return tuple(round(255 * channel) for channel in hsv_to_rgb(hue % 1, saturation, value))


def curve(points: Sequence[Point], steps: int = 5) -> list[Point]:
    """A closed smooth line through the points (Catmull and Rom), as a polygon."""
    smooth = []
    for i in range(len(points)):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(i + j) % len(points)] for j in (-1, 0, 1, 2))
        for step in range(steps):
            t = step / steps
            weights = (
                -t / 2 + t * t - t**3 / 2,
                1 - 2.5 * t * t + 1.5 * t**3,
                t / 2 + 2 * t * t - 1.5 * t**3,
                (t**3 - t * t) / 2,
            )
            smooth.append(
                (
                    sum(w * x for w, x in zip(weights, (ax, bx, cx, dx), strict=True)),
                    sum(w * y for w, y in zip(weights, (ay, by, cy, dy), strict=True)),
                )
            )
    return smooth


class Pen:
    """Draws in a thing's own square on a colour layer, and keeps the silhouette of what it drew in a mask.

    The layer starts as plain ink: whoever puts it into a picture through a slightly wider mask gets an outline.
    """

    def __init__(self, side: int, ink: Colour) -> None:
        self.layer = Image.new("RGB", (side, side), ink)
        self.mask = Image.new("L", (side, side))
        self._paint = ImageDraw.Draw(self.layer, "RGBA")
        self._cover = ImageDraw.Draw(self.mask)
        self.ink = ink
        self.place((side / 2, side / 2), side / 2)

    def place(self, centre: Point, size: float, angle: float = 0, stretch: float = 1, mirror: bool = False) -> None:
        """Put the square at `centre` (pixels), `size` from its middle to its edge, turned by `angle` radians."""
        width, height = size * stretch * (-1 if mirror else 1), size / stretch
        self._x = centre[0], width * math.cos(angle), -height * math.sin(angle)
        self._y = centre[1], width * math.sin(angle), height * math.cos(angle)
        self._size = size

    def shape(self, points: Iterable[Point], colour: Colour) -> None:
        """A filled polygon that belongs to the silhouette."""
        at = self._at(points)
        self._paint.polygon(at, colour)
        self._cover.polygon(at, 255)

    def mark(self, points: Iterable[Point], colour: Colour) -> None:
        """A filled polygon inside the silhouette; a fourth number of its colour makes it translucent."""
        self._paint.polygon(self._at(points), colour)

    def disc(self, x: float, y: float, rx: float, colour: Colour, ry: float = 0, tilt: float = 0) -> None:
        """A filled ellipse that belongs to the silhouette."""
        self.shape(_ellipse(x, y, rx, ry or rx, tilt), colour)

    def dot(self, x: float, y: float, rx: float, colour: Colour, ry: float = 0, tilt: float = 0) -> None:
        """A filled ellipse inside the silhouette."""
        self.mark(_ellipse(x, y, rx, ry or rx, tilt), colour)

    def rod(self, points: Iterable[Point], colour: Colour, width: float) -> None:
        """A line that belongs to the silhouette."""
        at, pixels = self._at(points), max(2, round(width * self._size))
        self._paint.line(at, colour, pixels, joint="curve")
        self._cover.line(at, 255, pixels, joint="curve")

    def stroke(self, points: Iterable[Point], colour: Colour, width: float = 0.05) -> None:
        """A line inside the silhouette, or thinner than what counts as one."""
        self._paint.line(self._at(points), colour, max(2, round(width * self._size)))

    def _at(self, points: Iterable[Point]) -> list[Point]:
        (x0, xx, xy), (y0, yx, yy) = self._x, self._y
        return [(x0 + xx * x + xy * y, y0 + yx * x + yy * y) for x, y in points]


def _ellipse(x: float, y: float, rx: float, ry: float, tilt: float = 0) -> list[Point]:
    if not tilt:
        return [(x + rx * c, y + ry * s) for c, s in CIRCLE]
    cos, sin = math.cos(tilt), math.sin(tilt)
    return [(x + rx * c * cos - ry * s * sin, y + rx * c * sin + ry * s * cos) for c, s in CIRCLE]


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _arc(x: float, y: float, rx: float, ry: float, start: float, stop: float, points: int = 9) -> list[Point]:
    """Part of an ellipse; angles in turns, clockwise from the right."""
    turns = [math.tau * (start + (stop - start) * i / (points - 1)) for i in range(points)]
    return [(x + rx * math.cos(t), y + ry * math.sin(t)) for t in turns]


def _eye(pen: Pen, x: float, y: float, size: float, colour: Colour = COAL) -> None:
    pen.dot(x, y, size, colour)
    pen.dot(x - 0.3 * size, y - 0.35 * size, 0.4 * size, WHITE)


def house(pen: Pen, rnd: Random) -> None:
    wall, roof = hsv(rnd.uniform(0.02, 0.16), rnd.uniform(0.1, 0.4), 0.97), hsv(rnd.uniform(-0.06, 0.05), 0.68, 0.8)
    door = hsv(rnd.random(), 0.6, 0.62)
    chimney = rnd.choice((-0.52, 0.36))
    pen.shape(_box(chimney, -0.86, chimney + 0.22, -0.2), hsv(0.03, 0.5, 0.6))
    pen.mark(_box(chimney - 0.04, -0.9, chimney + 0.26, -0.78), hsv(0.03, 0.4, 0.42))
    pen.shape(_box(-0.72, -0.14, 0.72, 0.86), wall)
    pen.mark(_box(0.34, -0.14, 0.72, 0.86), SHADE)
    pen.mark(_box(-0.72, 0.76, 0.72, 0.86), hsv(0.08, 0.2, 0.6))
    pen.mark(_box(-0.72, -0.14, 0.72, 0.0), SHADE)
    pen.shape([(-1, -0.06), (0, -0.92), (1, -0.06), (0.9, 0.02), (-0.9, 0.02)], roof)
    pen.mark([(0, -0.92), (1, -0.06), (0.9, 0.02), (0.22, 0.02)], SHADE)
    for row in (-0.5, -0.28):
        half = (row + 0.92) * 1.16
        pen.stroke([(-half, row), (half, row)], (*pen.ink, 120), 0.04)
    pen.dot(0, -0.4, 0.17, WHITE)
    pen.dot(0, -0.4, 0.12, hsv(0.56, 0.3, 0.8))
    side = rnd.choice((-1, 1))
    left = 0.3 * side - 0.2
    pen.mark(_box(left - 0.04, 0.2, left + 0.42, 0.86), WHITE)
    pen.mark(_box(left, 0.25, left + 0.38, 0.86), door)
    pen.dot(left + 0.3, 0.56, 0.045, (250, 214, 90))
    lit = (255, 226, 120) if rnd.random() < 0.4 else GLASS
    left = -0.32 * side - 0.24
    pen.mark(_box(left - 0.05, 0.17, left + 0.51, 0.61), WHITE)
    pen.mark(_box(left, 0.22, left + 0.46, 0.56), lit)
    pen.mark([(left, 0.22), (left + 0.2, 0.22), (left, 0.46)], SHINE)
    pen.stroke([(left + 0.23, 0.22), (left + 0.23, 0.56)], WHITE, 0.05)
    pen.stroke([(left, 0.39), (left + 0.46, 0.39)], WHITE, 0.05)
    pen.mark(_box(left - 0.08, 0.58, left + 0.54, 0.66), hsv(0.07, 0.5, 0.55))


def tree(pen: Pen, rnd: Random) -> None:
    hue = rnd.choice((rnd.uniform(0.24, 0.4), rnd.uniform(0.24, 0.4), rnd.uniform(0.06, 0.12)))
    leaf, bark = hsv(hue, 0.62, rnd.uniform(0.58, 0.76)), hsv(0.07, 0.5, 0.48)
    pen.shape([(-0.14, 0.1), (0.14, 0.1), (0.17, 0.8), (0.32, 0.95), (-0.32, 0.95), (-0.17, 0.8)], bark)
    pen.mark([(0.02, 0.1), (0.14, 0.1), (0.17, 0.8), (0.32, 0.95), (0.06, 0.95)], SHADE)
    pen.shape([(0.05, 0.42), (0.42, 0.1), (0.5, 0.16), (0.1, 0.6)], bark)
    blobs = [(-0.46, 0.0, 0.42), (0.46, 0.02, 0.42), (0, 0.1, 0.44), (-0.28, -0.42, 0.42), (0.3, -0.4, 0.42)]
    blobs = [(x + rnd.uniform(-0.06, 0.06), y + rnd.uniform(-0.06, 0.06), r) for x, y, r in blobs]
    blobs.append((0, -0.54, 0.42))
    for x, y, r in blobs:
        pen.disc(x, y, r, leaf)
    for x, y, r in blobs[:3]:
        pen.mark(_arc(x, y, r, r, 0.02, 0.48) + _arc(x, y, r, 0.45 * r, 0.48, 0.02), SHADE)
    light = hsv(hue - 0.03, 0.5, 0.88)
    for x, y, r in (blobs[5], blobs[3], blobs[0], blobs[4]):
        pen.dot(x - 0.1, y - 0.12, 0.6 * r, (*light, 95))
        pen.dot(x - 0.15, y - 0.19, 0.3 * r, (*light, 130))
    if rnd.random() < 0.6:
        fruit = hsv(rnd.choice((0.0, 0.98, 0.1, 0.9)), 0.78, 0.92)
        for x, y in ((-0.5, 0.08), (-0.14, -0.28), (0.28, 0.14), (0.48, -0.22), (0.04, -0.66)):
            pen.dot(x, y, 0.1, fruit)
            pen.dot(x - 0.03, y - 0.04, 0.035, WHITE)


CAR_BODY = curve(
    [
        (-0.98, 0.3),
        (-0.96, 0.02),
        (-0.7, -0.1),
        (-0.4, -0.1),
        (0.3, -0.1),
        (0.72, -0.04),
        (0.96, 0.1),
        (0.99, 0.34),
        (0.8, 0.42),
        (-0.8, 0.42),
    ],
    3,
)
CAR_CABIN = curve([(-0.68, -0.06), (-0.5, -0.46), (-0.3, -0.56), (0.1, -0.56), (0.3, -0.46), (0.58, -0.06), (0, 0)], 3)


def car(pen: Pen, rnd: Random) -> None:
    hue = rnd.random()
    paint = hsv(hue, rnd.uniform(0.55, 0.8), rnd.uniform(0.75, 0.95))
    pen.shape(CAR_CABIN, hsv(hue, 0.5, 0.98) if rnd.random() < 0.5 else WHITE)
    pen.mark([(-0.54, -0.1), (-0.4, -0.42), (-0.1, -0.45), (-0.1, -0.1)], GLASS)
    pen.mark([(0.0, -0.1), (0.0, -0.45), (0.18, -0.42), (0.42, -0.1)], GLASS)
    pen.mark([(-0.44, -0.1), (-0.3, -0.43), (-0.2, -0.44), (-0.34, -0.1)], SHINE)
    pen.mark([(0.1, -0.1), (0.04, -0.3), (0.1, -0.43), (0.24, -0.1)], SHINE)
    pen.shape(CAR_BODY, paint)
    pen.mark([(-0.96, 0.2), (0.98, 0.2), (0.99, 0.34), (0.8, 0.42), (-0.8, 0.42), (-0.98, 0.32)], SHADE)
    pen.mark([(-0.9, 0.0), (-0.68, -0.06), (0.6, -0.04), (0.86, 0.06), (0.6, 0.03), (-0.7, 0.03)], SHINE)
    pen.stroke([(-0.05, -0.06), (-0.05, 0.38)], (*pen.ink, 150), 0.035)
    pen.mark(_box(-0.28, 0.1, -0.12, 0.14), pen.ink)
    pen.dot(0.87, 0.14, 0.1, (255, 240, 170), 0.09)
    pen.mark(_box(-0.99, 0.06, -0.88, 0.2), (226, 60, 50))
    for x in (-0.52, 0.54):
        pen.dot(x, 0.4, 0.3, pen.ink)
        pen.disc(x, 0.42, 0.25, COAL)
        pen.dot(x, 0.42, 0.14, (206, 210, 218))
        pen.dot(x, 0.42, 0.05, (110, 114, 126))


HULL = curve(
    [(-0.92, 0.42), (-0.4, 0.47), (0.3, 0.47), (0.98, 0.36), (0.66, 0.78), (0.2, 0.86), (-0.4, 0.86), (-0.76, 0.74)], 3
)


def sailboat(pen: Pen, rnd: Random) -> None:
    hull = hsv(rnd.choice((0.02, 0.06, 0.58, 0.0, 0.45)), 0.66, 0.72)
    accent = hsv(rnd.random(), 0.7, 0.9)
    pen.rod([(0, 0.5), (0, -0.96)], hsv(0.08, 0.5, 0.45), 0.07)
    pen.shape([(0.04, -0.96), (0.04, -0.76), (0.34, -0.86)], accent)
    pen.shape(curve([(-0.06, -0.86), (-0.42, -0.3), (-0.84, 0.3), (-0.4, 0.34), (-0.05, 0.32)], 4), WHITE)
    pen.mark([(-0.06, -0.7), (-0.3, 0.32), (-0.06, 0.32)], SHADE)
    pen.mark([(-0.3, -0.46), (-0.06, -0.36), (-0.06, -0.16), (-0.44, -0.26)], accent)
    pen.shape(curve([(0.08, -0.7), (0.44, -0.24), (0.72, 0.24), (0.4, 0.31), (0.09, 0.28)], 4), CREAM)
    pen.mark([(0.09, -0.6), (0.26, 0.3), (0.09, 0.28)], SHADE)
    if rnd.random() < 0.5:
        pen.dot(0.32, 0.06, 0.13, accent)
    pen.shape(HULL, hull)
    pen.mark([(-0.84, 0.6), (0.8, 0.58), (0.66, 0.78), (0.2, 0.86), (-0.4, 0.86), (-0.72, 0.76)], SHADE)
    pen.mark([(-0.88, 0.46), (0.3, 0.5), (0.94, 0.4), (0.9, 0.47), (0.3, 0.57), (-0.86, 0.54)], WHITE)
    for x in (-0.4, -0.1, 0.2):
        pen.dot(x, 0.67, 0.06, (255, 232, 150))
    wave = [(x / 10, 0.86 + 0.07 * math.sin(x * 1.7)) for x in range(-9, 10)]
    pen.rod(wave, hsv(0.55, 0.45, 0.92), 0.09)
    pen.stroke([(x, y - 0.03) for x, y in wave], WHITE, 0.035)


FISH_BODY = curve(
    [
        (0.98, 0.0),
        (0.72, -0.32),
        (0.3, -0.5),
        (-0.14, -0.42),
        (-0.52, -0.12),
        (-0.52, 0.12),
        (-0.14, 0.42),
        (0.3, 0.5),
        (0.72, 0.34),
    ]
)
FISH_TAIL = curve([(-0.4, 0.0), (-0.72, -0.4), (-0.98, -0.5), (-0.86, 0.0), (-0.98, 0.5), (-0.72, 0.4)], 4)
FISH_BACK = curve([(0.44, -0.42), (0.2, -0.78), (-0.24, -0.7), (-0.3, -0.3)], 4)


def fish(pen: Pen, rnd: Random) -> None:
    hue = rnd.choice((rnd.uniform(0.02, 0.14), rnd.uniform(0.02, 0.14), rnd.uniform(0.45, 0.98)))
    body, fin = hsv(hue, 0.72, 0.97), hsv(hue - 0.05, 0.7, 0.85)
    for shape in (FISH_TAIL, FISH_BACK, [(0.2, 0.4), (-0.06, 0.72), (-0.24, 0.36)]):
        pen.shape(shape, fin)
    for y in (-0.3, 0, 0.3):
        pen.stroke([(-0.6, y * 0.3), (-0.88, y)], (*pen.ink, 110), 0.035)
    for x in (-0.12, 0.06, 0.24):
        pen.stroke([(x, -0.4), (x - 0.1, -0.66)], (*pen.ink, 110), 0.035)
    pen.shape(FISH_BODY, body)
    pen.mark([(x, y) for x, y in FISH_BODY if y >= 0.1], (*WHITE, 110))
    stripe = WHITE if rnd.random() < 0.5 else hsv(hue + 0.5, 0.55, 0.65)
    for x in rnd.choice(((-0.3, 0.16), (-0.34, -0.08, 0.18), ())):
        half = 0.34 if x < -0.2 else 0.44
        pen.mark(_arc(x - 0.12, 0, 0.16, half, -0.25, 0.25) + _arc(x - 0.01, 0, 0.16, half, 0.25, -0.25), stripe)
    pen.stroke(_arc(0.3, 0, 0.14, 0.3, -0.22, 0.22), (*pen.ink, 170), 0.045)
    pen.mark(curve([(0.16, 0.06), (-0.12, 0.04), (-0.22, 0.2), (-0.08, 0.26)], 3), fin)
    pen.mark(_arc(0.24, -0.1, 0.4, 0.3, 0.55, 0.8) + _arc(0.24, -0.06, 0.38, 0.22, 0.8, 0.55), SHINE)
    pen.dot(0.6, -0.12, 0.15, WHITE)
    _eye(pen, 0.63, -0.12, 0.09)
    pen.stroke([(0.9, 0.12), (0.8, 0.16), (0.74, 0.13)], pen.ink, 0.045)


def flower(pen: Pen, rnd: Random) -> None:
    hue = rnd.choice((0.94, 0.0, 0.78, 0.6, 0.12, 0.88)) + rnd.uniform(-0.02, 0.02)
    petal, stem = hsv(hue, rnd.uniform(0.45, 0.75), 0.97), hsv(0.3, 0.65, 0.6)
    pen.rod([(0.0, 0.0), (0.05, 0.5), (0.0, 0.96)], stem, 0.1)
    for side in (-1, 1):
        pen.shape(curve([(0.03, 0.84), (side * 0.3, 0.52), (side * 0.62, 0.46), (side * 0.44, 0.76)], 4), stem)
        pen.stroke([(0.03, 0.82), (side * 0.5, 0.54)], hsv(0.27, 0.45, 0.8), 0.04)
    petals, turn = rnd.randrange(6, 9), rnd.random()
    reach = 0.3 if petals == 6 else 0.25
    angles = [math.tau * (i + turn) / petals for i in range(petals)]
    for angle in angles:
        pen.disc(0.42 * math.cos(angle), -0.32 + 0.42 * math.sin(angle), 0.28, petal, reach, angle)
    for angle in angles:
        cos, sin = math.cos(angle), math.sin(angle)
        edge = angle + math.pi / petals
        pen.stroke(
            [
                (0.2 * math.cos(edge), -0.32 + 0.2 * math.sin(edge)),
                (0.5 * math.cos(edge), -0.32 + 0.5 * math.sin(edge)),
            ],
            (*pen.ink, 110),
            0.035,
        )
        pen.dot(0.46 * cos - 0.04, -0.36 + 0.46 * sin, 0.15, SHINE, 0.1, angle)
        pen.dot(0.26 * cos, -0.32 + 0.26 * sin, 0.14, (*hsv(hue, 0.85, 0.8), 120), 0.07, angle)
    heart = hsv(0.13, 0.75, 0.98) if abs(hue - 0.12) > 0.05 else hsv(0.07, 0.6, 0.5)
    pen.dot(0, -0.32, 0.24, pen.ink)
    pen.dot(0, -0.32, 0.21, heart)
    pen.dot(0.03, -0.28, 0.16, (*hsv(0.09, 0.8, 0.8), 120))
    for angle in (0.4, 1.7, 3.0, 4.2, 5.3):
        pen.dot(0.11 * math.cos(angle), -0.32 + 0.11 * math.sin(angle), 0.03, hsv(0.07, 0.7, 0.5))


CAT_HEAD = curve(
    [
        (0, -0.56),
        (0.5, -0.5),
        (0.82, -0.1),
        (0.86, 0.28),
        (0.56, 0.7),
        (0, 0.84),
        (-0.56, 0.7),
        (-0.86, 0.28),
        (-0.82, -0.1),
        (-0.5, -0.5),
    ],
    4,
)


def cat(pen: Pen, rnd: Random) -> None:
    hue, saturation, value = rnd.choice(
        ((0.08, 0.62, 0.95), (0.08, 0.12, 0.72), (0.1, 0.2, 0.96), (0.07, 0.4, 0.62), (0.65, 0.14, 0.46))
    )
    fur, dark = hsv(hue, saturation, value), hsv(hue, min(1, saturation + 0.15), value * 0.66)
    for side in (-1, 1):
        pen.shape([(side * 0.8, -0.02), (side * 0.84, -0.92), (side * 0.76, -0.95), (side * 0.16, -0.46)], fur)
        pen.mark([(side * 0.7, -0.28), (side * 0.74, -0.76), (side * 0.36, -0.44)], (244, 164, 168))
    pen.shape(CAT_HEAD, fur)
    pen.mark(_arc(0, 0.1, 0.86, 0.74, 0.04, 0.46), (*SHADE[:3], 26))
    if rnd.random() < 0.75:
        for x in (-0.17, 0, 0.17):
            pen.mark([(x - 0.06, -0.54), (x + 0.06, -0.54), (x * 0.8, -0.24)], dark)
        for side in (-1, 1):
            for y in (0.12, 0.32):
                pen.mark([(side * 0.85, y - 0.06), (side * 0.85, y + 0.06), (side * 0.6, y + 0.02)], dark)
    for side in (-1, 1):
        pen.dot(side * 0.16, 0.4, 0.24, WHITE, 0.2)
    pen.dot(0, 0.58, 0.16, WHITE, 0.12)
    iris = hsv(rnd.choice((0.32, 0.14, 0.52, 0.25)), 0.6, 0.88)
    for side in (-1, 1):
        x = side * 0.38
        pen.dot(x, 0.02, 0.225, pen.ink, 0.245)
        pen.dot(x, 0.02, 0.185, iris, 0.205)
        pen.dot(x, 0.03, 0.095, COAL, 0.175)
        pen.dot(x - 0.07, -0.06, 0.065, WHITE)
        pen.dot(side * 0.58, 0.36, 0.13, (255, 130, 140, 90), 0.08)
    pen.mark([(-0.1, 0.25), (0.1, 0.25), (0, 0.37)], (232, 108, 122))
    for side in (-1, 1):
        pen.stroke([(0, 0.36), (side * 0.04, 0.46), (side * 0.14, 0.5), (side * 0.24, 0.45)], COAL, 0.045)
        for y in (0.3, 0.42, 0.54):
            pen.stroke([(side * 0.34, 0.4 + (y - 0.42) * 0.5), (side * 1.02, y + (y - 0.42) * 0.9)], WHITE, 0.032)


CAP = curve(
    [
        (-0.94, 0.1),
        (-0.84, -0.36),
        (-0.48, -0.76),
        (0, -0.9),
        (0.48, -0.76),
        (0.84, -0.36),
        (0.94, 0.1),
        (0.6, 0.22),
        (0, 0.26),
        (-0.6, 0.22),
    ],
    4,
)
STALK = curve([(-0.24, 0.1), (-0.24, 0.5), (-0.36, 0.86), (0, 0.95), (0.36, 0.86), (0.24, 0.5), (0.24, 0.1)], 4)


def mushroom(pen: Pen, rnd: Random) -> None:
    hue = rnd.choice((0.0, 0.0, 0.02, 0.07, 0.09, 0.8))
    pen.shape(STALK, CREAM)
    pen.mark([(x, y) for x, y in STALK if x >= 0.06], SHADE)
    pen.shape(CAP, hsv(hue, 0.76, rnd.uniform(0.78, 0.92)))
    pen.mark(_arc(0, 0.12, 0.84, 0.14, 0, 1, 18), hsv(0.09, 0.25, 0.86))
    for x in (-0.5, -0.25, 0, 0.25, 0.5):
        pen.stroke([(x * 0.5, 0.14), (x * 1.2, 0.2 - abs(x) * 0.1)], hsv(0.07, 0.4, 0.62), 0.03)
    pen.mark([(x, y) for x, y in CAP if x >= 0.2 and y < 0.2] + [(0.55, 0.0)], SHADE)
    pen.mark(_arc(-0.06, -0.08, 0.74, 0.7, 0.55, 0.75) + _arc(-0.02, -0.06, 0.66, 0.56, 0.75, 0.55), SHINE)
    shift = rnd.uniform(-0.08, 0.08)
    spots = ((-0.54, -0.16, 0.14), (-0.3, -0.56, 0.11), (0.02, -0.28, 0.19), (0.34, -0.62, 0.1), (0.56, -0.22, 0.14))
    for x, y, r in spots:
        pen.dot(x + shift, y, r, WHITE, r * 0.85)
    for side in (-1, 1):
        _eye(pen, side * 0.11, 0.48, 0.05)
    pen.stroke(_arc(0, 0.54, 0.08, 0.07, 0.05, 0.45, 6), COAL, 0.035)


ROCKET_BODY = curve(
    [
        (0, -0.98),
        (0.24, -0.66),
        (0.36, -0.2),
        (0.34, 0.3),
        (0.22, 0.56),
        (-0.22, 0.56),
        (-0.34, 0.3),
        (-0.36, -0.2),
        (-0.24, -0.66),
    ],
    5,
)


def rocket(pen: Pen, rnd: Random) -> None:
    trim = hsv(rnd.choice((0.0, 0.97, 0.58, 0.08, 0.45, 0.78)), 0.75, 0.88)
    flicker = rnd.uniform(0.0, 0.1)
    pen.shape(curve([(-0.22, 0.56), (-0.3, 0.8), (0, 0.9 + flicker), (0.3, 0.8), (0.22, 0.56)], 4), (250, 128, 44))
    pen.mark(curve([(-0.14, 0.56), (-0.16, 0.72), (0, 0.82 + flicker), (0.16, 0.72), (0.14, 0.56)], 4), (255, 222, 96))
    for side in (-1, 1):
        pen.shape([(side * 0.3, 0.0), (side * 0.76, 0.46), (side * 0.78, 0.78), (side * 0.24, 0.5)], trim)
    pen.mark([(0.3, 0.1), (0.76, 0.46), (0.78, 0.78), (0.24, 0.5)], SHADE)
    pen.shape(ROCKET_BODY, (240, 242, 248))
    pen.mark([(x, y) for x, y in ROCKET_BODY if y <= -0.5], trim)
    pen.mark([(0.1, -0.86)] + [(x, y) for x, y in ROCKET_BODY if x >= 0.2] + [(0.12, 0.54)], SHADE)
    pen.mark(_box(-0.35, 0.26, 0.35, 0.36), trim)
    pen.mark([(-0.2, -0.6), (-0.27, -0.2), (-0.26, 0.2), (-0.2, 0.2), (-0.2, -0.2), (-0.14, -0.62)], SHINE)
    pen.dot(0, -0.14, 0.22, pen.ink)
    pen.dot(0, -0.14, 0.19, hsv(0.13, 0.5, 0.95))
    pen.dot(0, -0.14, 0.13, (80, 150, 210))
    pen.dot(-0.04, -0.19, 0.06, (*SHINE[:3], 190))
    pen.mark([(-0.05, 0.3), (0.05, 0.3), (0.05, 0.74), (-0.05, 0.74)], trim)


WING = curve([(0.06, -0.16), (0.2, -0.62), (0.6, -0.86), (0.94, -0.7), (0.92, -0.26), (0.6, 0.04), (0.06, 0.06)], 4)
HIND_WING = curve([(0.06, 0.04), (0.5, 0.06), (0.74, 0.3), (0.66, 0.68), (0.4, 0.84), (0.18, 0.56)], 4)


def butterfly(pen: Pen, rnd: Random) -> None:
    hue = rnd.random()
    upper, lower = hsv(hue, 0.72, 0.95), hsv(hue + rnd.choice((0.08, -0.08, 0.5)), 0.62, 0.95)
    spot = hsv(hue + rnd.uniform(0.35, 0.65), 0.45, 1)
    for side in (-1, 1):
        for shape, colour in ((HIND_WING, lower), (WING, upper)):
            wing = [(side * x, y) for x, y in shape]
            pen.shape(wing, hsv(hue, 0.7, 0.32))
            pen.mark([(side * (0.09 + (abs(x) - 0.09) * 0.86), -0.03 + (y + 0.03) * 0.86) for x, y in wing], colour)
        pen.mark([(side * 0.1, -0.1), (side * 0.3, -0.5), (side * 0.56, -0.66), (side * 0.36, -0.3)], SHINE)
        pen.dot(side * 0.6, -0.42, 0.17, spot)
        pen.dot(side * 0.6, -0.42, 0.08, hsv(hue, 0.6, 0.4))
        pen.dot(side * 0.43, 0.42, 0.13, spot)
        pen.dot(side * 0.82, -0.56, 0.05, WHITE)
        pen.dot(side * 0.84, -0.34, 0.045, WHITE)
        pen.stroke([(side * 0.03, -0.4), (side * 0.12, -0.7), (side * 0.28, -0.86)], pen.ink, 0.045)
        pen.dot(side * 0.28, -0.86, 0.05, pen.ink)
    pen.disc(0, 0.06, 0.1, (74, 56, 60), 0.5)
    pen.disc(0, -0.38, 0.12, (74, 56, 60))
    for y in (0.06, 0.22, 0.38):
        pen.stroke([(-0.08, y), (0.08, y)], (222, 186, 120), 0.045)


def snowman(pen: Pen, rnd: Random) -> None:
    snow, scarf = (244, 248, 255), hsv(rnd.random(), 0.72, 0.85)
    for side in (-1, 1):
        tip = (side * 0.88, -0.2 + rnd.uniform(-0.1, 0.14))
        pen.rod([(side * 0.4, 0.12), tip], (112, 76, 52), 0.06)
        pen.stroke([(side * 0.72, tip[1] * 0.7), (side * 0.86, tip[1] + 0.16)], (112, 76, 52), 0.045)
    for y, r in ((0.48, 0.5), (-0.28, 0.36)):
        pen.disc(0, y, r, snow)
        pen.mark(
            _arc(0, y, r, r, -0.12, 0.4) + _arc(-0.1 * r, y - 0.14 * r, r * 0.9, r * 0.9, 0.4, -0.12),
            (150, 176, 220, 120),
        )
    pen.mark(_arc(0, -0.02, 0.37, 0.1, 0, 1, 18), scarf)
    pen.shape([(0.1, 0.0), (0.28, 0.0), (0.36, 0.38), (0.16, 0.4)], scarf)
    pen.stroke([(0.18, 0.26), (0.33, 0.24)], WHITE, 0.05)
    hat = rnd.choice((COAL, COAL, hsv(0.62, 0.5, 0.4), hsv(0.9, 0.5, 0.4)))
    pen.shape(_box(-0.27, -0.98, 0.27, -0.5), hat)
    pen.shape(_box(-0.44, -0.58, 0.44, -0.49), hat)
    pen.mark(_box(-0.27, -0.68, 0.27, -0.58), scarf)
    pen.mark(_box(-0.21, -0.94, -0.13, -0.7), (*SHINE[:3], 60))
    for side in (-1, 1):
        _eye(pen, side * 0.14, -0.34, 0.06)
    pen.mark([(-0.02, -0.28), (-0.02, -0.17), (0.36, -0.18)], (246, 134, 40))
    for x, y in ((-0.16, -0.16), (-0.08, -0.11), (0.02, -0.09), (0.12, -0.12)):
        pen.dot(x, y, 0.028, COAL)
    for y in (0.24, 0.46, 0.68):
        pen.dot(0, y, 0.06, COAL)


def umbrella(pen: Pen, rnd: Random) -> None:
    hue = rnd.random()
    one, other = (
        hsv(hue, 0.68, 0.9),
        rnd.choice((WHITE, hsv(hue + rnd.uniform(0.1, 0.5), 0.6, 0.95), hsv(hue, 0.35, 1))),
    )
    pen.rod([(0, -0.96), (0, -0.7)], (90, 70, 60), 0.08)
    pen.rod([(0, -0.1), (0, 0.7), *_arc(0.16, 0.74, 0.16, 0.18, 0.5, 0.02)], hsv(0.08, 0.6, 0.48), 0.09)
    edges = (-0.96, -0.62, -0.22, 0.22, 0.62, 0.96)
    dome = _arc(0, 0.06, 0.96, 0.86, 0.5, 1, 19)
    hem: list[Point] = []
    for right, left in zip(edges[:0:-1], edges[-2::-1], strict=True):
        hem += _arc((left + right) / 2, 0.06, (right - left) / 2, 0.12, 1, 0.5, 7)
    pen.shape(dome + hem, one)
    for left, right in zip(edges[1:-1:2], edges[2::2], strict=True):
        sides = [
            (edge * math.cos(a), 0.06 - 0.86 * math.sin(a))
            for edge, way in ((left, 1), (right, -1))
            for a in [math.pi / 12 * i for i in range(7)][::way]
        ]
        pen.mark(sides + _arc((left + right) / 2, 0.06, (right - left) / 2, 0.12, 1, 0.5, 7), other)
    for edge in edges[1:-1]:
        pen.stroke(
            [(edge * math.cos(math.pi / 12 * i), 0.06 - 0.86 * math.sin(math.pi / 12 * i)) for i in range(7)],
            (*pen.ink, 130),
            0.035,
        )
    pen.mark(_arc(0, 0.06, 0.96, 0.86, 0.84, 1) + _arc(0, 0.06, 0.62, 0.86, 1, 0.84), SHADE)
    pen.mark(_arc(0, 0.06, 0.84, 0.76, 0.56, 0.7) + _arc(0, 0.06, 0.7, 0.66, 0.7, 0.56), SHINE)


def ball(pen: Pen, hue: float) -> None:
    """A glossy ball that fills the square, lit from above and left."""
    pen.disc(0, 0, 1, hsv(hue, 0.9, 0.66))
    for i in range(1, 7):
        pen.dot(-0.05 * i, -0.06 * i, 1 - 0.13 * i, hsv(hue, 0.9 - 0.03 * i, 0.68 + 0.05 * i))
    pen.dot(-0.38, -0.44, 0.24, (255, 255, 255, 210), 0.17, -0.7)
    pen.dot(-0.12, -0.62, 0.07, (255, 255, 255, 170))


THINGS: tuple[Callable[[Pen, Random], None], ...] = (
    house, tree, car, sailboat, fish, flower, cat, mushroom, rocket, butterfly, snowman, umbrella,
)  # fmt: skip
