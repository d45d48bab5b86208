"""The numbers of the chapter Counting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vitviz.takeaway.calculations.calculation import Calculation, Calculations
from vitviz.takeaway.notebook import plain

if TYPE_CHECKING:
    from vitviz.config import ViTConfig
    from vitviz.counts.scaling.search import Found
    from vitviz.trace import Trace

Counted = partial(Calculation, pictured=False, shown=False)


def three_counts(config: ViTConfig, classes: int) -> NDArray[Any]:
    from vitviz.counts import conventions

    return np.array([it.total for it in conventions(config.with_(classes=classes))])


def rows_of_layers(config: ViTConfig, classes: int) -> NDArray[Any]:
    from vitviz.counts import layer_table

    return np.array([(row.parameters, row.outputs) for row in layer_table(config.with_(classes=classes))])


def names_of_layers(config: ViTConfig, classes: int) -> dict[str, list[str]]:
    from vitviz.counts import layer_table

    return {"call": [row.name for row in layer_table(config.with_(classes=classes))]}


def macs_by_product(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_split

    return np.array([it.count for it in mac_split(config)])


def names_of_products(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_split

    return {"product": [it.name for it in mac_split(config)]}


def growing_macs(config: ViTConfig, field: str) -> NDArray[Any]:
    from vitviz.counts import growth

    return np.array([(it.against, it.macs, it.quadratic) for it in growth(config, field)])


def growing_sizes(config: ViTConfig, field: str) -> dict[str, list[str]]:
    from vitviz.counts import growth

    return {"size": [f"{field} {it.size}" for it in growth(config, field)]}


def bytes_of_memory(config: ViTConfig, batch: int) -> NDArray[Any]:
    from vitviz.counts import activation_memory, inference_memory, training_memory

    of_parameters = [it.bytes for it in (*inference_memory(config), *training_memory(config))]
    return np.array([*of_parameters, *(2 * batch * numbers for numbers in activation_memory(config).values())])


def kinds_of_memory(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import activation_memory, inference_memory, training_memory

    used = [f"in use: {it.name}" for it in inference_memory(config)]
    trained = [f"in training: {it.name}" for it in training_memory(config)]
    return {"kind": [*used, *trained, *(f"activations: {kind}" for kind in activation_memory(config))]}


def counts_by_kind(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_split, parameter_split

    return np.array([it.count for it in (*parameter_split(config), *mac_split(config))])


def kinds_of_counts(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_split, parameter_split

    parameters = [f"parameters: {it.name}" for it in parameter_split(config)]
    return {"kind": [*parameters, *(f"MACs: {it.name}" for it in mac_split(config))]}


def sizes_and_counts(config: ViTConfig, other: str) -> NDArray[Any]:
    from vitviz.config import PRESETS
    from vitviz.counts import total_macs, total_parameters

    both = config, PRESETS[other]
    sizes = [(it.tokens, it.dim, it.depth, it.heads, it.mlp_dim) for it in both]
    return np.array([(*size, total_parameters(it), total_macs(it)) for size, it in zip(sizes, both, strict=True)])


def both_models(other: str) -> dict[str, list[str]]:
    return {"model": ["this model", other]}


def nearest_models(config: ViTConfig, budget: float, unit: str) -> Sequence[Found]:
    from vitviz.counts import nearest

    return nearest(config, round(budget * {"parameters": 10**6, "MACs": 10**9}[unit]), unit)


def sizes_by_dim(found: Sequence[Found]) -> NDArray[Any]:
    return np.array(sorted((it.config.dim, it.config.depth, it.config.mlp_dim, it.count) for it in found))


def dims(found: Sequence[Found]) -> dict[str, list[str]]:
    return {"model": [f"dim {dim}" for dim in sorted(it.config.dim for it in found)]}


def macs_by_step(config: ViTConfig) -> NDArray[Any]:
    from vitviz.counts import mac_steps

    return np.array(list(mac_steps(config).values()))


def names_of_steps(config: ViTConfig) -> dict[str, list[str]]:
    from vitviz.counts import mac_steps

    return {"step": list(mac_steps(config))}


def calls_and_seconds(trace: Trace) -> dict[str, tuple[int, float]]:
    """Of every stage: how often it is called, and the seconds of one call."""
    from vitviz.measures.speed import speed

    return {it.stage: (it.calls, it.seconds) for it in speed(trace).stages}


THREE_COUNTS = Counted(
    "all parameters, those that a layer table sees, and those of a back-of-the-envelope count",
    "3",
    three_counts,
    plain.plain_three_counts,
    (plain.built,),
    places=("exact", "layer table", "envelope"),
)
LAYERS = Counted(
    "parameters and results of every call of a module, as torchsummary lists them",
    "call 2",
    rows_of_layers,
    lacks="the modules are those of the usual PyTorch port; `vitviz/counts/layers.py` lists their calls",
    places=("parameters", "results"),
    names=names_of_layers,
)
PRODUCTS = Counted(
    "the multiply-accumulates of one forward pass, by kind of product",
    "product",
    macs_by_product,
    plain.plain_products,
    (plain.products,),
    names=names_of_products,
    note="The orders of growth beside recurrence and convolution: `vitviz.counts.complexity(config, kernel)`.",
)
GROWTH = Counted(
    "what it is drawn against, all multiply-accumulates, and those of QKᵀ and AV, at every size of the curve",
    "size 3",
    growing_macs,
    lacks="it counts a model for every size; `vitviz/counts/totals.py` has the closed form",
    places=("drawn against", "all MACs", "of QKᵀ and AV"),
    names=growing_sizes,
)
MEMORY = Counted(
    "bytes: the parameters in use, each of the copies that training holds, and all activations of a batch in 16 bit, "
    "kind by kind",
    "kind",
    bytes_of_memory,
    names=kinds_of_memory,
    lacks="activations are counted by name; `vitviz/activations.py` has their names and axes",
)
BUILT = Counted(
    "parameters by kind, then multiply-accumulates by kind",
    "kind",
    counts_by_kind,
    plain.plain_counts,
    (plain.built, plain.products, plain.plain_products),
    names=kinds_of_counts,
)
SIDE_BY_SIDE = Counted(
    "tokens, dim, depth, heads, MLP width, parameters and multiply-accumulates of two models",
    "model 7",
    sizes_and_counts,
    lacks="two models of any family are counted; `vitviz/counts/totals.py` has the closed form",
    places=("tokens", "dim", "depth", "heads", "MLP width", "parameters", "multiply-accumulates"),
    names=both_models,
)
NEAREST = Counted(
    "dim, depth, MLP width and count of the models that come nearest to a budget, in the order of their dim",
    "model 4",
    sizes_by_dim,
    given={"found": nearest_models},
    lacks="it is a search; `vitviz/counts/scaling/search.py` searches",
    places=("dim", "depth", "MLP width", "count"),
    names=dims,
)
STEPS = Calculation(
    "the multiply-accumulates of every step of the forward pass",
    "step",
    macs_by_step,
    plain.products,
    names=names_of_steps,
    anew=calls_and_seconds,
    note="Seconds are those of this machine, and others every time: they are measured anew below, and only what is "
    "counted is asserted.",
    shown=False,
)
PAGES = {
    "three_counts": Calculations("Three ways to count", THREE_COUNTS),
    "layer_table": Calculations("Layer table", LAYERS),
    "arithmetic": Calculations("Arithmetic", PRODUCTS),
    "growth": Calculations("Growth", GROWTH),
    "memory": Calculations("Memory", MEMORY),
    "build_a_vit": Calculations("Build a ViT", BUILT),
    "side_by_side": Calculations("Side by side", SIDE_BY_SIDE),
    "find_the_model": Calculations("Find the model", NEAREST),
    "speed": Calculations("Speed", STEPS),
}
