"""Tiles: what follows from a model's sizes, one number each; those that changed light up."""

from collections.abc import Callable, Mapping
from html import escape

import streamlit as st

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.numbers import bytes_, exact, short, small

Figures = Mapping[str, tuple[int, str]]  # label: the count, and how it is written


def tiles(name: str, now: Figures, last: Figures) -> None:
    """One tile per figure, (count, as text); those whose count is not the `last` one light up and say what it was."""
    st.html(
        f'<h3 class="tiles-name">{escape(name)}</h3><div class="tiles">'
        + "".join(_tile(label, figure, last.get(label)) for label, figure in now.items())
        + "</div>"
    )


def sizes(config: ViTConfig) -> Figures:
    """What follows from the sizes before anything is learned."""
    t, wide, weights = config.tokens, config.head_dim, counts.attention_weights(config) // config.depth
    what = "attention weights of a layer" if weights else "sums of φ(k)·v of a layer"
    many = weights or config.heads * wide * wide
    return {
        "tokens t": (t, exact(t)),
        "numbers in a patch": (config.patch_values, exact(config.patch_values)),
        "components per head": (wide, exact(wide)),
        what: (many, exact(many)),
    }


def parameters(config: ViTConfig) -> Figures:
    """All parameters, and by kind."""
    split = {item.name: item.count for item in counts.parameter_split(config)}
    return _texts({"all parameters": sum(split.values())} | split, exact)


def macs(config: ViTConfig) -> Figures:
    """All multiply-accumulates, and by kind."""
    split = {item.name: item.count for item in counts.mac_split(config)}
    return _texts({"all MACs": sum(split.values())} | split, short)


def memory(config: ViTConfig) -> Figures:
    """Bytes in use and in training, and of everything that one picture makes."""
    activations = 2 * sum(counts.activation_memory(config).values())
    sums = [sum(item.bytes for item in items(config)) for items in (counts.inference_memory, counts.training_memory)]
    return _texts(
        {"inference, 2 Φ": sums[0], "training, 20 Φ": sums[1], "activations of one picture": activations}, bytes_
    )


def _texts(figures: Mapping[str, int], say: Callable[[int], str]) -> Figures:
    return {name: (count, say(count)) for name, count in figures.items()}


def _tile(label: str, figure: tuple[int, str], last: tuple[int, str] | None) -> str:
    count, text = figure
    changed = last is not None and last[0] != count
    was = f"<small>was {last[1]}{_times(count, last[0])}</small>" if last and changed else ""
    lit = ' class="lit"' if changed else ""
    return f"<div{lit}><small>{escape(label)}</small><b>{text}</b>{was}</div>"


def _times(count: int, last: int) -> str:
    return f", × {small(count / last)}" if last else ""
