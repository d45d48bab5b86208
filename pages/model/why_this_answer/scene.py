"""Why this answer: the sum, the maps, their trial, and what becomes of them when the model is drawn anew."""

from functools import partial
from typing import Any

import numpy as np

from vitviz import results
from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.pictures import png
from vitviz.board.scene import Parcels
from vitviz.results import measure, measure_long
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import MAPS, NONE

MAPS_AT_ONCE = ("sum", "attention", "rollout", "gradient_attention", "gradient_input", "chance")


def parcels(selection: Selection, address: Address) -> Parcels:
    config = selection.config
    label, against = (address.answer, address.against) if config.classes else (address.component, -1)
    both, first = f"{label}-{against}", address.switches["map"]
    match address.moment:
        case "sum":
            yield f"sum-{both}", lambda: _sum(selection, label, against)
        case "maps":
            compared = [(label, against), *([(label, NONE), (against, NONE)] if against != NONE else [])]
            for one, other in compared:
                yield f"maps-{one}-{other}", partial(_maps, selection, one, other)
            for one, other in compared:
                yield f"occlusion-{one}-{other}", partial(_occlusion, selection, one, other)
        case "trial":
            fill = address.switches["fill"]
            for name in sorted(MAPS, key=lambda it: it != first):
                yield f"trial-{name}-{label}-{fill}", partial(_trial, selection, name, label, fill)
            if _scenes(selection):
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
        "lacks": {},
        "why_not": "",
        "parts": parts(selection.config),
        "scenes": _scenes(selection),
    }


def _classes(selection: Selection, label: int, against: int) -> "np.ndarray[Any, Any]":
    from vitviz.measures.logit_sum import two_classes

    return np.array(measure(selection, two_classes, label, against), np.int32)


def _sum(selection: Selection, label: int, against: int) -> Arrays:
    from vitviz.measures.logit_sum import logit_sum

    found = measure(selection, logit_sum, label, against)
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
    from vitviz.measures.relevance import gradient_maps, relevance

    gradients = measure(selection, gradient_maps, label, against)
    others = [name for name in MAPS_AT_ONCE if name not in gradients]
    return {
        "classes": _classes(selection, label, against),
        **{name: measure(selection, relevance, name, label, against) for name in others},
        **gradients,
    }


def _occlusion(selection: Selection, label: int, against: int) -> Arrays:
    from vitviz.measures.relevance import lost
    from vitviz.ui.pieces import occlusion_map, painted

    pieces = [changes for _, changes in painted(occlusion_map(selection, "grey"), "Hiding every patch")]
    classes = _classes(selection, label, against)
    return {"classes": classes, "occlusion": lost(np.concatenate(pieces), *map(int, classes))}


def _trial(selection: Selection, name: str, label: int, fill: str) -> Arrays:
    from vitviz.measures.deletion import trial

    found = measure_long(selection, trial, name, label, fill)
    return {
        "classes": _classes(selection, label, -1),
        "counts": found.counts,
        "removed": found.deletion,
        "kept": found.insertion,
        "area": found.area,
        "order": found.order,
    }


def _scenes(selection: Selection) -> int:
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
    from vitviz.measures.relevance import randomised_maps

    found = measure_long(selection, randomised_maps, label)
    return {"classes": _classes(selection, label, -1), **found.maps, "alike": found.alike}
