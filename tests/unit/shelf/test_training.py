"""Two siblings learn for a few steps, and an interrupted training is the one that was not interrupted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from vitviz.demo.dataset import TEST, Pictures, draw
from vitviz.model import ViT
from vitviz.shelf.rows import QUEUE, ROWS, Recipe, checkpoint
from vitviz.shelf.train import results, train
from vitviz.shelf.training import Training, dark_share, pick_pairs, rate

SHORT = Recipe(
    steps=6, warm_up=2, hold=3, dusk=1, night=5, whole=4, batch=6, pictures=32, tested=16, test_every=3, save_every=2
)
TINY = {name: config.with_(dim=16, depth=2, mlp_dim=16) for name, config in ROWS.items()}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return draw(range(32), light=0)


def training(row: str, pictures: Pictures) -> Training:
    return Training(TINY[row], 1, SHORT, pictures, pictures, CPU)


@pytest.mark.parametrize("row", ROWS)
def test_every_row_learns(row: str, pictures: Pictures) -> None:
    one = training(row, pictures)
    before = {name: value.clone() for name, value in one.sibling.state_dict().items()}
    one.run()
    after = one.sibling.state_dict()
    unmoved = {name for name, value in after.items() if torch.equal(value, before[name])}
    assert not unmoved
    assert all(value.isfinite().all() for value in after.values())
    assert [entry["step"] for entry in one.tested] == [3, 6]


@pytest.mark.parametrize("changes", [{"pool": "mean"}, {"registers": 2}, {"norm_order": "post"}], ids=str)
def test_siblings_of_other_switches_learn_too(changes: dict[str, Any], pictures: Pictures) -> None:
    one = Training(TINY["relative"].with_(**changes), 1, SHORT, pictures, pictures, CPU)
    before = {name: value.clone() for name, value in one.sibling.state_dict().items()}
    one.run()
    after = one.sibling.state_dict()
    assert not {name for name, value in after.items() if torch.equal(value, before[name])}
    assert all(value.isfinite().all() for value in after.values())


def test_two_siblings_start_alike_but_for_their_switch(pictures: Pictures) -> None:
    none, relative = (training(row, pictures).sibling.state_dict() for row in ("none", "relative"))
    assert set(relative) - set(none) == {
        f"model.blocks.{layer}.attn.rel_pos.relative_position_bias_table" for layer in range(2)
    }


def test_an_interrupted_training_ends_with_the_same_parameters(pictures: Pictures, tmp_path: Path) -> None:
    straight = training("learned_2d_every_layer", pictures)
    straight.run()
    first = training("learned_2d_every_layer", pictures)
    first.run(tmp_path / "state.pt", until=3)
    again = training("learned_2d_every_layer", pictures)
    again.resume(tmp_path / "state.pt")
    assert again.step == 3
    again.run()
    ours, theirs = straight.sibling.state_dict(), again.sibling.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert straight.tested == again.tested
    other = training("none", pictures)
    with pytest.raises(ValueError, match=r"state\.pt was saved by another model or recipe; delete it"):
        other.resume(tmp_path / "state.pt")


def test_the_hidden_patches_have_no_say(pictures: Pictures) -> None:
    """Where the order is given, the answer is that of the seen patches alone, with their own places."""
    one = training("relative", pictures)
    batch, order = one.draw_batch()
    assert order is not None
    loss, _ = one.sibling(batch, order, 0.2)
    hidden = batch.image.clone()
    for picture, patches in enumerate(order[:, round(0.4 * 144) :]):
        for patch in patches.tolist():
            row, column = divmod(patch, 12)
            hidden[picture, :, 8 * row : 8 * row + 8, 8 * column : 8 * column + 8] = 9
    torch.testing.assert_close(one.sibling(batch._replace(image=hidden), order, 0.2)[0], loss)
    bias = torch.randn(2, 5, 5)
    picked = pick_pairs(bias, torch.tensor([[0, 3, 1]]))
    assert torch.equal(picked[0, :, 1, 2], bias[:, 3, 1])


def test_the_light_fades_and_the_rate_rises_and_falls(pictures: Pictures) -> None:
    assert [dark_share(SHORT, step) for step in range(6)] == [0, 0, 0.25, 0.5, 0.75, 1]
    rates = [round(rate(step, SHORT.warm_up, SHORT.hold, SHORT.steps), 3) for step in range(6)]
    assert rates == [0.5, 1, 1, 1, 0.755, 0.265]
    one = training("none", pictures)
    one.step = 5
    dark, _ = one.draw_batch()
    index = torch.randint(32, (3,), generator=torch.Generator().manual_seed(1_000_003 + 5)).numpy()
    channel = dark.image.flatten(2).std(-1) / torch.from_numpy(pictures.image[index]).float().flatten(1, 2).std(1)
    assert np.ptp(channel.numpy(), axis=1).max() < 1e-5  # nothing but a gain and an offset on each picture


def test_a_row_is_trained_once_and_leaves_a_checkpoint_and_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("vitviz.shelf.train.ROWS", TINY)
    runs, data = tmp_path / "runs", tmp_path / "data"
    train([("sincos_2d", 0), ("relative", 1)], runs, data, SHORT)
    assert [name for name in results(data) if name != "recipe"] == ["sincos_2d_0", "relative_1"]
    found = results(data)["sincos_2d_0"]
    assert (found["row"], found["seed"], found["tested"][-1]["step"]) == ("sincos_2d", 0, 6)
    model = ViT(TINY["sincos_2d"])
    model.load_state_dict(load_file(checkpoint("sincos_2d", data)))
    assert found["parameters"] == sum(parameter.numel() for parameter in model.parameters())
    assert not checkpoint("relative", data, 1).exists()  # only the first seed ships
    assert checkpoint("relative", runs, 1).exists()
    train([("sincos_2d", 0)], runs, data, SHORT)
    assert "All of them are trained" in capsys.readouterr().out


def test_the_queue_holds_every_row_with_three_seeds() -> None:
    assert sorted(QUEUE) == sorted((row, seed) for row in ROWS for seed in range(3))
    assert [row for row, _ in QUEUE[:5]] == ["none", "learned", "learned_2d", "sincos_2d", "relative"]
    assert len(TEST) >= 1000
