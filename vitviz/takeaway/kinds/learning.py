"""Kinds of view of a model while it learned: what was kept of some moments of its training, by page."""

from functools import partial

from vitviz.takeaway.kinds.kind import Kind as AnyKind
from vitviz.takeaway.notebook import kept

Kind = partial(AnyKind, pictured=False, shown=False)

FILE = "from vitviz.demo.artifacts import DATA, SNAPSHOTS\n"
KEPT = "from vitviz.demo.snapshots import snapshots"

KINDS = {
    "heads": Kind(
        "Heads while the model learned",
        "what the class token looked at in one layer, mean of its heads, on four scenes",
        "scene n",
        f"{FILE}from vitviz.demo.samples import WATCHED\n{KEPT}",
        "snapshots().looked_at(step, layer)",
        kept.looked_at,
        "DATA / SNAPSHOTS, step, layer",
        names='{"scene": [scene.title for scene in WATCHED]}',
        figure="from vitviz.figures.laboratory.panels import panels\n\n"
        "maps = {scene.title: weights.reshape(12, 12) for scene, weights in zip(WATCHED, values, strict=True)}\n"
        'panels(maps, [float(values.max())] * len(maps), "weight")',
    ),
    "position_embedding": Kind(
        "Position embedding while the model learned",
        "how similar the position of one patch was to those of all, as cosines",
        "gh gw",
        f"{FILE}{KEPT}",
        "snapshots().position_maps(step)[patch].reshape(config.grid)",
        kept.alike,
        "DATA / SNAPSHOTS, config, step, patch",
        figure="from vitviz.figures.tokens.position_embedding import similarity_map\n\nsimilarity_map(values, patch)",
    ),
}
