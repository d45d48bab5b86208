"""Norms: the page's numbers are PyTorch's own of the same tokens, and only batch norm heeds the other pictures."""

import numpy as np
import pytest
import torch

from tests.pages.app import array, captions, figures, healthy, loaded, shown, trace, visit
from tests.pages.laboratory.test_gradients import named
from tests.pages.test_every_page import GATED, HEADLESS, POOLED
from vitviz.demo.dataset import TEST
from vitviz.demo.scenes import render
from vitviz.measures.laboratory.norms import answer_with


def test_the_token_in_both_batches_is_what_pytorch_makes_of_it() -> None:
    app = healthy(visit("norms", sample="left", norm_layer="2", batch_size="4", query="30"))
    model, here = loaded(shown(app)), trace(shown(app))
    strips = [array(it["z"])[0] for it in figures(app)[1]["data"]]
    for at, first in enumerate((0, 100)):
        images = torch.cat([model.preprocess(render(seed).image) for seed in TEST[first : first + 3]])
        with torch.no_grad():
            beside = model.model.blocks[0](model.model.embed(images))
            batch = torch.cat([here.residual_stream(1), beside])
            layer = torch.nn.functional.layer_norm(batch, (128,), eps=1e-6)[0, 30]
            norm = torch.nn.BatchNorm1d(128, 1e-6, affine=False, track_running_stats=False)
            other = norm(batch.transpose(1, 2))[0, :, 30]
        np.testing.assert_allclose(strips[at], layer, atol=2e-4)
        np.testing.assert_allclose(strips[2 + at], other, atol=2e-4)
    assert "Patch 30: its 128 components" in captions(app)
    assert "change no number by more than" in app.success[0].value


def test_by_night_batch_norm_moves_further() -> None:
    day, night = (captions(healthy(visit("norms", sample="left", night=on))) for on in ("false", "true"))
    far = [float(it.partition(", batch norm ")[2].partition(".\n")[0]) for it in (day, night)]
    assert far[1] > far[0] > 0.1


def test_the_answers_are_those_with_the_activation_replaced() -> None:
    app = healthy(visit("norms", sample="left"))
    drawn = figures(app)[-1]
    lengths = [array(it["x"]) for it in drawn["data"] if it["type"] == "bar"]
    bars = dict(zip(named(drawn), lengths, strict=True))
    assert list(bars) == ["GELU (its own)", "ReLU", "SiLU, SwiGLU's gate"]
    best = answer_with(trace(shown(app)), "relu").max()
    assert bars["ReLU"].max() == pytest.approx(float(best), abs=1e-5)
    own = trace(shown(app))["logits"].tensor[0].softmax(-1).max()
    assert bars["GELU (its own)"].max() == pytest.approx(float(own), abs=1e-5)
    assert "nothing was trained anew" in captions(app)


def test_without_a_class_token_of_a_gated_model_and_without_a_head() -> None:
    healthy(visit("norms", **POOLED))
    assert "SiLU, SwiGLU's gate (its own)" in str(figures(healthy(visit("norms", **GATED)))[-1])
    app = healthy(visit("norms", **HEADLESS))
    assert any("no answer to compare" in it.value for it in app.markdown)


def test_a_layer_that_is_none_is_told() -> None:
    app = healthy(visit("norms", norm_layer="99"))
    assert any("norm layer “99”" in it.value for it in app.toast)
