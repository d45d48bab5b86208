"""What a browser has to be told before it can draw: a model's sizes, and the colours of weights."""

from dataclasses import asdict
from typing import Any

from vitviz.config import ViTConfig
from vitviz.config.stems import drawn_as
from vitviz.figures.colours import table


def sizes(config: ViTConfig) -> dict[str, Any]:
    """The sizes of a model, as `Meta` in the front end has them."""
    rows, columns = config.grid
    names = ("channels", "dim", "depth", "heads", "head_dim", "mlp_dim", "classes", "tokens", "patches")
    return {
        "rows": rows,
        "columns": columns,
        "prefix": config.prefix_tokens,
        "pool": config.pool,
        "image_sides": config.image_sides,
        "patch_sides": config.patch_sides,
        "read": drawn_as(config),
        "stem": config.stem != "patch",
        **{name: getattr(config, name) for name in names},
        "switches": {name: value for name, value in asdict(config).items() if isinstance(value, bool)},
    }


def weights_scale() -> list[int]:
    """The colours of weights in 256 steps, red, green, blue: those of figures."""
    return [int(channel) for channel in table(signed=False).ravel()]
