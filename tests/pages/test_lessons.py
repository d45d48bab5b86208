"""What the demo model teaches: training time under the hand, and answers without positions."""

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from tests.pages.test_every_page import visit
from vitviz.demo.artifacts import read_metrics
from vitviz.demo.snapshots import snapshots
from vitviz.measures.classes import answer
from vitviz.measures.positions import probabilities_with_shuffled_positions, probabilities_without_positions
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.ui.navigation import ENTRIES

PAGES = {entry.stem: entry for entry in ENTRIES}


def captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.main.caption)


@pytest.mark.parametrize("stem", ["position_embedding", "patch_embedding", "heads"])
def test_training_time_shows_the_moment_that_was_measured(stem: str) -> None:
    app = visit(PAGES[stem], training=str(snapshots().steps[3]))
    assert [error.value for error in app.exception] == []
    assert f"After {snapshots().steps[3]} of " in captions(app)
    app.select_slider(key="training").set_value("0").run()
    assert "Before training" in captions(app)
    assert [error.value for error in app.exception] == []


def test_an_untrained_model_has_no_training_time() -> None:
    app = visit(PAGES["position_embedding"], model="vit_tiny_patch16_224")
    assert "training" not in {slider.key for slider in app.select_slider}
    assert "Measured on" not in captions(app)


def test_the_accuracies_beside_the_answers_are_the_measured_ones() -> None:
    app = visit(PAGES["position_embedding"])
    shown = "".join(block.body for block in app.get("html"))
    found = read_metrics()["trained"]
    for name in ("accuracy_things", "positions_off_relations", "positions_shuffled_relations"):
        assert f"{100 * found[name]:.1f} %" in shown


def test_other_positions_give_the_answer_of_a_model_that_has_them(tiny_model: ViT, tiny_trace: Trace) -> None:
    other = ViT(tiny_model.config)
    other.load_state_dict(tiny_model.state_dict())
    with torch.no_grad():
        other.pos_embed[:, 1:] = 0
    expected = answer(record(other, tiny_trace["image"].tensor), tiny_model.config.depth).probabilities
    np.testing.assert_allclose(probabilities_without_positions(tiny_trace), expected, atol=1e-7)


def test_shuffling_keeps_the_same_positions(tiny_trace: Trace) -> None:
    shuffled = probabilities_with_shuffled_positions(tiny_trace)
    np.testing.assert_array_equal(shuffled, probabilities_with_shuffled_positions(tiny_trace))
    assert not np.array_equal(shuffled, answer(tiny_trace, tiny_trace.config.depth).probabilities)
    assert shuffled.sum() == pytest.approx(1, abs=1e-6)
