"""A model under the hand: a slider for every size, and the model as it was before the last move."""

import streamlit as st

from vitviz.config import ConfigError, ViTConfig
from vitviz.ui.sidebar import OWN, OWN_FIELDS, OWN_START

# field: least, most and step of its slider; a model beyond them stretches its slider
RANGES = {
    "image_size": (16, 1024, 16),
    "patch_size": (1, 64, 1),
    "dim": (32, 2048, 32),
    "depth": (1, 48, 1),
    "heads": (1, 32, 1),
    "mlp_dim": (64, 8192, 64),
    "classes": (1, 1000, 1),
}


def sliders(config: ViTConfig) -> None:
    """One slider for each size of the model on screen, which becomes build-your-own when one is moved.

    Sizes that do not fit together are explained; the last good model stays on screen, and the sliders where they are.
    """
    if st.session_state.get("built") != config.key or _key("dim") not in st.session_state:
        start = {field: getattr(config, field) for field in OWN_FIELDS}
        st.session_state.update({"built": config.key, "build_start": start})
        st.session_state.update({_key(field): size for field, size in start.items()})
    grid = st.grid(4, min_column_width=160)
    for field, label in OWN_FIELDS.items():
        least, most, step = RANGES[field]
        start = st.session_state["build_start"][field]
        with grid.cell():
            st.slider(label, min(least, start), max(most, start), step=step, key=_key(field), on_change=_take)
    try:
        _asked()
    except ConfigError as error:
        st.error(f"{error}. The last model stays.")


def before(config: ViTConfig) -> ViTConfig:
    """The model before the last change; the model itself when nothing has changed yet."""
    last, now = st.session_state.get("build_steps", (config, config))
    if config != now:
        last, now = now, config
    st.session_state["build_steps"] = last, now
    return last


def adopt(config: ViTConfig) -> None:
    """Make `config` the model of the sidebar, and so of every page; to be called from a callback."""
    sizes = {field: getattr(config, field) for field in OWN_FIELDS}
    if st.session_state["model"] != OWN:  # fields that are not drawn yet put nothing into the URL by themselves
        st.query_params.update({field: size for field, size in sizes.items() if size != getattr(OWN_START, field)})
    st.session_state.update({"model": OWN, "built": config.key, **sizes})


def _key(field: str) -> str:
    return f"slide_{field}"


def _asked() -> ViTConfig:
    return ViTConfig(**{field: st.session_state[_key(field)] for field in OWN_FIELDS})


def _take() -> None:
    """Make what the sliders say the model of the sidebar, and so of every page."""
    try:
        config = _asked()
    except ConfigError:
        return
    adopt(config)
