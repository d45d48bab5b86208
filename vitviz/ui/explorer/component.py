"""The explorer on a page: what is mounted, in which order, and how what is chosen goes to the browser and back.

Streamlit resends all data of a component whenever any of it changes, so there are three: the instrument with the
picture, small ones that only carry bytes (a layer each, or the uncoded weights of one query), and one that carries what
is chosen. The page's own controls hold that, because they are bound to the URL.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from vitviz.measures.quantised import largest_variation, quantised_bytes
from vitviz.numbers import bytes_, small
from vitviz.ui import controls
from vitviz.ui.bundle import bundle
from vitviz.ui.explorer import state
from vitviz.ui.explorer.messages import layer_maps, opening, query_weights
from vitviz.ui.explorer.policy import Policy
from vitviz.ui.fallback import explained
from vitviz.ui.selection import Selection, current

LABEL = "The exact view, and the same drawn by the server"

Fallback = Callable[[Selection, int, int, int], None]

FRONTEND = Path(__file__).parent / "frontend"

instrument = st.components.v2.component(
    "vitviz.explorer",
    html=(FRONTEND / "explorer.html").read_text(encoding="utf-8"),
    css=(FRONTEND / "explorer.css").read_text(encoding="utf-8"),
    js=bundle(FRONTEND / "explorer.js"),
)
message = st.components.v2.component("vitviz.message", js=bundle(FRONTEND / "message.js"))
selection = st.components.v2.component("vitviz.selection", js=bundle(FRONTEND / "selection.js"))


def draw(view: Selection, server_drawn: Fallback) -> None:
    """The explorer, the inputs that hold what is chosen, and `server_drawn(view, layer, head, query)` where asked for.

    Must stand at the same place in every run of its page: a component that moves is built anew.
    """
    waiting = st.empty()
    with waiting:
        data = opening(view)
    instrument(key="explorer", data=data)
    st.caption(_amount(view))
    _link(view, server_drawn, controls.chosen_layer(view))
    tray = st.container(gap=None, key="explorer-maps")
    if Policy.of(view.config).complete:
        for place, layer in enumerate(_order(view)):
            with waiting:
                maps = layer_maps(view, layer)
            with tray:
                message(key=f"maps-{place}", data=maps)


def _amount(view: Selection) -> str:
    config, policy = view.config, Policy.of(view.config)
    size = bytes_(config.depth * quantised_bytes(config))
    if policy.complete:
        come = f"all {size} are in the browser"
    elif policy.sendable:
        come = f"{size} in all, of which a layer comes when it is looked at"
    else:
        come = f"{size} in all, of which a query's come when it is looked at"
    return (
        f"{config.depth} layers × {config.heads} heads × {config.tokens} queries × {config.tokens} keys, "
        f"one byte per weight: {come}. What is marked ≈ is read from these bytes, of which a row of {config.tokens} "
        f"weights is at most {small(100 * largest_variation(config.tokens))} % off in all (total variation)."
    )


@st.fragment
@explained()
def _link(view: Selection, server_drawn: Fallback, layer_above: int) -> None:
    """All that runs again when the hand rests; the whole page does when `layer_above`, its ledger's, has changed."""
    carried, waiting = st.container(gap=None, key="explorer-link"), st.empty()
    with st.expander(LABEL, key="explorer-exact", on_change="rerun") as exact:
        shown = state.inputs(view)
        layer, head, query = shown["layer"], shown["head"], shown["query"]
        if exact.open:
            server_drawn(view, layer, head, query)
    with carried:
        selection(key="explorer-selection", data=state.echo(view, shown), on_selection_change=_receive)
    policy = Policy.of(view.config)
    if not policy.complete:
        for wanted in policy.layers(layer):
            with waiting:
                maps = layer_maps(view, wanted)
            with carried:
                message(key=f"layer-{policy.place(wanted)}", data=maps)
    with waiting:
        weights = query_weights(view, layer, query, shown["shows"] == "rollout")
    with carried:
        message(key="query-weights", data=weights)
    if layer != layer_above:
        st.rerun()


def _receive() -> None:
    state.receive(current(), st.session_state["explorer-selection"].selection)


def _order(view: Selection) -> list[int]:
    """The layers, the current one first; the order stays for as long as model and picture do."""
    kept = st.session_state.get("explorer_order")
    if kept is None or kept[0] != view.digest:
        kept = view.digest, Policy.of(view.config).layers(controls.chosen_layer(view))
        st.session_state["explorer_order"] = kept
    return kept[1]
