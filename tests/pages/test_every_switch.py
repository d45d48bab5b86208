"""Every page with a model of every switch: whole, with its drawers open."""

import pytest

from tests.pages.app import healthy, shown, true_to_the_unit, visit
from tests.pages.test_every_page import POOLED, SMALL, drawn
from vitviz.config import ViTConfig
from vitviz.config.config import CHOICES
from vitviz.page import Page
from vitviz.pages import ON_BOARD, PAGES

BASE = {**SMALL, "layer_scale": "false", "input_norm": "false", "classes": "5"}
GATED = {"activation": "swiglu", "head_dim": "16", "qkv_bias": "false"}
RECTANGLE = {"image_size": "16x48", "patch_size": "4x8"}
MODELS = {
    "mean": {
        **BASE,
        "pool": "mean",
        "qkv_bias": "false",
        "activation": "relu",
        "stem": "conv",
        "positions": "sincos_2d",
        "positions_at": "every_layer_shared",
    },
    "late": {**BASE, "pool": "mean", "keep_class_token": "true", "norm_after_pooling": "true", "positions": "rotary"},
    "top_k": {
        **BASE,
        "attention": "top_k",
        "top_k": "3",
        "qk_norm": "true",
        "head_dim": "16",
        "activation": "quick_gelu",
        **RECTANGLE,
    },
    "window": {
        **BASE,
        "attention": "window",
        "window": "1",
        "score_scale": "1.0",
        "positions": "relative",
        "patch_norm": "true",
    },
    "linear": {**BASE, "attention": "linear", "head_dim": "4"},
    "post": {**BASE, "norm_order": "post", "norm": "rms", "layer_scale": "true", "initial": "normal", **GATED},
    "r50": {**BASE, "stem": "r50", "image_size": "32x48", "patch_size": "16"},
    "batch": {**BASE, "norm": "batch", "input_norm": "true", "initial": "zeros", "positions": "none"},
    "hidden": {
        **BASE,
        "pool": "flatten",
        "pre_logits": "64",
        "positions": "learned_2d",
        "positions_at": "every_layer",
        "dropout": "0.1",
        "drop_path": "0.2",
    },
}


def test_every_value_of_a_switch_is_on_a_model() -> None:
    """The usual one is left out of most; attention pooling is with the models of every page."""
    for field, values in CHOICES.items():
        named = {model[field] for model in (POOLED, *MODELS.values()) if field in model}
        assert set(values) - named <= {str(getattr(ViTConfig(), field))}, field


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("entry", PAGES.values(), ids=lambda entry: entry.stem)
def test_a_page_is_whole_with_every_switch(entry: Page, name: str) -> None:
    app = healthy(visit(entry.stem, **MODELS[name]))
    if not entry.on_board:
        assert drawn(app)
        assert true_to_the_unit(app).latex or entry.gathers  # the words of others
        return
    script = (entry.folder / "shown.py").read_text(encoding="utf-8")
    drawers = ("formula", "details")
    for number, moment in enumerate(ON_BOARD[entry.stem].moments(shown(app).config)):
        app.query_params["moment"] = moment.name
        # Where a script does not know the moment, its drawers hold the same at each: one of them is enough.
        for drawer in drawers if "at.moment" in script or number == 0 else drawers[number % 2 :][:1]:
            app.query_params["open"] = drawer
            true_to_the_unit(healthy(app.run()))
            assert app.latex if drawer == "formula" else drawn(app), (moment.name, drawer)
