"""Trace to numbers: seven maps of what an answer is said to owe to each patch, and what becomes of them by chance.

All are `n` in float32, one number per patch. Those that depend on a class are of `label`, or of how far it is above
`against`, as `two_classes` of `logit_sum` has them. Layers count from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from einops import rearrange

from vitviz.machine.device import require
from vitviz.machine.price import backward_bytes, pieces
from vitviz.machine.pytorch import no_grad, torch
from vitviz.machine.wanted import require_wanted, while_wanted
from vitviz.measures.arrays import Array, to_numpy
from vitviz.measures.attention import layer_scores
from vitviz.measures.interventions import occluded
from vitviz.measures.laboratory.gradients import AFTER_THE_BLOCKS, precise, untrained
from vitviz.measures.logit_sum import NONE, logit_sum, two_classes

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor

    from vitviz.config import ViTConfig
    from vitviz.model import ViT
    from vitviz.switches.scoring import Scoring
    from vitviz.trace import Trace

    Measure = Callable[..., Any]

MAPS = ("sum", "attention", "rollout", "gradient_attention", "gradient_input", "occlusion", "chance")
OF_A_CLASS = ("sum", "gradient_attention", "gradient_input", "occlusion")
SIGNED = ("sum", "gradient_input", "occlusion")
SLOPES = ("gradient_attention", "gradient_input")  # from one run and its way back
IN_ONE_RUN = ("sum", "attention", "rollout", *SLOPES)
SEED = 0  # of chance
ANEW = ("trunc_normal", SEED)  # how a model is drawn anew


def relevance(trace: Trace, name: str, label: int, against: int = NONE) -> Array:
    """The map of a name, one of `MAPS`."""
    match name:
        case "sum":
            return logit_sum(trace, label, against).of_patches(len(trace.config.prefix_tokens))
        case "attention":
            return last_attention(trace)
        case "rollout":
            return rolled_out(trace)
        case "chance":
            return chance(trace.config.patches)
    return mapped(lambda function, *args: function(trace, *args), trace.config, name, label, against)


def mapped(measure: Measure, config: ViTConfig, name: str, label: int, against: int = NONE) -> Array:
    """The same of `measure(function, *args)`, which is `function(trace, *args)`: who keeps these makes none twice."""
    if name in SLOPES:
        its: Mapping[str, Array] = measure(gradient_maps, label, against)
        return its[name]
    if name == "occlusion":
        hidden = while_wanted(pieces(config, config.patches))
        changes = [measure(occluded, "grey", first, last) for first, last in hidden]
        return lost(np.concatenate(changes), *measure(two_classes, label, against))
    found: Array = measure(relevance, name, *((label, against) if name in OF_A_CLASS else (NONE, NONE)))
    return found


@no_grad
def last_attention(trace: Trace) -> Array:
    """What the tokens that the head reads look at in the last layer, mean of the heads; or what pooling looks at."""
    read = _reading(trace)
    if trace.config.pool != "attention":
        read = read @ layer_scores(trace, trace.config.depth - 1).softmax(dim=-1).mean(dim=0)
    return to_numpy(_patches(read, trace.config))


@no_grad
def rolled_out(trace: Trace) -> Array:
    """Attention rollout through all layers, of the tokens that the head reads (Abnar & Zuidema 2020).

    https://arxiv.org/abs/2005.00928: in every layer half attention, mean of the heads, and half identity.
    """
    read = _reading(trace)
    for layer in reversed(range(trace.config.depth)):
        read = (read + read @ layer_scores(trace, layer).softmax(dim=-1).mean(dim=0)) / 2
    return to_numpy(_patches(read, trace.config))


def chance(patches: int) -> Array:
    """The places of a shuffled row: an order that knows nothing of the picture."""
    return ((np.random.default_rng(SEED).permutation(patches) + 1) / patches).astype(np.float32)


def lost(changes: Array, label: int, against: int) -> Array:
    """What hiding each patch takes from a class, of the changes of all logits: `patch classes -> patch`."""
    return -(changes[:, label] - (changes[:, against] if against != NONE else 0))


def gradient_maps(trace: Trace, label: int, against: int = NONE) -> Mapping[str, Array]:
    """Gradient × attention and gradient × input, from one run and its way back. Raises `DeviceError`.

    "gradient_attention": in every layer the mean over the heads of what is above 0 of gradient times weight is added to
    the identity, and these are multiplied up (rules 5 and 6 of Chefer et al. 2021, https://arxiv.org/abs/2103.15679);
    of the tokens that the head reads. "gradient_input": gradient times normalised pixel, summed over a patch.
    """
    config = trace.config
    found = _slopes(trace, *two_classes(trace, label, against))
    positive = [(slope * weights).clamp_min(0).mean(dim=0) for weights, slope in found.weights]
    read = _reading(trace).to(found.picture)
    if config.pool == "attention":
        read = positive.pop()[0]
    for step in reversed(positive):
        read = read + read @ step
    ph, pw = config.patch_sides
    by_patch = "c (gh ph) (gw pw) -> (gh gw) (c ph pw)"
    return {
        "gradient_attention": to_numpy(_patches(read, config)),
        "gradient_input": to_numpy(rearrange(found.picture, by_patch, ph=ph, pw=pw).sum(dim=1)),
    }


@dataclass(frozen=True, slots=True)
class _Slopes:
    """Pixels times their gradient, `c h w`, and of every layer weights and theirs, `head q k` each, pooling's last."""

    picture: Tensor
    weights: list[tuple[Tensor, Tensor]]


def _slopes(trace: Trace, label: int, against: int) -> _Slopes:
    from vitviz.recording import prefixed

    config = trace.config
    require(backward_bytes(config), "the gradient of this model's answer", trace.model.device)
    model = _likeness(config, {name: precise(it) for name, it in trace.model.named_parameters()})
    weights: list[Tensor] = []

    def keep(name: str, value: Tensor) -> Tensor:
        if value.requires_grad:
            value.register_hook(lambda slope: require_wanted())
        if name.endswith((".attn.weights", "pool.weights")):
            weights.append(value)
        return value

    with torch.enable_grad():
        image = precise(trace["image"].tensor[:1]).clone().requires_grad_()
        result = model.go_on(model.embed(image, prefixed("embed", keep)), 0, keep, _written_out(trace))[0]
        wanted = result[label] - (result[against] if against != NONE else 0)
        slope, *slopes = torch.autograd.grad(wanted, [image, *weights])
    pairs = [(each.detach()[0], its[0]) for each, its in zip(weights, slopes, strict=True)]
    return _Slopes((image.detach() * slope)[0], pairs)


def _written_out(trace: Trace) -> Mapping[int, Scoring]:
    """The scorings of the model, with which no layer's attention is fused, nor that of attention pooling."""
    from vitviz.switches.scoring import LINEAR, USUAL, Scoring

    own = trace.model.scorings
    layers = [own.get(layer, USUAL) for layer in range(trace.config.depth + 1)]
    return {layer: Scoring(linear=True) if it is LINEAR else it for layer, it in enumerate(layers)}


def _likeness(config: ViTConfig, parameters: Mapping[str, Tensor]) -> ViT:
    """A model of its own that shares the numbers of these parameters and learns nothing."""
    from vitviz.model import ViT

    with torch.device("meta"):
        model = ViT(config)
    model.load_state_dict({name: it.detach() for name, it in parameters.items()}, assign=True)
    return model.requires_grad_(False)


@no_grad
def _reading(trace: Trace) -> Tensor:
    """How much of the answer is read off each token, `t`, in shares of 1; of attention pooling its own weights."""
    config = trace.config
    read = torch.zeros(config.tokens, device=trace.model.device)
    match config.pool:
        case "mean":
            read[len(config.prefix_tokens) :] = 1 / config.patches
        case "flatten":
            read[:] = 1 / config.tokens
        case "attention":
            return trace.readout()["pool.weights"].tensor[0, :, 0].float().mean(dim=0)
        case _:
            read[: 1 + config.distilled] = 1 / (1 + config.distilled)
    return read


def _patches(of_tokens: Tensor, config: ViTConfig) -> Tensor:
    return of_tokens[len(config.prefix_tokens) :]


@dataclass(frozen=True, slots=True)
class Randomised:
    """Maps of a model of which more and more is chance. `maps`: by name, `part n`; `alike`: `map part`.

    The first is the model as it is; then the head and what stands behind the blocks is drawn anew, then the last block
    as well, and so on to the first. `alike` is the rank correlation with the map of the model as it is, NaN for a map
    that is flat or is not of numbers.
    """

    maps: Mapping[str, Array]
    alike: Array


def parts(config: ViTConfig) -> list[str]:
    """What is drawn anew, one after the other, as people say it."""
    blocks = [f"block {layer}" for layer in range(config.depth, 0, -1)]
    return ["as it is", "head" if config.classes else "last norm", *blocks]


def randomised_maps(trace: Trace, label: int, against: int = NONE) -> Randomised:
    """`IN_ONE_RUN` with parameters drawn anew, from the head down, one part more each time (Adebayo et al. 2018).

    https://arxiv.org/abs/1810.03292: cascading randomisation. The class stays the one that the model as it is names.
    """
    drawn, several = untrained(trace.model, *ANEW), range(len(parts(trace.config)))
    return randomised([maps_down_to(trace, part, label, against, drawn) for part in while_wanted(several)])


def maps_down_to(
    trace: Trace, part: int, label: int, against: int = NONE, drawn: Mapping[str, Tensor] | None = None
) -> Mapping[str, Array]:
    """Those of a model that is drawn anew down to one of its `parts`, by name; `drawn` are `untrained` values."""
    label, against = two_classes(trace, label, against)
    anew = _drawn_anew(trace, drawn or untrained(trace.model, *ANEW), part) if part else trace
    gradients = gradient_maps(anew, label, against)
    return {
        name: gradients[name] if name in gradients else relevance(anew, name, label, against) for name in IN_ONE_RUN
    }


def randomised(several: Sequence[Mapping[str, Array]]) -> Randomised:
    """The maps of all parts together, and how alike they are to the first."""
    maps = {name: np.stack([it[name] for it in several]) for name in IN_ONE_RUN}
    alike = [[rank_correlation(its[0], it) for it in its] for its in maps.values()]
    return Randomised(maps, np.array(alike, np.float32))


def _drawn_anew(trace: Trace, drawn: Mapping[str, Tensor], part: int) -> Trace:
    from vitviz.trace import record

    depth, own = trace.config.depth, {name: it.detach() for name, it in trace.model.named_parameters()}
    blocks = tuple(f"blocks.{layer}." for layer in range(depth + 1 - part, depth))
    own |= {name: it.to(own[name]) for name, it in drawn.items() if name.startswith((*AFTER_THE_BLOCKS, *blocks))}
    return record(_likeness(trace.config, own), trace["image"].tensor[:1])


def rank_correlation(a: Array, b: Array) -> float:
    """Spearman's, equal values sharing the mean of their ranks; NaN where all are equal, or one is no number."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return float("nan")
    first, second = (_ranks(it) for it in (a, b))
    if not first.std() or not second.std():
        return float("nan")
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    _, place, number = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(number) - (number - 1) / 2)[place]
