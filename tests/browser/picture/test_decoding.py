"""A picture file in the browser is the picture that Python makes of it, or refused with its sentence."""

import base64
import random
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from einops import rearrange
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.picture.serving import served
from tests.image_files import bmp, encoded, exif, jpeg_header, noise, png, seeds
from vitviz.images import DEMO, PHOTOS, Crop, ImageError, Preprocess, for_size, open_image
from vitviz.images.containers import read_container
from vitviz.images.photos import parts
from vitviz.installed import FRONTEND
from vitviz.scripts.bundle import bundle

# Beside what is equal: browsers hold what is transparent multiplied by it, and keep other bits of 16.
ROUNDED = {
    "PNG 16-bit RGB": 1,
    "PNG 16-bit RGBA": 2,
    "PNG interlaced 16-bit RGBA": 2,
    "WebP alpha": 1,
    "WebP lossless alpha": 1,
    "BMP 16 bits": 1,
}
START = """async () => {
    const { Pictures } = await import(new URL("pictures.js", location));
    window.pictures = new Pictures(new Worker(new URL("worker.js", location)));
    const of_bytes = { mean: [0, 0, 0], std: [1 / 255, 1 / 255, 1 / 255] };
    window.whole = { resize: "squash", interpolation: "bicubic", ...of_bytes };
    window.fileOf = (text) => new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
}"""
# All pixels, read in patches of one row: the rule neither resizes nor normalises.
OPEN = """async (text) => {
    try {
        const photo = await pictures.open(fileOf(text));
        const { size: [width, height], notes, transparent } = photo;
        const { patches } = await photo.read({ ...whole, sides: [height, width] }, [1, width]);
        photo.close();
        let letters = "";
        for (const value of patches) letters += String.fromCharCode(Math.round(value));
        return { size: [width, height], notes, transparent, pixels: btoa(letters) };
    } catch (error) {
        return { says: error.message };
    }
}"""
WHOLE = """async (text) => {
    const { readContainer } = await import(new URL("container.js", location));
    try {
        return readContainer(new Uint8Array(await fileOf(text).arrayBuffer())).whole;
    } catch {
        return false;
    }
}"""
READ = """async ([text, rule, patch, chosen]) => {
    const photo = await pictures.open(fileOf(text));
    const { patches, seen } = await photo.read(rule, patch, chosen);
    return { patches: [...patches], seen };
}"""


def put_scripts(folder: Path) -> None:
    """Write a page with nothing on it, and the scripts that open pictures."""
    for name in ("container.js", "decode.js", "pictures.js", "worker.js"):
        (folder / name).write_text(bundle(FRONTEND / "picture" / name), encoding="utf-8")
    (folder / "index.html").write_text("<!doctype html><title>Pictures</title>")


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with nothing on it but the worker that opens pictures."""
    folder = tmp_path_factory.mktemp("picture")
    put_scripts(folder)
    with served(folder) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        page.evaluate(START)
        yield page


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def opened(page: Page, data: bytes) -> tuple[NDArray[np.int64], dict[str, Any]]:
    """The pixels, `h w c`, and what is told of them."""
    found = page.evaluate(OPEN, text(data))
    return pixels_of(found), {"notes": tuple(found["notes"]), "transparent": found["transparent"]}


def pixels_of(found: dict[str, Any]) -> NDArray[np.int64]:
    """What was found in a file, `h w c`."""
    assert "says" not in found, found["says"]
    width, height = found["size"]
    pixels = np.frombuffer(base64.b64decode(found["pixels"]), np.uint8).reshape(height, 3, width)
    return pixels.transpose(0, 2, 1).astype(int)


def of_python(data: bytes) -> tuple[NDArray[np.int64], Mapping[Any, Any]]:
    """The same of Python."""
    image = open_image(data)
    return np.asarray(image).astype(int), image.info


def test_a_file_of_every_kind_is_opened_as_in_python(page: Page) -> None:
    for name, data in seeds().items():
        (found, said), (wanted, says) = opened(page, data), of_python(data)
        assert said == says, name
        assert found.shape == wanted.shape, name
        assert np.abs(found - wanted).max() <= ROUNDED.get(name, 0), name


def test_photographs_of_all_turns_are_decoded_as_in_python(page: Page) -> None:
    for number, (turn, sampling) in enumerate(product(range(1, 9), range(3))):
        picture = next(parts(PHOTOS[number % len(PHOTOS)].title.lower(), number, number + 1))
        data = encoded(
            picture, "JPEG", exif=exif(turn), subsampling=sampling, quality=60 + number, icc_profile=b"p" * 99
        )
        assert np.array_equal(opened(page, data)[0], of_python(data)[0]), (turn, sampling)


@pytest.mark.parametrize(("kind", "size", "most"), [("PNG", (2300, 700), 0), ("JPEG", (4300, 1200), 3)])
def test_a_large_photograph_is_kept_as_small_as_in_python(
    page: Page, kind: str, size: tuple[int, int], most: int
) -> None:
    photo = open_image(PHOTOS[0].read()).resize(size, Image.Resampling.BICUBIC)
    data = encoded(photo, kind, **({"compress_level": 1} if kind == "PNG" else {}))
    found, wanted = opened(page, data)[0], of_python(data)[0]
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() <= most  # Python's decoder of JPEG halves a picture in its own way


@pytest.mark.parametrize("rule", [DEMO, for_size(224), Preprocess((64, 96), 0.8, "squash", "bilinear")])
def test_a_model_reads_what_it_reads_in_python(page: Page, rule: Preprocess) -> None:
    data, patch = encoded(noise(301, 200), "PNG", exif=exif(6)), (16, 8)
    told = {"sides": rule.sides, "crop_fraction": rule.crop_fraction, "resize": rule.resize}
    told |= {"interpolation": rule.interpolation, "mean": rule.mean, "std": rule.std}
    image = open_image(data)
    for chosen in (None, Crop(120, 300, 500)):
        square = chosen and {"left": chosen.left, "top": chosen.top, "side": chosen.side}
        found = page.evaluate(READ, [text(data), told, patch, square])
        read = rule.normalised(rule.crop(image, chosen))[0]
        wanted = rearrange(read, "c (gh ph) (gw pw) -> (gh gw c ph pw)", ph=patch[0], pw=patch[1])
        assert np.array_equal(np.array(found["patches"], np.float32), wanted.numpy())
        assert tuple(found["seen"]) == rule.box(image, chosen)


def cut_off() -> dict[str, bytes]:
    """Files whose end is missing."""
    return {
        f"{kind} cut off {part}": data[: int(len(data) * part)]
        for kind in ("JPEG", "PNG", "WEBP", "GIF", "BMP")
        for data in (encoded(noise(), kind),)
        for part in (0.3, 0.6, 0.9)
    }


def test_it_is_seen_before_it_is_decoded_that_a_file_has_no_end(page: Page) -> None:
    assert [name for name, data in cut_off().items() if page.evaluate(WHOLE, text(data))] == []
    assert [name for name, data in seeds().items() if not page.evaluate(WHOLE, text(data))] == []


def refused() -> dict[str, bytes]:
    """Files that Python refuses, each for another reason."""
    runs = bmp(4000, 4000, 8, 1, bytes(3_100_000), 256)
    return cut_off() | {
        "empty": b"",
        "text": b"hello",
        "no JPEG": b"\xff\xd8\xff" + b"\xff" * 100_000,
        "HEIC": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
        "SVG": b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        "PDF": b"%PDF-1.7\n",
        "bomb": png(13_370, 13_370, 1, 0, bytes((13_370 + 15) // 8 * 13_370)),
        "deep": png(8_200, 5_000, 16, 2, b""),
        "thread": encoded(Image.new("L", (31, 1)), "PNG"),
        "passes": jpeg_header(9_800, 5_000, b"\x11\x11\x11", 0xC2, 3),
        "lossless": jpeg_header(64, 64, b"\x11", 0xC3),
        "runs": runs,
        "checksum": encoded(noise(), "PNG").replace(b"IDAT", b"IDAT\x99", 1),
        "parts": encoded(noise(), "PNG")[:33] + b"\0\0\0\0tEXtxxxx" * 100_001,
    }


def test_what_python_refuses_is_refused_in_its_words(page: Page) -> None:
    for name, data in refused().items():
        with pytest.raises(ImageError) as error:
            open_image(data)
        assert page.evaluate(OPEN, text(data)) == {"says": str(error.value)}, name
    long = page.evaluate(
        "(size) => pictures.open(new Blob([new Uint8Array(size)])).catch((it) => it.message)", 30_000_000
    )
    with pytest.raises(ImageError, match=long):
        open_image(bytes(30_000_000))


def test_a_file_that_was_damaged_anywhere_is_a_picture_or_a_sentence(page: Page) -> None:
    rnd = random.Random(5)
    for name, data in seeds().items():
        hurt = bytearray(data)
        for _ in range(3):
            hurt[rnd.randrange(len(hurt))] = rnd.randrange(256)
        found = page.evaluate(OPEN, text(bytes(hurt)))
        if "says" in found:
            assert found["says"].endswith((".", "that.")), name
            assert "; " in found["says"], name
        else:
            container = read_container(bytes(hurt))
            assert max(found["size"]) <= max(container.width, container.height), name


def test_a_decoder_that_never_comes_back_is_given_up(browser: Browser, page: Page) -> None:
    with browser.new_context() as context:
        waiting = context.new_page()
        waiting.clock.install()
        waiting.goto(page.url)
        waiting.evaluate(
            """async () => {
                globalThis.createImageBitmap = () => new Promise(() => {});
                const { open } = await import(new URL("decode.js", location));
                globalThis.says = "";
                open(new Blob([Uint8Array.of(0)])).catch((error) => { says = error.message; });
            }"""
        )
        waiting.clock.run_for(21_000)
        assert "not open after 20 seconds" in waiting.evaluate("() => says")


def test_the_page_goes_on_while_a_large_photograph_is_opened(page: Page) -> None:
    photo = Image.linear_gradient("L").convert("RGB").resize((6000, 4000))
    ticks = page.evaluate(
        """async (text) => {
            const file = fileOf(text);
            let [ticks, goesOn] = [0, true];
            const tick = () => {
                ticks++;
                if (goesOn) setTimeout(tick, 4);
            };
            tick();
            await pictures.open(file);
            goesOn = false;
            return ticks;
        }""",
        text(encoded(photo, "JPEG", quality=60)),
    )
    assert ticks > 10
