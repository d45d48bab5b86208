"""What the arguments of a model are called here and in the code of the lecture's documents.

lucidrains' `vit_pytorch.ViT` and timm's `VisionTransformer` as it was in 0.4.12: the calls that make a model, as text,
and the model that such a call makes there. Both were read in their sources.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from vitviz import counts
from vitviz.cards import CARDS
from vitviz.config import FIELDS, ViTConfig

SIZES = {
    "dim": "tokens and positions",
    "heads": "attention",
    "depth": "block",
    "mlp_dim": "block",
    "classes": "read-out",
}  # and the stage that each belongs to
TIMM_NORMS = {"layer": "nn.LayerNorm", "rms": "nn.RMSNorm"}
TIMM_ACTIVATIONS = {
    "gelu": "nn.GELU",
    "gelu_tanh": "partial(nn.GELU, approximate='tanh')",
    "relu": "nn.ReLU",
}
FEWEST_DECIMALS, MOST_DECIMALS = 4, 12  # of a ratio that is no short number
TIMM_FIXED = {"stem": "patch", "initial": "trunc_normal"}  # what the arguments are below
LUCIDRAINS_POOLS = {"class": "cls", "mean": "mean"}


@dataclass(frozen=True, slots=True)
class Code:
    """A call in somebody else's code: `arguments` as they are written there, and what it does otherwise than here.

    `names` are, by our field, the arguments that say it; `otherwise` our fields that it cannot say, with what it does.
    `parameters` counts the model that the call makes; None where it makes none, and `note` says what else is to know.
    """

    title: str
    call: str
    arguments: dict[str, str]
    names: dict[str, tuple[str, ...]]
    otherwise: dict[str, object]
    parameters: int | None
    note: str = ""

    @property
    def text(self) -> str:
        """The call, an argument to a line."""
        lines = "".join(f"    {name}={value},\n" for name, value in self.arguments.items())
        return f"{self.call}(\n{lines})"


def stage_of(field: str) -> str:
    """The stage of the model that a field belongs to."""
    return SIZES[field] if field in SIZES else CARDS[field].stage


def lucidrains(config: ViTConfig) -> Code:
    """The model in lucidrains' code, which has patch norms and no biases of queries, keys and values."""
    pool = config.pool if config.pool in LUCIDRAINS_POOLS else "class"
    arguments = _arguments(config, LUCIDRAINS, {"patch_norm": True, "qkv_bias": False, "epsilon": 1e-5, "pool": pool})
    one_head = config.heads == 1 and config.head_dim == config.dim
    spared = config.depth * (config.dim * config.dim + config.dim) if one_head else 0
    return Code(
        "lucidrains",
        "ViT",
        {
            "image_size": str(config.image_size),
            "patch_size": str(config.patch_size),
            "num_classes": str(config.classes),
            "dim": str(config.dim),
            "depth": str(config.depth),
            "heads": str(config.heads),
            "mlp_dim": str(config.mlp_dim),
            "pool": repr(LUCIDRAINS_POOLS[pool]),
            "channels": str(config.channels),
            "dim_head": str(config.head_dim),
            "dropout": str(config.dropout),
            "emb_dropout": str(config.dropout),
        },
        LUCIDRAINS,
        _otherwise(config, arguments),
        counts.total_parameters(ViTConfig(**arguments)) - spared,
        f"One head that is as wide as a token has no Wₒ there: {spared:,} parameters less." if one_head else "",
    )


def timm(config: ViTConfig) -> Code:
    """The model in timm's code, whose heads share the width of a token and whose patches have a bias."""
    norm = config.norm if config.norm in TIMM_NORMS else "layer"
    activation = config.activation if config.activation in TIMM_ACTIVATIONS else "gelu"
    own = {"norm": norm, "activation": activation, "head_dim": config.dim // config.heads, **TIMM_FIXED}
    arguments, whole = _arguments(config, TIMM, own), config.dim % config.heads == 0
    return Code(
        "timm",
        "VisionTransformer",
        {
            "img_size": str(config.image_size),
            "patch_size": str(config.patch_size),
            "in_chans": str(config.channels),
            "num_classes": str(config.classes),
            "embed_dim": str(config.dim),
            "depth": str(config.depth),
            "num_heads": str(config.heads),
            "mlp_ratio": mlp_ratio(config.dim, config.mlp_dim),
            "qkv_bias": str(config.qkv_bias),
            "representation_size": str(config.pre_logits or None),
            "distilled": str(config.distilled),
            "drop_rate": str(config.dropout),
            "attn_drop_rate": str(config.dropout),
            "drop_path_rate": str(config.drop_path),
            "embed_layer": "PatchEmbed",
            "norm_layer": f"partial({TIMM_NORMS[norm]}, eps={config.epsilon:g})",
            "act_layer": TIMM_ACTIVATIONS[activation],
            "weight_init": "''",
        },
        TIMM,
        _otherwise(config, arguments),
        counts.total_parameters(ViTConfig(**arguments)) if whole else None,
        "" if whole else f"It runs with no {config.heads} heads, which do not divide dim {config.dim}.",
    )


def mlp_ratio(dim: int, mlp_dim: int) -> str:
    """A ratio of which code that takes `int(dim * ratio)` makes `mlp_dim` again, in few digits: 4, or 3.7362."""
    short = f"{mlp_dim / dim:g}"
    if int(dim * float(short)) == mlp_dim:
        return short
    scales = range(FEWEST_DECIMALS, MOST_DECIMALS)
    ratios = (Decimal(mlp_dim * 10**it // dim + 1).scaleb(-it) for it in scales)  # above it: what is over is cut off
    return next(f"{it:f}" for it in ratios if int(dim * float(it)) == mlp_dim)


def _arguments(config: ViTConfig, names: dict[str, tuple[str, ...]], own: dict[str, object]) -> dict[str, Any]:
    """The fields of the model that such code makes: what its arguments say, its own ways, and else the paper's."""
    usual = ViTConfig()
    asks = {"top_k", "window"}  # which no other code has, and full attention does not read
    fields = {name: getattr(config if name in names or name in asks else usual, name) for name in FIELDS}
    return fields | {"head_dim": config.head_dim} | own


def _otherwise(config: ViTConfig, arguments: dict[str, Any]) -> dict[str, object]:
    return {name: it for name, it in arguments.items() if getattr(config, name) != it}


LUCIDRAINS = {
    "image_size": ("image_size",),
    "patch_size": ("patch_size",),
    "channels": ("channels",),
    "dim": ("dim",),
    "depth": ("depth",),
    "heads": ("heads",),
    "head_dim": ("dim_head",),
    "mlp_dim": ("mlp_dim",),
    "pool": ("pool",),
    "classes": ("num_classes",),
    "dropout": ("dropout", "emb_dropout"),
}
TIMM = {
    "image_size": ("img_size",),
    "patch_size": ("patch_size",),
    "channels": ("in_chans",),
    "stem": ("embed_layer",),
    "dim": ("embed_dim",),
    "depth": ("depth",),
    "heads": ("num_heads",),
    "mlp_dim": ("mlp_ratio",),
    "qkv_bias": ("qkv_bias",),
    "pre_logits": ("representation_size",),
    "distilled": ("distilled",),
    "dropout": ("drop_rate", "attn_drop_rate"),
    "drop_path": ("drop_path_rate",),
    "norm": ("norm_layer",),
    "epsilon": ("norm_layer",),
    "activation": ("act_layer",),
    "initial": ("weight_init",),
    "classes": ("num_classes",),
}
