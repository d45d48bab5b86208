"""The selection, read from the page's address; only the board writes it there."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import streamlit as st

from vitviz.addresses.old import moment_said
from vitviz.addresses.place import MOST_LEARNED, TOKENS, Place, numbers, patch_of, read_place, same_place, whole
from vitviz.addresses.words import DRAWERS
from vitviz.choices import SWITCHES
from vitviz.config import ViTConfig
from vitviz.demo.snapshots import snapshots
from vitviz.edits import Edits
from vitviz.pages import PAGES
from vitviz.takeaway.training import LEARNER
from vitviz.ui.links import check_choice, check_number
from vitviz.ui.selection import Selection

NONE = -1


@dataclass(frozen=True, slots=True)
class Address(Place):
    """What is chosen on the board: a place in the model, and what is done and shown there."""

    patch: int  # of the query; one in the middle where the query is no patch
    learned: int  # steps of training after which the model is looked at; NONE: as it is
    moment: str  # by its name; "" where the page has none
    open: str
    edits: Edits
    switches: Mapping[str, str]


def read(config: ViTConfig, page: str = "") -> Address:
    """The selection that the address asks for on a page; defaults stand for what is missing or out of range."""
    return read_words(st.query_params.to_dict(), config, page)


def read_words(words: dict[str, str], config: ViTConfig, page: str = "") -> Address:
    """The same of an address that says these words."""
    place, _ = read_place(words, config)
    learned = whole(words.get("learned", ""), 0, MOST_LEARNED)
    opened = words.get("open", "")
    names = PAGES[page].moment_names(config) if page else ()
    return Address(
        **asdict(place),
        patch=patch_of(place.query, config),
        learned=NONE if learned is None else learned,
        moment=moment_said(words.get("moment", ""), page, names) or moment_said("", page, names) or "",
        open=opened if opened in DRAWERS else "",
        edits=Edits.read(words.get("edits", ""), config)[0],
        switches={name: words[name] if words.get(name) in values else values[0] for name, values in SWITCHES.items()},
    )


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


def of_second(address: Address, page: str, first: ViTConfig, second: Selection) -> Address:
    """The same place in the model of the second column, with what that column has of its own."""
    there = same_place(address, first, second.config)
    return replace(
        address,
        **asdict(there),
        patch=patch_of(there.query, second.config),
        moment=PAGES[page].same_moment(address.moment, first, second.config),
        learned=NONE if second.learned is None else second.learned,
        edits=second.edits,
    )
