"""Maps on trial, held to a plain loop, and what ships of them to the same over a few scenes."""

import numpy as np
import pytest
import torch

from benchmarks.why.plainly import areas
from benchmarks.why.trials import CLOSE, FIRST
from tests.cases import each
from tests.unit.measures.test_logit_sum import traced
from vitviz.config import ViTConfig
from vitviz.demo import trial as scenes
from vitviz.demo.dataset import TEST, draw, to_input
from vitviz.demo.scenes import paint, render
from vitviz.images import open_image
from vitviz.measures.arrays import Array
from vitviz.measures.deletion import FILLS, OF_144, area_under, order_of, steps, trial
from vitviz.measures.logit_sum import NONE
from vitviz.measures.relevance import MAPS, relevance
from vitviz.model import ViT
from vitviz.samples import samples
from vitviz.shelf.rows import SHELF
from vitviz.shelf.trial import FEWER, averaged
from vitviz.trace import record
from vitviz.weights import Loaded, load


def by_a_loop(loaded: Loaded, image: torch.Tensor, order: list[int], label: int, fill: str) -> tuple[Array, Array]:
    """The curves picture by picture, patch by patch."""
    side, across = loaded.config.patch_sides[0], loaded.config.grid[1]
    curves: list[list[float]] = [[], []]
    for count in OF_144:
        for curve, gone in zip(curves, (order[:count], order[count:]), strict=True):
            seen = image.clone()
            for patch in gone:
                top, left = side * (patch // across), side * (patch % across)
                cell = seen[0, :, top : top + side, left : left + side]
                if fill == "grey":
                    cell[:] = 0
                for channel in range(3):
                    source = cell[channel] if fill == "blur" else image[0, channel]
                    if fill != "grey":
                        cell[channel] = source.mean()
            with torch.no_grad():
                curve.append(float(loaded.model(seen)[0].softmax(dim=0)[label]))
    return np.array(curves[0], np.float32), np.array(curves[1], np.float32)


@pytest.mark.parametrize("fill", FILLS)
def test_the_curves_are_those_of_a_plain_loop(fill: str, demo: Loaded) -> None:
    image = demo.preprocess(open_image(samples()["fish"].data))
    trace = record(demo.model, image)
    found = trial(trace, "sum", NONE, fill)
    label = int(trace["logits"].tensor[0].argmax())
    values = relevance(trace, "sum", label)
    assert (np.diff(values[found.order]) <= 0).all()
    # The loop leaves the patches that are there, so its second curve has the first so many of the order.
    deletion, insertion = by_a_loop(demo, image, found.order.tolist(), label, fill)
    np.testing.assert_allclose(found.deletion, deletion, atol=1e-4)
    np.testing.assert_allclose(found.insertion, insertion, atol=1e-4)
    share = np.array(OF_144) / 144
    assert found.area == pytest.approx([np.trapezoid(it, share) for it in (deletion, insertion)], abs=1e-4)


@pytest.mark.parametrize("seed", TEST[100:104])  # of none of which the means are that ship
def test_areas_of_scenes_are_those_of_code_that_knows_the_parameters_alone(seed: int, demo: Loaded) -> None:
    image = to_input(torch.from_numpy(draw([seed]).image))
    trace = record(demo.model, image)
    for name, area in areas(demo.model, image).items():
        assert trial(trace, name, NONE, "grey").area[0] == pytest.approx(area, abs=1e-4), name


def test_both_curves_begin_and_end_where_the_other_ends_and_begins(demo: Loaded) -> None:
    trace = record(demo.model, demo.preprocess(open_image(samples()["cat"].data)))
    answer = float(trace["logits"].tensor[0].softmax(dim=0).max())
    for name in MAPS[:3]:
        found = trial(trace, name, NONE, "grey")
        assert found.deletion[0] == pytest.approx(found.insertion[-1], abs=1e-5) == pytest.approx(answer, abs=1e-5)
        assert found.deletion[-1] == pytest.approx(found.insertion[0], abs=1e-5)


def test_there_are_13_points_where_there_are_as_many_patches() -> None:
    assert steps(144) == list(OF_144)
    for patches in (1, 2, 9, 12, 13, 16, 49, 144, 196, 256, 1024, 4096):
        found = steps(patches)
        assert found == sorted(set(found))
        assert (found[0], found[-1], len(found)) == (0, patches, min(13, patches + 1))


def test_equal_numbers_come_in_the_order_of_the_picture_and_none_last() -> None:
    assert order_of(np.array([1, 3, 3, np.nan, 2], np.float32)).tolist() == [1, 2, 4, 0, 3]
    assert order_of(np.zeros(4, np.float32)).tolist() == [0, 1, 2, 3]


def test_a_batch_norm_never_sees_two_pictures(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(norm="batch"))
    found = trial(trace, "sum", 1, "grey")
    expected = trace["logits"].tensor[0].softmax(dim=0)[1]
    assert found.deletion[0] == pytest.approx(float(expected), abs=1e-6)


def test_without_classes_the_curve_is_that_of_a_component(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(classes=0))
    found = trial(trace, "sum", 5, "mean")
    assert found.deletion[0] == pytest.approx(float(trace["logits"].tensor[0, 5]), abs=1e-5)


def test_a_single_patch_is_there_or_not(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(image_size=8, patch_size=8))
    found = trial(trace, "sum", NONE, "grey")
    assert found.counts.tolist() == [0, 1]
    np.testing.assert_array_equal(found.deletion, found.insertion[::-1])


def test_of_one_class_the_probability_stays_1(tiny_config: ViTConfig) -> None:
    found = trial(traced(tiny_config.with_(classes=1)), "rollout", NONE, "blur")
    np.testing.assert_array_equal([found.deletion, found.insertion], 1)
    assert found.area == pytest.approx([1, 1])


@each(MAPS[:-1])
def test_where_the_model_has_no_numbers_neither_map_nor_curve_has(name: str, tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config)
    torch.nn.init.constant_(model.get_parameter("blocks.0.attn.qkv.weight"), float("nan"))
    trace = record(model, torch.zeros(1, 3, 32, 32))
    assert np.isnan(relevance(trace, name, 1)).all()
    found = trial(trace, name, 1, "grey")
    assert found.order.tolist() == list(range(trace.config.patches))
    assert np.isnan([*found.deletion, *found.insertion, *found.area]).all()


def test_the_areas_are_those_of_another_script() -> None:
    curves = scenes.means("grey")
    areas = {name: area_under(curve[0], OF_144) for name, curve in curves.items()}
    assert areas == pytest.approx(FIRST, abs=CLOSE)


def test_the_means_are_those_of_a_plain_loop(demo: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenes, "MAPS", ("sum",))
    monkeypatch.setattr(scenes, "FILLS", ("grey",))
    found = scenes.measure(demo.model, scenes.SCENES[:2])["grey"]["sum"]
    curves = []
    for seed in scenes.SCENES[:2]:
        image = demo.preprocess(render(seed).image)
        trace = record(demo.model, image)
        label = int(trace["logits"].tensor[0].argmax())
        order = order_of(relevance(trace, "sum", label)).tolist()
        curves.append(by_a_loop(demo, image, order, label, "grey"))
    np.testing.assert_allclose(found, np.mean(curves, axis=0), atol=1e-4)


def test_what_ships_is_the_mean_over_scenes() -> None:
    about = scenes.read()
    assert (about["scenes"], about["first_seed"], about["counts"]) == (100, 10_000_000, list(OF_144))
    for fill in FILLS:
        curves = scenes.means(fill)
        assert list(curves) == list(MAPS)
        for curve in curves.values():
            assert curve.shape == (2, 13)
            np.testing.assert_allclose(curve[:, [0, -1]], curves["chance"][:, [0, -1]], atol=2e-4)


def test_what_ships_of_siblings_is_the_mean_over_scenes_without_light() -> None:
    loaded, curves = load("shelf_gap_0"), []
    for seed in FEWER:
        image = loaded.preprocess(paint(seed, 0)[0])
        trace = record(loaded.model, image)
        label = int(trace["logits"].tensor[0].argmax())
        order = order_of(relevance(trace, "attention", NONE)).tolist()
        curves.append(by_a_loop(loaded, image, order, label, "grey"))
    found = averaged("shelf_gap_0")
    assert found
    assert found[0] == len(curves)
    expected = [np.trapezoid(its, np.array(OF_144) / 144) for its in np.mean(curves, axis=0)]
    assert found[1]["grey"]["attention"] == pytest.approx(expected, abs=1e-3)


@each(SHELF)
def test_maps_of_every_sibling_find_more_than_chance(name: str) -> None:
    found = averaged(name)
    assert found
    for fill in FILLS:
        areas = found[1][fill]
        assert list(areas) == list(MAPS)
        assert areas["sum"][0] < areas["chance"][0]
        assert areas["sum"][1] > areas["chance"][1]


def test_of_other_models_there_are_no_means() -> None:
    assert averaged("photo") is None
    assert averaged("demo") == (100, scenes.areas({fill: scenes.means(fill) for fill in FILLS}))
