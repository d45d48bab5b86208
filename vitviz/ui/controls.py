"""The choices that pages share: layer, head, query token, patch; they are in the URL and go from page to page."""

from collections.abc import Sequence

import streamlit as st

from vitviz.ui.links import heed
from vitviz.ui.view import View


def layer(view: View) -> int:
    """A slider for the layer; counts from 0 in code and from 1 on screen."""
    return _whole("Layer", "layer", view.config.depth) - 1


def head(view: View) -> int:
    """A slider for the head; counts from 0 in code and from 1 on screen."""
    return _whole("Head", "head", view.config.heads) - 1


def patch(view: View) -> int:
    """A slider for the patch in raster order; counts from 0 in code and from 1 on screen."""
    return _whole("Patch", "patch", view.config.patches, start=view.config.patches // 2 + view.config.grid[1] // 2) - 1


def number(view: View) -> int:
    """A slider for one number of a token; counts from 0 in code and from 1 on screen."""
    return _whole("Number of the token", "number", view.config.dim) - 1


def query(view: View) -> int:
    """A slider for the query token: special tokens by name, patches by number; an index into the tokens."""
    options = [*view.config.special_tokens, *map(str, range(1, view.config.patches + 1))]
    return options.index(_one_of("Query token", "query", options))


def chosen_layer(view: View) -> int:
    """The layer that was chosen on some page, without drawing a control; counts from 0."""
    return min(st.session_state.get("layer", 1), view.config.depth) - 1


def token_name(view: View, token: int) -> str:
    """What a token is called on screen: "[class]", or "patch 38 (row 4, column 2)"."""
    specials = view.config.special_tokens
    if token < len(specials):
        return f"[{specials[token]}]"
    place = token - len(specials)
    row, column = divmod(place, view.config.grid[1])
    return f"patch {place + 1} (row {row + 1}, column {column + 1})"


def _whole(label: str, key: str, most: int, start: int = 1) -> int:
    if most == 1:
        return 1
    _forget_if(st.session_state.get(key, 1) > most, key)
    heed(key, range(1, most + 1), f"{key} 1 to {most}")
    return st.slider(label, 1, most, value=start, key=key, bind="query-params")


def _one_of(label: str, key: str, options: Sequence[str]) -> str:
    _forget_if(st.session_state.get(key, options[0]) not in options, key)
    heed(key, options, f"[{options[0]}] and patches 1 to {options[-1]}")
    return st.select_slider(label, options, key=key, bind="query-params")


def _forget_if(outgrown: bool, key: str) -> None:
    """Let a choice go that the model on screen no longer has; the slider then starts anew."""
    if outgrown:
        del st.session_state[key]
