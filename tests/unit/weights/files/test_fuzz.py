"""Broken checkpoints by the hundred, as `make fuzz` makes its hundred thousand; and fuzz finds what it looks for."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks.fuzz import checkpoints, frame, stored
from benchmarks.fuzz.checkpoints import CHECKPOINTS, Opened, Upload, broken, fault_of_model, opened
from benchmarks.fuzz.frame import judge, outcomes, summary
from tests.cases import each
from tests.checkpoints import TIMM, save, shaken_state
from vitviz.weights import WeightsError, inspect, load

SEED = 1


def test_every_broken_file_gives_a_model_or_a_sentence() -> None:
    found = list(outcomes(CHECKPOINTS, SEED, range(300)))
    assert [outcome.number for outcome in found] == list(range(300))
    assert [outcome for outcome in found if outcome.wrong] == []
    assert 50 < sum(outcome.what == "checkpoint" for outcome in found) < 150
    assert len({outcome.what for outcome in found}) > 20
    assert "gone wrong: 0" in summary(CHECKPOINTS, found, SEED)


@each(stored.good())
def test_what_is_broken_was_a_checkpoint(name: str) -> None:
    form, tensors, chance = name.split()[0], stored.good()[name], random.Random(0)
    content = stored.safetensors(tensors, None, chance) if form == "safetensors" else b""
    content = content or {"npz": stored.npz, "pth": stored.pth}[form](tensors, chance)
    found = opened(Upload(f"x.{form}", content, None))
    assert fault_of_model(found) == ""
    assert len(found.plan.recipes) > 25


def test_a_seed_and_a_number_name_a_file() -> None:
    assert [broken(SEED, number) for number in range(60)] == [broken(SEED, number) for number in range(60)]
    assert len({broken(seed, number)[1] for seed in (1, 2) for number in range(50)}) > 95
    assert {broken(SEED, number)[0] for number in range(200)} == set(stored.good())


def raises(upload: Upload) -> Opened:
    raise OverflowError(upload.name)


def mumbles(upload: Upload) -> Opened:
    raise WeightsError("x.npz holds a\n# heading, which no Vision Transformer has")


def quotes_all(upload: Upload) -> Opened:
    raise WeightsError(f"x.npz holds {'x' * 900}, which no Vision Transformer has")


def tells_where_it_lies(upload: Upload) -> Opened:
    raise WeightsError(f"{checkpoints._folder().name}/x.npz is a damaged archive")


def whole(folder: Path, **options: Any) -> Opened:
    path = save(shaken_state(TIMM), folder / "x.safetensors")
    return Opened(path, inspect(path, heads=3), load(path, heads=3, device="cpu", **options))


def reads_another_number(folder: Path) -> Opened:
    found = whole(folder)
    found.loaded.model.get_parameter("norm.weight").data[7] += 1e-6
    return found


def reads_nothing(folder: Path) -> Opened:
    found = whole(folder)
    state = shaken_state(TIMM) | {"head.bias": torch.full((5,), float("inf"))}
    found.loaded.model.load_state_dict(state)
    save(state, found.path)
    return found


def has_another_size(folder: Path) -> Opened:
    return whole(folder, image_size=64)


def names_too_few(folder: Path) -> Opened:
    found = whole(folder)
    return replace(found, loaded=replace(found.loaded, labels=("a", "b")))


def names_in_lines(folder: Path) -> Opened:
    found = whole(folder)
    return replace(found, loaded=replace(found.loaded, labels=("a", "b", "c\nd", "e", "f")))


@pytest.mark.parametrize(
    ("opener", "wrong"),
    [
        (raises, "OverflowError"),
        (mumbles, "no sentence for people"),
        (quotes_all, "no sentence for people"),
        (tells_where_it_lies, "no sentence for people"),
    ],
)
def test_a_refusal_that_is_none_is_seen(opener: Callable[[Upload], Opened], wrong: str) -> None:
    assert wrong in judge(replace(CHECKPOINTS, opened=opener), SEED, 0).wrong


@pytest.mark.parametrize(
    ("maker", "wrong"),
    [
        (whole, ""),
        (reads_another_number, "norm.weight is not that of the file"),
        (reads_nothing, "a parameter is no finite number"),
        (has_another_size, "is not that of the file|otherwise than it was understood"),
        (names_too_few, "2 labels for 5 classes"),
        (names_in_lines, "no words for people"),
    ],
)
def test_a_model_that_is_not_that_of_the_file_is_seen(
    maker: Callable[[Path], Opened], wrong: str, tmp_path: Path
) -> None:
    found = fault_of_model(maker(tmp_path))
    assert found == "" if not wrong else any(words in found for words in wrong.split("|"))


def test_a_file_that_takes_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "MOST_SECONDS", 0)
    assert judge(CHECKPOINTS, SEED, 0).wrong.startswith("takes 0.0 s")
