"""A model under the hand: a slider for every size, its switches, the model before the last move, and questions."""

from collections.abc import Callable

import streamlit as st

from vitviz import counts
from vitviz.config import ConfigError, ViTConfig, divisors
from vitviz.figures.counts import percent
from vitviz.numbers import exact, short, small
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


def questions(config: ViTConfig) -> None:
    """The questions, each with its answer folded away: ask the hall first."""
    for question, answer in QUESTIONS.items():
        with st.expander(question.format(short(counts.total_parameters(config)))):
            try:
                st.markdown(answer(config))
            except ConfigError as error:
                st.markdown(f"That model cannot be built: {error}.")


def _key(field: str) -> str:
    return f"slide_{field}"


def _take(name: str) -> None:
    """Make the model with what was moved that of the sidebar, and so of every page."""
    on_screen: ViTConfig = st.session_state["build_on"]
    values = moved(values_of(on_screen), name, st.session_state[_key(name)])
    config = on_screen.with_(**values)
    st.session_state["build_on"] = config
    adopt(config)


def _more_heads(config: ViTConfig) -> str:
    """More heads, the same everything."""
    others = [number for number in divisors(config.dim) if number != config.heads]
    if not others:
        return "A dim of 1 has room for one head only."
    other = config.with_(heads=min(others, key=lambda number: abs(number - 2 * config.heads)))
    now, then = counts.total_parameters(config), counts.total_parameters(other)
    verdict = "No, not one." if now == then else "Yes."
    return (
        f"**{verdict}** With {other.heads} heads instead of {config.heads} there are {exact(then)} parameters, and "
        f"there were {exact(now)}. The heads share dim {exact(config.dim)}: each gets {exact(other.head_dim)} numbers "
        f"instead of {exact(config.head_dim)}. Only the number of attention maps changes."
    )


def _halved_patch(config: ViTConfig) -> str:
    """Patches of half the side."""
    if config.patch_size % 2:
        return f"A patch of {config.patch_size} pixels cannot be halved."
    return "**Four times the patches.** " + _beside(config, config.with_(patch_size=config.patch_size // 2))


def _doubled_image(config: ViTConfig) -> str:
    """A picture of twice the side."""
    return "**Four times the patches as well.** " + _beside(config, config.with_(image_size=2 * config.image_size))


def _largest(config: ViTConfig) -> str:
    """The largest kinds of parameters."""
    total = counts.total_parameters(config)
    largest = sorted(counts.parameter_split(config), key=lambda item: item.count, reverse=True)[:3]
    return "; ".join(
        f"**{item.name}** {exact(item.count)} ({percent(item.count / total)}): {item.formula} = {item.numbers}"
        for item in largest
    )


def _deep_or_wide(config: ViTConfig) -> str:
    """Twice the depth against twice the dim."""
    deep = config.with_(depth=2 * config.depth)
    wide = counts.resized(config, "dim", 2 * config.dim)
    return f"**Twice as deep.** {_beside(config, deep)}\n\n**Twice as wide.** {_beside(config, wide)}"


def _beside(now: ViTConfig, then: ViTConfig) -> str:
    """What changes between two models, in numbers and as a factor."""
    figures = [
        ("Tokens", now.tokens, then.tokens, exact),
        ("attention weights of one head", now.tokens**2, then.tokens**2, exact),
        ("parameters", counts.total_parameters(now), counts.total_parameters(then), exact),
        ("multiply-accumulates", counts.total_macs(now), counts.total_macs(then), short),
    ]
    changes = [
        f"{name} {say(before)} → {say(after)} (× {small(after / before)})" if before != after else f"{name} unchanged"
        for name, before, after, say in figures
    ]
    return f"{'; '.join(changes)}."


QUESTIONS: dict[str, Callable[[ViTConfig], str]] = {
    "Do more heads mean more parameters?": _more_heads,
    "What does halving the patch cost?": _halved_patch,
    "What does a picture of twice the side cost?": _doubled_image,
    "Where do {} sit?": _largest,
    "Twice as deep, or twice as wide?": _deep_or_wide,
}
