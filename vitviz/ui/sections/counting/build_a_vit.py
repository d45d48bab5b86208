"""A model under the hand: a slider for every size, its switches, and the model as it was before the last move."""

import streamlit as st

from vitviz.config import ViTConfig
from vitviz.ui.sidebar.own_inputs import adopt, say_what_is_on
from vitviz.ui.sidebar.own_model import SIZES, SWITCHES, moved, values_of
from vitviz.ui.widgets import model_field


def controls(config: ViTConfig) -> None:
    """A slider for each size of the model on screen and its switches; it becomes build-your-own when one is moved.

    A slider stops only at sizes that fit the others.
    """
    values = values_of(config)
    if st.session_state.get("built") != config.key or _key("dim") not in st.session_state:
        st.session_state.update({"built": config.key, **{_key(name): value for name, value in values.items()}})
    st.session_state["build_on"] = config
    grid = st.grid(4, min_column_width=160)
    for field in SIZES:
        with grid.cell():
            model_field.slider(field, values, _key(field.name), _take)
    with grid.cell():
        with st.popover(model_field.SWITCHES, width="stretch"):
            for field in SWITCHES:
                if field.whole:
                    model_field.slider(field, values, _key(field.name), _take)
                else:
                    model_field.switch(field, values, _key(field.name), _take)
        say_what_is_on(config)


def before(config: ViTConfig) -> ViTConfig:
    """The model before the last change; the model itself when nothing has changed yet."""
    last, now = st.session_state.get("build_steps", (config, config))
    if config != now:
        last, now = now, config
    st.session_state["build_steps"] = last, now
    return last


def _key(field: str) -> str:
    return f"slide_{field}"


def _take(name: str) -> None:
    """Make the model with what was moved that of the sidebar, and so of every page."""
    on_screen: ViTConfig = st.session_state["build_on"]
    values = moved(values_of(on_screen), name, st.session_state[_key(name)])
    config = on_screen.with_(**values)
    st.session_state["build_on"] = config
    adopt(config)
