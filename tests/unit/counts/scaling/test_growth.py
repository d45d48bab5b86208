"""Growth and complexity: laws that hold to the unit."""

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from tests.cases import each
from tests.unit.counts.random_models import CONFIGS
from tests.unit.equations.formulas import value
from vitviz.config import LIMITS, PRESETS, ViTConfig
from vitviz.counts import complexity, growth, law, macs, overtaking, resized, total_macs, total_parameters
from vitviz.counts.formula import symbols, tex
from vitviz.counts.scaling.growth import FIELDS, squared_macs

BASE = PRESETS["vit_base_patch16_224"]
MODELS = [*PRESETS.values(), ViTConfig(image_size=7, patch_size=7, dim=5, depth=1, heads=5, mlp_dim=3, classes=0)]


@each(product(MODELS, FIELDS))
def test_the_model_itself_lies_on_its_curve(config: ViTConfig, field: str) -> None:
    points = growth(config, field)
    assert all(left.against < right.against for left, right in pairwise(points))
    now = next(point for point in points if point.size == getattr(config, field))
    assert (now.parameters, now.macs) == (total_parameters(config), total_macs(config))
    assert law([now], now, 1) == law([now], now, 2) == [now.macs]


def test_every_point_is_a_model_of_its_own() -> None:
    for field in FIELDS:
        for point in growth(BASE, field):
            config = resized(BASE, field, point.size)
            assert (point.parameters, point.macs) == (total_parameters(config), total_macs(config))


def test_depth_is_linear() -> None:
    steps = {right.macs - left.macs for left, right in pairwise(growth(BASE, "depth"))}
    assert len(steps) == 1


def test_what_is_quadratic_in_the_tokens_is_qk_and_av() -> None:
    for point in growth(BASE, "patch_size"):
        config = BASE.with_(patch_size=point.size)
        products = [row.count for row in macs(config) if row.tensor.endswith(("attn.scores", "attn.z"))]
        assert point.quadratic == sum(products)
        assert point.quadratic * BASE.tokens**2 == growth(BASE, "depth")[BASE.depth - 1].quadratic * config.tokens**2


def test_a_wider_model_keeps_the_ratio_of_its_mlp() -> None:
    assert resized(BASE, "dim", 1536).mlp_dim == 6144


@each(CONFIGS)
def test_attention_overtakes_where_it_is_said_to(config: ViTConfig) -> None:
    """Where the formula says, in symbols and in numbers, both sides are equal in the table of the model's products."""
    found, numbers = overtaking(config), symbols(config)
    block = {row.tensor: row.count for row in macs(config) if row.tensor.startswith("blocks.0.")}
    squared = 0 if config.attention == "linear" else block["blocks.0.attn.scores"] + block["blocks.0.attn.z"]
    others = sum(block.values()) - squared
    assert squared_macs(config) == config.depth * squared
    assert value(tex(found.others), numbers) == others
    if not squared:
        assert (found.at, found.above, found.kinds, found.squared, found.formula) == (None, None, (), "", "")
        return
    assert found.at is not None
    assert found.kinds == ("QKᵀ", "AV")
    assert value(tex(found.squared), numbers) == squared
    assert found.at == value(tex(found.formula), numbers) == value(tex(found.numbers))
    assert found.at * squared / config.tokens**2 == Fraction(others, config.tokens)
    assert found.above == found.at // 1


@pytest.mark.parametrize(
    ("switch", "formula", "above"),
    [
        ({}, "2d + m", 768),
        ({"activation": "swiglu"}, r"2d + \frac{3m}{2}", 1024),
        ({"head_dim": 64}, r"2d + \frac{dm}{\mathit{head}\,d_h}", 512),
    ],
)
def test_where_attention_overtakes_in_words_of_the_lecture(switch: dict[str, Any], formula: str, above: int) -> None:
    found = overtaking(ViTConfig(dim=128, heads=4, mlp_dim=512, depth=4, **switch))
    assert (tex(found.formula), found.above) == (formula, above)


def test_kinds_of_layers_cross_where_the_table_says() -> None:
    attention, recurrence, convolution = complexity(BASE, kernel=3, tokens=BASE.dim)
    assert attention.operations == recurrence.operations == BASE.dim**3
    assert convolution.operations == 3 * recurrence.operations
    attention, _, convolution = complexity(BASE, kernel=3, tokens=3 * BASE.dim)
    assert attention.operations == convolution.operations


@pytest.mark.parametrize(("n", "kernel", "path"), [(197, 3, 5), (9, 3, 2), (10, 3, 3), (1, 3, 0), (7, 1, 7), (8, 2, 3)])
def test_dilated_convolutions_until_the_ends_meet(n: int, kernel: int, path: int) -> None:
    assert complexity(BASE, kernel, tokens=n)[2].path == path


@pytest.mark.parametrize("field", FIELDS)
def test_a_curve_of_linear_attention_has_no_squares(field: str) -> None:
    assert {point.quadratic for point in growth(BASE.with_(attention="linear"), field)} == {0}


def test_a_model_whose_mlp_is_as_wide_as_any_grows_no_further_in_dim() -> None:
    widest = ViTConfig(image_size=16, patch_size=8, dim=400, depth=2, heads=100, mlp_dim=LIMITS["mlp_dim"], classes=3)
    assert [point.size for point in growth(widest, "dim")] == [100, 200, 300, 400]
