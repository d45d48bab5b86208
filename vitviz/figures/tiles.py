"""Many small pictures as one: tiles on a grid, what the pointer reads there, numbers as colours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from vitviz import palette
from vitviz.figures.marks import Floats, Pixels

CLEAR = 12  # pixels that a tile has at least, enlarged if need be: a gap of one pixel around it is thin
DIMMED = 0.25  # of the photo's light stays where nobody looks
PLACE = "patch {patch}\nrow {row}, column {column}"


def mosaic(tiles: Pixels, per_line: int, leading: int = 1) -> Pixels:
    """Tiles `n ph pw 3`, or 4, in lines of `per_line`, with transparent gaps between them: one picture `h w 4`.

    Laid on a grid of lines x `per_line` cells, tile i lies in cell divmod(i, per_line). `leading` is what stands free
    above and below each line, in pixels of a tile that has at least 12.
    """
    times = -(-CLEAR // tiles.shape[1])
    large = tiles.repeat(times, axis=1).repeat(times, axis=2)
    opaque = np.pad(large, [(0, 0)] * 3 + [(0, 4 - tiles.shape[-1])], constant_values=255)
    framed = np.pad(opaque, [(0, -len(tiles) % per_line), (leading, leading), (1, 1), (0, 0)])
    _, high, wide, depth = framed.shape
    lines = framed.reshape(-1, per_line, high, wide, depth).swapaxes(1, 2)
    return lines.reshape(-1, per_line * wide, depth)


def cut(pixels: Pixels, rows: int, columns: int) -> Pixels:
    """A picture `h w c` as the tiles of a grid in raster order: `n ph pw c`."""
    height, width, channels = pixels.shape
    grid = pixels.reshape(rows, height // rows, columns, width // columns, channels)
    return grid.swapaxes(1, 2).reshape(rows * columns, height // rows, width // columns, channels)


def tall(pixels: Pixels, rows: int, columns: int) -> float:
    """How many times as high as wide the cells of a grid on this picture are."""
    return pixels.shape[0] / rows / (pixels.shape[1] / columns)


def places(patches: NDArray[Any], columns: int) -> dict[str, NDArray[Any]]:
    """Number, row and column of patches, all counted from 1, of the shape of `patches`: what `PLACE` asks for."""
    return {"patch": patches + 1, "row": patches // columns + 1, "column": patches % columns + 1}


def places_of(rows: int, columns: int) -> dict[str, NDArray[Any]]:
    """The same of every cell of a grid, each `rows columns`."""
    return places(np.arange(rows * columns).reshape(rows, columns), columns)


def in_lines(column: NDArray[Any], per_line: int) -> NDArray[Any]:
    """Numbers of tiles, `n`, where the tiles lie: `lines per_line`; NaN where no tile does."""
    cells = np.full(-(-len(column) // per_line) * per_line, np.nan, np.float32)
    cells[: len(column)] = column
    return cells.reshape(-1, per_line)


def tinted(values: Floats, limit: Floats | float | None = None) -> Pixels:
    """Numbers `... 3` as colours around grey: in red, green and blue -`limit` is 0, 0 is 128 and `limit` is 255.

    Of one number, `... 1`, it is a grey.
    """
    values = np.broadcast_to(values, (*values.shape[:-1], 3))
    top = np.abs(values).max() if limit is None else limit
    return np.rint(127.5 + 127.5 * np.clip(values / np.where(top, top, 1), -1, 1)).astype(np.uint8)


def glazed(values: Floats, limit: float) -> Pixels:
    """Numbers in the diverging colours of the board, from -`limit` to `limit`, clear at 0: `... -> ... 4`."""
    share = np.clip(values / limit, -1, 1)[..., None]
    below, above = (np.array(ImageColor.getrgb(colour)) for colour in (palette.BELOW, palette.ABOVE))
    colour = np.where(share < 0, below, above)
    return np.concatenate([colour, np.rint(255 * np.abs(share) ** 0.8)], axis=-1).astype(np.uint8)


def lit(pixels: Pixels, weights: Floats) -> Pixels:
    """The photo `h w c` as the board draws it, as light as it is where the weights `gh gw` are largest."""
    (gh, gw), (height, width, _) = weights.shape, pixels.shape
    rows, columns = np.arange(height) * gh // height, np.arange(width) * gw // width
    light = weights[np.ix_(rows, columns)] / (float(weights.max()) or 1)
    return np.asarray(pixels * (DIMMED + (1 - DIMMED) * light[..., None]), np.uint8)


def on_white(pixels: Pixels) -> Pixels:
    """Pixels `... 4` as white paper shows them: `... 3`; those `... 3` stay."""
    if pixels.shape[-1] == 3:
        return pixels
    return np.rint(255 - pixels[..., 3:] / 255 * (255 - pixels[..., :3])).astype(np.uint8)
