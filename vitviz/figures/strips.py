"""Long vectors as strips of colour, one below the other on one scale, with their first numbers written out."""

from collections.abc import Iterator, Mapping

import numpy as np

from vitviz import numbers
from vitviz.figures.axes import hidden, linear
from vitviz.figures.figure import Figure, Numbers, Panel
from vitviz.figures.marks import Area, Bars, Colours, Floats, Heat, Mark, Says, Text

BARS = 300
HEIGHT = 84  # pixels of one strip and its heading
WRITTEN = 3  # numbers in a heading: as many as a phone has room for
TOP, THICK = 0.36, 0.6  # where a strip begins in its line, and its share of it


def strips(vectors: Mapping[str, Floats], title: str = "", mark: int | None = None, photo: bool = False) -> Figure:
    """One strip per named vector, all of one length and on one scale around 0; `mark` frames one place in all.

    In a `photo` the numbers are those of a patch of the picture on screen, or of its token before the first block:
    whoever has the parameters finds the pixels in it.
    """
    longest = max(len(vector) for vector in vectors.values())
    colours = Colours(max(float(np.abs(vector).max()) for vector in vectors.values()) or 1.0, signed=True)
    marks = [it for line, named in enumerate(vectors.items()) for it in _strip(*named, line, colours, photo)]
    if mark is not None:
        marks += [Area(mark + 0.5, line + TOP, 1, THICK, "none", framed=True) for line in range(len(vectors))]
    panel = Panel(hidden(0.5, longest + 0.5), hidden(len(vectors), 0), tuple(marks), len(vectors) * HEIGHT)
    numbers = [
        Numbers(name, ("number",), vector, f"{title}: {name}." if title else "", photo)
        for name, vector in vectors.items()
    ]
    return Figure(((panel,),), title, tuple(numbers), colours)


def bars(name: str, vector: Floats, colour: str, photo: bool = False) -> Figure:
    """One vector as a bar for each of its numbers, upwards and downwards from 0."""
    places = np.arange(1, len(vector) + 1)
    limits = [1.05 * end for end in (min(0.0, float(vector.min())), max(0.0, float(vector.max())) or 1.0)]
    drawn = Bars(places, vector, (colour,), Says("number {number}: {value:.4f}", {"number": places}), photo=photo)
    axes = linear(len(vector) + 0.5, low=0.5), linear(limits[1], ticks=4, low=limits[0])
    return Figure(((Panel(*axes, (drawn,), BARS, name),),))


def _strip(name: str, vector: Floats, line: int, colours: Colours, photo: bool) -> Iterator[Mark]:
    """Its colours, and above them its name and its first numbers."""
    columns = {"name": np.array(name), "number": np.arange(1, len(vector) + 1)}
    says = Says(f"{{name}}\nnumber {{number}} of {numbers.exact(len(vector))}: {{value:.4f}}", columns)
    yield Heat(np.asarray(vector)[None], colours, says, 1, line + TOP + THICK / 2, down=THICK, photo=photo)
    written = "  ".join(numbers.small(float(number)) for number in vector[:WRITTEN])
    yield Text(0.5, line + TOP, f"  {written}{' …' * (len(vector) > WRITTEN)}", lead=name, photo=photo)
