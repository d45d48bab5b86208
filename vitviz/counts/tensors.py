"""Every tensor of a model and of its forward, with its shape and size, before any of them exists."""

from dataclasses import dataclass
from math import prod

from vitviz.activations import activation_names, unrolled
from vitviz.config import ViTConfig
from vitviz.counts.formula import shape, symbols
from vitviz.counts.parts import Part, made, parts

DTYPE_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True, slots=True)
class ActivationRow:
    """One tensor of the forward: its name in the trace, its axes in einops words, its size for one image."""

    name: str
    axes: str
    shape: tuple[int, ...]
    dtype: str
    elements: int
    bytes: int


@dataclass(frozen=True, slots=True)
class TensorRow:
    """One tensor, a "parameter" that stays or an "activation" that one forward makes; `place` counts from 1."""

    place: int
    kind: str
    name: str
    axes: str
    shape: tuple[int, ...]
    dtype: str
    elements: int
    bytes: int


def activations(config: ViTConfig, dtype: str = "float32") -> tuple[ActivationRow, ...]:
    """Every tensor of one forward of one image, in order of birth, attention written out.

    The names are those of the trace. Without a head the last tensor, `logits`, is what it would read: `b d`.
    """
    names = activation_names(config).values()
    sizes = [_size(it.axes, config, dtype) for it in names]
    return tuple(
        ActivationRow(name, *sizes[place]) for place, name in _layer_by_layer([it.name for it in names], config.depth)
    )


def tensors(config: ViTConfig, dtype: str = "float32") -> tuple[TensorRow, ...]:
    """Every tensor in order: each activation of one image, after the parameters that make it."""
    waiting: dict[str, list[Part]] = {}
    for part in parts(config):
        waiting.setdefault(made(part, config), []).append(part)
    lines = [
        line
        for it in activation_names(config).values()
        for line in (
            *(("parameter", part.tensor, part.axes) for part in waiting.get(it.name, ())),
            ("activation", it.name, it.axes),
        )
    ]
    sizes = [_size(axes, config, dtype) for *_, axes in lines]
    ordered = _layer_by_layer([name for _, name, _ in lines], config.depth)
    return tuple(
        TensorRow(number, lines[place][0], name, *sizes[place]) for number, (place, name) in enumerate(ordered, start=1)
    )


def _layer_by_layer(names: list[str], depth: int) -> list[tuple[int, str]]:
    """Place and full name of everything in the order of the forward; what is in a block comes once for each layer."""
    return [(place, names[place].replace("{i}", layer)) for place, layer in unrolled(names, depth)]


def _size(axes: str, config: ViTConfig, dtype: str) -> tuple[str, tuple[int, ...], str, int, int]:
    """Axes, shape, dtype, elements and bytes of a tensor."""
    size = shape(axes, symbols(config))
    return axes, size, dtype, prod(size), prod(size) * DTYPE_BYTES[dtype]
