"""Things that people make: house, car, sailboat, rocket, snowman, umbrella, and a ball."""

import math
from random import Random

from vitviz.demo.drawings.canvas import (
    COAL,
    CREAM,
    GLASS,
    SHADE,
    SHINE,
    WHITE,
    Canvas,
    Point,
    arc,
    box,
    curve,
    eye,
    hsv,
    mirrored,
)


def house(canvas: Canvas, rnd: Random) -> None:
    wall, roof = hsv(rnd.uniform(0.02, 0.16), rnd.uniform(0.1, 0.4), 0.97), hsv(rnd.uniform(-0.06, 0.05), 0.68, 0.8)
    door = hsv(rnd.random(), 0.6, 0.62)
    chimney = rnd.choice((-0.52, 0.36))
    canvas.shape(box(chimney, -0.86, chimney + 0.22, -0.2), hsv(0.03, 0.5, 0.6))
    canvas.mark(box(chimney - 0.04, -0.9, chimney + 0.26, -0.78), hsv(0.03, 0.4, 0.42))
    canvas.shape(box(-0.72, -0.14, 0.72, 0.86), wall)
    canvas.mark(box(0.34, -0.14, 0.72, 0.86), SHADE)
    canvas.mark(box(-0.72, 0.76, 0.72, 0.86), hsv(0.08, 0.2, 0.6))
    canvas.mark(box(-0.72, -0.14, 0.72, 0.0), SHADE)
    canvas.shape([(-1, -0.06), (0, -0.92), (1, -0.06), (0.9, 0.02), (-0.9, 0.02)], roof)
    canvas.mark([(0, -0.92), (1, -0.06), (0.9, 0.02), (0.22, 0.02)], SHADE)
    for row in (-0.5, -0.28):
        half = (row + 0.92) * 1.16
        canvas.stroke([(-half, row), (half, row)], (*canvas.ink, 120), 0.04)
    canvas.dot(0, -0.4, 0.17, WHITE)
    canvas.dot(0, -0.4, 0.12, hsv(0.56, 0.3, 0.8))
    side = rnd.choice((-1, 1))
    left = 0.3 * side - 0.2
    canvas.mark(box(left - 0.04, 0.2, left + 0.42, 0.86), WHITE)
    canvas.mark(box(left, 0.25, left + 0.38, 0.86), door)
    canvas.dot(left + 0.3, 0.56, 0.045, (250, 214, 90))
    lit = (255, 226, 120) if rnd.random() < 0.4 else GLASS
    left = -0.32 * side - 0.24
    canvas.mark(box(left - 0.05, 0.17, left + 0.51, 0.61), WHITE)
    canvas.mark(box(left, 0.22, left + 0.46, 0.56), lit)
    canvas.mark([(left, 0.22), (left + 0.2, 0.22), (left, 0.46)], SHINE)
    canvas.stroke([(left + 0.23, 0.22), (left + 0.23, 0.56)], WHITE, 0.05)
    canvas.stroke([(left, 0.39), (left + 0.46, 0.39)], WHITE, 0.05)
    canvas.mark(box(left - 0.08, 0.58, left + 0.54, 0.66), hsv(0.07, 0.5, 0.55))


CAR_BODY = curve([
    (-0.98, 0.3), (-0.96, 0.02), (-0.7, -0.1), (-0.4, -0.1), (0.3, -0.1), (0.72, -0.04),
    (0.96, 0.1), (0.99, 0.34), (0.8, 0.42), (-0.8, 0.42),
], 3)  # fmt: skip
CAR_CABIN = curve([(-0.68, -0.06), (-0.5, -0.46), (-0.3, -0.56), (0.1, -0.56), (0.3, -0.46), (0.58, -0.06), (0, 0)], 3)


def car(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.random()
    paint = hsv(hue, rnd.uniform(0.55, 0.8), rnd.uniform(0.75, 0.95))
    canvas.shape(CAR_CABIN, hsv(hue, 0.5, 0.98) if rnd.random() < 0.5 else WHITE)
    canvas.mark([(-0.54, -0.1), (-0.4, -0.42), (-0.1, -0.45), (-0.1, -0.1)], GLASS)
    canvas.mark([(0.0, -0.1), (0.0, -0.45), (0.18, -0.42), (0.42, -0.1)], GLASS)
    canvas.mark([(-0.44, -0.1), (-0.3, -0.43), (-0.2, -0.44), (-0.34, -0.1)], SHINE)
    canvas.mark([(0.1, -0.1), (0.04, -0.3), (0.1, -0.43), (0.24, -0.1)], SHINE)
    canvas.shape(CAR_BODY, paint)
    canvas.mark([(-0.96, 0.2), (0.98, 0.2), (0.99, 0.34), (0.8, 0.42), (-0.8, 0.42), (-0.98, 0.32)], SHADE)
    canvas.mark([(-0.9, 0.0), (-0.68, -0.06), (0.6, -0.04), (0.86, 0.06), (0.6, 0.03), (-0.7, 0.03)], SHINE)
    canvas.stroke([(-0.05, -0.06), (-0.05, 0.38)], (*canvas.ink, 150), 0.035)
    canvas.mark(box(-0.28, 0.1, -0.12, 0.14), canvas.ink)
    canvas.dot(0.87, 0.14, 0.1, (255, 240, 170), 0.09)
    canvas.mark(box(-0.99, 0.06, -0.88, 0.2), (226, 60, 50))
    for x in (-0.52, 0.54):
        canvas.dot(x, 0.4, 0.3, canvas.ink)
        canvas.disc(x, 0.42, 0.25, COAL)
        canvas.dot(x, 0.42, 0.14, (206, 210, 218))
        canvas.dot(x, 0.42, 0.05, (110, 114, 126))


HULL = curve([
    (-0.92, 0.42), (-0.4, 0.47), (0.3, 0.47), (0.98, 0.36),
    (0.66, 0.78), (0.2, 0.86), (-0.4, 0.86), (-0.76, 0.74),
], 3)  # fmt: skip


def sailboat(canvas: Canvas, rnd: Random) -> None:
    hull = hsv(rnd.choice((0.02, 0.06, 0.58, 0.0, 0.45)), 0.66, 0.72)
    accent = hsv(rnd.random(), 0.7, 0.9)
    canvas.rod([(0, 0.5), (0, -0.96)], hsv(0.08, 0.5, 0.45), 0.07)
    canvas.shape([(0.04, -0.96), (0.04, -0.76), (0.34, -0.86)], accent)
    canvas.shape(curve([(-0.06, -0.86), (-0.42, -0.3), (-0.84, 0.3), (-0.4, 0.34), (-0.05, 0.32)], 4), WHITE)
    canvas.mark([(-0.06, -0.7), (-0.3, 0.32), (-0.06, 0.32)], SHADE)
    canvas.mark([(-0.3, -0.46), (-0.06, -0.36), (-0.06, -0.16), (-0.44, -0.26)], accent)
    canvas.shape(curve([(0.08, -0.7), (0.44, -0.24), (0.72, 0.24), (0.4, 0.31), (0.09, 0.28)], 4), CREAM)
    canvas.mark([(0.09, -0.6), (0.26, 0.3), (0.09, 0.28)], SHADE)
    if rnd.random() < 0.5:
        canvas.dot(0.32, 0.06, 0.13, accent)
    canvas.shape(HULL, hull)
    canvas.mark([(-0.84, 0.6), (0.8, 0.58), (0.66, 0.78), (0.2, 0.86), (-0.4, 0.86), (-0.72, 0.76)], SHADE)
    canvas.mark([(-0.88, 0.46), (0.3, 0.5), (0.94, 0.4), (0.9, 0.47), (0.3, 0.57), (-0.86, 0.54)], WHITE)
    for x in (-0.4, -0.1, 0.2):
        canvas.dot(x, 0.67, 0.06, (255, 232, 150))
    wave = [(x / 10, 0.86 + 0.07 * math.sin(x * 1.7)) for x in range(-9, 10)]
    canvas.rod(wave, hsv(0.55, 0.45, 0.92), 0.09)
    canvas.stroke([(x, y - 0.03) for x, y in wave], WHITE, 0.035)


ROCKET_BODY = curve(mirrored([(0, -0.98), (0.24, -0.66), (0.36, -0.2), (0.34, 0.3), (0.22, 0.56)]), 5)


def rocket(canvas: Canvas, rnd: Random) -> None:
    trim = hsv(rnd.choice((0.0, 0.97, 0.58, 0.08, 0.45, 0.78)), 0.75, 0.88)
    flicker = rnd.uniform(0.0, 0.1)
    canvas.shape(curve([(-0.22, 0.56), (-0.3, 0.8), (0, 0.9 + flicker), (0.3, 0.8), (0.22, 0.56)], 4), (250, 128, 44))
    canvas.mark(
        curve([(-0.14, 0.56), (-0.16, 0.72), (0, 0.82 + flicker), (0.16, 0.72), (0.14, 0.56)], 4), (255, 222, 96)
    )
    for side in (-1, 1):
        canvas.shape([(side * 0.3, 0.0), (side * 0.76, 0.46), (side * 0.78, 0.78), (side * 0.24, 0.5)], trim)
    canvas.mark([(0.3, 0.1), (0.76, 0.46), (0.78, 0.78), (0.24, 0.5)], SHADE)
    canvas.shape(ROCKET_BODY, (240, 242, 248))
    canvas.mark([(x, y) for x, y in ROCKET_BODY if y <= -0.5], trim)
    canvas.mark([(0.1, -0.86)] + [(x, y) for x, y in ROCKET_BODY if x >= 0.2] + [(0.12, 0.54)], SHADE)
    canvas.mark(box(-0.35, 0.26, 0.35, 0.36), trim)
    canvas.mark([(-0.2, -0.6), (-0.27, -0.2), (-0.26, 0.2), (-0.2, 0.2), (-0.2, -0.2), (-0.14, -0.62)], SHINE)
    canvas.dot(0, -0.14, 0.22, canvas.ink)
    canvas.dot(0, -0.14, 0.19, hsv(0.13, 0.5, 0.95))
    canvas.dot(0, -0.14, 0.13, (80, 150, 210))
    canvas.dot(-0.04, -0.19, 0.06, (*SHINE[:3], 190))
    canvas.mark([(-0.05, 0.3), (0.05, 0.3), (0.05, 0.74), (-0.05, 0.74)], trim)


def snowman(canvas: Canvas, rnd: Random) -> None:
    snow, scarf = (244, 248, 255), hsv(rnd.random(), 0.72, 0.85)
    for side in (-1, 1):
        tip = (side * 0.88, -0.2 + rnd.uniform(-0.1, 0.14))
        canvas.rod([(side * 0.4, 0.12), tip], (112, 76, 52), 0.06)
        canvas.stroke([(side * 0.72, tip[1] * 0.7), (side * 0.86, tip[1] + 0.16)], (112, 76, 52), 0.045)
    for y, r in ((0.48, 0.5), (-0.28, 0.36)):
        canvas.disc(0, y, r, snow)
        crescent = arc(0, y, r, r, -0.12, 0.4) + arc(-0.1 * r, y - 0.14 * r, r * 0.9, r * 0.9, 0.4, -0.12)
        canvas.mark(crescent, (150, 176, 220, 120))
    canvas.mark(arc(0, -0.02, 0.37, 0.1, 0, 1, 18), scarf)
    canvas.shape([(0.1, 0.0), (0.28, 0.0), (0.36, 0.38), (0.16, 0.4)], scarf)
    canvas.stroke([(0.18, 0.26), (0.33, 0.24)], WHITE, 0.05)
    hat = rnd.choice((COAL, COAL, hsv(0.62, 0.5, 0.4), hsv(0.9, 0.5, 0.4)))
    canvas.shape(box(-0.27, -0.98, 0.27, -0.5), hat)
    canvas.shape(box(-0.44, -0.58, 0.44, -0.49), hat)
    canvas.mark(box(-0.27, -0.68, 0.27, -0.58), scarf)
    canvas.mark(box(-0.21, -0.94, -0.13, -0.7), (*SHINE[:3], 60))
    for side in (-1, 1):
        eye(canvas, side * 0.14, -0.34, 0.06)
    canvas.mark([(-0.02, -0.28), (-0.02, -0.17), (0.36, -0.18)], (246, 134, 40))
    for x, y in ((-0.16, -0.16), (-0.08, -0.11), (0.02, -0.09), (0.12, -0.12)):
        canvas.dot(x, y, 0.028, COAL)
    for y in (0.24, 0.46, 0.68):
        canvas.dot(0, y, 0.06, COAL)


def umbrella(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.random()
    one = hsv(hue, 0.68, 0.9)
    other = rnd.choice((WHITE, hsv(hue + rnd.uniform(0.1, 0.5), 0.6, 0.95), hsv(hue, 0.35, 1)))
    canvas.rod([(0, -0.96), (0, -0.7)], (90, 70, 60), 0.08)
    canvas.rod([(0, -0.1), (0, 0.7), *arc(0.16, 0.74, 0.16, 0.18, 0.5, 0.02)], hsv(0.08, 0.6, 0.48), 0.09)
    edges = (-0.96, -0.62, -0.22, 0.22, 0.62, 0.96)
    dome = arc(0, 0.06, 0.96, 0.86, 0.5, 1, 19)
    hem: list[Point] = []
    for right, left in zip(edges[:0:-1], edges[-2::-1], strict=True):
        hem += _scallop(left, right)
    canvas.shape(dome + hem, one)
    for left, right in zip(edges[1:-1:2], edges[2::2], strict=True):
        canvas.mark(_rib(left) + _rib(right)[::-1] + _scallop(left, right), other)
    for edge in edges[1:-1]:
        canvas.stroke(_rib(edge), (*canvas.ink, 130), 0.035)
    canvas.mark(arc(0, 0.06, 0.96, 0.86, 0.84, 1) + arc(0, 0.06, 0.62, 0.86, 1, 0.84), SHADE)
    canvas.mark(arc(0, 0.06, 0.84, 0.76, 0.56, 0.7) + arc(0, 0.06, 0.7, 0.66, 0.7, 0.56), SHINE)


def _rib(edge: float) -> list[Point]:
    """From the umbrella's hem to its top."""
    turns = [math.pi / 12 * i for i in range(7)]
    return [(edge * math.cos(turn), 0.06 - 0.86 * math.sin(turn)) for turn in turns]


def _scallop(left: float, right: float) -> list[Point]:
    """The hem between two ribs, from right to left."""
    return arc((left + right) / 2, 0.06, (right - left) / 2, 0.12, 1, 0.5, 7)


def ball(canvas: Canvas, hue: float) -> None:
    """A glossy ball that fills the square, lit from above and left."""
    canvas.disc(0, 0, 1, hsv(hue, 0.9, 0.66))
    for i in range(1, 7):
        canvas.dot(-0.05 * i, -0.06 * i, 1 - 0.13 * i, hsv(hue, 0.9 - 0.03 * i, 0.68 + 0.05 * i))
    canvas.dot(-0.38, -0.44, 0.24, (255, 255, 255, 210), 0.17, -0.7)
    canvas.dot(-0.12, -0.62, 0.07, (255, 255, 255, 170))
