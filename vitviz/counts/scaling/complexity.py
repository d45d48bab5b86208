"""Self-attention beside recurrence and convolution: the orders of growth of Vaswani et al. 2017, table 1.

https://arxiv.org/abs/1706.03762. Orders leave constants out: they say how a layer grows, not what it costs.
"""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.config.config import changed
from vitviz.config.sides import Size, size_of
from vitviz.counts.formula import put_in, symbols, value
from vitviz.counts.totals import attention_weights, total_macs, total_parameters

# name, operations of one layer, operations that must wait for each other, steps between the two tokens furthest apart
LAYERS = (
    ("self-attention", "n·n·d", "1", "1"),
    ("recurrence", "n·d·d", "n", "n"),
    ("convolution", "k·n·d·d", "1", "⌈logₖ n⌉"),
)
STEPS = (2, 1, 1 / 2, 1 / 4)


@dataclass(frozen=True, slots=True)
class Complexity:
    """One kind of layer: operations by formula, with numbers, as a count; what must wait; the longest path."""

    name: str
    formula: str
    numbers: str
    operations: int
    waiting_formula: str
    waiting: int
    path_formula: str
    path: int


def complexity(config: ViTConfig, kernel: int = 3, tokens: int | None = None) -> tuple[Complexity, ...]:
    """The three kinds of layer on this model's sequence, n tokens of dim d; `kernel` is the convolution's width k."""
    n = tokens or config.tokens
    numbers = symbols(config) | {"n": n, "k": kernel}
    return tuple(
        Complexity(
            name,
            formula,
            put_in(formula, numbers),
            value(formula, numbers),
            waiting,
            value(waiting, numbers),
            path,
            _dilated(n, kernel) if path == "⌈logₖ n⌉" else value(path, numbers),
        )
        for name, formula, waiting, path in LAYERS
    )


def _dilated(n: int, kernel: int) -> int:
    """Dilated convolutions until the first token meets the last; a kernel of width 1 never gets there, say n."""
    steps, reach = 0, 1
    while kernel > 1 and reach < n:
        steps, reach = steps + 1, reach * kernel
    return steps if kernel > 1 else n


@dataclass(frozen=True, slots=True)
class PatchSize:
    """One patch size with all other sizes kept.

    `tokens` with the prefix tokens; `attention_weights` of one head in one layer, t·t, or none in linear
    attention; parameters and multiply-accumulates of the whole model.
    """

    patch_size: Size
    tokens: int
    attention_weights: int
    parameters: int
    macs: int


def patch_sizes(config: ViTConfig) -> tuple[PatchSize, ...]:
    """Twice, once, half and a quarter of the model's patch size, where a model may have it; single pixels last."""
    ph, pw = config.patch_sides
    pairs = [(ph * step, pw * step) for step in STEPS] + [(1, 1)]
    whole = dict.fromkeys(size_of((int(rows), int(columns))) for rows, columns in pairs if rows % 1 == columns % 1 == 0)
    found = (changed(config, patch_size=size) for size in whole)
    return tuple(cost(it) for it in found if it is not None)


def cost(config: ViTConfig) -> PatchSize:
    """What the patch size of this very model costs."""
    weights = attention_weights(config) // (config.depth * config.heads)
    return PatchSize(config.patch_size, config.tokens, weights, total_parameters(config), total_macs(config))
