"""Training in small: the loss falls, an interruption changes nothing, and the measures mean what they say."""

from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.multiprocessing
from torch import distributed

from vitviz.config import PRESETS
from vitviz.demo import evaluation
from vitviz.demo.artifacts import read_metrics
from vitviz.demo.dataset import Pictures, draw, to_input
from vitviz.demo.objectives import FEW, Batch, MultiTaskModel, objects_per_patch, spread_over_patches
from vitviz.demo.scenes import BLUE, RED
from vitviz.demo.snapshots import decode, encode, read
from vitviz.demo.train import write
from vitviz.demo.training import Plan, Training, centre_positions
from vitviz.measures.positions import logits_with, positions_off, positions_shuffled
from vitviz.model import ViT

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return draw(range(48))


@pytest.fixture(scope="module")
def model() -> ViT:
    return ViT(PRESETS["demo"])


def training(pictures: Pictures, **plan: Any) -> Training:
    few = draw(range(16))
    return Training(Plan(pictures=48, batch=8, warm_up=5, save_every=1000, **plan), pictures, few, CPU)


def test_the_loss_falls(pictures: Pictures) -> None:
    learner = training(pictures, steps=20, hold=20, whole=20, snapshots=())
    losses = []
    for learner.step in range(20):
        losses.append(learner.learn()["loss"])
    assert np.mean(losses[-5:]) < 0.85 * np.mean(losses[:5])


def test_an_interruption_changes_nothing(pictures: Pictures, tmp_path: Path) -> None:
    plan: dict[str, Any] = {"steps": 6, "hold": 2, "whole": 4, "snapshots": (0, 3, 6)}
    straight = training(pictures, **plan)
    straight.run()

    interrupted = training(pictures, **plan)
    interrupted.run(until=3)
    interrupted.save(tmp_path / "state.pt")
    resumed = training(pictures, **plan)
    resumed.resume(tmp_path / "state.pt")
    resumed.run()

    ours, theirs = straight.multitask.state_dict(), resumed.multitask.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert straight.milestones == resumed.milestones
    assert [int(one["steps"]) for one in resumed.snapshots] == [0, 3, 6]

    write(resumed, tmp_path)
    kept = read(tmp_path / "snapshots.safetensors")
    assert kept.steps == (0, 3, 6)
    assert np.array_equal(kept.positions[-1], straight.model.pos_embed[0].detach().half().float())
    assert read_metrics(tmp_path)["training"]["steps"] == 6


def test_another_plan_is_not_continued(pictures: Pictures, tmp_path: Path) -> None:
    training(pictures, steps=6).save(tmp_path / "state.pt")
    with pytest.raises(ValueError, match="saved under another plan"):
        training(pictures, steps=7).resume(tmp_path / "state.pt")


def gradients_of_one_step(process: int, folder: Path) -> None:
    """What one of two processes does: its half of a step; the first one writes down the gradients."""
    distributed.init_process_group("gloo", f"file://{folder}/store", rank=process, world_size=2)
    learner = training(draw(range(48)), steps=1)
    learner.learn()
    if process == 0:
        torch.save({name: value.grad for name, value in learner.multitask.named_parameters()}, folder / "gradients.pt")
    distributed.destroy_process_group()


def test_two_processes_learn_what_one_would(pictures: Pictures, tmp_path: Path) -> None:
    torch.multiprocessing.spawn(gradients_of_one_step, (tmp_path,), nprocs=2)
    together = torch.load(tmp_path / "gradients.pt")
    alone = training(pictures, steps=1)
    alone.learn()
    for name, parameter in alone.multitask.named_parameters():
        assert parameter.grad is not None
        assert torch.allclose(together[name], parameter.grad, atol=1e-5), name


def test_the_learning_rate_rises_stays_and_falls() -> None:
    plan = Plan()
    rates = [plan.rate(step) for step in range(plan.steps)]
    assert rates[0] == pytest.approx(1 / plan.warm_up)
    assert set(rates[plan.warm_up : plan.hold]) == {1}
    assert all(later < earlier for earlier, later in pairwise(rates[plan.hold :]))
    assert rates[-1] == pytest.approx(0.02, abs=0.001)


def test_every_patch_is_told_what_it_shows(pictures: Pictures) -> None:
    batch = Batch(torch.empty(0), torch.from_numpy(pictures.label[:16]), torch.from_numpy(pictures.cover[:16]))
    shares = objects_per_patch(batch)
    assert torch.allclose(shares.sum(-1), torch.ones(16, 144))
    shown = shares.sum(1) > 0
    for label in range(12):
        assert shown[label].nonzero().flatten().tolist() == [0, label + 1]
    for label in range(12, 16):
        assert shown[label].nonzero().flatten().tolist() == [0, RED, BLUE]


def test_attention_on_few_patches_is_not_spread_and_attention_on_all_is() -> None:
    k = 20 * torch.eye(17)[None, None]
    k[:, :, 0] = 0
    assert spread_over_patches(torch.zeros_like(k), k).item() == pytest.approx(log(16 / FEW))
    on_one_patch = 20 * torch.eye(17)[None, None, torch.arange(17).clamp(min=1)]
    assert spread_over_patches(on_one_patch, k).item() == 0
    k[:, :, 0] = 20  # the class token's share is left aside
    assert spread_over_patches(torch.ones_like(k), k).item() == pytest.approx(log(16 / FEW))


def test_training_sees_what_the_model_sees(pictures: Pictures, model: ViT) -> None:
    """With all patches shown, the class loss is that of the model's own forward."""
    image, label = to_input(torch.from_numpy(pictures.image[:4])), torch.from_numpy(pictures.label[:4])
    with torch.no_grad():
        _, parts = MultiTaskModel(model)(Batch(image, label, torch.from_numpy(pictures.cover[:4])), None)
        loss = torch.nn.functional.cross_entropy(model(image), label, label_smoothing=0.05)
    assert parts["class"] == pytest.approx(loss.item(), abs=1e-5)


def test_centred_positions_change_no_answer_and_no_guess(pictures: Pictures) -> None:
    multitask = MultiTaskModel(ViT(PRESETS["demo"], seed=1))
    with torch.no_grad():
        multitask.model.pos_embed.add_(0.5)
        multitask.model.pos_embed[:, 0] -= 0.5
    image, label, cover = (torch.from_numpy(array[:4]) for array in (pictures.image, pictures.label, pictures.cover))
    batch, order = Batch(to_input(image), label, cover), torch.rand(4, 144).argsort(1)
    before, _ = multitask(batch, order)
    centre_positions(multitask)
    after, _ = multitask(batch, order)
    assert torch.allclose(before, after, atol=1e-5)
    assert multitask.model.pos_embed[:, 1:].mean(1).abs().max() < 1e-6


def test_looking_inside_changes_no_answer(pictures: Pictures, model: ViT) -> None:
    seen = evaluation.evaluate(model, pictures, batch=20)
    with torch.no_grad():
        logits = model(to_input(torch.from_numpy(pictures.image)))
    assert np.allclose(seen.logits, logits, atol=1e-5)
    assert np.array_equal(seen.lens[:, -1], logits.argmax(1))
    assert np.allclose(seen.attention.sum(-1), 1, atol=1e-5)
    assert seen.attention.shape == (48, 6, 4, 145)
    assert 6 < seen.distance.mean() < 6.5  # an untrained model looks everywhere alike: 6.23 patches far


def test_other_positions_leave_the_model_alone(pictures: Pictures, model: ViT) -> None:
    before = model.pos_embed.detach().clone()
    image = to_input(torch.from_numpy(pictures.image[:2]))
    plain, off, shuffled = (
        logits_with(model, image, position) for position in (None, positions_off(model), positions_shuffled(model))
    )
    assert torch.equal(plain, model(image))
    assert not torch.equal(plain, off)
    assert not torch.equal(off, shuffled)
    assert torch.equal(model.pos_embed, before)
    moved = [positions_shuffled(model)(before, 1) for _ in range(2)]
    assert torch.equal(*moved)
    assert torch.allclose(moved[0].sum(1), before.sum(1), atol=1e-5)


def test_shuffled_patches_under_shuffled_positions_are_the_same_picture(pictures: Pictures, model: ViT) -> None:
    """Attention does not know the order of tokens: moving patches and positions together changes nothing."""
    image = to_input(torch.from_numpy(pictures.image[:2]))
    with torch.no_grad():
        tokens = model.embed(image)
        order = torch.cat([torch.zeros(1, dtype=torch.long), 1 + torch.randperm(144)])
        a, b = tokens, tokens[:, order]
        for block in model.blocks:
            a, b = block(a), block(b)
        assert torch.allclose(model.classify(a), model.classify(b), atol=1e-5)


def test_looking_everywhere_alike_is_looking_at_the_target_once(pictures: Pictures) -> None:
    everywhere = np.full((48, 6, 4, 145), 1 / 145, np.float32)
    assert np.allclose(evaluation.on_target(everywhere, pictures.target), 144 / 145)
    only = np.concatenate([np.zeros((48, 1)), pictures.target / pictures.target.sum(1, keepdims=True)], 1)
    assert (evaluation.on_target(only[:, None, None], pictures.target) > 5).all()


def test_heads_differ_from_not_at_all_to_wholly() -> None:
    apart = torch.eye(4)
    assert evaluation.jensen_shannon(apart).item() == pytest.approx(log(4))
    assert evaluation.jensen_shannon(torch.full((4, 4), 0.25)).item() == pytest.approx(0, abs=1e-6)


def test_positions_that_fade_with_distance_correlate_with_nearness() -> None:
    centre = np.stack([evaluation.ROW, evaluation.COLUMN], 1).astype(np.float32)
    bumps = np.exp(-((centre[:, None] - centre) ** 2).sum(-1) / 8)
    assert evaluation.position_rank_correlation(np.concatenate([bumps[:1], bumps])) > 0.9
    noise = np.random.default_rng(0).standard_normal((145, 128)).astype(np.float32)
    assert abs(evaluation.position_rank_correlation(noise)) < 0.05


def test_equal_values_share_a_rank() -> None:
    assert evaluation.ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_noise_has_its_share_of_low_frequencies() -> None:
    noise = np.random.default_rng(0).standard_normal((128, 3, 8, 8)).astype(np.float32)
    assert evaluation.low_frequency_share(noise) == pytest.approx(13 / 64, abs=0.01)
    assert evaluation.low_frequency_share(np.ones((1, 1, 8, 8), np.float32)) == pytest.approx(1)


def test_attention_survives_one_byte_per_weight() -> None:
    scores = 3 * np.random.default_rng(0).standard_normal((50, 145)).astype(np.float32)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    kept = decode(encode(weights))
    assert np.allclose(kept.sum(-1), 1, atol=1e-6)
    assert (np.abs(kept - weights).sum(-1) / 2).max() < 0.01
