"""Texts and colours as Plotly writes them: lines of pseudo-HTML, and colours of several spellings."""

import re
from dataclasses import dataclass
from html import unescape

from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.letters import width_of
from vitviz.takeaway.figures.marks import INK, TEXT, Anchor, Words

BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
LEAD = re.compile(r"<b>(.*?)</b>(.*)", re.DOTALL)
TAGS = re.compile(r"</?(?:a|b|em|i|s|span|strong|sub|sup|u)(?:\s[^<>]*)?>", re.IGNORECASE)
HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
MIXED = re.compile(r"rgba?\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*([\d.]+)\s*)?\)")
LEADING = 1.3  # of the letters, from one line to the next


@dataclass(frozen=True, slots=True)
class Rich:
    """A line of text: a bold `lead`, and what follows it."""

    lead: str
    text: str

    @property
    def width(self) -> float:
        """Pixels at the usual size, about."""
        return width_of(self.lead + self.text, TEXT)


def lines_of(text: str | None) -> list[Rich]:
    """The lines of a text of Plotly; what it does not know as markup stays as it is written."""
    return [_line(part) for part in BREAK.split(text or "")] if text else []


def plain(text: str | None) -> str:
    """The same as one line without markup."""
    return " ".join(it.lead + it.text for it in lines_of(text))


def written(
    text: str, x: float, y: float, across: Anchor = "start", down: str = "bottom", size: int = TEXT, colour: str = INK
) -> list[Words]:
    """A text whose box stands with one of its edges, or its middle, at a place."""
    lines, leading = lines_of(text), LEADING * size
    above = {"top": 0.0, "middle": len(lines) / 2, "bottom": float(len(lines))}[down] * leading
    return [
        Words(x, y - above + (at + 1) * leading - 0.3 * size, it.text, across, False, size, colour, it.lead)
        for at, it in enumerate(lines)
    ]


def shortened(text: str, room: float, size: int = TEXT) -> str:
    """As much of a line as there is room for."""
    while width_of(text, size) > room and len(text) > 1:
        text = text[: -2 if text.endswith("…") else -1].rstrip() + "…"
    return text


def inked(colour: str) -> tuple[str, float]:
    """A colour as six digits, and how opaque it is. Raises `TakeawayError` for a spelling that we do not use."""
    if HEX.fullmatch(colour):
        return colour.lower(), 1.0
    if found := MIXED.fullmatch(colour):
        red, green, blue, opacity = found.groups()
        return f"#{int(red):02x}{int(green):02x}{int(blue):02x}", float(opacity or 1)
    raise TakeawayError(f"the colour “{colour[:30]}” cannot be drawn for print; write it as #rrggbb")


def _line(text: str) -> Rich:
    found = LEAD.fullmatch(text)
    lead, rest = found.groups() if found else ("", text)
    return Rich(_bare(lead), _bare(rest))


def _bare(text: str) -> str:
    return unescape(TAGS.sub("", text))
