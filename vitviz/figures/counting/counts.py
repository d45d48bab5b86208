"""Charts of what a model costs: where parameters and arithmetic sit, and how large the tensors are."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, groupby
from math import ceil

from vitviz import palette
from vitviz.figures.axes import hidden
from vitviz.figures.figure import Axis, Figure, Handle, Key
from vitviz.figures.marks import Area, Line, Text
from vitviz.figures.parts import Amount, chart
from vitviz.numbers import bytes_, exact, percent, short

Counts = Mapping[str, int]
LEAST_SHARE = 0.05  # of a chart, below which a label would not fit
LEAST_COLUMN = (0.15, 0.02)  # of its width, below which a column has no name under it, or no number
FOOT = 0.08  # of the height, for the names of columns
MOST_COLUMNS = 64  # blocks that are drawn one by one
BAR = 54  # pixels of a bar with its name above it
ROW = 25  # pixels of a bar with its name beside it
LETTER = 7.6  # pixels, about
MOST_BESIDE = 300  # pixels of names beside bars


def mosaic(
    columns: Sequence[tuple[str, Counts]],
    dim: int,
    frame: tuple[float, float] | None = None,
    handles: tuple[Handle, ...] = (),
    height: int = 380,
) -> Figure:
    """A model as one picture: columns in the order of the forward, as high as dim, split by kind.

    Every area is as large as its number of parameters. `frame` is the width and height of what is seen, in the same
    units; without it the model fills the picture.
    """
    columns = _few(columns)
    sums = [sum(kinds.values()) for _, kinds in columns]
    total, starts = sum(sums), list(accumulate((it / dim for it in sums), initial=0.0))
    across, down = frame or (total / dim, float(dim))
    areas = [
        Area(start, low / count * dim, count / dim, kinds[kind] / count * dim, palette.STAGES[kind], kind, says)
        for (name, kinds), count, start in zip(columns, sums, starts, strict=False)
        for kind, low in zip(kinds, accumulate(kinds.values(), initial=0), strict=False)
        if (says := f"{kind} in {name}: {exact(kinds[kind])} parameters") and kinds[kind]
    ]
    shares = {kind: sum(kinds.get(kind, 0) for _, kinds in columns) / total for kind in _kinds(columns)}
    areas += [
        _label(list(alike), f"{kind}\n{percent(shares[kind])}")
        for kind, alike in groupby(sorted(areas, key=lambda it: it.row), key=lambda it: it.row)
        if shares[kind] > LEAST_SHARE
    ]
    texts = [
        Text(start + count / dim / 2, 0, label, "middle", "below")
        for (name, _), count, start in zip(columns, sums, starts, strict=False)
        if (label := name.removeprefix("block ")) and count / dim > across * LEAST_COLUMN[label.isdigit()]
    ]
    return chart(
        hidden(0, across),
        hidden(-FOOT * down, down),
        height,
        areas=areas,
        texts=texts,
        handles=handles,
        amounts=_amounts(columns, "{kind} in {name}", "parameters"),
        legend=tuple(Key(f"{kind} {percent(share)}", palette.STAGES[kind], kind) for kind, share in shares.items()),
    )


def totals(
    models: Sequence[tuple[str, Counts]],
    unit: str,
    *,
    shares: bool = False,
    colours: Mapping[str, str] = palette.STAGES,
    say: Callable[[int], str] = short,
    named: bool = True,
    beside: bool = False,
) -> Figure:
    """One bar per model to one scale, split by kind; its name and total stand above it. As `shares` all are as long.

    `named=False` leaves the legend out, where a table beside the chart has the colours; `beside` puts short names
    before the bars.
    """
    sums = [sum(kinds.values()) for _, kinds in models]
    areas = []
    low, thick = (0.1, 0.8) if beside else (0.42, 0.5)
    for place, ((name, kinds), total) in enumerate(zip(models, sums, strict=True)):
        scale = total if shares else 1
        for (kind, count), start in zip(kinds.items(), accumulate(kinds.values(), initial=0), strict=False):
            if count:
                caption = f"{name}, {kind}: {exact(count)} {unit}, {percent(count / total)}"
                areas.append(Area(start / scale, place + low, count / scale, thick, colours[kind], kind, caption))
    names = [f"{name}: {say(total)}" for (name, _), total in zip(models, sums, strict=True)]
    return chart(
        hidden(0, 1 if shares else max(sums)),
        _rows(len(models)),
        (ROW if beside else BAR) * len(models) + 14,
        areas=areas,
        texts=[
            Text(0, place + 0.5, name, "end", "middle") if beside else Text(0, place + 0.36, name)
            for place, name in enumerate(names)
        ],
        legend=tuple(Key(kind, colours[kind], kind) for kind in _kinds(models)) if named else (),
        amounts=_amounts(models, "{name}, {kind}", unit),
        left=_width_of_names(names) if beside else 0,
    )


def squares(matrices: Sequence[tuple[str, str, int]], dim: int) -> Figure:
    """Matrices of `dim` rows side by side, (name, colour, columns), with a line after every `dim` columns."""
    wide, areas = 0, []
    for name, colour, columns in matrices:
        says = f"{name}: {exact(columns * dim)} parameters"
        areas.append(Area(wide / dim, 0, columns / dim, 1, colour, name, says))
        areas.append(Area(wide / dim, 0, min(1, columns / dim), 1, "none", text=f"{name}\n{columns / dim:g}"))
        wide += columns
    edges = range(1, min(wide // dim, MOST_COLUMNS))
    return chart(
        hidden(0, wide / dim),
        hidden(0, 1),
        110,
        areas=areas,
        lines=[Line(((at, 0), (at, 1)), "#ffffff", width=2, smooth=False) for at in edges],
        amounts=[Amount(name, "parameters", columns * dim) for name, _, columns in matrices],
    )


def left_out(parts: Sequence[tuple[str, int, str]]) -> Figure:
    """Parts that some convention leaves out, (name, count, who leaves it out), as bars to one scale."""
    areas, texts = [], []
    for place, (name, count, who) in enumerate(parts):
        colour, says = palette.STAGES[name.partition(",")[0]], f"{name}: {exact(count)} parameters"
        areas.append(Area(0, place + 0.42, count, 0.5, colour, name, says))
        texts.append(Text(0, place + 0.36, f"{name}: {exact(count)}, not in: {who}", row=name))
    return chart(
        hidden(0, max(count for _, count, _ in parts)),
        _rows(len(parts)),
        BAR * len(parts) + 14,
        areas=areas,
        texts=texts,
        amounts=[Amount(name, "parameters", count) for name, count, _ in parts],
    )


def counted_and_measured(stages: Sequence[tuple[str, float, float | None]]) -> Figure:
    """For each stage, (name, share of the arithmetic, share of the time), two bars to one scale.

    The second is None, and its bar not there, while nothing is measured.
    """
    areas, texts, amounts = [], [], []
    kinds = ("multiply-accumulates", palette.ATTENTION), ("time", palette.RESIDUAL)
    for place, (name, *shares) in enumerate(stages):
        known = [(*kind, share) for kind, share in zip(kinds, shares, strict=True) if share is not None]
        caption = f"{name}: " + ", ".join(f"{percent(share)} of the {of}" for of, _, share in known)
        texts.append(Text(0, place + 0.5, name, "end", "middle", name))
        for half, (of, colour, share) in enumerate(known):
            low = place + 0.1 + 0.4 * half
            areas.append(Area(0, low, max(share, 0.0), 0.38, colour, name, caption, hatched=bool(half)))
            texts.append(Text(max(share, 0.0), low + 0.19, percent(max(share, 0.0)), "start", "middle", name))
            amounts.append(Amount(name, f"share of the {of}", share))
    return chart(
        hidden(0, 1.3 * max(share for _, *shares in stages for share in shares if share is not None)),
        _rows(len(stages)),
        2 * ROW * len(stages) + 14,
        areas=areas,
        texts=texts,
        legend=(
            Key("share of the multiply-accumulates", palette.ATTENTION),
            Key("share of the time, striped", palette.RESIDUAL),
        ),
        left=_width_of_names([name for name, *_ in stages]),
        amounts=amounts,
    )


def sizes(tensors: Sequence[tuple[str, str, int]], rows: Sequence[str] = ()) -> Figure:
    """Bytes of some tensors, (name, shape in words, bytes), as bars to one scale; `rows` are their names elsewhere."""
    names = [name for name, *_ in tensors]
    areas, texts = [], []
    for at, ((name, shape, count), row) in enumerate(zip(tensors, rows or names, strict=True)):
        says = f"{name}: {shape}, {exact(count)} bytes"
        areas.append(Area(0, at + 0.12, count, 0.76, tensor_colour(name), row, says))
        texts.append(Text(0, at + 0.5, name, "end", "middle", row))
        texts.append(Text(count, at + 0.5, bytes_(count), "start", "middle", row))
    return chart(
        hidden(0, 1.25 * max(count for *_, count in tensors)),
        _rows(len(tensors)),
        ROW * len(tensors) + 14,
        areas=areas,
        texts=texts,
        left=_width_of_names(names),
        amounts=[Amount(name, "bytes", count) for name, _, count in tensors],
    )


def tensor_colour(name: str) -> str:
    """The colour of a tensor by its name in the trace: q, k and v have their roles, the stream has its own."""
    local = name.rpartition(".")[2]
    roles = {"q": palette.QUERY, "k": palette.KEY, "v": palette.VALUE, "patches": palette.PATCH, "image": palette.PATCH}
    if local in roles:
        return roles[local]
    if "attn." in name:
        return palette.ATTENTION
    return palette.MLP if "mlp." in name else palette.RESIDUAL


def _few(columns: Sequence[tuple[str, Counts]]) -> Sequence[tuple[str, Counts]]:
    """The columns, neighbouring blocks as one where there are more than can be told apart."""
    first, *blocks, last = columns
    if len(blocks) <= MOST_COLUMNS:
        return columns
    step = ceil(len(blocks) / MOST_COLUMNS)
    groups = [blocks[at : at + step] for at in range(0, len(blocks), step)]
    joined = [
        (f"{group[0][0]} and {len(group) - 1} more", {kind: len(group) * count for kind, count in group[0][1].items()})
        for group in groups
    ]
    return first, *joined, last


def _kinds(columns: Sequence[tuple[str, Counts]]) -> list[str]:
    return list(dict.fromkeys(kind for _, kinds in columns for kind in kinds))


def _amounts(columns: Sequence[tuple[str, Counts]], called: str, unit: str) -> list[Amount]:
    parts = ((name, kind, count) for name, kinds in columns for kind, count in kinds.items() if count)
    return [Amount(called.format(name=name, kind=kind), unit, count) for name, kind, count in parts]


def _rows(count: int) -> Axis:
    """Rows from the top."""
    return hidden(count, 0)


def _width_of_names(names: Sequence[str]) -> int:
    return min(MOST_BESIDE, round(LETTER * max(map(len, names))) + 14)


def _label(alike: Sequence[Area], text: str) -> Area:
    """Words over areas of one kind, in the middle of those as high as the highest."""
    highest = max(area.height for area in alike)
    those = [area for area in alike if area.height > 0.9 * highest]
    first, last = those[0], those[-1]
    return Area(first.x, first.y, last.x + last.width - first.x, first.height, "none", text=text, ground=first.colour)
