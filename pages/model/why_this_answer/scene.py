"""Why this answer: the sum, the maps, their trial, and what becomes of them when the model is drawn anew."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz import results
from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.pictures import png
from vitviz.board.scene import Parcels
from vitviz.board.switching import fits
from vitviz.config import ViTConfig
from vitviz.numbers import exact
from vitviz.results import measure, measure_long
from vitviz.scripts.fitting import small
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import MAPS, NAMES, NONE

if TYPE_CHECKING:
    from vitviz.demo.trial import Areas
    from vitviz.measures.arrays import Array

PARTS = 20  # after which numbers that take long say at most what has come of them
HIDING = "hiding every patch"
RUNS_OF_A_PART = 7  # forward passes that the maps of a model that is drawn anew take as long as
PART = "the maps of a model drawn anew"  # the kind of runs that these are
MAPS_AT_ONCE = ("sum", "attention", "rollout", "chance")
GRADIENTS = ("gradient_attention", "gradient_input")  # of a run and the way back, for which the others do not wait


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.machine import price
    from vitviz.measures import deletion, relevance

    config = selection.config
    label, against = (address.answer, address.against) if config.classes else (address.component, NONE)
    both, first, long = f"{label}-{against}", address.switches["map"], _prices(selection)
    wanted = not long.get(address.moment) or address.switches["begun"] == address.moment

    def hidden(one: int, other: int) -> Parcels:
        many = len(price.pieces(config, config.patches)) if long["maps"] else 1
        return _growing(f"occlusion-{one}-{other}", partial(_occlusion, selection, one, other), many)

    match address.moment:
        case "sum":
            yield f"sum-{both}", lambda: _sum(selection, label, against)
        case "maps":
            compared = [(label, against), *([(label, NONE), (against, NONE)] if against != NONE else [])]
            for one, other in compared:
                yield from _maps(selection, one, other)
            for one, other in compared if wanted else []:
                yield from hidden(one, other)
        case "trial":
            fill = address.switches["fill"]
            yield f"fill-{fill}", lambda: {"picture": _filled(selection, fill)}
            if means := fixed(selection).get(f"trial-means-{fill}"):
                yield f"trial-means-{fill}", means
            if _here(selection) and address.switches["runs"] != "server":
                yield "forward-patches", lambda: {"own": results.patches(selection)}
                yield from _maps(selection, label, NONE)
                if not long["maps"]:
                    yield from hidden(label, NONE)
            elif wanted:
                tried = [it for it in MAPS if it != "occlusion" or it == first or not long["trial"]]
                many = len(deletion.pieces(config)) if long["trial"] else 1
                for name in sorted(tried, key=lambda it: (it != first, it == "occlusion")):  # which takes longest
                    made = partial(_trial, selection, name, label, fill)
                    yield from _growing(f"trial-{name}-{label}-{fill}", made, many)
        case "randomised" if wanted:
            many = len(relevance.parts(config)) if long["randomised"] else 1
            yield from _growing(f"randomised-{label}", partial(_randomised, selection, label), many)
    if config.classes:
        yield "lens", lambda: lens(selection)


def fixed(selection: Selection) -> Mapping[str, Callable[[], Arrays]]:
    """What hangs on no picture: an order by chance, and the means of trials over scenes."""
    from vitviz.measures import relevance

    found_: dict[str, Callable[[], Arrays]] = {"chance": lambda: {"chance": relevance.chance(selection.config.patches)}}
    for fill, its in found[1].items() if (found := averaged(selection)) else ():
        found_[f"trial-means-{fill}"] = partial(_areas, its)
    return found_


def alone(selection: Selection) -> dict[str, Any]:
    """The facts that are others where no server is: which moments are not there, and why."""
    lacking = {"randomised": "A model is drawn anew by PyTorch"}
    if not _here(selection):
        lacking["trial"] = "A model of this size is put to trial by PyTorch"
    of_app = ": the app shows it; run vitviz on your own machine."
    return {"why_not": {moment: why + of_app for moment, why in lacking.items()} | _why_not(selection.config)}


def _areas(means: Mapping[str, Sequence[float]]) -> Arrays:
    return {f"{name}-area": np.array(both, np.float32) for name, both in means.items()}


def _growing(name: str, make: Callable[[int | None], Arrays], many: int) -> Parcels:
    """What has come after some of so many pieces, a number of times, and all of it, which has the name itself."""
    for part, pieces in enumerate(range(ceil(many / PARTS), many, ceil(many / PARTS)), start=1):
        yield f"{name} part {part}", partial(make, pieces)
    yield name, partial(make, None)


def facts(selection: Selection) -> dict[str, Any]:
    from vitviz.measures import deletion, relevance

    config = selection.config
    return {
        "maps": NAMES,
        "depends": relevance.OF_A_CLASS,
        "signed": relevance.SIGNED,
        "why_not": _why_not(config),
        "prices": _prices(selection),
        "counts": deletion.steps(config.patches),
        "parts": relevance.parts(config),
        "scenes": found[0] if (found := averaged(selection)) else 0,
        "here": _here(selection),
    }


def _here(selection: Selection) -> bool:
    """Whether a browser puts the maps to trial itself: it is sent a small model unasked."""
    return selection.learned is None and fits(selection.model) and small(selection.config)


def _why_not(config: ViTConfig) -> dict[str, str]:
    """Why there is nothing to see at a moment, by its name."""
    if config.patches == 1:
        alone = "The picture is one patch of this model: there is no other that it could owe its answer to."
        return dict.fromkeys(("maps", "trial", "randomised"), alone)
    if config.classes == 1:
        return {"trial": "This model has one class, whose probability is always 1: no patch that is gone changes it."}
    return {}


def _prices(selection: Selection) -> dict[str, str]:
    """What is not begun unasked, at moments by their names: what it takes in words, or "" where that is little."""
    from vitviz.machine.price import at_once, begins_unasked
    from vitviz.measures import deletion, relevance

    config = selection.config
    between, parts = 2 * len(deletion.steps(config.patches)[1:-1]), len(relevance.parts(config))
    maps = len(MAPS) - 1  # occlusion is tried once it is chosen
    all_runs = {
        "maps": config.patches,
        "trial": 2 + maps * between,
        "randomised": parts * RUNS_OF_A_PART,
    }
    of_one = results.run_seconds(selection)
    of_a_part = results.usual_seconds(selection, PART) or RUNS_OF_A_PART * of_one
    seconds = {moment: runs * of_one for moment, runs in all_runs.items()} | {"randomised": parts * of_a_part}
    what = {"maps": "", "trial": "", "randomised": f"{exact(parts)} models, "}
    unasked = {**all_runs, "trial": config.patches + between * len(MAPS)}
    begun = {moment: begins_unasked(config, runs) for moment, runs in unasked.items()}
    begun["randomised"] = at_once(config, RUNS_OF_A_PART, parts) == parts  # no two of one model, none in a batch
    return {
        moment: ""
        if begun[moment]
        else f"{what[moment] or f'{exact(runs)} runs, '}some {exact(ceil(seconds[moment]))} s"
        for moment, runs in all_runs.items()
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


def _maps(selection: Selection, label: int, against: int) -> Parcels:
    """Those that take a run at most, or one and the way back."""

    def made(names: tuple[str, ...]) -> Arrays:
        classes = _classes(selection, label, against)
        return {"classes": classes, **{name: _map(selection, name, label, against) for name in names}}

    yield f"maps-{label}-{against}", lambda: made(MAPS_AT_ONCE)
    yield f"gradients-{label}-{against}", lambda: made(GRADIENTS)


def _occlusion(selection: Selection, label: int, against: int, pieces: int | None = None) -> Arrays:
    """The map, NaN for patches that are hidden after so many `pieces`."""
    from vitviz.measures.relevance import lost

    classes = _classes(selection, label, against)
    values = lost(_hidden(selection, pieces), *map(int, classes))
    missing = np.full(selection.config.patches - len(values), np.nan, np.float32)
    return {"classes": classes, "occlusion": np.concatenate([values, missing])}


def _map(selection: Selection, name: str, label: int, against: int) -> "Array":
    """One map, of runs that all who ask for it share: `n`."""
    from vitviz.machine.price import require_map
    from vitviz.measures.relevance import mapped

    if name == "occlusion":
        require_map(selection.config, selection.config.patches, HIDING)
    return mapped(partial(measure_long, selection), selection.config, name, label, against)


def _hidden(selection: Selection, pieces: int | None = None) -> "Array":
    """The change of all logits when each patch alone is grey, in pieces, of which nobody waits for more than one."""
    from vitviz.machine import price
    from vitviz.measures.interventions import occluded

    config = selection.config
    price.require_map(config, config.patches, HIDING)
    ends = price.pieces(config, config.patches)[:pieces]
    runs = partial(results.clocked, selection, results.RUN)
    return np.concatenate([runs(last - first, occluded, "grey", first, last) for first, last in ends])


def _trial(selection: Selection, name: str, label: int, fill: str, pieces: int | None = None) -> Arrays:
    """The trial of a map, NaN where it is not after so many `pieces`."""
    from vitviz.machine.price import require_map
    from vitviz.measures import deletion

    config = selection.config
    counts = deletion.steps(config.patches)
    require_map(config, 2 * len(counts), "a trial")
    classes = _classes(selection, label, NONE)
    order = tuple(deletion.order_of(_map(selection, name, label, NONE)).tolist())
    ends = measure_long(selection, deletion.both_ends, fill)
    made = deletion.pieces(config)[:pieces]
    runs = partial(results.clocked, selection, results.RUN)
    between = [runs(last - first, deletion.seen_in_part, order, fill, first, last) for first, last in made]
    missing = 2 * len(counts[1:-1]) - sum(map(len, between))
    between.append(np.full((missing, ends.shape[1]), np.nan, np.float32))
    found = deletion.trial_of(config, order, int(classes[0]), ends, between)
    return {
        "classes": classes,
        "counts": found.counts,
        "removed": found.deletion,
        "kept": found.insertion,
        "area": found.area,
        "order": found.order,
    }


def averaged(selection: Selection) -> "tuple[int, Areas] | None":
    """Over how many scenes this model's maps were tried, and the mean areas; None of one of which none were."""
    from vitviz.shelf.trial import averaged

    return averaged(selection.model.name) if selection.learned is None else None


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


def _randomised(selection: Selection, label: int, pieces: int | None = None) -> Arrays:
    """Maps of models of which more and more is chance, of the first `pieces` of them."""
    from vitviz.machine.price import require_map
    from vitviz.measures import relevance

    several = range(len(relevance.parts(selection.config)))
    runs = RUNS_OF_A_PART * len(several)
    require_map(selection.config, runs, "drawing the model anew part by part")
    drawn = results.untrained(selection.model, *relevance.ANEW)
    found = relevance.randomised(
        [
            results.clocked(selection, PART, 1, relevance.maps_down_to, part, label, NONE, drawn)
            for part in several[:pieces]
        ]
    )
    return {"classes": _classes(selection, label, NONE), **found.maps, "alike": found.alike}
