"""Training time on three pages, and answers without positions beside the accuracies that were measured."""

import pytest

from tests.pages.app import ask, captions, healthy, html, live, visit
from vitviz.demo.artifacts import read_metrics
from vitviz.demo.snapshots import snapshots


@pytest.mark.parametrize("stem", ["position_embedding", "patch_embedding", "heads"])
def test_training_time_shows_the_moment_that_was_measured(stem: str) -> None:
    app = healthy(visit(stem, training=str(snapshots().steps[3]), open="details"))
    assert f"After {snapshots().steps[3]} of " in captions(app)
    ask(app, training="0")
    assert "Before training" in captions(app)
    slider = live(app, "slider")["Training time (steps)"]
    assert [stop["value"] for stop in slider["stops"]] == list(map(str, snapshots().steps))
    assert slider["plays"]
    assert [error.value for error in app.exception] == []


def test_an_untrained_model_has_no_training_time() -> None:
    app = visit("position_embedding", model="vit_tiny_patch16_224", open="details")
    assert live(app, "slider") == {}
    assert "Measured on" not in captions(app)


def test_the_accuracies_beside_the_answers_are_the_measured_ones() -> None:
    app = visit("position_embedding", open="details")
    shown = html(app)
    found = read_metrics()["trained"]
    for name in ("accuracy_things", "positions_off_relations", "positions_shuffled_relations"):
        assert f"{100 * found[name]:.1f} %" in shown
