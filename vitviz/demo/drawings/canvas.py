"""A canvas for small drawings, with the colours and shapes that several of them share.

A thing lives in a square from -1 to 1, x to the right and y down; the canvas knows where that square lies in the
picture, how large it is and how far it is turned.
"""

import math
from collections.abc import Iterable, Sequence
from colorsys import hsv_to_rgb

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


class Canvas:
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
        self.shape(ellipse(x, y, rx, ry or rx, tilt), colour)

    def dot(self, x: float, y: float, rx: float, colour: Colour, ry: float = 0, tilt: float = 0) -> None:
        """A filled ellipse inside the silhouette."""
        self.mark(ellipse(x, y, rx, ry or rx, tilt), colour)

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


def eye(canvas: Canvas, x: float, y: float, size: float, colour: Colour = COAL) -> None:
    canvas.dot(x, y, size, colour)
    canvas.dot(x - 0.3 * size, y - 0.35 * size, 0.4 * size, WHITE)


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


def mirrored(right: Sequence[Point]) -> list[Point]:
    """A whole outline from its right half, given from top to bottom."""
    return [*right, *((-x, y) for x, y in reversed(right) if x)]


def ellipse(x: float, y: float, rx: float, ry: float, tilt: float = 0) -> list[Point]:
    if not tilt:
        return [(x + rx * c, y + ry * s) for c, s in CIRCLE]
    cos, sin = math.cos(tilt), math.sin(tilt)
    return [(x + rx * c * cos - ry * s * sin, y + rx * c * sin + ry * s * cos) for c, s in CIRCLE]


def box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def arc(x: float, y: float, rx: float, ry: float, start: float, stop: float, points: int = 9) -> list[Point]:
    """Part of an ellipse; angles in turns, clockwise from the right."""
    turns = [math.tau * (start + (stop - start) * i / (points - 1)) for i in range(points)]
    return [(x + rx * math.cos(t), y + ry * math.sin(t)) for t in turns]
