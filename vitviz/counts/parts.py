"""The anatomy of a Vision Transformer: every learnable tensor and every matrix product, each written once.

Whatever counts a model groups these two tables. Both stand in the order of the forward pass; `{i}` stands for the
layer, and `when` is a condition of `ViTConfig.has`. What a stem of convolutions has follows from the list of them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from functools import cache, lru_cache

from vitviz.activations import activation_names, general
from vitviz.config import ViTConfig
from vitviz.counts.anatomy import Part, Product, linear, norm, stem_parts, stem_products, whole


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


EMBEDDING, POSITION = "patch embedding", "position embedding"
RELATIVE, OFFSETS = "blocks.{i}.attn.rel_pos.relative_position_bias_table", "(2·gh − 1)·(2·gw − 1)·head"
PROJECTED, TOKENS = "embed.projected embed.patch_tokens", "embed.tokens embed.resid_post"
POOLING, POOLED = "attention pooling", "pool=attention"

PARTS = (
    *norm("patch_embed.norm_in", "norm of the patches", "embed.norm_in", "patch_norm", "(c ph pw)"),
    Part("patch_embed.proj.weight", "d c ph pw", EMBEDDING, EMBEDDING, PROJECTED, "stem=patch"),
    Part("patch_embed.proj.weight", "d s sh sw", EMBEDDING, EMBEDDING, PROJECTED, "stem!=patch"),
    Part("patch_embed.proj.bias", "d", EMBEDDING, EMBEDDING, PROJECTED, "patch_bias"),
    *norm("patch_embed.norm_out", "norm of the patch tokens", "embed.patch_tokens", "patch_norm"),
    Part("cls_token", "1 1 d", "class token", "class token", TOKENS, "pool=class"),
    Part("cls_token", "1 1 d", "class token", "class token", TOKENS, "keep_class_token"),
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
    *norm("norm", "final norm", "norm", "norm_after_pooling=False"),
    *norm("fc_norm", "final norm", "fc_norm", "norm_after_pooling"),
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
    Product(PROJECTED, "n (c ph pw), d (c ph pw) -> n d", EMBEDDING, "stem=patch"),
    Product(PROJECTED, "n (s sh sw), d (s sh sw) -> n d", EMBEDDING, "stem!=patch"),
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
    return (*stem_parts(config), *(part for part in PARTS if config.has(part.when)))


@lru_cache
def learned(config: ViTConfig) -> frozenset[str]:
    """The names of all learnable tensors of this model, those of a block once."""
    return frozenset(part.tensor for part in parts(config))


@lru_cache
def products(config: ViTConfig) -> tuple[Product, ...]:
    """The matrix products of one forward pass of this model, those of a block once."""
    return (*stem_products(config), *(it for it in PRODUCTS if config.has(it.when)))


def outcome(it: Part | Product, config: ViTConfig) -> str:
    """The activation that a part or product of this model makes: `blocks.{i}.attn.out`."""
    names = activation_names(config)
    return next(name for name in map(whole, it.makes.split()) if name in names)


@cache
def _telling() -> dict[str, str]:
    """Each switch that is on or off, and the first tensor that is there if it is on, and only then."""
    owners = Counter(part.tensor for part in PARTS)
    switches = [field.name for field in fields(ViTConfig) if isinstance(field.default, bool)]
    own = [(part.when.strip(), part.tensor) for part in reversed(PARTS) if owners[part.tensor] == 1]
    return {switch: tensor for switch, tensor in own if switch in switches}
