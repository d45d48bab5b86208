"""Maps of the demo model on trial, over held-out scenes: `vitviz demo trial`.

Of one picture no map is the best: the page that puts maps on trial draws beside that of its picture what these came to
on average over scenes of which none was trained on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.config import PRESETS
from vitviz.demo.artifacts import CHECKPOINT, DATA
from vitviz.demo.dataset import TEST, draw, to_input, to_tensor
from vitviz.measures.arrays import Array
from vitviz.measures.deletion import FILLS, area_under, steps, tried
from vitviz.measures.logit_sum import NONE
from vitviz.measures.relevance import MAPS

if TYPE_CHECKING:
    from vitviz.model import ViT
    from vitviz.trace import Trace

FILE = "trial.json"
SCENES = TEST[:100]
DIGITS = 4

Curves = Mapping[str, Array]  # by map: deletion and insertion, `2 count`
Areas = dict[str, dict[str, list[float]]]  # by fill and by map: under deletion and under insertion


def means(fill: str) -> Curves:
    """The mean curves of the demo model with a fill: by map, `2 count`."""
    return {name: np.array(curves, np.float32) for name, curves in read()["curves"][fill].items()}


@cache
def read() -> dict[str, Any]:
    """What was measured: "scenes" and "first_seed", "counts", and "curves" by fill and map."""
    found: dict[str, Any] = json.loads((DATA / FILE).read_text(encoding="utf-8"))
    return found


def own_model() -> ViT:
    """The demo model itself."""
    from safetensors.torch import load_file

    from vitviz.model import ViT

    model = ViT(PRESETS["demo"])
    model.load_state_dict(load_file(DATA / CHECKPOINT))
    return model


def measure(model: ViT, seeds: Sequence[int], light: float = 1) -> dict[str, Curves]:
    """The mean curves over the scenes of `seeds`, of the class that a model names: by fill and by map."""
    from vitviz.trace import record

    pictures = draw(seeds, light=light)
    found: dict[str, dict[str, list[Array]]] = {fill: {name: [] for name in MAPS} for fill in FILLS}
    for at in range(len(pictures)):
        its_own = cache(
            partial(_of_trace, record(model, to_input(to_tensor(pictures.image[at : at + 1], model.device))))
        )
        for fill, its in found.items():
            for name, curves in its.items():
                one = tried(its_own, model.config, name, NONE, fill)
                curves.append(np.stack([one.deletion, one.insertion]))
        print(f"\rscene {at + 1} of {len(pictures)}", end="", flush=True)
    return {fill: {name: np.mean(curves, axis=0) for name, curves in its.items()} for fill, its in found.items()}


def _of_trace(trace: Trace, function: Callable[..., Any], *args: Any) -> Any:
    return function(trace, *args)


def areas(curves: Mapping[str, Curves]) -> Areas:
    """Under the curves, over the share of patches, of every fill and map."""
    return {
        fill: {name: [round(area_under(it, steps(144)), DIGITS) for it in both] for name, both in its.items()}
        for fill, its in curves.items()
    }


def run() -> None:
    """Measure, keep it beside the model, and print the areas."""
    found = measure(own_model(), SCENES)
    about = {"scenes": len(SCENES), "first_seed": SCENES.start, "counts": steps(144)}
    curves = {fill: {name: _rounded(its) for name, its in of_fill.items()} for fill, of_fill in found.items()}
    (DATA / FILE).write_text(written(about, curves), encoding="utf-8")
    print(f"\n{'map':20}" + "".join(f"{fill:>18}" for fill in FILLS))
    under = areas(found)
    for name in MAPS:
        print(f"{name:20}" + "".join(f"{area:9.3f}" for fill in FILLS for area in under[fill][name]))


def written(about: Mapping[str, Any], curves: Mapping[str, Mapping[str, list[list[float]]]]) -> str:
    """The measures as JSON with one map on a line, so that a change can be read."""
    fills = []
    for fill, its in curves.items():
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(of_map)}" for name, of_map in its.items())
        fills.append(f"  {json.dumps(fill)}: {{\n{lines}\n  }}")
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in about.items()]
    return "{\n" + ",\n".join([*parts, '"curves": {\n' + ",\n".join(fills) + "\n}"]) + "\n}\n"


def _rounded(curves: Array) -> list[list[float]]:
    rounded: list[list[float]] = np.round(curves.astype(float), DIGITS).tolist()
    return rounded
