"""Which models run in a browser."""

from vitviz.config import ViTConfig
from vitviz.counts import total_macs, total_parameters
from vitviz.messages import Config

MOST_PARAMETERS = 25_000_000  # 50 MB on their way, and 100 MB of memory, half and a quarter of that in 8 bits
MOST_MACS = 7_000_000_000  # some 300 ms of a forward pass
MOST_WEIGHTS = 5_000_000  # attention weights of all layers: 20 MB in each of the two passes that are kept
SMALL_PARAMETERS = 2_000_000  # 4 MB on their way
SMALL_MACS = 500_000_000  # some 20 ms of a forward pass
UNIT = 8  # columns that the kernel takes at once
ACTIVATIONS = ("gelu", "gelu_tanh", "quick_gelu")
POSITIONS = ("none", "learned", "learned_2d", "sincos_2d")  # what is added to the tokens once
# What may be as it likes; whatever else a model can have, the forward pass in the browser has not.
FREE = (
    *("image_size", "patch_size", "channels", "dim", "depth", "heads", "mlp_dim", "classes"),
    *("registers", "prefix_positions", "layer_scale", "patch_bias", "activation", "epsilon"),
    *("positions", "dropout", "drop_path"),
)


def fits(config: ViTConfig) -> bool:
    """Whether a browser can run a model of these sizes: a plain one, and not too large."""
    return (
        config == ViTConfig(**{name: getattr(config, name) for name in FREE})
        and config.activation in ACTIVATIONS
        and config.positions in POSITIONS
        and not (config.dim % UNIT or config.head_dim % UNIT or config.mlp_dim % UNIT)
        and total_parameters(config) <= MOST_PARAMETERS
        and total_macs(config) <= MOST_MACS
        and config.depth * config.heads * config.tokens**2 <= MOST_WEIGHTS
    )


def small(config: ViTConfig) -> bool:
    """Whether a model that fits comes to a browser unasked, and goes along in a file: its parameters are few."""
    return (
        fits(config)
        and config.classes > 0
        and total_parameters(config) <= SMALL_PARAMETERS
        and total_macs(config) <= SMALL_MACS
    )


def forward_sizes(config: ViTConfig) -> Config:
    """What a forward pass in the browser has to know of a model besides its parameters."""
    rows, columns = config.grid
    return {
        "channels": config.channels,
        "dim": config.dim,
        "depth": config.depth,
        "heads": config.heads,
        "mlp_dim": config.mlp_dim,
        "classes": config.classes,
        "activation": config.activation,
        "epsilon": config.epsilon,
        "tokens": config.tokens,
        "prefix": len(config.prefix_tokens),
        "patch_values": config.patch_values,
        "rows": rows,
        "columns": columns,
    }
