"""The explorer's view as Streamlit's own inputs, which are bound to the URL and shared with the other pages."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from vitviz.ui.links import heed
from vitviz.ui.view import View

SHOWS = ("looks at", "is looked at by", "rollout")
SCALES = ("shared", "per head")
SWITCHES = ("mean", "pinned")


def inputs(view: View) -> dict[str, Any]:
    """Draw the inputs; the view that they hold, with layers, heads and tokens counted from 0."""
    one, two, three = st.columns(3)
    with one:
        layer = _number("Layer", "layer", view.config.depth)
    with two:
        head = _number("Head", "head", view.config.heads)
    with three:
        tokens = _tokens(view)
        query = _one_of("Query token", "query", tokens)
    with one:
        shows = _one_of("The query", "shows", SHOWS)
    with two:
        scale = _one_of("Scale", "scale", SCALES)
    with three:
        mean = st.toggle("Head mean", key="mean", bind="query-params")
        pinned = st.toggle("Pinned", key="pinned", bind="query-params")
    place = tokens.index(query)
    return {
        "layer": layer,
        "head": head,
        "query": place,
        "shows": shows,
        "scale": scale,
        "mean": mean,
        "pinned": pinned,
    }


def take_over(view: View, sent: Mapping[str, Any]) -> None:
    """Make what a browser sent the value of the inputs; what the model does not have is left out."""
    tokens = _tokens(view)
    for name, many in (("layer", view.config.depth), ("head", view.config.heads)):
        if many > 1 and _is_index(sent.get(name), many):
            st.session_state[name] = sent[name] + 1
    if _is_index(sent.get("query"), len(tokens)):
        st.session_state["query"] = tokens[sent["query"]]
    for name, options in (("shows", SHOWS), ("scale", SCALES)):
        if sent.get(name) in options:
            st.session_state[name] = sent[name]
    for name in SWITCHES:
        if isinstance(sent.get(name), bool):
            st.session_state[name] = sent[name]


def _tokens(view: View) -> list[str]:
    """The query's options, as the other pages have them: special tokens by name, patches by number from 1."""
    return [*view.config.special_tokens, *map(str, range(1, view.config.patches + 1))]


def _number(label: str, key: str, most: int) -> int:
    if most == 1:
        return 0
    if st.session_state.get(key, 1) > most:
        del st.session_state[key]
    heed(key, range(1, most + 1), f"{key} 1 to {most}")
    return int(st.number_input(label, 1, most, key=key, bind="query-params")) - 1


def _one_of(label: str, key: str, options: Sequence[str]) -> str:
    if st.session_state.get(key, options[0]) not in options:
        del st.session_state[key]
    heed(key, options, f"{options[0]} to {options[-1]}")
    return st.selectbox(label, options, key=key, bind="query-params")


def _is_index(value: object, length: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length
