"""The explorer as a file: whole, the same twice, no larger than it should be, and safe whatever things are called."""

import gzip
import json
import re
from base64 import b64decode
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
import torch
from torch import Tensor

import vitviz
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.measures.attention import attention_weights
from vitviz.measures.quantised import quantised_layer
from vitviz.model import ViT
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.explorer.explorer import explore
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_words
from vitviz.trace import Trace, record
from vitviz.weights import Loaded

HOSTILE = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


def parcels_of(html: str) -> dict[str, dict[str, np.ndarray]]:
    """The numbers in a file, read as a browser reads them."""
    found = re.search(r'id="numbers">([^<]+)<', html)
    assert found
    data = gzip.decompress(b64decode(found[1]))
    parcels, at = {}, 4 + int.from_bytes(data[:4], "little")
    for length in json.loads(data[4:at])["bundle"]:
        parcel, at = data[at : at + length], at + length
        start = 4 + int.from_bytes(parcel[:4], "little")
        header = json.loads(parcel[4:start])
        arrays = {}
        for it in header["arrays"]:
            kind = np.dtype(it["type"])
            values = np.frombuffer(parcel, kind, it["length"] // kind.itemsize, start)
            arrays[it["name"]] = values.reshape(it["shape"])
            start += it["length"]
        parcels[header["name"]] = arrays
    return parcels


class Elements(HTMLParser):
    """Every element that a browser would make."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.addresses: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]


def test_the_file_holds_all_maps_and_the_uncoded_weights_of_the_query(trace: Trace, demo: Loaded) -> None:
    found = parcels_of(explore(trace, demo, query=60).html)
    for layer in range(6):
        np.testing.assert_array_equal(found[f"maps-{layer}"]["code"], quantised_layer(trace, layer))
        np.testing.assert_array_equal(found[f"exact-{layer}-60"]["row"], attention_weights(trace, layer)[:, 60])
    assert json.loads(found["opening"]["labels"].tobytes()) == list(demo.labels)


def test_the_same_view_is_the_same_bytes(cat: Opened) -> None:
    first, second = (explore(cat.trace, cat.loaded, model="demo", picture="Cat") for _ in range(2))
    assert first.html == second.html
    assert len(first.html) <= 1_000_000


def test_a_large_model_fits_into_six_megabytes() -> None:
    """ViT-B/16's maps with parameters drawn at random: nearly uniform rows, which compress worst."""
    config = ViTConfig(dim=48, mlp_dim=48, heads=12)  # as many maps, in less time
    trace = record(ViT(config, seed=0), picture(config))
    assert len(explore(trace).html) <= 6_000_000


def picture(config: ViTConfig) -> Tensor:
    """Noise of the size that a model reads."""
    return torch.randn(1, 3, *config.image_sides, generator=torch.Generator().manual_seed(0))


def test_too_large_a_file_is_refused_before_anything_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ViTConfig(image_size=448, dim=24, depth=12, heads=12, mlp_dim=24)
    trace = record(ViT(config, seed=0), picture(config))
    monkeypatch.setattr("vitviz.takeaway.explorer.explorer.quantised_layer", lambda *_: pytest.fail("computed"))
    with pytest.raises(TakeawayError, match=r"12 layers make a file of about 73\.9 MB .* at most 4 layers"):
        explore(trace)
    assert explore(trace, layers=range(4)).layers == (0, 1, 2, 3)


def test_chosen_layers_are_all_that_is_there(trace: Trace) -> None:
    explorer = explore(trace, layers=[1, 4])
    maps = {name for name in parcels_of(explorer.html) if name.startswith("maps")}
    assert maps == {"maps-1", "maps-4"}
    assert "6 layers (2 of them here)" in explorer.caption


@pytest.mark.parametrize(("name", "value"), [("layer", 6), ("head", 4), ("query", 145), ("layers", [7])])
def test_what_there_is_not_is_said(trace: Trace, name: str, value: int) -> None:
    with pytest.raises(TakeawayError, match="there is no"):
        explore(trace, **{name: value})  # type: ignore[arg-type]


def test_names_stay_words_in_the_file_and_in_the_notebook(trace: Trace) -> None:
    plain, hostile = explore(trace, model="demo"), explore(trace, model=HOSTILE, picture=HOSTILE)
    assert Elements(hostile.html).names == Elements(plain.html).names
    assert Elements(plain.html).addresses == []
    assert Elements(hostile._repr_html_()).names == ["iframe"]
    assert unescape(hostile._repr_html_().split('srcdoc="')[1].split('" title')[0]) == hostile.html


def test_with_the_model_it_stays_small_and_the_same(cat: Opened) -> None:
    explorer = explore(cat.trace, cat.loaded, weights=True)
    first, second = explorer.html, replace(explorer).html
    assert first == second
    assert len(first) <= 4_500_000
    assert "connect-src data:" in first
    assert "connect-src" not in explore(cat.trace, cat.loaded).html


def test_a_model_that_browsers_do_not_run_is_refused(cat: Opened, demo: Loaded) -> None:
    trace = record(demo.model, cat.trace["image"].tensor, edits=Edits.parse("h1.1*0", demo.config))
    relative = opened(from_words("heads", {"model": "shelf_relative_0"}, ["heads"]))
    for given, loaded, says in (
        (cat.trace, None, "needs what `load` returned"),
        (trace, demo, "without edits"),
        (relative.trace, relative.loaded, "browsers run small models"),
    ):
        with pytest.raises(TakeawayError, match=says):
            explore(given, loaded, weights=True)


def test_a_notebook_shows_it_in_a_frame_of_its_own(trace: Trace) -> None:
    shown = explore(trace)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert repr(explore(trace, model="demo", picture="Cat")).startswith("<Explorer: demo on “Cat”: attention weights")


def test_a_notebook_calls_it_by_the_package_s_name(trace: Trace) -> None:
    assert vitviz.explore is explore
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        vitviz.nothing  # noqa: B018


def test_a_picture_without_its_model_s_rule_is_stretched(trace: Trace, demo: Loaded) -> None:
    exact, stretched = explore(trace, demo).pixels, explore(trace).pixels
    assert np.array_equal(exact, demo.preprocess.pixels(trace["image"].tensor))
    assert stretched.min() == 0
    assert stretched.max() == 255
