"""What a token knows: cosines of all patches, or what makes these, so that what is pointed at is compared at once."""

from dataclasses import fields
from typing import Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.pictures import seen
from vitviz.board.scene import Parcels
from vitviz.config import ViTConfig
from vitviz.results import measure, measure_long, measure_together
from vitviz.samples import samples
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

from .page import others_beside

MOST_BYTES = 1_480_000  # of cosines at one moment: with those of one patch and what stands before them 1.5 MB
PLACE_BYTES = 800_000  # of them those of one place
ACROSS_BYTES = 500_000  # of coordinates of one layer in all pictures


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.similarity import ONCE

    of, patch, moment = address.switches["of"], address.patch, address.moment
    layer = 0 if of in ONCE else address.layer
    row = 0 if of in ONCE else address.layer + 1
    beside = _others(selection)
    if moment == "alike":
        yield from _alike(selection, of, layer)
        yield f"alike-exact-{of}-{layer}-{patch}", lambda: _cosines(selection, of, layer, patch)
    if moment == "colours":
        yield "colours-here", lambda: _colours([selection])
    if beside and moment in ("elsewhere", "colours"):
        yield "others", lambda: {f"picture-{at}": seen(it) for at, it in enumerate(beside)}
    if beside and moment == "elsewhere":
        yield f"others-{of}-{layer}", lambda: _across([selection, *beside], of, layer)
        yield f"nearest-exact-{of}-{layer}-{patch}", lambda: _nearest([selection, *beside], of, layer, patch)
        yield next(_alike(selection, of, layer))
    if moment == "colours":
        yield "colours", lambda: _colours([selection, *beside])
        yield f"colours-exact-{row}", lambda: {"coordinates": _components([selection, *beside]).coordinates[row]}
    if moment == "length":
        yield "lengths", lambda: _lengths(selection)
        if beside:
            yield "held", lambda: _held([selection, *beside])


def facts(selection: Selection) -> dict[str, Any]:
    """Which other pictures there are, which tokens are outliers, and whether a norm stands behind the last layer."""
    from vitviz.measures.similarity import FAR, TWICE

    beside = _others(selection)
    return {
        "others": [{"id": it.picture.id, "title": it.picture.title, "alt": it.picture.alt} for it in beside],
        "pictures": len(beside),
        "together": _together(selection.config),
        "rule": f"longer than {TWICE} medians, and than the median and {FAR} median deviations",
        "normalised": not selection.config.norm_after_pooling,
    }


def _others(selection: Selection) -> list[Selection]:
    """The same model, without edits, on other pictures; a second picture that was chosen is the first."""
    model, second = selection.model, selection.donor
    ids = others_beside(model.name, selection.picture.id, second.id if second else "", model.config)
    return [Selection(model, second if second and it == second.id else samples()[it]) for it in ids]


def _together(config: ViTConfig) -> bool:
    """Whether the cosines of all pairs of patches at all places come at once."""
    from vitviz.measures.similarity import pairs_bytes, way_of

    return len(way_of("state", config.depth)) * pairs_bytes(config.patches) <= MOST_BYTES


def _alike(selection: Selection, of: str, layer: int) -> Parcels:
    """Cosines at all places, or those of the place in sight, and of all others what there is room for."""
    from vitviz.measures.similarity import INSIDE, all_pairs, place_alone, whole_way

    config, kind = selection.config, of if of in INSIDE else "state"
    if _together(config):
        yield f"alike-{kind}", lambda: _arrays(measure_long(selection, all_pairs, kind))
        return
    yield f"alike-{of}-{layer}", lambda: _arrays(measure(selection, place_alone, of, layer, PLACE_BYTES))
    yield f"alike-{kind}", lambda: _arrays(measure_long(selection, whole_way, kind, MOST_BYTES - PLACE_BYTES))


def _arrays(found: Any) -> Arrays:
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _cosines(selection: Selection, of: str, layer: int, patch: int) -> Arrays:
    from vitviz.measures.similarity import cosines

    return {"cosines": measure(selection, cosines, of, layer, patch)}


def _across(selections: list[Selection], of: str, layer: int) -> Arrays:
    from vitviz.measures.similarity import across, patch_vectors

    found = measure_together(selections, patch_vectors, (of, layer), across, ACROSS_BYTES)
    return {**_arrays(found), "error": np.array([found.error], np.float32)}


def _nearest(selections: list[Selection], of: str, layer: int, patch: int) -> Arrays:
    from vitviz.measures.similarity import nearest, patch_vectors

    found = measure_together(selections, patch_vectors, (of, layer), nearest, patch)
    return {"patches": found.patches, "cosines": found.cosines}


def _components(selections: list[Selection]) -> Any:
    from vitviz.measures.shared_components import patch_states, shared_components

    return measure_together(selections, patch_states, (), shared_components)


def _colours(selections: list[Selection]) -> Arrays:
    found = _components(selections)
    return {"coordinates": found.coordinates.astype(np.float16), "share": found.share, "reach": found.reach}


def _lengths(selection: Selection) -> Arrays:
    from vitviz.measures.similarity import lengths

    found = measure(selection, lengths)
    return {"before": found.before, "after": found.after, "outliers": found.outliers}


def _held(selections: list[Selection]) -> Arrays:
    from vitviz.measures.shared_components import known_of_patches, what_patches_hold
    from vitviz.measures.similarity import lengths

    first = len(selections[0].config.prefix_tokens)
    outliers = tuple(int(token) - first for token in measure(selections[0], lengths).outliers)
    found = measure_together(selections, known_of_patches, (), what_patches_hold, outliers)
    return {"ordinary": found.ordinary, "outliers": found.outliers, "places": found.places}
