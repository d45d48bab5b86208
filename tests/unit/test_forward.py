"""What a forward pass leaves for pages to draw."""

from dataclasses import astuple, fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from vitviz.config import ViTConfig
from vitviz.forward import (
    SCREEN,
    ModelInfo,
    copy_photo,
    describe_embedding,
    describe_forward,
    describe_model,
    describe_photo,
    for_screen,
    run_embedding,
    run_forward,
)
from vitviz.images import Crop, open_image, photos
from vitviz.machine.device import DeviceError
from vitviz.measures import tokens
from vitviz.measures.classes import result
from vitviz.measures.quantised import quantised_layer
from vitviz.weights import Loaded, build, load


@pytest.mark.parametrize(("size", "rows"), [(4096, 16), (4095, 3), (2048, 128), (3000, 100)])
def test_a_picture_larger_than_a_screen_is_shown_smaller_with_whole_patches(size: int, rows: int) -> None:
    patches = np.arange(rows * rows).reshape(rows, rows) % 251
    pixels = np.repeat(np.kron(patches, np.ones((size // rows, size // rows)))[..., None], 3, axis=2).astype(np.uint8)
    shown = for_screen(pixels, (rows, rows))
    side = len(shown) // rows
    assert shown.shape == (side * rows, side * rows, 3)
    assert SCREEN // 2 < len(shown) <= SCREEN
    assert (shown[::side, ::side, 0] == patches).all()
    assert (shown[side - 1 :: side, side - 1 :: side, 0] == patches).all()


def test_a_picture_that_fits_a_screen_is_shown_as_it_is() -> None:
    pixels = np.zeros((224, 224, 3), np.uint8)
    assert for_screen(pixels, (14, 14)) is pixels


def test_a_picture_is_told_by_its_size_and_a_copy_no_larger_than_a_screen() -> None:
    large, small = (Image.new("RGB", size) for size in ((2048, 1024), (96, 96)))
    large.info["notes"], small.info["notes"] = ("Frame 1 of 2.",), ()
    photo = describe_photo(large)
    assert (photo.size, photo.notes) == ((2048, 1024), ("Frame 1 of 2.",))
    assert [copy_photo(each).shape for each in (large, small)] == [(512, 1024, 3), (96, 96, 3)]


def test_a_model_is_told_by_all_that_is_known_of_it_but_itself() -> None:
    loaded = load("demo", device="cpu")
    info = describe_model(loaded)
    known = {field.name for field in fields(Loaded)} - {"model"}
    assert {field.name for field in fields(ModelInfo)} == known | {"config", "device"}
    assert all(getattr(info, name) is getattr(loaded, name) for name in known | {"config"})
    assert info.device == "cpu"


@pytest.mark.parametrize("with_maps", [True, False])
def test_a_forward_pass_is_told_by_what_its_trace_says(with_maps: bool) -> None:
    loaded, picture = load("demo", device="cpu"), open_image(photos.PHOTOS[0].read())
    forward = run_forward(loaded, picture, with_maps)
    info = describe_forward(forward)
    assert np.array_equal(info.crop, np.asarray(loaded.preprocess.crop(picture)))
    assert np.array_equal(info.logits, result(forward.trace))
    assert len(info.maps) == (loaded.config.depth if with_maps else 0)
    for layer, coded in enumerate(info.maps):
        assert np.array_equal(coded, quantised_layer(forward.trace, layer))
    assert forward.nbytes == forward.trace.nbytes


@pytest.mark.parametrize(
    ("changes", "factor"),
    [({"dim": 1, "heads": 1, "epsilon": 1e-300}, 1.0), ({"depth": 2}, 1e9)],
    ids=["0", "10^9"],
)
@pytest.mark.parametrize("with_maps", [True, False])
def test_numbers_beyond_all_bounds_are_a_sentence(changes: dict[str, Any], factor: float, with_maps: bool) -> None:
    loaded = build(ViTConfig(image_size=16, patch_size=8, dim=8, heads=2, mlp_dim=8, classes=2).with_(**changes))
    with torch.no_grad():
        for tensor in loaded.model.parameters():
            tensor.mul_(factor)
    with pytest.raises(DeviceError, match=r"leaves the range of float32 numbers \(infinity or NaN\), so nothing of it"):
        run_forward(loaded, open_image(photos.PHOTOS[0].read()), with_maps)


@pytest.mark.parametrize("name", ["demo", "photo"])
def test_what_stands_before_the_first_block_is_the_same_without_the_blocks(name: str) -> None:
    loaded, picture = load(name, device="cpu"), open_image(photos.PHOTOS[0].read())
    crop = Crop(100, 50, 500)
    begun, whole = run_embedding(loaded, picture, crop), run_forward(loaded, picture, False, crop)
    for measure in (
        tokens.projection,
        tokens.placed_tokens,
        tokens.patch_positions,
        tokens.position_maps,
        partial(tokens.embedded, name="patches"),
        partial(tokens.token_components, most=3),
        partial(tokens.position_components, most=3),
    ):
        ours, its = measure(begun.trace), measure(whole.trace)
        assert all(map(np.array_equal, *(astuple(it) if is_dataclass(it) else [it] for it in (ours, its))))
    seen = describe_embedding(begun)
    assert np.array_equal(seen.crop, whole.info.crop)
    assert np.array_equal(seen.shown, whole.info.shown)
    with pytest.raises(KeyError, match=r"no activation 'blocks.0.resid_post' here; there are image, embed.resid_post"):
        _ = begun.trace["blocks.0.resid_post"]
    assert begun.nbytes < whole.nbytes
    after = run_forward(loaded, begun, False, crop)
    assert after.info.shown is begun.info.shown, "nothing is cut out twice"
    assert all(torch.equal(after.trace[name].tensor, it.tensor) for name, it in whole.trace.items())
