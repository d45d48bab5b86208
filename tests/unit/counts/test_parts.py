"""The table of parts: every line of it means something, and what follows from its axes is what stands there."""

import re

import pytest

from tests.cases import each
from vitviz import palette
from vitviz.activations import ACTIVATIONS, general, local, unrolled
from vitviz.activations import KINDS as ACTIVATION_KINDS
from vitviz.config import FIELDS, ViTConfig
from vitviz.config.stems import convolutions
from vitviz.counts import block_split, parameters, total_macs, total_parameters
from vitviz.counts.anatomy import KINDS, Part
from vitviz.counts.formula import (
    divided,
    matrix_product,
    product,
    put_in,
    shape,
    side_by_side,
    symbols,
    tex,
    times,
    total,
    value,
)
from vitviz.counts.parts import PARTS, PRODUCTS, outcome, parts, products, switches
from vitviz.counts.totals import KNOWN

BASE = ViTConfig()
NUMBERS = symbols(BASE)
FAMILIES = [
    BASE,
    BASE.with_(classes=0),
    BASE.with_(distilled=True, registers=2, input_norm=True, patch_norm=True),
    BASE.with_(registers=4, prefix_positions=False, layer_scale=True, activation="swiglu"),
    BASE.with_(pool="attention", activation="gelu_tanh", patch_bias=False),
    BASE.with_(qkv_bias=False, activation="relu"),
    *(BASE.with_(pool=pool, pre_logits=r, classes=c) for pool in ("mean", "flatten") for r in (0, 5) for c in (0, 9)),
    BASE.with_(pool="attention", activation="relu"),
    BASE.with_(attention="linear", qk_norm=True, head_dim=32),
    *(BASE.with_(norm_order=order, norm=norm) for order in ("pre", "post") for norm in ("rms", "batch")),
    BASE.with_(pool="mean", keep_class_token=True, norm_after_pooling=True),
    BASE.with_(positions="relative"),
    BASE.with_(positions="rotary"),
    BASE.with_(positions="learned_2d"),
    *(BASE.with_(positions=kind, positions_at="every_layer") for kind in ("learned", "learned_2d")),
    BASE.with_(positions_at="every_layer", prefix_positions=False),
    *(BASE.with_(stem=stem, image_size=(64, 96)) for stem in ("conv", "r50")),
]


@pytest.mark.parametrize("lines", [ACTIVATIONS, PARTS, PRODUCTS], ids=["activations", "parts", "products"])
def test_every_condition_holds_for_some_models_and_every_line_for_one(lines: tuple) -> None:
    for line in lines:
        assert set(re.findall(r"(\w+)(?:!?=\S+)?", line.when)) <= set(FIELDS), line
        assert any(config.has(line.when) for config in FAMILIES), line
        assert not line.when.strip() or not all(config.has(line.when) for config in FAMILIES), line


def test_conditions() -> None:
    config = BASE.with_(layer_scale=True, registers=2)
    assert config.has("")
    assert config.has("layer_scale registers pool=class activation!=swiglu distilled=False")
    assert not config.has("distilled")
    assert not config.has("layer_scale pool=attention")
    assert not config.has("pool!=class")
    with pytest.raises(AttributeError, match="no_such_switch"):
        config.has("no_such_switch")


def test_kinds_are_those_that_figures_have_colours_for() -> None:
    assert {part.kind for part in PARTS} | {"stem"} == set(KINDS) <= set(palette.STAGES)
    assert {product.kind for product in PRODUCTS} <= set(palette.STAGES)
    assert {it.kind for it in ACTIVATIONS} == set(ACTIVATION_KINDS) <= set(palette.MEMORY)


@each(FAMILIES)
def test_the_result_of_a_pattern_is_the_activation_that_it_makes(config: ViTConfig) -> None:
    axes = {it.name: it.axes for it in ACTIVATIONS if config.has(it.when)}
    for it in products(config)[len(convolutions(config)) :]:  # of convolutions only the last of a stage makes its map
        factors, result = it.pattern.split(" -> ")
        activation = " ".join(axis for axis in axes[outcome(it, config)].split() if axis not in "b1")
        assert shape(result, symbols(config)) == shape(activation, symbols(config)), it
        assert set(result.split()) <= set(re.findall(r"\w+", factors)), it
        assert len(factors.split(", ")) == 2


@each(FAMILIES)
def test_every_part_makes_an_activation_of_its_stage(config: ViTConfig) -> None:
    assert all(outcome(part, config).startswith("blocks.") == (part.where == "block") for part in parts(config))
    assert len({part.tensor for part in parts(config)}) == len(parts(config))


def test_bare_tensors_matrices_and_biases_are_told_from_their_names() -> None:
    sorts = {part.tensor: (part.sort, part.counted_by) for part in PARTS}
    assert sorts["blocks.{i}.attn.qkv.weight"] == ("matrix", ("exact", "layer table", "back-of-the-envelope"))
    assert sorts["blocks.{i}.attn.qkv.bias"] == ("bias", ("exact", "layer table"))
    assert sorts["blocks.{i}.norm1.bias"] == ("", ("exact", "layer table"))
    assert sorts["blocks.{i}.ls1.gamma"] == sorts["cls_token"] == ("", ("exact",))
    assert sorts["pos_embed"] == ("", ("exact", "back-of-the-envelope"))


@each(FAMILIES)
def test_switches_are_told_by_the_tensors_that_they_bring(config: ViTConfig) -> None:
    told = switches(row.tensor for row in parameters(config))
    patch, norms = {"patch_norm", "patch_bias"}, {"qk_norm", "input_norm", "norm_after_pooling"}
    assert set(told) == {"distilled", "qkv_bias", "layer_scale"} | patch | norms
    assert told == {switch: getattr(config, switch) for switch in told}


def test_the_closed_form_knows_nothing_that_is_not_there() -> None:
    assert set(FIELDS) >= KNOWN
    assert total_parameters(BASE) == 86_567_656
    assert total_macs(BASE) == 17_563_828_224


@pytest.mark.parametrize(
    ("axes", "formula", "count"),
    [
        ("(qkv head dh) d", "3·d·d", 3 * 768 * 768),
        ("d (head dh)", "d·d", 768 * 768),
        ("1 registers d", "registers·d", 0),
        ("d c ph pw", "d·c·ph·pw", 768 * 768),
        ("(2 m) d", "2·m·d", 2 * 3072 * 768),
    ],
)
def test_formula_and_count_of_a_tensor_follow_from_its_axes(axes: str, formula: str, count: int) -> None:
    assert product(axes, NUMBERS) == formula
    assert value(formula, NUMBERS) == count


@pytest.mark.parametrize(
    ("pattern", "formula"),
    [
        ("n (c ph pw), d (c ph pw) -> n d", "n·c·ph·pw·d"),
        ("t d, (head dh) d -> head t dh", "t·d·d"),
        ("head q dh, head k dh -> head q k", "head·t·t·dh"),
        ("head q k, head k dh -> head q dh", "head·t·t·dh"),
        ("d, classes d -> classes", "d·classes"),
    ],
)
def test_multiply_accumulates_follow_from_the_pattern_of_the_product(pattern: str, formula: str) -> None:
    assert matrix_product(pattern, NUMBERS) == formula


def test_heads_that_are_not_as_wide_as_a_token_are_written_apart() -> None:
    assert product("(qkv head dh) d", NUMBERS | {"dh": 32}) == "3·head·dh·d"


def test_a_formula_may_hold_differences_in_brackets() -> None:
    offsets = "(2·gh − 1)·(2·gw − 1)·head"
    assert value(offsets, NUMBERS) == 27 * 27 * 12
    assert put_in(offsets, NUMBERS) == "(2·14 − 1)·(2·14 − 1)·12"
    assert total([offsets, "d", offsets]) == "2·(2·gh − 1)·(2·gw − 1)·head + d"
    assert times("depth", f"{offsets} + d") == "depth·(2·gh − 1)·(2·gw − 1)·head + depth·d"
    assert value(f"depth·{offsets} + depth·d", NUMBERS) == 12 * (27 * 27 * 12 + 768)
    with pytest.raises(ValueError, match="d / 2 is no sum"):
        value("d / 2", NUMBERS)


def test_a_part_may_have_a_formula_that_its_axes_cannot_say() -> None:
    """As relative positions would: one row for each offset between two patches, one column for each head."""
    offsets, axes = "(2·gh − 1)·(2·gw − 1)·head", "(2·gh−1 2·gw−1) head"
    table = Part("blocks.{i}.attn.offsets", axes, "relative positions", "attention", "attn.scores", written=offsets)
    assert shape(table.axes, NUMBERS) == (27 * 27, 12)
    assert table.formula(NUMBERS) == offsets
    assert value(table.formula(NUMBERS), NUMBERS) == 27 * 27 * 12


def test_like_terms_become_one() -> None:
    assert total(["3·d·d", "3·d", "d·d", "d"]) == "4·d·d + 4·d"
    assert total(["m·d", "m", "d·m", "d"]) == "2·d·m + m + d"
    assert total(["d", "d"]) == "2·d"


def test_formulas_in_latex() -> None:
    assert tex("4·d·d + 4·d") == "4d^2 + 4d"
    assert tex("2·d·m + m + d") == "2dm + m + d"
    assert tex("head·dh·d") == r"\mathit{head}\,d_h\,d"
    assert tex("4·128·4·64") == r"4 \cdot 128 \cdot 4 \cdot 64"
    assert tex("2·768 + 3·3,072/2") == r"2 \cdot 768 + \frac{3 \cdot 3,072}{2}"


def test_what_two_products_have_in_common_cancels() -> None:
    assert divided("4·t·d·d + 3·t·d·m", "2·t·d") == "2·d + 3·m/2"
    assert divided("2·t·d·m", "2·head·t·dh") == "d·m/(head·dh)"
    assert divided("2·t", "2·t") == "1"


def test_heads_side_by_side_are_written_as_one_width_where_they_have_it() -> None:
    assert side_by_side("2·head·t·t·dh + t·d·head·dh", NUMBERS) == "2·t·t·d + t·d·d"
    assert side_by_side("2·head·t·t·dh", NUMBERS | {"dh": 3}) == "2·head·t·t·dh"


def test_one_block_by_kind() -> None:
    block = block_split(BASE.with_(layer_scale=True))
    assert [(it.name, it.formula) for it in block] == [
        ("attention", "4·d·d + 4·d"),
        ("MLP", "2·d·m + m + d"),
        ("layer scale", "2·d"),
        ("layer norms", "4·d"),
    ]
    assert sum(it.count for it in block) == 12 * 768**2 + 13 * 768 + 2 * 768


def test_shape_of_axes() -> None:
    assert shape("b n (c ph pw)", NUMBERS) == (1, 196, 768)
    assert shape("1 t d", NUMBERS) == (1, 197, 768)


def test_names_with_and_without_their_block() -> None:
    assert general("blocks.11.attn.q") == "blocks.{i}.attn.q"
    assert local("blocks.11.attn.q") == "attn.q"
    assert general("pool.q") == local("pool.q") == "pool.q"
    assert unrolled(["a", "blocks.{i}.b", "blocks.{i}.c", "d"], 2) == [
        (0, "a"),
        (1, "blocks.0.b"),
        (2, "blocks.0.c"),
        (1, "blocks.1.b"),
        (2, "blocks.1.c"),
        (3, "d"),
    ]
