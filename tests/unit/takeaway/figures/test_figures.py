"""Figures for print: SVG with text as text, PNG of twice the size, and colours that say the numbers."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from vitviz import palette
from vitviz.__main__ import main
from vitviz.figures.scales import colours
from vitviz.measures.attention import attention_row, attention_weights
from vitviz.takeaway.figures.drawing import PRINTED, sheet
from vitviz.takeaway.figures.marks import Picture, Words
from vitviz.takeaway.figures.png import png
from vitviz.takeaway.figures.svg import svg
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_words
from vitviz.weights import Loaded

WHERE = {"layer": "4", "head": "2", "query": "60", "sample": "left"}
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script>&"\x00\x1b[2J'


def view(page: str, demo: Loaded, **words: str) -> Opened:
    return opened(from_words(page, WHERE | words, PRINTED), loaded=demo)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        *((page, words) for words in ({}, {"query": "class"}) for page in PRINTED),
        ("heads", {"moment": "2"}),
        ("heads", {"moment": "2", "mean": "1"}),
        ("query_key_value", {"divide": "all"}),
        ("position_embedding", {"moment": "3"}),
        ("class_head", {"moment": "3"}),
    ],
)
def test_every_kind_is_drawn_within_its_sheet(page: str, words: dict[str, str], demo: Loaded) -> None:
    drawn = sheet(view(page, demo, **words))
    root = ElementTree.fromstring(svg(drawn))
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert "Model demo, picture “Red ball left of blue ball”" in " ".join(texts)
    assert "Made with vitviz" in texts[-1]
    for mark in drawn.marks:
        if isinstance(mark, Words):
            assert mark.size >= 14
            assert 0 <= mark.x <= drawn.width
            assert 0 <= mark.y < drawn.height
        elif isinstance(mark, Picture):
            assert mark.x + mark.width <= drawn.width
    if words:
        assert svg(drawn) == svg(sheet(view(page, demo, **words)))
        return
    image = Image.open(BytesIO(png(drawn)))
    assert image.size == (2 * drawn.width, 2 * drawn.height)


def test_colours_are_those_of_the_scale(demo: Loaded) -> None:
    """Of both files: within one grey level of the colour map at every weight of every head."""
    it = view("heads", demo, query="class")
    drawn = sheet(it)
    maps = attention_row(it.trace, 3, 0)[:, 1:].reshape(-1, 12, 12)
    expected = colours(palette.WEIGHTS)[np.rint(255 * maps / maps.max()).astype(int)].astype(int)
    root = ElementTree.fromstring(svg(drawn))
    images = [each.get("href", "").partition(",")[2] for each in root.iter(f"{SVG}image")][1:5]
    whole = np.asarray(Image.open(BytesIO(png(drawn)))).astype(int)
    boxes = [mark for mark in drawn.marks if isinstance(mark, Picture)][1:5]
    for head, (data, box) in enumerate(zip(images, boxes, strict=True)):
        pixels = np.asarray(Image.open(BytesIO(b64decode(data)))).astype(int)
        side = pixels.shape[0] // 12
        assert np.abs(pixels[side // 2 :: side, side // 2 :: side] - expected[head]).max() <= 1
        centres = [2 * (np.arange(12) + 0.5) * length / 12 for length in (box.height, box.width)]
        rows, columns = (2 * box.y + centres[0]).astype(int), (2 * box.x + centres[1]).astype(int)
        assert np.abs(whole[np.ix_(rows, columns)] - expected[head]).max() <= 1


def test_the_moment_of_the_matrix_draws_it(demo: Loaded) -> None:
    it = view("heads", demo, moment="2")
    weights = attention_weights(it.trace, 3)[1]
    _, whole, _ = (mark for mark in sheet(it).marks if isinstance(mark, Picture))
    expected = colours(palette.WEIGHTS)[np.rint(255 * weights / weights.max()).astype(np.uint8)]
    step = whole.pixels.shape[0] // len(weights)
    np.testing.assert_array_equal(whole.pixels[::step, ::step], expected)


def test_names_stay_words(demo: Loaded) -> None:
    text = svg(sheet(view("heads", demo), HOSTILE))
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "title", "rect", "image", "text", "polyline")
    }
    said = " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert "</text><script>alert(1)</script>" in said
    assert not re.search(r"[\x00-\x08\x1b]", text)
    assert 'href="http' not in text


def test_a_large_model_s_heads_fit_on_the_sheet() -> None:
    it = opened(from_words("heads", {"model": "vit_tiny_patch16_224", "layer": "12", "sample": "tabby"}, PRINTED))
    assert "Untrained parameters" in sheet(it).title
    wide = opened(
        from_words("depth", {"model": "build-your-own", "dim": "24", "depth": "14", "image_size": "64x96"}, PRINTED)
    )
    drawn = sheet(wide)
    assert all(mark.x + mark.width <= drawn.width - 23 for mark in drawn.marks if isinstance(mark, Picture))


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_command_writes_the_figure(tmp_path: Path, demo: Loaded, ending: str) -> None:
    out = tmp_path / f"heads.{ending}"
    main(["figure", "heads", "--layer", "4", "--head", "2", "--query", "60", "--picture", "left", "--out", str(out)])
    drawn = sheet(view("heads", demo))
    assert out.read_bytes() == (svg(drawn).encode() if ending == "svg" else png(drawn))


def test_another_ending_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["figure", "heads", "--out", "heads.pdf"])
    assert "a figure is written as .svg or .png, not as “.pdf”" in capsys.readouterr().err
