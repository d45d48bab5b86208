"""A sheet as SVG: text stays text, in fonts by name; pictures are inside. Equal sheets make equal bytes."""

import base64
from collections.abc import Sequence
from html import escape

from vitviz.figures.marks import Pixels
from vitviz.figures.pixels import png_file
from vitviz.figures.printed.marks import Box, Dot, Mark, Picture, Polyline, Sheet, Words

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
            place = f'{_place(mark)} preserveAspectRatio="none"{how}'
            return f'<image {place} href="{_address(mark.pixels)}"{_opacity(mark.opacity)}/>'
        case Box():
            frame = f'fill="none" stroke="{mark.colour}" stroke-width="{mark.frame:g}"'
            how = frame if mark.frame else f'fill="{mark.colour}"'
            return f"<rect {_place(mark)} {how}{_opacity(mark.opacity)}/>"
        case Polyline():
            how = f'fill="none" stroke="{mark.colour}" stroke-width="{mark.width:g}"{_opacity(mark.opacity)}'
            dashes = " ".join(f"{length:g}" for length in mark.strokes)
            broken = f' stroke-dasharray="{dashes}"' if dashes else ""
            return f'<polyline points="{_points(mark.points)}" {how}{broken}/>'
        case Dot():
            return _dot(mark)
    return _words(mark)


def _place(mark: Picture | Box) -> str:
    return f'x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}"'


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _dot(mark: Dot) -> str:
    edge = f' stroke="{mark.colour if mark.hollow else mark.edge_colour}" stroke-width="{mark.edge:g}"'
    fill = "none" if mark.hollow else mark.colour
    how = f'fill="{fill}"{edge if mark.edge else ""}{_opacity(mark.opacity)}'
    if not mark.corners:
        return f'<circle cx="{mark.x:g}" cy="{mark.y:g}" r="{mark.size / 2:g}" {how}/>'
    return f'<polygon points="{_points(mark.corners)}" {how}/>'


def _words(mark: Words) -> str:
    bold = ' font-weight="bold"' if mark.bold else ""
    turn = f' transform="rotate(-90 {mark.x:g} {mark.y:g})"' if mark.turned else ""
    lead = f'<tspan font-weight="bold">{_text(mark.lead)}</tspan>' if mark.lead else ""
    place = f'x="{mark.x:g}" y="{mark.y:g}" font-size="{mark.size}" text-anchor="{mark.anchor}" fill="{mark.colour}"'
    return f"<text {place}{bold}{turn}>{lead}{_text(mark.text)}</text>"


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{opacity:g}"'


def _text(text: str) -> str:
    """Words with their markup escaped, without letters that XML forbids."""
    return escape("".join(letter for letter in text if letter.isprintable()))


def _address(pixels: Pixels) -> str:
    return f"data:image/png;base64,{base64.b64encode(png_file(pixels)).decode()}"
