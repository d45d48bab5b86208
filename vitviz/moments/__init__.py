"""The moments of every page that has some, in their order, by its stem: which there are depends on the model."""

from collections.abc import Callable, Mapping

from vitviz.config import ViTConfig
from vitviz.moments import (
    class_head,
    depth,
    encoder_block,
    heads,
    intervene,
    overview,
    patch_embedding,
    patch_grid,
    position_embedding,
    query_key_value,
)
from vitviz.page import Moment

MOMENTS: Mapping[str, Callable[[ViTConfig], tuple[Moment, ...]]] = {
    "overview": overview.moments,
    "patch_grid": patch_grid.moments,
    "patch_embedding": patch_embedding.moments,
    "position_embedding": position_embedding.moments,
    "query_key_value": query_key_value.moments,
    "heads": heads.moments,
    "depth": depth.moments,
    "encoder_block": encoder_block.moments,
    "class_head": class_head.moments,
    "intervene": intervene.moments,
}


def moment_names(page: str, config: ViTConfig) -> tuple[str, ...]:
    """The names of a page's moments with such a model; none where the page has no moments.

    >>> from vitviz.config import PRESETS
    >>> moment_names("heads", PRESETS["demo"])
    ('wall', 'matrix', 'pair')
    """
    return tuple(it.name for it in MOMENTS[page](config)) if page in MOMENTS else ()


def same_moment(name: str, page: str, first: ViTConfig, second: ViTConfig) -> str:
    """The moment of a page with another model: of the same name, or where there is none, in the same place.

    `sameMoment` in ui/board/frontend/state/moments.js says the same.
    """
    names = moment_names(page, second)
    return name if name in names or not names else names[min(moment_names(page, first).index(name), len(names) - 1)]
