"""The page Resolution: one model at several picture sizes."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from vitviz.pages.laboratory.resolution import shown as section
from vitviz.pages.laboratory.resolution.shown import sizes_ends

from tests.pages.app import array, captions, figures, healthy, html, live, loaded, shown, visit, words
from tests.pages.takeaway.test_every_entry import pictures
from tests.pages.test_every_page import HEADLESS, POOLED, SMALL
from tests.pages.test_every_switch import MODELS
from vitviz import counts
from vitviz.images import open_image
from vitviz.laboratory.resizing import at_size
from vitviz.numbers import exact, short, small
from vitviz.selection import Selection
from vitviz.trace import record
from vitviz.ui import pieces

GUESSED = {"guess_resolution": "more than × 4"}


def stops_of(app: AppTest) -> list[dict[str, Any]]:
    """What the slider over sizes says at each."""
    stops: list[dict[str, Any]] = live(app, "frames")["Pixels from top to bottom"]["stops"]
    return stops


def test_the_answers_of_all_sizes_are_those_of_runs_of_their_own() -> None:
    app = healthy(visit("resolution", sample="left", **GUESSED))
    selection = shown(app)
    sizes = live(app, "frames")["Pixels from top to bottom"]
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


def test_maps_of_one_head_stand_side_by_side_each_on_the_scale_that_is_said() -> None:
    app = healthy(visit("resolution", layer="2", head="3", query="79"))
    (figure,) = figures(app)
    assert [trace["z"]["shape"] for trace in figure["data"]] == [f"{it}, {it}" for it in (8, 12, 16, 20, 24)]
    tops = [float(array(trace["z"]).max()) for trace in figure["data"]]
    assert [trace["zmax"] for trace in figure["data"]] == tops
    for trace, name, top in zip(figure["data"], figure["layout"]["annotations"], tops, strict=True):
        assert name["text"] == f"{trace['z']['shape'].replace(', ', ' × ')}<br>0 to {small(top)}"
    assert f"Unequal scales: each map from 0 to its own largest, {small(min(tops))} to {small(max(tops))}." in captions(
        app
    )


def test_maps_are_drawn_as_they_come_and_the_slider_when_all_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], section.side_by_side

    def watched(selection: Selection, looks: list[section.Look], *title: str) -> None:
        drawn.append([it.name for it in looks])
        draw(selection, looks, *title)

    monkeypatch.setattr(section, "side_by_side", watched)
    monkeypatch.setattr(pieces, "PACE", 0)
    app = healthy(visit("resolution", sample="left", layer="3"))
    assert drawn[0] == ["12 × 12"], "its own size"
    assert list(map(len, drawn)) == [1, 2, 3, 4, 5]
    assert len(figures(app)) == 1
    menus = pictures(app)
    healthy(app.run())
    assert pictures(app) == menus, "what was drawn first and is gone changes the key of no menu"
    assert list(map(len, drawn[5:])) == [5]


def test_a_link_opens_a_size_and_the_formula_has_its_numbers() -> None:
    app = healthy(visit("resolution", pixels_down="160"))
    assert live(app, "frames")["Pixels from top to bottom"]["at"] == 3
    assert any(r"= 400, \quad E_\text{pos}: 12 \times 12 \to 20 \times 20" in it.value for it in app.latex)
    line = counts.count_line(shown(app).config.with_(image_size=160), "position_embedding")
    assert "<b>1 × 400 × 128</b>" in html(app)
    assert f"<b>{exact(line.total)}</b>" in html(app)
    assert f"<b>{exact(counts.total_parameters(shown(app).config))}</b>" not in html(app)


def test_four_times_the_patches_cost_more_than_four_times() -> None:
    app = healthy(visit("resolution", **GUESSED))
    config = shown(app).config
    times = counts.total_macs(config.with_(image_size=192)) / counts.total_macs(config)
    assert "MAC" not in "".join(stop["says"] for stop in stops_of(visit("resolution")))
    assert any(f"× {small(times)}" in it.value for it in app.markdown if it.value.startswith("**Right**"))


@pytest.mark.parametrize(
    ("model", "more", "resized"),
    [
        ("demo", "numbers more, which are interpolated and not learned", r"\operatorname{resize}(E_\text{pos})"),
        ("shelf_relative_0", "numbers more, which are interpolated and not learned", r"\operatorname{resize}(b)"),
        ("shelf_sincos_2d_0", "more tokens, no more parameters", ""),
        ("shelf_none_0", "more tokens, no more parameters", ""),
    ],
)
def test_positions_that_are_interpolated_are_no_parameters_that_were_learned(
    model: str, more: str, resized: str
) -> None:
    app = healthy(visit("resolution", model=model))
    own, largest = sizes_ends(shown(app).config)
    counted = counts.total_parameters(largest) - counts.total_parameters(own)
    assert more in words(app)
    assert (f"{exact(counted)} numbers more" in words(app)) is bool(counted)
    assert [r"\operatorname{resize}" in it.value for it in app.latex] == [bool(resized), False]
    assert resized in app.latex[0].value


def test_a_head_that_fits_one_size_says_so_and_shows_that_one() -> None:
    app = healthy(visit("resolution", **MODELS["hidden"]))
    assert any("Here is one size only: the head of this model reads all 9 tokens" in it.value for it in app.markdown)
    assert len(stops_of(app)) == 1


@pytest.mark.parametrize(("model", "panels"), [("shelf_none_0", 3), ("shelf_relative_0", 5)])
def test_siblings_say_what_becomes_of_their_positions(model: str, panels: int) -> None:
    app = healthy(visit("resolution", model=model, **GUESSED))
    assert len(live(app, "frames")["Pixels from top to bottom"]["panels"]) == panels
    said = {"shelf_none_0": "none, so nothing is interpolated", "shelf_relative_0": "biases of the old offsets"}
    assert said[model] in captions(app)


def test_an_untrained_model_without_class_token_is_labelled_and_shown_from_its_query() -> None:
    app = healthy(visit("resolution", **POOLED))
    assert "Untrained: all parameters are random" in html(app)
    assert [stop["value"] for stop in stops_of(app)] == [16, 24, 32, 40, 48]


def test_a_whole_picture_stands_beside_its_square() -> None:
    app = healthy(visit("resolution", sample="coffee", query="66", layer="3"))
    assert [figure["data"][1]["z"]["shape"] for figure in figures(app)[-2:]] == ["12, 12", "12, 18"]
    assert "96 × 144 pixels, 12 × 18 = 216 patches" in captions(app)
    assert len({figure["data"][1]["zmax"] for figure in figures(app)[-2:]}) == 1


def test_the_whole_of_a_square_picture_is_what_the_model_sees() -> None:
    app = healthy(visit("resolution", sample="left"))
    assert any("shown to the model already: of 96 × 96 pixels nothing is cut" in it.value for it in app.markdown)


def test_a_wide_model_keeps_its_shape_at_every_size() -> None:
    app = healthy(visit("resolution", **{**SMALL, "image_size": "24x48"}))
    sizes = live(app, "frames")["Pixels from top to bottom"]
    assert [tuple(grid) for grid in sizes["panels"][2]["lines"]] == [(2, 4), (3, 6), (4, 8), (5, 10), (6, 12)]
    assert [stop["value"] for stop in sizes["stops"]] == [16, 24, 32, 40, 48]


def test_a_model_without_classes_is_looked_at_for_what_its_heads_look_at() -> None:
    app = healthy(visit("resolution", **HEADLESS))
    assert any("see whether what a head looks at stays" in it.value for it in app.markdown)
