"""The inputs of build-your-own in the sidebar: the one place where its model is held, and what a link of it carries."""

import streamlit as st

from vitviz.choices import NUMBERS, refusal
from vitviz.config import OWN, ViTConfig
from vitviz.config.sides import read
from vitviz.ui.links import check_choice
from vitviz.ui.sidebar.own_model import (
    AUTO,
    FIELDS,
    SIZES,
    SWITCHES,
    Field,
    Value,
    Values,
    beside_the_paper,
    config_of,
    in_link,
    moved,
    values_of,
)
from vitviz.ui.widgets import model_field


def inputs() -> ViTConfig:
    """A control for each field, bound to the link; raises `ConfigError` where a link's values do not fit together."""
    for field in FIELDS.values():
        if field.name not in NUMBERS:
            _check(field)
    values = {name: st.session_state.get(name, _linked(field)) for name, field in FIELDS.items()}
    columns = st.columns(2)
    for place, field in enumerate(SIZES):
        with columns[place % 2]:
            control = model_field.size if field.sided else model_field.number
            values[field.name] = control(field, field.name, _move, "query-params")
    with st.expander(model_field.SWITCHES):  # a popover that is closed has no inputs on the page, and a link loses them
        for field in SWITCHES:
            if field.whole:
                values[field.name] = model_field.number(field, field.name, _move, "query-params")
            else:
                values[field.name] = model_field.switch(field, values, field.name, _move, "query-params")
    st.session_state["own_values"] = values
    if "adopted" in st.session_state:
        del st.session_state["adopted"]
    config = config_of(values)
    say_what_is_on(config)
    return config


def say_what_is_on(config: ViTConfig) -> None:
    """The switches that are on, in words."""
    on = beside_the_paper(config)
    st.caption(f"On: {', '.join(on)}." if on else "None is on: a model as in the paper.")


def offer(config: ViTConfig) -> None:
    """Let the hand build on `config`; to be called by a page that can `adopt`.

    Streamlit itself writes into the link what is set of a field, but not of one that it has never heard of.
    """
    if st.session_state["model"] != OWN and "offered" not in st.session_state:
        st.session_state.update(_state({name: it.usual for name, it in FIELDS.items() if name not in st.session_state}))
    st.session_state["offered"] = config


def base_config() -> ViTConfig:
    """The model that the hand builds on: the one on screen, or one that no run has got around to drawing."""
    config: ViTConfig = st.session_state.get("adopted", st.session_state["offered"])
    return config


def adopt(config: ViTConfig) -> None:
    """Make `config` the model of the sidebar, and so of every page; to be called from a callback.

    That is one word to `take_over`: a hand may ask for the next run in the middle of a callback, which ends there. It
    holds until a run has drawn all fields: till then the browser may say that it has another model.
    """
    st.session_state["adopted"] = config


def take_over() -> None:
    """Put what was adopted into the fields, before any of them is drawn."""
    if config := st.session_state.get("adopted"):
        values = values_of(config)
        st.session_state.update({"model": OWN, "own_values": values, "offered": config, **_state(values)})


def _move(name: str) -> None:
    """Let what was moved fit the rest, and the rest give way to it."""
    last = st.session_state["own_values"]
    field, choice = FIELDS[name], st.session_state[name]
    if field.sided and read(choice) is None:
        choice = last[name]
    now = moved(last, name, choice)
    st.session_state.update(_state({it: value for it, value in now.items() if it == name or value != last[it]}))
    st.session_state["own_values"] = now


def _state(values: Values) -> dict[str, Value]:
    """What the inputs of these fields hold: a size is a text there."""
    return {name: in_link(it) if FIELDS[name].sided else it for name, it in values.items()}


def _check(field: Field) -> None:
    """Notify the visitor when the link asks for a value that this field cannot have."""
    if field.name not in st.query_params:
        return
    legal = [in_link(value) for value in field.values]
    check_choice(field.name, legal, ", ".join(legal))


def _linked(field: Field) -> Value:
    """The value that a link asks for, where it may be one that no list holds; else the usual one."""
    word = st.query_params.get(field.name, "")
    if field.sided:
        return str(field.usual)
    if field.usual == AUTO:
        return next((value for value in field.values if in_link(value) == word), AUTO)
    if isinstance(field.usual, float) and word and not refusal(field.name, word):
        return float(word)
    return field.usual
