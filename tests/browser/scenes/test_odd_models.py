"""Models of other shapes: every scene shows them whole, or says in a sentence what it cannot show."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.board import arrived, drawn, headline, readout, show
from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.trace import record
from vitviz.ui.board.scenes import SCENES
from vitviz.ui.sidebar.samples import first
from vitviz.weights import build

SMALL = {"image_size": 32, "patch_size": 8, "dim": 24, "depth": 2, "heads": 3, "mlp_dim": 48, "classes": 3}
ODD: dict[str, dict[str, int | str | bool]] = {
    "no classes": {"classes": 0},
    "64 registers, distilled": {"registers": 64, "distilled": True},
    "attention pooling, one head": {"pool": "attention", "heads": 1},
    "attention pooling, no classes": {"pool": "attention", "classes": 0},
    "48 layers": {"depth": 48},
    "1,370 tokens": {"image_size": 518, "patch_size": 14, "heads": 2},
    "one patch, one class, one layer": {"patch_size": 32, "classes": 1, "depth": 1},
    "gated, scaled, normalised patches": {"activation": "swiglu", "layer_scale": True, "patch_norm": True, "heads": 24},
    "relative positions": {"positions": "relative"},
    "half positions, others in every layer": {"positions": "learned_2d", "positions_at": "every_layer"},
    "no positions": {"positions": "none"},
}

FILLED = """(canvas) => {
    if (!canvas.width || !canvas.height) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, at) => at % 4 === 3 && value);
}"""
CUT = """all => all.filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
    .map((it) => `${it.className}: ${it.scrollWidth} > ${it.clientWidth}`)"""


def below(whole: Locator, screen: int) -> bool:
    box = whole.bounding_box()
    return box is None or box["y"] + box["height"] > screen


@pytest.mark.parametrize("odd", ODD)
def test_every_scene_is_whole_for_a_model_of_another_shape(page: Page, odd: str) -> None:
    config = ViTConfig(**{**SMALL, **ODD[odd]})  # type: ignore[arg-type]
    asked = "&".join(f"{name}={str(value).lower()}" for name, value in {**SMALL, **ODD[odd]}.items())
    show(page, f"/?model=build-your-own&{asked}", complete=False)
    moments = {stem: scene.moments(config) for stem, scene in SCENES.items()}
    faults = []
    for stem, sentences in moments.items():
        for number, sentence in enumerate(sentences):
            expect(page.locator(".sentence")).to_have_text(re.sub(r"[{}]", "", sentence))
            arrived(page)
            drawn(page)
            where = f"{stem}, moment {number + 1}"
            for canvas in page.locator(".scene canvas:visible, .photo canvas").all():
                page.wait_for_function(FILLED, arg=canvas.element_handle())
            cut = page.locator(".headline, .readout, .count, .steps, .scene").evaluate_all(CUT)
            faults += [f"{where}: {it}" for it in cut]
            if below(page.locator(".count"), 720):
                faults.append(f"{where}: the foot is off the screen")
            if page.locator(".cannot:visible").count():
                faults.append(f"{where}: {page.locator('.cannot').inner_text()}")
            page.keyboard.press("PageDown")
    assert faults == []


@pytest.mark.parametrize(
    "odd", ["64 registers, distilled", "attention pooling, one head", "gated, scaled, normalised patches"]
)
def test_queries_and_keys_of_another_shape_are_pythons(page: Page, odd: str) -> None:
    config = ViTConfig(**{**SMALL, **ODD[odd]})  # type: ignore[arg-type]
    asked = "&".join(f"{name}={str(value).lower()}" for name, value in {**SMALL, **ODD[odd]}.items())
    loaded = build(config)
    trace = record(loaded.model, loaded.preprocess(open_image(first().data)))
    head = config.heads - 1
    query = len(config.prefix_tokens) + 4
    row = attention_weights(trace, 1)[head, query]
    best = int(np.argmax(row))
    show(page, f"/query_key_value?model=build-your-own&{asked}&layer=2&head={head + 1}&query=5")
    names = [*(f"[{name}]" for name in config.prefix_tokens), *(f"patch {at + 1}" for at in range(config.patches))]
    weight = numbers.small(float(row[best]))
    assert readout(page) == f"query patch 5 · key {names[best]}, weight {weight} · layer 2 · head {head + 1}"
    assert headline(page)
