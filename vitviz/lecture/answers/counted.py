"""Quantities of sizes alone, and of what the siblings of the demo reached: no model runs for them."""

from collections.abc import Sequence

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.lecture.answers.quantity import AnswerError, Look, Value, quantity
from vitviz.numbers import exact, percent, small
from vitviz.shelf.measured import all_of
from vitviz.shelf.rows import ROWS


@quantity("number")
def parameters(look: Look) -> Value:
    """Learnable numbers of the model (`counts.total_parameters`)."""
    count = counts.total_parameters(look.config)
    return Value(count, f"{exact(count)} parameters")


@quantity("number")
def multiply_adds(look: Look) -> Value:
    """Multiply-accumulates of one forward pass (`counts.total_macs`)."""
    count = counts.total_macs(look.config)
    return Value(count, f"{exact(count)} multiply-adds for one picture")


@quantity("number")
def attention_weights(look: Look) -> Value:
    """Attention weights of one forward pass: depth · heads · t², none in linear attention."""
    config = look.config
    count = counts.attention_weights(config)
    if not count:
        return Value(0, "0 attention weights: linear attention compares no token with every other")
    product = f"{config.depth} layers × {config.heads} heads × {exact(config.tokens)} × {exact(config.tokens)}"
    return Value(count, f"{product} = {exact(count)} attention weights")


@quantity("number")
def patch_values(look: Look) -> Value:
    """Numbers in one patch: its pixels times its channels."""
    count = look.config.patch_values
    return Value(count, f"{exact(count)} numbers in each patch")


@quantity("choose")
def largest_part(look: Look) -> Value:
    """The kind of part that has the most parameters (`counts.parameter_split`): "MLP", "attention", "head" ..."""
    return _largest(counts.parameter_split(look.config), "parameters")


@quantity("choose")
def largest_product(look: Look) -> Value:
    """The kind of product that takes the most multiply-accumulates (`counts.mac_split`): "MLP", "QKᵀ" ..."""
    return _largest(counts.mac_split(look.config), "multiply-adds")


@quantity("choose")
def weights_at_half_the_patch(look: Look) -> Value:
    """How many times as many attention weights there are when both sides of a patch are halved, rounded: "16" ..."""
    half = _half_the_patch(look.config)
    before, after = map(counts.attention_weights, (look.config, half))
    if not before:
        raise AnswerError("linear attention makes no attention weights; take a model whose attention is full")
    times = small(after / before)
    return Value(str(round(after / before)), f"{exact(before)} attention weights become {exact(after)}: {times} times")


@quantity("choose")
def parameters_at_half_the_patch(look: Look) -> Value:
    """How many times as many parameters there are when both sides of a patch are halved, rounded: "1" ..."""
    return _times(look.config, _half_the_patch(look.config))


@quantity("choose")
def parameters_at_twice_the_width(look: Look) -> Value:
    """How many times as many parameters there are at twice the dim, MLP and heads, rounded: "4" ..."""
    config = look.config
    return _times(config, config.with_(dim=2 * config.dim, mlp_dim=2 * config.mlp_dim, heads=2 * config.heads))


@quantity("choose")
def best_sibling(look: Look) -> Value:
    """Which of the siblings that the options name reached the highest accuracy, as a mean over their seeds: "learned".

    As `shelf.measured` has it; the options stand for rows of `shelf.rows`.
    """
    unknown = [row for row in look.options if row not in ROWS]
    found = [] if unknown else all_of(look.options)
    if not found:
        raise AnswerError(
            f"nothing was measured of {', '.join(unknown or look.options)}; the page Siblings has the rows"
        )
    found.sort(key=lambda it: -it.mean("all"))
    text = "; ".join(f"{ROWS[it.row].title}: {percent(it.mean('all'))} right" for it in found)
    return Value(found[0].row, text)


def _largest(items: Sequence[counts.Item], of: str) -> Value:
    largest = max(items, key=lambda item: item.count)
    share = largest.count / sum(item.count for item in items)
    return Value(largest.name, f"{largest.name}: {exact(largest.count)} {of}, {percent(share)} of all")


def _half_the_patch(config: ViTConfig) -> ViTConfig:
    rows, columns = config.patch_sides
    if rows % 2 or columns % 2:
        raise AnswerError(f"patches of {rows} × {columns} pixels have no half; take a model whose patches are even")
    return config.with_(patch_size=(rows // 2, columns // 2))


def _times(config: ViTConfig, other: ViTConfig) -> Value:
    before, after = map(counts.total_parameters, (config, other))
    times = small(after / before)
    return Value(str(round(after / before)), f"{exact(before)} parameters become {exact(after)}: {times} times")
