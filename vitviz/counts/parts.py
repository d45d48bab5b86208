"""The anatomy of a Vision Transformer: every learnable tensor and every matrix product, each written once.

Whatever counts a model groups these two tables. Both stand in the order of the forward pass; `{i}` stands for the
layer, and `when` is a condition of `ViTConfig.has`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache, lru_cache

from vitviz.activations import ACTIVATIONS, activation_names, general, local
from vitviz.config import ViTConfig
from vitviz.counts.formula import Symbols, matrix_product, product

EXACT, LAYER_TABLE, ENVELOPE = WAYS = ("exact", "layer table", "back-of-the-envelope")

# kinds of parameters, in the order in which they are listed
KINDS = (
    "patch embedding",
    "class token",
    "distillation token",
    "register tokens",
    "position embedding",
    "attention",
    "MLP",
    "layer scale",
    "layer norms",
    "pooling query",
    "attention pooling",
    "pre-logits",
    "head",
)

# first word of a name inside its block -> the stage it belongs to, where the two differ
STAGES = {
    "embed": "patch_embedding",
    "patch_embed": "patch_embedding",
    "cls_token": "class_token",
    "dist_token": "distillation_token",
    "reg_token": "register_tokens",
    "pos_embed": "position_embedding",
    "pos_embed_row": "position_embedding",
    "pos_embed_column": "position_embedding",
    "norm_pre": "input_norm",
    "attn": "attention",
    "ls1": "layer_scale1",
    "ls2": "layer_scale2",
    "pool": "attention_pooling",
    "attn_pool": "attention_pooling",
    "head_dist": "head",
    "logits": "head",
}

GENERAL = {local(it.name): it.name for it in ACTIVATIONS}  # `attn.q` -> `blocks.{i}.attn.q`


@dataclass(frozen=True, slots=True)
class Part:
    """A learnable tensor: its name in the state dict, and its axes, from which shape, formula and count follow.

    `step` is what it does in the forward pass, `kind` one of `KINDS`; `makes` the activation that it helps to make, the
    first of some that the model has; `written` the formula where axes cannot say it.
    """

    tensor: str
    axes: str
    step: str
    kind: str
    makes: str
    when: str = ""
    written: str = ""

    @property
    def stage(self) -> str:
        """The stage of the forward pass: `blocks.{i}.attention`."""
        return _stage(self.tensor)

    @property
    def where(self) -> str:
        """The place in the forward pass: "embedding", "block" or "head"."""
        if self.tensor.startswith("blocks."):
            return "block"
        return "embedding" if self.makes.startswith("embed.") else "head"

    @property
    def module(self) -> str:
        """The layer that the tensor is weight or bias of; nothing for a bare tensor."""
        module, _, leaf = self.tensor.rpartition(".")
        return module if leaf in ("weight", "bias") else ""

    @property
    def sort(self) -> str:
        """What it is to its layer: "matrix", "bias", or nothing for vectors that stand for themselves."""
        if not self.module or self.kind == "layer norms":
            return ""
        return "bias" if self.tensor.endswith(".bias") else "matrix"

    @property
    def counted_by(self) -> tuple[str, ...]:
        """Which of the three `WAYS` to count see it: all, those that see layers, those that see matrices alone."""
        layer_table = [LAYER_TABLE] if self.module else []
        envelope = [ENVELOPE] if self.sort == "matrix" or self.kind == "position embedding" else []
        return (EXACT, *layer_table, *envelope)

    def formula(self, numbers: Symbols) -> str:
        """Its parameters in symbols."""
        return self.written or product(self.axes, numbers)


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product: the activation it makes, the first of some that the model has, and its einsum pattern.

    Multiply-accumulates are the product of all axes in the pattern. `step` is what it does in the forward pass.
    """

    makes: str
    pattern: str
    step: str
    when: str = ""

    @property
    def stage(self) -> str:
        """The stage of the forward pass: `blocks.{i}.attention`."""
        return _stage(GENERAL[self.makes.split()[0]])

    @property
    def where(self) -> str:
        """The place in the forward pass: "embedding", "block" or "head"."""
        name = GENERAL[self.makes.split()[0]]
        return "block" if name.startswith("blocks.") else "embedding" if name.startswith("embed.") else "head"

    @property
    def kind(self) -> str:
        """The sort of work: the step without its place in it."""
        return self.step.partition(",")[0]

    def formula(self, numbers: Symbols) -> str:
        """Its multiply-accumulates for one image in symbols."""
        return matrix_product(self.pattern, numbers)


def norm(module: str, step: str, makes: str, when: str = "", axes: str = "d") -> tuple[Part, ...]:
    """A norm: a scale, and a shift but for the root mean square."""
    shift = when if module in ALWAYS_LAYER_NORMS else f"{when} norm!=rms"
    return tuple(
        Part(f"{module}.{leaf}", axes, step, "layer norms", makes, on)
        for leaf, on in (("weight", when), ("bias", shift))
    )


def linear(
    module: str, out: str, read: str, step: str, kind: str, makes: str, when: str = "", bias: str = ""
) -> tuple[Part, ...]:
    """A linear layer: a matrix, and a bias where its condition holds too."""
    return (
        Part(f"{module}.weight", f"{out} {read}", step, kind, makes, when),
        Part(f"{module}.bias", out, step, kind, makes, f"{when} {bias}"),
    )


def positions(owner: str, makes: str, when: str) -> tuple[Part, ...]:
    """The learned positions of a model or of each block."""
    row_and_column = f"{when} positions=learned_2d"
    return (
        Part(f"{owner}pos_embed", "1 t d", POSITION, POSITION, makes, f"{when} positions=learned prefix_positions"),
        Part(
            f"{owner}pos_embed", "1 n d", POSITION, POSITION, makes, f"{when} positions=learned prefix_positions=False"
        ),
        Part(f"{owner}pos_embed_row", "1 gh half", POSITION, POSITION, makes, row_and_column),
        Part(f"{owner}pos_embed_column", "1 gw half", POSITION, POSITION, makes, row_and_column),
    )


POSITION = "position embedding"
ALWAYS_LAYER_NORMS = (  # whatever the others are
    "blocks.{i}.attn.q_norm",
    "blocks.{i}.attn.k_norm",
    "patch_embed.norm_in",
    "patch_embed.norm_out",
    "attn_pool.norm",
)
RELATIVE, OFFSETS = "blocks.{i}.attn.rel_pos.relative_position_bias_table", "(2·gh − 1)·(2·gw − 1)·head"
PROJECTED, TOKENS = "embed.projected embed.patch_tokens", "embed.tokens embed.resid_post"
POOLING, POOLED = "attention pooling", "pool=attention"

PARTS = (
    *norm("patch_embed.norm_in", "norm of the patches", "embed.norm_in", "patch_norm", "(c ph pw)"),
    *linear("patch_embed.proj", "d", "c ph pw", "patch embedding", "patch embedding", PROJECTED, bias="patch_bias"),
    *norm("patch_embed.norm_out", "norm of the patch tokens", "embed.patch_tokens", "patch_norm"),
    Part("cls_token", "1 1 d", "class token", "class token", TOKENS, "pool=class"),
    Part("dist_token", "1 1 d", "distillation token", "distillation token", TOKENS, "distilled"),
    Part("reg_token", "1 registers d", "register tokens", "register tokens", TOKENS, "registers"),
    *positions("", TOKENS, "positions_at!=every_layer"),
    *norm("norm_pre", "norm before the blocks", "embed.resid_post", "input_norm"),
    *positions("blocks.{i}.", "positions norm1", "positions_at=every_layer"),
    *norm("blocks.{i}.norm1", "norm before attention", "norm1", "norm_order=pre"),
    *norm("blocks.{i}.attn.q_norm", "norms of q and k", "attn.q", "qk_norm", "dh"),
    *norm("blocks.{i}.attn.k_norm", "norms of q and k", "attn.k", "qk_norm", "dh"),
    Part(RELATIVE, "offsets head", POSITION, POSITION, "attn.bias", "positions=relative", OFFSETS),
    *linear("blocks.{i}.attn.qkv", "(qkv head dh)", "d", "q k v projections", "attention", "attn.q", bias="qkv_bias"),
    *linear("blocks.{i}.attn.proj", "d", "(head dh)", "output projection", "attention", "attn.unscaled attn.out"),
    Part("blocks.{i}.ls1.gamma", "d", "scale after attention", "layer scale", "attn.out", "layer_scale"),
    *norm("blocks.{i}.norm1", "norm after attention", "norm1", "norm_order=post"),
    *norm("blocks.{i}.norm2", "norm before MLP", "norm2", "norm_order=pre"),
    *linear("blocks.{i}.mlp.fc1", "m", "d", "MLP, first layer", "MLP", "mlp.hidden", "activation!=swiglu"),
    *linear("blocks.{i}.mlp.fc1", "(2 m)", "d", "MLP, first layer", "MLP", "mlp.gate", "activation=swiglu"),
    *linear("blocks.{i}.mlp.fc2", "d", "m", "MLP, second layer", "MLP", "mlp.unscaled mlp.out"),
    Part("blocks.{i}.ls2.gamma", "d", "scale after MLP", "layer scale", "mlp.out", "layer_scale"),
    *norm("blocks.{i}.norm2", "norm after MLP", "resid_post", "norm_order=post"),
    *norm("norm", "final norm", "norm"),
    Part("attn_pool.latent", "1 1 d", "pooling query", "pooling query", "pool.q", POOLED),
    *linear("attn_pool.q", "(head dh)", "d", POOLING, POOLING, "pool.q", POOLED),
    *linear("attn_pool.kv", "(2 head dh)", "d", POOLING, POOLING, "pool.k", POOLED),
    *linear("attn_pool.proj", "d", "(head dh)", POOLING, POOLING, "pool.out", POOLED),
    *norm("attn_pool.norm", "norm in the pooling", "pool.norm", POOLED),
    *linear("attn_pool.mlp.fc1", "m", "d", POOLING, POOLING, "pool.mlp.hidden", POOLED),
    *linear("attn_pool.mlp.fc2", "d", "m", POOLING, POOLING, "pool.mlp.out", POOLED),
    *linear("pre_logits.fc", "r", "d", "pre-logits", "pre-logits", "pre_logits", "pre_logits pool!=flatten"),
    *linear("pre_logits.fc", "r", "(t d)", "pre-logits", "pre-logits", "pre_logits", "pre_logits pool=flatten"),
    *linear("head", "classes", "d", "head", "head", "logits", "classes pre_logits=0 pool!=flatten"),
    *linear("head", "classes", "(t d)", "head", "head", "logits", "classes pre_logits=0 pool=flatten"),
    *linear("head", "classes", "r", "head", "head", "logits", "classes pre_logits"),
    *linear("head_dist", "classes", "d", "distillation head", "head", "logits", "classes distilled"),
)

PRODUCTS = (
    Product(PROJECTED, "n (c ph pw), d (c ph pw) -> n d", "patch embedding"),
    Product("attn.q", "t d, (head dh) d -> head t dh", "q k v projections"),
    Product("attn.k", "t d, (head dh) d -> head t dh", "q k v projections"),
    Product("attn.v", "t d, (head dh) d -> head t dh", "q k v projections"),
    Product("attn.scores", "head q dh, head k dh -> head q k", "QKᵀ", "attention!=linear"),
    Product("attn.z", "head q k, head k dh -> head q dh", "AV", "attention!=linear"),
    Product("attn.kv", "head k dh, head k dv -> head dh dv", "KᵀV", "attention=linear"),
    Product("attn.z", "head q dh, head dh dv -> head q dv", "Q(KᵀV)", "attention=linear"),
    Product("attn.unscaled attn.out", "t (head dh), d (head dh) -> t d", "output projection"),
    Product("mlp.gate", "t d, m d -> t m", "MLP, first layer", "activation=swiglu"),
    Product("mlp.hidden", "t d, m d -> t m", "MLP, first layer"),
    Product("mlp.unscaled mlp.out", "t m, d m -> t d", "MLP, second layer"),
    Product("pool.q", "d, (head dh) d -> head dh", POOLING, POOLED),
    Product("pool.k", "t d, (head dh) d -> head t dh", POOLING, POOLED),
    Product("pool.v", "t d, (head dh) d -> head t dh", POOLING, POOLED),
    Product("pool.scores", "head k dh, head dh -> head k", POOLING, POOLED),
    Product("pool.z", "head k, head k dh -> head dh", POOLING, POOLED),
    Product("pool.out", "(head dh), d (head dh) -> d", POOLING, POOLED),
    Product("pool.mlp.hidden", "d, m d -> m", POOLING, POOLED),
    Product("pool.mlp.out", "m, d m -> d", POOLING, POOLED),
    Product("pre_logits", "d, r d -> r", "pre-logits", "pre_logits pool!=flatten"),
    Product("pre_logits", "(t d), r (t d) -> r", "pre-logits", "pre_logits pool=flatten"),
    Product("logits", "d, classes d -> classes", "head", "classes pre_logits=0 pool!=flatten"),
    Product("logits", "(t d), classes (t d) -> classes", "head", "classes pre_logits=0 pool=flatten"),
    Product("logits", "r, classes r -> classes", "head", "classes pre_logits"),
    Product("logits", "d, classes d -> classes", "head", "classes distilled"),
)


def switches(tensors: Iterable[str]) -> dict[str, bool]:
    """The switches of a model with these tensors: those that bring a tensor of their own are on where it is there."""
    names = set(map(general, tensors))
    return {switch: tensor in names for switch, tensor in _telling().items()}


@lru_cache
def parts(config: ViTConfig) -> tuple[Part, ...]:
    """The learnable tensors of this model, those of a block once."""
    return tuple(part for part in PARTS if config.has(part.when))


@lru_cache
def products(config: ViTConfig) -> tuple[Product, ...]:
    """The matrix products of one forward pass of this model, those of a block once."""
    return tuple(it for it in PRODUCTS if config.has(it.when))


def made(it: Part | Product, config: ViTConfig) -> str:
    """The activation that a part or product of this model makes: `blocks.{i}.attn.out`."""
    names = activation_names(config)
    return next(name for name in map(GENERAL.__getitem__, it.makes.split()) if name in names)


@cache
def _telling() -> dict[str, str]:
    """Each switch that is on or off, and the first tensor that is there if it is on, and only then."""
    owners = Counter(part.tensor for part in PARTS)
    switches = [field.name for field in fields(ViTConfig) if isinstance(field.default, bool)]
    own = [(part.when.strip(), part.tensor) for part in reversed(PARTS) if owners[part.tensor] == 1]
    return {switch: tensor for switch, tensor in own if switch in switches}


def _stage(name: str) -> str:
    word = local(name).partition(".")[0]
    return ("blocks.{i}." if name.startswith("blocks.") else "") + STAGES.get(word, word)
