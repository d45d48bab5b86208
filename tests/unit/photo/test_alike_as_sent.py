"""What the hand needs of cosines, with the model of photographs, as the browser gets it."""

from typing import Any

import numpy as np
import pytest
from vitviz.pages.attention.what_a_token_knows import scene

from vitviz.board.address import read_words
from vitviz.config import PRESETS
from vitviz.images import open_image
from vitviz.measures.similarity import cosines
from vitviz.samples import samples
from vitviz.scripts.parcels import pack
from vitviz.selection import ModelChoice, Picture, Selection
from vitviz.trace import record
from vitviz.weights import load

MOST = 1_500_000  # bytes
LAYER = 3  # whose states few directions hold worst


def products(arrays: Any, patch: int) -> np.ndarray:
    """The cosines of a patch at the first place of a parcel, as the browser makes them."""
    if "pairs" in arrays:
        many = int(np.sqrt(2 * arrays["pairs"].shape[1]))
        return np.array(
            [arrays["pairs"][:, max(i, patch) * (max(i, patch) + 1) // 2 + min(i, patch)] for i in range(many)]
        ).T
    its = arrays["coordinates"].astype(np.float32) * arrays["steps"][:, None]
    return np.einsum("rnk,rk->rn", its, its[:, patch])


@pytest.mark.parametrize("size", [224, 448])
def test_what_is_said_to_be_exact_is_and_all_of_it_is_small(size: int) -> None:
    config = PRESETS["photo"].with_(image_size=size)
    picture = samples()["tabby"]
    selection = Selection(ModelChoice("photo", config), picture)
    address = read_words({"moment": "alike", "layer": str(LAYER)}, config, "what_a_token_knows")
    sent = {name: make() for name, make in scene.parcels(selection, address)}
    assert sum(len(pack("", name, arrays)) for name, arrays in sent.items()) < MOST
    loaded = load("photo", image_size=size)
    trace = record(loaded.model, loaded.preprocess(open_image(picture.data)))
    fine = 0
    for patch in (0, config.patches // 2, config.patches - 1):
        rows = products(sent["alike-state"], patch)
        for row, values in enumerate(rows):
            of, layer = [("pixels", 0), ("token", 0), *(("state", it) for it in range(config.depth))][row]
            lost = np.abs(np.delete(values - cosines(trace, of, layer, patch), patch)).max()
            error = sent["alike-state"]["error"][row]
            assert lost <= error + 1e-5
            fine += error < 1e-3
        if own := sent.get(f"alike-state-{LAYER - 1}"):
            assert own["error"][0] < 1e-3
            np.testing.assert_allclose(products(own, patch)[0], cosines(trace, "state", LAYER - 1, patch), atol=1e-3)
    assert fine == (3 * (config.depth + 2) if size == 224 else 0)


def test_a_model_that_takes_long_looks_into_few_other_pictures_and_says_why() -> None:
    own = Picture("own", "your picture", "", samples()["coffee"].data)
    for size, few in ((224, None), (448, " 2 of 6 other pictures.")):
        config = PRESETS["photo"].with_(image_size=size)
        selection = Selection(ModelChoice("photo", config), samples()["tabby"], others=(own, samples()["cat"]))
        found = scene.facts(selection)
        assert found.get("few") == few
        assert [it["title"] for it in found["others"]][:2] == ["your picture", "Cat"]
        assert found["others"][0]["id"] == "", "a click leads to samples alone"
        assert ("is not begun unasked" in found.get("fewer", "")) == (few is not None)
        names = [name for name, _ in scene.parcels(selection, read_words({}, config, "what_a_token_knows"))]
        assert not any(found["among"] in name for name in names), "what is of this picture alone has its own name"
        address = read_words({"moment": "elsewhere"}, config, "what_a_token_knows")
        assert f"others{found['among']}" in dict(scene.parcels(selection, address))
