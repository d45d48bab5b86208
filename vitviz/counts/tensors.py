"""Every tensor of a model and of its forward pass, with its shape and size, before any of them exists."""

from dataclasses import dataclass
from math import prod

from vitviz.activations import activation_names, unrolled
from vitviz.config import ViTConfig
from vitviz.counts.anatomy import ALWAYS_LAYER_NORMS, NORMS, Part
from vitviz.counts.formula import Symbols, shape, symbols
from vitviz.counts.parts import outcome, parts

DTYPE_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True, slots=True)
class ActivationRow:
    """One tensor of the forward pass: its name in the trace, its axes in einops words, its size for one image."""

    name: str
    axes: str
    shape: tuple[int, ...]
    dtype: str
    elements: int
    bytes: int


@dataclass(frozen=True, slots=True)
class TensorRow:
    """One tensor, a "parameter" that stays or an "activation" that one forward pass makes; `place` counts from 1."""

    place: int
    kind: str
    name: str
    axes: str
    shape: tuple[int, ...]
    dtype: str
    elements: int
    bytes: int


def activations(config: ViTConfig, dtype: str = "float32") -> tuple[ActivationRow, ...]:
    """Every tensor of one forward pass of one image, in the order they are computed, attention written out.

    The names are those of the trace. Without a head the last tensor, `logits`, is what it would read: `b d`.
    """
    names, numbers = activation_names(config).values(), symbols(config)
    sizes = [_size(it.axes, numbers, dtype) for it in names]
    return tuple(
        ActivationRow(name, *sizes[place]) for place, name in unrolled([it.name for it in names], config.depth)
    )


def tensors(config: ViTConfig, dtype: str = "float32") -> tuple[TensorRow, ...]:
    """Every tensor in order: each activation of one image, after the parameters that make it."""
    waiting: dict[str, list[Part]] = {}
    for part in parts(config):
        waiting.setdefault(outcome(part, config), []).append(part)
    lines = [
        line
        for it in activation_names(config).values()
        for line in (
            *(("parameter", part.tensor, part.axes) for part in waiting.get(it.name, ())),
            ("activation", it.name, it.axes),
        )
    ]
    numbers = symbols(config)
    sizes = [_size(axes, numbers, dtype) for *_, axes in lines]
    ordered = unrolled([name for _, name, _ in lines], config.depth)
    return tuple(
        TensorRow(number, lines[place][0], name, *sizes[place]) for number, (place, name) in enumerate(ordered, start=1)
    )


def layer_normed(config: ViTConfig) -> int:
    """Numbers that layer norms make of one image in one forward pass; other norms make none of them."""
    numbers, known = symbols(config), activation_names(config)
    made_by = {
        (part.module, outcome(part, config))
        for part in parts(config)
        if (part.kind == "layer norms" and (config.norm == "layer" or part.module in ALWAYS_LAYER_NORMS))
        or (part.step == NORMS and config.stem == "conv")
    }
    times = {True: config.depth, False: 1}
    return sum(times[module.startswith("blocks.")] * prod(shape(known[it].axes, numbers)) for module, it in made_by)


def _size(axes: str, numbers: Symbols, dtype: str) -> tuple[str, tuple[int, ...], str, int, int]:
    """Axes, shape, dtype, elements and bytes of a tensor."""
    size = shape(axes, numbers)
    return axes, size, dtype, prod(size), prod(size) * DTYPE_BYTES[dtype]
