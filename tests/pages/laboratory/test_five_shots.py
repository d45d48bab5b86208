"""Five shots: the read-out is least squares on the model's own vectors; own pictures teach, bad ones are told."""

import io

import numpy as np
import pytest
import torch
from PIL import Image
from streamlit.testing.v1 import AppTest
from vitviz.pages.laboratory.five_shots import read_out
from vitviz.pages.laboratory.five_shots.page import OWN_PICTURES

from tests.pages.app import array, captions, figures, healthy, loaded, move, problems, shown, trace, visit
from tests.pages.laboratory.test_gradients import dots
from tests.pages.test_every_page import HEADLESS, POOLED
from vitviz.demo.dataset import TEST
from vitviz.demo.scenes import CLASSES, render
from vitviz.figures.laboratory.five_shots import CROSSED
from vitviz.laboratory.shots import ClassOf
from vitviz.measures.laboratory.five_shots import ReadOut
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.view import from_words
from vitviz.ui import pieces

NAMED = {"shots_of_1": "fish", "shots_of_2": "cat"}  # classes that the demo model was trained on


def png(seed: int) -> bytes:
    file = io.BytesIO()
    render(seed).image.save(file, "PNG")
    return file.getvalue()


def vectors(app: AppTest, label: str, count: int) -> torch.Tensor:
    """Class tokens of the first test scenes of a class."""
    model = loaded(shown(app))
    scenes = [model.preprocess(render(seed).image) for seed in TEST[CLASSES.index(label) :: 16][:count]]
    with torch.no_grad():
        kept = []
        for scene in scenes:
            x = model.model.embed(scene)
            for block in model.model.blocks:
                x = block(x)
            kept.append(model.model.get_submodule("norm")(x)[0, 0])
    return torch.stack(kept)


def test_two_prepared_classes_are_told_apart_as_least_squares_does() -> None:
    app = healthy(visit("five_shots", sample="left", shots="5", **NAMED))
    x = torch.cat([vectors(app, name, 5) for name in ("fish", "cat")]).double()
    y = torch.tensor([[1.0, -1.0]] * 5 + [[-1.0, 1.0]] * 5, dtype=torch.float64)
    wide = torch.cat([x, torch.ones(10, 1)], dim=1)
    equations = torch.cat([wide, torch.eye(129, dtype=torch.float64)[:128]])
    solution = torch.linalg.lstsq(equations, torch.cat([y, torch.zeros(128, 2)])).solution
    token = trace(shown(app)).readout()["norm"].tensor[0, 0].double()
    wanted = torch.cat([token, torch.ones(1)]) @ solution
    np.testing.assert_allclose(array(figures(app)[1]["data"][0]["x"]), wanted, atol=1e-3)
    assert "of 20 held-out pictures classified correctly" in captions(app)
    assert "258" in app.latex[1].value


def test_the_shots_are_drawn_first_and_held_out_pictures_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], read_out.pictures

    def watched(found: list[ClassOf], shots: int, solved: ReadOut) -> None:
        drawn.append([(len(it.taught), len(it.held_out)) for it in found])
        draw(found, shots, solved)

    monkeypatch.setattr(read_out, "pictures", watched)
    monkeypatch.setattr(pieces, "PACE", 0)
    named = {"shots_of_1": "mushroom", "shots_of_2": "tree", "sample": "left"}
    app = healthy(visit("five_shots", **named))
    assert drawn == [[(5, 0), (5, 0)], [(5, 5), (5, 0)], [(5, 5), (5, 5)], [(5, 10), (5, 5)], [(5, 10), (5, 10)]]
    healthy(app.run())
    assert drawn[5:] == [[(5, 10), (5, 10)]]


def test_fewer_shots_and_more_classes() -> None:
    app = healthy(
        visit("five_shots", model="build-your-own", depth="1", shot_classes="3", **NAMED, shots_of_3="rocket")
    )
    app = healthy(move(app, "Shots of each class", "1"))
    assert "3 shots of 3 classes" in captions(app)
    draws, means = (array(it["y"]) for it in dots(figures(app)[2]))
    assert len(draws) == 25
    assert 1 / 3 < means[-1] <= 1


def test_families_that_nobody_named_are_learned_shot_by_shot() -> None:
    app = healthy(visit("five_shots"))
    means = array(dots(figures(app)[2])[1]["y"])
    assert means[0] < 0.65
    assert means[-1] == 1
    assert all(np.diff(means) > 0)
    assert "4 shots of 2 classes" in captions(app)
    assert "vehicles are car, sailboat, rocket. It learned to name each" in captions(app)
    missed = sum(it.get("hovertemplate", "").startswith(CROSSED) for it in figures(app)[0]["data"]) // 2
    assert f"{20 - missed} of 20 held-out pictures classified correctly" in captions(app)
    assert missed


def test_fine_tuning_moves_what_learns_and_says_what_it_costs() -> None:
    app = healthy(visit("five_shots"))
    assert "258 of 1,233,538 parameters learn" in captions(app)
    assert any("Nothing of the model moves" in it.value for it in app.markdown)
    for learns, moved in (("last block and head", 1), ("everything", 6)):
        app.segmented_control(key="tuned").set_value(learns)
        app = healthy(app.run())
        *_, steps, layers = figures(app)
        shots, _ = dots(steps)
        assert array(shots["x"]).tolist() == list(range(0, 19, 3))
        assert array(shots["y"])[-1] == 1
        places = array(dots(layers)[0]["x"])
        assert ((places > 0) & (places < layers["layout"]["xaxis"]["tickvals"][-1])).sum() == moved
    assert "1,233,538 of 1,233,538 parameters learn" in captions(app)


def test_at_a_high_learning_rate_a_copy_forgets_what_the_model_knew() -> None:
    gentle, rough = (
        array(dots(figures(healthy(visit("five_shots", tuned="everything", tuning_rate=rate)))[3])[1]["y"])
        for rate in ("0.01", "1.0")
    )
    assert rough[-1] <= 0.5 < gentle[-1]


def own(*files: tuple[str, bytes], name: str = "my own") -> AppTest:
    app = visit("five_shots", shots="5", **NAMED | {"shots_of_1": OWN_PICTURES})
    uploader = app.file_uploader(key="shots_1")
    for file in files:
        uploader = uploader.upload(*file)
    app.text_input(key="name_of_1").set_value(name)
    return app.run()


def test_five_own_pictures_are_a_class_with_a_name() -> None:
    app = healthy(own(*((f"{seed}.png", png(seed)) for seed in range(5, 100, 16))))  # six flowers: one is held out
    assert not app.warning
    assert "10 shots of 2 classes" in captions(app)
    assert "of 11 held-out pictures classified correctly" in captions(app)
    assert list(figures(app)[1]["layout"]["yaxis"]["ticktext"]) == ["my own", "cat"]


def test_a_name_is_no_markup() -> None:
    app = healthy(own(("1.png", png(1)), name="<img src=x> $x$ **b**"))
    assert "&lt;img" in figures(app)[1]["layout"]["yaxis"]["ticktext"][0]
    assert "<img" not in captions(app)


@pytest.mark.parametrize(
    ("files", "name", "sentence"),
    [
        ([], "mine", "this one has 0; upload up to 5. Shown instead: plants and mushrooms"),
        ([("x.png", b"<html>")], "mine", "This is a web page"),
        ([("x.png", png(1))], " ", "A class needs a name"),
    ],
)
def test_what_cannot_be_a_class_is_told_and_another_stands_in_its_place(
    files: list[tuple[str, bytes]], name: str, sentence: str
) -> None:
    app = own(*files, name=name)
    assert problems(app) == []
    assert any(sentence in it.value for it in app.warning)
    assert figures(app)[1]["layout"]["yaxis"]["ticktext"][0] == "plants and mushrooms"


def test_two_classes_of_the_same_name_are_told() -> None:
    app = healthy(visit("five_shots", shots_of_1="cat", shots_of_2="cat"))
    assert "Pictures of “cat” are in another class, too" in app.warning[0].value
    assert list(figures(app)[1]["layout"]["yaxis"]["ticktext"]) == ["cat", "plants and mushrooms"]
    both = healthy(visit("five_shots", shots_of_1="cat", shots_of_2="animals"))
    assert "Pictures of “animals” are in another class, too" in both.warning[0].value


def test_without_a_class_token_and_without_a_head() -> None:
    for query in (POOLED, HEADLESS, {**POOLED, "pool": "flatten"}):
        assert "held-out pictures classified correctly" in captions(healthy(visit("five_shots", **query)))


@pytest.mark.usefixtures("impatient")
def test_of_a_large_model_few_pictures_come_first() -> None:
    app = healthy(visit("five_shots", shots="5"))
    assert "1 shot of each class, not 5: so few pictures are there." in captions(app)
    assert "2 shots of 2 classes" in captions(app)
    assert "1 shot, 1 draw each, on 2 held-out pictures: " in captions(app)
    assert "% with 1; dashed" in captions(app)
    assert "of 2 held-out" in captions(app)
    app.segmented_control(key="tuned").set_value("everything").run()
    assert "After 1 step " in captions(app)
    assert "not yet, as a head of zeros passes no gradient back" in captions(app)
    assert [it.label.partition(":")[0] for it in app.toggle if "steps" in it.label] == ["All 18 steps"]
    (toggle,) = (it for it in app.toggle if "All 15 pictures of each class" in it.label)
    toggle.set_value(True).run()
    assert "10 shots of 2 classes" in captions(healthy(app))
    assert "so few pictures" not in captions(app)


def test_pictures_of_one_colour_are_pictures() -> None:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(file, "PNG")
    assert "6 shots of 2 classes" in captions(healthy(own(("red.png", file.getvalue()))))


def classes(app: AppTest) -> list[str | None]:
    return [app.selectbox(key=f"shots_of_{place}").value for place in (1, 2)]


@pytest.mark.usefixtures("few")
def test_classes_are_of_what_the_model_learned_from_unless_the_link_names_others() -> None:
    photographs, scenes = ["tabby cat", "coffee"], ["plants and mushrooms", "vehicles"]
    app = healthy(visit("five_shots", model="photo", sample="tabby"))
    assert classes(app) == photographs
    assert not {"shots_of_1", "shots_of_2"} & app.query_params.keys()
    assert classes(healthy(visit("five_shots"))) == scenes
    named = dict(zip(("shots_of_1", "shots_of_2"), scenes, strict=True))
    assert classes(healthy(visit("five_shots", model="photo", **named))) == scenes
    for query, words in ({"model": "photo"}, photographs), ({}, scenes), ({"model": "photo", **named}, scenes):
        assert from_words("five_shots", query, CALCULATIONS).choices["scenes"] == words


@pytest.mark.usefixtures("few")
def test_usual_classes_follow_the_model_and_chosen_ones_stay() -> None:
    app = healthy(visit("five_shots", shots_of_2="cat"))
    app.sidebar.selectbox(key="model").select("photo")
    assert classes(healthy(app.run())) == ["tabby cat", "cat"]


def test_parts_of_sample_photographs_are_classes_that_the_model_of_photographs_tells_apart() -> None:
    app = healthy(visit("five_shots", model="photo", sample="tabby", shots="1"))
    assert "8 of 8 held-out pictures classified correctly" in captions(app)
    assert "“tabby cat” with" in captions(app)
    assert "Parts of one photograph overlap" in captions(app)
