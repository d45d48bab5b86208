"""Siblings and the CNN learn for a few steps, and an interrupted training is the one that was not interrupted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from vitviz.config import ViTConfig
from vitviz.demo.dataset import TEST, Pictures, draw
from vitviz.demo.training import rate
from vitviz.model import ViT
from vitviz.shelf.cnn import CNN, load_cnn
from vitviz.shelf.learners import Sibling, pick_pairs
from vitviz.shelf.measured import read
from vitviz.shelf.rows import QUEUE, RECIPE, ROWS, SEEDS, SMALL_CNN, TABLE_8, CNNSizes, Recipe, Row, checkpoint
from vitviz.shelf.train import train
from vitviz.shelf.training import Training, dark_share

SHORT = Recipe(
    steps=6, warm_up=2, hold=3, dusk=1, night=5, whole=4, batch=6, pictures=32, tested=16, test_every=3, save_every=2
)
CPU = torch.device("cpu")


def tiny(row: Row) -> Row:
    """The same switches, small sizes, few steps."""
    sizes: ViTConfig | CNNSizes
    if isinstance(row.sizes, ViTConfig):
        sizes = row.sizes.with_(dim=16, depth=2, mlp_dim=16)
    else:
        sizes = replace(row.sizes, width=12, layers=1)
    return replace(row, sizes=sizes, recipe=replace(SHORT, rate=row.recipe.rate, warm_up=min(2, row.recipe.warm_up)))


TINY = {name: tiny(row) for name, row in ROWS.items()}


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return draw(range(32), light=0)


def training(row: str, pictures: Pictures) -> Training:
    return Training(TINY[row], 1, pictures, pictures, CPU)


@pytest.mark.parametrize("row", [name for name in ROWS if "_at_" not in name and "_of_" not in name])
def test_every_row_learns(row: str, pictures: Pictures) -> None:
    one = training(row, pictures)
    before = {name: value.clone() for name, value in one.learner.state_dict().items()}
    one.run()
    after = one.learner.state_dict()
    unmoved = {name for name, value in after.items() if torch.equal(value, before[name])}
    assert not unmoved
    assert all(value.isfinite().all() for value in after.values())
    assert [entry["step"] for entry in one.tested] == [3, 6]


def test_the_mean_of_the_patches_is_what_a_model_without_class_token_learns_from(pictures: Pictures) -> None:
    one = training("gap", pictures)
    assert isinstance(one.learner, Sibling)
    batch, _ = one.draw_batch()
    _, parts = one.learner(batch, None, 0.0)
    loss = torch.nn.functional.cross_entropy(one.learner.model(batch.image), batch.label, label_smoothing=0.05)
    assert parts["class"] == pytest.approx(loss.item(), abs=1e-6)


def test_a_training_that_diverges_stops_and_says_so(pictures: Pictures) -> None:
    one = training("no_layer_norm", pictures)
    with torch.no_grad():
        next(one.learner.parameters()).fill_(torch.inf)
    one.run()
    assert (one.step, one.diverged, [it["step"] for it in one.tested]) == (1, True, [1])


def test_a_row_without_norms_has_none_inside_its_blocks(pictures: Pictures) -> None:
    names = training("no_layer_norm", pictures).learner.state_dict()
    assert not [name for name in names if ".blocks." in name and "norm" in name]
    assert "model.norm.weight" in names


def test_two_siblings_start_alike_but_for_their_switch(pictures: Pictures) -> None:
    none, relative = (training(row, pictures).learner.state_dict() for row in ("none", "relative"))
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
    ours, theirs = straight.learner.state_dict(), again.learner.state_dict()
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
    loss, _ = one.learner(batch, order, 0.2)
    hidden = batch.image.clone()
    for picture, patches in enumerate(order[:, round(0.4 * 144) :]):
        for patch in patches.tolist():
            row, column = divmod(patch, 12)
            hidden[picture, :, 8 * row : 8 * row + 8, 8 * column : 8 * column + 8] = 9
    torch.testing.assert_close(one.learner(batch._replace(image=hidden), order, 0.2)[0], loss)
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
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, data = tmp_path / "runs", tmp_path / "data"
    train([("sincos_2d", 0), ("relative", 1)], runs, data, TINY)
    assert [name for name in read(data) if name != "recipe"] == ["sincos_2d_0", "relative_1"]
    found = read(data)["sincos_2d_0"]
    assert (found["row"], found["seed"], found["tested"][-1]["step"]) == ("sincos_2d", 0, 6)
    config = TINY["sincos_2d"].sizes
    assert isinstance(config, ViTConfig)
    model = ViT(config)
    model.load_state_dict(load_file(checkpoint("sincos_2d", data)))
    assert found["parameters"] == sum(parameter.numel() for parameter in model.parameters())
    assert not checkpoint("relative", data, 1).exists()  # only the first seed ships
    assert checkpoint("relative", runs, 1).exists()
    train([("sincos_2d", 0)], runs, data, TINY)
    assert "All of them are trained" in capsys.readouterr().out


def test_the_queue_holds_every_row_with_three_seeds() -> None:
    assert sorted(QUEUE) == sorted((row, seed) for row in ROWS for seed in SEEDS)
    assert [row for row, _ in QUEUE[:5]] == ["none", "learned", "learned_2d", "sincos_2d", "relative"]
    assert len(TEST) >= RECIPE.tested


def test_a_cnn_is_as_large_as_the_sibling_beside_it() -> None:
    for ours, theirs in (("cnn", "learned"), ("cnn_of_500", "vit_of_500")):
        sizes, config = ROWS[ours].sizes, ROWS[theirs].sizes
        assert isinstance(sizes, CNNSizes)
        assert isinstance(config, ViTConfig)
        count = [sum(it.numel() for it in model.parameters()) for model in (CNN(sizes), ViT(config))]
        assert abs(count[0] / count[1] - 1) < 0.025
    assert set(TABLE_8) < set(ROWS)


@pytest.mark.parametrize("sizes", [CNNSizes(), SMALL_CNN, CNNSizes(width=12, layers=0, channels=1, classes=2)], ids=str)
def test_a_cnn_is_counted_without_being_built(sizes: CNNSizes) -> None:
    from torch.utils.flop_counter import FlopCounterMode

    model = CNN(sizes)
    assert sizes.parameters == sum(it.numel() for it in model.parameters())
    for side in (32, 96):
        with FlopCounterMode(display=False) as counted:
            model(torch.zeros(2, sizes.channels, side, side))
        assert 2 * 2 * sizes.macs(side) == counted.get_total_flops()


def test_the_map_of_a_cnn_moves_with_the_picture() -> None:
    """By a patch, away from the border: a place of the last map sees 95 pixels at most, so most see the border."""
    model = load_cnn().double()
    picture = torch.randn(1, 3, 288, 288, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    here, there = model.features(picture), model.features(picture.roll((8, 16), (2, 3)))
    torch.testing.assert_close(there[..., 10:26, 11:26], here[..., 9:25, 9:24])
    assert model(picture).shape == (1, 16)
