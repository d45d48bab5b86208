"""Maps of what an answer owes to each patch, held to other ways of making them."""

from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
import torch

from benchmarks.why.plainly import maps
from tests.cases import each
from tests.unit.measures.test_logit_sum import traced
from tests.unit.switches.test_every_switch import SWITCHES
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures.attention import attention_row, rollout
from vitviz.measures.classes import result
from vitviz.measures.interventions import occluded
from vitviz.measures.logit_sum import NONE
from vitviz.measures.relevance import (
    IN_ONE_RUN,
    MAPS,
    OF_A_CLASS,
    chance,
    gradient_maps,
    parts,
    randomised_maps,
    rank_correlation,
    relevance,
)
from vitviz.model import ViT, attention
from vitviz.samples import samples
from vitviz.trace import Trace, record
from vitviz.weights import Loaded


@pytest.fixture(scope="module")
def fish(demo: Loaded) -> Trace:
    return record(demo.model, demo.preprocess(open_image(samples()["fish"].data)))


def test_attention_and_rollout_are_those_of_other_pages(fish: Trace) -> None:
    last = attention_row(fish, fish.config.depth - 1, 0).mean(axis=0)[1:]
    np.testing.assert_allclose(relevance(fish, "attention", NONE), last, atol=1e-6)
    np.testing.assert_allclose(relevance(fish, "rollout", NONE), rollout(fish)[-1, 0, 1:], atol=1e-6)


def test_occlusion_is_what_hiding_a_patch_takes(fish: Trace) -> None:
    found = relevance(fish, "occlusion", 4, 6)
    changes = occluded(fish, "grey", 0, fish.config.patches)
    np.testing.assert_allclose(found, changes[:, 6] - changes[:, 4], atol=1e-5)


def test_the_gradient_by_pixels_is_the_slope_of_the_logit(fish: Trace) -> None:
    """By differences: a patch whose pixels grow by a thousandth moves the logit by a thousandth of its number."""
    found = gradient_maps(fish, 4)["gradient_input"]
    model, image, (ph, pw) = deepcopy(fish.model).double(), fish["image"].tensor.double(), fish.config.patch_sides
    for patch in (0, 61, 100):
        row, column = divmod(patch, fish.config.grid[1])
        more, less = image.clone(), image.clone()
        cell = (..., slice(row * ph, (row + 1) * ph), slice(column * pw, (column + 1) * pw))
        more[cell] *= 1 + 1e-4
        less[cell] *= 1 - 1e-4
        with torch.no_grad():
            slope = (model(more)[0, 4] - model(less)[0, 4]) / 2e-4
        assert found[patch] == pytest.approx(float(slope), rel=1e-3, abs=1e-4)


def test_gradient_times_attention_is_that_of_another_run(fish: Trace) -> None:
    """Written out block by block with leaves in the place of weights; the matrices multiplied up as in the paper."""
    model, config = fish.model, fish.config
    with torch.enable_grad():
        x, weights = model.embed(fish["image"].tensor.clone().requires_grad_()), []
        for block in map(fish.block, range(config.depth)):
            values: dict[str, torch.Tensor] = {}

            def keep(name: str, value: torch.Tensor, values: dict[str, torch.Tensor] = values) -> torch.Tensor:
                values[name] = value
                return value

            q, k, v = block.attn.projected(block.norm1(x))
            z = attention(q, k, v, keep)
            x = x + block.attn.proj(z.transpose(1, 2).flatten(2))
            x = x + block.mlp(block.norm2(x))
            weights.append(values["weights"])
        logits = model.classify(x)[0]
        slopes = torch.autograd.grad(logits[4] - logits[2], weights)
    whole = torch.eye(config.tokens)
    for slope, each_ in zip(slopes, weights, strict=True):
        whole = whole + (slope[0] * each_[0].detach()).clamp_min(0).mean(dim=0) @ whole
    np.testing.assert_allclose(gradient_maps(fish, 4, 2)["gradient_attention"], whole[0, 1:], rtol=1e-3, atol=1e-6)


def test_only_some_maps_depend_on_the_class(fish: Trace) -> None:
    for name in MAPS:
        same = np.array_equal(relevance(fish, name, 4), relevance(fish, name, 2))
        assert same is (name not in OF_A_CLASS), name


@each(SWITCHES)
def test_there_is_every_map_with_every_switch(name: str, tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(**SWITCHES[name]))
    for map_name in MAPS:
        found = relevance(trace, map_name, NONE)
        assert found.shape == (trace.config.patches,)
        assert np.isfinite(found).all(), map_name


@pytest.mark.parametrize("pool", ["mean", "attention", "flatten"])
def test_without_a_class_token_maps_begin_with_what_is_read(pool: str, tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(pool=pool, registers=1))
    last = relevance(trace, "attention", NONE)
    assert 0 < last.sum() <= 1 + 1e-6
    if pool == "attention":
        np.testing.assert_allclose(last, trace.readout()["pool.weights"].tensor[0, :, 0].mean(dim=0)[1:], atol=1e-6)
    else:
        weights = np.stack(
            [attention_row(trace, trace.config.depth - 1, query).mean(axis=0) for query in range(trace.config.tokens)]
        )
        read = weights[1:] if pool == "mean" else weights
        np.testing.assert_allclose(last, read.mean(axis=0)[1:], atol=1e-6)


def test_chance_is_an_order_that_every_picture_has() -> None:
    assert sorted(chance(10).tolist()) == pytest.approx([at / 10 for at in range(1, 11)])
    np.testing.assert_array_equal(chance(144), chance(144))


def test_ranks_correlate_as_statistics_has_it() -> None:
    draw = np.random.default_rng(3)
    a, b = draw.integers(0, 9, 60).astype(np.float32), draw.normal(size=60).astype(np.float32)
    assert rank_correlation(a, b) == pytest.approx(np.corrcoef(pd.Series(a).rank(), pd.Series(b).rank())[0, 1])
    assert rank_correlation(a, a) == pytest.approx(1)
    assert np.isnan(rank_correlation(a, np.ones_like(a)))
    assert np.isnan(rank_correlation(a, np.where(a > 0, b, np.nan)))


def test_drawn_anew_from_the_head_down_attention_stays_as_long_as_its_layer(fish: Trace) -> None:
    before = {name: it.clone() for name, it in fish.model.state_dict().items()}
    found = randomised_maps(fish, NONE)
    assert len(parts(fish.config)) == fish.config.depth + 2
    for name in IN_ONE_RUN:
        assert found.maps[name].shape == (fish.config.depth + 2, fish.config.patches)
        np.testing.assert_allclose(found.maps[name][0], relevance(fish, name, NONE), atol=1e-6)
    attention_maps = found.maps["attention"]
    np.testing.assert_array_equal(attention_maps[0], attention_maps[1])  # the head is behind all attention
    assert not np.array_equal(attention_maps[1], attention_maps[2])
    assert not np.array_equal(found.maps["sum"][0], found.maps["sum"][1])
    np.testing.assert_allclose(found.alike[:, 0], 1)
    assert all(torch.equal(before[name], it) for name, it in fish.model.state_dict().items())


def test_maps_of_a_model_drawn_anew_are_those_of_code_that_knows_its_parameters_alone(fish: Trace) -> None:
    config, label = fish.config, int(fish["logits"].tensor.argmax())
    drawn, found = ViT(config.with_(initial="trunc_normal"), 0).state_dict(), randomised_maps(fish, NONE)
    plain = []
    for part in range(config.depth + 2):
        model, anew = ViT(config), ("head.", "norm.", *(f"blocks.{config.depth - at}." for at in range(1, part)))
        own = fish.model.state_dict()
        model.load_state_dict({it: (drawn if part and it.startswith(anew) else own)[it] for it in own})
        plain.append(maps(model.requires_grad_(False), fish["image"].tensor, label))
        for name in IN_ONE_RUN:
            largest = float(plain[-1][name].abs().max())
            np.testing.assert_allclose(found.maps[name][part], plain[-1][name], atol=1e-4 * largest, err_msg=name)
    for name, alike in zip(IN_ONE_RUN, found.alike, strict=True):
        its = pd.DataFrame({part: it[name].numpy() for part, it in enumerate(plain)})
        np.testing.assert_allclose(alike, its.corr("spearman")[0], atol=2e-3, err_msg=name)


def test_with_the_only_class_there_are_maps(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(classes=1))
    assert result(trace).shape == (1,)
    assert all(np.isfinite(relevance(trace, name, NONE)).all() for name in MAPS)


def test_a_single_patch_has_one_number(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(image_size=8, patch_size=8))
    assert trace.config.patches == 1
    assert all(relevance(trace, name, NONE).shape == (1,) for name in MAPS)
