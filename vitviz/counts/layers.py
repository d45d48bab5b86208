"""The layer table in the form of torchsummary: one row per call of a module.

Such a summary sees modules, so the class token and the position embedding are missing from its total. The rows are
those of the usual PyTorch port of ViT, whose modules include some that do nothing here (dropout, identity).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod
from typing import NamedTuple

from vitviz.activations import activation_names, unrolled
from vitviz.config import ViTConfig
from vitviz.config.stems import KINDS, convolutions
from vitviz.counts.anatomy import ALWAYS_LAYER_NORMS
from vitviz.counts.formula import shape, symbols
from vitviz.counts.groups import grouped
from vitviz.counts.parts import outcome, parts

MIB = 1024**2
FLOAT32_BYTES = 4


class Call(NamedTuple):
    """One call of the port: module, type, axes of the result after the batch, and which models make it."""

    module: str
    kind: str
    axes: str
    when: str = ""


POOLED = "pool=attention"

NORM = "a norm of the model's kind"
NORM_TYPES = {"layer": "LayerNorm", "rms": "RMSNorm", "batch": "BatchNorm1d"}

CALLS = (
    Call("patch_embed.proj", "Conv2d", "d gh gw"),
    Call("patch_embed.norm", "Identity", "n d"),
    Call("patch_embed", "PatchEmbed", "n d"),
    Call("pos_drop", "Dropout", "t d"),
    Call("blocks.{i}.norm1", NORM, "t d", "norm_order=pre"),
    Call("blocks.{i}.attn.qkv", "Linear", "t (qkv head dh)"),
    Call("blocks.{i}.attn.attn_drop", "Dropout", "head q k"),
    Call("blocks.{i}.attn.proj", "Linear", "t d"),
    Call("blocks.{i}.attn.proj_drop", "Dropout", "t d"),
    Call("blocks.{i}.attn", "Attention", "t d"),
    Call("blocks.{i}.ls1", "LayerScale", "t d", "layer_scale"),
    Call("blocks.{i}.drop_path", "Identity", "t d"),
    Call("blocks.{i}.norm1", NORM, "t d", "norm_order=post"),
    Call("blocks.{i}.norm2", NORM, "t d", "norm_order=pre"),
    Call("blocks.{i}.mlp.fc1", "Linear", "t m", "activation!=swiglu"),
    Call("blocks.{i}.mlp.act", "GELU", "t m", "activation!=swiglu activation!=relu"),
    Call("blocks.{i}.mlp.act", "ReLU", "t m", "activation=relu"),
    Call("blocks.{i}.mlp.fc1", "Linear", "t (2 m)", "activation=swiglu"),
    Call("blocks.{i}.mlp.act", "SiLU", "t m", "activation=swiglu"),
    Call("blocks.{i}.mlp.drop", "Dropout", "t m"),
    Call("blocks.{i}.mlp.fc2", "Linear", "t d"),
    Call("blocks.{i}.mlp.drop", "Dropout", "t d"),
    Call("blocks.{i}.mlp", "Mlp", "t d"),
    Call("blocks.{i}.ls2", "LayerScale", "t d", "layer_scale"),
    Call("blocks.{i}.drop_path", "Identity", "t d"),
    Call("blocks.{i}.norm2", NORM, "t d", "norm_order=post"),
    Call("blocks.{i}", "Block", "t d"),
    Call("norm", NORM, "t d"),
    Call("attn_pool.q", "Linear", "1 d", POOLED),
    Call("attn_pool.kv", "Linear", "t (2 d)", POOLED),
    Call("attn_pool.proj", "Linear", "1 d", POOLED),
    Call("attn_pool.norm", "LayerNorm", "1 d", POOLED),
    Call("attn_pool.mlp.fc1", "Linear", "1 m", POOLED),
    Call("attn_pool.mlp.act", "GELU", "1 m", f"{POOLED} activation!=relu"),
    Call("attn_pool.mlp.act", "ReLU", "1 m", f"{POOLED} activation=relu"),
    Call("attn_pool.mlp.fc2", "Linear", "1 d", POOLED),
    Call("attn_pool.mlp", "Mlp", "1 d", POOLED),
    Call("attn_pool", "AttentionPoolLatent", "d", POOLED),
    Call("pre_logits", "Identity", "d", "distilled=False pre_logits=0 pool!=flatten"),  # a distilled model skips it
    Call("pre_logits", "Identity", "(t d)", "pre_logits=0 pool=flatten"),
    Call("pre_logits.fc", "Linear", "r", "pre_logits"),
    Call("pre_logits.act", "Tanh", "r", "pre_logits"),
    Call("head", "Linear", "classes", "classes"),
    Call("head_dist", "Linear", "classes", "classes distilled"),
    Call("head", "Identity", "d", "classes=0 pre_logits=0 pool!=flatten"),
    Call("head", "Identity", "(t d)", "classes=0 pre_logits=0 pool=flatten"),
    Call("head", "Identity", "r", "classes=0 pre_logits"),
    Call("head_dist", "Identity", "d", "classes=0 distilled"),
)


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One call of a module: its place in the table, "Conv2d-1", where it sits, the shape it returns (batch -1).

    `module` is the path in the model, "blocks.0.attn.qkv": the branches of a tree.
    """

    index: int
    name: str
    module: str
    shape: tuple[int, ...]
    parameters: int

    @property
    def outputs(self) -> int:
        """Numbers in the result for one image."""
        return abs(prod(self.shape))


@dataclass(frozen=True, slots=True)
class LayerMemory:
    """The four memory lines under the table, in MiB for one image in float32.

    `forward_backward` counts every row's result twice, for its value and its gradient.
    """

    input: float
    forward_backward: float
    parameters: float
    total: float


@dataclass(frozen=True, slots=True)
class Node:
    """One module: its last name, its own row of the table if it has one, all parameters inside it, and its parts."""

    name: str
    row: LayerRow | None
    parameters: int
    parts: tuple["Node", ...]


def layer_table(config: ViTConfig) -> tuple[LayerRow, ...]:
    """All rows, in the order of the calls; what is neither weight nor bias of a module is not seen."""
    numbers = symbols(config)
    count = {
        module: sum(prod(shape(part.axes, numbers)) for part in group)
        for module, group in grouped(parts(config), lambda part: part.module).items()
    }
    calls = _calls(config)
    sizes = [(-1, *shape(call.axes, numbers)) for call in calls]
    order = unrolled([call.module for call in calls], config.depth)
    return tuple(
        LayerRow(index, f"{calls[place].kind}-{index}", module, sizes[place], count.get(calls[place].module, 0))
        for index, (place, module) in enumerate(order, start=1)
    )


def layer_table_memory(config: ViTConfig) -> LayerMemory:
    """What the summary says about memory."""
    rows = layer_table(config)
    image = config.channels * prod(config.image_sides)
    outputs = 2 * sum(row.outputs for row in rows)
    counts = [image, outputs, sum(row.parameters for row in rows)]
    return LayerMemory(*(count * FLOAT32_BYTES / MIB for count in [*counts, sum(counts)]))


def layer_table_text(config: ViTConfig) -> str:
    """The table as torchsummary prints it, without a newline at the end."""
    rows, memory = layer_table(config), layer_table_memory(config)
    total = sum(row.parameters for row in rows)
    thin, thick = "-" * 64, "=" * 64
    return "\n".join(
        [
            thin,
            _line("Layer (type)", "Output Shape", "Param #"),
            thick,
            *(_line(row.name, str(list(row.shape)), f"{row.parameters:,}") for row in rows),
            thick,
            f"Total params: {total:,}",
            f"Trainable params: {total:,}",
            "Non-trainable params: 0",
            thin,
            f"Input size (MB): {memory.input:.2f}",
            f"Forward/backward pass size (MB): {memory.forward_backward:.2f}",
            f"Params size (MB): {memory.parameters:.2f}",
            f"Estimated Total Size (MB): {memory.total:.2f}",
            thin,
        ]
    )


def layer_tree(rows: Sequence[LayerRow], level: int = 0) -> tuple[Node, ...]:
    """The rows as branches by their paths, in the order of the calls; a module called twice stands there twice."""
    groups = groupby(rows, key=lambda row: row.module.split(".")[level])
    return tuple(node for name, group in groups for node in _nodes(name, list(group), level))


def _calls(config: ViTConfig) -> list[Call]:
    """The calls of this model, those of a block once, with the layers that `CALLS` does not name.

    They follow the layer before them where both are parts of one module, or else precede the next one.
    """
    layers = {part.module: part for part in parts(config) if part.module}
    called = [call for call in CALLS if config.has(call.when) and (call.kind != NORM or call.module in layers)]
    kind = NORM_TYPES[config.norm]
    calls = [*_stem(config), *(call._replace(kind=kind) if call.kind == NORM else call for call in called)]
    last = ""
    for place, (module, part) in enumerate(layers.items()):
        names = [call.module for call in calls]
        if module not in names:
            follows = _parent(module) and _parent(module) == _parent(last)
            following = next(name for name in list(layers)[place:] if name in names)
            kind = _type(module, config) if part.kind == "layer norms" else "Linear"
            axes = activation_names(config)[outcome(part, config)].axes.removeprefix("b ")
            calls.insert(names.index(last) + 1 if follows else names.index(following), Call(module, kind, axes))
        last = module
    return calls


def _stem(config: ViTConfig) -> list[Call]:
    """The calls of the convolutions before the projection, each with its norm."""
    return [
        Call(module, kind, f"{it.out} {it.size[0]} {it.size[1]}")
        for it in convolutions(config)
        for module, kind in zip((it.module, it.norm), KINDS[config.stem].types, strict=True)
    ]


def _type(norm: str, config: ViTConfig) -> str:
    return NORM_TYPES["layer" if norm in ALWAYS_LAYER_NORMS else config.norm]


def _parent(module: str) -> str:
    return module.rpartition(".")[0]


def _nodes(name: str, group: list[LayerRow], level: int) -> list[Node]:
    own = [row for row in group if row.module.count(".") == level]
    inside = [row for row in group if row not in own]
    if not inside:
        return [Node(name, row, row.parameters, ()) for row in own]
    return [Node(name, own[0] if own else None, sum(row.parameters for row in group), layer_tree(inside, level + 1))]


def _line(name: str, size: str, count: str) -> str:
    return f"{name:>20}  {size:>25} {count:>15}"
