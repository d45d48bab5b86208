"""Charts of several models at once: cards to one scale, and the plane of dim and depth with a budget in it."""

from collections.abc import Collection, Sequence
from itertools import accumulate

from vitviz import palette
from vitviz.figures.axes import hidden, linear
from vitviz.figures.figure import Figure, Handle, Key, Plane
from vitviz.figures.marks import Area, Line, Spot, Text
from vitviz.figures.parts import Amount, chart
from vitviz.numbers import exact, short

# id, name, dim, widths of the matrices of attention and of the MLP side by side, depth, parameters
Card = tuple[str, str, int, int, int, int, int]
Place = tuple[str, int, int]  # name, dim, depth
MOST_ROWS = 64  # of a card: more cannot be told apart
LEAST_SLOT = 1 / 9  # of the chart: room for the label of a small card


def cards(models: Sequence[Card], framed: Collection[str], choosable: Collection[str], choice: str) -> Figure:
    """Each model as a card: one row per block, as high as dim; in it the matrices of attention, then the MLP's.

    Every number of every matrix has the same area on all cards. `framed` are the models in question, `choosable` those
    that a click chooses.
    """
    widths = [attention + mlp for _, _, _, attention, mlp, *_ in models]
    slots = [max(width * 1.15, sum(widths) * LEAST_SLOT) for width in widths]
    areas: list[Area] = []
    texts: list[Text] = []
    for (model, name, dim, attention, mlp, depth, count), width, slot, room in zip(
        models, widths, slots, accumulate(slots, initial=0.0), strict=False
    ):
        left = room + (slot - width) / 2
        chooses = model if model in choosable else ""
        says = f"{name}: {depth} blocks of dim {exact(dim)}, {exact(count)} parameters"
        rows = min(depth, MOST_ROWS)
        high = depth * dim / rows
        for row in range(rows):
            for start, length, colour in ((left, attention, palette.ATTENTION), (left + attention, mlp, palette.MLP)):
                areas.append(Area(start, row * high, length, high, colour, model, says, chooses=chooses))
        if model in framed:
            areas.append(Area(left, 0, width, depth * dim, "none", model, says, chooses=chooses, framed=True))
        texts.append(Text(left + width / 2, 0, f"{name}\n{short(count)}", "middle", "below", model, chooses))
    tallest = max(dim * depth for _, _, dim, *_, depth, _ in models)
    return chart(
        hidden(0, sum(slots)),
        hidden(-0.28 * tallest, 1.02 * tallest),
        380,
        areas=areas,
        texts=texts,
        legend=(Key("matrices of attention", palette.ATTENTION), Key("matrices of the MLP", palette.MLP)),
        choice=choice,
        amounts=[
            Amount(name, measure, value)
            for _, name, dim, *_, depth, count in models
            for measure, value in (("dim", dim), ("blocks", depth), ("parameters", count))
        ],
    )


def plane(
    curve: Sequence[tuple[int, float]],
    found: Sequence[tuple[int, int, float, str]],
    presets: Sequence[Place],
    limits: tuple[int, int],
    there: Plane,
    budget: Handle,
) -> Figure:
    """Dim against depth: the curve on which a budget is met, and the whole models near it.

    `found` are dim, depth, the depth on the curve at that dim, and what is said. Between the dotted lines lie `limits`,
    the fewest and most numbers of dim per block. A click is a place `there`; `budget` is dragged with the curve.
    """
    widest, deepest = max(there.columns), max(there.rows)
    seen = [place for place in presets if place[2] <= deepest]
    met = tuple((dim, depth) for dim, depth in curve if 0 < depth < 1.5 * deepest)
    lines = [
        Line(((0, 0), (widest, widest / per_block)), palette.RESIDUAL, dash="dot", width=2, smooth=False)
        for per_block in limits
    ]
    spots, places = [Spot(dim, depth, palette.RESIDUAL, text=name) for name, dim, depth in seen], []
    for number, (dim, depth, depth_wanted, says) in enumerate(found, start=1):
        lines.append(Line(((dim, float(depth)), (dim, depth_wanted)), palette.ATTENTION, width=2, smooth=False))
        spots.append(Spot(dim, depth, palette.ATTENTION, "diamond", str(number), str(number), says))
        places.append((f"whole model {number}", dim, depth))
    return chart(
        linear(1.02 * widest, "dim", 9),
        linear(deepest, "depth"),
        365,
        lines=(*lines, Line(met, palette.ATTENTION, width=5, moves=budget.name)),
        spots=spots,
        plane=there,
        handles=(budget,),
        amounts=[
            Amount(name, measure, value)
            for name, dim, depth in (*places, *seen)
            for measure, value in (("dim", dim), ("depth", depth))
        ],
        legend=(
            Key("the budget", palette.ATTENTION, dash="solid"),
            Key("◆ whole models near it", "transparent"),
            Key("● presets", "transparent"),
            Key(f"dim = {limits[0]} and {limits[1]} · depth", palette.RESIDUAL, dash="dot"),
        ),
    )
