"""The totals in closed form: microseconds, for a live count that follows the hand."""

from vitviz.config import ViTConfig


def total_parameters(config: ViTConfig) -> int:
    """All learnable numbers of the model; equals the sum of `parameters(config)`."""
    return through_embedding(config) + config.depth * block_parameters(config) + _final_norm_and_head(config)


def total_macs(config: ViTConfig) -> int:
    """Multiply-accumulates of one forward of one image; equals the sum of `macs(config)`."""
    d, t, heads = config.dim, config.tokens, 2 if config.distilled else 1
    patch_embedding = config.patches * config.patch_values * d
    block = t * (4 * d * d + 2 * d * config.mlp_dim) + 2 * t * t * d
    return patch_embedding + config.depth * block + heads * d * config.classes


def patch_embedding_parameters(config: ViTConfig) -> int:
    """The projection of a patch and its bias."""
    return (config.patch_values + 1) * config.dim


def through_embedding(config: ViTConfig) -> int:
    """Everything before the first block: patch embedding, special tokens, position embedding."""
    return patch_embedding_parameters(config) + (len(config.special_tokens) + config.tokens) * config.dim


def attention_parameters(config: ViTConfig) -> int:
    """The four projections of one attention and their biases: 4·d·d + 4·d."""
    return 4 * config.dim * (config.dim + 1)


def block_parameters(config: ViTConfig) -> int:
    """One block: two layer norms, attention, MLP; 12·d·d + 13·d where m is 4·d."""
    d, m = config.dim, config.mlp_dim
    return 4 * d + attention_parameters(config) + 2 * d * m + m + d


def norm_parameters(config: ViTConfig) -> int:
    """One layer norm: a scale and a shift."""
    return 2 * config.dim


def _final_norm_and_head(config: ViTConfig) -> int:
    heads = 2 if config.distilled else 1
    return norm_parameters(config) + heads * config.classes * (config.dim + 1)
