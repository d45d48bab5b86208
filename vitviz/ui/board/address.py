"""The selection, read from the page's address; only the board writes it there."""

import streamlit as st

from vitviz.addresses.old import moment_said
from vitviz.addresses.place import TOKENS, numbers, read_place
from vitviz.board.address import Address, read_words
from vitviz.config import ViTConfig
from vitviz.demo.snapshots import snapshots
from vitviz.pages import PAGES
from vitviz.takeaway.training import LEARNER
from vitviz.ui.links import check_choice, check_number


def read(config: ViTConfig, page: str = "") -> Address:
    """What the address of the visitor asks for on a page."""
    return read_words(st.query_params.to_dict(), config, page)


def check_all(config: ViTConfig, page: str) -> None:
    """Notify the visitor, once per address, of values that this model does not have, or this page."""
    words = {name: text for name, text in st.query_params.to_dict().items() if name != "open"}
    if st.session_state.get("address_checked", {}) == words:
        return
    st.session_state["address_checked"] = words
    named = " ".join(f"[{name}]" for name in config.prefix_tokens)
    for name in read_place(words, config)[1]:
        if name in TOKENS:
            usual = "the strongest" if name == "key" else config.prefix_tokens[0] if named else "1"
            check_choice(name, (), f"{named} and patches 1 to {config.patches:,}".strip(" and"), usual)
        else:
            check_number(name, *numbers(config)[name])
    names = PAGES[page].moment_names(config)
    if names and moment_said(words.get("moment", ""), page, names) is None:
        check_choice("moment", names, ", ".join(names), names[0])
    if words.get("model", LEARNER) == LEARNER:
        steps = list(map(str, snapshots().steps))
        check_choice("learned", steps, f"steps {', '.join(steps)}")
