"""What the Heads page hands to the browser, compared with the model."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, visit
from tests.unit.test_explorer import unpack
from vitviz.measures import attention_weights
from vitviz.measures.quantised import dequantise
from vitviz.ui.results import measure
from vitviz.ui.samples import samples
from vitviz.ui.selection import FIRST_MODEL, Selection


def heads(**query: str) -> AppTest:
    """The Heads page at an address."""
    return healthy(visit("heads", **query))


def sent(app: AppTest, name: str) -> list:
    """The payloads of all mounted components of one name, in order."""
    components = [element.proto for element in app.get("bidi_component")]
    return [proto.bytes or json.loads(proto.json) for proto in components if proto.component_name == f"vitviz.{name}"]


@pytest.fixture(scope="module")
def page() -> AppTest:
    """The page as a link with a view opens it."""
    return heads(layer="3", head="2", query="40", shows="column", scale="own", pinned="true")


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """fp32 attention weights of the same model and picture, all layers."""
    view = Selection(FIRST_MODEL, next(iter(samples().values())))
    return np.stack([measure(view, attention_weights, layer) for layer in range(view.config.depth)])


def test_every_layer_is_sent_once_and_is_the_models(page: AppTest, weights: np.ndarray) -> None:
    layers = {}
    for header, parts in map(unpack, sent(page, "message")):
        if header["kind"] == "layer":
            assert header["layer"] not in layers
            layers[header["layer"]] = dequantise(np.frombuffer(parts["code"], np.uint8).reshape(weights[0].shape))
    assert next(iter(layers)) == 2, "the layer that is looked at comes first"
    assert sorted(layers) == list(range(len(weights)))
    for layer, decoded in layers.items():
        assert np.abs(decoded - weights[layer]).sum(axis=-1).max() / 2 <= 0.01
        np.testing.assert_allclose(decoded.sum(axis=-1), 1, atol=1e-6)


def test_how_far_off_the_bytes_are_stands_under_them(page: AppTest) -> None:
    assert any("a row of 145 weights is at most 1.53 % off" in caption.value for caption in page.main.caption)


def test_the_opening_has_the_picture_the_names_and_the_class_rows(page: AppTest, weights: np.ndarray) -> None:
    ((header, parts),) = map(unpack, sent(page, "explorer"))
    assert (header["rows"], header["columns"], header["specials"], header["tokens"]) == (12, 12, ["class"], 145)
    assert (header["depth"], header["heads"], header["model"], header["precision"]) == (6, 4, "demo", "fp32")
    assert parts["picture"].startswith(b"\x89PNG")
    rows = dequantise(np.frombuffer(parts["rows"], np.uint8).reshape(6, 4, 145))
    assert np.abs(rows - weights[:, :, 0]).sum(axis=-1).max() / 2 <= 0.01


def test_the_view_is_the_links_and_about_the_same_model_and_picture(page: AppTest) -> None:
    (view,) = sent(page, "selection")
    ((header, _),) = map(unpack, sent(page, "explorer"))
    assert view["digest"] == header["digest"]
    assert {name: view[name] for name in ("layer", "head", "query", "shows", "scale", "mean", "pinned")} == {
        "layer": 2,
        "head": 1,
        "query": 40,
        "shows": "column",
        "scale": "own",
        "mean": False,
        "pinned": True,
    }


def test_numbers_are_fp32(page: AppTest, weights: np.ndarray) -> None:
    numbers = [unpack(message) for message in sent(page, "message")]
    ((header, parts),) = [(header, parts) for header, parts in numbers if header["kind"] == "query"]
    assert (header["layer"], header["query"]) == (2, 40)
    for part, truth in (("row", weights[2, :, 40]), ("column", weights[2, :, :, 40])):
        np.testing.assert_allclose(np.frombuffer(parts[part], np.float32).reshape(4, 145), truth, rtol=1e-5)


def test_a_change_of_one_slider_leaves_the_maps_and_the_picture_alone() -> None:
    app = heads(layer="2")
    before = sent(app, "explorer"), sent(app, "message")[1:]
    app.slider(key="head").set_value(3).run()
    assert (sent(app, "explorer"), sent(app, "message")[1:]) == before
    assert sent(app, "selection")[0]["head"] == 2


def test_a_query_of_a_link_or_of_an_input_is_pinned_until_it_is_let_go() -> None:
    app = heads(query="40")
    assert pinned(app) == (40, True)
    app.toggle(key="pinned").set_value(False).run()
    assert pinned(app) == (40, False)
    app.slider(key="head").set_value(2).run()
    assert pinned(app) == (40, False)
    app.select_slider(key="query").set_value("41").run()
    assert pinned(app) == (41, True)
    app.toggle(key="pinned").set_value(False).run()
    app.selectbox(key="model").set_value("deit_base_distilled_patch16_224").run()
    assert pinned(app) == (42, False), "the same patch, one token further"
    assert pinned(heads()) == (0, False)


def pinned(app: AppTest) -> tuple[int, bool]:
    """The query that the page tells the browser, and whether it is held."""
    (view,) = sent(app, "selection")
    return view["query"], view["pinned"]


def test_a_large_model_sends_single_layers() -> None:
    own = {"image_size": "192", "patch_size": "8", "dim": "64", "depth": "5", "heads": "16", "mlp_dim": "64"}
    app = heads(model="build-your-own", layer="4", query="7", **own)
    headers = [unpack(message)[0] for message in sent(app, "message")]
    assert [header["layer"] for header in headers if header["kind"] == "layer"] == [3, 4, 2]
    ((header, parts),) = [unpack(m) for m in sent(app, "message") if unpack(m)[0]["kind"] == "query"]
    assert len(parts["rows"]) == 5 * 16 * 577
    assert header["query"] == 7


def test_a_distilled_model_has_rows_for_both_prefix_tokens() -> None:
    app = heads(model="deit_base_distilled_patch16_224", query="distillation")
    ((header, parts),) = map(unpack, sent(app, "explorer"))
    assert header["specials"] == ["class", "distillation"]
    assert not header["trained"]
    assert len(parts["rows"]) == 2 * 12 * 12 * 198
    assert sent(app, "selection")[0]["query"] == 1
