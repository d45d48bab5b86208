"""The drawers of *Intervene*: details, formula and code."""

from dataclasses import replace

import streamlit as st

from vitviz.edits import Edits
from vitviz.equations import stream
from vitviz.measures import interventions
from vitviz.ui import page
from vitviz.ui.board import address
from vitviz.ui.board.pictures import second_run
from vitviz.ui.selection import current

from . import details


def show() -> None:
    """Draw it."""
    selection = current()
    config = selection.config
    at = address.read(config)
    edited = replace(selection, edits=at.edits, donor=second_run(selection).picture)

    if page.drawer("details"):
        details.listed(at.edits, config)
        if config.classes:
            details.answers(edited)
            details.lens(edited)
        else:
            details.moved(edited)
        details.maps(edited, at.layer, at.head, at.query)

    if page.drawer("formula"):
        for latex, numbers in details.formulas(config):
            page.formula(latex, numbers)
        st.caption(
            "A head is scaled before the output projection: its slice times λ, the same as scaling its columns of Wₒ. "
            f"The bias bₒ belongs to no head. {stream.off(config)}"
        )
        if any(at.edits.of("causal")):
            st.caption(details.causal(config))
        if any(at.edits.of("dropout", "drop_path")):
            st.caption(
                "Dropout multiplies by m / (1 − p), m being 0 or 1 by chance, after the positions, at the weights, "
                "after Wₒ and twice in the MLP; drop path does so with the whole attention or MLP branch."
            )

    if page.drawer("code"):
        maps = (interventions.heads_off, interventions.occluded, interventions.put_in)
        measured = maps if config.classes else (interventions.moved,)
        page.source("ViT.go_on", Edits.read, *measured)
