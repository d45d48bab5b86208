"""The sizes of a Vision Transformer as one checked value.

Field names follow Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words" (https://arxiv.org/abs/2010.11929), table 1.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from vitviz.config import checks
from vitviz.config.checks import ConfigError
from vitviz.config.sides import Sides, Size, read, sides_of, size_of, written
from vitviz.config.stems import STEMS, check_stem
from vitviz.shown import html_table

ALWAYS = 8  # the first fields are sizes; of the others only what is unlike the paper's model is worth a line
LIMITS = {
    "image_size": 4096,
    "patch_size": 1024,
    "channels": 16,
    "dim": 65_536,
    "depth": 1_024,
    "heads": 1_024,
    "mlp_dim": 262_144,
    "classes": 1_000_000,
}
MOST_REGISTERS = 64
MOST_PRE_LOGITS = 65_536
MOST_KEYS = LIMITS["image_size"] ** 2
ACTIVATION_NAMES = {
    "gelu": "GELU",
    "gelu_tanh": "tanh GELU",
    "quick_gelu": "quick GELU",
    "relu": "ReLU",
    "swiglu": "SwiGLU",
}
ACTIVATION_FUNCTIONS = tuple(ACTIVATION_NAMES)
POOLS = ("class", "mean", "attention", "flatten")
NORM_ORDERS = ("pre", "post")
NORM_NAMES = {"layer": "layer norm", "rms": "RMS norm", "batch": "batch norm"}
NORMS = tuple(NORM_NAMES)
ATTENTIONS = ("full", "top_k", "window", "linear")
INITIAL = ("trunc_normal", "zeros", "normal")
POSITIONS = ("learned", "learned_2d", "sincos_2d", "relative", "rotary", "none")
POSITIONS_AT = ("stem", "every_layer", "every_layer_shared")
ADDED = ("learned", "learned_2d", "sincos_2d")  # to the tokens

RANGES = (
    ("top_k", 1, MOST_KEYS),
    ("window", 0, LIMITS["image_size"]),
    ("registers", 0, MOST_REGISTERS),
    ("pre_logits", 0, MOST_PRE_LOGITS),
)
CHOICES = {
    "stem": STEMS,
    "attention": ATTENTIONS,
    "activation": ACTIVATION_FUNCTIONS,
    "pool": POOLS,
    "norm_order": NORM_ORDERS,
    "norm": NORMS,
    "initial": INITIAL,
    "positions": POSITIONS,
    "positions_at": POSITIONS_AT,
}
NO_SCORES = (
    "linear attention makes no scores that could be scaled or be given relative or rotary positions; choose attention "
    "full, top_k or window, or score_scale None and positions that are added"
)
NO_CLASS_TOKEN = "attention pooling has no class token to distil and a plain MLP; choose pool class"
TWO_HEADS = (
    "the two heads of a distilled model read its class and distillation tokens themselves; choose pool class and "
    "pre_logits 0, or distilled false"
)
IMPOSSIBLE = (  # conditions of `ViTConfig.has` that no model can meet together, and the way out
    ("attention=linear score_scale", NO_SCORES),
    ("attention=linear positions=relative", NO_SCORES),
    ("attention=linear positions=rotary", NO_SCORES),
    ("pool=attention distilled", NO_CLASS_TOKEN),
    ("pool=attention activation=swiglu", NO_CLASS_TOKEN),
    (
        "pool=mean norm=batch",
        "a batch norm takes from every component its mean over the tokens, which is what pool mean reads: of one "
        "picture nothing is left; choose norm layer or rms, or pool class, attention or flatten",
    ),
    (
        "patch_norm stem!=patch",
        "patch_norm normalises the pixels of a patch, and stem {stem} projects none; choose stem patch, or patch_norm "
        "false",
    ),
    (
        "norm_after_pooling pool!=mean",
        "norm_after_pooling moves the last norm behind the mean of the patch tokens, and pool {pool} takes none; "
        "choose pool mean, or norm_after_pooling false",
    ),
    (
        "keep_class_token pool=class",
        "pool class has a class token to read; choose keep_class_token false, or another pool, which leaves it unread",
    ),
    ("distilled pool!=class", TWO_HEADS),
    ("distilled pre_logits", TWO_HEADS),
    *(
        (
            f"positions={kind} positions_at!=stem",
            "positions {positions} add nothing to tokens, so they cannot be added at {positions_at}; choose "
            f"positions_at stem, or positions {', '.join(ADDED)}",
        )
        for kind in POSITIONS
        if kind not in ADDED
    ),
)


def holds(config: object, conditions: str) -> bool:
    """Whether all conditions hold: a field alone is on, others are or are not what stands behind their sign."""
    return not conditions or all(
        bool(getattr(config, field)) if not sign else (str(getattr(config, field)) == value) == (sign == "=")
        for field, sign, value in _conditions(conditions)
    )


@cache
def _conditions(text: str) -> tuple[tuple[str, str, str], ...]:
    """Field, sign and value of each condition; of a field alone the last two are empty."""
    return tuple(re.findall(r"(\w+)(!?=)?(\S*)", text))


class Shown:
    """A dataclass that a notebook shows as a table: its sizes, and what else is not as it usually is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        usual: Any = type(self)()
        named = [(it.name, getattr(self, it.name)) for it in fields(self)]  # type: ignore[arg-type]
        follows = {"head_dim"} if getattr(self, "usual_head_dim", False) else set()
        shown = named[:ALWAYS] + [
            (name, value) for name, value in named[ALWAYS:] if name not in follows and value != getattr(usual, name)
        ]
        return html_table([type(self).__name__, ""], shown)


@dataclass(frozen=True, slots=True)
class ViTConfig(Shown):
    """The sizes of one Vision Transformer; immutable and valid from the moment it exists.

    Pixels for `image_size` and `patch_size`, a number or rows and columns; numbers per token for `dim` and `mlp_dim`.
    `classes=0` means no head. The other fields are what later families changed; off, they are the model of the paper:

    * `distilled`: DeiT's distillation token and second head (https://arxiv.org/abs/2012.12877);
    * `registers`: how many register tokens, which only lend space (https://arxiv.org/abs/2309.16588);
    * `positions`: one of `POSITIONS`, the kinds of the paper's table 8: "learned" for each token, "learned_2d" half for
      its row and half for its column, "sincos_2d" fixed likewise (https://arxiv.org/abs/2104.02057), "relative" a bias
      on attention scores per head and offset (https://arxiv.org/abs/2103.14030), "rotary" a turn of q and k by row and
      column (https://arxiv.org/abs/2403.13298), or "none";
    * `positions_at`: where they are added: once at the "stem", at "every_layer" other ones, or shared by all layers;
    * `prefix_positions`: whether the prefix tokens have a learned position, as the patch tokens do;
    * `stem`: what makes tokens of pixels: "patch", the projection alone; "conv", a few convolutions before it
      (https://arxiv.org/abs/2106.14881); or "r50", the paper's hybrid: see `vitviz.config.stems`;
    * `patch_norm`: a layer norm before and one after the patch projection (https://arxiv.org/abs/2302.01327);
    * `patch_bias`: whether the patch embedding has a bias; `input_norm`: a layer norm before the first block (CLIP);
    * `head_dim`: numbers per head in q, k and v; None for dim / heads, which it otherwise is free of;
    * `score_scale`: what q·k is multiplied by before softmax; None for 1/√head_dim;
    * `attention`: "full"; "top_k", of which every query keeps its `top_k` largest scores
      (https://arxiv.org/abs/1912.11637); "window", in which patches see those at most `window` rows and columns away;
      "linear", with φ(q)·φ(k), φ = ELU + 1, in place of softmax (https://arxiv.org/abs/2006.16236);
    * `qk_norm`: a layer norm of every q and k (https://arxiv.org/abs/2302.05442);
    * `qkv_bias`: whether queries, keys and values have biases; that of the keys drops out of the softmax;
    * `norm_order`: norms stand before attention and MLP ("pre"), or "post" both sums, as in the first Transformer;
    * `norm`: their kind, "layer", "rms" (https://arxiv.org/abs/1910.07467) or "batch" (https://arxiv.org/abs/1502.03167);
    * `layer_scale`: what a block adds is scaled number by number (https://arxiv.org/abs/2103.17239);
    * `activation`: one of `ACTIVATION_FUNCTIONS`; "swiglu" makes the MLP a gated one (https://arxiv.org/abs/2002.05202);
    * `pool`: the answer is read off the "class" token, or without one off the "mean" of the patch tokens (GAP), by
      "attention" pooling (SigLIP), or off all tokens side by side ("flatten");
    * `keep_class_token`: a class token stands among the others although the answer is read elsewhere, and
      `norm_after_pooling`: the last norm is that of the mean, not of each token, both as in BEiT
      (https://arxiv.org/abs/2106.08254) and in what is fine-tuned after MAE (https://arxiv.org/abs/2111.06377);
    * `pre_logits`: numbers in a hidden layer with tanh between what is read and the head, 0 for none;
    * `epsilon`: what norms add to the variance;
    * `initial`: what matrices, tokens and positions start from: "trunc_normal" of deviation 0.02, "zeros", or "normal"
      of deviation 1. A trained model no longer shows it;
    * `dropout`, `drop_path`: the share of numbers (https://jmlr.org/papers/v15/srivastava14a.html), and of whole
      branches (https://arxiv.org/abs/1603.09382; from 0 in the first block to this in the last), that are dropped in
      training. A forward pass leaves both off; `Edits.in_training` turns them on with a seed.

    Raises `ConfigError` with both numbers and the nearest legal values.
    """

    image_size: Size = 224
    patch_size: Size = 16
    channels: int = 3
    dim: int = 768
    depth: int = 12
    heads: int = 12
    mlp_dim: int = 3072
    classes: int = 1000
    distilled: bool = False
    registers: int = 0
    prefix_positions: bool = True
    patch_norm: bool = False
    patch_bias: bool = True
    input_norm: bool = False
    layer_scale: bool = False
    activation: str = "gelu"
    pool: str = "class"
    epsilon: float = 1e-6
    positions: str = "learned"
    positions_at: str = "stem"
    qkv_bias: bool = True
    pre_logits: int = 0
    norm_order: str = "pre"
    norm: str = "layer"
    initial: str = "trunc_normal"
    head_dim: int = None  # type: ignore[assignment]  # a number once it exists
    score_scale: float | None = None
    attention: str = "full"
    top_k: int = 8
    window: int = 3
    qk_norm: bool = False
    stem: str = "patch"
    dropout: float = 0.0
    drop_path: float = 0.0
    keep_class_token: bool = False
    norm_after_pooling: bool = False

    def __post_init__(self) -> None:
        for name, limit in LIMITS.items():
            if name in ("image_size", "patch_size"):
                object.__setattr__(self, name, size_of(checks.check_sides(name, getattr(self, name), limit)))
            else:
                checks.check_range(name, getattr(self, name), 0 if name == "classes" else 1, limit)
        checks.check_patches(self.image_sides, self.patch_sides)
        if self.head_dim is None:
            object.__setattr__(self, "head_dim", checks.whole_heads(self.dim, self.heads))
        checks.check_range("head_dim", self.head_dim, 1, LIMITS["dim"])
        for name, low, high in RANGES:
            checks.check_range(name, getattr(self, name), low, high)
        for name, choices in CHOICES.items():
            checks.check_choice(name, getattr(self, name), choices)
        for name in ("dropout", "drop_path"):
            checks.check_rate(name, getattr(self, name))
        checks.check_scale(self.score_scale)
        checks.check_epsilon(self.epsilon)
        check_stem(self)
        if self.positions == "rotary":
            checks.check_pairs(self.head_dim)
        for conditions, sentence in IMPOSSIBLE:
            if self.has(conditions):
                raise ConfigError(sentence.format(**{name: getattr(self, name) for name in FIELDS}))

    @property
    def image_sides(self) -> Sides:
        """Rows and columns of pixels: h, w."""
        return sides_of(self.image_size)

    @property
    def patch_sides(self) -> Sides:
        """Rows and columns of pixels in a patch: ph, pw."""
        return sides_of(self.patch_size)

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the patch grid: gh, gw."""
        (h, w), (ph, pw) = self.image_sides, self.patch_sides
        return h // ph, w // pw

    @property
    def patches(self) -> int:
        """n: patches in the grid."""
        rows, columns = self.grid
        return rows * columns

    @property
    def prefix_tokens(self) -> tuple[str, ...]:
        """Names of the tokens that stand before the patch tokens, in order."""
        return (
            *(["class"] if self.pool == "class" or self.keep_class_token else []),
            *(["distillation"] if self.distilled else []),
            *(f"register {number}" for number in range(1, self.registers + 1)),
        )

    @property
    def token_names(self) -> list[str]:
        """What tokens are called: "[class]", "patch 1" ..."""
        prefix = [f"[{name}]" for name in self.prefix_tokens]
        return [*prefix, *(f"patch {number}" for number in range(1, self.patches + 1))]

    @property
    def tokens(self) -> int:
        """t: all tokens of the sequence."""
        return len(self.prefix_tokens) + self.patches

    @property
    def plain_scores(self) -> bool:
        """Whether scores are q·k / √dh for all pairs, which fused attention computes; other ones are written out."""
        return self.attention == "full" and self.score_scale is None

    @property
    def usual_head_dim(self) -> bool:
        """Whether heads side by side are as wide as a token."""
        return self.heads * self.head_dim == self.dim

    @property
    def pooled(self) -> int:
        """Numbers that are read off the tokens for the answer."""
        return self.tokens * self.dim if self.pool == "flatten" else self.dim

    @property
    def patch_values(self) -> int:
        """Numbers in one flattened patch: channels · ph · pw."""
        return self.channels * self.patch_sides[0] * self.patch_sides[1]

    @property
    def key(self) -> str:
        """A string that is equal for equal configurations only; the model's part of every cache key."""
        values = ((name, getattr(self, name)) for name in FIELDS)
        return ",".join(f"{name}={written(it) if isinstance(it, tuple) else it}" for name, it in values)

    def has(self, conditions: str) -> bool:
        """Whether all conditions hold, for tables of what a model has: "layer_scale pool=class activation!=swiglu"."""
        return holds(self, conditions)

    def with_(self, **changes: float | bool | str | Sides | None) -> "ViTConfig":
        """This configuration with some fields changed; raises `ConfigError` like the constructor."""
        follows = {"head_dim": None} if self.usual_head_dim else {}  # the dim and the heads
        return replace(self, **(follows | changes))  # type: ignore[arg-type]


def changed(config: ViTConfig, **changes: Any) -> ViTConfig | None:
    """The configuration with some fields changed, None where there is no such model."""
    try:
        return config.with_(**changes)
    except ConfigError:
        return None


FIELDS = tuple(field.name for field in fields(ViTConfig))


PRESETS: dict[str, ViTConfig] = {
    "demo": ViTConfig(image_size=96, patch_size=8, dim=128, depth=6, heads=4, mlp_dim=512, classes=16),
    "photo": ViTConfig(patch_size=14, dim=384, heads=6, mlp_dim=1536, classes=0, layer_scale=True),
    "vit_tiny_patch16_224": ViTConfig(dim=192, heads=3, mlp_dim=768),
    "vit_small_patch16_224": ViTConfig(dim=384, heads=6, mlp_dim=1536),
    "vit_base_patch16_224": ViTConfig(),
    "vit_base_patch32_224": ViTConfig(patch_size=32),
    "vit_large_patch16_224": ViTConfig(dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_large_patch32_224": ViTConfig(patch_size=32, dim=1024, depth=24, heads=16, mlp_dim=4096),
    "vit_huge_patch14_224": ViTConfig(patch_size=14, dim=1280, depth=32, heads=16, mlp_dim=5120),
    "deit_base_distilled_patch16_224": ViTConfig(distilled=True),
}

TRAINED = ("demo", "photo")  # of these the parameters ship; those of others are drawn from a seed
OWN = "build-your-own"  # the name of a model whose sizes a link says, field by field
OWN_START = PRESETS["vit_tiny_patch16_224"].with_(depth=4)  # what such a link leaves unsaid


def with_words(config: ViTConfig, pairs: Sequence[str]) -> ViTConfig:
    """`config` with fields changed as in `["image_size=384", "distilled=true"]`; raises `ConfigError`."""
    changes: dict[str, Any] = {}
    for pair in pairs:
        field, _, text = pair.partition("=")
        if field not in FIELDS:
            raise ConfigError(f"{field!r} is no field of a model; there are {', '.join(FIELDS)}")
        changes[field] = _read(field, text, getattr(config, field))
    return config.with_(**changes)


def _read(field: str, text: str, present: object) -> object:
    """`text` as a value of the kind that `field` has at present; what is None now may become a number."""
    if isinstance(present, str):
        return text
    if field in ("image_size", "patch_size") and (size := read(text)) is not None:
        return size
    with suppress(ValueError):
        value = json.loads(text)
        if type(value) is type(present) or (isinstance(present, float | None) and type(value) in (int, float)):
            return value
    raise ConfigError(f"{field} is {json.dumps(present)}, and {text!r} is nothing of that kind")
