"""What the model reads: the right square, the right numbers."""

import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from tests.cases import each
from tests.image_files import noise
from vitviz.images import DEMO, PHOTOS, Crop, Preprocess, for_size, open_image, preprocess

RULES = [
    DEMO,
    for_size(224),
    for_size(32),
    Preprocess(224, resize="squash", interpolation="bilinear"),
    Preprocess(224, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)),
]


@each(product(RULES, [(600, 400), (97, 511), (1, 1), (2048, 69), (96, 96)]))
def test_the_tensor_holds_exactly_the_crop(rule: Preprocess, size: tuple[int, int]) -> None:
    image = noise(*size)
    crop, tensor = rule.crop(image), rule(image)
    assert (crop.mode, crop.size) == ("RGB", (rule.size, rule.size))
    assert (tensor.shape, tensor.dtype) == ((1, 3, *rule.sides), torch.float32)
    assert tensor.is_contiguous()
    std, mean = (np.array(values)[:, None, None] for values in (rule.std, rule.mean))
    assert np.array_equal(np.rint((tensor[0].double().numpy() * std + mean) * 255), np.asarray(crop).transpose(2, 0, 1))


@pytest.mark.parametrize("rule", [Preprocess(4096), Preprocess(4096, 0.5), Preprocess(2048, 0.5)])
def test_a_long_picture_for_a_large_model_is_not_made_whole(rule: Preprocess, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    resize = Image.Image.resize

    def noted(self: Image.Image, size: tuple[int, int], *args: Any, **options: Any) -> Image.Image:
        made.append(size)
        return resize(self, size, *args, **options)

    monkeypatch.setattr(Image.Image, "resize", noted)
    assert rule.crop(noise(600, 20)).size == (rule.size, rule.size)  # whole, 4551 x 136,530 pixels: 1.9 GB
    assert made == [(rule.size, rule.size)]


@pytest.mark.parametrize("size", [(600, 400), (97, 511), (2000, 69)])
@pytest.mark.parametrize("rule", [for_size(224), Preprocess(96, 0.5, interpolation="bilinear")])
def test_what_is_made_alone_is_what_is_cut_from_the_whole(
    rule: Preprocess, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    smooth = noise(9, 7).resize(size, Image.Resampling.BICUBIC)
    whole = np.asarray(rule.crop(smooth)).astype(int)
    monkeypatch.setattr(preprocess, "MOST_SCALED", 0)
    alone = np.asarray(rule.crop(smooth)).astype(int)
    assert abs(whole - alone).max() <= 2


def test_black_and_white_in_the_units_of_each_rule() -> None:
    black, white = Image.new("RGB", (50, 40)), Image.new("RGB", (50, 40), "white")
    for rule, low, high in ((DEMO, -2, 2), (for_size(224), -1, 1)):
        assert torch.equal(rule(black), torch.full((1, 3, *rule.sides), float(low)))
        assert torch.equal(rule(white), torch.full((1, 3, *rule.sides), float(high)))


def test_each_colour_has_its_own_mean_and_std() -> None:
    rule = Preprocess(8, mean=(0.0, 0.5, 1.0), std=(1.0, 0.5, 0.25))
    assert rule(Image.new("RGB", (8, 8), (255, 0, 255)))[0, :, 4, 4].tolist() == [1.0, -1.0, 0.0]


@pytest.mark.parametrize(("size", "side"), [(224, 248), (384, 426), (96, 106), (32, 35)])
def test_the_vit_rule_scales_the_shorter_side_to_floor_of_size_over_nine_tenths(size: int, side: int) -> None:
    image = noise(side, side)
    margin = round((side - size) / 2)
    assert np.array_equal(
        np.asarray(for_size(size).crop(image)), np.asarray(image.crop((margin, margin, margin + size, margin + size)))
    )


def test_the_vit_rule_step_by_step_on_a_wide_photograph() -> None:
    image = noise(600, 400)
    expected = image.resize((372, 248), Image.Resampling.BICUBIC).crop((74, 12, 298, 236))
    assert np.array_equal(np.asarray(for_size(224).crop(image)), np.asarray(expected))


def test_squash_keeps_the_whole_picture() -> None:
    image = noise(600, 400)
    rule = Preprocess(224, resize="squash", interpolation="bilinear")
    assert np.array_equal(np.asarray(rule.crop(image)), np.asarray(image.resize((224, 224), Image.Resampling.BILINEAR)))
    assert rule.box(image) == (0, 0, 600, 400)


def test_the_demo_rule_keeps_the_whole_shorter_side() -> None:
    assert DEMO.box(noise(600, 400)) == (100, 0, 500, 400)
    assert DEMO.box(noise(400, 600)) == (0, 100, 400, 500)


@pytest.mark.parametrize("size", [(600, 400), (451, 300), (97, 511)])
@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_the_box_frames_what_the_crop_shows(rule: Preprocess, size: tuple[int, int]) -> None:
    smooth = Image.radial_gradient("L").resize(size).convert("RGB")
    box = rule.box(smooth)
    assert 0 <= box[0] < box[2] <= size[0]
    assert 0 <= box[1] < box[3] <= size[1]
    seen = smooth.crop(box).resize(rule.sides[::-1])
    assert np.abs(np.asarray(seen).astype(int) - np.asarray(rule.crop(smooth))).mean() < 2


def test_a_chosen_square_is_what_is_cut_and_resized() -> None:
    image = noise(600, 400)
    chosen = Crop(left=250, top=100, side=500)  # of 400 pixels: a corner at 100, 40, and 200 a side
    assert DEMO.box(image, chosen) == (100, 40, 300, 240)
    expected = image.crop((100, 40, 300, 240)).resize((96, 96), Image.Resampling.BICUBIC)
    off = np.abs(np.asarray(DEMO.crop(image, chosen)).astype(int) - np.asarray(expected))
    assert off[4:-4, 4:-4].max() <= 1  # at the edges the filter reaches into what surrounds the square
    assert torch.equal(DEMO.normalised(DEMO.crop(noise(96, 96), Crop(0, 0, 1000))), DEMO(noise(96, 96)))


def test_a_model_of_another_shape_sees_the_largest_part_of_its_shape() -> None:
    image, tall = noise(600, 400), Preprocess((96, 64), crop_fraction=1.0)
    assert tall.crop(image).size == (64, 96)
    assert tall(image).shape == (1, 3, 96, 64)
    left, top, right, bottom = tall.box(image)
    assert (top, bottom) == (0, 400)
    assert right - left == pytest.approx(400 * 64 / 96, abs=2)
    wide = Preprocess((64, 128), crop_fraction=1.0)
    assert np.abs(np.subtract(wide.box(image), (0, 50, 600, 350))).max() <= 4  # a pixel of 85 rows
    assert wide.box(image, Crop(left=100, top=200, side=500)) == (40, 80, 340, 230)


@pytest.mark.parametrize("sides", [(96, 64), (10, 200), (96, 96)])
@pytest.mark.parametrize("asked", [Crop(99_999, 99_999, 500), Crop(0, 0, 9999), Crop(1400, 0, 200)])
def test_a_part_that_sticks_out_keeps_its_shape_inside(asked: Crop, sides: tuple[int, int]) -> None:
    left, top, right, bottom = asked.box(noise(600, 400), sides)
    assert 0 <= left < right <= 600 + 1e-9
    assert 0 <= top < bottom <= 400 + 1e-9
    assert (right - left) / (bottom - top) == pytest.approx(sides[1] / sides[0])


@pytest.mark.parametrize("asked", [Crop(99_999, 99_999, 500), Crop(0, 0, 9999), Crop(1400, 0, 200), Crop(0, 0, 1)])
@pytest.mark.parametrize("size", [(600, 400), (3, 511), (1, 1)])
def test_a_square_that_sticks_out_is_moved_into_the_picture(asked: Crop, size: tuple[int, int]) -> None:
    image = noise(*size)
    left, top, right, bottom = asked.box(image, (96, 96))
    assert 0 <= left < right <= image.width + 1e-9
    assert 0 <= top < bottom <= image.height + 1e-9
    assert right - left == pytest.approx(bottom - top)
    assert DEMO.crop(image, asked).size == (96, 96)


def test_the_photographs_are_pictures_of_a_handy_size() -> None:
    assert len({photo.id for photo in PHOTOS}) == len(PHOTOS) >= 4
    for photo in PHOTOS:
        assert len(photo.read()) < 110_000
        image = open_image(photo.read())
        assert min(image.size) >= 300
        assert image.info["notes"] == ()
        assert photo.alt.endswith(".")


def test_every_photograph_has_its_licence() -> None:
    from vitviz.images.photos import FOLDER

    attribution = (FOLDER / "ATTRIBUTION.md").read_text()
    assert {file.stem for file in FOLDER.glob("*.jpg")} == {photo.id for photo in PHOTOS}
    assert all(f"| `{photo.id}.jpg` |" in attribution for photo in PHOTOS)


def test_opening_a_picture_does_not_import_torch() -> None:
    code = (
        "import sys; from vitviz.images import DEMO, PHOTOS, open_image; "
        "DEMO.crop(open_image(PHOTOS[0].read())); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
