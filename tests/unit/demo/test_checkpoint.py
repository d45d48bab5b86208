"""The trained model in the package: small, whole, as good as its metrics say, and better than an untrained one."""

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from vitviz.config import PRESETS
from vitviz.demo import evaluation
from vitviz.demo.artifacts import CHECKPOINT, DATA, SNAPSHOTS, read_metrics
from vitviz.demo.dataset import TEST, Pictures, draw, to_input
from vitviz.demo.evaluation import Evaluation
from vitviz.demo.report import ROWS, Row, card, measure, table
from vitviz.demo.samples import BY_ID, EXCHANGED, SAMPLES, WATCHED
from vitviz.demo.scenes import BLUE, RED, THINGS, paint
from vitviz.demo.snapshots import snapshots
from vitviz.measures.positions import logits_with, positions_off, positions_shuffled
from vitviz.model import ViT


@pytest.fixture(scope="module")
def model() -> ViT:
    model = ViT(PRESETS["demo"])
    model.load_state_dict(load_file(DATA / CHECKPOINT), strict=True)
    return model


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return draw(TEST[:160])


@pytest.fixture(scope="module")
def seen(model: ViT, pictures: Pictures) -> Evaluation:
    return evaluation.evaluate(model, pictures)


def test_the_readme_quotes_what_was_measured() -> None:
    metrics = read_metrics()
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert card(metrics["trained"], metrics["untrained"]) in readme


def test_it_fits_into_the_repository() -> None:
    assert (DATA / CHECKPOINT).stat().st_size <= 3_000_000
    assert (DATA / SNAPSHOTS).stat().st_size <= 1_500_000
    assert {tensor.dtype for tensor in load_file(DATA / CHECKPOINT).values()} == {torch.float16}


def test_it_answers_rightly_on_scenes_it_never_saw(seen: Evaluation, pictures: Pictures) -> None:
    right = seen.logits.argmax(1) == pictures.label
    assert right.mean() >= 0.96
    assert right[pictures.label >= len(THINGS)].mean() >= 0.95


def test_every_sample_is_answered_rightly_and_surely(model: ViT) -> None:
    pictures = draw([sample.seed for sample in SAMPLES])
    logits = torch.from_numpy(evaluation.evaluate(model, pictures).logits)
    sure = logits.softmax(-1)[torch.arange(len(SAMPLES)), torch.from_numpy(pictures.label)]
    assert sure.min() > 0.7


def test_the_answer_turns_round_where_the_balls_exchange_their_colours(model: ViT) -> None:
    scenes = [sample.scene for sample in EXCHANGED.values()]
    logits = model(to_input(torch.from_numpy(np.stack([np.asarray(scene.image) for scene in scenes]))))
    assert logits.argmax(dim=1).tolist() == [scene.label for scene in scenes]


def test_of_balls_in_one_column_the_answer_without_positions_is_wrong_for_every_eye(model: ViT) -> None:
    sample = BY_ID["column"]
    scene, objects = sample.scene, paint(sample.seed)[1]
    (y, x), (below, there) = (np.argwhere(objects == ball).mean(axis=0) for ball in (RED, BLUE))
    assert abs(there - x) < 2 < 28 < below - y, "in pixels of 96: neither is left of the other"
    image = to_input(torch.from_numpy(np.array(scene.image)[None]))
    for places in (positions_off(model), positions_shuffled(model)):
        said = logits_with(model, image, places).softmax(-1)[0]
        assert said.argmax() != scene.label
        assert said.max() > 2 * said[scene.label]


def test_relations_need_positions_and_things_do_not(model: ViT, pictures: Pictures) -> None:
    right = evaluation.answers(model, pictures, positions_shuffled(model)) == pictures.label
    things = pictures.label < len(THINGS)
    assert right[things].mean() >= 0.85
    assert right[~things].mean() <= 0.5


def test_the_class_token_looks_at_the_target(seen: Evaluation, pictures: Pictures) -> None:
    on_target = evaluation.on_target(seen.attention, pictures.target)
    assert on_target.mean() >= 6
    assert on_target.max() >= 10


def test_the_metrics_are_of_this_checkpoint(model: ViT, seen: Evaluation) -> None:
    metrics = read_metrics()
    position, filters = model.pos_embed.detach()[0].numpy(), model.patch_embed.proj.weight.detach().numpy()
    kept = metrics["trained"]
    assert kept["position_rank_correlation"] == pytest.approx(evaluation.position_rank_correlation(position), abs=1e-4)
    assert kept["low_frequency_share"] == pytest.approx(evaluation.low_frequency_share(filters), abs=1e-4)
    assert kept["heads_differ_per_layer"] == pytest.approx(seen.differ.mean(0).tolist(), abs=0.05)
    assert metrics["report"]["scenes"] == 2000
    assert metrics["training"]["parameters"] == 1_235_344


@pytest.mark.parametrize("row", [row for row in ROWS if row.target], ids=lambda row: row.key)
def test_every_target_is_reached(row: Row) -> None:
    metrics = read_metrics()
    assert row.verdict(metrics["trained"][row.key]) == "reached"
    assert row.verdict(metrics["untrained"][row.key]) == "FALLS SHORT" or "positions_shuffled" in row.key


def test_the_report_measures_what_it_prints(model: ViT) -> None:
    few = draw(TEST[:16])
    found = measure(model, few, few, few)
    assert found["light_off"] == found["accuracy"]
    assert set(found) == set(read_metrics()["trained"])
    lines = table(found, found).splitlines()
    assert len(lines) == 1 + len(ROWS)
    assert "at least 0.985" in lines[1]


def test_snapshots_end_with_the_checkpoint(model: ViT) -> None:
    kept = snapshots()
    assert kept.steps[0] == 0
    assert list(kept.steps) == sorted(set(kept.steps))
    moments = len(kept.steps)
    assert kept.positions.shape == (moments, 145, 128)
    assert kept.filters.shape == (moments, 128, 3, 8, 8)
    assert kept.attention.shape == (moments, len(WATCHED), 6, 4, 145)
    assert np.array_equal(kept.positions[-1], model.pos_embed.detach()[0])
    assert np.array_equal(kept.filters[-1], model.patch_embed.proj.weight.detach())
    assert np.allclose(kept.attention.sum(-1), 1, atol=1e-5)
    assert not kept.positions.flags.writeable


def test_the_last_attention_is_that_of_the_checkpoint(model: ViT) -> None:
    now = evaluation.evaluate(model, draw([sample.seed for sample in WATCHED])).attention
    assert (np.abs(now - snapshots().attention[-1]).sum(-1) / 2).max() < 0.03


def test_milestones_belong_to_the_snapshots() -> None:
    milestones = read_metrics()["milestones"]
    assert tuple(one["step"] for one in milestones) == snapshots().steps
    assert milestones[-1]["accuracy"] > 0.95 > 0.2 > milestones[0]["accuracy"]
