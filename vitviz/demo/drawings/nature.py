"""Things that grow: tree, fish, flower, cat, mushroom, butterfly."""

import math
from random import Random

from vitviz.demo.drawings.canvas import COAL, CREAM, SHADE, SHINE, WHITE, Canvas, arc, curve, eye, hsv, mirrored


def tree(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.choice((rnd.uniform(0.24, 0.4), rnd.uniform(0.24, 0.4), rnd.uniform(0.06, 0.12)))
    leaf, bark = hsv(hue, 0.62, rnd.uniform(0.58, 0.76)), hsv(0.07, 0.5, 0.48)
    canvas.shape([(-0.14, 0.1), (0.14, 0.1), (0.17, 0.8), (0.32, 0.95), (-0.32, 0.95), (-0.17, 0.8)], bark)
    canvas.mark([(0.02, 0.1), (0.14, 0.1), (0.17, 0.8), (0.32, 0.95), (0.06, 0.95)], SHADE)
    canvas.shape([(0.05, 0.42), (0.42, 0.1), (0.5, 0.16), (0.1, 0.6)], bark)
    blobs = [(-0.46, 0.0, 0.42), (0.46, 0.02, 0.42), (0, 0.1, 0.44), (-0.28, -0.42, 0.42), (0.3, -0.4, 0.42)]
    blobs = [(x + rnd.uniform(-0.06, 0.06), y + rnd.uniform(-0.06, 0.06), r) for x, y, r in blobs]
    blobs.append((0, -0.54, 0.42))
    for x, y, r in blobs:
        canvas.disc(x, y, r, leaf)
    for x, y, r in blobs[:3]:
        canvas.mark(arc(x, y, r, r, 0.02, 0.48) + arc(x, y, r, 0.45 * r, 0.48, 0.02), SHADE)
    light = hsv(hue - 0.03, 0.5, 0.88)
    for x, y, r in (blobs[5], blobs[3], blobs[0], blobs[4]):
        canvas.dot(x - 0.1, y - 0.12, 0.6 * r, (*light, 95))
        canvas.dot(x - 0.15, y - 0.19, 0.3 * r, (*light, 130))
    if rnd.random() < 0.6:
        fruit = hsv(rnd.choice((0.0, 0.98, 0.1, 0.9)), 0.78, 0.92)
        for x, y in ((-0.5, 0.08), (-0.14, -0.28), (0.28, 0.14), (0.48, -0.22), (0.04, -0.66)):
            canvas.dot(x, y, 0.1, fruit)
            canvas.dot(x - 0.03, y - 0.04, 0.035, WHITE)


FISH_BODY = curve([
    (0.98, 0.0), (0.72, -0.32), (0.3, -0.5), (-0.14, -0.42), (-0.52, -0.12),
    (-0.52, 0.12), (-0.14, 0.42), (0.3, 0.5), (0.72, 0.34),
])  # fmt: skip
FISH_TAIL = curve([(-0.4, 0.0), (-0.72, -0.4), (-0.98, -0.5), (-0.86, 0.0), (-0.98, 0.5), (-0.72, 0.4)], 4)
FISH_BACK = curve([(0.44, -0.42), (0.2, -0.78), (-0.24, -0.7), (-0.3, -0.3)], 4)


def fish(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.choice((rnd.uniform(0.02, 0.14), rnd.uniform(0.02, 0.14), rnd.uniform(0.45, 0.98)))
    body, fin = hsv(hue, 0.72, 0.97), hsv(hue - 0.05, 0.7, 0.85)
    for shape in (FISH_TAIL, FISH_BACK, [(0.2, 0.4), (-0.06, 0.72), (-0.24, 0.36)]):
        canvas.shape(shape, fin)
    for y in (-0.3, 0, 0.3):
        canvas.stroke([(-0.6, y * 0.3), (-0.88, y)], (*canvas.ink, 110), 0.035)
    for x in (-0.12, 0.06, 0.24):
        canvas.stroke([(x, -0.4), (x - 0.1, -0.66)], (*canvas.ink, 110), 0.035)
    canvas.shape(FISH_BODY, body)
    canvas.mark([(x, y) for x, y in FISH_BODY if y >= 0.1], (*WHITE, 110))
    stripe = WHITE if rnd.random() < 0.5 else hsv(hue + 0.5, 0.55, 0.65)
    for x in rnd.choice(((-0.3, 0.16), (-0.34, -0.08, 0.18), ())):
        half = 0.34 if x < -0.2 else 0.44
        canvas.mark(arc(x - 0.12, 0, 0.16, half, -0.25, 0.25) + arc(x - 0.01, 0, 0.16, half, 0.25, -0.25), stripe)
    canvas.stroke(arc(0.3, 0, 0.14, 0.3, -0.22, 0.22), (*canvas.ink, 170), 0.045)
    canvas.mark(curve([(0.16, 0.06), (-0.12, 0.04), (-0.22, 0.2), (-0.08, 0.26)], 3), fin)
    canvas.mark(arc(0.24, -0.1, 0.4, 0.3, 0.55, 0.8) + arc(0.24, -0.06, 0.38, 0.22, 0.8, 0.55), SHINE)
    canvas.dot(0.6, -0.12, 0.15, WHITE)
    eye(canvas, 0.63, -0.12, 0.09)
    canvas.stroke([(0.9, 0.12), (0.8, 0.16), (0.74, 0.13)], canvas.ink, 0.045)


def flower(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.choice((0.94, 0.0, 0.78, 0.6, 0.12, 0.88)) + rnd.uniform(-0.02, 0.02)
    petal, stem = hsv(hue, rnd.uniform(0.45, 0.75), 0.97), hsv(0.3, 0.65, 0.6)
    canvas.rod([(0.0, 0.0), (0.05, 0.5), (0.0, 0.96)], stem, 0.1)
    for side in (-1, 1):
        canvas.shape(curve([(0.03, 0.84), (side * 0.3, 0.52), (side * 0.62, 0.46), (side * 0.44, 0.76)], 4), stem)
        canvas.stroke([(0.03, 0.82), (side * 0.5, 0.54)], hsv(0.27, 0.45, 0.8), 0.04)
    petals, turn = rnd.randrange(6, 9), rnd.random()
    reach = 0.3 if petals == 6 else 0.25
    angles = [math.tau * (i + turn) / petals for i in range(petals)]
    for angle in angles:
        canvas.disc(0.42 * math.cos(angle), -0.32 + 0.42 * math.sin(angle), 0.28, petal, reach, angle)
    for angle in angles:
        cos, sin = math.cos(angle), math.sin(angle)
        edge = angle + math.pi / petals
        x, y = math.cos(edge), math.sin(edge)
        canvas.stroke([(0.2 * x, -0.32 + 0.2 * y), (0.5 * x, -0.32 + 0.5 * y)], (*canvas.ink, 110), 0.035)
        canvas.dot(0.46 * cos - 0.04, -0.36 + 0.46 * sin, 0.15, SHINE, 0.1, angle)
        canvas.dot(0.26 * cos, -0.32 + 0.26 * sin, 0.14, (*hsv(hue, 0.85, 0.8), 120), 0.07, angle)
    heart = hsv(0.13, 0.75, 0.98) if abs(hue - 0.12) > 0.05 else hsv(0.07, 0.6, 0.5)
    canvas.dot(0, -0.32, 0.24, canvas.ink)
    canvas.dot(0, -0.32, 0.21, heart)
    canvas.dot(0.03, -0.28, 0.16, (*hsv(0.09, 0.8, 0.8), 120))
    for angle in (0.4, 1.7, 3.0, 4.2, 5.3):
        canvas.dot(0.11 * math.cos(angle), -0.32 + 0.11 * math.sin(angle), 0.03, hsv(0.07, 0.7, 0.5))


CAT_HEAD = curve(mirrored([(0, -0.56), (0.5, -0.5), (0.82, -0.1), (0.86, 0.28), (0.56, 0.7), (0, 0.84)]), 4)


FURS = ((0.08, 0.62, 0.95), (0.08, 0.12, 0.72), (0.1, 0.2, 0.96), (0.07, 0.4, 0.62), (0.65, 0.14, 0.46))


def cat(canvas: Canvas, rnd: Random) -> None:
    hue, saturation, value = rnd.choice(FURS)
    fur, dark = hsv(hue, saturation, value), hsv(hue, min(1, saturation + 0.15), value * 0.66)
    for side in (-1, 1):
        canvas.shape([(side * 0.8, -0.02), (side * 0.84, -0.92), (side * 0.76, -0.95), (side * 0.16, -0.46)], fur)
        canvas.mark([(side * 0.7, -0.28), (side * 0.74, -0.76), (side * 0.36, -0.44)], (244, 164, 168))
    canvas.shape(CAT_HEAD, fur)
    canvas.mark(arc(0, 0.1, 0.86, 0.74, 0.04, 0.46), (*SHADE[:3], 26))
    if rnd.random() < 0.75:
        for x in (-0.17, 0, 0.17):
            canvas.mark([(x - 0.06, -0.54), (x + 0.06, -0.54), (x * 0.8, -0.24)], dark)
        for side in (-1, 1):
            for y in (0.12, 0.32):
                canvas.mark([(side * 0.85, y - 0.06), (side * 0.85, y + 0.06), (side * 0.6, y + 0.02)], dark)
    for side in (-1, 1):
        canvas.dot(side * 0.16, 0.4, 0.24, WHITE, 0.2)
    canvas.dot(0, 0.58, 0.16, WHITE, 0.12)
    iris = hsv(rnd.choice((0.32, 0.14, 0.52, 0.25)), 0.6, 0.88)
    for side in (-1, 1):
        x = side * 0.38
        canvas.dot(x, 0.02, 0.225, canvas.ink, 0.245)
        canvas.dot(x, 0.02, 0.185, iris, 0.205)
        canvas.dot(x, 0.03, 0.095, COAL, 0.175)
        canvas.dot(x - 0.07, -0.06, 0.065, WHITE)
        canvas.dot(side * 0.58, 0.36, 0.13, (255, 130, 140, 90), 0.08)
    canvas.mark([(-0.1, 0.25), (0.1, 0.25), (0, 0.37)], (232, 108, 122))
    for side in (-1, 1):
        canvas.stroke([(0, 0.36), (side * 0.04, 0.46), (side * 0.14, 0.5), (side * 0.24, 0.45)], COAL, 0.045)
        for y in (0.3, 0.42, 0.54):
            canvas.stroke([(side * 0.34, 0.4 + (y - 0.42) * 0.5), (side * 1.02, y + (y - 0.42) * 0.9)], WHITE, 0.032)


CAP = curve(mirrored([(0, -0.9), (0.48, -0.76), (0.84, -0.36), (0.94, 0.1), (0.6, 0.22), (0, 0.26)]), 4)
STALK = curve([(-0.24, 0.1), (-0.24, 0.5), (-0.36, 0.86), (0, 0.95), (0.36, 0.86), (0.24, 0.5), (0.24, 0.1)], 4)


def mushroom(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.choice((0.0, 0.0, 0.02, 0.07, 0.09, 0.8))
    canvas.shape(STALK, CREAM)
    canvas.mark([(x, y) for x, y in STALK if x >= 0.06], SHADE)
    canvas.shape(CAP, hsv(hue, 0.76, rnd.uniform(0.78, 0.92)))
    canvas.mark(arc(0, 0.12, 0.84, 0.14, 0, 1, 18), hsv(0.09, 0.25, 0.86))
    for x in (-0.5, -0.25, 0, 0.25, 0.5):
        canvas.stroke([(x * 0.5, 0.14), (x * 1.2, 0.2 - abs(x) * 0.1)], hsv(0.07, 0.4, 0.62), 0.03)
    canvas.mark([(x, y) for x, y in CAP if x >= 0.2 and y < 0.2] + [(0.55, 0.0)], SHADE)
    canvas.mark(arc(-0.06, -0.08, 0.74, 0.7, 0.55, 0.75) + arc(-0.02, -0.06, 0.66, 0.56, 0.75, 0.55), SHINE)
    shift = rnd.uniform(-0.08, 0.08)
    spots = ((-0.54, -0.16, 0.14), (-0.3, -0.56, 0.11), (0.02, -0.28, 0.19), (0.34, -0.62, 0.1), (0.56, -0.22, 0.14))
    for x, y, r in spots:
        canvas.dot(x + shift, y, r, WHITE, r * 0.85)
    for side in (-1, 1):
        eye(canvas, side * 0.11, 0.48, 0.05)
    canvas.stroke(arc(0, 0.54, 0.08, 0.07, 0.05, 0.45, 6), COAL, 0.035)


WING = curve([(0.06, -0.16), (0.2, -0.62), (0.6, -0.86), (0.94, -0.7), (0.92, -0.26), (0.6, 0.04), (0.06, 0.06)], 4)
HIND_WING = curve([(0.06, 0.04), (0.5, 0.06), (0.74, 0.3), (0.66, 0.68), (0.4, 0.84), (0.18, 0.56)], 4)


def butterfly(canvas: Canvas, rnd: Random) -> None:
    hue = rnd.random()
    upper, lower = hsv(hue, 0.72, 0.95), hsv(hue + rnd.choice((0.08, -0.08, 0.5)), 0.62, 0.95)
    spot = hsv(hue + rnd.uniform(0.35, 0.65), 0.45, 1)
    for side in (-1, 1):
        for shape, colour in ((HIND_WING, lower), (WING, upper)):
            wing = [(side * x, y) for x, y in shape]
            canvas.shape(wing, hsv(hue, 0.7, 0.32))
            canvas.mark([(side * (0.09 + (abs(x) - 0.09) * 0.86), -0.03 + (y + 0.03) * 0.86) for x, y in wing], colour)
        canvas.mark([(side * 0.1, -0.1), (side * 0.3, -0.5), (side * 0.56, -0.66), (side * 0.36, -0.3)], SHINE)
        canvas.dot(side * 0.6, -0.42, 0.17, spot)
        canvas.dot(side * 0.6, -0.42, 0.08, hsv(hue, 0.6, 0.4))
        canvas.dot(side * 0.43, 0.42, 0.13, spot)
        canvas.dot(side * 0.82, -0.56, 0.05, WHITE)
        canvas.dot(side * 0.84, -0.34, 0.045, WHITE)
        canvas.stroke([(side * 0.03, -0.4), (side * 0.12, -0.7), (side * 0.28, -0.86)], canvas.ink, 0.045)
        canvas.dot(side * 0.28, -0.86, 0.05, canvas.ink)
    canvas.disc(0, 0.06, 0.1, (74, 56, 60), 0.5)
    canvas.disc(0, -0.38, 0.12, (74, 56, 60))
    for y in (0.06, 0.22, 0.38):
        canvas.stroke([(-0.08, y), (0.08, y)], (222, 186, 120), 0.045)
