"""What the patch size costs: the same model with larger and smaller patches, down to single pixels."""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.config.config import changed
from vitviz.config.sides import Size, size_of
from vitviz.counts.totals import attention_weights, total_macs, total_parameters

STEPS = (2, 1, 1 / 2, 1 / 4)


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
    asked = [(ph * step, pw * step) for step in STEPS] + [(1, 1)]
    whole = dict.fromkeys(size_of((int(rows), int(columns))) for rows, columns in asked if rows % 1 == columns % 1 == 0)
    found = (changed(config, patch_size=size) for size in whole)
    return tuple(cost(it) for it in found if it is not None)


def cost(config: ViTConfig) -> PatchSize:
    """What the patch size of this very model costs."""
    weights = attention_weights(config) // (config.depth * config.heads)
    return PatchSize(config.patch_size, config.tokens, weights, total_parameters(config), total_macs(config))
