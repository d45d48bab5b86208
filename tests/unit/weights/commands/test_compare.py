"""`vitviz weights compare`: the largest difference of each tensor, and whether rounding explains it."""

from pathlib import Path

import pytest

from tests.checkpoints import TIMM, save, shaken_state
from vitviz.weights import WeightsError, inspect
from vitviz.weights.__main__ import main
from vitviz.weights.commands.compare import differences, opened
from vitviz.weights.commands.shrink import shrunk

CHANGED = "blocks.1.attn.proj.weight"


def test_equal_models_differ_by_nothing() -> None:
    found = list(differences(inspect(shaken_state(TIMM)), inspect(shaken_state(TIMM))))
    assert {it.name for it in found} == shaken_state(TIMM).keys()
    assert all(it.equal and it.difference == 0 and it.rounded is None for it in found)


@pytest.mark.parametrize("turned", [False, True])
def test_a_shrunk_model_differs_by_its_rounding_and_nothing_else(turned: bool) -> None:
    plan = inspect(shaken_state(TIMM))
    pair = (inspect(shrunk(plan)), plan)
    found = list(differences(*(pair[::-1] if turned else pair)))
    assert all(it.difference > 0 for it in found)
    assert all(it.equal for it in found)


def test_what_was_trained_further_is_not_explained_by_rounding() -> None:
    state = shaken_state(TIMM)
    other = inspect(shrunk(inspect(state)))
    state[CHANGED][0, 0] += 0.05
    found = {it.name: it for it in differences(inspect(state), other)}
    assert [name for name, it in found.items() if not it.equal] == [CHANGED]


def test_two_files_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = shaken_state(TIMM)
    one = save(state, tmp_path / "one.safetensors")
    state[CHANGED][3, 1] += 0.25
    other = save(state, tmp_path / "other.safetensors")
    assert main(["compare", str(one), str(other)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert f"The largest difference is 2.5e-01, in {CHANGED}." in said
    assert said[-1] == "31 of 32 tensors are equal, as far as the bits of both files go."


def test_models_of_other_sizes_are_refused() -> None:
    one, other = (inspect(shaken_state(config)) for config in (TIMM, TIMM.with_(classes=7)))
    with pytest.raises(WeightsError, match=r"head\.\w+ has the shape \(5.*\) in .* and \(7.*\) in .*; only models of"):
        list(differences(one, other))


def test_a_published_model_that_is_not_here(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from vitviz.weights import hub

    monkeypatch.setattr(hub, "local", lambda name: None)
    assert main(["compare", "photo", "dinov2_small"]) == 1
    said = "dinov2_small is not on this machine; vitviz weights fetch dinov2_small fetches it\n"
    assert capsys.readouterr().err == said


def test_models_that_ship_are_known_by_name() -> None:
    assert opened("photo").eight_bits == 72
    assert opened("demo").eight_bits == 0
