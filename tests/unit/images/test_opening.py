"""Good pictures of every kind come out as the right RGB pixels."""

import hashlib
import random
from io import BytesIO
from itertools import product
from math import floor
from struct import pack

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.cases import each
from tests.image_files import bmp, chunk, corners, encoded, exif, grey16, interlaced, mpo, noise, png
from vitviz.images import digest, for_size, open_image
from vitviz.images.opening import LONGEST_RATIO, MOST_KEPT, ROWS, SIDE, reduced_size

FORMATS = ["JPEG", "PNG", "WEBP", "GIF", "BMP"]
LOSSLESS = {"PNG": {}, "WEBP": {"lossless": True, "exact": True}, "BMP": {}}


def pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image).astype(int)


def notes(data: bytes) -> tuple[str, ...]:
    return open_image(data).info["notes"]


@pytest.mark.parametrize("kind", LOSSLESS)
def test_lossless_files_give_their_pixels(kind: str) -> None:
    image = noise()
    opened = open_image(encoded(image, kind, **LOSSLESS[kind]))
    assert opened.mode == "RGB"
    assert np.array_equal(pixels(opened), pixels(image))


@pytest.mark.parametrize("progressive", [False, True])
def test_jpeg_gives_what_pillow_decodes(progressive: bool) -> None:
    data = encoded(noise(), "JPEG", progressive=progressive)
    with Image.open(BytesIO(data)) as reference:
        assert np.array_equal(pixels(open_image(data)), pixels(reference.convert("RGB")))


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP"])
def test_every_mode_becomes_rgb(mode: str, kind: str) -> None:
    image = noise().quantize(64) if mode == "P" else noise().convert(mode)
    stored = image.quantize(256) if kind == "GIF" and mode == "RGB" else image
    assert np.array_equal(pixels(open_image(encoded(stored, kind))), pixels(stored.convert("RGB")))


@pytest.mark.parametrize("kind", FORMATS)
def test_only_notes_are_left_of_the_metadata(kind: str) -> None:
    data = encoded(noise(), kind, exif=exif(1), icc_profile=b"p" * 400, comment=b"secret", dpi=(72, 72))
    assert open_image(data).info == {"notes": (), "transparent": False}


@each(product(["JPEG", "PNG", "WEBP"], range(1, 9)))
def test_exif_turns_the_picture_upright(kind: str, orientation: int) -> None:
    upright = corners()
    turns = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = upright.transpose(turns[orientation]) if orientation in turns else upright
    opened = open_image(encoded(stored, kind, exif=exif(orientation)))
    assert opened.size == upright.size
    assert np.abs(pixels(opened) - pixels(upright)).mean() < 8


def test_big_endian_exif_is_read() -> None:
    tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    assert open_image(encoded(corners(), "PNG", exif=tiff)).size == (32, 64)


@pytest.mark.parametrize(
    "block",
    [
        b"II*\0\x08\0\0\0\xff\xff",  # 65,535 entries promised, none there
        b"II*\0\xff\xff\xff\xff",  # directory behind the end
        b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x09\0\0\0",  # orientation 9
        b"XX",
        b"",
    ],
)
def test_broken_exif_leaves_the_picture_as_stored(block: bytes) -> None:
    for kind in ("JPEG", "WEBP"):
        assert open_image(encoded(corners(), kind, exif=b"Exif\0\0" + block)).size == (64, 32)


def test_sixteen_bit_grey_is_scaled_not_clipped() -> None:
    values = np.array([[0, 128, 129, 257, 1000], [32767, 32768, 65278, 65406, 65535]])
    opened = open_image(grey16(values))
    assert pixels(opened)[:, :, 0].tolist() == [[0, 0, 1, 1, 4], [127, 128, 254, 254, 255]]
    assert np.array_equal(pixels(opened)[:, :, 0], np.rint(values / 257))
    assert opened.info["notes"] == ("16-bit values are shown in 8 bits.",)


def test_sixteen_bit_grey_with_a_transparent_value() -> None:
    values = np.array([[0, 1000, 65535]])
    assert pixels(open_image(grey16(values, chunk(b"tRNS", b"\x03\xe8"))))[0, :, 0].tolist() == [0, 255, 255]


def deep(values: np.ndarray, *extra: bytes) -> bytes:
    """A 16-bit PNG of the values: rows, columns, channels."""
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    return png(values.shape[1], values.shape[0], 16, {2: 4, 3: 2, 4: 6}[values.shape[2]], rows, *extra)


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_sixteen_bit_colours_are_rounded_to_the_nearest(channels: int) -> None:
    values = np.random.default_rng(channels).integers(0, 65_536, (40, 50, channels))
    values[:, :, channels - 1] = 65_535 if channels != 3 else values[:, :, 2]
    colours = values[:, :, :1].repeat(3, axis=2) if channels == 2 else values[:, :, :3]
    opened = open_image(deep(values))
    assert np.array_equal(pixels(opened), np.rint(colours / 257))
    assert opened.info["notes"] == ("16-bit values are shown in 8 bits.",)


def test_interlaced_sixteen_bit_colours_are_rounded_too() -> None:
    values = np.random.default_rng(0).integers(0, 65_536, (19, 29, 3)).astype(">u2")
    data = interlaced(values.view(np.uint8).reshape(19, 29, 6), 16, 2)
    assert np.array_equal(pixels(open_image(data)), np.rint(values / 257))


def test_sixteen_bit_alpha_and_the_key_colour_of_sixteen_bits() -> None:
    half = np.array([[[0, 0, 0, 32_768]]])
    assert open_image(deep(half)).getpixel((0, 0)) == (127, 127, 127)
    key = np.array([[[2313, 2313, 2313], [2313, 2313, 2314]]])  # 9 in both bytes, and one in the lower byte more
    opened = open_image(deep(key, chunk(b"tRNS", b"\x09" * 6)))
    assert [opened.getpixel((x, 0)) for x in (0, 1)] == [(255, 255, 255), (9, 9, 9)]


def test_interlaced_png_gives_its_pixels() -> None:
    image = noise(29, 19)
    assert np.array_equal(pixels(open_image(interlaced(np.asarray(image), 8, 2))), pixels(image))


def test_run_length_coded_bmp_gives_its_pixels() -> None:
    runs = b"\3\7\1\2\0\0" + b"\0\4\1\2\3\4\0\1"  # rows from the bottom up: 7 7 7 2, then 1 2 3 4 as they are
    red = pixels(open_image(bmp(4, 2, 8, 1, runs, 256)))[:, :, 0]
    assert red.tolist() == [[1, 2, 3, 4], [7, 7, 7, 2]]


ALPHA = Image.fromarray(np.array([[[200, 0, 0, 255], [200, 0, 0, 0], [200, 0, 0, 128]]], dtype=np.uint8))


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("WEBP", {"lossless": True, "exact": True})])
def test_alpha_is_laid_on_white(kind: str, options: dict) -> None:
    opened = open_image(encoded(ALPHA, kind, **options))
    assert opened.getpixel((0, 0)) == (200, 0, 0)
    assert opened.getpixel((1, 0)) == (255, 255, 255)
    assert np.abs(np.array(opened.getpixel((2, 0))) - [227, 127, 127]).max() <= 1
    assert opened.info["notes"] == ("Transparent areas are shown on white.",)


def palette_picture() -> Image.Image:
    """Two pixels, (10, 20, 30) and (200, 100, 50), through a palette."""
    image = Image.fromarray(np.array([[0, 1]], dtype=np.uint8), "P")
    image.putpalette([10, 20, 30, 200, 100, 50])
    return image


@pytest.mark.parametrize(
    ("data", "colour"),
    [
        (encoded(palette_picture(), "PNG", transparency=b"\xff\x00"), (10, 20, 30)),
        (encoded(palette_picture(), "PNG", transparency=1), (10, 20, 30)),
        (encoded(palette_picture(), "GIF", transparency=1), (10, 20, 30)),
        (png(2, 1, 8, 2, b"\0" + bytes([10, 20, 30, 9, 9, 9]), chunk(b"tRNS", b"\0\x09" * 3)), (10, 20, 30)),
        (png(2, 1, 8, 0, b"\0" + bytes([77, 9]), chunk(b"tRNS", b"\0\x09")), (77, 77, 77)),
        (png(2, 1, 8, 4, b"\0" + bytes([77, 255, 77, 0])), (77, 77, 77)),
    ],
    ids=["palette of alphas", "palette key", "GIF", "RGB key", "grey key", "grey and alpha"],
)
def test_the_second_pixel_is_transparent(data: bytes, colour: tuple[int, int, int]) -> None:
    opened = open_image(data)
    assert [opened.getpixel((x, 0)) for x in (0, 1)] == [colour, (255, 255, 255)]
    assert opened.info["notes"] == ("Transparent areas are shown on white.",)


def test_an_opaque_alpha_channel_is_not_worth_a_note() -> None:
    assert notes(encoded(noise().convert("RGBA"), "PNG")) == ()


def test_cmyk_jpeg_has_its_colours() -> None:
    opened = open_image(encoded(Image.new("CMYK", (16, 16), (255, 0, 0, 0)), "JPEG", quality=95))
    assert np.abs(np.array(opened.getpixel((8, 8))) - [0, 255, 255]).max() <= 3
    assert opened.info["notes"] == ("Printing colours (CMYK) are shown approximately.",)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_an_animation_shows_its_first_frame(kind: str) -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "lime", "blue")]
    opened = open_image(encoded(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert np.abs(np.array(opened.getpixel((5, 5))) - [255, 0, 0]).max() <= 3
    assert opened.info["notes"] == ("Frame 1 of 3.",)


def test_a_gif_cut_off_after_its_first_frame_still_shows_it() -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "lime")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert open_image(data[:-12]).getpixel((5, 5)) == (255, 0, 0)


def test_a_gif_frame_larger_than_its_screen() -> None:
    data = encoded(Image.new("1", (40, 30), 1), "GIF")
    assert open_image(data[:6] + pack("<HH", 4, 3) + data[10:]).size == (40, 30)


def test_mpo_gives_its_first_picture() -> None:
    data = mpo(Image.new("RGB", (32, 16), "red"), Image.new("RGB", (64, 64), "blue"))
    opened = open_image(data)
    assert opened.size == (32, 16)
    assert np.abs(np.array(opened.getpixel((5, 5))) - [255, 0, 0]).max() <= 3
    assert opened.info["notes"] == ()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize(
    ("size", "expected"), [((5000, 2500), (2048, 1024)), ((2500, 5000), (1024, 2048)), ((300, 4500), (300, 4500))]
)
def test_large_pictures_are_kept_at_2048_pixels_and_long_ones_with_their_rows(
    kind: str, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    image = corners(400).resize(size)
    opened = open_image(encoded(image, kind))
    assert opened.size == expected
    assert np.abs(pixels(opened) - pixels(image.resize(expected))).mean() < 1


def test_strips_join_without_a_seam() -> None:
    gradient = Image.linear_gradient("L").resize((2500, 6000))
    opened = pixels(open_image(encoded(gradient, "PNG")))[:, :, 0]
    whole = pixels(gradient.reduce(2).resize((1024, 2458), reducing_gap=2))
    assert opened.shape == whole.shape
    assert np.abs(opened - whole).max() <= 1


LARGEST_READ = 575  # rows that a published model reads at most: 518 pixels, at a crop of 0.9


def test_no_picture_is_kept_with_fewer_rows_than_models_read() -> None:
    draw = random.Random(3)
    for _ in range(20_000):
        shorter = draw.randint(1, 8000)
        longer = round(shorter * draw.uniform(1, LONGEST_RATIO))
        width, height = reduced_size((longer, shorter))
        assert height >= min(shorter, 518)
        if longer < 25 * shorter:
            assert height >= min(shorter, LARGEST_READ)
        if longer <= 8 * shorter:
            assert height >= min(shorter, ROWS)
        assert width * height <= 1.001 * MOST_KEPT  # whole columns
        assert reduced_size((shorter, longer)) == (height, width)
        assert (width, height) == (longer, shorter) or width <= SIDE or longer > 2 * shorter


def panorama(width: int, height: int) -> Image.Image:
    """Waves of many lengths, none of them shorter than a few pixels."""
    x = np.arange(width, dtype=np.float32) / height
    y = np.arange(height, dtype=np.float32)[:, None] / height
    waves = [np.sin(20 * x + 9 * y), np.sin(55 * y - 7 * x), np.sin(90 * x) * np.cos(80 * y)]
    return Image.fromarray(np.stack([np.round(127.5 + 127 * wave) for wave in waves], axis=-1).astype(np.uint8))


@pytest.mark.parametrize(
    ("size", "levels"), [((6001, 401), 0), ((401, 6001), 0), ((12_003, 802), 2), ((7000, 2003), 2)]
)
def test_the_model_reads_a_panorama_as_if_it_had_been_resized_from_the_full_picture(
    size: tuple[int, int], levels: int
) -> None:
    picture = panorama(max(size), min(size))
    picture = picture if size[0] > size[1] else picture.transpose(Image.Transpose.ROTATE_90)
    opened = open_image(encoded(picture, "PNG", compress_level=1))
    for image_size in (224, 384):
        side = floor(image_size / 0.9)
        full = picture.resize([side * length // min(size) for length in size], Image.Resampling.BICUBIC)
        left, top = (round((length - image_size) / 2) for length in full.size)
        expected = full.crop((left, top, left + image_size, top + image_size))
        read = for_size(image_size).crop(opened)
        assert np.abs(pixels(read) - pixels(expected)).max() <= levels, image_size


def test_upright_means_what_pillow_means() -> None:
    for orientation in range(1, 9):
        data = encoded(noise(), "PNG", exif=exif(orientation))
        with Image.open(BytesIO(data)) as reference:
            assert np.array_equal(pixels(open_image(data)), pixels(ImageOps.exif_transpose(reference)))


def test_digest_is_the_sha256_of_the_bytes() -> None:
    assert digest(b"abc") == hashlib.sha256(b"abc").hexdigest()
    assert digest(b"abc") != digest(b"abd")
