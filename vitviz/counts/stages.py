"""The ledger line of each page: shape in -> shape out, parameters here, so far, in all."""

from dataclasses import dataclass
from functools import lru_cache

from vitviz.config import ViTConfig
from vitviz.counts.formula import shape, symbols
from vitviz.counts.totals import (
    attention_parameters,
    block_parameters,
    norm_parameters,
    patch_embedding_parameters,
    through_embedding,
    total_parameters,
)

# stage: axes in, axes out
AXES = {
    "model": ("b c h w", "b classes"),
    "patches": ("b c h w", "b n (c ph pw)"),
    "patch_embedding": ("b n (c ph pw)", "b n d"),
    "position_embedding": ("b n d", "b t d"),
    "attention": ("b t d", "b t d"),
    "block": ("b t d", "b t d"),
    "blocks": ("b t d", "b t d"),
    "head": ("b t d", "b classes"),
}


@dataclass(frozen=True, slots=True)
class Ledger:
    """One stage of the model: what goes in, what comes out, and how many parameters that takes.

    `here` counts the stage alone, `so_far` everything from the image to the end of the stage, `total` the whole model.
    """

    shape_in: tuple[int, ...]
    axes_in: str
    shape_out: tuple[int, ...]
    axes_out: str
    here: int
    so_far: int
    total: int


@lru_cache(maxsize=1024)
def ledger(config: ViTConfig, stage: str, layer: int = 0) -> Ledger:
    """The ledger line of a page's stage; `layer` counts from 0 and matters for "attention" and "block" only.

    Raises `ValueError` for a stage that is none of `AXES`, `IndexError` for a layer that the model does not have.
    """
    if stage not in AXES:
        raise ValueError(f"there is no stage {stage!r}; the stages are {', '.join(AXES)}")
    if not 0 <= layer < config.depth:
        raise IndexError(f"layer {layer} is outside 0 to {config.depth - 1} of a model with {config.depth} blocks")
    axes_in, axes_out = AXES[stage]
    if not config.classes:
        axes_out = axes_out.replace("classes", "d")
    numbers = symbols(config)
    here, so_far = _parameters(config, stage, layer)
    shapes = shape(axes_in, numbers), shape(axes_out, numbers)
    return Ledger(shapes[0], axes_in, shapes[1], axes_out, here, so_far, total_parameters(config))


def _parameters(config: ViTConfig, stage: str, layer: int) -> tuple[int, int]:
    """Parameters of the stage, and of everything up to its end."""
    total = total_parameters(config)
    patch_embedding, embedding = patch_embedding_parameters(config), through_embedding(config)
    attention, block = attention_parameters(config), block_parameters(config)
    before_block = embedding + layer * block
    before_head = embedding + config.depth * block
    return {
        "model": (total, total),
        "patches": (0, 0),
        "patch_embedding": (patch_embedding, patch_embedding),
        "position_embedding": (embedding - patch_embedding, embedding),
        "attention": (attention, before_block + norm_parameters(config) + attention),
        "block": (block, before_block + block),
        "blocks": (config.depth * block, before_head),
        "head": (total - before_head, total),
    }[stage]
