"""Which models run in a browser."""

from vitviz.config import ViTConfig
from vitviz.counts import total_macs, total_parameters
from vitviz.ui.selection import ModelChoice

MOST_PARAMETERS = 2_000_000  # 4 MB on their way
MOST_MACS = 500_000_000  # some 30 ms of a forward pass
MOST_WEIGHTS = 4_000_000  # attention weights of all layers: 16 MB in each pass that is kept
UNIT = 8  # columns that the kernel takes at once
FAMILIES = "distilled patch_norm input_norm layer_scale pool=attention activation=swiglu"


def fits(model: ModelChoice) -> bool:
    """Whether a browser runs this model: plain, small, and in full precision."""
    return model.precision == "fp32" and config_fits(model.config)


def config_fits(config: ViTConfig) -> bool:
    """Whether a model of these sizes has the anatomy of the paper, and is small enough."""
    return (
        not any(config.has(condition) for condition in FAMILIES.split())
        and config.classes > 0
        and not (config.dim % UNIT or config.head_dim % UNIT or config.mlp_dim % UNIT)
        and total_parameters(config) <= MOST_PARAMETERS
        and total_macs(config) <= MOST_MACS
        and config.depth * config.heads * config.tokens**2 <= MOST_WEIGHTS
    )
