"""How the arithmetic grows when one size changes and all others stay: what is linear, what is quadratic in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from vitviz.config import LIMITS, ViTConfig, divisors
from vitviz.config.config import changed
from vitviz.config.sides import Size, sides_of
from vitviz.counts.totals import mlp_matrices, total_macs, total_parameters

FIELDS = ("image_size", "patch_size", "depth", "dim")
FURTHEST = 6  # times the model's own size
MOST_POINTS = 160


@dataclass(frozen=True, slots=True)
class Point:
    """One model of the curve: the size that was changed, the quantity it is drawn against, and what it costs.

    `quadratic` are the multiply-accumulates of QKᵀ and AV, which grow with the square of the tokens; `macs` are all.
    """

    size: int
    against: int
    parameters: int
    macs: int
    quadratic: int


def growth(config: ViTConfig, field: str) -> tuple[Point, ...]:
    """The model with other values of `field`, ascending in what it is drawn against; the model itself is among them.

    Image and patch size act through the number of tokens, so their curves are drawn against it. The MLP keeps its
    ratio to `dim`, and the heads their number.
    """
    points = {
        size: _point(resized(config, field, size), field, size) for size in {*_sizes(config, field), own(config, field)}
    }
    return tuple(sorted(points.values(), key=lambda point: point.against))


def own(config: ViTConfig, field: str) -> int:
    """The model's own size; of a picture or patch the rows, to which the columns keep their proportion."""
    value = getattr(config, field)
    return value[0] if isinstance(value, tuple) else int(value)


def law(points: Iterable[Point], now: Point, power: int) -> list[float]:
    """What all arithmetic would be if it grew with that power from the model as it is `now`."""
    return [now.macs * (point.against / now.against) ** power for point in points]


def resized(config: ViTConfig, field: str, size: int) -> ViTConfig:
    """`config` with another `field`; a wider model gets a wider MLP, and columns keep their proportion to rows."""
    changes: dict[str, Size] = {field: size}
    if field in ("image_size", "patch_size"):
        rows, columns = sides_of(getattr(config, field))
        changes[field] = (size, size * columns // rows)
    if field == "dim":
        changes["mlp_dim"] = max(1, config.mlp_dim * size // config.dim)
    return config.with_(**changes)


def overtaking(config: ViTConfig) -> int:
    """Tokens from which QKᵀ and AV take more than all other products of a block: 2·t·t·d = t·(4·d·d + 2·d·m)."""
    return 2 * config.dim + mlp_matrices(config) * config.mlp_dim // 2


def _sizes(config: ViTConfig, field: str) -> Iterable[int]:
    now, (rows, columns), (ph, pw) = own(config, field), config.grid, config.patch_sides
    if field == "patch_size":
        rows = ph // gcd(ph, pw)
        legal = (size for size in divisors(config.image_sides[0]) if size % rows == 0 and FURTHEST * size >= now)
        return [size for size in legal if changed(config, patch_size=(size, size * pw // ph))]
    step = {"image_size": rows // gcd(rows, columns) * ph, "dim": config.heads, "depth": 1}[field]
    furthest = min(LIMITS[field], now * FURTHEST)
    if field == "image_size":
        furthest = min(furthest, LIMITS[field] * config.image_sides[0] // config.image_sides[1])
    stride = step * max(1, furthest // step // MOST_POINTS)
    return range(stride, furthest + 1, stride)


def _point(config: ViTConfig, field: str, size: int) -> Point:
    quadratic = 2 * config.depth * config.tokens**2 * config.dim
    against = config.tokens if field in ("image_size", "patch_size") else size
    return Point(size, against, total_parameters(config), total_macs(config), quadratic)
