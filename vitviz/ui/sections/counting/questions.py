"""Standing questions about any model, answered by counting it and its neighbours."""

from collections.abc import Callable

import streamlit as st

from vitviz import counts
from vitviz.config import ConfigError, ViTConfig, divisors
from vitviz.figures.counts import percent
from vitviz.numbers import exact, short, small


def questions(config: ViTConfig) -> None:
    """The questions, each with its answer folded away: ask the hall first."""
    for question, answer in QUESTIONS.items():
        with st.expander(question.format(short(counts.total_parameters(config)))):
            try:
                st.markdown(answer(config))
            except ConfigError as error:
                st.markdown(f"That model cannot be built: {error}.")


def heads(config: ViTConfig) -> str:
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


def halved_patch(config: ViTConfig) -> str:
    """Patches of half the side."""
    if config.patch_size % 2:
        return f"A patch of {config.patch_size} pixels cannot be halved."
    return "**Four times the patches.** " + _beside(config, config.with_(patch_size=config.patch_size // 2))


def doubled_image(config: ViTConfig) -> str:
    """A picture of twice the side."""
    return "**Four times the patches as well.** " + _beside(config, config.with_(image_size=2 * config.image_size))


def where(config: ViTConfig) -> str:
    """The largest kinds of parameters."""
    total = counts.total_parameters(config)
    largest = sorted(counts.parameter_split(config), key=lambda item: item.count, reverse=True)[:3]
    return "; ".join(
        f"**{item.name}** {exact(item.count)} ({percent(item.count / total)}): {item.formula} = {item.numbers}"
        for item in largest
    )


def deep_or_wide(config: ViTConfig) -> str:
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
    "Do more heads mean more parameters?": heads,
    "What does halving the patch cost?": halved_patch,
    "What does a picture of twice the side cost?": doubled_image,
    "Where do {} sit?": where,
    "Twice as deep, or twice as wide?": deep_or_wide,
}
