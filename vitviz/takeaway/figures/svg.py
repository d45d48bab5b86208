"""A sheet as SVG: text stays text, in fonts by name; pictures are inside. Equal sheets make equal bytes."""

import base64
from html import escape

from vitviz.takeaway.figures.marks import Box, Line, Mark, Picture, Pixels, Sheet, Words
from vitviz.takeaway.pixels import png_file

FONTS = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def svg(sheet: Sheet) -> str:
    """The text of the file."""
    size = f'width="{sheet.width}" height="{sheet.height}" viewBox="0 0 {sheet.width} {sheet.height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONTS}">',
            f"<title>{_text(sheet.title)}</title>",
            f'<rect width="{sheet.width}" height="{sheet.height}" fill="#ffffff"/>',
            *map(_element, sheet.marks),
            "</svg>\n",
        ]
    )


def _element(mark: Mark) -> str:
    match mark:
        case Picture():
            how = "" if mark.photo else ' style="image-rendering:pixelated"'
            place = f'x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}"'
            return f'<image {place} preserveAspectRatio="none"{how} href="{_address(mark.pixels)}"/>'
        case Box():
            frame = f'fill="none" stroke="{mark.colour}" stroke-width="{mark.frame:g}"'
            how = frame if mark.frame else f'fill="{mark.colour}"'
            place = f'x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}"'
            return f"<rect {place} {how}/>"
        case Line():
            points = " ".join(f"{x:g},{y:g}" for x, y in mark.points)
            dashes = ' stroke-dasharray="6 5"' if mark.dashed else ""
            how = f'fill="none" stroke="{mark.colour}" stroke-width="{mark.width:g}"'
            return f'<polyline points="{points}" {how}{dashes}/>'
    return _words(mark)


def _words(mark: Words) -> str:
    bold = ' font-weight="bold"' if mark.bold else ""
    place = f'x="{mark.x:g}" y="{mark.y:g}" font-size="{mark.size}" text-anchor="{mark.anchor}" fill="{mark.colour}"'
    return f"<text {place}{bold}>{_text(mark.text)}</text>"


def _text(text: str) -> str:
    """Words with their markup escaped, without letters that XML forbids."""
    return escape("".join(letter for letter in text if letter.isprintable()))


def _address(pixels: Pixels) -> str:
    return f"data:image/png;base64,{base64.b64encode(png_file(pixels)).decode()}"
