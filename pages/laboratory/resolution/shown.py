"""What stands on *Resolution*."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from PIL import Image

from vitviz import counts, results
from vitviz.config import ViTConfig
from vitviz.config.sides import spelled, tall
from vitviz.figures import tiles
from vitviz.figures.attention import maps
from vitviz.figures.laboratory.panels import panels
from vitviz.laboratory.resizing import at_size, fits_one_size, of_grid, sizes
from vitviz.measures.laboratory.resolution import AtSize, Place, at_this_size, cell_at
from vitviz.numbers import exact, short, small
from vitviz.selection import Selection
from vitviz.ui import page, pieces
from vitviz.ui.board import address
from vitviz.ui.links import escaped
from vitviz.ui.other_networks import Resized
from vitviz.ui.server.client import ask
from vitviz.ui.widgets import count_line, predictions
from vitviz.ui.widgets.laboratory import guess, number_of_passes, verdict
from vitviz.ui.widgets.live.frames import Panel, Stop, frames
from vitviz.ui.widgets.table import table

from .page import GUESS

if TYPE_CHECKING:
    from vitviz.engine import Request
    from vitviz.forward import ForwardInfo

ROUNDS = 2  # more passes that are clocked, of a model that takes no long
SIDE = 288  # pixels of a picture in a panel


def show(selection: Selection) -> None:
    config = selection.config
    page.sentence(
        f"Move the slider and see whether {'the answer' if config.classes else 'what a head looks at'} stays. Nothing "
        "but the {positions} knows how many {patches} there are: stretch their grid over a finer one, and the same "
        "model reads a larger picture, more tokens, "
        f"{more_parameters(config)}."
    )
    if why_not := fits_one_size(config):
        page.sentence(f"Here is one size only: {why_not}.")
    own, largest = sizes_ends(config)
    is_largest = largest == own
    if not is_largest:
        guessed = guess(
            GUESS,
            f"{spelled(largest.image_size)} instead of {spelled(config.image_size)} pixels are "
            f"{largest.patches / config.patches:.3g} times the patches. And the multiply-accumulates?",
            choices(config),
        )
        if guessed:
            is_largest = True
            times, right = dearer(config)
            verdict(
                guessed,
                right,
                f"{short(counts.total_macs(own))}MAC become {short(counts.total_macs(largest))}MAC, × {small(times)}. "
                "Most of a block grows with the tokens, the products of attention with their square.",
            )
    all_sizes = several(selection)
    early = st.empty()
    for looks in looked(selection, all_sizes, ROUNDS if is_largest else 0):
        if len(looks) < len(all_sizes):
            with early.container():
                side_by_side(selection, looks, "One head at the first sizes")
    early.empty()
    chosen = through(selection, looks, is_largest)
    count_line.follow(chosen.config)
    side_by_side(selection, looks)
    predictions.warn(selection)
    compared(selection, looks, is_largest)
    costs = (
        "Milliseconds are those of the quickest of 3 passes at most, on this device."
        if is_largest
        else ("What each size costs comes with your guess.")
    )
    st.caption(
        f"The marked row is the size on screen, {spelled(config.image_size)} pixels. Positions: "
        f"{interpolated(config)}. {costs}"
    )
    page.sentence(
        "**Interpolate, then train on.** So the paper: pre-trained at 224 pixels, a model is fine-tuned at 384, with "
        "its {positions} interpolated and all of it trained on. Here nothing is trained on: what you see is the first "
        "half."
    )
    (height, width), (down, across) = chosen.config.image_sides, config.patch_sides
    squared = r" \text{attention} \propto t^2, \quad \text{the rest} \propto t"
    resized, sizes = resized_positions(config, chosen.config)
    page.formula(
        r"n = \frac{H}{p} \cdot \frac{W}{p} \qquad "
        + resized
        + (squared if counts.overtaking(config).kinds else r"\text{all} \propto t"),
        rf"n = \frac{{{height}}}{{{down}}} \cdot \frac{{{width}}}{{{across}}} = {exact(chosen.config.patches)}{sizes}",
    )
    st.subheader("A whole picture, uncut", anchor=False)
    page.sentence(
        "A model that was trained on squares is given a square. With another grid of {positions}, one wide or high, it "
        "reads the rest as well."
    )
    whole(selection, looks)
    page.source(at_size, at_this_size)


@dataclass(frozen=True, slots=True)
class Look:
    """One model at one size: its sizes, the picture that it saw, `h w c`, what it made of it, and how soon."""

    config: ViTConfig
    pixels: NDArray[np.uint8]
    seen: AtSize
    answer: str
    seconds: float

    @property
    def name(self) -> str:
        """The grid in words."""
        return spelled(self.config.grid)

    @property
    def macs(self) -> int:
        """Multiply-accumulates of a forward pass."""
        return counts.total_macs(self.config)

    @property
    def probability(self) -> str:
        """That of the answer; nothing without a head."""
        return small(float(self.seen.probabilities.max())) if len(self.seen.probabilities) else ""


def several(selection: Selection) -> list[ViTConfig]:
    """The model at as many sizes as take a moment, or as were asked for, the most wanted first."""
    config = selection.config
    all_sizes = sizes(config)
    passes = sum(map(counts.total_macs, all_sizes)) / len(all_sizes) / counts.total_macs(config)
    return all_sizes[: number_of_passes(config, len(all_sizes), passes, "sizes", "resolution")]


def looked(selection: Selection, configs: Sequence[ViTConfig], rounds: int) -> Iterator[list[Look]]:
    """The model at these sizes as they come, by size, the first of them first; each is clocked so often once more."""
    requests: list[Request[Any]] = [it for config in configs for it in _requests(selection, config, rounds=rounds)]
    for found in pieces.growing(requests, "Running the model at other sizes", least=2):
        if len(found) % 2 == 0:
            looks = map(partial(_look, selection), configs, found[::2], found[1::2])
            yield sorted(looks, key=lambda it: it.config.patches)


def look(selection: Selection, config: ViTConfig, where: Place) -> Look:
    """The model on all of the picture, with a place of it."""
    seen, info = _requests(selection, config, where)
    saying = "Running on the whole picture"
    return _look(selection, config, ask(seen, saying).value, ask(info, saying).value)


def _requests(
    selection: Selection, config: ViTConfig, where: Place | None = None, rounds: int = 0
) -> "tuple[Request[AtSize], Request[ForwardInfo]]":
    from vitviz.machine.price import takes_long_to_run

    at, resized = address.read(selection.config), Resized(selection, config, uncut=where is not None)
    outside = len(config.prefix_tokens)
    prefix = at.query if at.query < outside else None
    rounds = 0 if takes_long_to_run(config) else rounds
    measurement = resized.measurement(at_this_size, at.layer, at.head, where or place(selection), prefix, rounds)
    return measurement, resized.info()


def _look(selection: Selection, config: ViTConfig, seen: AtSize, info: "ForwardInfo") -> Look:
    answer = results.labels(selection)[int(seen.probabilities.argmax())] if len(seen.probabilities) else ""
    return Look(config, info.shown, seen, answer, min(info.seconds, seen.seconds))


def place(selection: Selection) -> Place:
    """The middle of the chosen patch, rows and columns as shares of the picture's sides."""
    (rows, columns), patch = selection.config.grid, address.read(selection.config).patch
    row, column = divmod(patch, columns)
    return (row + 0.5) / rows, (column + 0.5) / columns


def query_name(selection: Selection) -> str:
    """Whose view the maps show."""
    at = address.read(selection.config)
    return selection.short_token_name(at.query) if at.query < len(selection.config.prefix_tokens) else "this place"


def through(selection: Selection, looks: Sequence[Look], costs: bool) -> Look:
    """All sizes under one slider: the grid on the picture, alike positions, and what the head sees; the one shown."""
    at = address.read(selection.config)
    own = next(it for it in looks if it.config == selection.config)
    panels = [
        Panel(f"Its own grid: {own.name}", _same([own.pixels]), lines=(own.config.grid,)),
        Panel("The grid of this size", _same([it.pixels for it in looks]), lines=tuple(it.config.grid for it in looks)),
        Panel(
            f"Head {at.head + 1} of layer {at.layer + 1}: what {query_name(selection)} looks at",
            _same([tiles.lit(it.pixels, it.seen.weights) for it in looks]),
        ),
    ]
    if selection.config.positions != "none":
        alike = [tiles.glazed(it.seen.alike, 1) for it in looks]
        patch = f"patch {at.patch + 1}"
        panels.insert(
            1, Panel(f"Its own positions, how like that of {patch}", _same([alike[looks.index(own)]]), photo=False)
        )
        panels.insert(3, Panel("The same, interpolated", _same(alike), photo=False))
    stops = [Stop(it.config.image_sides[0], _caption(it, costs)) for it in looks]
    value = frames("Pixels from top to bottom", stops, own.config.image_sides[0], "pixels_down", panels)
    return next(it for it in looks if it.config.image_sides[0] == value)


def _caption(it: Look, costs: bool) -> str:
    answer = f" · {it.answer} {it.probability}" if it.answer else ""
    cost = f" · {short(it.macs)}MAC, {small(1000 * it.seconds)} ms" if costs else ""
    return f"{spelled(it.config.image_size)} pixels, {it.name} patches{answer}{cost}"


def side_by_side(selection: Selection, looks: Sequence[Look], title: str = "One head at several sizes") -> None:
    """What one head looks at, at all sizes, each on its own scale: one size may have hundreds of times the others'.

    What goes again has a `title` of its own: files are asked for by it.
    """
    limits = [float(it.seen.weights.max()) or 1.0 for it in looks]
    at = address.read(selection.config)
    page.picture(
        selection,
        panels(
            {it.name: it.seen.weights for it in looks},
            limits,
            "times uniform attention",
            patch=tall(selection.config.patch_sides),
        ),
        f"Head {at.head + 1} of layer {at.layer + 1}: what {query_name(selection)} looks at, attention relative to "
        f"uniform. Unequal scales: each map from 0 to its own largest, "
        f"{small(min(limits))} to {small(max(limits))}.",
        alt="What one head looks at, at several picture sizes.",
        title=title,
        key="resolution_maps",
    )


def compared(selection: Selection, looks: Sequence[Look], costs: bool) -> None:
    """Answers, tokens and, where they may be told, costs as a table."""
    rows = [
        (
            spelled(it.config.image_size),
            it.name,
            exact(it.config.tokens),
            f"{it.answer} {it.probability}" if it.answer else "–",
            *([f"{short(it.macs)}MAC", small(1000 * it.seconds)] if costs else []),
        )
        for it in looks
    ]
    own = next(at for at, it in enumerate(looks) if it.config == selection.config)
    head = ("pixels", "patches", "tokens", "answer", *(["one pass", "ms here"] if costs else []))
    table("One model at several sizes", head, rows, words=(0, 3), marked=own)


def whole(selection: Selection, looks: Sequence[Look]) -> None:
    """What the model is given beside the whole picture, on one scale; a word where that is the same."""
    photo, config = results.photo(selection.picture), selection.config
    left, top, right, bottom = results.model_info(selection.model).preprocess.box(photo, selection.crop)
    if (left, top, right, bottom) == (0, 0, *photo.size):
        size = f"{exact(photo.width)} × {exact(photo.height)}"
        page.sentence(f"All of this picture is shown to the model already: of {size} pixels nothing is cut.")
        return
    if not (other := uncut(config, photo.size)):
        page.sentence(f"This model reads no other shape. {fits_one_size(config)}")
        return
    row, column = place(selection)
    where = (top + row * (bottom - top)) / photo.height, (left + column * (right - left)) / photo.width
    both = next(it for it in looks if it.config == config), look(selection, other, where)
    limit = max(float(it.seen.weights.max()) for it in both) or 1.0
    names, places = ("What it is given", "The whole picture"), ((row, column), where)
    for side, it, there, name in zip(st.columns(2), both, places, names, strict=True):
        with side:
            _seen(selection, it, there, limit, name)


def _seen(selection: Selection, it: Look, there: Place, limit: float, name: str) -> None:
    """What a head looks at in a picture, up to a `limit` on the one scale."""
    config = it.config
    of_patch = address.read(selection.config).query >= len(config.prefix_tokens)
    answer = f" Answer: {escaped(it.answer)}, {it.probability}." if it.answer else ""
    page.picture(
        selection,
        maps.overlay(it.pixels, it.seen.weights, limit, cell_at(there, config.grid) if of_patch else None),
        f"{spelled(config.image_size)} pixels, {it.name} = {exact(config.patches)} patches, {short(it.macs)}MAC."
        f"{answer} What {query_name(selection)} looks at; attention relative to uniform, from 0 to {small(limit)}.",
        heading=name,
        alt=f"{name}: what one head looks at.",
        key=f"resolution_{name}",
    )


def uncut(config: ViTConfig, size: tuple[int, int]) -> ViTConfig | None:
    """The model on a whole picture of this width and height, whose shorter side has as many pixels as its own has."""
    if fits_one_size(config):
        return None
    width, height = size
    (down, across), share = config.patch_sides, min(config.image_sides) / min(size)
    return of_grid(config, (max(1, round(height * share / down)), max(1, round(width * share / across))))


def choices(config: ViTConfig) -> tuple[str, str, str]:
    """What can be guessed of the cost at the largest size."""
    times = f"× {sizes_ends(config)[1].patches / config.patches:.3g}"
    return f"less than {times}", times, f"more than {times}"


def sizes_ends(config: ViTConfig) -> tuple[ViTConfig, ViTConfig]:
    """The model's own sizes and the largest ones."""
    return config, max(sizes(config), key=lambda it: it.patches)


def dearer(config: ViTConfig) -> tuple[float, str]:
    """How many times the multiply-accumulates of the model's own size the largest takes, and which guess is right."""
    own, largest = sizes_ends(config)
    times = counts.total_macs(largest) / counts.total_macs(own)
    more = times / (largest.patches / own.patches)
    return times, choices(config)[1 if abs(more - 1) < 0.01 else 2 * (more > 1)]


def interpolated(config: ViTConfig) -> str:
    """What becomes of the positions on another grid."""
    return {
        "learned": "bicubic between those of the old grid; prefix tokens keep theirs",
        "learned_2d": "bicubic between those of the old rows, and of the old columns",
        "sincos_2d": "sines and cosines of the new rows and columns, which go on beyond those that were learned from",
        "relative": "bicubic between the biases of the old offsets",
        "rotary": "angles of the new rows and columns, which go on beyond those that were learned from",
        "none": "none, so nothing is interpolated",
    }[config.positions]


def more_parameters(config: ViTConfig) -> str:
    """How many more numbers the model has at its largest size, and where they come from."""
    own, largest = sizes_ends(config)
    more = counts.total_parameters(largest) - counts.total_parameters(own)
    if not more:
        return "no more parameters"
    return f"and in its positions up to {exact(more)} numbers more, which are interpolated and not learned"


def resized_positions(config: ViTConfig, other: ViTConfig) -> tuple[str, str]:
    """What is interpolated for another grid, in LaTeX, and its sizes; nothing where nothing is."""
    if config.positions in ("learned", "learned_2d"):
        symbol, grids = r"E_\text{pos}", (config.grid, other.grid)
    elif config.positions == "relative":
        before, after = ((2 * rows - 1, 2 * columns - 1) for rows, columns in (config.grid, other.grid))
        symbol, grids = "b", (before, after)
    else:
        return "", ""
    (rows, columns), (new_rows, new_columns) = grids
    return (
        rf"{symbol}' = \operatorname{{resize}}({symbol}) \qquad ",
        rf", \quad {symbol}: {rows} \times {columns} \to {new_rows} \times {new_columns}",
    )


def _same(pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Pictures of several sizes as frames of one, their pixels as squares."""
    height, width, _ = pictures[0].shape
    size = SIDE * width // max(height, width), SIDE * height // max(height, width)
    return np.stack([np.asarray(Image.fromarray(it).resize(size, Image.Resampling.NEAREST)) for it in pictures])
