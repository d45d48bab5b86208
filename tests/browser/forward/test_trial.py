"""Maps on trial in the browser beside PyTorch's: what is left of an answer as patches vanish, and as they appear."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page
from torch import Tensor

from tests.browser.forward.conftest import patches
from tests.browser.forward.running import IMPORT, start
from vitviz.installed import APP
from vitviz.measures.deletion import FILLS, order_of, put_to_trial, steps
from vitviz.measures.logit_sum import two_classes
from vitviz.measures.relevance import MAPS
from vitviz.messages import ModelSpec
from vitviz.scripts.bundle import bundle
from vitviz.trace import record
from vitviz.weights import Loaded

CLOSE = 1e-4
HERE = APP / "pages/model/why_this_answer/here.js"
# A column as `TrialHere` has it, with these maps; and what has been kept of each, once all have been put to trial.
TRY = """async ([told, maps, label, fill, counts, classes]) => {
    const spec = { ...told, script: `/${told.script}`, parameters: `/${told.parameters}`, means: `/${told.means}` };
    const values = Object.fromEntries(maps.map((name, at) => [name, { data: one("maps", at) }]));
    const all = { ...values, classes: { data: [label, -1] } };
    const held = new Map([["forward-patches", { own: { data: one("patches", 0) } }]]);
    for (const name of ["maps", "gradients", "occlusion"]) held.set(`${name}--1--1`, all);
    const failed = [];
    const column = {
        chosen: { answer: -1, fill, map: "rollout", runs: "here", moment: "trial" },
        meta: { classes },
        data: { facts: { maps: all, counts, prices: { maps: "" }, here: true, forward: spec } },
        parcels: { digest: "", held, get: (name) => held.get(name) },
        array: (parcel, name) => held.get(parcel)?.[name],
        receive: ({ name, arrays }) => held.set(name, arrays),
        invalidate() {},
        choose: (fields) => failed.push(fields),
    };
    const trial = new here.TrialHere(column);
    trial.draw();
    while (trial.going) await new Promise((done) => setTimeout(done, 20));
    const [first] = trial.taken;
    trial.close();
    return {
        failed,
        first,
        curves: maps.map((name) => {
            const { removed, kept, area, order } = held.get(`trial-${name}--1-${fill}`);
            return [removed, kept, area, order].map(({ data }) => [...data]);
        }),
    };
}"""


@pytest.mark.parametrize("fill", FILLS)
def test_maps_are_put_to_trial_as_by_pytorch(
    page: Page, demo: Loaded, told: ModelSpec, scenes: Tensor, tmp_path: Path, fill: str
) -> None:
    trace = record(demo.model, scenes[:1])
    chance = np.random.default_rng(0)
    maps = chance.integers(0, 90, (len(MAPS), demo.config.patches)).astype(np.float32)  # some of them equal
    maps[2, :7] = np.nan
    start(page, told, {"patches": patches(scenes[:1]).numpy(), "maps": maps}, tmp_path)
    page.evaluate(IMPORT, {"here": bundle(HERE)})
    label, _ = two_classes(trace, -1)
    asked = [told, MAPS, label, fill, steps(demo.config.patches), demo.config.classes]
    found = page.evaluate(TRY, asked)
    assert found["failed"] == []
    assert found["first"].startswith(f"trial-rollout--1-{fill}"), "the chosen one first"
    for values, (removed, kept, area, order) in zip(maps, found["curves"], strict=True):
        wanted = put_to_trial(trace, order_of(values).tolist(), label, fill)
        assert order == wanted.order.tolist()
        for ours, theirs in ((removed, wanted.deletion), (kept, wanted.insertion), (area, wanted.area)):
            assert np.abs(np.array(ours) - theirs).max() < CLOSE
