"""A trained model on pictures of another size: its positions are interpolated, every other parameter is shared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vitviz.config import ViTConfig
from vitviz.config.config import changed
from vitviz.machine.pytorch import torch
from vitviz.machine.wanted import while_wanted

if TYPE_CHECKING:
    from vitviz.weights import Loaded

Grid = tuple[int, int]

TIMES = (1, 4 / 3, 2 / 3, 5 / 3, 2)  # as many patches a side as the model was trained with; the most wanted first


def sizes(config: ViTConfig) -> list[ViTConfig]:
    """The model at other picture sizes, the most wanted first, its own before them."""
    if fits_one_size(config):
        return [config]
    rows, columns = config.grid
    grids = dict.fromkeys((max(1, round(rows * times)), max(1, round(columns * times))) for times in TIMES)
    found = (of_grid(config, grid) for grid in grids)
    return [it for it in found if it]


def of_grid(config: ViTConfig, grid: Grid) -> ViTConfig | None:
    """The model on pictures of so many rows and columns of patches; None where there is no such model."""
    down, across = config.patch_sides
    return changed(config, image_size=(grid[0] * down, grid[1] * across))


def at_size(loaded: Loaded, config: ViTConfig, uncut: bool = False) -> Loaded:
    """The model of `loaded` at the picture size of `config`; `uncut`, the whole picture is squashed into that shape.

    Bicubic, as timm does it (https://arxiv.org/abs/2010.11929, section 3.2). Raises `WeightsError` for a model whose
    head fits one number of tokens only.
    """
    from vitviz.model import ViT
    from vitviz.weights import WeightsError

    old = loaded.config
    if why_not := fits_one_size(old) if old.grid != config.grid else "":
        raise WeightsError(why_not)
    rule = replace(loaded.preprocess, size=config.image_size)
    if uncut:
        rule = replace(rule, crop_fraction=1.0, resize="squash")
    with torch.device("meta"):
        model = ViT(config)
    state = {
        name: _fitting(name, value, old, config) for name, value in while_wanted(loaded.model.state_dict().items())
    }
    parameters = {name: torch.nn.Parameter(value, requires_grad=False) for name, value in state.items()}
    model.load_state_dict(parameters, assign=True)
    return replace(loaded, model=model.eval(), preprocess=rule)


def fits_one_size(config: ViTConfig) -> str:
    """Why a model reads pictures of one size only; nothing where it reads others as well."""
    if config.pool != "flatten":
        return ""
    return (
        f"the head of this model reads all {config.tokens:,} tokens side by side, {config.pooled:,} numbers, and a "
        "picture of another size has other tokens; choose a model that pools class, mean or attention"
    )


def _fitting(name: str, value: Any, old: ViTConfig, new: ViTConfig) -> Any:
    """A parameter for the new grid: a table of positions is interpolated, anything else stays what it is."""
    (rows, columns), (more_rows, more_columns) = old.grid, new.grid
    match name.rpartition(".")[2]:
        case "pos_embed":
            prefix = value.shape[1] - old.patches
            return torch.cat([value[:, :prefix], _resized(value[:, prefix:], old.grid, new.grid)], dim=1)
        case "pos_embed_row":
            return _resized(value, (rows, 1), (more_rows, 1))
        case "pos_embed_column":
            return _resized(value, (columns, 1), (more_columns, 1))
        case "relative_position_bias_table":
            offsets = ((2 * rows - 1, 2 * columns - 1), (2 * more_rows - 1, 2 * more_columns - 1))
            return _resized(value[None], *offsets)[0]
    return value


def _resized(table: Any, old: Grid, new: Grid) -> Any:
    from vitviz.weights.positions import resize

    return resize(table, old, new, "smooth")
