"""What a token knows: cosines of all patches, or what makes these, so that what is pointed at is compared at once."""

from collections import Counter
from dataclasses import fields
from typing import Any

import numpy as np

from vitviz.activations import INSIDE, ONCE
from vitviz.board.address import Address
from vitviz.board.pictures import seen
from vitviz.board.scene import Parcels
from vitviz.config import ViTConfig
from vitviz.images import digest
from vitviz.machine.price import FREE_SECONDS, seconds
from vitviz.numbers import exact, small
from vitviz.results import measure, measure_long, measure_together
from vitviz.samples import samples
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Picture, Selection

from .page import MOST_OTHERS, all_others, most_others

MOST_BYTES = 1_480_000  # of cosines at one moment: with those of one patch and what stands before them 1.5 MB
PLACE_BYTES = 800_000  # of them those of one place
ACROSS_BYTES = 500_000  # of coordinates of one layer in all pictures


def parcels(selection: Selection, address: Address) -> Parcels:
    from vitviz.measures.similarity import candidates

    of, patch, moment = address.switches["of"], address.patch, address.moment
    layer = 0 if of in ONCE else address.layer
    row = 0 if of in ONCE else address.layer + 1
    beside, among = _others(selection), _among(selection)
    if moment == "alike":
        yield from _alike(selection, of, layer)
        yield f"alike-exact-{of}-{layer}-{patch}", lambda: _cosines(selection, of, layer, patch)
        if address.switches["covered"] == "yes" and selection.config.patches > 2:
            yield f"guess-{patch}", lambda: _arrays(measure(selection, candidates, patch))
    if moment == "colours":
        yield "colours-here", lambda: _colours([selection])
    if beside and moment in ("elsewhere", "colours"):
        yield f"others{among}", lambda: {f"picture-{at}": seen(it) for at, it in enumerate(beside)}
    if beside and moment == "elsewhere":
        yield f"others-{of}-{layer}{among}", lambda: _across([selection, *beside], of, layer)
        yield f"nearest-exact-{of}-{layer}-{patch}{among}", lambda: _nearest([selection, *beside], of, layer, patch)
        yield next(_alike(selection, of, layer))
    if moment == "colours":
        yield f"colours{among}", lambda: _colours([selection, *beside])
        yield f"colours-exact-{row}{among}", lambda: {"coordinates": _components([selection, *beside]).coordinates[row]}
    if moment == "length":
        yield "lengths", lambda: _lengths(selection)
        if selection.config.registers:
            yield "registers", lambda: _registers(selection)
        if beside:
            yield f"held{among}", lambda: _held([selection, *beside])


def facts(selection: Selection) -> dict[str, Any]:
    """Which other pictures there are and why not more, which tokens are outliers, and whether a norm stands behind the
    last layer."""
    from vitviz.measures.shared_components import FACTS, REACHED
    from vitviz.measures.similarity import FAR, TWICE

    beside = [it.picture for it in _others(selection)]
    titles = Counter[str]()
    others = []
    for picture in beside:
        titles[picture.title] += 1
        number = f" {titles[picture.title]}" if titles[picture.title] > 1 else ""
        id = "" if picture.id == "own" else picture.id
        others.append({"id": id, "title": f"{picture.title}{number}", "alt": picture.alt})
    return {
        "others": others,
        "among": _among(selection),
        **_fewer(selection),
        "together": _together(selection.config),
        "rule": f"longer than {TWICE} medians, and than the median and {FAR} median deviations",
        "reached": REACHED,
        "read": FACTS,
        "registers": selection.config.registers,
        "normalised": not selection.config.norm_after_pooling,
    }


def _before(selection: Selection) -> dict[str, Picture]:
    """The pictures that come before samples, by links: one's own, that of the other column, the second one."""
    donor = [selection.donor] if selection.donor else []
    return {it.link: it for it in (*selection.others, *donor)}


def _others(selection: Selection) -> list[Selection]:
    """The same model, without edits, on other pictures, as many as do not take long."""
    model, before = selection.model, _before(selection)
    names = all_others(model.name, selection.picture.link, list(before))[: most_others(model.config)]
    return [Selection(model, before.get(it) or samples()[it]) for it in names]


def _among(selection: Selection) -> str:
    """What stands at the end of the names of numbers that depend on which pictures come before samples."""
    names = " ".join(_before(selection))
    return f"-among-{digest(names.encode())[:8]}" if names else ""


def _fewer(selection: Selection) -> dict[str, str]:
    """Into how many of the other pictures the page looks, and why into no more; nothing where it looks into all."""
    config = selection.config
    there = all_others(selection.model.name, selection.picture.link, list(_before(selection)))
    most, all_ = most_others(config), min(len(there), MOST_OTHERS)
    if most >= all_:
        return {}
    why = (
        f"One's own pictures and that of a second column come first. There are not more, for this model takes some "
        f"{small(seconds(config))} s for each, and what takes longer than {FREE_SECONDS:g} s is not begun unasked."
    )
    return {"few": f" {exact(most)} of {exact(all_)} other pictures.", "fewer": why}


def _together(config: ViTConfig) -> bool:
    """Whether the cosines of all pairs of patches at all places come at once."""
    from vitviz.measures.similarity import pairs_bytes, way_of

    return len(way_of("state", config.depth)) * pairs_bytes(config.patches) <= MOST_BYTES


def _alike(selection: Selection, of: str, layer: int) -> Parcels:
    """Cosines at all places, or those of the place in sight, and of all others what there is room for."""
    from vitviz.measures.similarity import all_pairs, place_alone, whole_way

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
    reach = found.reach[:, None, None]
    scaled = found.coordinates / np.where(reach == 0, 1, reach)  # whatever their size, two bytes hold them
    return {"scaled": scaled.astype(np.float16), "share": found.share, "reach": found.reach}


def _lengths(selection: Selection) -> Arrays:
    from vitviz.measures.similarity import lengths

    found = measure(selection, lengths)
    return {"before": found.before, "after": found.after, "outliers": found.outliers}


def _registers(selection: Selection) -> Arrays:
    from vitviz.measures.similarity import registers

    found = measure_long(selection, registers)
    return {"attention": found.attention, "even": np.array([found.even], np.float32)}


def _held(selections: list[Selection]) -> Arrays:
    from vitviz.measures.shared_components import known_of_patches, what_patches_hold
    from vitviz.measures.similarity import lengths

    first = len(selections[0].config.prefix_tokens)
    outliers = tuple(int(token) - first for token in measure(selections[0], lengths).outliers)
    found = measure_together(selections, known_of_patches, (), what_patches_hold, outliers)
    return {"ordinary": found.ordinary, "outliers": found.outliers, "places": found.places}
