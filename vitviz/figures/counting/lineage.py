"""Charts of where a ViT comes from: the Transformer of 2017 with the half that it is, and its relatives by year."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vitviz import palette
from vitviz.figures.axes import hidden
from vitviz.figures.figure import Axis, Figure, Key
from vitviz.figures.marks import Area, Line, Spot, Text
from vitviz.figures.parts import Amount, chart

ROW = 52  # pixels
THIN = 0.62  # of a row: what is not attention, MLP or a table
GAP = 0.22
WIDE, APART = 4.0, 1.6  # of a half, and between the two
FOOT = 0.6
RELATIVE = 30  # pixels of a row
NAMES = 2  # years to the right, for names
FAMILIES = {
    "language": palette.RESIDUAL,
    "pictures, with convolutions": palette.CONVOLUTION,
    "pictures, as patches or pixels": palette.ATTENTION,
}


class Box(NamedTuple):
    """A box of the diagram: its kind, what is written in it and said of it, and its parameters here."""

    kind: str
    text: str
    says: str
    parameters: int = 0

    @property
    def height(self) -> float:
        """In rows."""
        return THIN if self.kind in ("layer norms", "position embedding") else 1.0


def halves(encoder: Sequence[Box], decoder: Sequence[Box]) -> Figure:
    """Figure 1 of Vaswani et al. 2017 with both halves, each from below; what a model on screen has is framed.

    The third box of each half begins its blocks; the decoder's fifth reads what the encoder made.
    """
    areas, middles, tops = [], [], []
    for left, boxes in ((0.0, encoder), (WIDE + APART, decoder)):
        y = 0.0
        for box in boxes:
            areas.append(Area(left, y, WIDE, box.height, palette.STAGES[box.kind], box.text, box.says, box.text))
            middles.append(y + box.height / 2)
            y += box.height + GAP
        tops.append(y)
    made = middles[len(encoder) - 2] + encoder[-2].height / 2 + GAP / 2  # above the last norm, below the head
    read, across = middles[len(encoder) + 4], WIDE + APART / 2
    path = (WIDE, made), (across, made), (across, read), (WIDE + APART, read)
    says = "What the encoder made goes to every block of the decoder, as keys and values: cross-attention."
    high = max(tops)
    return chart(
        hidden(-0.1, 2 * WIDE + APART + 0.1),
        hidden(-FOOT, high),
        round(ROW * (high + FOOT)),
        areas=(*areas, Area(-0.06, -GAP / 2, WIDE + 0.12, tops[0] - GAP / 2, "none", framed=True)),
        lines=(Line(path, palette.KEY, "cross", says, "dash", smooth=False),),
        texts=(
            Text(WIDE / 2, -0.12, "encoder", "middle", "below"),
            Text(WIDE + APART + WIDE / 2, -0.12, "decoder", "middle", "below"),
        ),
        legend=(Key("keys and values for the decoder", palette.KEY, "cross", "dash"),),
        says="A part that is pointed at says what it is here, and in the paper.",
        amounts=[Amount(box.text.replace("\n", " "), "parameters", box.parameters) for box in encoder],
    )


class Relative(NamedTuple):
    """A model by its name: when its paper came, in years, its family, and what it took over from which."""

    name: str
    when: float
    family: str
    parents: tuple[str, ...]
    took: str


def relatives(named: Sequence[Relative], here: str) -> Figure:
    """Models in the order of time, a row for each, with a line from each that it took something over from.

    The one called `here` is framed.
    """
    places: Mapping[str, tuple[float, int]] = {it.name: (it.when, at) for at, it in enumerate(named)}
    lines, spots, texts = [], [], []
    for at, it in enumerate(named):
        says = f"{it.name}, {int(it.when)}: {it.took}"
        for parent in it.parents:
            when, row = places[parent]
            corner = ((when, row), (when, at), (it.when, at))
            lines.append(Line(corner, FAMILIES[it.family], it.name, says, width=2.5, smooth=False))
        spots.append(Spot(it.when, at, FAMILIES[it.family], row=it.name, says=says))
        texts.append(Text(it.when + 0.09, at, it.name, "start", "middle", it.name))
    first, last = int(min(it.when for it in named)), int(max(it.when for it in named)) + 1 + NAMES
    when, row = places[here]
    return chart(
        Axis(first - 0.4, last, "year", tuple((year, str(year)) for year in range(first, last + 1 - NAMES, 2))),
        hidden(len(named), -0.7),
        RELATIVE * len(named) + 66,
        areas=(Area(when - 0.16, row - 0.42, 1.3, 0.84, "none", here, framed=True),),
        lines=lines,
        texts=texts,
        spots=spots,
        legend=tuple(Key(family, colour) for family, colour in FAMILIES.items()),
        says="A model that is pointed at says what it took over.",
        amounts=[Amount(it.name, "year", int(it.when)) for it in named],
    )
