"""Every parameter tensor and every matrix product of a model, row by row; the rows sum to the totals.

Nothing is built: each row follows from the configuration alone.
"""

from dataclasses import dataclass

from vitviz.config import ViTConfig
from vitviz.counts.formula import Symbols, put_in, shape, symbols, value


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the ledger: where it stands, what it is, and how its count comes about.

    `tensor` is the name in the state dict (parameters) or in the trace (products); `axes` its axes in einops words;
    `formula` the count in symbols and `numbers` the same with this model's sizes.
    """

    stage: str
    tensor: str
    axes: str
    shape: tuple[int, ...]
    formula: str
    numbers: str
    count: int


# stage, tensor, axes, formula
EMBEDDING_PARAMETERS = (
    ("patch_embedding", "patch_embed.proj.weight", "d c ph pw", "d·c·ph·pw"),
    ("patch_embedding", "patch_embed.proj.bias", "d", "d"),
    ("class_token", "cls_token", "1 1 d", "d"),
)
DISTILLATION_TOKEN = ("distillation_token", "dist_token", "1 1 d", "d")
POSITION_EMBEDDING = ("position_embedding", "pos_embed", "1 t d", "t·d")
BLOCK_PARAMETERS = (
    ("norm1", "norm1.weight", "d", "d"),
    ("norm1", "norm1.bias", "d", "d"),
    ("attention", "attn.qkv.weight", "(qkv head dh) d", "3·d·d"),
    ("attention", "attn.qkv.bias", "(qkv head dh)", "3·d"),
    ("attention", "attn.proj.weight", "d (head dh)", "d·d"),
    ("attention", "attn.proj.bias", "d", "d"),
    ("norm2", "norm2.weight", "d", "d"),
    ("norm2", "norm2.bias", "d", "d"),
    ("mlp", "mlp.fc1.weight", "m d", "m·d"),
    ("mlp", "mlp.fc1.bias", "m", "m"),
    ("mlp", "mlp.fc2.weight", "d m", "d·m"),
    ("mlp", "mlp.fc2.bias", "d", "d"),
)
FINAL_NORM = (
    ("norm", "norm.weight", "d", "d"),
    ("norm", "norm.bias", "d", "d"),
)
HEAD = (
    ("head", "head.weight", "classes d", "classes·d"),
    ("head", "head.bias", "classes", "classes"),
)
DISTILLATION_HEAD = (
    ("head", "head_dist.weight", "classes d", "classes·d"),
    ("head", "head_dist.bias", "classes", "classes"),
)

PATCH_PRODUCT = ("patch_embedding", "embed.patch_tokens", "b n d", "n·c·ph·pw·d")
BLOCK_PRODUCTS = (
    ("attention", "attn.q", "b head t dh", "t·d·d"),
    ("attention", "attn.k", "b head t dh", "t·d·d"),
    ("attention", "attn.v", "b head t dh", "t·d·d"),
    ("attention", "attn.scores", "b head q k", "head·t·t·dh"),
    ("attention", "attn.mixed", "b head t dh", "head·t·t·dh"),
    ("attention", "attn.out", "b t d", "t·d·d"),
    ("mlp", "mlp.hidden", "b t m", "t·d·m"),
    ("mlp", "mlp.out", "b t d", "t·m·d"),
)

Line = tuple[str, str, str, str]


def parameters(config: ViTConfig) -> tuple[Row, ...]:
    """Every learnable tensor of the model, in the order of the forward; the counts sum to all its parameters."""
    numbers = symbols(config)
    before = [*EMBEDDING_PARAMETERS, *([DISTILLATION_TOKEN] if config.distilled else []), POSITION_EMBEDDING]
    after = list(FINAL_NORM)
    if config.classes:
        after += [*HEAD, *(DISTILLATION_HEAD if config.distilled else ())]
    return _rows(before, BLOCK_PARAMETERS, after, numbers)


def macs(config: ViTConfig) -> tuple[Row, ...]:
    """Every matrix product of one forward of one image, in multiply-accumulates (one is two FLOPs).

    `tensor` and `shape` are those of the product's result. Norms, softmax, GELU and sums are not matrix products.
    """
    logits = ("head", "logits", "b classes", "2·d·classes" if config.distilled else "d·classes")
    return _rows([PATCH_PRODUCT], BLOCK_PRODUCTS, [logits] if config.classes else [], symbols(config))


def _rows(before: list[Line], block: tuple[Line, ...], after: list[Line], numbers: Symbols) -> tuple[Row, ...]:
    """The lines as rows; those of a block once for each block."""
    inside = [_row(line, numbers) for line in block]
    blocks = [
        Row(
            f"blocks.{i}.{row.stage}",
            f"blocks.{i}.{row.tensor}",
            row.axes,
            row.shape,
            row.formula,
            row.numbers,
            row.count,
        )
        for i in range(numbers["depth"])
        for row in inside
    ]
    return (*(_row(line, numbers) for line in before), *blocks, *(_row(line, numbers) for line in after))


def _row(line: Line, numbers: Symbols) -> Row:
    stage, tensor, axes, formula = line
    return Row(stage, tensor, axes, shape(axes, numbers), formula, put_in(formula, numbers), value(formula, numbers))
