"""A sheet as a PNG of twice its size, drawn by Pillow: no browser, no other program."""

import re
from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from vitviz.takeaway.figures.marks import Box, Line, Mark, Picture, Sheet, Words

TIMES = 2
POWER = re.compile(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
NORMAL = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png(sheet: Sheet) -> bytes:
    """The bytes of the file."""
    image = Image.new("RGB", (TIMES * sheet.width, TIMES * sheet.height), "#ffffff")
    draw = ImageDraw.Draw(image)
    for mark in sheet.marks:
        _draw(image, draw, mark)
    buffer = BytesIO()
    image.save(buffer, "PNG", dpi=(144, 144))
    return buffer.getvalue()


def _draw(image: Image.Image, draw: ImageDraw.ImageDraw, mark: Mark) -> None:
    match mark:
        case Picture():
            left, top = round(TIMES * mark.x), round(TIMES * mark.y)
            size = round(TIMES * (mark.x + mark.width)) - left, round(TIMES * (mark.y + mark.height)) - top
            how = Image.Resampling.BICUBIC if mark.photo else Image.Resampling.NEAREST
            image.paste(Image.fromarray(mark.pixels).resize(size, how), (left, top))
        case Box():
            corners = [TIMES * it for it in (mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)]
            if mark.frame:
                draw.rectangle(corners, outline=mark.colour, width=round(TIMES * mark.frame))
            else:
                draw.rectangle(corners, fill=mark.colour)
        case Line():
            points = [(TIMES * x, TIMES * y) for x, y in mark.points]
            draw.line(points, fill=mark.colour, width=max(1, round(TIMES * mark.width)), joint="curve")
        case Words():
            font = _font(TIMES * mark.size)
            place = TIMES * mark.x, TIMES * mark.y
            stroke = 0.5 if mark.bold else 0
            draw.text(place, _written(mark.text), mark.colour, font, ANCHORS[mark.anchor], stroke_width=stroke)


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _written(text: str) -> str:
    """The same words in letters that Pillow's own font has: 1.3·10⁻⁵ becomes 1.3e-5."""
    plain = POWER.sub(lambda found: "e" + found[1].translate(NORMAL), text)
    return plain.replace("−", "-").replace("≈", "~")
