"""timm's models by name: each answers as timm does, or is refused for what it does differently.

What timm computes is written down in `tests/references`, by `write_timm.py`.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.cases import each
from tests.checkpoints import save
from tests.references.fill import numbers, picture
from tests.references.others import SENTENCES
from vitviz.config import ViTConfig
from vitviz.counts import parameters, total_parameters
from vitviz.weights import Card, WeightsError, load
from vitviz.weights.blueprint import Blueprint, understand
from vitviz.weights.files import Source
from vitviz.weights.sizes import parameter_shapes

FOLDER = Path(__file__).parents[2] / "references"
SIZES, ANSWERS, VARIANTS, OTHERS = (
    json.loads((FOLDER / f"timm_{name}.json").read_text(encoding="utf-8"))
    for name in ("sizes", "answers", "variants", "others")
)
EXACT = 2e-5


def inspect(shapes: dict[str, Any], name: str) -> Blueprint:
    """What a file of these shapes is taken for; whatever is read of it is 0."""
    shapes = {tensor: tuple(shape) for tensor, shape in shapes.items()}
    return understand(Source("model.safetensors", shapes, lambda tensor: torch.zeros(shapes[tensor])), name=name)


def published(name: str) -> tuple[ViTConfig, int]:
    """The sizes of timm's model, and how many parameters it has beside what makes relative positions."""
    sizes = dict(SIZES[name])
    count = sizes.pop("parameters")
    return ViTConfig(**sizes), count


def small_file(name: str, folder: Path) -> Path:
    """The small model of that name as a file, each tensor with the numbers that its name stands for."""
    given = (ANSWERS | VARIANTS)[name]
    state = {tensor: torch.from_numpy(numbers(tensor, shape)) for tensor, shape in given["shapes"].items()}
    (folder / "config.json").write_text(json.dumps(given.get("card", {})), encoding="utf-8")
    return save(state, folder / "model.safetensors")


@torch.no_grad()
def off(name: str, folder: Path, **choice: Any) -> float:
    """How far our answer is from timm's, relative to the largest logit of either."""
    loaded = load(small_file(name, folder), name=name, heads=3, grid=(4, 4), device="cpu", **choice)
    theirs = torch.tensor((ANSWERS | VARIANTS)[name]["answer"])
    ours = loaded.model(torch.from_numpy(picture(32)))[0]
    return float((ours - theirs).abs().max() / theirs.abs().max())


def test_every_other_family_has_its_sentence() -> None:
    assert len(ANSWERS) == 150
    assert len(OTHERS) >= 90
    assert SENTENCES.keys() == OTHERS.keys()
    assert SIZES.keys() == ANSWERS.keys()


@each([*ANSWERS, *VARIANTS])
def test_the_answer_is_that_of_timm(name: str, tmp_path: Path) -> None:
    assert off(name, tmp_path) < EXACT


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("vit_base_patch16_224", {"activation": "gelu_tanh"}),
        ("vit_base_patch16_224", {"epsilon": 1e-3}),
        ("vit_base_patch16_clip_quickgelu_224", {"activation": "gelu"}),
        ("vit_base_patch32_siglip_256", {"activation": "gelu"}),
        ("vit_giantopt_patch16_siglip_256", {"activation": "gelu"}),
    ],
)
def test_another_activation_or_epsilon_would_be_noticed(name: str, choice: dict[str, Any], tmp_path: Path) -> None:
    assert off(name, tmp_path, **choice) > EXACT


@each(SIZES)
def test_the_name_of_a_published_model_tells_all_that_its_tensors_do_not(name: str) -> None:
    config, count = published(name)
    tables = [row.count for row in parameters(config) if "rel_pos" in row.tensor]
    assert total_parameters(config) - sum(tables) == count
    shapes = parameter_shapes(config)
    shown = config.with_(classes=0) if config.input_norm else config  # the head of CLIP is its projection
    for plan in (inspect(shapes, name), inspect(shapes, f"timm/{name}.in1k")):
        assert plan.config == shown
        assert plan.assumptions == {}
        assert plan.sources.heads == ("file" if config.positions == "relative" else "name")
    card = understand(plan.source, Card(name=name))
    assert (card.config, card.assumptions) == (shown, {})
    assert card.sources.heads == ("file" if config.positions == "relative" else "card")


@each(SENTENCES)
def test_another_family_is_refused_for_what_it_does(name: str) -> None:
    with pytest.raises(WeightsError, match=SENTENCES[name]) as error:
        inspect(OTHERS[name], name)
    assert "complete file" not in str(error.value)
    assert len(str(error.value)) < 300


@each(name for name in SENTENCES if "rope_ape" not in name and "rpn" not in name)
def test_its_tensors_tell_without_a_name(name: str) -> None:
    with pytest.raises(WeightsError, match=SENTENCES[name]):
        inspect(OTHERS[name], "")


@each(SIZES)
def test_without_a_name_all_that_was_not_seen_in_the_tensors_is_called_an_assumption(name: str) -> None:
    config, _ = published(name)
    plan = inspect(parameter_shapes(config), "")
    seen = config.with_(classes=plan.config.classes)
    fields = SIZES[name].keys() - {"parameters"}
    wrong = {field for field in fields if getattr(plan.config, field) != getattr(seen, field)}
    assert wrong <= plan.assumptions.keys()
    assert ({"heads", "epsilon"} - ({"heads"} if config.positions == "relative" else set())) <= plan.assumptions.keys()
    assert ("activation" in plan.assumptions) == (config.activation != "swiglu")
