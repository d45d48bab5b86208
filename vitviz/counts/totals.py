"""The totals in closed form: microseconds, for a live count that follows the hand."""

from vitviz.config import ViTConfig
from vitviz.counts.parts import mlp_matrices


def total_parameters(config: ViTConfig) -> int:
    """All learnable numbers of the model; equals the sum of `parameters(config)`."""
    return through_embedding(config) + config.depth * block_parameters(config) + _final_norm_and_head(config)


def total_macs(config: ViTConfig) -> int:
    """Multiply-accumulates of one forward of one image; equals the sum of `macs(config)`."""
    d, t, heads = config.dim, config.tokens, 2 if config.distilled else 1
    patch_embedding = config.patches * config.patch_values * d
    block = t * (4 * d * d + mlp_matrices(config) * d * config.mlp_dim) + 2 * t * t * d
    pooling = 2 * d * d * (t + 1) + 2 * t * d + 2 * d * config.mlp_dim if config.pool == "attention" else 0
    return patch_embedding + config.depth * block + pooling + heads * d * config.classes


def patch_embedding_parameters(config: ViTConfig) -> int:
    """The projection of a patch, and its bias where it has one."""
    return (config.patch_values + config.patch_bias) * config.dim


def through_embedding(config: ViTConfig) -> int:
    """Everything before the first block: patch embedding, special tokens, position embedding, norm."""
    positions = config.tokens if config.special_positions else config.patches
    norm = norm_parameters(config) if config.input_norm else 0
    return patch_embedding_parameters(config) + (len(config.special_tokens) + positions) * config.dim + norm


def attention_parameters(config: ViTConfig) -> int:
    """The four projections of one attention and their biases: 4·d·d + 4·d."""
    return 4 * config.dim * (config.dim + 1)


def block_parameters(config: ViTConfig) -> int:
    """One block: two layer norms, attention, MLP, layer scales; 12·d·d + 13·d in the paper, where m is 4·d."""
    d, m, matrices = config.dim, config.mlp_dim, mlp_matrices(config)
    scales = 2 * d if config.layer_scale else 0
    return 4 * d + attention_parameters(config) + matrices * d * m + (matrices - 1) * m + d + scales


def norm_parameters(config: ViTConfig) -> int:
    """One layer norm: a scale and a shift."""
    return 2 * config.dim


def _final_norm_and_head(config: ViTConfig) -> int:
    d, m, heads = config.dim, config.mlp_dim, 2 if config.distilled else 1
    pooling = d + attention_parameters(config) + norm_parameters(config) + 2 * d * m + m + d
    return (
        norm_parameters(config)
        + (pooling if config.pool == "attention" else 0)
        + heads * config.classes * (config.dim + 1)
    )
