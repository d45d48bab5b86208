"""What the patch size costs: the same model with larger and smaller patches, down to single pixels."""

from dataclasses import dataclass

from vitviz.config import LIMITS, ViTConfig
from vitviz.counts.totals import total_macs, total_parameters

STEPS = (2, 1, 1 / 2, 1 / 4)


@dataclass(frozen=True, slots=True)
class PatchSize:
    """One patch size with all other sizes kept.

    `tokens` with the prefix tokens; `attention_weights` of one head in one layer, t·t; parameters and
    multiply-accumulates of the whole model.
    """

    patch_size: int
    tokens: int
    attention_weights: int
    parameters: int
    macs: int


def patch_sizes(config: ViTConfig) -> tuple[PatchSize, ...]:
    """Twice, once, half and a quarter of the model's patch size, where a model may have it; single pixels last."""
    asked = {config.patch_size * step for step in STEPS} | {1}
    whole = sorted((int(size) for size in asked if size == int(size) <= LIMITS["patch_size"]), reverse=True)
    return tuple(cost(config.with_(patch_size=size)) for size in whole if config.image_size % size == 0)


def cost(config: ViTConfig) -> PatchSize:
    """What the patch size of this very model costs."""
    return PatchSize(config.patch_size, config.tokens, config.tokens**2, total_parameters(config), total_macs(config))
