"""How much of a picture is flat: photographs and drawings lie far apart, whatever their size and colours."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageDraw

from vitviz.images import PHOTOS, open_image
from vitviz.images.flat import MOST_OF_A_PHOTOGRAPH, flat_share


@pytest.mark.parametrize("photo", PHOTOS, ids=[photo.id for photo in PHOTOS])
def test_little_of_a_photograph_is_flat_in_any_size_and_in_grey(photo: object) -> None:
    picture = open_image(photo.read())  # type: ignore[attr-defined]
    twice = picture.resize((2 * picture.width, 2 * picture.height))
    for it in (picture, twice, picture.convert("L"), picture.resize((96, 64))):
        assert flat_share(it) < 0.8 * MOST_OF_A_PHOTOGRAPH


def test_a_thing_cut_out_of_a_photograph_is_no_drawing_and_a_logo_is_one() -> None:
    photo = cut_out(open_image(PHOTOS[0].read()))
    assert flat_share(photo) < 0.8 * MOST_OF_A_PHOTOGRAPH
    assert (
        flat_share(Image.fromarray(np.asarray(photo))) > MOST_OF_A_PHOTOGRAPH
    )  # the same pixels, where white was drawn
    assert flat_share(cut_out(Image.new("RGB", (300, 200), "#1d4ed8"))) > 1.2 * MOST_OF_A_PHOTOGRAPH
    assert flat_share(cut_out(Image.new("RGB", (300, 200), "white"))) == 1


def cut_out(picture: Image.Image) -> Image.Image:
    """An ellipse of a picture, as a file that is transparent around it is opened."""
    mask, file = Image.new("L", picture.size), BytesIO()
    ImageDraw.Draw(mask).ellipse((20, 20, picture.width - 20, picture.height - 20), fill=255)
    picture.putalpha(mask)
    picture.save(file, "PNG")
    return open_image(file.getvalue())


@pytest.mark.parametrize("size", [(64, 64), (640, 480), (3000, 2000)], ids=str)
def test_much_of_a_drawing_is_flat(size: tuple[int, int]) -> None:
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    for at in range(0, max(size), max(size) // 12):
        draw.line((at, 0, size[0] - at, size[1]), fill=(at % 255, 40, 90), width=1 + max(size) // 400)
    draw.ellipse((0, 0, *(side // 2 for side in size)), outline="black", fill="orange")
    assert flat_share(picture) > 1.2 * MOST_OF_A_PHOTOGRAPH


def test_the_share_is_counted_at_both_neighbours() -> None:
    pixels = np.zeros((5, 5, 3), np.uint8)
    assert flat_share(Image.fromarray(pixels)) == 1
    pixels[2, 2] = 1  # it, the one above it and the one on its left
    assert flat_share(Image.fromarray(pixels)) == 13 / 16


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (4000, 1)], ids=str)
def test_the_smallest_pictures_have_a_share(size: tuple[int, int]) -> None:
    assert flat_share(Image.new("RGB", size)) == 1
