"""Models of other shapes: every scene shows them whole, or says in a sentence what it cannot show."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.board import headline, readout, show
from tests.browser.watch import TIMEOUT_MS
from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures import attention_weights
from vitviz.pages import ON_BOARD
from vitviz.samples import first
from vitviz.trace import record
from vitviz.weights import build

WAITS = 30_000  # ms until a fault is one: a line that says what it waits for makes a moment higher
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

# What is wrong with a moment that has its sentence, and nothing on its way; null before that.
FAULTS = """([board, sentence, screen, pages]) => {
    const said = board.querySelector(".sentence").textContent.replaceAll(/\\s+/g, " ").trim();
    if (said !== sentence || /on (its|their) way/.test(board.innerText)) return null;
    const filled = (canvas) => {
        if (!canvas.width || !canvas.height) return false;
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(data.buffer).some((pixel) => pixel); // what is transparent has no colour either
    };
    const seen = (selector) => [...board.querySelectorAll(selector)].filter((it) => it.checkVisibility());
    if (![...seen(".scene canvas"), ...board.querySelectorAll(".photo canvas")].every(filled)) return null;
    const parts = ".headline, .sentence, .readout, .count, .steps, .scene, .strip a.box";
    const boxes = seen(".strip a.box").length;
    return [
        ...[board, ...seen(parts)].filter((it) => it.scrollWidth > it.clientWidth + 1)
            .map((it) => `${it.className}: ${it.scrollWidth} > ${it.clientWidth}`),
        ...[...seen(".cannot"), ...document.querySelectorAll("[data-testid=stException]")].map((it) => it.innerText),
        ...(boxes === pages ? [] : [`${boxes} boxes`]),
        ...(seen(".count").every((it) => it.getBoundingClientRect().bottom > screen) ? ["the foot is too low"] : []),
    ];
}"""

# The faults of a moment once it stands: none, twice, or some that do not go.
STANDS = f"""([at, waits, told]) => {{
    if (globalThis.__stands?.at !== at) globalThis.__stands = {{ at, whole: 0, since: undefined }};
    const seen = globalThis.__stands;
    const faults = ({FAULTS})(told);
    seen.whole = faults?.length === 0 ? seen.whole + 1 : 0;
    if (faults) seen.since ??= performance.now();
    return seen.whole === 2 || (faults && performance.now() - seen.since > waits) ? faults : null;
}}"""


@pytest.mark.long
@pytest.mark.parametrize("odd", ODD)
def test_every_scene_is_whole_for_a_model_of_another_shape(calm: Page, odd: str) -> None:
    config = ViTConfig(**{**SMALL, **ODD[odd]})  # type: ignore[arg-type]
    asked = "&".join(f"{name}={str(value).lower()}" for name, value in {**SMALL, **ODD[odd]}.items())
    show(calm, f"/?model=build-your-own&{asked}", complete=False)
    board = calm.locator(".board").element_handle()
    faults = []
    for stem, scene in ON_BOARD.items():
        for moment in scene.moments(config):
            at, says = f"{stem}, {moment.name}", scene.headline(moment, config, untrained=True)
            told = [at, WAITS, [board, re.sub(r"[{}]", "", says), 720, len(ON_BOARD)]]
            found = calm.wait_for_function(STANDS, arg=told, polling=50, timeout=TIMEOUT_MS + WAITS)
            faults += [f"{at}: {it}" for it in found.json_value()]
            calm.keyboard.press("PageDown")
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
