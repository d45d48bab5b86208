"""Fine-tuning: PyTorch's own optimiser makes the same steps, the shared model stays, what is frozen does not move."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F
from vitviz.pages.laboratory.five_shots.fine_tuning import step_macs

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.laboratory.fine_tuning import ALL, HEAD, LAST, LEARNS, LONGEST, MOMENTUM, PARTS, begin, go_on, tried_copy
from vitviz.laboratory.shots import Seen
from vitviz.measures.laboratory.five_shots import frozen_vectors
from vitviz.model import ViT
from vitviz.weights import Loaded, build

RATE, SHOTS, PICTURES = 0.02, 2, 4  # at a larger rate what a processor rounds grows with each step


def loaded_of(config: ViTConfig) -> Loaded:
    return build(config, seed=1, device="cpu")


def pictures(config: ViTConfig, classes: int = 2) -> list[torch.Tensor]:
    drawn = torch.Generator().manual_seed(3)
    return [torch.randn(PICTURES, config.channels, *config.image_sides, generator=drawn) for _ in range(classes)]


def begun(loaded: Loaded, learns: str) -> Any:
    given: list[Any] = pictures(loaded.config)
    if learns == HEAD:
        given = [Seen(frozen_vectors(loaded.model, it), np.zeros((len(it), 1, 1, 3), np.uint8)) for it in given]
    return begin(loaded, learns, ((1, SHOTS, SHOTS),) * 2, *given)


def reference(loaded: Loaded, learns: str, steps: int) -> ViT:
    """The same by PyTorch's own momentum and clipping, on a copy of the whole model."""
    model = deepcopy(loaded.model).requires_grad_(False)
    model.head = torch.nn.Linear(loaded.config.dim, 2)
    torch.nn.init.zeros_(model.head.weight)
    torch.nn.init.zeros_(model.head.bias)
    last = f"blocks.{loaded.config.depth - 1}."
    begins = {HEAD: ("head.",), LAST: (last, "norm.", "fc_norm.", "attn_pool.", "head."), ALL: ("",)}[learns]
    learned = [it.requires_grad_() for name, it in model.named_parameters() if name.startswith(begins)]
    optimiser = torch.optim.SGD(learned, RATE, MOMENTUM)
    for step in range(steps):
        optimiser.zero_grad()
        for label, its in enumerate(pictures(loaded.config)):
            at = step % SHOTS
            (F.cross_entropy(model(its[at : at + 1]), torch.tensor([label])) / 2).backward()
        torch.nn.utils.clip_grad_norm_(learned, LONGEST)
        optimiser.step()
    return model


@pytest.mark.parametrize("learns", LEARNS)
@pytest.mark.parametrize("changes", [{}, {"pool": "mean"}, {"pool": "attention"}, {"norm": "batch"}], ids=str)
def test_steps_are_those_of_pytorchs_own_optimiser(
    tiny_config: ViTConfig, learns: str, changes: dict[str, Any]
) -> None:
    loaded = loaded_of(tiny_config.with_(initial="normal", **changes))
    copy = go_on(loaded, go_on(loaded, begun(loaded, learns), 3, RATE), 2, RATE)
    wanted = dict(reference(loaded, learns, 5).named_parameters())
    assert set(copy.values) == {name for name, it in wanted.items() if it.requires_grad}
    for name, it in copy.values.items():
        torch.testing.assert_close(it, wanted[name].detach(), rtol=1e-3, atol=1e-6, msg=name)


def test_the_shared_model_and_the_copy_before_stay_as_they_are(tiny_config: ViTConfig) -> None:
    loaded = loaded_of(tiny_config)
    before = {name: it.clone() for name, it in loaded.model.named_parameters()}
    first = begun(loaded, ALL)
    go_on(loaded, first, 2, RATE)
    assert not any(it.requires_grad for it in loaded.model.parameters())
    for name, it in loaded.model.named_parameters():
        assert torch.equal(it, before[name]), name
        assert name.startswith("head.") or torch.equal(first.values[name], it)


def test_what_is_frozen_does_not_move_and_the_same_steps_move_alike(tiny_config: ViTConfig) -> None:
    loaded, depth = loaded_of(tiny_config), tiny_config.depth
    made = {learns: tried_copy(loaded, go_on(loaded, begun(loaded, learns), 3, RATE)) for learns in LEARNS}
    assert not made[HEAD].moved.any()
    assert not made[LAST].moved[:, :depth].any()
    assert made[LAST].moved[:, depth].all()
    assert made[ALL].moved[0].all()
    again = tried_copy(loaded, go_on(loaded, begun(loaded, ALL), 3, RATE))
    np.testing.assert_array_equal(again.moved, made[ALL].moved)


def test_movements_are_lengths_of_differences_over_lengths(tiny_config: ViTConfig) -> None:
    loaded = loaded_of(tiny_config)
    copy = go_on(loaded, begun(loaded, ALL), 2, RATE)
    own, wanted = dict(loaded.model.named_parameters()), {}
    for part in ("attn", "mlp"):
        names = [name for name in own if name.startswith(f"blocks.1.{part}.")]
        added = torch.cat([(copy.values[name] - own[name]).ravel() for name in names]).norm()
        wanted[part] = float(added / torch.cat([own[name].ravel() for name in names]).norm())
    moved = tried_copy(loaded, copy).moved
    found = [float(moved[PARTS.index(part), 2]) for part in ("attention", "MLP")]
    np.testing.assert_allclose(found, [wanted["attn"], wanted["mlp"]], rtol=1e-4)


def test_a_head_of_zeros_knows_nothing_and_the_shots_are_soon_right(tiny_config: ViTConfig) -> None:
    loaded = loaded_of(tiny_config.with_(initial="normal"))
    first = begun(loaded, ALL)
    knows_nothing = tried_copy(loaded, first)
    assert knows_nothing.loss == pytest.approx(np.log(2))
    assert knows_nothing.right == (0.5, 0.5)
    later = tried_copy(loaded, go_on(loaded, first, 20, RATE))
    assert later.right[0] == 1
    assert later.loss < 0.5 * knows_nothing.loss
    assert (later.step, later.learned) == (20, counts.total_parameters(loaded.config.with_(classes=2)))


@pytest.mark.parametrize("changes", [{"distilled": True}, {"pool": "flatten"}, {"pre_logits": 12}], ids=str)
def test_other_ways_to_an_answer_learn_too(tiny_config: ViTConfig, changes: dict[str, Any]) -> None:
    loaded = loaded_of(tiny_config.with_(initial="normal", **changes))
    for learns in LEARNS:
        first = begun(loaded, learns)
        assert tried_copy(loaded, go_on(loaded, first, 4, RATE)).loss < tried_copy(loaded, first).loss


def test_a_step_costs_three_passes_through_what_learns() -> None:
    config = ViTConfig(image_size=32, patch_size=8, dim=24, depth=3, heads=3, classes=7)
    with_two = config.with_(classes=2)
    assert step_macs(config, 2, HEAD) == 2 * 3 * config.dim * 2
    assert step_macs(config, 2, ALL) == 2 * 3 * counts.total_macs(with_two)
    block = counts.total_macs(with_two) - counts.total_macs(with_two.with_(depth=2))
    assert step_macs(config, 2, LAST) == 2 * 3 * (block + config.dim * 2)
