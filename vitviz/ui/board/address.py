"""The selection, read from the page's address; only the board writes it there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from vitviz.addresses.words import DRAWERS, SWITCHES
from vitviz.config import ViTConfig
from vitviz.config.sides import middle
from vitviz.edits import Edits
from vitviz.ui.links import check_choice, check_number
from vitviz.ui.selection import Selection

MOST_DIGITS = 6
NONE = -1
STRONGEST = -1  # the key that nobody has chosen: the one with the largest weight


@dataclass(frozen=True, slots=True)
class Address:
    """What is chosen on the board; layers, heads, tokens and components count from 0."""

    layer: int
    head: int
    query: int
    patch: int  # of the query; one in the middle where the query is no patch
    key: int
    component: int
    after: int
    through: int
    learned: int  # steps of training after which the model is looked at; NONE: as it is
    moment: int
    open: str
    edits: Edits
    switches: Mapping[str, str]


def read(config: ViTConfig) -> Address:
    """The selection that the address asks for; defaults stand for what is missing or out of range."""
    asked = st.query_params.to_dict()
    names = config.prefix_tokens

    def whole(name: str, least: int, most: int, usual: int) -> int:
        text = asked.get(name, "")
        number = int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else usual
        return number if least <= number <= most else usual

    def token(name: str, usual: int) -> int:
        if (text := asked.get(name, "")) in names:
            return names.index(text)
        patch = whole(name, 1, config.patches, 0)
        return len(names) + patch - 1 if patch else usual

    opened = asked.get("open", "")
    return Address(
        layer=whole("layer", 1, config.depth, 1) - 1,
        head=whole("head", 1, config.heads, 1) - 1,
        query=(query := token("query", 0)),
        patch=query - len(names) if query >= len(names) else middle(config.grid),
        key=token("key", STRONGEST),
        component=whole("component", 1, config.dim, 1) - 1,
        after=whole("after", 0, config.depth, config.depth),
        through=whole("through", 1, config.depth, 1),
        learned=whole("learned", 0, 10**MOST_DIGITS, NONE),
        moment=whole("moment", 1, 9, 1) - 1,
        open=opened if opened in DRAWERS else "",
        edits=Edits.read(asked.get("edits", ""), config)[0],
        switches={name: asked[name] if asked.get(name) in values else values[0] for name, values in SWITCHES.items()},
    )


def check_all(config: ViTConfig) -> None:
    """Notify the visitor, once per address, of values that this model does not have."""
    asked = {name: text for name, text in st.query_params.to_dict().items() if name != "open"}
    if st.session_state.get("address_checked", {}) == asked:
        return
    st.session_state["address_checked"] = asked
    tokens = [*config.prefix_tokens, *map(str, range(1, config.patches + 1))]
    named = " ".join(f"[{name}]" for name in config.prefix_tokens)
    for name in ("query", "key"):
        check_choice(name, tokens, f"{named} and patches 1 to {config.patches:,}")
    for name, least, most in (
        ("layer", 1, config.depth),
        ("head", 1, config.heads),
        ("component", 1, config.dim),
        ("through", 1, config.depth),
        ("after", 0, config.depth),
    ):
        check_number(name, least, most)


def beside(address: Address, first: ViTConfig, second: Selection) -> Address:
    """The same place in the model of the second column: what that has fewer of ends earlier, grids lie over each other.

    `placed` in frontend/columns/place.js says the same.
    """
    config = second.config
    query = _same_place(address.query, first, config)
    prefix = len(config.prefix_tokens)
    return replace(
        address,
        layer=min(address.layer, config.depth - 1),
        head=min(address.head, config.heads - 1),
        query=query,
        patch=query - prefix if query >= prefix else middle(config.grid),
        key=address.key if address.key < 0 else _same_place(address.key, first, config),
        component=min(address.component, config.dim - 1),
        after=config.depth if address.after == first.depth else min(address.after, config.depth),
        through=min(address.through, config.depth),
        learned=NONE if second.learned is None else second.learned,
        edits=second.edits,
    )


def _same_place(token: int, first: ViTConfig, second: ViTConfig) -> int:
    """The token of `second` that lies where one of `first` does, or bears its name; else its first one."""
    names, others = first.prefix_tokens, second.prefix_tokens
    if token < len(names):
        return others.index(names[token]) if names[token] in others else 0
    (rows, columns), (down, across) = first.grid, second.grid
    row, column = divmod(token - len(names), columns)
    return len(others) + (2 * row + 1) * down // (2 * rows) * across + (2 * column + 1) * across // (2 * columns)
