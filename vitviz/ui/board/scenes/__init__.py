"""The scenes of the board by the stem of their page, in the order of the strip."""

from vitviz.ui.board.scene import Scene
from vitviz.ui.board.scenes import (
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

SCENES: dict[str, Scene] = {
    "overview": overview.SCENE,
    "patch_grid": patch_grid.SCENE,
    "patch_embedding": patch_embedding.SCENE,
    "position_embedding": position_embedding.SCENE,
    "query_key_value": query_key_value.SCENE,
    "heads": heads.SCENE,
    "depth": depth.SCENE,
    "encoder_block": encoder_block.SCENE,
    "class_head": class_head.SCENE,
    "intervene": intervene.SCENE,
}
