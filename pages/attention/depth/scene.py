"""Depth: what becomes of attention from the first layer to the last."""

import numpy as np

from vitviz.board.address import Address
from vitviz.board.lens import lens
from vitviz.board.scene import Parcels, attention_maps, rollouts
from vitviz.results import measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection


def parcels(selection: Selection, address: Address) -> Parcels:
    yield from rollouts(selection, address)
    yield "by-layer", lambda: _by_layer(selection)
    yield from attention_maps(selection, address)
    if address.moment == "journey" and selection.config.classes:
        yield "lens", lambda: lens(selection)
    yield f"alone-{address.query}", lambda: _alone(selection, address.query)


def _alone(selection: Selection, query: int) -> Arrays:
    """What one token looks at in every layer, mean of the heads: `layer t`."""

    from vitviz.measures.attention import attention_row

    rows = [measure(selection, attention_row, layer, query) for layer in range(selection.config.depth)]
    return {"rows": np.stack([row.mean(axis=0) for row in rows])}


def _by_layer(selection: Selection) -> Arrays:
    from vitviz.measures.attention import attention_by_layer

    found = measure(selection, attention_by_layer)
    uniform = np.array([found.uniform_distance], np.float32)
    return {"distance": found.distance, "entropy": found.entropy, "uniform": uniform}
