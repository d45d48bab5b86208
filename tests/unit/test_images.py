"""Good pictures of every kind come out as the right RGB pixels."""

import hashlib
from io import BytesIO
from struct import pack

import numpy as np
import pytest
from PIL import Image, ImageOps

from tests.image_files import bmp, chunk, corners, encoded, exif, grey16, interlaced, mpo, noise, png
from vitviz.images import digest, open_image

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
    assert open_image(data).info == {"notes": ()}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
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
    assert opened.info["notes"] == ("16-bit grey values are shown in 8 bits.",)


def test_sixteen_bit_grey_with_a_transparent_value() -> None:
    values = np.array([[0, 1000, 65535]])
    assert pixels(open_image(grey16(values, chunk(b"tRNS", b"\x03\xe8"))))[0, :, 0].tolist() == [0, 255, 255]


def test_sixteen_bit_rgb_keeps_the_high_byte() -> None:
    data = png(1, 1, 16, 2, b"\0" + bytes([200, 255, 100, 3, 7, 128]))
    assert open_image(data).getpixel((0, 0)) == (200, 100, 7)


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
@pytest.mark.parametrize(("size", "expected"), [((5000, 2500), (2048, 1024)), ((300, 4500), (137, 2048))])
def test_large_pictures_come_out_at_2048(kind: str, size: tuple[int, int], expected: tuple[int, int]) -> None:
    image = corners(400).resize(size)
    opened = open_image(encoded(image, kind))
    assert opened.size == expected
    assert np.abs(pixels(opened) - pixels(image.resize(expected))).mean() < 1


def test_strips_join_without_a_seam() -> None:
    gradient = Image.linear_gradient("L").resize((2500, 6000))
    opened = pixels(open_image(encoded(gradient, "PNG")))[:, :, 0]
    whole = pixels(gradient.reduce(2).resize((853, 2048), reducing_gap=2))
    assert opened.shape == whole.shape
    assert np.abs(opened - whole).max() <= 1


def test_upright_means_what_pillow_means() -> None:
    for orientation in range(1, 9):
        data = encoded(noise(), "PNG", exif=exif(orientation))
        with Image.open(BytesIO(data)) as reference:
            assert np.array_equal(pixels(open_image(data)), pixels(ImageOps.exif_transpose(reference)))


def test_digest_is_the_sha256_of_the_bytes() -> None:
    assert digest(b"abc") == hashlib.sha256(b"abc").hexdigest()
    assert digest(b"abc") != digest(b"abd")
