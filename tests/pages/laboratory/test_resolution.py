"""The page Resolution: one model at several picture sizes."""

import numpy as np
import pytest

from tests.pages.app import captions, figures, healthy, html, live, loaded, shown, visit
from tests.pages.test_every_page import POOLED
from tests.pages.test_every_switch import MODELS
from vitviz import counts
from vitviz.images import open_image
from vitviz.laboratory.resizing import at_size
from vitviz.numbers import short, small
from vitviz.trace import record

GUESSED = {"guess_resolution": "more than × 4"}


def test_the_answers_of_all_sizes_are_those_of_runs_of_their_own() -> None:
    app = healthy(visit("resolution", sample="left", **GUESSED))
    selection = shown(app)
    sizes = live(app, "frames")["Pixels a side"]
    assert [stop["value"] for stop in sizes["stops"]] == [64, 96, 128, 160, 192]
    for stop in sizes["stops"]:
        config = selection.config.with_(image_size=stop["value"])
        other = at_size(loaded(selection), config)
        trace = record(other.model, other.preprocess(open_image(selection.picture.data)))
        probabilities = trace["logits"].tensor[0].softmax(dim=0)
        best = int(probabilities.argmax())
        assert f"{other.labels[best]} {small(probabilities[best].item())} · " in stop["says"]
        assert f"{short(counts.total_macs(config))}MAC" in stop["says"]
        assert small(probabilities[best].item()) in html(app)
    assert [tuple(grid) for grid in sizes["panels"][2]["lines"]] == [(it, it) for it in (8, 12, 16, 20, 24)]


def test_maps_of_one_head_stand_side_by_side_on_one_scale() -> None:
    (figure,) = figures(healthy(visit("resolution", layer="2", head="3", query="79")))
    assert [trace["z"]["shape"] for trace in figure["data"]] == [f"{it}, {it}" for it in (8, 12, 16, 20, 24)]
    assert len({trace["zmax"] for trace in figure["data"]}) == 1


def test_a_link_opens_a_size_and_the_formula_has_its_numbers() -> None:
    app = healthy(visit("resolution", pixels_a_side="160"))
    assert live(app, "frames")["Pixels a side"]["at"] == 3
    assert any(r"= 400, \quad E_\text{pos}: 12 \times 12 \to 20 \times 20" in it.value for it in app.latex)


def test_four_times_the_patches_cost_more_than_four_times() -> None:
    app = healthy(visit("resolution", **GUESSED))
    config = shown(app).config
    times = counts.total_macs(config.with_(image_size=192)) / counts.total_macs(config)
    assert "MAC" not in "".join(stop["says"] for stop in live(visit("resolution"), "frames")["Pixels a side"]["stops"])
    assert any(f"× {small(times)}" in it.value for it in app.markdown if it.value.startswith("**Right**"))


def test_a_head_that_fits_one_size_says_so_and_shows_that_one() -> None:
    app = healthy(visit("resolution", **MODELS["hidden"]))
    assert any("Here is one size only: the head of this model reads all 9 tokens" in it.value for it in app.markdown)
    assert len(live(app, "frames")["Pixels a side"]["stops"]) == 1


@pytest.mark.parametrize(("model", "panels"), [("shelf_none_0", 3), ("shelf_relative_0", 5)])
def test_siblings_say_what_becomes_of_their_positions(model: str, panels: int) -> None:
    app = healthy(visit("resolution", model=model, **GUESSED))
    assert len(live(app, "frames")["Pixels a side"]["panels"]) == panels
    said = {"shelf_none_0": "none, so nothing is interpolated", "shelf_relative_0": "biases of the old offsets"}
    assert said[model] in captions(app)


def test_an_untrained_model_without_class_token_is_labelled_and_shown_from_its_query() -> None:
    app = healthy(visit("resolution", **POOLED))
    assert "Untrained: all parameters are random" in html(app)
    assert np.allclose([stop["value"] for stop in live(app, "frames")["Pixels a side"]["stops"]], [16, 24, 32, 40, 48])
