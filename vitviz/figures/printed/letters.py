"""The letters of a PNG: the app's own font, what it can write, and how wide words are in it."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

FINE = 2  # times larger are letters measured: small ones are as wide as whole pixels
FILE = "static/static/media/SourceSansVF-Upright*.woff2"  # of Streamlit
WEIGHT = 400  # of the letters, from 200 to 900
RAISED = re.compile("[⁻⁺⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵀ]+")
SUBSTITUTES = {"−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "×": "x", "÷": "/", "√": "sqrt ", "≈": "~", "≤": "<="}
SUBSTITUTES |= {
    "≥": ">=",
    "→": "->",
    "←": "<-",
    "↔": "<->",
    "↑": "^",
    "↓": "v",
    "∞": "inf",
    "∈": " in ",
    "∥": "||",
    "⟨": "<",
}
SUBSTITUTES |= {"⟩": ">", "∗": "*", "│": "|", "Σ": "sum ", "∑": "sum ", "∂": "d", "✓": "yes", "✗": "no"}
SUBSTITUTES |= {"⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"}
WIDEST = 1.22  # times the app's own font: DejaVu Sans
NAMED = 4  # letters of those that the font lacks
NOBODY_S = "\U0010ffff"  # a letter that no font has

Font = ImageFont.ImageFont | ImageFont.FreeTypeFont


@cache
def font(size: int) -> Font:
    """The font with letters of so many pixels: the one that Streamlit brings, or Pillow's, which has fewer letters."""
    found = find_spec("streamlit")
    for path in sorted(Path(found.origin).parent.glob(FILE)) if found and found.origin else ():
        try:
            letters = ImageFont.truetype(path, size)
            letters.set_variation_by_axes([WEIGHT])
        except OSError:  # a Pillow that does not read this kind
            break
        return letters
    return ImageFont.load_default(size)


def written(text: str) -> str:
    """The same words in letters that the font has; a blank stands for each of `lacking`."""
    printable = "".join(letter for letter in text if letter.isprintable())
    plain = RAISED.sub(lambda found: found[0] if all(map(_has, found[0])) else f"^{_plain(found[0])}", printable)
    return "".join(letter if _has(letter) else _substitute(letter) for letter in plain)


def lacking(texts: Iterable[str]) -> str:
    """A sentence on the letters of texts that the font lacks and nothing else says, by their numbers in Unicode."""
    found = dict.fromkeys(
        it for text in texts for it in text if it.isprintable() and not _has(it) and _substitute(it) == blank()
    )
    if not found:
        return ""
    named = [f"U+{ord(letter):04X}" for letter in found]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    return f"{blank()} stands for {', '.join(named[:NAMED])}{more}: letters that a PNG's font lacks, and the SVG has."


@cache
def blank() -> str:
    """What stands for a letter that the font lacks."""
    return "□" if _has("□") else "?"


def most_of(text: str, size: int) -> float:
    """How many pixels words are wide at most in the fonts that an SVG may be read with."""
    return WIDEST * width_of(text, size)


def width_of(text: str, size: int) -> float:
    """How many pixels words are wide, about: an SVG is read with another font."""
    return font(FINE * size).getlength(written(text)) / FINE


def fitting(text: str, size: int, room: float) -> str:
    """As much of words as there are pixels for."""
    start = text
    while len(start) > 1 and most_of(start, size) > room:
        start = f"{start[:-2]}…"
    return start


@cache
def _has(letter: str) -> bool:
    """Whether the font draws it, not the empty box of letters that it lacks."""
    letters = font(40)
    drawn, missing = letters.getmask(letter), letters.getmask(NOBODY_S)
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


def _substitute(letter: str) -> str:
    """A letter that the font lacks, in letters that every font has."""
    if letter in SUBSTITUTES:
        return SUBSTITUTES[letter]
    if found := re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", unicodedata.name(letter, "")):
        return found[2].lower() if found[1] == "SMALL" else found[2].capitalize()
    plain = _plain(letter)
    if unicodedata.category(letter).startswith("M"):  # stands above or below one that is said
        return ""
    return plain if plain.isascii() and plain else blank()


def _plain(letters: str) -> str:
    """Letters without what stands above and below them, and not raised: é is e, ² is 2, ₖ is k."""
    apart = unicodedata.normalize("NFKD", letters).replace("−", "-")
    return "".join(it for it in apart if not unicodedata.combining(it))
