"""The model as one column of parameters: what each step takes once, how often it occurs, and what that comes to."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts import parts
from vitviz.counts.formula import put_in, symbols, value

Line = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the forward: `once` from `formula`, `times` in the model, `count` in all.

    `kind` is the item of `parameter_split` that it belongs to; `where` is "embedding", "block" or "head".
    """

    name: str
    kind: str
    where: str
    formula: str
    numbers: str
    once: int
    times: int
    count: int


def steps(config: ViTConfig) -> tuple[Step, ...]:
    """Every step that has parameters, in the order of the forward; the counts sum to `total_parameters`."""
    return (
        *(_step(line, "embedding", 1, config) for line in embedding_lines(config)),
        *(_step(line, "block", config.depth, config) for line in block_lines(config)),
        *(_step(line, "head", 1, config) for line in head_lines(config)),
    )


def embedding_lines(config: ViTConfig) -> list[Line]:
    """What happens before the first block: name, kind and formula."""
    return [
        ("patch embedding", "patch embedding", parts.patch_embedding(config)),
        *((name, name, formula) for name, formula in parts.special_tokens(config)),
        ("position embedding", "position embedding", parts.positions(config)),
        *([("norm before the blocks", "layer norms", parts.NORM)] if config.input_norm else []),
    ]


def block_lines(config: ViTConfig) -> list[Line]:
    """What happens in one block: name, kind and formula."""
    return [
        ("norm before attention", "layer norms", parts.NORM),
        ("q k v projections", "attention", "3·d·d + 3·d"),
        ("output projection", "attention", "d·d + d"),
        *([("scale after attention", "layer scale", parts.LAYER_SCALE)] if config.layer_scale else []),
        ("norm before MLP", "layer norms", parts.NORM),
        ("MLP, first layer", "MLP", parts.mlp_first(config)),
        ("MLP, second layer", "MLP", "d·m + d"),
        *([("scale after MLP", "layer scale", parts.LAYER_SCALE)] if config.layer_scale else []),
    ]


def head_lines(config: ViTConfig) -> list[Line]:
    """What happens after the last block: name, kind and formula."""
    pooling = [
        ("pooling query", "pooling query", parts.POOLING_QUERY),
        ("attention pooling", "attention pooling", f"{parts.POOLING_MATRICES} + {parts.POOLING_BIASES}"),
        ("norm in the pooling", "layer norms", parts.NORM),
    ]
    return [
        ("final norm", "layer norms", parts.NORM),
        *(pooling if config.pool == "attention" else []),
        *((name, "head", "classes·d + classes") for name in parts.heads(config)),
    ]


def columns(config: ViTConfig) -> tuple[tuple[str, dict[str, int]], ...]:
    """The same parameters cut along the forward: embedding, block by block, norm and head; each by kind."""
    places: dict[str, dict[str, int]] = {"embedding": {}, "block": {}, "head": {}}
    for step in steps(config):
        kinds = places[step.where]
        kinds[step.kind] = kinds.get(step.kind, 0) + step.once
    blocks = ((f"block {layer}", places["block"]) for layer in range(1, config.depth + 1))
    return (("embedding", places["embedding"]), *blocks, ("norm and head", places["head"]))


def _step(line: Line, where: str, times: int, config: ViTConfig) -> Step:
    name, kind, formula = line
    numbers = symbols(config)
    once = value(formula, numbers)
    return Step(name, kind, where, formula, put_in(formula, numbers), once, times, times * once)
