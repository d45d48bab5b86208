"""Maps of tokens side by side, each under its name, on one scale or each on its own."""

from collections.abc import Mapping, Sequence

from vitviz.figures import parts
from vitviz.figures.figure import Figure, Numbers
from vitviz.figures.marks import Colours, Floats, Mark
from vitviz.figures.tiles import PLACE
from vitviz.numbers import small

HEIGHT = 210  # pixels


def panels(
    maps: Mapping[str, Floats],
    limits: Sequence[float],
    says: str,
    *,
    framed: Mapping[str, tuple[int, ...]] | None = None,
    patch: float = 1,
) -> Figure:
    """Named maps `gh gw`, each of its own grid of patches `patch` times as high as wide, and from 0 to its own limit.

    Equal limits are one scale, drawn below all; unequal ones stand under the names. `says` is what a number is called;
    `framed` are the places, counted from 0, that stand out in each map.
    """
    own = len(set(limits)) > 1
    row = []
    for limit, (name, values) in zip(limits, maps.items(), strict=True):
        rows, columns = values.shape
        frames = [parts.framed(*divmod(at, columns)) for at in (framed or {}).get(name, ())]
        title = name + f"\n0 to {small(limit)}" * own
        marks: list[Mark] = [parts.on_patches(values, f"{PLACE}\n{says} {{value:.3g}}", Colours(limit)), *frames]
        row.append(parts.pictured(marks, rows, columns, HEIGHT, patch, title))
    caption = f"{says[0].upper()}{says[1:]}, at each patch."
    numbers = tuple(Numbers(name, ("row", "column"), values, caption) for name, values in maps.items())
    return Figure((tuple(row),), numbers=numbers, scale=None if own else Colours(limits[0]))
