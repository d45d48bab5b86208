"""The totals in closed form: in microseconds, and written apart from the table of parts, which they check.

They know the model of the paper and the published families. A model with a later switch is counted from the table.
"""

from dataclasses import fields
from math import prod

from vitviz.config import LIMITS, ViTConfig
from vitviz.counts.formula import shape, symbols
from vitviz.counts.groups import mac_split, parameter_split
from vitviz.counts.parts import products

FAMILIES = {
    "distilled",
    "registers",
    "prefix_positions",
    "patch_bias",
    "input_norm",
    "layer_scale",
    "pre_logits",
    "head_dim",
}
KNOWN = {*LIMITS, *FAMILIES, "activation", "pool", "epsilon"}
COUNT_NOTHING = {"top_k", "window", "score_scale", "initial", "dropout", "drop_path"}
LATER = [(field.name, field.default) for field in fields(ViTConfig) if field.name not in KNOWN | COUNT_NOTHING]


def total_parameters(config: ViTConfig) -> int:
    """All learnable numbers of the model; equals the sum of `parameters(config)`."""
    if not has_closed_form(config):
        return sum(item.count for item in parameter_split(config))
    d, m = config.dim, config.mlp_dim
    positions = config.tokens if config.prefix_positions else config.patches
    patch_embedding = (config.patch_values + config.patch_bias) * d
    embedding = patch_embedding + (len(config.prefix_tokens) + positions) * d + 2 * d * config.input_norm
    width = config.heads * config.head_dim
    attention, norm, matrices = 4 * d * width + 3 * width + d, 2 * d, mlp_matrices(config)
    block = 2 * norm + attention + matrices * d * m + (matrices - 1) * m + d + 2 * d * config.layer_scale
    pooling = d + attention + norm + 2 * d * m + m + d if config.pool == "attention" else 0
    hidden = config.pre_logits * (config.pooled + 1)
    head = (1 + config.distilled) * config.classes * ((config.pre_logits or config.pooled) + 1)
    return embedding + config.depth * block + norm + pooling + hidden + head


def total_macs(config: ViTConfig) -> int:
    """Multiply-accumulates of one forward pass of one image; equals the sum of `macs(config)`."""
    if not has_closed_form(config):
        return sum(item.count for item in mac_split(config))
    d, m, t, width = config.dim, config.mlp_dim, config.tokens, config.heads * config.head_dim
    patch_embedding = config.patches * config.patch_values * d
    block = t * (4 * d * width + mlp_matrices(config) * d * m) + 2 * t * t * width
    pooling = 2 * d * width * (t + 1) + 2 * t * width + 2 * d * m if config.pool == "attention" else 0
    hidden = config.pre_logits * config.pooled
    head = (1 + config.distilled) * (config.pre_logits or config.pooled) * config.classes
    return patch_embedding + config.depth * block + pooling + hidden + head


def attention_weights(config: ViTConfig) -> int:
    """Attention weights of one forward pass: what the products make that compare each token with each.

    Linear attention makes none.
    """
    numbers = symbols(config)
    scores = [it for it in products(config) if it.where == "block" and it.makes == "attn.scores"]
    return config.depth * sum(prod(shape(it.pattern.partition(" -> ")[2], numbers)) for it in scores)


def has_closed_form(config: ViTConfig) -> bool:
    """Whether everything that this model has is known here."""
    return all(getattr(config, name) == default for name, default in LATER)


def mlp_matrices(config: ViTConfig) -> int:
    """Matrices of m·d numbers in one MLP; a gated one has three."""
    return 3 if config.activation == "swiglu" else 2
