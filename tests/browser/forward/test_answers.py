"""The browser's numbers beside PyTorch's: two hundred scenes as they are, and fifty edits that nobody chose."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from playwright.sync_api import Page
from torch import Tensor

from tests.browser.forward.conftest import patches
from tests.browser.forward.running import start
from vitviz.config import PRESETS
from vitviz.edits import Edits
from vitviz.edits.running import reference_means
from vitviz.measures import attention_weights
from vitviz.messages import ModelSpec
from vitviz.scripts.parcels import pack
from vitviz.selection import ModelChoice
from vitviz.trace import Trace, record
from vitviz.ui.forward import delivery
from vitviz.ui.forward.delivery import fits
from vitviz.weights import Loaded, build
from vitviz.weights.arrays import parameters

EDITS = 50
CLOSE = 1e-4
WORDS = (
    *("h{layer}.{head}*{scale}", "h{layer}.1-4*{scale}", "h{layer}.{head}=mean", "h{layer}.{head}=mean.all"),
    *(
        "a{layer}*{scale}",
        "a{layer}=mean",
        "m{layer}*{scale}",
        "m{layer}=mean.all",
        "m{layer}=mean",
        "b{layer}*{scale}",
    ),
    *(
        "t{layer}={temperature}",
        "t={temperature}",
        "s{layer}=dh",
        "k{layer}={count}",
        "w{layer}={reach}",
        "w={reach}",
        "c{layer}",
        "c",
    ),
    *("p{patch}", "p{patch}=removed", "p{patch}=grey", "p{patch}=blur", "p{patch}=paste", "p40-60"),
    *(
        "i{patch}={other}",
        "i=shuffled@{other}",
        "e{patch}={other}",
        "e=off",
        "e=shuffled@{other}",
        "o40-60={scale}",
        "d={rate}@{other}",
        "l={rate}@{other}",
    ),
    *("r{layer}.{patch}", "r{layer}.x1", "r{layer}.all", "r{layer}.60-90"),
)


LOOK = """async ({ asked, weights }) => {
    const found = [];
    let shown = [];
    for (const [at, { scene, second, edits, layer }] of asked.entries()) {
        if (shown[0] !== scene) await forward.show(one("patches", scene));
        if (shown[1] !== second && second >= 0) await forward.showSecond(one("patches", second));
        shown = [scene, second];
        const { lens, logits, arrays, refused } = await forward.run(edits, weights ? [`weights-${layer}`] : []);
        found.push({
            edits,
            lens: apart(lens, one("lens", at)),
            same: best(logits) === best(one("lens", at).slice(-logits.length)),
            weights: weights ? apart(arrays[`weights-${layer}`].data, one("weights", at)) : 0,
            refused,
        });
    }
    return found;
}"""


def some_edits(seed: int) -> str:
    """One to four words that chance decides."""
    chance = Random(seed)
    numbers: dict[str, Any] = {"head": 4, "patch": 144, "other": 144, "layer": 6, "count": 120, "reach": 6}
    said = []
    for word in chance.sample(WORDS, chance.randint(1, 4)):
        places = {name: chance.randint(1, most) for name, most in numbers.items()}
        scale, temperature, rate = chance.uniform(0, 2), chance.uniform(0.25, 4), chance.uniform(0.05, 0.4)
        said.append(word.format(**places, scale=f"{scale:.3f}", temperature=f"{temperature:.3f}", rate=f"{rate:.3f}"))
    return " ".join(said)


def lens(trace: Trace) -> Tensor:
    """What the head says before the first block and after each: `after class`."""
    return torch.cat([trace.readout(layer)["logits"].tensor for layer in range(trace.config.depth + 1)])


def weights(trace: Trace, layer: int) -> Tensor:
    """`head q k`, as pages on the server measure them."""
    return torch.tensor(attention_weights(trace, layer))


@pytest.fixture(scope="session")
def means(demo: Loaded) -> Mapping[str, Tensor]:
    return reference_means(demo)


def test_two_hundred_scenes_are_answered_as_by_pytorch(
    page: Page, demo: Loaded, told: ModelSpec, scenes: Tensor, tmp_path: Path
) -> None:
    layers = [scene % demo.config.depth for scene in range(len(scenes))]
    traces = [record(demo.model, scene[None]) for scene in scenes]
    wanted = {
        "patches": patches(scenes).numpy(),
        "lens": torch.stack([lens(trace) for trace in traces]).numpy(),
        "weights": torch.stack([weights(*it) for it in zip(traces, layers, strict=True)]).numpy(),
    }
    start(page, told, wanted, tmp_path)
    asked = [{"scene": at, "second": -1, "edits": "", "layer": layer} for at, layer in enumerate(layers)]
    found = page.evaluate(LOOK, {"asked": asked, "weights": True})
    assert len(found) == 200
    assert max(it["lens"] for it in found) < CLOSE
    assert max(it["weights"] for it in found) < CLOSE
    assert all(it["same"] for it in found)


@pytest.mark.parametrize(
    "changes",
    [
        {"registers": 2, "activation": "quick_gelu", "positions": "sincos_2d", "patch_size": 16},
        {"heads": 2, "depth": 2, "activation": "gelu_tanh", "positions": "none", "patch_bias": False, "classes": 9},
        {"dim": 64, "heads": 8, "mlp_dim": 72, "positions": "learned_2d", "epsilon": 1e-3},
        {"classes": 0, "depth": 2},  # the vectors that a head would read stand for the logit lens
    ],
    ids=str,
)
def test_models_of_other_sizes_are_answered_as_by_pytorch(
    page: Page, scenes: Tensor, tmp_path: Path, changes: dict[str, Any]
) -> None:
    choice = ModelChoice("sibling", PRESETS["demo"].with_(**changes), seed=3)
    assert fits(choice)
    loaded = build(choice.config, seed=choice.seed, device="cpu")
    traces = [record(loaded.model, scene[None]) for scene in scenes[:4]]
    wanted = {
        "patches": patches(scenes[:4], choice.config.patch_sides[0]).numpy(),
        "lens": torch.stack([lens(trace) for trace in traces]).numpy(),
        "weights": torch.stack([weights(trace, 1) for trace in traces]).numpy(),
    }
    told = delivery.describe(choice)
    content = pack("", "parameters", parameters(loaded))
    page.route(f"**/{told['parameters']}", lambda route: route.fulfill(body=content))
    start(page, told, wanted, tmp_path)
    asked = [{"scene": scene, "second": -1, "edits": "", "layer": 1} for scene in range(len(traces))]
    found = page.evaluate(LOOK, {"asked": asked, "weights": True})
    assert max(max(it["lens"], it["weights"]) for it in found) < CLOSE
    assert all(it["same"] for it in found)


def test_fifty_edits_change_what_they_change_in_pytorch(
    page: Page, demo: Loaded, told: ModelSpec, scenes: Tensor, means: Mapping[str, Tensor], tmp_path: Path
) -> None:
    asked: list[dict[str, Any]] = []
    for seed in range(EDITS):
        chance = Random(seed)
        scene, second = chance.sample(range(len(scenes)), 2)
        layer = chance.randrange(demo.config.depth)
        asked.append({"scene": scene, "second": second, "edits": some_edits(seed), "layer": layer})
    plain = {scene: record(demo.model, scenes[scene][None]) for it in asked for scene in (it["scene"], it["second"])}
    traces = [
        record(
            demo.model,
            scenes[it["scene"]][None],
            edits=Edits.parse(it["edits"], demo.config),
            donor=plain[it["second"]],
            means=means,
        )
        for it in asked
    ]
    wanted = {
        "patches": patches(scenes).numpy(),
        "lens": torch.stack([lens(trace) for trace in traces]).numpy(),
        "weights": torch.stack([weights(trace, it["layer"]) for trace, it in zip(traces, asked, strict=True)]).numpy(),
    }
    start(page, told, wanted, tmp_path)
    found = page.evaluate(LOOK, {"asked": asked, "weights": True})
    changed = [(lens(trace) - lens(plain[it["scene"]])).abs().max() for trace, it in zip(traces, asked, strict=True)]
    assert len(found) == EDITS
    assert sum(change > 100 * CLOSE for change in changed) > 0.9 * EDITS
    assert {word[0] for it in asked for word in it["edits"].split()} == set("hambtskwcpieodlr")
    assert [it for it in found if it["lens"] >= CLOSE or it["weights"] >= CLOSE or not it["same"]] == []
    assert [it for it in found if it["refused"]] == []
