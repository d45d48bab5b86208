"""What is changed in the forward pass, and the second picture that this may need: both stand in the address."""

from dataclasses import replace

import streamlit as st

from vitviz.edits import Edits
from vitviz.samples import samples
from vitviz.selection import Selection
from vitviz.ui.links import MOST_LETTERS, escaped, say
from vitviz.ui.sidebar import uploads

LINK, DONOR = "edits", "donor"  # the parameters
MOST_SAID = 3  # sentences about one link


def edited(selection: Selection) -> Selection:
    """`selection` with the edits of the address that its model can have, and the donor; the rest is said, once."""
    config = selection.config
    text, name = (st.query_params.get(parameter, "") for parameter in (LINK, DONOR))
    edits, sentences = Edits.read(text, config)
    donor = (samples().get(name) or uploads.own(name)) if name else None
    if name and donor is None:
        sentences += (f"the second picture “{name[:MOST_LETTERS]}” is not here, or not yours",)
    if donor is None and edits.needs_donor:
        edits = edits.without_donor()
        sentences += ("some of the edits need a second picture; choose one",)
    checked = (text, name, config.key)
    if sentences and st.session_state.get("edits_checked") != checked:
        for sentence in sentences[:MOST_SAID]:
            say(f"Of the edits in the link: {escaped(sentence)}.")
        if len(sentences) > MOST_SAID:
            say(f"Of the edits in the link, {len(sentences) - MOST_SAID} more cannot be made as they stand.")
    st.session_state["edits_checked"] = checked
    return replace(selection, edits=edits, donor=donor)
