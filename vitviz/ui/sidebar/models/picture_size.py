"""How large the pictures are that a model reads, where its positions fit other sizes too, and what each size costs."""

import streamlit as st

from vitviz import counts, numbers
from vitviz.config import ConfigError, ViTConfig
from vitviz.config.sides import spelled, written
from vitviz.pretrained import SIZES, at_size
from vitviz.ui.links import check_choice, forget

WORD = "size"  # the parameter, and the key of the control
FINER = 2  # times as many patches along each side as usual
FLOAT = 4  # bytes


def choose(name: str) -> ViTConfig:
    """The sizes of a model that learned from photographs, on pictures of the size that is chosen."""
    usual = SIZES[name]
    sizes = [written(it.image_size) for it in choices(usual)]
    linked = st.session_state.get(WORD) or st.query_params.get(WORD, "")
    if linked and not _fits(name, linked):
        st.session_state.pop(WORD, None)
    elif linked and linked not in sizes:
        sizes = sorted([*sizes, linked], key=lambda it: at_size(name, it).patches)
    patch = written(usual.patch_size)
    check_choice(WORD, sizes, f"whole patches of {patch} pixels")
    text = st.segmented_control(
        "Pixels of a side",
        sizes,
        default=written(usual.image_size),
        required=True,
        key=WORD,
        bind="query-params",
        help=f"Patches have {patch} pixels a side whatever the picture has; positions are interpolated to their grid.",
    )
    st.caption("  \n".join(_cost(at_size(name, it), usual) for it in sizes))
    return at_size(name, text)


def begin_anew() -> None:
    """Forget the size that was chosen: another model begins with its usual one."""
    st.session_state.pop(WORD, None)
    forget(WORD)


def choices(usual: ViTConfig) -> tuple[ViTConfig, ViTConfig]:
    """The model at its usual size, and at a finer grid; an address may say any other that its patches fill."""
    rows, columns = usual.image_sides
    return usual, usual.with_(image_size=(FINER * rows, FINER * columns))


def _fits(name: str, size: str) -> bool:
    try:
        at_size(name, size)
    except ConfigError:
        return False
    return True


def _cost(config: ViTConfig, usual: ViTConfig) -> str:
    """Patches, what the attention weights take, and how many times the multiply-adds of the usual size."""
    weights, times = FLOAT * counts.attention_weights(config), counts.total_macs(config) / counts.total_macs(usual)
    more = f", {numbers.short(times)} times the multiply-adds" if config != usual else ""
    return (
        f"{spelled(config.image_size)}: {numbers.exact(config.patches)} patches, "
        f"{numbers.bytes_(weights)} of attention weights{more}."
    )
