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
PATCH_WEIGHT = ("patch_embedding", "patch_embed.proj.weight", "d c ph pw", "d·c·ph·pw")
PATCH_BIAS = ("patch_embedding", "patch_embed.proj.bias", "d", "d")
CLASS_TOKEN = ("class_token", "cls_token", "1 1 d", "d")
DISTILLATION_TOKEN = ("distillation_token", "dist_token", "1 1 d", "d")
REGISTER_TOKENS = ("register_tokens", "reg_token", "1 registers d", "registers·d")
POSITION_EMBEDDING = ("position_embedding", "pos_embed", "1 t d", "t·d")
PATCH_POSITION_EMBEDDING = ("position_embedding", "pos_embed", "1 n d", "n·d")
INPUT_NORM = (
    ("input_norm", "norm_pre.weight", "d", "d"),
    ("input_norm", "norm_pre.bias", "d", "d"),
)
ATTENTION_PARAMETERS = (
    ("norm1", "norm1.weight", "d", "d"),
    ("norm1", "norm1.bias", "d", "d"),
    ("attention", "attn.qkv.weight", "(qkv head dh) d", "3·d·d"),
    ("attention", "attn.qkv.bias", "(qkv head dh)", "3·d"),
    ("attention", "attn.proj.weight", "d (head dh)", "d·d"),
    ("attention", "attn.proj.bias", "d", "d"),
)
FIRST_SCALE = ("layer_scale1", "ls1.gamma", "d", "d")
SECOND_SCALE = ("layer_scale2", "ls2.gamma", "d", "d")
NORM2 = (
    ("norm2", "norm2.weight", "d", "d"),
    ("norm2", "norm2.bias", "d", "d"),
)
FIRST_LAYER = (
    ("mlp", "mlp.fc1.weight", "m d", "m·d"),
    ("mlp", "mlp.fc1.bias", "m", "m"),
)
GATED_FIRST_LAYER = (
    ("mlp", "mlp.fc1.weight", "(2 m) d", "2·m·d"),
    ("mlp", "mlp.fc1.bias", "(2 m)", "2·m"),
)
SECOND_LAYER = (
    ("mlp", "mlp.fc2.weight", "d m", "d·m"),
    ("mlp", "mlp.fc2.bias", "d", "d"),
)
FINAL_NORM = (
    ("norm", "norm.weight", "d", "d"),
    ("norm", "norm.bias", "d", "d"),
)
POOLING = (
    ("attention_pooling", "attn_pool.latent", "1 1 d", "d"),
    ("attention_pooling", "attn_pool.q.weight", "(head dh) d", "d·d"),
    ("attention_pooling", "attn_pool.q.bias", "(head dh)", "d"),
    ("attention_pooling", "attn_pool.kv.weight", "(2 head dh) d", "2·d·d"),
    ("attention_pooling", "attn_pool.kv.bias", "(2 head dh)", "2·d"),
    ("attention_pooling", "attn_pool.proj.weight", "d (head dh)", "d·d"),
    ("attention_pooling", "attn_pool.proj.bias", "d", "d"),
    ("attention_pooling", "attn_pool.norm.weight", "d", "d"),
    ("attention_pooling", "attn_pool.norm.bias", "d", "d"),
    ("attention_pooling", "attn_pool.mlp.fc1.weight", "m d", "m·d"),
    ("attention_pooling", "attn_pool.mlp.fc1.bias", "m", "m"),
    ("attention_pooling", "attn_pool.mlp.fc2.weight", "d m", "d·m"),
    ("attention_pooling", "attn_pool.mlp.fc2.bias", "d", "d"),
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
    ("attention", "attn.z", "b head t dh", "head·t·t·dh"),
)
POOLING_PRODUCTS = (
    ("attention_pooling", "pool.q", "b head 1 dh", "d·d"),
    ("attention_pooling", "pool.k", "b head t dh", "t·d·d"),
    ("attention_pooling", "pool.v", "b head t dh", "t·d·d"),
    ("attention_pooling", "pool.scores", "b head 1 k", "head·t·dh"),
    ("attention_pooling", "pool.z", "b head 1 dh", "head·t·dh"),
    ("attention_pooling", "pool.out", "b d", "d·d"),
    ("attention_pooling", "pool.mlp.hidden", "b m", "d·m"),
    ("attention_pooling", "pool.mlp.out", "b d", "m·d"),
)

Line = tuple[str, str, str, str]


def parameters(config: ViTConfig) -> tuple[Row, ...]:
    """Every learnable tensor of the model, in the order of the forward; the counts sum to all its parameters."""
    before = [
        PATCH_WEIGHT,
        *([PATCH_BIAS] if config.patch_bias else []),
        *([CLASS_TOKEN] if config.pool == "class" else []),
        *([DISTILLATION_TOKEN] if config.distilled else []),
        *([REGISTER_TOKENS] if config.registers else []),
        POSITION_EMBEDDING if config.special_positions else PATCH_POSITION_EMBEDDING,
        *(INPUT_NORM if config.input_norm else ()),
    ]
    block = [
        *ATTENTION_PARAMETERS,
        *([FIRST_SCALE] if config.layer_scale else []),
        *NORM2,
        *(GATED_FIRST_LAYER if config.activation == "swiglu" else FIRST_LAYER),
        *SECOND_LAYER,
        *([SECOND_SCALE] if config.layer_scale else []),
    ]
    after = [
        *FINAL_NORM,
        *(POOLING if config.pool == "attention" else ()),
        *(HEAD if config.classes else ()),
        *(DISTILLATION_HEAD if config.classes and config.distilled else ()),
    ]
    return _rows(before, block, after, symbols(config))


def macs(config: ViTConfig) -> tuple[Row, ...]:
    """Every matrix product of one forward of one image, in multiply-accumulates (one is two FLOPs).

    `tensor` and `shape` are those of the product's result. Norms, softmax, GELU and sums are not matrix products.
    """
    out = "unscaled" if config.layer_scale else "out"
    block = [
        *BLOCK_PRODUCTS,
        ("attention", f"attn.{out}", "b t d", "t·d·d"),
        *([("mlp", "mlp.gate", "b t m", "t·d·m")] if config.activation == "swiglu" else []),
        ("mlp", "mlp.hidden", "b t m", "t·d·m"),
        ("mlp", f"mlp.{out}", "b t d", "t·m·d"),
    ]
    after = list(POOLING_PRODUCTS if config.pool == "attention" else ())
    if config.classes:
        after.append(("head", "logits", "b classes", "2·d·classes" if config.distilled else "d·classes"))
    return _rows([PATCH_PRODUCT], block, after, symbols(config))


def _rows(before: list[Line], block: list[Line], after: list[Line], numbers: Symbols) -> tuple[Row, ...]:
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
