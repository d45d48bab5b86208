"""Every page has its kind of view, with what its address chooses and what the page itself would show."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from vitviz.pages.laboratory.chance import page as chance
from vitviz.pages.laboratory.norms import shown as norms

from tests.cases import each
from tests.unit.takeaway.calculations.links import SIZES
from tests.unit.takeaway.calculations.test_notebook import cells_of
from vitviz import plain
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import growth, nearest, total_macs, total_parameters
from vitviz.edits import Edits
from vitviz.measures.laboratory.chance import answers_by_chance
from vitviz.measures.laboratory.order import reordered
from vitviz.model import ViT
from vitviz.pages import PAGES
from vitviz.shelf.measured import all_of
from vitviz.takeaway.calculations import CALCULATIONS, PRINTED, calculation_of, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.figures.drawing import sheet
from vitviz.takeaway.notebook import notebook as writing
from vitviz.takeaway.notebook.notebook import notebook
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_link
from vitviz.trace import record
from vitviz.view import View
from vitviz.weights import Loaded

ROOT = Path(__file__).parents[4]
WITHOUT = {
    "lecture": "it lists lessons; what a step shows is a link to another page",
    "lecturer": "it leads a room, and has no picture of a model",
    "notebook": "its cells are those of all other pages",
    "status": "it shows the server, not a model",
}


def test_every_page_has_its_numbers_or_a_reason() -> None:
    assert [entry.stem for entry in PAGES.values() if entry.stem not in WITHOUT] == list(CALCULATIONS)
    assert all(WITHOUT.values())


@each(CALCULATIONS)
def test_a_kind_without_plain_pytorch_says_why_and_where_it_is_done(page: str) -> None:
    its = CALCULATIONS[page].usual
    assert (its.plain is None) == bool(its.lacks)
    for path in re.findall(r"`(vitviz/[^`]+)`", its.lacks):
        assert (ROOT / path).exists(), path
    assert not its.lacks or re.search("`vitviz/", its.lacks)


def of(link: str) -> View:
    return from_link(link, CALCULATIONS)


def run(link: str, demo: Loaded) -> tuple[Opened, np.ndarray]:
    it = opened(of(link), loaded=demo if of(link).model == "demo" else None)
    return it, values(it.view, it.trace, it.loaded, it.picture)


def test_patches_change_places_as_the_address_says(demo: Loaded) -> None:
    it, found = run("order?swap=3x40&edits=h1.1*0&sample=fish", demo)
    swapped = record(demo.model, it.trace["image"].tensor, edits=Edits.parse("i3=40", demo.config), plain=it.trace)
    np.testing.assert_array_equal(found[0], reordered(swapped).in_place)
    assert found.min() > 0  # with positions nothing stays as it was
    assert "edits=" not in re.sub(r"edits=Edits\.parse\(swap", "", notebook(it))


def test_without_positions_every_token_goes_with_its_patch(demo: Loaded) -> None:
    assert np.abs(run("order?swap=shuffled@3&model=shelf_none_0", demo)[1][1]).max() < 1e-5


def test_chance_is_that_of_the_draw(demo: Loaded) -> None:
    it, found = run(f"chance?dropout_rate=0.3&drop_path_rate=0.0&draw=2&{SIZES}", demo)
    assert found.shape == (chance.RUNS, 1000)
    np.testing.assert_array_equal(found[:2], answers_by_chance(it.trace, 0.3, 0.0, 31, 33).probabilities)


def test_an_edited_answer_stands_beside_the_plain_one(demo: Loaded) -> None:
    it, (before, after) = run("intervene?edits=h3.1*0&sample=fish", demo)
    plain = it.trace.plain
    assert plain is not None
    np.testing.assert_array_equal(before, plain["logits"].tensor[0].numpy())
    np.testing.assert_array_equal(after, it.trace["logits"].tensor[0].numpy())
    _, (same, too) = run("intervene?sample=fish", demo)
    np.testing.assert_array_equal(same, too)


def test_every_head_off_alone_is_the_edit_of_that_head(demo: Loaded) -> None:
    it, found = run("intervene?moment=5&edits=b2*0&sample=fish", demo)
    _, (before, after) = run("intervene?edits=h3.1*0&sample=fish", demo)
    np.testing.assert_allclose(found[2, 0], (after - before)[before.argmax()], atol=1e-4)
    assert calculation_of(of("intervene?moment=5&taken=mean")) is not calculation_of(it.view)


def test_plain_pytorch_of_many_runs_is_left_out_where_they_take_long(
    demo: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = opened(of("intervene?moment=5&sample=fish"), loaded=demo)
    assert "plain_heads_off(unedited_w, image, config)" in notebook(it)
    monkeypatch.setattr(writing, "MOST_SECONDS", 0.1)
    text = notebook(it)
    assert "it would take 25 forward passes" in text
    assert "plain_heads_off(unedited_w, image, config)" not in text


def test_counts_are_those_of_the_model_on_screen_and_of_what_is_chosen() -> None:
    base, tiny = PRESETS["vit_base_patch16_224"], PRESETS["vit_tiny_patch16_224"]
    model = "model=vit_base_patch16_224"
    assert values(of(f"three_counts?{model}&head_classes=5"))[0] == total_parameters(base.with_(classes=5))
    assert values(of(f"arithmetic?{model}")).sum() == total_macs(base)
    assert values(of(f"growth?{model}&grow=Depth")).shape == (len(growth(base, "depth")), 3)
    side = values(of(f"side_by_side?{model}&beside=vit_tiny_patch16_224"))
    assert side[:, -2].tolist() == [total_parameters(base), total_parameters(tiny)]
    found = values(of(f"find_the_model?{model}&budget=4.5&budget_of=MACs"))
    assert set(found[:, -1]) == {it.count for it in nearest(base, 4_500_000_000, "MACs")}
    half, whole = (values(of(f"memory?{model}&batch={batch}"))[7:].sum() for batch in (1, 2))
    assert 2 * half == whole
    parameters, *_ = values(of(f"switches?{model}&switch=registers&value=4"))
    assert parameters.tolist() == [total_parameters(base), total_parameters(base.with_(registers=4))]


def test_siblings_are_those_that_are_asked_for() -> None:
    rates = values(of("siblings?differs=Learning+rates"))
    assert rates[0, 2] == np.float32(all_of(["class_at_0.0005"])[0].mean("all"))
    assert len(values(of("siblings"))) == 9


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("order?swap=1x145", "patches are 1 to 144"),
        ("order?swap=<b>", "there is no swap “b”"),
        ("chance?draw=11", "there is no draw “11”"),
        ("five_shots?shots_of_1=own+pictures", "are in no link"),
        ("switches?switch=nothing", "there is no switch “nothing”"),
        ("find_the_model?budget=99999", "they are 0.1 to 10,000"),
        ("three_counts?head_classes=1.5", "there is no head_classes 1.5"),
    ],
)
def test_a_choice_that_there_is_not_is_a_sentence(link: str, says: str) -> None:
    with pytest.raises(TakeawayError, match=re.escape(says)):
        of(link)


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("gradients?classes=0&model=build-your-own&dim=24&depth=1&heads=2", "no head"),
        ("chance?classes=0&model=build-your-own&dim=24&depth=1&heads=2", "no head"),
        ("switches?switch=positions&value=rotary&model=build-your-own&dim=9&heads=3", "rotary"),
    ],
)
def test_what_a_model_does_not_have_is_a_sentence(link: str, says: str) -> None:
    view = of(link)
    with pytest.raises(TakeawayError, match=says):
        notebook(opened(view) if calculation_of(view).pictured else view)


def test_a_page_without_a_figure_for_print_says_so(demo: Loaded) -> None:
    with pytest.raises(
        TakeawayError, match="order has no figure for print here, but data and a notebook; figures are overview"
    ):
        sheet(run("order", demo)[0])
    assert set(PRINTED) < set(CALCULATIONS)


@pytest.mark.parametrize("page", ["parameters", "three_counts", "build_a_vit"])
def test_what_proves_a_count_is_not_what_is_to_be_proved(page: str) -> None:
    assert not any("ViT(" in cell or "vitviz.model" in cell for cell in cells_of(notebook(of(page))))
    assert "left out" in notebook(of(f"{page}?{SIZES}&activation=swiglu"))


def test_the_model_that_counts_are_proved_with_has_the_names_and_shapes_of_ours() -> None:
    for config in (
        PRESETS["vit_base_patch16_224"],
        PRESETS["demo"],
        ViTConfig(image_size=(48, 64), channels=1, depth=2),
    ):
        with torch.device("meta"):
            ours = ViT(config).state_dict()
        theirs = plain.built(config)
        assert {name: it.shape for name, it in theirs.items()} == {name: it.shape for name, it in ours.items()}


def test_as_many_others_stand_beside_as_on_the_page() -> None:
    assert norms.OTHER == 100
