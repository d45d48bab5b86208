"""The model as one column of parameters: what each step takes once, how often it occurs, and what that comes to."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts.formula import put_in, symbols, value

BLOCK = (
    ("norm before attention", "layer norms", "2·d"),
    ("q k v projections", "attention", "3·d·d + 3·d"),
    ("output projection", "attention", "d·d + d"),
    ("norm before MLP", "layer norms", "2·d"),
    ("MLP, first layer", "MLP", "m·d + m"),
    ("MLP, second layer", "MLP", "d·m + d"),
)


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
    embedding = [
        ("patch embedding", "d·c·ph·pw + d"),
        *((f"{name} token", "d") for name in config.special_tokens),
        ("position embedding", "t·d"),
    ]
    heads = ["head", "distillation head"] if config.distilled else ["head"]
    return (
        *(_step(name, name, "embedding", formula, 1, config) for name, formula in embedding),
        *(_step(name, kind, "block", formula, config.depth, config) for name, kind, formula in BLOCK),
        _step("final norm", "layer norms", "head", "2·d", 1, config),
        *(_step(name, "head", "head", "classes·d + classes", 1, config) for name in heads if config.classes),
    )


def columns(config: ViTConfig) -> tuple[tuple[str, dict[str, int]], ...]:
    """The same parameters cut along the forward: embedding, block by block, norm and head; each by kind."""
    parts: dict[str, dict[str, int]] = {"embedding": {}, "block": {}, "head": {}}
    for step in steps(config):
        kinds = parts[step.where]
        kinds[step.kind] = kinds.get(step.kind, 0) + step.once
    blocks = ((f"block {layer}", parts["block"]) for layer in range(1, config.depth + 1))
    return (("embedding", parts["embedding"]), *blocks, ("norm and head", parts["head"]))


def _step(name: str, kind: str, where: str, formula: str, times: int, config: ViTConfig) -> Step:
    numbers = symbols(config)
    once = value(formula, numbers)
    return Step(name, kind, where, formula, put_in(formula, numbers), once, times, times * once)
