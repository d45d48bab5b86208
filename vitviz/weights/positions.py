"""Position embeddings at another image size: the grid is resized as its family does, prefix tokens never."""

from collections.abc import Callable

from einops import rearrange
from torch import Tensor
from torch.nn import functional as F

from vitviz.weights.families.known import Resize

Grid = tuple[int, int]


def resize(positions: Tensor, old: Grid, new: Grid, rule: Resize) -> Tensor:
    """The grid part of a position embedding for another grid: `1 (gh gw) d`, rows and columns of both given.

    "smooth": bicubic with antialiasing (timm, DINOv2 with registers) · "plain": bicubic without (Hugging Face) ·
    "offset": bicubic, asking for 0.1 of a patch more, as the first DINOv2 does · "corners": linear, corners kept
    (Google; `scipy.ndimage.zoom` of order 1). Done in float32.
    """
    if old == new:
        return positions
    grid = rearrange(positions.float(), "1 (gh gw) d -> 1 d gh gw", gh=old[0])
    return rearrange(RULES[rule](grid, new), "1 d gh gw -> 1 (gh gw) d").to(positions.dtype)


def _smooth(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bicubic", antialias=True)


def _plain(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bicubic")


def _offset(grid: Tensor, new: Grid) -> Tensor:
    wanted = [(asked + 0.1) / given for asked, given in zip(new, grid.shape[2:], strict=True)]
    return F.interpolate(grid, scale_factor=wanted, mode="bicubic")


def _corners(grid: Tensor, new: Grid) -> Tensor:
    return F.interpolate(grid, size=new, mode="bilinear", align_corners=True)


RULES: dict[Resize, Callable[[Tensor, Grid], Tensor]] = {
    "smooth": _smooth,
    "plain": _plain,
    "offset": _offset,
    "corners": _corners,
}
