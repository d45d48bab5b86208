"""What a browser fetches: under addresses that say what they lead to, to be kept, and from any process of a server."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from einops import rearrange
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.engines import MakeEngine
from tests.unit.ui.test_board import unpack
from vitviz import results
from vitviz.config import PRESETS, ViTConfig
from vitviz.edits.running import reference_means
from vitviz.images import open_image
from vitviz.installed import FRONTEND
from vitviz.messages import ModelSpec
from vitviz.results import requests
from vitviz.samples import samples
from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script
from vitviz.selection import FIRST_MODEL, PHOTO_MODEL, ModelChoice, Selection
from vitviz.ui.forward import delivery
from vitviz.weights import Loaded, build, load
from vitviz.weights.arrays import parameters
from vitviz.weights.files.eight_bits import narrowed

MORE_ON_A_FIRST_VISIT = 2_600_000  # bytes
CODE = 20_000


@pytest.fixture(scope="module")
def demo() -> Loaded:
    return load("demo", device="cpu")


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A process that has offered nothing yet."""
    delivery._offers.clear()
    yield TestClient(Starlette(routes=delivery.ROUTES))
    delivery._offers.clear()


@pytest.fixture
def told(client: TestClient) -> ModelSpec:
    return delivery.describe(FIRST_MODEL)


def test_what_one_process_describes_another_one_gives(client: TestClient, told: dict[str, Any]) -> None:
    delivery._offers.clear()
    assert client.get(told["parameters"]).status_code == 200
    assert delivery.describe(FIRST_MODEL) == told


def test_parameters_arrive_as_they_are_in_the_checkpoint(
    demo: Loaded, client: TestClient, told: dict[str, Any]
) -> None:
    _, name, arrays = unpack(client.get(told["parameters"]).content)
    state = demo.model.state_dict()
    assert name == "parameters"
    assert arrays.pop("prefix").tolist() == state.pop("cls_token")[0].tolist()
    assert arrays.pop("positions").tolist() == state.pop("pos_embed")[0].tolist()
    assert set(arrays) == set(state)
    for each, values in arrays.items():
        assert values.dtype == np.float16, "the demo's checkpoint has no more"
        assert np.array_equal(values, state[each])


def test_numbers_that_half_precision_cannot_hold_stay_whole() -> None:
    config = ViTConfig(image_size=16, patch_size=8, dim=16, depth=1, heads=2, mlp_dim=24, classes=3, registers=2)
    loaded = build(config, device="cpu")
    arrays = parameters(loaded)
    assert arrays["blocks.0.mlp.fc1.weight"].dtype == np.float32
    assert np.array_equal(arrays["blocks.0.mlp.fc1.weight"], loaded.model.state_dict()["blocks.0.mlp.fc1.weight"])
    assert arrays["blocks.0.mlp.fc1.bias"].dtype == np.float16, "zeros"
    assert (arrays["prefix"].shape, arrays["positions"].shape) == ((3, 16), (7, 16))


def test_matrices_of_8_bits_stay_what_they_were_stored_as() -> None:
    config = PRESETS["demo"].with_(depth=1)
    loaded = build(config, device="cpu")
    matrix = loaded.model.get_parameter("blocks.0.mlp.fc1.weight")
    whole, scale = narrowed(matrix.detach())
    matrix.data = whole * scale[:, None]
    arrays = parameters(loaded)
    assert arrays["blocks.0.mlp.fc1.weight"].dtype == np.int8
    assert np.array_equal(arrays["blocks.0.mlp.fc1.weight"], whole)
    assert np.allclose(arrays["blocks.0.mlp.fc1.weight_scale"], scale, rtol=1e-6, atol=0)
    assert arrays["blocks.0.mlp.fc2.weight"].dtype == np.float32


def test_of_a_large_model_matrices_are_rounded_and_nothing_else() -> None:
    loaded = build(PRESETS["demo"].with_(dim=256, depth=5), seed=1, device="cpu")
    arrays = parameters(loaded)
    whole = {name for name, values in arrays.items() if values.dtype == np.float32}
    assert {"positions", "prefix"} <= whole, "drawn numbers are no halves"
    assert not any(name.endswith("weight") for name in whole)
    drawn = loaded.model.get_parameter("blocks.0.mlp.fc1.weight").detach().numpy()
    assert np.abs(arrays["blocks.0.mlp.fc1.weight"] - drawn).max() <= np.abs(drawn).max() / 2048


def test_a_larger_model_is_packed_when_it_is_asked_for(client: TestClient) -> None:
    told = delivery.describe(PHOTO_MODEL)
    (offer,) = delivery._offers.values()
    assert offer.files == {}
    assert told["bytes"] == 21_628_800
    answer = client.get(told["parameters"])
    assert int(answer.headers["x-length"]) == len(answer.content)
    assert len(answer.content) < 1.04 * told["bytes"]
    _, _, arrays = unpack(answer.content)
    assert sum(values.dtype == np.int8 for values in arrays.values()) == 48


def test_a_browser_keeps_what_it_has(client: TestClient, told: dict[str, Any]) -> None:
    for what in ("script", "parameters"):
        answer = client.get(told[what])
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert client.get(told[what], headers={"if-none-match": answer.headers["etag"]}).status_code == 304
        zipped, plain = (client.get(told[what], headers={"accept-encoding": it}) for it in ("gzip", "identity"))
        assert zipped.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert zipped.content == plain.content
    assert client.get(told["script"]).headers["content-type"].startswith("text/javascript")


def test_the_first_visit_fetches_little(client: TestClient, told: dict[str, Any]) -> None:
    sent = {it: int(client.get(told[it]).headers["content-length"]) for it in ("script", "parameters")}
    pixels = 4 * 3 * PRESETS["demo"].image_sides[0] ** 2
    page = sum(len(lean_script(bundle(FRONTEND / "forward" / name))) for name in ("client.js", "jobs.js"))
    assert sent["script"] + page < CODE
    assert sent["parameters"] + sent["script"] + pixels < MORE_ON_A_FIRST_VISIT


def test_a_process_that_offered_nothing_has_the_model_that_everybody_meets(
    client: TestClient, told: dict[str, Any]
) -> None:
    content = client.get(told["parameters"]).content
    delivery._offers.clear()
    assert client.get(told["parameters"]).content == content


def test_means_are_made_when_they_are_asked_for(demo: Loaded, client: TestClient, told: dict[str, Any]) -> None:
    (offer,) = delivery._offers.values()
    assert offer.files == {}
    _, name, arrays = unpack(client.get(told["means"]).content)
    wanted = reference_means(demo)
    assert name == "means"
    assert set(arrays) == {it for it in wanted if not it.endswith("attn.out")}, "they follow from z"
    for each, values in arrays.items():
        assert np.array_equal(values, wanted[each])
    assert [*offer.files] == [offer.means]


def test_what_there_is_not_is_a_sentence(client: TestClient, told: dict[str, Any]) -> None:
    for name in ("parameters-0123456789abcdef.bin", "worker.js", "..%2fapp.py"):
        answer = client.get(f"forward/{name}")
        assert answer.status_code == 404
        assert answer.headers.get("cache-control") != delivery.FOR_EVER


def test_beside_any_folder_of_pages_it_is_the_same(client: TestClient, told: dict[str, Any]) -> None:
    assert client.get(f"/vit/{told['script']}").content == client.get(told["script"]).content


def test_the_models_that_were_asked_for_last_are_kept(client: TestClient) -> None:
    models = [ModelChoice("any", PRESETS["demo"], seed) for seed in range(delivery.MOST + 1)]
    for model in models:
        delivery.describe(model)
        delivery.describe(models[0])
    assert models[0].key in delivery._offers
    assert models[1].key not in delivery._offers
    assert len(delivery._offers) == delivery.MOST


def test_what_is_delivered_comes_from_every_kind_of_engine(make_engine: MakeEngine, demo: Loaded) -> None:
    engine = make_engine()
    for request, wanted in (
        (requests.parameters_request(FIRST_MODEL), parameters(demo)),
        (requests.described_means_request(FIRST_MODEL), reference_means(demo)),
    ):
        found = engine.submit(request).result().value
        assert set(found) == set(wanted)
        assert all(np.array_equal(found[name], wanted[name]) for name in wanted)


def test_the_picture_is_handed_over_as_the_model_reads_it(demo: Loaded) -> None:
    picture = next(iter(samples().values()))
    read = demo.preprocess(open_image(picture.data))
    found = results.patches(Selection(FIRST_MODEL, picture))
    wanted = rearrange(read, "1 c (gh ph) (gw pw) -> (gh gw) (c ph pw)", ph=8, pw=8)
    assert found.dtype == np.float32
    assert np.array_equal(found, wanted)
