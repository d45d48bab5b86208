"""Every tensor of a model and of its forward, with its shape and size, before any of them exists."""

from dataclasses import dataclass
from math import prod

from vitviz.config import ViTConfig
from vitviz.counts.formula import Symbols, shape, symbols
from vitviz.counts.rows import parameters

DTYPE_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}

EMBEDDING = (
    ("image", "b c h w"),
    ("embed.patches", "b n (c ph pw)"),
    ("embed.patch_tokens", "b n d"),
)
BLOCK = (
    ("norm1", "b t d"),
    ("attn.q", "b head t dh"),
    ("attn.k", "b head t dh"),
    ("attn.v", "b head t dh"),
    ("attn.scores", "b head q k"),
    ("attn.weights", "b head q k"),
    ("attn.z", "b head t dh"),
)
POOLING = (
    ("pool.q", "b head 1 dh"),
    ("pool.k", "b head t dh"),
    ("pool.v", "b head t dh"),
    ("pool.scores", "b head 1 k"),
    ("pool.weights", "b head 1 k"),
    ("pool.z", "b head 1 dh"),
    ("pool.out", "b d"),
    ("pool.norm", "b d"),
    ("pool.mlp.hidden", "b m"),
    ("pool.mlp.active", "b m"),
    ("pool.mlp.out", "b d"),
)

# module or bare parameter -> the activation that it helps to make, if that is the one it makes everywhere
MAKES = {
    "patch_embed.proj": "embed.patch_tokens",
    "norm_pre": "embed.resid_post",
    "norm1": "norm1",
    "attn.qkv": "attn.q",
    "ls1.gamma": "attn.out",
    "norm2": "norm2",
    "ls2.gamma": "mlp.out",
    "norm": "norm",
    "attn_pool.latent": "pool.q",
    "attn_pool.q": "pool.q",
    "attn_pool.kv": "pool.k",
    "attn_pool.proj": "pool.out",
    "attn_pool.norm": "pool.norm",
    "attn_pool.mlp.fc1": "pool.mlp.hidden",
    "attn_pool.mlp.fc2": "pool.mlp.out",
    "head": "logits",
    "head_dist": "logits",
}


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


def tensors(config: ViTConfig, dtype: str = "float32") -> tuple[TensorRow, ...]:
    """Every tensor in order: each activation of one image, after the parameters that make it."""
    waiting: dict[str, list[tuple[str, str, str, tuple[int, ...], int]]] = {}
    for row in parameters(config):
        made = _made_by(row.tensor, config)
        waiting.setdefault(made, []).append(("parameter", row.tensor, row.axes, row.shape, row.count))
    ordered = [
        line
        for row in activations(config, dtype)
        for line in (*waiting.get(row.name, ()), ("activation", row.name, row.axes, row.shape, row.elements))
    ]
    return tuple(
        TensorRow(place, kind, name, axes, size, dtype, elements, elements * DTYPE_BYTES[dtype])
        for place, (kind, name, axes, size, elements) in enumerate(ordered, start=1)
    )


def activations(config: ViTConfig, dtype: str = "float32") -> tuple[ActivationRow, ...]:
    """Every tensor of one forward of one image, in order of birth, attention written out.

    The names are those of the trace. Without a head the last tensor, `logits`, is what it would read: `b d`.
    """
    numbers = symbols(config)
    inside = [_row(name, axes, numbers, dtype) for name, axes in _block(config)]
    blocks = [
        ActivationRow(f"blocks.{i}.{row.name}", row.axes, row.shape, row.dtype, row.elements, row.bytes)
        for i in range(config.depth)
        for row in inside
    ]
    embedding = [*EMBEDDING, *([("embed.tokens", "b t d")] if config.input_norm else []), ("embed.resid_post", "b t d")]
    pooling = POOLING if config.pool == "attention" else ()
    result = [("norm", "b t d"), *pooling, ("logits", "b classes" if config.classes else "b d")]
    before, after = ([_row(name, axes, numbers, dtype) for name, axes in lines] for lines in (embedding, result))
    return (*before, *blocks, *after)


def _block(config: ViTConfig) -> list[tuple[str, str]]:
    return [
        *BLOCK,
        *([("attn.unscaled", "b t d")] if config.layer_scale else []),
        ("attn.out", "b t d"),
        ("resid_mid", "b t d"),
        ("norm2", "b t d"),
        *([("mlp.gate", "b t m")] if config.activation == "swiglu" else []),
        ("mlp.hidden", "b t m"),
        ("mlp.active", "b t m"),
        *([("mlp.unscaled", "b t d")] if config.layer_scale else []),
        ("mlp.out", "b t d"),
        ("resid_post", "b t d"),
    ]


def _row(name: str, axes: str, numbers: Symbols, dtype: str) -> ActivationRow:
    size = shape(axes, numbers)
    return ActivationRow(name, axes, size, dtype, prod(size), prod(size) * DTYPE_BYTES[dtype])


def _made_by(parameter: str, config: ViTConfig) -> str:
    """`blocks.3.attn.qkv.bias` -> `blocks.3.attn.q`, the activation that waits for it."""
    joined = "embed.tokens" if config.input_norm else "embed.resid_post"
    out = "unscaled" if config.layer_scale else "out"
    makes = {
        **MAKES,
        **dict.fromkeys(("cls_token", "dist_token", "reg_token", "pos_embed"), joined),
        "attn.proj": f"attn.{out}",
        "mlp.fc1": "mlp.gate" if config.activation == "swiglu" else "mlp.hidden",
        "mlp.fc2": f"mlp.{out}",
    }
    module = parameter.removesuffix(".weight").removesuffix(".bias")
    if not module.startswith("blocks."):
        return makes[module]
    _, layer, local = module.split(".", 2)
    return f"blocks.{layer}.{makes[local]}"
