"""Quantities of a forward pass: where heads look, what the answer is, and what it owes to a patch or a head.

The library's functions are imported where they are used: whoever reads a lesson does not load PyTorch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.lecture.answers.quantity import AnswerError, Look, Value, quantity
from vitviz.numbers import percent, small

if TYPE_CHECKING:
    from vitviz.measures.arrays import Array


@quantity("patch")
def strongest_patch(look: Look) -> Value:
    """The patch at which the query of the view looks most, in its layer and head.

    Shares are attention weights (`measures.attention.attention_row`); what prefix tokens get is left out of the map.
    """
    from vitviz.measures.attention import attention_row

    place = look.view.place
    weights = look.patches_of(look.measure(attention_row, place.layer, place.query)[place.head])
    best = int(weights.argmax())
    return Value(weights, f"{look.patch(best)}: {percent(weights[best])} of the attention of this head")


@quantity("patch")
def reached_patch(look: Look) -> Value:
    """The patch of which most has reached the query of the view, through all layers up to its layer.

    Shares are those of attention rollout (`measures.attention.rollout`).
    """
    from vitviz.measures.attention import rollout

    place = look.view.place
    shares = look.patches_of(look.measure(rollout)[place.layer][place.query])
    best = int(shares.argmax())
    return Value(shares, f"{look.patch(best)}: {percent(shares[best])} of what has arrived")


@quantity("patch")
def alike_patch(look: Look) -> Value:
    """The patch whose state after the layer of the view is most like that of the chosen patch.

    Shares are cosines (`measures.similarity.cosines`), 0 where they are negative and for the patch itself.
    """
    cosines, best = _alike(look)
    return Value(np.maximum(cosines, 0), f"{look.patch(best)}: its cosine is {small(float(cosines[best]))}")


@quantity("choose")
def nearest_patch(look: Look) -> Value:
    """The patch whose state after the layer of the view is most like that of the chosen patch, by its number: "55".

    That of the largest cosine (`measures.similarity.cosines`).
    """
    cosines, best = _alike(look)
    return Value(str(best + 1), f"{look.patch(best)}: its cosine is {small(float(cosines[best]))}")


@quantity("patch")
def needed_patch(look: Look) -> Value:
    """The patch whose hiding takes most from the logit of the answer.

    Each patch is painted grey alone (`measures.interventions.occluded`); shares are of all that is lost.
    """
    from vitviz.measures.interventions import occluded

    logits, changes = _changed(look, occluded, "grey", 0, look.config.patches)
    answer = int(logits.argmax())
    lost = -changes[:, answer]
    shares = np.maximum(lost, 0) / max(float(np.maximum(lost, 0).sum()), 1e-9)
    best = int(lost.argmax())
    return Value(shares.astype(np.float32), f"{look.patch(best)}: {_without(look, logits, changes[best])}")


@quantity("patch")
def owed_patch(look: Look) -> Value:
    """The patch of which all heads of all layers hand on most to the logit of the answer.

    Shares are of all that is handed on of patches for it (`measures.logit_sum.logit_sum`), those below 0 left out.
    """
    from vitviz.measures.logit_sum import NONE
    from vitviz.measures.relevance import relevance

    shares = look.measure(relevance, "sum", NONE, NONE)
    best, handed = int(shares.argmax()), np.maximum(shares, 0)
    says = f"{look.patch(best)}: {small(float(shares[best]))} of the logit"
    return Value((handed / max(float(handed.sum()), 1e-9)).astype(np.float32), says)


@quantity("choose")
def map_on_trial(look: Look) -> Value:
    """The map in whose order the answer falls soonest as patches turn grey, by its name in addresses, as "rollout".

    The least area under the curve of the answer's probability (`measures.deletion.tried`), of this picture alone, from
    the runs that the page *Why this answer* asks for.
    """
    from vitviz.measures.deletion import tried
    from vitviz.measures.logit_sum import NONE
    from vitviz.measures.relevance import MAPS

    areas = {name: float(tried(look.measure, look.config, name, NONE, "grey").area[0]) for name in MAPS}
    best = min(areas, key=areas.__getitem__)
    return Value(
        best, f"{best.replace('_', ' × ')}: an area of {small(areas[best])}; chance has {small(areas['chance'])}"
    )


@quantity("choose")
def map_that_stays(look: Look) -> Value:
    """The map that stays most alike as the model is drawn anew from the head down, by its name in addresses.

    The mean rank correlation over all parts (`measures.relevance.maps_down_to`), of which each is measured by itself.
    """
    from vitviz.measures.logit_sum import NONE
    from vitviz.measures.relevance import IN_ONE_RUN, maps_down_to, parts, randomised

    several = [look.measure(maps_down_to, part, NONE) for part in range(len(parts(look.config)))]
    alike = np.nan_to_num(randomised(several).alike[:, 1:]).mean(axis=1)
    best = int(alike.argmax())
    return Value(IN_ONE_RUN[best], f"{IN_ONE_RUN[best].replace('_', ' × ')}: {small(float(alike[best]))} on average")


@quantity("pair")
def swapped_patches(look: Look) -> Value:
    """The two patches whose pixels the edits of the view exchange, as in `i12=40`."""
    from vitviz.edits import Edits

    edits = Edits.parse(look.view.get("edits"), look.config)
    swaps = [edit for edit in edits.of("pixels") if edit.is_swap]
    if len(swaps) != 1:
        raise AnswerError("the edits of the view do not exchange two patches; write edits=i12=40")
    pair = swaps[0].places[0], int(swaps[0].number)
    return Value(pair, " and ".join(map(look.patch, pair)))


@quantity("choose")
def answer(look: Look) -> Value:
    """The most probable class of the view, by its name, with its edits."""
    from vitviz.measures.classes import answer as answers

    probabilities = look.measure(answers, look.config.depth).probabilities
    name = look.labels()[best := int(probabilities.argmax())]
    return Value(name, f"“{name}”, with {percent(probabilities[best])}")


@quantity("choose")
def decided_after(look: Look) -> Value:
    """The layer from which on the head would give the answer that it gives in the end: "1" to the depth.

    Read by the logit lens (`measures.classes.logit_lens`); "0" where that is so before the first layer.
    """
    from vitviz.measures.classes import logit_lens

    lens = look.measure(logit_lens)
    winners = lens.argmax(axis=1)
    last_other = np.flatnonzero(winners != winners[-1])
    layer = int(last_other[-1]) + 1 if len(last_other) else 0
    says = f"“{look.labels()[winners[-1]]}” has {percent(lens[layer, winners[-1]])} there"
    return Value(str(layer), f"after layer {layer}: {says}")


@quantity("choose")
def farthest_head(look: Look) -> Value:
    """The head of the view's layer that looks farthest, on average over all queries: "1" to the number of heads.

    The distance of patches, weighted by attention (`measures.attention.attention_by_layer`), in patches.
    """
    from vitviz.measures.attention import attention_by_layer

    distances = look.measure(attention_by_layer).distance[look.view.place.layer]
    head = int(distances.argmax())
    return Value(str(head + 1), f"head {head + 1}: {small(float(distances[head]))} patches far, on average")


@quantity("choose")
def needed_head(look: Look) -> Value:
    """The head of the view's layer without which the logit of the answer falls most: "1" to the number of heads.

    Each head is off alone (`measures.interventions.heads_off`).
    """
    from vitviz.measures.interventions import heads_off

    logits, changes = _changed(look, heads_off, look.view.place.layer, 0, look.config.heads)
    head = int(changes[:, logits.argmax()].argmin())
    return Value(str(head + 1), f"head {head + 1}: {_without(look, logits, changes[head])}")


@quantity("choose")
def answer_without_positions(look: Look) -> Value:
    """The most probable class of the view's picture when no patch has a position, by its name.

    `measures.positions.probabilities_without_positions`.
    """
    from vitviz.measures.positions import probabilities_without_positions

    probabilities = look.measure(probabilities_without_positions)
    name = look.labels()[best := int(probabilities.argmax())]
    return Value(name, f"“{name}”, with {percent(probabilities[best])}")


def _alike(look: Look) -> tuple[Array, int]:
    """The cosines of the other patches with the chosen one, which has -1, and which is the largest."""
    from vitviz.addresses.place import patch_of
    from vitviz.measures.similarity import cosines

    if look.config.patches == 1:
        raise AnswerError("the picture is one patch, and there is no other that could be like it")
    place = look.view.place
    patch = patch_of(place.query, look.config)
    found = np.array(look.measure(cosines, "state", place.layer, patch))
    found[patch] = -1
    return found, int(found.argmax())


def _changed(look: Look, effect: Any, *args: Any) -> tuple[Array, Array]:
    """The logits of a view, and what each of some interventions adds to them."""
    from vitviz.measures.classes import result

    return look.measure(result), look.measure(effect, *args)


def _without(look: Look, logits: Array, change: Array) -> str:
    """What becomes of the answer without something, its probability and its logit before and after."""
    best, after = int(logits.argmax()), logits + change
    sure, left = (percent(1 / float(np.exp(it - it[best]).sum())) for it in (logits, after))
    logit, other = (small(float(it[best])) for it in (logits, after))
    return f"without it “{look.labels()[best]}” goes from {sure} to {left}, its logit from {logit} to {other}"
