"""Find the model: what is found is the nearest there is."""

import pytest

from vitviz.config import PRESETS
from vitviz.counts import nearest, total_parameters
from vitviz.counts.scaling.search import COUNTS, SLENDER, STOUT, WIDEST, depth_for, widened

BASE = PRESETS["vit_base_patch16_224"]


@pytest.mark.parametrize("name", ["vit_tiny_patch16_224", "vit_base_patch16_224", "vit_large_patch16_224"])
@pytest.mark.parametrize("unit", COUNTS)
def test_the_budget_of_a_preset_finds_it(name, unit):
    config = PRESETS[name]
    first = nearest(config, COUNTS[unit](config), unit)[0]
    assert (first.config, first.off) == (config, 0)


@pytest.mark.parametrize(("budget", "unit"), [(50_000_000, "parameters"), (10**9, "MACs")])
def test_no_other_model_of_the_grid_comes_nearer(budget, unit):
    count = COUNTS[unit]
    off = min(
        abs(count(widened(BASE, heads).with_(depth=depth)) / budget - 1)
        for heads in range(1, WIDEST + 1)
        for depth in range(1, 4 * heads + 1)
        if SLENDER * depth <= 64 * heads <= STOUT * depth
    )
    found = nearest(BASE, budget, unit)
    assert abs(found[0].off) == off
    assert [abs(it.off) for it in found] == sorted(abs(it.off) for it in found)
    assert len({it.config for it in found}) == len(found)


@pytest.mark.parametrize("budget", [1, 10**15])
def test_a_budget_out_of_reach_finds_the_smallest_or_the_largest(budget):
    dims = [it.config.dim for it in nearest(BASE, budget, "parameters")]
    assert dims[0] == (64 if budget == 1 else 64 * WIDEST)


def test_the_curve_meets_the_budget():
    depth = depth_for(BASE, 200_000_000, "parameters")
    low, high = (total_parameters(BASE.with_(depth=step)) for step in (int(depth), int(depth) + 1))
    assert low <= 200_000_000 <= high
