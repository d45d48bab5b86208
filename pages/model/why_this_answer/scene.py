"""Why this answer: the sum, the maps, their trial, and what becomes of them when the model is drawn anew."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz import results
from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.pictures import png
from vitviz.board.scene import Parcels
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.results import measure, measure_long
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import MAPS, NONE

if TYPE_CHECKING:
    from vitviz.measures.arrays import Array

MAPS_AT_ONCE = ("sum", "attention", "rollout", "gradient_attention", "gradient_input", "chance")


def parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    label, against = (address.answer, address.against) if config.classes else (address.component, NONE)
    both, first = f"{label}-{against}", address.switches["map"]
    match address.moment:
        case "sum":
            yield f"sum-{both}", lambda: _sum(selection, label, against)
        case "maps":
            compared = [(label, against), *([(label, NONE), (against, NONE)] if against != NONE else [])]
            for one, other in compared:
                yield f"maps-{one}-{other}", partial(_maps, selection, one, other)
            for one, other in compared if first == "occlusion" or not _when_chosen(config)["maps"] else []:
                yield f"occlusion-{one}-{other}", partial(_occlusion, selection, one, other)
        case "trial":
            fill = address.switches["fill"]
            tried = (first, "chance") if _when_chosen(config)["trial"] else MAPS
            for name in sorted(tried, key=lambda it: (it != first, it == "occlusion")):  # which takes longest
                yield f"trial-{name}-{label}-{fill}", partial(_trial, selection, name, label, fill)
            if scenes(selection):
                yield f"trial-means-{fill}", lambda: _means(fill)
            yield f"fill-{fill}", lambda: {"picture": _filled(selection, fill)}
        case "randomised":
            yield f"randomised-{label}", lambda: _randomised(selection, label)
    if config.classes:
        yield "lens", lambda: lens(selection)


def facts(selection: Selection) -> dict[str, Any]:
    from vitviz.measures.relevance import OF_A_CLASS, SIGNED, parts

    return {
        "depends": OF_A_CLASS,
        "signed": SIGNED,
        "why_not": _why_not(selection.config),
        "asked": _when_chosen(selection.config),
        "parts": parts(selection.config),
        "scenes": scenes(selection),
    }


def _why_not(config: ViTConfig) -> dict[str, str]:
    """Why there is nothing to see at a moment, by its name."""
    if config.patches == 1:
        alone = "The picture is one patch of this model: there is no other that it could owe its answer to."
        return dict.fromkeys(("maps", "trial", "randomised"), alone)
    if config.classes == 1:
        return {"trial": "This model has one class, whose probability is always 1: no patch that is gone changes it."}
    return {}


def _when_chosen(config: ViTConfig) -> dict[str, str]:
    """What is not begun unasked, at moments by their names: in words where that takes long, else ""."""
    from vitviz.machine.price import begins_unasked
    from vitviz.measures.deletion import pieces

    hidden, seen = config.patches, sum(last - first for first, last in pieces(config))
    runs = {"maps": hidden, "trial": hidden + seen * len(MAPS)}
    return {
        moment: "" if begins_unasked(config, many) else f"comes when it is chosen: {exact(hidden)} runs of the model"
        for moment, many in runs.items()
    }


def _classes(selection: Selection, label: int, against: int) -> "np.ndarray[Any, Any]":
    from vitviz.measures.logit_sum import two_classes

    return np.array(measure(selection, two_classes, label, against), np.int32)


def _sum(selection: Selection, label: int, against: int) -> Arrays:
    from vitviz.measures.logit_sum import logit_sum

    found = measure_long(selection, logit_sum, label, against)
    numbers = {"pooling": found.pooling, "constant": found.constant, "logit": found.logit}
    return {
        "classes": _classes(selection, label, against),
        "read": np.array([found.read], np.int32),
        "embedding": found.embedding,
        "heads": found.heads,
        "mlps": found.mlps,
        "biases": found.biases,
        "layers": found.layers,
        **{name: np.array([number], np.float32) for name, number in numbers.items()},
    }


def _maps(selection: Selection, label: int, against: int) -> Arrays:
    classes = _classes(selection, label, against)
    return {"classes": classes, **{name: _map(selection, name, label, against) for name in MAPS_AT_ONCE}}


def _occlusion(selection: Selection, label: int, against: int) -> Arrays:
    classes = _classes(selection, label, against)
    return {"classes": classes, "occlusion": _map(selection, "occlusion", label, against)}


def _map(selection: Selection, name: str, label: int, against: int) -> "Array":
    """One map, of runs that all who ask for it share: `n`."""
    from vitviz.measures.relevance import gradient_maps, lost, relevance

    if name.startswith("gradient"):
        return measure_long(selection, gradient_maps, label, against)[name]
    if name == "occlusion":
        return lost(_hidden(selection), *map(int, _classes(selection, label, against)))
    label, against = (label, against) if name == "sum" else (NONE, NONE)  # on which the others do not depend
    return measure_long(selection, relevance, name, label, against)


def _hidden(selection: Selection) -> "Array":
    """The change of all logits when each patch alone is grey, in pieces, of which nobody waits for more than one."""
    from vitviz.machine.price import require_map, runs_at_once
    from vitviz.measures.interventions import occluded

    config = selection.config
    require_map(config, config.patches, "hiding every patch")
    step = runs_at_once(config, 0)
    ends = [(first, min(first + step, config.patches)) for first in range(0, config.patches, step)]
    return np.concatenate([measure_long(selection, occluded, "grey", first, last) for first, last in ends])


def _trial(selection: Selection, name: str, label: int, fill: str) -> Arrays:
    from vitviz.machine.price import require_map
    from vitviz.measures.deletion import both_ends, order_of, pieces, seen_in_part, steps, trial_of

    config = selection.config
    require_map(config, 2 * len(steps(config.patches)), "a trial")
    classes = _classes(selection, label, NONE)
    order = tuple(order_of(_map(selection, name, label, NONE)).tolist())
    ends = measure_long(selection, both_ends, fill)
    between = [measure_long(selection, seen_in_part, order, fill, first, last) for first, last in pieces(config)]
    found = trial_of(config, order, int(classes[0]), ends, between)
    return {
        "classes": classes,
        "counts": found.counts,
        "removed": found.deletion,
        "kept": found.insertion,
        "area": found.area,
        "order": found.order,
    }


def scenes(selection: Selection) -> int:
    """Over how many scenes the curves of this model's maps were averaged; 0 for one of which none were."""
    from vitviz.demo.trial import read

    return int(read()["scenes"]) if selection.model.name == "demo" and selection.learned is None else 0


def _means(fill: str) -> Arrays:
    from vitviz.demo.trial import means, read
    from vitviz.measures.deletion import area_under

    curves, counts = means(fill), read()["counts"]
    areas = {
        f"{name}-area": np.array([area_under(curve, counts) for curve in its], np.float32)
        for name, its in curves.items()
    }
    return {**curves, **areas}


def _filled(selection: Selection, fill: str) -> "np.ndarray[Any, Any]":
    """The whole picture as it is where patches are gone, as a PNG file: `filled` of what the model reads, in pixels."""
    pixels = results.crop(selection)
    (rows, columns), mean = selection.config.grid, results.model_info(selection.model).preprocess.mean
    patches = pixels.reshape(rows, len(pixels) // rows, columns, -1, pixels.shape[2]).astype(np.float32)
    match fill:
        case "grey":
            patches[:] = 255 * np.asarray(mean)
        case "blur":
            patches[:] = patches.mean(axis=(1, 3), keepdims=True)
        case _:
            patches[:] = patches.mean(axis=(0, 1, 2, 3))
    return png(patches.reshape(pixels.shape).round().astype(np.uint8))


def _randomised(selection: Selection, label: int) -> Arrays:
    from vitviz.machine.price import require_map
    from vitviz.measures.relevance import IN_ONE_RUN, maps_down_to, parts, randomised

    several = range(len(parts(selection.config)))
    require_map(selection.config, (len(IN_ONE_RUN) + 1) * len(several), "drawing the model anew part by part")
    found = randomised([measure_long(selection, maps_down_to, part, label) for part in several])
    return {"classes": _classes(selection, label, NONE), **found.maps, "alike": found.alike}
