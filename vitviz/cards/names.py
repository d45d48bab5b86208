"""What the arguments of a model are called here and in the code of the lecture's documents.

lucidrains' `vit_pytorch.ViT` (2023) and timm's `VisionTransformer` (0.4): the calls that make a model, as text.
"""

from dataclasses import dataclass

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
    "quick_gelu": "QuickGELU",
    "relu": "nn.ReLU",
}
TIMM_STEMS = {"patch": "PatchEmbed", "r50": "HybridEmbed"}
LUCIDRAINS_POOLS = {"class": "cls", "mean": "mean"}


@dataclass(frozen=True, slots=True)
class Code:
    """A call in somebody else's code: `arguments` as they are written there, and what it does otherwise than here.

    `names` are, by our field, the arguments that say it; `otherwise` our fields that it cannot say, with what it does.
    """

    title: str
    call: str
    arguments: dict[str, str]
    names: dict[str, tuple[str, ...]]
    otherwise: dict[str, object]

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
            "pool": repr(LUCIDRAINS_POOLS.get(config.pool, "cls")),
            "channels": str(config.channels),
            "dim_head": str(config.head_dim),
            "dropout": str(config.dropout),
            "emb_dropout": str(config.dropout),
        },
        LUCIDRAINS,
        _otherwise(
            config,
            LUCIDRAINS,
            {"patch_norm": True, "qkv_bias": False, "epsilon": 1e-5},
            {} if config.pool in LUCIDRAINS_POOLS else {"pool": "class"},
        ),
    )


def timm(config: ViTConfig) -> Code:
    """The model in timm's code."""
    norm = TIMM_NORMS.get(config.norm, "nn.LayerNorm")
    wrong: dict[str, object] = {} if config.norm in TIMM_NORMS else {"norm": "layer"}
    if config.activation not in TIMM_ACTIVATIONS:
        wrong["activation"] = "gelu"
    if config.stem not in TIMM_STEMS:
        wrong["stem"] = "patch"
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
            "mlp_ratio": f"{config.mlp_dim / config.dim:g}",
            "qkv_bias": str(config.qkv_bias),
            "qk_scale": str(config.score_scale),
            "representation_size": str(config.pre_logits or None),
            "distilled": str(config.distilled),
            "drop_rate": str(config.dropout),
            "attn_drop_rate": str(config.dropout),
            "drop_path_rate": str(config.drop_path),
            "embed_layer": TIMM_STEMS.get(config.stem, "PatchEmbed"),
            "norm_layer": f"partial({norm}, eps={config.epsilon:g})",
            "act_layer": TIMM_ACTIVATIONS.get(config.activation, "nn.GELU"),
            "weight_init": "''",
        },
        TIMM,
        _otherwise(config, TIMM, {}, wrong),
    )


def _otherwise(
    config: ViTConfig, names: dict[str, tuple[str, ...]], fixed: dict[str, object], wrong: dict[str, object]
) -> dict[str, object]:
    """What such code does where it has no argument for what the model has."""
    usual = ViTConfig()
    silent = {
        name: fixed.get(name, getattr(usual, name))
        for name in FIELDS
        if name not in names and name not in ("head_dim", "top_k", "window")
    }
    silent |= {} if "head_dim" in names or config.usual_head_dim else {"head_dim": config.dim // config.heads}
    return {name: it for name, it in (silent | wrong).items() if getattr(config, name) != it}


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
    "patch_bias": ("embed_layer",),
    "dim": ("embed_dim",),
    "depth": ("depth",),
    "heads": ("num_heads",),
    "mlp_dim": ("mlp_ratio",),
    "qkv_bias": ("qkv_bias",),
    "score_scale": ("qk_scale",),
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
