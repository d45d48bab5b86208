"""The page Shift: both models on a picture that moves, and who sees how far."""

import numpy as np
import pytest

from tests.pages.app import captions, healthy, live, shown, trace, visit
from tests.pages.test_every_page import HEADLESS, POOLED, SMALL
from vitviz.demo.scenes import CLASSES
from vitviz.measures.attention import attention_weights
from vitviz.measures.laboratory.shift import WINDOWS, max_pooled, moved_features, moved_tokens
from vitviz.numbers import percent, small
from vitviz.shelf.cnn import load_cnn

GUESSED = {"guess_shift": "that of the CNN"}


def test_every_stop_says_what_both_models_answer_there() -> None:
    app = healthy(visit("shift", sample="left", **GUESSED))
    moving = live(app, "frames")["Shift to the right"]
    run = trace(shown(app))
    vit, cnn = moved_tokens(run), moved_features(load_cnn(), run["image"].tensor)
    best = CLASSES.index("red ball left of blue ball")
    assert len(moving["stops"]) == 17
    for pixels, stop in enumerate(moving["stops"]):
        theirs, ours = (small(float(it.probabilities[pixels, best])) for it in (cnn, vit))
        assert f"own answer: CNN {theirs}, demo {ours} · " in stop["says"]
        assert stop["says"].endswith(f"{small(float(cnn.last_kept[pixels]))}, {small(float(vit.last_kept[pixels]))}")
    alike = moving["charts"][1]["lines"]
    assert [len(line["points"]) for line in alike] == [17] * 4
    np.testing.assert_allclose([y for _, y in alike[0]["points"]], cnn.last_kept, atol=1e-6)
    assert [rule["x"] for rule in moving["charts"][0]["rules"]] == [8, 16]


def test_the_curves_wait_for_a_guess_and_the_maps_do_not() -> None:
    moving = live(healthy(visit("shift")), "frames")["Shift to the right"]
    assert moving["charts"] == []
    assert [panel["frames"] for panel in moving["panels"]] == [1, 17, 17, 17, 17]
    assert moving["stops"][5]["says"] == "5 pixels"


def test_a_link_opens_a_shift_and_a_number_of_layers() -> None:
    app = healthy(visit("shift", shift="5", kernels="12", **GUESSED))
    assert [it["at"] for it in live(app, "frames").values()] == [5, 1, 11]
    assert "a place sees 25 × 25 of 96 × 96 pixels" in captions(app)
    assert any(it.value.startswith("**Right**") for it in app.markdown)


def test_the_frame_and_the_heads_weight_in_it_are_those_of_the_patch() -> None:
    app = healthy(visit("shift", layer="2", head="3", query="79"))
    reach = live(app, "frames")["Layers of 3 × 3 convolutions"]
    weights = attention_weights(trace(shown(app)), 1)[2, 79, 1:].reshape(12, 12)
    row, column = divmod(78, 12)
    boxes = reach["panels"][0]["boxes"]
    assert boxes[11] == pytest.approx([(column * 8 + 4 - 12.5) / 96, (row * 8 + 4 - 12.5) / 96, 25 / 96, 25 / 96])
    inside = weights[row - 1 : row + 2, column - 1 : column + 2].sum() / weights.sum()
    assert f"{percent(float(inside))} of the head's weight" in reach["stops"][11]["says"]
    assert boxes[-1] == pytest.approx([0, 0, 1, 1])


def test_every_window_says_how_like_its_maps_are() -> None:
    app = healthy(visit("shift", sample="left", maxpool="4"))
    pooling = live(app, "frames")["Max-pool window"]
    found = max_pooled(load_cnn(), trace(shown(app))["image"].tensor)
    assert [stop["value"] for stop in pooling["stops"]] == list(WINDOWS)
    assert pooling["stops"][pooling["at"]]["says"] == f"4 × 4: {small(float(found.similarity[2]))} alike"
    assert rf"{small(float(found.similarity[1]))} \ \text{{with }} 2 \times 2" in "".join(it.value for it in app.latex)


@pytest.mark.parametrize("own", [POOLED, HEADLESS], ids=["untrained, no class token", "no head"])
def test_an_untrained_model_says_so_and_moves_as_well(own: dict[str, str]) -> None:
    app = healthy(visit("shift", **GUESSED, **own))
    assert "Untrained: all parameters are random" in "".join(it.proto.body for it in app.get("html"))
    moving = live(app, "frames")["Shift to the right"]
    assert "A pixel of the CNN is 0.250 of build-your-own." in captions(app)
    assert len(moving["charts"][0]["lines"]) == (1 if own["classes"] == "0" else 2)


def test_a_wide_model_of_flat_patches_moves_by_its_columns() -> None:
    own = {**SMALL, "image_size": "24x48", "patch_size": "8x4"}
    app = healthy(visit("shift", query="20", **own, **GUESSED))
    moving, _, reach = live(app, "frames").values()
    assert moving["panels"][0]["slides"] == pytest.approx(1 / 48)
    assert [rule["x"] for rule in moving["charts"][0]["rules"]] == [4, 8, 12, 16]
    assert "k(2) = " in app.latex[2].value
    row, column = divmod(19, 12)
    left, top, width, height = reach["panels"][0]["boxes"][0]
    assert (left, top) == pytest.approx(((column * 4 + 2 - 1.5) / 48, (row * 8 + 4 - 1.5) / 24))
    assert (width, height) == pytest.approx((3 / 48, 3 / 24))
