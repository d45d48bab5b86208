"""The table that a module-walking summary prints: one row per call of a module, in the form of torchsummary.

Such a summary sees modules, so the class token and the position embedding are missing from its total. The rows are
those of the usual PyTorch port of ViT, whose modules include some that do nothing here (dropout, identity).
"""

from dataclasses import dataclass
from math import prod

from vitviz.config import ViTConfig
from vitviz.counts import parts
from vitviz.counts.formula import Symbols, shape, symbols, value

MIB = 1024**2
FLOAT32_BYTES = 4
Line = tuple[str, str, str, str]

# module, type, axes after the batch, parameters
EMBEDDING = (
    ("patch_embed.norm", "Identity", "n d", "0"),
    ("patch_embed", "PatchEmbed", "n d", "0"),
    ("pos_drop", "Dropout", "t d", "0"),
)
ATTENTION = (
    ("norm1", "LayerNorm", "t d", "2·d"),
    ("attn.qkv", "Linear", "t (qkv head dh)", "3·d·d + 3·d"),
    ("attn.attn_drop", "Dropout", "head q k", "0"),
    ("attn.proj", "Linear", "t d", "d·d + d"),
    ("attn.proj_drop", "Dropout", "t d", "0"),
    ("attn", "Attention", "t d", "0"),
)
MLP_END = (
    ("mlp.drop", "Dropout", "t m", "0"),
    ("mlp.fc2", "Linear", "t d", "d·m + d"),
    ("mlp.drop", "Dropout", "t d", "0"),
    ("mlp", "Mlp", "t d", "0"),
)
DROP_PATH = ("drop_path", "Identity", "t d", "0")
POOLING = (
    ("attn_pool.q", "Linear", "1 d", "d·d + d"),
    ("attn_pool.kv", "Linear", "t (2 d)", "2·d·d + 2·d"),
    ("attn_pool.proj", "Linear", "1 d", "d·d + d"),
    ("attn_pool.norm", "LayerNorm", "1 d", "2·d"),
    ("attn_pool.mlp.fc1", "Linear", "1 m", "m·d + m"),
    ("attn_pool.mlp.act", "GELU", "1 m", "0"),
    ("attn_pool.mlp.fc2", "Linear", "1 d", "d·m + d"),
    ("attn_pool.mlp", "Mlp", "1 d", "0"),
    ("attn_pool", "AttentionPoolLatent", "d", "0"),
)
INPUT_NORM = ("norm_pre", "LayerNorm", "t d", "2·d")
NORM = ("norm", "LayerNorm", "t d", "2·d")
BEFORE_HEAD = ("pre_logits", "Identity", "d", "0")


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


def layer_table(config: ViTConfig) -> tuple[LayerRow, ...]:
    """All rows, in the order of the calls."""
    numbers = symbols(config)
    lines = [("patch_embed.proj", "Conv2d", "d gh gw", parts.patch_embedding(config)), *EMBEDDING]
    lines += [INPUT_NORM] if config.input_norm else []
    block = _block(config)
    for i in range(config.depth):
        lines += [(f"blocks.{i}.{module}".rstrip("."), kind, axes, count) for module, kind, axes, count in block]
    lines += [NORM, *(POOLING if config.pool == "attention" else ()), *_heads(config)]
    return tuple(_row(index, line, numbers) for index, line in enumerate(lines, start=1))


def layer_table_memory(config: ViTConfig) -> LayerMemory:
    """What the summary says about memory."""
    rows = layer_table(config)
    image = config.channels * config.image_size**2
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


def _block(config: ViTConfig) -> list[Line]:
    """The modules of one block; a layer scale is a module whose numbers are neither weight nor bias: not seen."""
    gated = config.activation == "swiglu"
    first, second = ([(name, "LayerScale", "t d", "0")] if config.layer_scale else [] for name in ("ls1", "ls2"))
    return [
        *ATTENTION,
        *first,
        DROP_PATH,
        ("norm2", "LayerNorm", "t d", "2·d"),
        ("mlp.fc1", "Linear", "t (2 m)" if gated else "t m", parts.mlp_first(config)),
        ("mlp.act", "SiLU" if gated else "GELU", "t m", "0"),
        *MLP_END,
        *second,
        DROP_PATH,
        ("", "Block", "t d", "0"),
    ]


def _heads(config: ViTConfig) -> list[Line]:
    """The read-out; a distilled model calls two heads and skips the identity before the head."""
    kind, axes, count = ("Linear", "classes", "classes·d + classes") if config.classes else ("Identity", "d", "0")
    head = ("head", kind, axes, count)
    return [head, ("head_dist", kind, axes, count)] if config.distilled else [BEFORE_HEAD, head]


def _row(index: int, line: Line, numbers: Symbols) -> LayerRow:
    module, kind, axes, parameters = line
    return LayerRow(index, f"{kind}-{index}", module, (-1, *shape(axes, numbers)), value(parameters, numbers))


def _line(name: str, size: str, count: str) -> str:
    return f"{name:>20}  {size:>25} {count:>15}"
