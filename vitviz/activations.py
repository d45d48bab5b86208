"""Names and axes of all activations of one forward pass, in the order they are computed. Imports no torch.

Axes are einops words: b batch, c channels, h w image, ph pw pixels inside a patch, n patches, t tokens, d dim, head,
dh head dim, q query token, k key token, m MLP width, r pre-logits, s
channels of a stem's last map, sh sw sides of what is one token on it. `{i}` stands for the layer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from vitviz.config import ViTConfig
from vitviz.config.stems import convolutions

BLOCK = "blocks.{i}"

STREAM, NORMS, QKV, WEIGHTS, ATTENTION, MLP, OUTSIDE = KINDS = (
    "residual stream",
    "layer norms",
    "q, k, v",
    "scores and weights",
    "results of attention",
    "MLP",
    "before and after the blocks",
)

INSIDE = ("q", "k", "v")  # what a patch has inside a block
ONCE = ("pixels", "token")  # what it is before the first one, in this order
OF_PATCHES = ("state", *INSIDE, *reversed(ONCE))  # by what patches are compared


@dataclass(frozen=True, slots=True)
class ActivationName:
    """What is known of an activation before any forward pass: name, axes, one of `KINDS`, and which models have it.

    `when` is a condition of `ViTConfig.has`.
    """

    name: str
    axes: str
    kind: str = OUTSIDE
    when: str = ""


ACTIVATIONS = (
    ActivationName("image", "b c h w"),
    ActivationName("embed.patches", "b n (c ph pw)"),
    ActivationName("embed.features", "b n (s sh sw)", when="stem!=patch"),
    ActivationName("embed.norm_in", "b n (c ph pw)", when="patch_norm"),
    ActivationName("embed.projected", "b n d", when="patch_norm"),
    ActivationName("embed.patch_tokens", "b n d"),
    ActivationName("embed.tokens", "b t d", when="input_norm"),
    ActivationName("embed.resid_post", "b t d"),
    ActivationName("blocks.{i}.positions", "1 t d", STREAM, when="positions_at!=stem"),
    ActivationName("blocks.{i}.norm1", "b t d", NORMS, when="norm_order=pre"),
    ActivationName("blocks.{i}.attn.angles", "t pairs", QKV, when="positions=rotary"),
    ActivationName("blocks.{i}.attn.bias", "head q k", WEIGHTS, when="positions=relative"),
    ActivationName("blocks.{i}.attn.q", "b head t dh", QKV),
    ActivationName("blocks.{i}.attn.k", "b head t dh", QKV),
    ActivationName("blocks.{i}.attn.v", "b head t dh", QKV),
    ActivationName("blocks.{i}.attn.scores", "b head q k", WEIGHTS),
    ActivationName("blocks.{i}.attn.weights", "b head q k", WEIGHTS),
    ActivationName("blocks.{i}.attn.kv", "b head dh dv", ATTENTION, when="attention=linear"),
    ActivationName("blocks.{i}.attn.z", "b head t dh", ATTENTION),
    ActivationName("blocks.{i}.attn.unscaled", "b t d", ATTENTION, when="layer_scale"),
    ActivationName("blocks.{i}.attn.out", "b t d", ATTENTION),
    ActivationName("blocks.{i}.resid_mid", "b t d", STREAM),
    ActivationName("blocks.{i}.norm1", "b t d", NORMS, when="norm_order=post"),
    ActivationName("blocks.{i}.norm2", "b t d", NORMS, when="norm_order=pre"),
    ActivationName("blocks.{i}.mlp.gate", "b t m", MLP, when="activation=swiglu"),
    ActivationName("blocks.{i}.mlp.hidden", "b t m", MLP),
    ActivationName("blocks.{i}.mlp.active", "b t m", MLP),
    ActivationName("blocks.{i}.mlp.unscaled", "b t d", MLP, when="layer_scale"),
    ActivationName("blocks.{i}.mlp.out", "b t d", MLP),
    ActivationName("blocks.{i}.resid_sum", "b t d", STREAM, when="norm_order=post"),
    ActivationName("blocks.{i}.resid_post", "b t d", STREAM),
    ActivationName("norm", "b t d", when="norm_after_pooling=False"),
    ActivationName("pool.q", "b head 1 dh", when="pool=attention"),
    ActivationName("pool.k", "b head t dh", when="pool=attention"),
    ActivationName("pool.v", "b head t dh", when="pool=attention"),
    ActivationName("pool.scores", "b head 1 k", when="pool=attention"),
    ActivationName("pool.weights", "b head 1 k", when="pool=attention"),
    ActivationName("pool.z", "b head 1 dh", when="pool=attention"),
    ActivationName("pool.out", "b d", when="pool=attention"),
    ActivationName("pool.norm", "b d", when="pool=attention"),
    ActivationName("pool.mlp.hidden", "b m", when="pool=attention"),
    ActivationName("pool.mlp.active", "b m", when="pool=attention"),
    ActivationName("pool.mlp.out", "b d", when="pool=attention"),
    ActivationName("pooled", "b d", when="pool=mean"),
    ActivationName("pooled", "b (t d)", when="pool=flatten"),
    ActivationName("fc_norm", "b d", when="norm_after_pooling"),
    ActivationName("pre_logits", "b r", when="pre_logits"),
    ActivationName("logits", "b classes", when="classes"),
    # without a head: what it would read
    ActivationName("logits", "b d", when="classes=0 pre_logits=0 pool!=flatten"),
    ActivationName("logits", "b (t d)", when="classes=0 pre_logits=0 pool=flatten"),
    ActivationName("logits", "b r", when="classes=0 pre_logits"),
)


@lru_cache
def activation_names(config: ViTConfig) -> dict[str, ActivationName]:
    """The activations of this model by name, in the order they are computed; those of a block once, as `blocks.{i}`."""
    names = [it for it in ACTIVATIONS if config.has(it.when)]
    before = 1 + [it.name for it in names].index("embed.patches")
    return {it.name: it for it in (*names[:before], *_maps(config), *names[before:])}


def _maps(config: ViTConfig) -> list[ActivationName]:
    """The maps that a stem of convolutions makes: of each what the last of its convolutions does."""
    last = {it.map: it for it in convolutions(config)}
    return [ActivationName(f"embed.stem.{it.map}", f"b {it.out} {it.size[0]} {it.size[1]}") for it in last.values()]


def last_tokens(config: ViTConfig) -> str:
    """The activation that the answer is read off: the normalised tokens, or what leaves the last block as it is."""
    return f"blocks.{config.depth - 1}.resid_post" if config.norm_after_pooling else "norm"


def general(name: str) -> str:
    """A name for any layer: `blocks.3.attn.q` -> `blocks.{i}.attn.q`."""
    return re.sub(r"^blocks\.\d+\.", "blocks.{i}.", name)


def local(name: str) -> str:
    """A name without its block: `blocks.3.attn.q` -> `attn.q`; those outside the blocks keep theirs."""
    return name.split(".", 2)[2] if name.startswith("blocks.") else name


def unrolled(names: Sequence[str], depth: int) -> list[tuple[int, str]]:
    """Places in `names` in the order of the forward pass, with full names: those of a block once for each layer."""
    order: list[tuple[int, str]] = []
    for repeated, group in groupby(enumerate(names), key=lambda it: it[1].startswith(BLOCK)):
        inside = list(group)
        for layer in range(depth) if repeated else ():
            block = f"blocks.{layer}"
            order += [(place, block + name[len(BLOCK) :]) for place, name in inside]
        order += [] if repeated else inside
    return order
