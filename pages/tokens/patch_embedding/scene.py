"""Patch embedding: one matrix makes a token of every patch; its columns are filters."""

from vitviz.board.address import Address
from vitviz.board.scene import Parcels
from vitviz.results import measure_embedding, measure_model
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection

COMPONENTS = 28  # principal components of the filters that are shown


def parcels(selection: Selection, address: Address) -> Parcels:
    yield "projection", lambda: _projection(selection)
    yield "filter-components", lambda: _components(selection)
    yield "token-colours", lambda: _colours(selection)


def _projection(selection: Selection) -> Arrays:
    from einops import rearrange

    from vitviz.measures import tokens

    projection = measure_embedding(selection, tokens.projection)
    return {
        "patches": projection.patches,
        "filters": rearrange(projection.matrix, "features d -> d features"),
        "bias": projection.bias,
        "tokens": projection.tokens,
    }


def _components(selection: Selection) -> Arrays:
    from vitviz.measures import tokens

    components = measure_model(selection.model, tokens.filter_components, COMPONENTS)
    return {"directions": components.directions, "share": components.share}


def _colours(selection: Selection) -> Arrays:
    from vitviz.measures import tokens

    components = measure_embedding(selection, tokens.token_components, 3)
    return {"coordinates": components.coordinates, "share": components.share}
