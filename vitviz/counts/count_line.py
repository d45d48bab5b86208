"""The count line of each page: shape in -> shape out, parameters here, so far, in all, and the formulas behind it."""

from dataclasses import dataclass
from functools import lru_cache

from vitviz.activations import activation_names
from vitviz.config import ViTConfig
from vitviz.counts.formula import Item, item, shape, symbols, times
from vitviz.counts.groups import Step, steps
from vitviz.counts.parts import POSITION
from vitviz.counts.totals import total_parameters

# stage of a page: axes in, axes out
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

Items = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class CountLine:
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
def count_line(config: ViTConfig, stage: str, layer: int = 0) -> CountLine:
    """The count line of a page's stage; `layer` counts from 0 and matters for "attention" and "block" only.

    Raises `ValueError` for a stage that is none of `AXES`, `IndexError` for a layer that the model does not have.
    """
    before, here = (sum(it.count for it in items) for items in count_terms(config, stage, layer))
    axes_in, axes_out = AXES[stage]
    if axes_out.endswith("classes"):
        axes_out = activation_names(config)["logits"].axes
    numbers = symbols(config)
    shapes = shape(axes_in, numbers), shape(axes_out, numbers)
    return CountLine(shapes[0], axes_in, shapes[1], axes_out, here, before + here, total_parameters(config))


@lru_cache(maxsize=1024)
def count_terms(config: ViTConfig, stage: str, layer: int = 0) -> tuple[Items, Items]:
    """Items before the stage, and items of the stage; those of the stage sum to the line's `here`, all to `so_far`.

    Positions that stand in the blocks are counted where positions are, for all blocks, and not with a block. Stages,
    layers and errors are those of `count_line`.
    """
    if stage not in AXES:
        raise ValueError(f"there is no stage {stage!r}; the stages are {', '.join(AXES)}")
    if not 0 <= layer < config.depth:
        raise IndexError(f"layer {layer} is outside 0 to {config.depth - 1} of a model with {config.depth} blocks")
    numbers = count_symbols(config)
    patches = [step for step in steps(config) if step.stage == "patch_embedding"]
    tokens = [step for step in steps(config) if step.where == "embedding" and step not in patches]
    block, head = ([step for step in steps(config) if step.where == where] for where in ("block", "head"))
    block = [step for step in block if step.kind != POSITION]
    attention = [step for step in block if step.kind == "attention"]
    before_attention = block[: block.index(attention[0])]
    placed = (*_items(tokens), *_in_all_blocks(config))
    embedding = (*_items(patches), *placed)
    blocks_before = (item(_blocks_before(layer), f"{layer}·block", numbers),) if layer else ()
    all_blocks = (item("all blocks", "depth·block", numbers),)
    return {
        "model": ((), (*embedding, *all_blocks, *_items(head))),
        "patches": ((), ()),
        "patch_embedding": ((), _items(patches)),
        "position_embedding": (_items(patches), placed),
        "attention": ((*embedding, *blocks_before, *_items(before_attention)), _items(attention)),
        "block": ((*embedding, *blocks_before), _items(block)),
        "blocks": (embedding, all_blocks),
        "head": ((*embedding, *all_blocks), _items(head)),
    }[stage]


def count_symbols(config: ViTConfig) -> dict[str, int]:
    """What each symbol of `count_terms` stands for in this model."""
    block = [step for step in steps(config) if step.where == "block" and step.kind != POSITION]
    return symbols(config) | {"block": sum(step.once for step in block)}


def _in_all_blocks(config: ViTConfig) -> Items:
    inside = [step for step in steps(config) if step.where == "block" and step.kind == POSITION]
    return tuple(item(f"{it.name} of all blocks", times("depth", it.formula), symbols(config)) for it in inside)


def _items(chosen: list[Step]) -> Items:
    return tuple(Item(step.name, step.formula, step.numbers, step.once) for step in chosen)


def _blocks_before(layer: int) -> str:
    return "1 block before" if layer == 1 else f"{layer} blocks before"
