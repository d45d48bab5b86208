"""The names that scripts and notebooks use without the app."""

import numpy as np
import pytest

import vitviz
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import macs, parameters
from vitviz.edits import Edits
from vitviz.images import PHOTOS, ImageError, open_image
from vitviz.lecture import LESSONS, LessonError, lesson, read_lesson
from vitviz.measures import attention_weights
from vitviz.model import ViT
from vitviz.trace import record
from vitviz.weights import load


def test_from_bytes_to_attention_in_six_lines() -> None:
    loaded = load("demo")
    image = loaded.preprocess(open_image(PHOTOS[0].read()))
    trace = record(loaded.model, image)
    weights = attention_weights(trace, 3)
    assert weights.shape == (4, 145, 145)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
    assert trace["blocks.3.resid_post"].axes == "b t d"
    assert trace.inside(3)["attn.weights"].tensor.shape == (1, 4, 145, 145)
    assert len(loaded.labels) == trace["logits"].tensor.shape[1] == 16


def test_counting_builds_nothing() -> None:
    config = PRESETS["vit_base_patch16_224"]
    assert sum(row.count for row in parameters(config)) == 86_567_656
    row = macs(config)[0]
    assert row.stage == "patch_embedding"
    assert row.shape
    assert row.formula


def test_the_rest_of_the_promise_can_be_imported() -> None:
    assert issubclass(ImageError, ValueError)
    assert ViT(ViTConfig(image_size=16, dim=8, depth=1, heads=1, mlp_dim=8, classes=2)).config.tokens == 2


def test_edits_are_text_and_back() -> None:
    config = PRESETS["demo"]
    edits = Edits.parse("h3.1*0 a3*0 m5*0.5 b2*0 t2=0.25 p40-45", config)
    assert str(edits) == "h3.1*0 a3*0 m5*0.5 b2*0 t2=0.25 p40-45"
    assert Edits.parse(str(edits), config) == edits


def test_a_lesson_is_read_without_the_app() -> None:
    assert [lesson(name).name for name in LESSONS] == list(LESSONS)
    read = read_lesson(b'title = "T"\n[[step]]\nview = "heads?layer=5"\nsays = "Look."')
    assert read.steps[0].view.get("layer") == "5"
    with pytest.raises(LessonError, match="line 1"):
        read_lesson("")


def test_a_notebook_shows_what_is_asked_for_by_name() -> None:
    loaded = load("demo")
    trace = record(loaded.model, loaded.preprocess(open_image(PHOTOS[0].read())))
    shown = vitviz.explore(trace, loaded, layers=[3]), loaded.config, parameters(loaded.config)
    assert all("<" in each._repr_html_() for each in shown)
    assert vitviz.show("heads", trace, layer=3).data
