"""What is chosen in the explorer, as Streamlit's own inputs: bound to the URL, and shared with the other pages."""

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

import streamlit as st

from vitviz.ui import controls
from vitviz.ui.links import heed
from vitviz.ui.selection import Selection

SHOWS = ("row", "column", "rollout")
SCALES = ("shared", "own")
SWITCHES = {"mean": "Head mean", "pinned": "Pinned"}


def inputs(view: Selection) -> dict[str, Any]:
    """Draw the inputs; what they hold, with layers, heads and tokens counted from 0."""
    one, two, three = st.columns(3)
    with one:
        layer, shows = controls.layer(view), _one_of("Row, column or rollout", "shows", SHOWS)
    with two:
        head, scale = controls.head(view), _one_of("Scale", "scale", SCALES)
    with three:
        query = controls.query(view)
        _hold(controls.token_options(view), query)
        mean, pinned = (st.toggle(label, key=key, bind="query-params") for key, label in SWITCHES.items())
    shown = {"layer": layer, "head": head, "query": query, "shows": shows, "scale": scale}
    return shown | {"mean": mean, "pinned": pinned}


def echo(view: Selection, shown: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser is told: what is `shown`, of which model and picture, and the last message that is in it.

    `session` tells a browser whether this is still the Python that it sent its messages to.
    """
    session = st.session_state.setdefault("explorer_session", token_hex(8))
    return {**shown, "digest": view.digest, "seq": st.session_state.get("explorer_seq", 0), "session": session}


def receive(view: Selection, sent: object) -> None:
    """A browser's message: what the hand changed there becomes the value of the inputs.

    It counts as seen even where it is about a model or picture that is gone, and nothing of it is taken over.
    """
    if isinstance(sent, Mapping) and isinstance(sent.get("seq"), int):
        st.session_state["explorer_seq"] = sent["seq"]
        if sent.get("digest") == view.digest:
            take_over(view, sent)


def take_over(view: Selection, sent: Mapping[str, Any]) -> None:
    """Make `sent` the value of the inputs it names; what the model does not have is left out."""
    tokens = controls.token_options(view)
    for name, many in (("layer", view.config.depth), ("head", view.config.heads)):
        if many > 1 and _is_index(sent.get(name), many):
            st.session_state[name] = sent[name] + 1
    if _is_index(sent.get("query"), len(tokens)):
        st.session_state["query"] = st.session_state["query_by_hand"] = tokens[sent["query"]]
    for name, options in (("shows", SHOWS), ("scale", SCALES)):
        if sent.get(name) in options:
            st.session_state[name] = sent[name]
    for name in SWITCHES:
        if isinstance(sent.get(name), bool):
            st.session_state[name] = sent[name]


def _hold(tokens: Sequence[str], query: int) -> None:
    """Pin a query that came by link or from an input: only one that the hand chose in the browser may follow it on."""
    known = st.session_state.get("query_by_hand", tokens[0])
    if known in tokens and known != tokens[query]:
        st.session_state["pinned"] = True
    st.session_state["query_by_hand"] = tokens[query]


def _one_of(label: str, key: str, options: Sequence[str]) -> str:
    if st.session_state.get(key, options[0]) not in options:
        del st.session_state[key]
    heed(key, options, ", ".join(options))
    return st.selectbox(label, options, key=key, bind="query-params")


def _is_index(value: object, length: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length
