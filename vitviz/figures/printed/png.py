"""A sheet as a PNG of twice its size, drawn by Pillow: no browser, no other program."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from math import ceil, floor, hypot

from PIL import Image, ImageDraw

from vitviz.figures.marks import Pair
from vitviz.figures.printed.captioned import EDGE, GREY, LINE, wrapped
from vitviz.figures.printed.letters import font, lacking, written
from vitviz.figures.printed.marks import Box, Dot, Mark, Picture, Polyline, Sheet, Words

TIMES = 2
FINER = 3  # times finer than the file are slanted edges drawn, and then averaged
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png(sheet: Sheet) -> bytes:
    """The bytes of the file; letters that its font lacks are said in a line at its foot."""
    buffer = BytesIO()
    # What is drawn comes out as small by its runs as by a search for what repeats, in a third of the time.
    image_of(sheet).save(buffer, "PNG", dpi=(144, 144), compress_type=zlib.Z_RLE)
    return buffer.getvalue()


def image_of(sheet: Sheet) -> Image.Image:
    """The picture in the file."""
    words = [mark for mark in sheet.marks if isinstance(mark, Words)]
    if letters := lacking(text for mark in words for text in (mark.lead, mark.text)):
        lines = wrapped(letters, sheet.width)
        foot = [Words(EDGE, sheet.height + LINE * at, line, colour=GREY) for at, line in enumerate(lines)]
        sheet = replace(sheet, height=sheet.height + LINE * len(lines), marks=(*sheet.marks, *foot))
    image = Image.new("RGB", (TIMES * sheet.width, TIMES * sheet.height), "#ffffff")
    draw = ImageDraw.Draw(image)
    for mark in sheet.marks:
        _draw(image, draw, mark)
    return image


def _draw(image: Image.Image, draw: ImageDraw.ImageDraw, mark: Mark) -> None:
    match mark:
        case Picture():
            left, top = round(TIMES * mark.x), round(TIMES * mark.y)
            size = round(TIMES * (mark.x + mark.width)) - left, round(TIMES * (mark.y + mark.height)) - top
            how = Image.Resampling.BICUBIC if mark.photo else Image.Resampling.NEAREST
            drawn = Image.fromarray(mark.pixels).resize(size, how)
            image.paste(drawn, (left, top), None if mark.opacity == 1 else Image.new("L", size, _light(mark.opacity)))
        case Box():
            _box(image, draw, mark)
        case Polyline():
            _line(image, draw, mark)
        case Dot():
            _dot(image, mark)
        case Words():
            _words(image, draw, mark)


def _box(image: Image.Image, draw: ImageDraw.ImageDraw, mark: Box) -> None:
    corners = [TIMES * it for it in (mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)]
    if mark.frame:
        draw.rectangle(corners, outline=mark.colour, width=round(TIMES * mark.frame))
    elif mark.opacity == 1:
        draw.rectangle(corners, fill=mark.colour)
    else:
        left, top, right, bottom = map(round, corners)
        size = max(1, right - left), max(1, bottom - top)
        image.paste(mark.colour, (left, top), Image.new("L", size, _light(mark.opacity)))


def _line(image: Image.Image, draw: ImageDraw.ImageDraw, mark: Polyline) -> None:
    parts = [mark.points] if mark.dash == "solid" else list(_broken(mark))
    straight = len(mark.points) == 2 and any(it == other for it, other in zip(*mark.points, strict=True))
    if straight and mark.opacity == 1:
        for part in parts:
            points = [(TIMES * x, TIMES * y) for x, y in part]
            draw.line(points, fill=mark.colour, width=max(1, round(TIMES * mark.width)))
    elif mark.points:
        _blended(image, mark.points, parts, mark.colour, mark.opacity, mark.width)


def _broken(line: Polyline) -> Iterator[tuple[Pair, ...]]:
    """The drawn parts of a dashed line, each from corner to corner."""
    parts = line.strokes
    part, left, drawn = 0, parts[0], [line.points[0]]
    for start, end in pairwise(line.points):
        length, done = hypot(end[0] - start[0], end[1] - start[1]), 0.0
        while length - done > left:
            done += left
            share = done / length
            place = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
            if part % 2 == 0:
                yield (*drawn, place)
            part, drawn = part + 1, [place]
            left = parts[part % len(parts)]
        left -= length - done
        drawn.append(end)
    if part % 2 == 0 and len(drawn) > 1:
        yield tuple(drawn)


def _dot(image: Image.Image, mark: Dot) -> None:
    reach, rounded = mark.size / 2, not mark.corners
    outline = mark.corners or ((mark.x - reach, mark.y - reach), (mark.x + reach, mark.y + reach))
    if not mark.hollow:
        _blended(image, outline, [outline], mark.colour, mark.opacity, 0, rounded)
    if mark.edge:
        colour = mark.colour if mark.hollow else mark.edge_colour
        _blended(image, outline, [(*outline, outline[0])], colour, mark.opacity, mark.edge, rounded)


def _blended(
    image: Image.Image,
    points: Sequence[Pair],
    parts: Sequence[Sequence[Pair]],
    colour: str,
    opacity: float,
    width: float,
    rounded: bool = False,
) -> None:
    """Lines of a `width` through parts, or where there is none what they enclose, with soft edges.

    All of it lies around `points`; what is `rounded` is the circle in the box between two of them.
    """
    times, room = TIMES * FINER, width / 2 + 1
    left, top = (floor(TIMES * (min(it) - room)) for it in zip(*points, strict=True))
    right, bottom = (ceil(TIMES * (max(it) + room)) for it in zip(*points, strict=True))
    mask = Image.new("L", (FINER * (right - left), FINER * (bottom - top)))
    pen, light, wide = ImageDraw.Draw(mask), _light(opacity), max(1, round(times * width))
    for part in parts:
        placed = [(times * x - FINER * left, times * y - FINER * top) for x, y in part]
        if rounded:
            (x0, y0), (x1, y1) = placed[:2]
            more = wide / 2 if width else 0  # the line lies on the edge, not inside it
            box = (x0 - more, y0 - more, x1 + more, y1 + more)
            pen.ellipse(box, outline=light, width=wide) if width else pen.ellipse(box, fill=light)
        elif width:
            pen.line(placed, fill=light, width=wide, joint="curve")
        else:
            pen.polygon(placed, fill=light)
    image.paste(colour, (left, top), mask.reduce(FINER))


def _words(image: Image.Image, draw: ImageDraw.ImageDraw, mark: Words) -> None:
    letters = font(TIMES * mark.size)
    lead, text = written(mark.lead), written(mark.text)
    stroke = 0.5 if mark.bold else 0
    if mark.turned:
        width, height = ceil(letters.getlength(text)) + 4, 2 * TIMES * mark.size
        mask = Image.new("L", (width, height))
        ImageDraw.Draw(mask).text((2, 1.5 * TIMES * mark.size), text, 255, letters, "ls", stroke_width=stroke)
        start = {"start": width, "middle": width / 2, "end": 0}[mark.anchor]
        place = round(TIMES * mark.x - 1.5 * TIMES * mark.size), round(TIMES * mark.y - start)
        image.paste(mark.colour, place, mask.rotate(90, expand=True))
        return
    x, y = TIMES * mark.x, TIMES * mark.y
    if lead:
        before = letters.getlength(lead)
        x -= {"start": 0, "middle": 0.5, "end": 1}[mark.anchor] * (before + letters.getlength(text))
        draw.text((x, y), lead, mark.colour, letters, "ls", stroke_width=0.5)
        draw.text((x + before, y), text, mark.colour, letters, "ls")
        return
    draw.text((x, y), text, mark.colour, letters, ANCHORS[mark.anchor], stroke_width=stroke)


def _light(opacity: float) -> int:
    return round(255 * opacity)
