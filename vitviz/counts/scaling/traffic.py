"""What each stage of a forward pass reads and writes: inputs, parameters and results, each once.

So Ma et al. 2018 count "memory access cost" (ShuffleNet V2, https://arxiv.org/abs/1807.11164). What a stage keeps to
itself, or fetches once more because no cache holds it, is not counted: it is the least that has to be moved. Nor is a
mask counted, which follows from the places of the tokens.
"""

from dataclasses import dataclass
from functools import lru_cache

from vitviz.config import ViTConfig
from vitviz.counts.formula import Item, item, product, symbols, times, total, value
from vitviz.counts.parts import parts


@dataclass(frozen=True, slots=True)
class Traffic:
    """A stage as it is clocked: axes of what it reads, the tensors that it needs by their first words, and its result.

    `calls` says how often a forward pass does it, not at all what is beside it; `when` is a condition of
    `ViTConfig.has`; `each` is an axis along which the stage is done one by one.
    """

    stage: str
    reads: tuple[str, ...]
    tensors: str
    writes: str
    calls: str = "depth"
    when: str = ""
    each: str = ""


FUSED, WRITTEN_OUT, LINEAR = "plain_scores", "plain_scores=False attention!=linear", "attention=linear"
ABSOLUTE, RELATIVE = "positions!=relative", "positions=relative"
HEADS, SCORES, GATED, UNGATED = "head t dh", "head q k", "activation=swiglu", "activation!=swiglu"
ONCE, BESIDE, HEAD = "1", "0", "1 + distilled"
TABLE = (
    Traffic("patch embedding", ("c h w",), "patch_embed.", "n d", ONCE),
    Traffic("layer norms", ("t d",), "blocks.{i}.norm1.", "t d", "2·depth + 1"),
    Traffic("q k v projections", ("t d",), "blocks.{i}.attn.qkv.", "t (qkv head dh)"),
    Traffic("fused attention", (HEADS, HEADS, HEADS), "", HEADS, when=f"{FUSED} {ABSOLUTE}"),
    Traffic("fused attention", (HEADS, HEADS, HEADS, SCORES), "", HEADS, when=f"{FUSED} {RELATIVE}"),
    Traffic("linear attention", (HEADS, HEADS, HEADS), "", HEADS, when=LINEAR),
    *(
        row
        for calls, kind in (("depth", WRITTEN_OUT), (BESIDE, FUSED))
        for row in (
            Traffic("QKᵀ", (HEADS, HEADS), "", SCORES, calls, f"{kind} {ABSOLUTE}"),
            Traffic("QKᵀ", (HEADS, HEADS, SCORES), "", SCORES, calls, f"{kind} {RELATIVE}"),
            Traffic("softmax", (SCORES,), "", SCORES, calls, kind),
            Traffic("AV", (SCORES, HEADS), "", HEADS, calls, kind),
        )
    ),
    Traffic("output projection", ("t (head dh)",), "blocks.{i}.attn.proj.", "t d"),
    Traffic("MLP, first layer", ("t d",), "blocks.{i}.mlp.fc1.", "t m", when=UNGATED),
    Traffic("MLP, first layer", ("t d",), "blocks.{i}.mlp.fc1.", "t (2 m)", when=GATED),
    Traffic("activation", ("t m",), "", "t m", when=UNGATED),
    Traffic("activation", ("t (2 m)",), "", "t m", when=GATED),
    Traffic("MLP, second layer", ("t m",), "blocks.{i}.mlp.fc2.", "t d"),
    Traffic("attention pooling", ("t d",), "attn_pool.", "d", ONCE, "pool=attention"),
    Traffic("head", ("d",), "head.", "classes", HEAD, "classes pre_logits=0 pool!=flatten"),
    Traffic("head", ("(t d)",), "head.", "classes", HEAD, "classes pre_logits=0 pool=flatten"),
    Traffic("head", ("r",), "head.", "classes", HEAD, "classes pre_logits"),
    Traffic("q k v, token by token", ("d",), "blocks.{i}.attn.qkv.", "(qkv head dh)", BESIDE, each="t"),
)


@lru_cache
def traffic(config: ViTConfig) -> dict[str, Item]:
    """Numbers that one call of each stage reads and writes for one picture, with the formula.

    A number takes as many bytes as its precision has. Without a head there is no stage of that name.
    """
    return {it.stage: _counted(it, config) for it in TABLE if config.has(it.when)}


def stages_beside(config: ViTConfig) -> tuple[str, ...]:
    """Stages that no forward pass does: the same products another way."""
    return tuple(it.stage for it in TABLE if it.calls == BESIDE and config.has(it.when))


@lru_cache
def total_traffic(config: ViTConfig) -> int:
    """Numbers that all stages of a forward pass of one picture read and write; residual additions are no stage."""
    numbers, counted = symbols(config) | {"distilled": int(config.distilled)}, traffic(config)
    return sum(value(it.calls, numbers) * counted[it.stage].count for it in TABLE if config.has(it.when))


def _counted(it: Traffic, config: ViTConfig) -> Item:
    numbers = symbols(config)
    own = [part for part in parts(config) if it.tensors and part.tensor.startswith(it.tensors)]
    formulas = [*(product(axes, numbers) for axes in it.reads), *(part.formula(numbers) for part in own)]
    formula = total([*formulas, product(it.writes, numbers)])
    return item(it.stage, times(it.each, formula) if it.each else formula, numbers)
