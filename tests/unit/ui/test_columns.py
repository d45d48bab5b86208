"""The same place in another model, as Python and the browser have it: one table holds both to it."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

from tests.cases import each
from vitviz.board.address import NONE, Address, of_second
from vitviz.config import PRESETS, ViTConfig
from vitviz.config.sides import middle
from vitviz.edits import NO_EDITS
from vitviz.samples import samples
from vitviz.selection import FIRST_MODEL, ModelChoice, Selection

TABLE = json.loads((Path(__file__).parents[2] / "frontend" / "columns" / "places.json").read_text(encoding="utf-8"))
DEMO = PRESETS["demo"]
MODELS = {
    "demo": DEMO,
    "tiny": PRESETS["vit_tiny_patch16_224"],
    "distilled": PRESETS["deit_base_distilled_patch16_224"],
    "mean": DEMO.with_(pool="mean", depth=2, heads=2),
    "registers": DEMO.with_(registers=4, depth=3),
    "coarse": DEMO.with_(patch_size=32),
}
FIELDS = ("layer", "head", "query", "key", "component", "after", "through")


def sizes(config: ViTConfig) -> dict[str, Any]:
    """What of a model decides where a place is."""
    rows, columns = config.grid
    names = {"depth": config.depth, "heads": config.heads, "dim": config.dim}
    return {"rows": rows, "columns": columns, "prefix": list(config.prefix_tokens), **names}


def selection(config: ViTConfig, learned: int | None = None) -> Selection:
    """A model that is never built, on a picture."""
    return Selection(ModelChoice("any", config), samples()["left"], learned=learned)


def place(asked: dict[str, int]) -> Address:
    """An address with these fields."""
    classes = {"answer": 3, "against": 7}
    return Address(**asked, **classes, patch=0, learned=700, moment="matrix", open="", edits=NO_EDITS, switches={})


@each(TABLE["cases"])
def test_a_place_in_another_model(case: Any) -> None:
    first, second = MODELS[case["from"]], MODELS[case["to"]]
    found = of_second(place(case["asked"]), "heads", first, selection(second))
    assert {name: getattr(found, name) for name in FIELDS} == case["found"]


def test_the_table_has_every_pair_of_these_models() -> None:
    assert TABLE["models"] == {name: sizes(config) for name, config in MODELS.items()}
    assert {(case["from"], case["to"]) for case in TABLE["cases"]} == set(permutations(MODELS, 2))


def test_a_place_stays_where_both_models_have_it() -> None:
    asked = {"layer": 5, "head": 3, "query": 80, "key": -1, "component": 127, "after": 6, "through": 4}
    found = of_second(place(asked), "heads", DEMO, selection(DEMO))
    assert found.patch == 79
    assert {name: getattr(found, name) for name in FIELDS} == asked
    assert found.learned == NONE, "moments of training are each column's own"
    assert of_second(place(asked | {"query": 0}), "heads", DEMO, selection(DEMO, 50)).learned == 50
    assert of_second(place(asked | {"query": 0}), "heads", DEMO, selection(MODELS["tiny"])).patch == middle(
        MODELS["tiny"].grid
    )


def test_moments_of_training_have_keys_of_their_own() -> None:
    plain = Selection(FIRST_MODEL, samples()["left"])
    then = Selection(FIRST_MODEL, samples()["left"], learned=50)
    assert plain.digest != then.digest
    assert plain.key == then.key.removesuffix(" after 50 steps")
