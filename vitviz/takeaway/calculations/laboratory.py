"""The numbers of the chapter Laboratory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.cards.papers import DROP_PATH, DROPOUT
from vitviz.takeaway.calculations.calculation import Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from PIL import Image

    from vitviz.cards.change import Figure as Changed
    from vitviz.config import ViTConfig
    from vitviz.figures.figure import Figure
    from vitviz.images import Crop
    from vitviz.machine.pytorch import torch
    from vitviz.measures.arrays import Array
    from vitviz.shelf.measured import Measured
    from vitviz.takeaway.view import View
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

    Tensor = torch.Tensor

LABORATORY = "vitviz/measures/laboratory"
Experiment = partial(Calculation, shown=False)


def logits_before_and_after(trace: Trace, image: Tensor) -> Array:
    from vitviz.measures.classes import result
    from vitviz.trace import record

    return np.stack([result(record(trace.model, image)), result(trace)])


def logit_without_each_head(trace: Trace, image: Tensor, config: ViTConfig) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import heads_off
    from vitviz.trace import record

    unedited = record(trace.model, image)
    label = int(result(unedited).argmax())  # the class that it names
    return np.stack([heads_off(unedited, layer, 0, config.heads)[:, label] for layer in range(config.depth)])


def logit_with_each_head_at_its_mean(trace: Trace, image: Tensor, loaded: Loaded, config: ViTConfig) -> Array:
    from vitviz.edits.running import reference_means
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import heads_off
    from vitviz.trace import record

    unedited, means = record(trace.model, image), reference_means(loaded)
    label = int(result(unedited).argmax())  # the class that it names
    return np.stack([heads_off(unedited, layer, 0, config.heads, means)[:, label] for layer in range(config.depth)])


def changed_by_a_switch(config: ViTConfig, switch: str, value: Any) -> Sequence[Changed]:
    from vitviz.cards import CARDS
    from vitviz.cards.change import compared, totals

    card = CARDS[switch]
    return totals(*compared(config, card, card.choice(value)))


def without_and_with(changed: Sequence[Changed]) -> NDArray[Any]:
    return np.array([(it.without, it.having) for it in changed])


def names_of_changed(changed: Sequence[Changed]) -> dict[str, list[str]]:
    return {"count": [it.name for it in changed]}


def measured_siblings(rows: Sequence[str]) -> list[Measured]:
    from vitviz.shelf.measured import all_of

    return all_of(rows)


def mean_accuracies(found: Sequence[Measured]) -> Array:
    from vitviz.shelf.measured import MEASURES

    return np.array([[row.mean(measure) for measure in MEASURES] for row in found], np.float32)


def names_of_siblings(found: Sequence[Measured]) -> dict[str, list[str]]:
    return {"sibling": [row.row for row in found]}


def run_with_swap(trace: Trace, image: Tensor, config: ViTConfig, swap: str) -> Trace:
    from vitviz.edits import Edits
    from vitviz.trace import record

    return record(trace.model, image, edits=Edits.parse(swap, config), plain=trace)


def tokens_moved(swapped: Trace) -> Array:
    from vitviz.measures.laboratory.order import reordered

    moved = reordered(swapped)
    return np.stack([moved.in_place, moved.followed])


def order_of_patches(swapped: Trace) -> Tensor:
    from vitviz.measures.laboratory.order import order_of

    return order_of(swapped)


def maps_of_moves(values: Array) -> Figure:
    from vitviz.figures.laboratory.panels import panels

    maps = {"token of the same place": values[0], "token of the same patch": values[1]}
    return panels(maps, [float(values.max())] * 2, "largest difference")


def likeness_when_moved(trace: Trace, picture: Image.Image, square: Crop | None, most: int) -> Array:
    from vitviz.images import DEMO
    from vitviz.measures.laboratory.shift import moved_features, moved_tokens
    from vitviz.shelf.cnn import load_cnn

    tokens = moved_tokens(trace, most)
    features = moved_features(load_cnn(), DEMO.normalised(DEMO.crop(picture, square)))
    return np.stack([it[: most + 1] for they in (tokens, features) for it in (they.first_kept, they.last_kept)])


def pixels_moved(most: int) -> dict[str, list[str]]:
    return {"shift": [f"{pixels} pixels" for pixels in range(most + 1)]}


def answers_by_size(
    loaded: Loaded, picture: Image.Image, square: Crop | None, config: ViTConfig, sizes: Sequence[Any]
) -> Array:
    from vitviz.laboratory.resizing import at_size
    from vitviz.measures.classes import answer
    from vitviz.trace import record

    models = [at_size(loaded, config.with_(image_size=size)) for size in sizes]
    crops = [it.preprocess.crop(picture, square) for it in models]
    traces = [record(it.model, it.preprocess.normalised(crop)) for it, crop in zip(models, crops, strict=True)]
    return np.stack([answer(it, config.depth).probabilities for it in traces])


def names_of_sizes(sizes: Sequence[Any]) -> dict[str, list[str]]:
    return {"size": [f"{size} pixels" for size in sizes]}


def bars_by_size(values: Array, loaded: Loaded, sizes: Sequence[Any]) -> Figure:
    from vitviz.figures.laboratory.answers import answers
    from vitviz.measures.classes import best

    places = best(values.max(axis=0), 5)
    by_size = {f"{size} pixels": row[places] for size, row in zip(sizes, values, strict=True)}
    return answers([loaded.labels[at] for at in places], by_size)


def answers_of_runs(trace: Trace, dropout: float, drop_path: float, first: int, runs: int) -> Array:
    from vitviz.measures.laboratory.chance import answers_by_chance

    return answers_by_chance(trace, dropout, drop_path, first, first + runs).probabilities


def seeds_of_runs(first: int, runs: int) -> dict[str, list[str]]:
    return {"run": [f"seed {seed}" for seed in range(first, first + runs)]}


def strips_of_runs(values: Array, trace: Trace, loaded: Loaded, config: ViTConfig) -> Figure:
    from vitviz.figures.laboratory.chance import strips
    from vitviz.measures.classes import answer, best

    undisturbed = answer(trace, config.depth).probabilities
    places = best(np.maximum(undisturbed, values.mean(axis=0)), 6)
    return strips([loaded.labels[at] for at in places], values[:, places], undisturbed[places])


def token_in_two_batches(
    trace: Trace, loaded: Loaded, config: ViTConfig, layer: int, patch: int, beside: int, night: bool
) -> Array:
    from vitviz.edits.running import draw_scenes
    from vitviz.laboratory.batches import two_batches

    one, other = (draw_scenes(start, start + beside) for start in (0, 100))  # test scenes
    return two_batches(trace, loaded, one, other, night, layer, len(config.prefix_tokens) + patch).after


def two_batches_named() -> dict[str, list[str]]:
    return {"batch": ["A", "B"]}


def strips_by_norm(values: Array) -> Figure:
    from vitviz.figures.strips import strips

    names = [f"{norm} norm, batch {batch}" for norm in ("layer", "batch") for batch in "AB"]
    return strips(dict(zip(names, values.reshape(4, -1), strict=True)))


def maps_of_starts(trace: Trace, config: ViTConfig, starts: Sequence[str], seed: int) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.laboratory.first_values import start

    label = int(result(trace).argmax()) if config.classes else 0  # of the loss
    return np.stack([start(trace, name, seed, label).maps for name in starts])


def drawn_weights(trace: Trace, starts: Sequence[str], seed: int) -> list[dict[str, Tensor]]:
    from vitviz.measures.laboratory.first_values import first_values

    return [first_values(trace, name, seed) for name in starts]


def names_of_starts(starts: Sequence[str]) -> dict[str, Sequence[str]]:
    return {"start": starts}


def walls_of_starts(values: Array, config: ViTConfig, starts: Sequence[str]) -> Figure:
    from vitviz.figures.laboratory.first_values import first_maps

    grids = {name: row.reshape(-1, *config.grid) for name, row in zip(starts, values, strict=True)}
    return first_maps(grids, [float(it.max()) for it in grids.values()])


def vectors_of_scenes(loaded: Loaded, scenes: Sequence[str], pictures: int) -> list[Array]:
    from vitviz.laboratory.shots import see_scenes

    return [see_scenes(loaded, name, 0, pictures).vectors for name in scenes]


def vectors_of_shots(seen: Sequence[Array], shots: int) -> Array:
    return np.concatenate([vectors[:shots] for vectors in seen])


def vectors_to_name(trace: Trace, seen: Sequence[Array], pictures: int) -> Array:
    from vitviz.measures.laboratory.five_shots import read_vector

    held_out = [vectors[max(1, pictures // 3) :] for vectors in seen]
    return np.concatenate([read_vector(trace)[None], *held_out])


def scores_of_read_out(taught: Array, tests: Array, scenes: Sequence[str], shots: int, penalty: float) -> Array:
    from vitviz.measures.laboratory.five_shots import ridge

    labels = [label for label in range(len(scenes)) for _ in range(shots)]
    return ridge(taught, labels, len(scenes), penalty).scores(tests)


def names_of_tests(seen: Sequence[Array], scenes: Sequence[str], pictures: int) -> dict[str, Sequence[str]]:
    held_out = [len(vectors[max(1, pictures // 3) :]) for vectors in seen]
    named = [f"{name}, held out {at}" for name, many in zip(scenes, held_out, strict=True) for at in range(1, many + 1)]
    return {"picture": ["on screen", *named], "group": scenes}


def bars_of_scores(values: Array, scenes: Sequence[str]) -> Figure:
    from vitviz.figures.laboratory.five_shots import scores

    return scores(scenes, values[0])


def starts_and_ways(loaded: Loaded, config: ViTConfig, initial: str, curves: int) -> list[tuple[str, str]]:
    """Of each curve, from what it starts, nothing for the model's own parameters, and what of the model is changed."""
    from vitviz.measures.laboratory.gradients import ways

    own = [("", way) for way in ways(config) if not loaded.trained or way in ("usual", "scores")]
    drawn = [(initial, way) for way in ways(config)] if loaded.trained else []
    return [*own[:1], *drawn[:1], *own[1:], *drawn[1:]][:curves]


def lengths_of_gradients(trace: Trace, wanted: Sequence[tuple[str, str]], of: str, seed: int) -> Array:
    from vitviz.measures.classes import result
    from vitviz.measures.laboratory.gradients import gradients

    label = int(result(trace).argmax())  # the class that the model names
    return np.stack([getattr(gradients(trace, label, way, begun, seed), of) for begun, way in wanted])


def names_of_curves(config: ViTConfig, wanted: Sequence[tuple[str, str]], of: str) -> dict[str, list[str]]:
    layers = [f"layer {number}" for number in range(1, config.depth + 1)]
    streams = ["embedding", *layers]
    parts = {"stages": [*streams, "after the blocks"], "scores": layers, "streams": streams}
    return {"curve": [f"{begun or 'own'}, {way}" for begun, way in wanted], "part": parts[of]}


def curves_by_layer(values: Array, loaded: Loaded, config: ViTConfig, wanted: Sequence[tuple[str, str]]) -> Figure:
    from vitviz.figures.laboratory.curves import by_layer, span
    from vitviz.measures.laboratory.gradients import ways

    own = "learned" if loaded.trained else "untrained"
    lines = {f"{begun or own}, {way}": row for (begun, way), row in zip(wanted, values, strict=True)}
    styles = [ways(config).index(way) for _, way in wanted]
    return by_layer(lines, [str(part) for part in range(values.shape[1])], span([values]), "length", styles)


EDITED = Experiment(
    "what leaves the model without the edits, and with them: logits",
    "2 classes",
    logits_before_and_after,
    plain.plain_before_and_after,
    (*plain.ATTENDED[:-1], plain.logits),
    ("without the edits", "with them"),
)
HEADS_OFF = Experiment(
    "how the logit of the answer changes when every head is off alone",
    "layer head",
    logit_without_each_head,
    plain.plain_heads_off,
    (*plain.ATTENDED[:-1], plain.logits),
    passes=lambda config: config.depth * config.heads + 1,
    note='Every patch hidden alone: `occluded(unedited, "grey", 0, config.patches)[:, label]` of the same module.',
    headed=True,
)
HEADS_AT_MEANS = Experiment(
    "how the logit of the answer changes when every head alone stands at its mean over scenes",
    "layer head",
    logit_with_each_head_at_its_mean,
    lacks="means over scenes need all of them; `vitviz/measures/reference.py` makes them",
    note=HEADS_OFF.note,
    headed=True,
)
SWITCHES = Experiment(
    "parameters, multiply-accumulates, and bytes of parameters and activations without a switch, and with it",
    "count 2",
    without_and_with,
    given={"changed": changed_by_a_switch},
    names=names_of_changed,
    places=("without", "with"),
    pictured=False,
    lacks="every switch has its own formulas; `vitviz/counts/parts.py` has them",
)
SIBLINGS = Experiment(
    "the accuracy that each sibling reached on things, on relations and on all scenes, mean over its seeds",
    "sibling 3",
    mean_accuracies,
    given={"found": measured_siblings},
    names=names_of_siblings,
    places=("things", "relations", "all scenes"),
    pictured=False,
    lacks="they are what trainings wrote down; `vitviz/shelf/training.py` trains, `vitviz/shelf/data` holds them",
)
ORDER = Experiment(
    "how far tokens moved when patches changed places: that of the same place, and that of the same patch",
    "2 gh gw",
    tokens_moved,
    plain.plain_moved,
    plain.ATTENDED[:-1],
    ("token of the same place", "token of the same patch"),
    given={"swapped": run_with_swap, "order": order_of_patches},
    note="Guess before you run this: two patches, or all, change places. How far does the token of each place move, "
    "and how far the token of each patch? And of a model that was trained without positions?",
    after='The page shows the same of a sibling without positions: `load("shelf_none_0")` makes it, and its second map '
    "is 0 but for rounding.",
    figure=maps_of_moves,
)
SHIFT = Experiment(
    "how like themselves two maps stay when the picture moves, pixel by pixel: embedding and last layer of the model, "
    "first and last layer of the shelf's CNN",
    "4 shift",
    likeness_when_moved,
    names=pixels_moved,
    note="Guess before you run this: the picture moves by half a patch. Whose last map, moved back, stays more like "
    "itself: the model's or the CNN's?",
    places=("embedding", "last layer", "CNN, first layer", "CNN, last layer"),
    lacks=f"a forward pass for every pixel, and a CNN; `{LABORATORY}/shift.py` has both",
)
RESOLUTION = Experiment(
    "the probability of every class at every picture size, positions interpolated",
    "size classes",
    answers_by_size,
    names=names_of_sizes,
    lacks="interpolated positions; `vitviz/laboratory/resizing.py` has them",
    note="Guess before you run this: the model learned from pictures of one size. At which others does it still give "
    "the same answer?",
    after="What a head looks at there: `at_this_size` of `vitviz.measures.laboratory.resolution`.",
    figure=bars_by_size,
    headed=True,
)
CHANCE = Experiment(
    "the probability of every class in every run under dropout and drop path",
    "run classes",
    answers_of_runs,
    names=seeds_of_runs,
    lacks="what is dropped follows from seeds of our own; `vitviz/edits/dropout.py` draws it",
    figure=strips_of_runs,
    headed=True,
    papers=(("Dropout", DROPOUT), ("Drop path", DROP_PATH)),
)
NORMS = Experiment(
    "one token of the picture under layer norm and under batch norm, beside the pictures of two batches",
    "2 batch d",
    token_in_two_batches,
    places=("layer norm", "batch norm"),
    names=two_batches_named,
    lacks=f"the other pictures run through the model, too; `{LABORATORY}/norms.py` has both norms",
    figure=strips_by_norm,
)
FIRST_VALUES = Experiment(
    "what the class token, or the mean token, looks at in layer 1 of untrained models, by what they start from",
    "start head n",
    maps_of_starts,
    plain.plain_first_maps,
    plain.ATTENDED[:-1],
    given={"drawn": drawn_weights},
    names=names_of_starts,
    note="`start` holds lengths by depth, answers and first gradients as well.",
    figure=walls_of_starts,
)
FIVE_SHOTS = Experiment(
    "the scores of a read-out from a few pictures of each class: of the picture on screen, then of all held-out ones, "
    "class by class",
    "picture group",
    scores_of_read_out,
    plain.plain_read_out,
    given={"seen": vectors_of_scenes, "taught": vectors_of_shots, "tests": vectors_to_name},
    names=names_of_tests,
    figure=bars_of_scores,
    of_any=True,
)
GRADIENTS = Experiment(
    "the length of the loss's gradient, layer by layer: of the model as it is and with parts of it changed, then of an "
    "untrained one",
    "curve part",
    lengths_of_gradients,
    given={"wanted": starts_and_ways},
    names=names_of_curves,
    note="The class that the answer should be stands in no address: it is the one that the model names.",
    figure=curves_by_layer,
    lacks=f"changed architectures and a backward pass; `{LABORATORY}/gradients.py` has both",
    headed=True,
)


def chosen_on_intervene(view: View) -> Calculation | None:
    if view.choices.get("moment") != "everything":
        return None
    return HEADS_AT_MEANS if view.choices["taken"] == "mean" else HEADS_OFF


PAGES = {
    "intervene": Calculations("Intervene", EDITED, chosen_on_intervene, otherwise=("tracing",)),
    "switches": Calculations("Switches", SWITCHES),
    "siblings": Calculations("Siblings", SIBLINGS),
    "order": Calculations("Permutation", ORDER),
    "shift": Calculations("Shift", SHIFT),
    "resolution": Calculations("Resolution", RESOLUTION),
    "chance": Calculations("Dropout", CHANCE),
    "norms": Calculations("Norms", NORMS),
    "first_values": Calculations("Initialisation", FIRST_VALUES),
    "five_shots": Calculations("Five shots", FIVE_SHOTS),
    "gradients": Calculations("Gradients", GRADIENTS),
}
