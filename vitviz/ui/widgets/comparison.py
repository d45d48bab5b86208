"""Two models field by field: what is the same, what is more, and how many times."""

from collections.abc import Mapping

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.config.sides import Sides
from vitviz.figures.counting.models import Card
from vitviz.numbers import exact, small
from vitviz.selection import titled
from vitviz.ui.widgets.table import table

# Names as the literature shortens them; the first five are the ladder from Ti to H.
SHORT = {
    "vit_tiny_patch16_224": "Ti/16",
    "vit_small_patch16_224": "S/16",
    "vit_base_patch16_224": "B/16",
    "vit_large_patch16_224": "L/16",
    "vit_huge_patch14_224": "H/14",
    "vit_base_patch32_224": "B/32",
    "vit_large_patch32_224": "L/32",
    "deit_base_distilled_patch16_224": "DeiT-B/16",
    "photo": "S/14",
}
LADDER = list(SHORT)[:5]


def pair(models: Mapping[str, ViTConfig]) -> None:
    """A table of two models and their ratio; a model beside itself stands there alone."""
    rows = zip(*(_figures(config) for config in models.values()), strict=True)
    table(
        "Two models side by side",
        ["", *map(titled, models), "Times"],
        [[row[0][0], *(exact(count) for _, count in row), _times(*(count for _, count in row))] for row in rows],
    )


def cards(models: Mapping[str, ViTConfig]) -> tuple[Card, ...]:
    """The models as cards, the smallest first."""
    by_size = sorted(models.items(), key=lambda model: counts.total_parameters(model[1]))
    return tuple(
        (name, SHORT.get(name, titled(name)), it.dim, *_widths(it), it.depth, counts.total_parameters(it))
        for name, it in by_size
    )


def _widths(config: ViTConfig) -> tuple[int, int]:
    """Columns of the matrices of attention and of the MLP in one block, each with d rows."""
    attention, mlp = (it.count // config.dim for it in counts.block_matrices(config))
    return attention, mlp


def _figures(config: ViTConfig) -> list[tuple[str, int]]:
    split = {item.name: item.count for item in counts.parameter_split(config)}
    return [
        *_sides("image", config.image_sides),
        *_sides("patch", config.patch_sides),
        ("tokens", config.tokens),
        ("dim", config.dim),
        ("depth", config.depth),
        ("heads", config.heads),
        ("components per head", config.head_dim),
        ("MLP width", config.mlp_dim),
        ("classes", config.classes),
        ("parameters of attention", split["attention"]),
        ("parameters of the MLP", split["MLP"]),
        ("all parameters", counts.total_parameters(config)),
        ("multiply-accumulates", counts.total_macs(config)),
        ("numbers that one forward pass makes", sum(counts.activation_memory(config).values())),
    ]


def _sides(what: str, sides: Sides) -> list[tuple[str, int]]:
    """Rows and columns in a line each: a model beside it may have equal ones."""
    return [(f"{what} {word}", side) for word, side in zip(("height", "width"), sides, strict=True)]


def _times(first: int, second: int | None = None) -> str:
    if second is None or first == second:
        return "same"
    return f"× {small(second / first)}" if first else "–"
