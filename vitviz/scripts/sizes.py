"""What a browser has to be told before it can draw: a model's sizes and counts, and the colours of weights."""

from dataclasses import asdict

from vitviz.config import ViTConfig
from vitviz.config.stems import drawn_as
from vitviz.counts import count_line
from vitviz.figures.colours import table
from vitviz.messages import Count, Sizes
from vitviz.numbers import exact


def sizes(config: ViTConfig) -> Sizes:
    """The sizes of a model."""
    rows, columns = config.grid
    return {
        "rows": rows,
        "columns": columns,
        "prefix": config.prefix_tokens,
        "pool": config.pool,
        "image_sides": config.image_sides,
        "patch_sides": config.patch_sides,
        "read": drawn_as(config),
        "stem": config.stem != "patch",
        "channels": config.channels,
        "dim": config.dim,
        "depth": config.depth,
        "heads": config.heads,
        "head_dim": config.head_dim,
        "mlp_dim": config.mlp_dim,
        "classes": config.classes,
        "tokens": config.tokens,
        "patches": config.patches,
        "switches": {name: value for name, value in asdict(config).items() if isinstance(value, bool)},
    }


def counted(config: ViTConfig, stage: str) -> Count:
    """What the count line of the board says of a stage: shapes, its parameters and the model's."""
    line = count_line(config, stage)
    before, after = (" × ".join(map(exact, shape)) for shape in (line.shape_in, line.shape_out))
    return {"before": before, "after": after, "here": exact(line.here), "total": exact(line.total)}


def weights_scale() -> list[int]:
    """The colours of weights in 256 steps, red, green, blue: those of figures."""
    return [int(channel) for channel in table(signed=False).ravel()]
