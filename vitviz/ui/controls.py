"""The choices that pages share: layer, head, query token, patch; they are in the URL and go from page to page."""

from collections.abc import Sequence

import streamlit as st

from vitviz.ui.links import heed, heed_number, is_number
from vitviz.ui.selection import Selection


def layer(view: Selection) -> int:
    """A slider for the layer; counts from 0 in code and from 1 on screen."""
    return _whole("Layer", "layer", view.config.depth) - 1


def head(view: Selection) -> int:
    """A slider for the head; counts from 0 in code and from 1 on screen."""
    return _whole("Head", "head", view.config.heads) - 1


def patch(view: Selection) -> int:
    """A slider for the patch in raster order; counts from 0 in code and from 1 on screen."""
    return _whole("Patch", "patch", view.config.patches, start=1 + _middle(view)) - 1


def number(view: Selection) -> int:
    """A slider for one number of a token; counts from 0 in code and from 1 on screen."""
    return _whole("Number of the token", "number", view.config.dim) - 1


def query(view: Selection, label: str = "Query token") -> int:
    """A slider for the query token: special tokens by name, patches by number; an index into the tokens.

    Pages on which the token asks nothing give it another label.
    """
    options = token_options(view)
    return options.index(_one_of(label, "query", options, options[0]))


def key(view: Selection) -> int:
    """A slider for a key token, the patch in the middle first; an index into the tokens."""
    options = token_options(view)
    return options.index(_one_of("Key token", "key", options, str(1 + _middle(view))))


def through(view: Selection) -> int:
    """A slider for how many layers are taken together, counted from the first; all of them at first."""
    return _whole("Through layer", "through", view.config.depth, start=view.config.depth)


def after(view: Selection) -> int:
    """A slider for where the residual stream is read: 0 before the first block, else after that many; all at first."""
    return _whole("After layer (0: before the first)", "after", view.config.depth, start=view.config.depth, least=0)


def chosen_layer(view: Selection) -> int:
    """The layer that was chosen on some page or is asked for by the link, without drawing a control; counts from 0."""
    chosen = str(st.session_state.get("layer", st.query_params.get("layer", 1)))
    return min(max(int(chosen), 1), view.config.depth) - 1 if is_number(chosen) else 0


def token_options(view: Selection) -> list[str]:
    """All tokens as the URL names them: special tokens by name, patches by number from 1."""
    return [*view.config.prefix_tokens, *map(str, range(1, view.config.patches + 1))]


def token_name(view: Selection, token: int) -> str:
    """What a token is called on screen: "[class]", or "patch 38 (row 4, column 2)"."""
    specials = view.config.prefix_tokens
    if token < len(specials):
        return f"[{specials[token]}]"
    place = token - len(specials)
    row, column = divmod(place, view.config.grid[1])
    return f"patch {place + 1} (row {row + 1}, column {column + 1})"


def cell(view: Selection, token: int) -> tuple[int, int] | None:
    """Row and column of a patch token on the grid, counted from 0; a special token has none."""
    patch = token - len(view.config.prefix_tokens)
    return divmod(patch, view.config.grid[1]) if patch >= 0 else None


def _middle(view: Selection) -> int:
    """The patch in the middle of the grid, counted from 0."""
    rows, columns = view.config.grid
    return (rows - 1) // 2 * columns + (columns - 1) // 2


def _whole(label: str, key: str, most: int, start: int = 1, least: int = 1) -> int:
    if least == most:
        return most
    _forget_if(st.session_state.get(key, 1) > most, key)
    heed_number(key, least, most)
    usual = None if start == least else start  # a value given here may not be set by the explorer
    return st.slider(label, least, most, value=usual, key=key, bind="query-params")


def _one_of(label: str, key: str, options: Sequence[str], start: str) -> str:
    _forget_if(st.session_state.get(key, start) not in options, key)
    heed(key, options, f"[{options[0]}] and patches 1 to {options[-1]}")
    usual = None if start == options[0] else start  # as in `_whole`
    return st.select_slider(label, options, value=usual, key=key, bind="query-params")


def _forget_if(outgrown: bool, key: str) -> None:
    """Let a choice go that the model on screen no longer has; the slider then starts anew."""
    if outgrown:
        del st.session_state[key]
