"""What is asked of a running model: quantities by name, each computed from the view of its step and never typed in.

The library's functions are imported where they are used: whoever reads a lesson does not load PyTorch.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.lecture.lesson import Question
from vitviz.lecture.told import told_map
from vitviz.lecture.views import View
from vitviz.measures.arrays import Array
from vitviz.numbers import exact, small

Measure = Callable[..., Any]


class AnswerError(ValueError):
    """A question that this model gives no answer to; the message says why."""


@dataclass(frozen=True)
class Look:
    """What a question looks at: a view, the sizes of its model, and two ways to ask that model.

    `measure(function, *args)` is `function(trace, *args)` of the view's forward pass, edits included; `labels()` are
    the names of the classes.
    """

    view: View
    config: ViTConfig
    measure: Measure
    labels: Callable[[], Sequence[str]]

    def patch(self, at: int) -> str:
        """A patch by its number and place, as on the board."""
        row, column = divmod(at, self.config.grid[1])
        return f"patch {at + 1} (row {row + 1}, column {column + 1})"

    def patches_of(self, tokens: Array) -> Array:
        """Of numbers per token those of the patches."""
        return tokens[len(self.config.prefix_tokens) :]


@dataclass(frozen=True, slots=True)
class Value:
    """An answer: a name of an option, a number, a pair of patches, or a share for each patch; `text` says it."""

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity by the kind of question that it answers; `says` is the first line of its docstring."""

    kind: str
    compute: Callable[[Look], Value]
    says: str


QUANTITIES: dict[str, Quantity] = {}


def quantity(kind: str) -> Callable[[Callable[[Look], Value]], Callable[[Look], Value]]:
    """Put a function into `QUANTITIES`, under its own name."""

    def put(compute: Callable[[Look], Value]) -> Callable[[Look], Value]:
        QUANTITIES[compute.__name__] = Quantity(kind, compute, (compute.__doc__ or "").partition("\n")[0])
        return compute

    return put


def truth(question: Question, look: Look) -> dict[str, Any]:
    """What is right, as browsers are told it: the keys depend on the kind of the question.

    choose: option · number: value · patch: patch, map, most · pair: pair; and always text, the answer in words.
    Raises `AnswerError` where the model's answer is none of the options or not on the scale.
    """
    found = QUANTITIES[question.answer].compute(look)
    match question.kind:
        case "choose":
            meant = [means for _, means in question.options]
            if found.value not in meant:
                raise AnswerError(f"the answer is “{found.value}”, and no option stands for that; there is {meant}")
            return {"option": meant.index(found.value), "text": found.text}
        case "number":
            if not question.low <= found.value <= question.high:
                raise AnswerError(
                    f"the answer is {found.value:g}, and the scale goes from {question.low:g} to {question.high:g}"
                )
            return {"value": float(found.value), "text": found.text}
        case "patch":
            return {"patch": int(found.value.argmax()), **told_map(found.value), "text": found.text}
        case _:
            return {"pair": sorted(map(int, found.value)), "text": found.text}


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
def needed_patch(look: Look) -> Value:
    """The patch whose hiding takes most from the logit of the answer.

    Each patch is painted grey alone (`measures.interventions.occluded`); shares are of all that is lost.
    """
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import occluded

    answer = int(look.measure(result).argmax())
    lost = -look.measure(occluded, "grey", 0, look.config.patches)[:, answer]
    shares = np.maximum(lost, 0) / max(float(np.maximum(lost, 0).sum()), 1e-9)
    best = int(lost.argmax())
    text = f"{look.patch(best)}: without it the logit of “{look.labels()[answer]}” falls by {small(float(lost[best]))}"
    return Value(shares.astype(np.float32), text)


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


@quantity("number")
def parameters(look: Look) -> Value:
    """Learnable numbers of the model (`counts.total_parameters`)."""
    count = counts.total_parameters(look.config)
    return Value(count, f"{exact(count)} parameters")


@quantity("number")
def multiply_adds(look: Look) -> Value:
    """Multiply-accumulates of one forward pass (`counts.total_macs`)."""
    count = counts.total_macs(look.config)
    return Value(count, f"{exact(count)} multiply-adds for one picture")


@quantity("number")
def attention_weights(look: Look) -> Value:
    """Attention weights of one forward pass: depth · heads · t²."""
    config = look.config
    count = config.depth * config.heads * config.tokens**2
    said = f"{config.depth} layers × {config.heads} heads × {exact(config.tokens)} × {exact(config.tokens)}"
    return Value(count, f"{said} = {exact(count)} attention weights")


@quantity("number")
def patch_values(look: Look) -> Value:
    """Numbers in one patch: its pixels times its channels."""
    count = look.config.patch_values
    return Value(count, f"{exact(count)} numbers in each patch")


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

    winners = look.measure(logit_lens).argmax(axis=1)
    last_other = np.flatnonzero(winners != winners[-1])
    layer = int(last_other[-1]) + 1 if len(last_other) else 0
    return Value(str(layer), f"after layer {layer}")


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
    from vitviz.measures.classes import result
    from vitviz.measures.interventions import heads_off

    best = int(look.measure(result).argmax())
    lost = -look.measure(heads_off, look.view.place.layer, 0, look.config.heads)[:, best]
    head = int(lost.argmax())
    said = f"head {head + 1}: without it the logit of “{look.labels()[best]}” falls by {small(float(lost[head]))}"
    return Value(str(head + 1), said)


@quantity("choose")
def largest_part(look: Look) -> Value:
    """The kind of part that has the most parameters (`counts.parameter_split`): "MLP", "attention", "head" ..."""
    items = counts.parameter_split(look.config)
    largest = max(items, key=lambda item: item.count)
    share = largest.count / sum(item.count for item in items)
    return Value(largest.name, f"{largest.name}: {exact(largest.count)} parameters, {percent(share)} of all")


@quantity("choose")
def times_at_half_the_patch(look: Look) -> Value:
    """How many times as many patches there are when both sides of a patch are halved: "2", "4" ..."""
    rows, columns = look.config.patch_sides
    half = look.config.with_(patch_size=(rows // 2, columns // 2))
    times = half.patches // look.config.patches
    return Value(str(times), f"{exact(look.config.patches)} patches become {exact(half.patches)}")


def percent(share: float) -> str:
    """A share in per cent, with three digits at most."""
    return f"{100 * share:.3g} %"
