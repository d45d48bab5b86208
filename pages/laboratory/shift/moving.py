"""What the page Shift draws: a picture that moves under two models, and how much of it each place sees."""

from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from vitviz import results
from vitviz.board.address import Address
from vitviz.config import ViTConfig
from vitviz.config.sides import Sides
from vitviz.demo.scenes import CLASSES, SIZE
from vitviz.figures.counting import shift as charts
from vitviz.figures.figure import Figure
from vitviz.figures.tiles import glazed, lit, tinted
from vitviz.measures import attention_row
from vitviz.measures.arrays import Array
from vitviz.measures.laboratory.shift import (
    CNN_LAYERS,
    MOST,
    WINDOWS,
    Moved,
    Pooled,
    max_pooled,
    moved_features,
    moved_tokens,
    receptive_fields,
)
from vitviz.numbers import exact, many, percent, small
from vitviz.selection import Selection
from vitviz.ui.board import address
from vitviz.ui.links import escaped
from vitviz.ui.other_networks import of_cnn
from vitviz.ui.server.client import ask, begin_all
from vitviz.ui.widgets.laboratory import number_of_passes
from vitviz.ui.widgets.live.frames import Box, Panel, Stop, frames
from vitviz.ui.widgets.table import table

NETWORK = "CNN"
WHOSE = f"that of the {NETWORK}", "that of the ViT"  # what can be guessed


@dataclass(frozen=True, slots=True)
class Models:
    """What both models made of the moved picture, and what each answered to the one that did not move."""

    cnn: Moved
    vit: Moved
    name: str
    across: int  # pixels of a patch
    first_answers: tuple[str, str]  # empty without a head
    most: int  # pixels that the picture was moved

    @property
    def half(self) -> int:
        """Half a patch in pixels, as far as the picture was moved; at least one."""
        return max(1, min(self.most, self.across // 2))

    @property
    def similarity(self) -> tuple[float, float]:
        """How like themselves the last maps stay after half a patch."""
        return float(self.cnn.last_kept[self.half]), float(self.vit.last_kept[self.half])

    @property
    def staying(self) -> str:
        """Whose last map keeps more of itself after half a patch."""
        return WHOSE[self.similarity[1] > self.similarity[0]]


def looked(selection: Selection) -> Models:
    """Both models on all shifts."""
    config, name = selection.config, selection.model.title
    most = max(2, number_of_passes(config, MOST + 1, 1, "shifts", "shift")) - 1
    of_vit, of_features = results.measurement(selection, moved_tokens, most), of_cnn(selection, moved_features)
    begin_all(of_vit, of_features, of_cnn(selection, max_pooled))  # two workers, at once
    vit, cnn = ask(of_vit, "Moving the picture").value, ask(of_features, "Moving the picture").value
    labels = results.labels(selection)
    answers = CLASSES[_best(cnn)], labels[_best(vit)] if config.classes else ""
    return Models(cnn, vit, name, config.patch_sides[1], answers, most)


def moving(selection: Selection, models: Models, curves: bool) -> int:
    """The picture under the hand, both maps of each model, and the curves; the shift that stands."""
    config, (cnn, vit) = selection.config, (models.cnn, models.vit)
    rows, columns = config.grid
    slides = 1 / config.image_sides[1]
    picture = Panel("The picture: drag it", results.screen_photo(selection)[None], slides=slides, lines=(config.grid,))
    side, last = cnn.first.shape[1], cnn.last.shape[1]
    maps = [
        Panel(f"{NETWORK}, first layer: {side} × {side}", cnn.first[: models.most + 1]),
        Panel(f"{NETWORK}, last layer: {last} × {last}", cnn.last[: models.most + 1], photo=False),
        Panel(f"{models.name}, embedding: {rows} × {columns}", _in_shape(vit.first, config)),
        Panel(f"{models.name}, last layer: {rows} × {columns}", _in_shape(vit.last, config), photo=False),
    ]
    stops = [Stop(pixels, _caption(models, pixels, curves)) for pixels in range(models.most + 1)]
    drawn = _curves(models) if curves else []
    return frames("Shift to the right", stops, 0, "shift", [picture, *maps], drawn)


def _in_shape(maps: NDArray[np.uint8], config: ViTConfig) -> NDArray[np.uint8]:
    """Maps `shift gh gw 3` whose places are as wide and high as patches, in whole pixels."""
    (down, across), common = config.patch_sides, gcd(*config.patch_sides)
    return maps.repeat(down // common, axis=1).repeat(across // common, axis=2)


def _curves(models: Models) -> list[tuple[Figure, str]]:
    cnn, vit, (ours, theirs) = models.cnn, models.vit, models.first_answers
    shifts = slice(models.most + 1)
    edges = range(models.across, models.most + 1, models.across)
    answers: dict[str, charts.Curve] = {
        f"{NETWORK}: {ours}": (cnn.probabilities[shifts, _best(cnn)].tolist(), charts.CNN, "solid")
    }
    if theirs:
        answers[f"{models.name}: {theirs}"] = (vit.probabilities[:, _best(vit)].tolist(), charts.VIT, "solid")
    alike: dict[str, charts.Curve] = {
        f"{NETWORK}, last layer": (cnn.last_kept[shifts].tolist(), charts.CNN, "solid"),
        f"{NETWORK}, first": (cnn.first_kept[shifts].tolist(), charts.CNN, "dot"),
        f"{models.name}, last layer": (vit.last_kept.tolist(), charts.VIT, "solid"),
        f"{models.name}, embedding": (vit.first_kept.tolist(), charts.VIT, "dot"),
    }
    return [
        (charts.over_pixels(answers, "probability", edges), "The probability of each model's own answer, by shift"),
        (charts.over_pixels(alike, "similarity", edges), "How like itself each map stays, moved back, by shift"),
    ]


def _caption(models: Models, pixels: int, with_numbers: bool) -> str:
    far = many(pixels, "pixel")
    if not with_numbers:
        return far
    answers = [f"{NETWORK} {small(float(models.cnn.probabilities[pixels, _best(models.cnn)]))}"]
    if models.first_answers[1]:
        answers.append(f"{models.name} {small(float(models.vit.probabilities[pixels, _best(models.vit)]))}")
    alike = (small(float(it.last_kept[pixels])) for it in (models.cnn, models.vit))
    return f"{far} · own answer: {', '.join(answers)} · last maps alike: {', '.join(alike)}"


def sizes(selection: Selection) -> str:
    """How the pixels of both models compare, where they differ."""
    rows, columns = selection.config.image_sides
    if (rows, columns) == (SIZE, SIZE):
        return ""
    return f" A pixel of the {NETWORK} is {small(min(rows, columns) / SIZE)} of {escaped(selection.model.title)}."


def _best(moved: Moved) -> int:
    return int(moved.probabilities[0].argmax()) if moved.probabilities.shape[1] else 0


def reach(selection: Selection) -> int:
    """What is seen after so many convolutions, beside what a head looks at; the number of layers that stands."""
    config, at = selection.config, address.read(selection.config)
    row, column = divmod(at.patch, config.grid[1])
    middle = (column + 0.5) / config.grid[1], (row + 0.5) / config.grid[0]
    weights = _weights(selection, at)
    needed = layers_for_all(config, at)
    boxes = [_frame(2 * layers + 1, config.image_sides, middle) for layers in range(1, needed + 1)]
    of_network = list(receptive_fields(CNN_LAYERS))
    most = len(of_network)
    cnn = [_frame(of_network[min(layers, most) - 1], (SIZE, SIZE), middle) for layers in range(1, needed + 1)]
    pixels = results.screen_photo(selection)
    panels = [
        Panel("3 × 3 convolutions", pixels[None], boxes=tuple(boxes)),
        Panel(f"This {NETWORK}, whose first 3 layers halve the map", pixels[None], boxes=tuple(cnn)),
        Panel(f"Head {at.head + 1} of layer {at.layer + 1}", lit(pixels, weights)[None], boxes=tuple(boxes)),
    ]
    stops = [Stop(layers, _seen(config, layers, box, weights)) for layers, box in enumerate(boxes, start=1)]
    return frames("Layers of 3 × 3 convolutions", stops, 1, "kernels", panels)


def layers_for_all(config: ViTConfig, at: Address) -> int:
    """How many 3 × 3 convolutions the middle of a patch needs to see the whole picture."""
    row, column = divmod(at.patch, config.grid[1])
    places = ((row + 0.5) * config.patch_sides[0], (column + 0.5) * config.patch_sides[1])
    farthest = max(max(place, side - place) for place, side in zip(places, config.image_sides, strict=True))
    return int(np.ceil(farthest - 0.5))


def _weights(selection: Selection, at: Address) -> NDArray[np.float32]:
    """What the patch looks at among the patches, of all that it looks at: `gh gw`."""
    prefix = len(selection.config.prefix_tokens)
    row = results.measure(selection, attention_row, at.layer, prefix + at.patch)[at.head, prefix:]
    return row.reshape(selection.config.grid)


def _frame(side: int, of: Sides, middle: tuple[float, float]) -> Box:
    """A square of so many pixels around the middle, as far as it lies in the picture, as shares of its sides."""
    halves = side / 2 / of[1], side / 2 / of[0]
    left, top = (max(0.0, place - half) for place, half in zip(middle, halves, strict=True))
    right, bottom = (min(1.0, place + half) for place, half in zip(middle, halves, strict=True))
    return left, top, right - left, bottom - top


def _seen(config: ViTConfig, layers: int, box: Box, weights: NDArray[np.float32]) -> str:
    side = 2 * layers + 1
    rows, columns = config.grid
    down, across = ((np.arange(many) + 0.5) / many for many in (rows, columns))
    left, top, width, height = box
    inside = np.outer((top <= down) & (down <= top + height), (left <= across) & (across <= left + width))
    share = float(weights[inside].sum() / weights.sum())
    return (
        f"{layers}: {exact(side)} × {exact(side)} pixels, {percent(width * height)} of the picture, "
        f"{percent(share)} of the head's weight on patches"
    )


def forgiving(selection: Selection) -> Pooled:
    """The maps under a slider of windows, and a table of all windows; what was measured."""
    found = ask(of_cnn(selection, max_pooled), "Moving the picture").value
    top = max(float(it.max()) for it in (*found.still, *found.moved)) or 1.0
    side = max(found.still[0].shape)
    still, moved = (
        np.stack([tinted(_wide(it, side)[..., None] * 2 - top, top) for it in maps])
        for maps in (found.still, found.moved)
    )
    differences = np.stack(
        [glazed(_wide(after - before, side), top) for before, after in zip(found.still, found.moved, strict=True)]
    )
    stops = [
        Stop(window, f"{_named(window)}: {small(float(alike))} alike")
        for window, alike in zip(WINDOWS, found.similarity, strict=True)
    ]
    panels = [
        Panel("A filter's map", still, photo=False),
        Panel("Of the picture moved by one pixel", moved, photo=False),
        Panel("The second less the first", differences, photo=False),
    ]
    frames("Max-pool window", stops, WINDOWS[1], "maxpool", panels)
    table(
        "How like the map is to that of the picture moved by one pixel, in place",
        ("window", "its places", "maximum of the window", "one place of the window"),
        [
            (
                _named(window),
                f"{len(found.still[at])} × {len(found.still[at][0])}",
                *(small(float(it[at])) for it in (found.similarity, found.skipped)),
            )
            for at, window in enumerate(WINDOWS)
        ],
        words=(0,),
    )
    return found


def _named(window: int) -> str:
    return "no pooling" if window == 1 else f"{window} × {window}"


def _wide(values: Array, side: int) -> Array:
    times = side // len(values)
    return values.repeat(times, axis=0).repeat(times, axis=1)
