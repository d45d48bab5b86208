"""Find the model: what is found is the nearest there is, or is not called near."""

from itertools import product

import pytest
from vitviz.pages.counting.find_the_model import shown as find_the_model
from vitviz.pages.counting.speed.roofline import MOST_BUILT

from tests.cases import each
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import deep_and_wide, nearest, total_macs, total_parameters
from vitviz.counts.scaling.search import (
    ALIKE,
    COUNTS,
    MLP_STEP,
    NEAR,
    SLENDER,
    STOUT,
    block_count,
    depth_for,
    widened,
    widths,
)
from vitviz.pretrained import PRETRAINED

BASE, DEMO = PRESETS["vit_base_patch16_224"], PRESETS["demo"]
MODELS = {**PRESETS, **{name: model.config for name, model in PRETRAINED.items()}}


@each(product(MODELS, COUNTS))
def test_the_budget_of_a_model_finds_it(name: str, unit: str) -> None:
    config = MODELS[name]
    first = nearest(config, COUNTS[unit](config), unit)[0]
    assert (first.config, first.off) == (config, 0)


@pytest.mark.parametrize(("budget", "unit"), [(50_000_000, "parameters"), (10**9, "MACs"), (7_000_000, "parameters")])
@pytest.mark.parametrize("name", ["demo", "vit_base_patch16_224", "deit_base_distilled_patch16_224", "dinov2_base"])
def test_no_model_with_the_same_ratio_comes_nearer(name: str, budget: int, unit: str) -> None:
    config, count = MODELS[name], COUNTS[unit]
    off = min(
        abs(count(widened(config, dim).with_(depth=depth)) / budget - 1)
        for dim in widths(config)
        for depth in range(1, dim // SLENDER + 1)
        if dim <= STOUT * depth
    )
    found = nearest(config, budget, unit)
    assert abs(found[0].off) <= off + 0.0005
    assert abs(found[0].off) <= min(off, 0.002)
    assert len({it.config.dim for it in found}) == len(found)
    for it in found:
        assert it.count == count(it.config)
        assert it.off == it.count / budget - 1
        assert it.near
        assert it.config.dim / STOUT <= it.config.depth <= it.config.dim / SLENDER


@pytest.mark.parametrize("millions", [3, 5, 8, 13, 20, 50, 86, 100, 300, 632, 1000, 5000])
def test_within_reach_a_budget_is_met_to_half_a_percent(millions: int) -> None:
    found = nearest(BASE, millions * 10**6, "parameters")
    assert abs(found[0].off) < 0.005
    assert all(abs(it.off) <= NEAR for it in found)


@pytest.mark.parametrize(("budget", "dim"), [(1, 64), (100_000, 64), (10**15, 4096)])
def test_a_budget_out_of_reach_finds_one_model_which_is_not_near(budget: int, dim: int) -> None:
    (alone,) = nearest(BASE, budget, "parameters")
    assert alone.config.dim == dim
    assert not alone.near


def test_all_but_the_searched_sizes_stays() -> None:
    config = MODELS["vit_small_patch14_reg4_dinov2.lvd142m"].with_(heads=16, mlp_dim=1024)  # heads of 24, MLP 8/3·d
    for it in nearest(config, 40_000_000, "parameters"):
        searched = {field: getattr(it.config, field) for field in ("dim", "depth", "heads", "mlp_dim")}
        assert it.config == config.with_(**searched)
        assert it.config.head_dim == 24
        assert it.config.mlp_dim / it.config.dim == pytest.approx(8 / 3, rel=0.25)
        assert abs(it.config.mlp_dim - round(it.config.dim * 8 / 3)) % MLP_STEP == 0


@pytest.mark.parametrize(
    "config",
    [
        ViTConfig(image_size=1, patch_size=1, dim=1, depth=1, heads=1, mlp_dim=1, classes=0),
        ViTConfig(dim=7, heads=7, mlp_dim=262_144),
        ViTConfig(dim=65_536, heads=1, mlp_dim=1),
        ViTConfig(image_size=4096, patch_size=1, registers=64, distilled=True),
    ],
)
@pytest.mark.parametrize("unit", COUNTS)
def test_any_model_can_be_on_screen(config: ViTConfig, unit: str) -> None:
    for budget in (1, 10**6, 10**10, 10**13):
        assert nearest(config, budget, unit)


def test_the_curve_meets_the_budget() -> None:
    depth = depth_for(BASE, 200_000_000, "parameters")
    low, high = (total_parameters(BASE.with_(depth=step)) for step in (int(depth), int(depth) + 1))
    assert low <= 200_000_000 <= high


@pytest.mark.parametrize("unit", COUNTS)
@pytest.mark.parametrize("name", ["demo", "dinov2_base"])
def test_a_block_costs_what_another_one_adds(name: str, unit: str) -> None:
    config = MODELS[name]
    deeper = config.with_(depth=config.depth + 1)
    assert block_count(config.with_(depth=1024), unit) == COUNTS[unit](deeper) - COUNTS[unit](config)


def test_the_nearest_is_nearest_to_the_budget_not_to_the_curve() -> None:
    budget = find_the_model.Budget("parameters", 50.0, tuple(nearest(DEMO, 50_000_000, "parameters")))
    best, said = budget.best, find_the_model.nearest(DEMO, budget)
    assert abs(best.off) == min(abs(it.off) for it in budget.found)
    assert said.startswith(f"Nearest to 50.0 M parameters: {find_the_model.off(best.off, 2)}. ")
    curve = widened(DEMO, best.config.dim)
    assert best.config.mlp_dim != curve.mlp_dim
    assert f"{best.config.mlp_dim / best.config.dim:.2f} · d, where the curve has 4.00 · d" in said


def test_a_model_that_meets_its_budget_with_the_usual_mlp_lies_on_the_curve() -> None:
    count = total_parameters(DEMO)
    budget = find_the_model.Budget("parameters", count / 1e6, tuple(nearest(DEMO, count, "parameters")))
    assert budget.best.config == DEMO
    assert find_the_model.nearest(DEMO, budget) == "Nearest to 1.24 M parameters: +0.00 %."


@pytest.mark.parametrize("name", ["demo", "vit_tiny_patch16_224", "vit_small_patch16_224"])
def test_a_deep_and_a_wide_model_take_as_many_multiply_accumulates(name: str) -> None:
    config = MODELS[name]
    found = deep_and_wide(config, total_macs(config), MOST_BUILT)
    assert found is not None
    deep, wide = (it.config for it in found)
    assert deep.depth > wide.depth
    assert deep.dim < wide.dim
    assert total_macs(deep) / total_macs(wide) == pytest.approx(1, abs=2 * ALIKE)
    assert deep_and_wide(config, 10, MOST_BUILT) is None


def test_few_tokens_make_no_two_models_of_gigabytes() -> None:
    two_tokens = ViTConfig(image_size=16, patch_size=16, dim=2048, depth=20, heads=32, mlp_dim=8192)
    budget = total_macs(two_tokens)
    found = deep_and_wide(two_tokens, budget, 2 * total_parameters(two_tokens))
    assert found is not None
    assert min(total_parameters(it.config) for it in found) > 5 * MOST_BUILT
    assert deep_and_wide(two_tokens, budget, MOST_BUILT) is None
