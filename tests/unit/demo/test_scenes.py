"""The demo's world: the same picture for the same seed everywhere, and the right answer on each."""

from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from vitviz.demo.dataset import GRID, PATCH, TEST, VALIDATION, draw, to_input, training_pictures, training_seeds
from vitviz.demo.samples import SAMPLES, WATCHED
from vitviz.demo.scenes import BLUE, CLASSES, RED, SIZE, THINGS, paint, render
from vitviz.images import DEMO


@pytest.mark.parametrize(
    ("seed", "digest"),
    [
        (0, "7c9359b3e51c9fe7"),
        (5, "2ffc396618f0488e"),
        (14, "45ca33f6486350aa"),
        (SAMPLES[0].seed, "90aa1928218a8762"),
    ],
)
def test_a_seed_gives_the_same_picture_everywhere(seed: int, digest: str) -> None:
    scene = render(seed)
    assert sha256(scene.image.tobytes() + scene.mask.tobytes()).hexdigest()[:16] == digest


def test_a_scene_is_a_picture_with_its_class_and_its_target() -> None:
    for seed in range(16):
        image, label, mask = render(seed)
        assert (image.mode, image.size) == ("RGB", (SIZE, SIZE))
        assert label == seed
        assert mask.dtype == bool
        assert mask.shape == (SIZE, SIZE)
        assert 0.02 < mask.mean() < 0.4


@pytest.mark.parametrize("relation", range(4))
def test_balls_lie_as_the_class_says(relation: int) -> None:
    for start in range(10):
        _, objects = paint(16 * start + len(THINGS) + relation)
        down, right = np.argwhere(objects == BLUE).mean(0) - np.argwhere(objects == RED).mean(0)
        wanted = {"left": right, "right": -right, "above": down, "below": -down}
        assert wanted[CLASSES[len(THINGS) + relation].split()[2]] > 1.9 * min(abs(right), abs(down))


@pytest.mark.parametrize("relation", range(4))
def test_balls_that_exchange_their_colours_lie_as_the_opposite_class_says(relation: int) -> None:
    seed = 16 * 3 + len(THINGS) + relation
    scene, exchanged = render(seed), render(seed, exchanged=True)
    _, objects = paint(seed)
    _, others = paint(seed, exchanged=True)
    assert {CLASSES[scene.label], CLASSES[exchanged.label]} in (
        {"red ball left of blue ball", "red ball right of blue ball"},
        {"red ball above blue ball", "red ball below blue ball"},
    )
    assert np.array_equal(scene.mask, exchanged.mask)
    assert np.array_equal(objects == RED, others == BLUE)
    apart = np.abs(np.asarray(scene.image, int) - np.asarray(exchanged.image, int)).max(axis=2)
    assert apart[~scene.mask].mean() < 1 < 50 < apart[scene.mask].mean()


def test_the_light_changes_no_more_than_the_light() -> None:
    with_light, objects = paint(6)
    without, same_objects = paint(6, light=0)
    reversed_, _ = paint(6, light=-1)
    difference = np.asarray(with_light, int) - np.asarray(without, int)
    assert np.array_equal(objects, same_objects)
    assert 5 < difference[:10].mean() - difference[-10:].mean() < 65
    assert np.abs(difference + np.asarray(reversed_, int) - np.asarray(without, int))[30:60, 30:60].mean() < 2


def test_cover_counts_the_pixels_of_the_mask() -> None:
    pictures = draw([4, 13])
    for index, seed in enumerate((4, 13)):
        mask = render(seed).mask
        assert pictures.cover[index].sum() == mask.sum()
        row, column = 5, 7
        square = mask[row * PATCH : (row + 1) * PATCH, column * PATCH : (column + 1) * PATCH]
        assert pictures.cover[index].sum(axis=0)[row * GRID + column] == square.sum()
    assert pictures.cover[0, 1].sum() == 0


def test_no_scene_for_testing_is_ever_trained_on() -> None:
    learned = set(islice(training_seeds(), 32_000))
    assert learned.isdisjoint(TEST)
    assert learned.isdisjoint(VALIDATION)
    assert set(TEST).isdisjoint(VALIDATION)
    assert learned.isdisjoint(sample.seed for sample in SAMPLES)


def test_half_of_the_training_scenes_show_relations() -> None:
    labels = np.array(list(islice(training_seeds(), 2400))) % 16
    counts = np.bincount(labels)
    assert counts[: len(THINGS)].tolist() == [100] * 12
    assert counts[len(THINGS) :].tolist() == [300] * 4


def test_drawn_pictures_are_read_again(tmp_path: Path) -> None:
    first = training_pictures(48, tmp_path, workers=0)
    kept = training_pictures(48, tmp_path, workers=0)
    assert len(list(tmp_path.iterdir())) == 1
    for name in ("image", "label", "cover"):
        assert np.array_equal(getattr(first, name), getattr(kept, name))


def test_the_app_prepares_a_scene_as_training_did() -> None:
    import torch

    image = render(SAMPLES[0].seed).image
    assert torch.allclose(DEMO(image), to_input(torch.from_numpy(np.array(image))[None]), atol=1e-6)


def test_samples_are_named_after_their_class() -> None:
    assert len({sample.id for sample in SAMPLES}) == len(SAMPLES)
    assert {sample.scene.label for sample in SAMPLES} >= set(range(len(THINGS), 16))
    for sample in SAMPLES:
        assert sample.title.lower().split(",")[0] == CLASSES[sample.scene.label]
    assert len(WATCHED) == 4
