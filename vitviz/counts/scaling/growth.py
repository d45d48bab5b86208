"""How the arithmetic grows when one size changes and all others stay: what is linear, what is quadratic in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd

from vitviz.config import LIMITS, ViTConfig, divisors
from vitviz.config.config import changed
from vitviz.config.sides import Size, sides_of
from vitviz.counts.formula import divided, put_in, side_by_side, symbols, times, total, value
from vitviz.counts.parts import products
from vitviz.counts.totals import total_macs, total_parameters

FIELDS = ("image_size", "patch_size", "depth", "dim")
FURTHEST = 6  # times the model's own size
MOST_POINTS = 160


@dataclass(frozen=True, slots=True)
class Point:
    """One model of the curve: the size that was changed, the quantity it is drawn against, and what it costs.

    `quadratic` are the multiply-accumulates of QKᵀ and AV, which grow with the square of the tokens, none in linear
    attention; `macs` are all.
    """

    size: int
    against: int
    parameters: int
    macs: int
    quadratic: int


@dataclass(frozen=True, slots=True)
class Overtaking:
    """Where the products of a block that compare tokens with tokens take more than all others of it.

    `squared` and `others` are their formulas, `kinds` the names of the first. Both are equal at t = `at` tokens, in
    symbols `formula`; where no product compares tokens with tokens all are empty but `others`, and `at` is None.
    """

    others: str
    squared: str = ""
    kinds: tuple[str, ...] = ()
    formula: str = ""
    numbers: str = ""
    at: Fraction | None = None

    @property
    def above(self) -> int | None:
        """The most tokens at which they do not yet take more."""
        return None if self.at is None else floor(self.at)


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


@lru_cache
def overtaking(config: ViTConfig) -> Overtaking:
    """Above how many tokens attention takes more than all else in a block, from the table of its products."""
    numbers = symbols(config)
    block = [it for it in products(config) if it.where == "block"]
    squared, others = (
        total(it.formula(numbers) for it in block if it.compares_tokens is compares) for compares in (True, False)
    )
    if not squared:
        return Overtaking(others)
    squared = side_by_side(squared, numbers)
    kinds = tuple(dict.fromkeys(it.kind for it in block if it.compares_tokens))
    formula = divided(times("t", others), squared)
    at = Fraction(config.tokens * value(others, numbers), value(squared, numbers))
    return Overtaking(others, squared, kinds, formula, put_in(formula, numbers), at)


def squared_macs(config: ViTConfig) -> int:
    """Multiply-accumulates of the products that compare tokens with tokens, in all blocks."""
    numbers = symbols(config)
    return config.depth * sum(value(it.formula(numbers), numbers) for it in products(config) if it.compares_tokens)


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
    if field == "dim":  # the MLP grows along
        furthest = min(furthest, LIMITS["mlp_dim"] * config.dim // config.mlp_dim)
    stride = step * max(1, furthest // step // MOST_POINTS)
    return range(stride, furthest + 1, stride)


def _point(config: ViTConfig, field: str, size: int) -> Point:
    against = config.tokens if field in ("image_size", "patch_size") else size
    return Point(size, against, total_parameters(config), total_macs(config), squared_macs(config))
