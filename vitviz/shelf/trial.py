"""Maps of the siblings on trial, over held-out scenes without light: `vitviz shelf trial`."""

from __future__ import annotations

import json
from functools import cache

from vitviz.demo.trial import FILE, SCENES, Areas, areas, means, measure
from vitviz.measures.deletion import FILLS
from vitviz.shelf.rows import DATA, SHELF, checkpoint

FEWER = SCENES[:20]  # there are many siblings


@cache
def averaged(chosen: str) -> tuple[int, Areas] | None:
    """Over how many scenes the maps of the demo or of a sibling were tried, and the areas; None of another model."""
    if chosen == "demo":
        return len(SCENES), areas({fill: means(fill) for fill in FILLS})
    its = _read().get(chosen)
    return None if its is None else (len(FEWER), its)


def measured(chosen: str) -> Areas:
    """The areas under the mean curves of a sibling over `FEWER` scenes."""
    from safetensors.torch import load_file

    from vitviz.model import ViT

    row, _, seed = chosen.removeprefix("shelf_").rpartition("_")
    model = ViT(SHELF[chosen])
    model.load_state_dict(load_file(checkpoint(row, seed=int(seed))))
    return areas(measure(model, FEWER, light=0))


def run() -> None:
    """Measure every sibling that ships and is not measured yet, and keep it beside them."""
    for chosen in SHELF:
        found = _read()
        if chosen not in found:
            found[chosen] = measured(chosen)
            lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(its)}" for name, its in sorted(found.items()))
            (DATA / FILE).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
            print(f"\r{chosen:42}" + "".join(f"{it[0]:8.3f}" for it in found[chosen]["grey"].values()), flush=True)


def _read() -> dict[str, Areas]:
    file = DATA / FILE
    found: dict[str, Areas] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found
