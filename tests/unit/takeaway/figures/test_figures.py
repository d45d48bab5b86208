"""Figures for print: SVG with text as text, PNG of twice the size, and colours that say the numbers."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from vitviz.pages.model.class_head import page as class_head

from vitviz import palette
from vitviz.__main__ import main
from vitviz.board.lens import LINES
from vitviz.figures.colours import shades
from vitviz.figures.marks import Colours
from vitviz.figures.printed.marks import PALE, Box, Dot, Picture, Polyline, Words
from vitviz.figures.printed.png import png
from vitviz.figures.printed.svg import svg
from vitviz.measures.attention import attention_row, attention_weights, rollout
from vitviz.measures.classes import logit_lens
from vitviz.measures.shared_components import reach_of
from vitviz.measures.similarity import lengths
from vitviz.numbers import small
from vitviz.samples import samples
from vitviz.takeaway.calculations import PRINTED, names_of, values
from vitviz.takeaway.figures.drawing import sheet
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_words
from vitviz.weights import Loaded
from vitviz.weights.arrays import pixels_of

WHERE = {"layer": "4", "head": "2", "query": "60", "sample": "left"}
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script>&"\x00\x1b[2J'


def view(page: str, demo: Loaded, **words: str) -> Opened:
    return opened(from_words(page, WHERE | words, PRINTED), loaded=demo)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        *((page, words) for words in ({}, {"query": "class"}) for page in PRINTED),
        ("patch_embedding", {"moment": "5"}),
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
    expected = shades(maps, Colours(float(maps.max()))).astype(int)
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
    expected = shades(weights, Colours(float(weights.max())))
    step = whole.pixels.shape[0] // len(weights)
    np.testing.assert_array_equal(whole.pixels[::step, ::step], expected)


def test_the_moment_of_the_points_draws_each_in_the_mean_colour_of_its_patch(demo: Loaded) -> None:
    it = view("patch_embedding", demo, moment="5")
    across, up = values(it.view, it.trace).T
    drawn = sheet(it)
    *dots, chosen = [mark for mark in drawn.marks if isinstance(mark, Dot)]
    assert (chosen.x, chosen.y, chosen.colour) == (dots[59].x, dots[59].y, palette.FRAME)
    for coordinate, places in ((across, [dot.x for dot in dots]), (up, [-dot.y for dot in dots])):
        unit = np.ptp(places) / np.ptp(coordinate)
        np.testing.assert_allclose(np.array(places) - np.mean(places), unit * coordinate, atol=1e-3)
    patch = pixels_of(it.trace, it.loaded)[32:40, 88:96]  # number 60: row 5, column 12
    assert dots[59].colour == "#" + bytes(patch.mean(axis=(0, 1)).round().astype(np.uint8)).hex()
    assert len({dot.colour for dot in dots if isinstance(dot, Dot)}) > 2
    assert {mark.colour for mark in sheet(it, photo=False).marks if isinstance(mark, Dot)} <= {palette.PATCH}
    assert "patch 60." in drawn.title


def test_names_stay_words(demo: Loaded) -> None:
    text = svg(sheet(view("heads", demo), HOSTILE))
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "title", "rect", "image", "text", "tspan", "polyline")
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


def test_a_png_says_what_its_font_lacks_of_a_picture_s_name(demo: Loaded) -> None:
    it = view("heads", demo)
    plain, foreign = (Image.open(BytesIO(png(sheet(it, name)))) for name in ("cat.jpg", "猫.jpg"))
    assert foreign.size == (plain.width, plain.height + 40)
    foot = np.asarray(foreign)[plain.height :]
    assert (foot < 128).any()
    assert "猫.jpg" in svg(sheet(it, "猫.jpg"))


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


def test_heads_say_what_the_chosen_one_looks_at_as_on_the_screen(demo: Loaded) -> None:
    it = view("heads", demo, sample="cat")
    rows = attention_row(it.trace, 3, 60)
    drawn = sheet(it)
    assert f"Head 2 looks most at patch {rows[1].argmax()}: {small(float(rows[1].max()))}." in drawn.title
    head, token = np.unravel_index(rows.argmax(), rows.shape)
    assert f"Largest magnitude: {small(float(rows.max()))}, head {head + 1}, patch {token}." in drawn.title
    frames = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.frame and mark.colour != "#000000"]
    assert [mark.colour for mark in frames].count(palette.QUERY) == 5  # on the photo and on every map
    (chosen,) = (mark for mark in frames if mark.colour == palette.FRAME)
    second = [mark for mark in drawn.marks if isinstance(mark, Picture)][2]
    assert (chosen.x, chosen.width) == (pytest.approx(second.x, abs=5), pytest.approx(second.width, abs=10))
    mean = sheet(view("heads", demo, sample="cat", mean="1"))
    assert f"The mean of the heads looks most at patch {rows.mean(0).argmax()}: " in mean.title
    assert not any(isinstance(mark, Box) and mark.colour == palette.FRAME for mark in mean.marks)


@pytest.mark.parametrize(
    ("edits", "off"),
    [
        ("", []),
        ("h4.2*0", [2]),
        ("h4.1-2*0 h3.3*0", [1, 2]),
        ("a4*0", [1, 2, 3, 4]),
        ("b4*0", [1, 2, 3, 4]),
        ("m4*0", []),
    ],
)
def test_a_head_that_is_off_is_said_to_be(demo: Loaded, edits: str, off: list[int]) -> None:
    it = view("heads", demo, sample="cat", edits=edits)
    assert it.view.layer == 3
    names = [mark.lead + mark.text for mark in sheet(it).marks if isinstance(mark, Words)]
    assert [head for head in range(1, 5) if f"head {head}: off" in names] == off


def test_depth_says_where_the_colours_end_and_whose_the_largest_is(demo: Loaded) -> None:
    it = view("depth", demo, query="class")
    rows = rollout(it.trace)[:, 0]
    layer, token = np.unravel_index(rows.argmax(), rows.shape)
    assert token == 0
    said = sheet(it).title
    assert layer == it.view.layer == 0
    assert f"After layer 1 it has gathered most from [class]: {small(float(rows.max()))}, the largest mag" in said
    last = sheet(view("depth", demo, query="class", through="6")).title
    assert f"After layer 6 it has gathered most from patch {rows[5].argmax()}: {small(float(rows[5].max()))}." in last
    assert f"Largest magnitude: {small(float(rows.max()))}, layer 1, [class]." in last
    assert f"The maps are of the patches, where the largest is {small(float(rows[:, 1:].max()))}." in said


def test_what_a_token_knows_says_what_its_figures_are_drawn_with(demo: Loaded) -> None:
    it = view("what_a_token_knows", demo, sample="cat", moment="elsewhere", query="40")
    patches, cosines = values(it.view, it.trace, it.loaded, it.picture)
    others = names_of(it.view)["others"]
    first = f"1 {samples().titles[others[0]]}, patch {int(patches[0]) + 1} ({small(float(cosines[0]))});"
    assert f"Pictures and their nearest patches: {first}" in sheet(it).title
    it = view("what_a_token_knows", demo, sample="cat", moment="colours")
    reach = reach_of(values(it.view, it.trace, it.loaded, it.picture))
    ends = ", ".join(
        f"{name} (±{small(float(its))})" for name, its in zip(("red 1", "green 2", "blue 3"), reach, strict=True)
    )
    assert f"Drawn are those of this picture: {ends}, " in sheet(it).title
    it = view("what_a_token_knows", demo, sample="cat", moment="length")
    longest = small(float(lengths(it.trace).before[:, 1:].max()))
    assert f"bars go from the shortest to the longest; the longest of all: {longest}." in sheet(it).title


def test_the_class_head_draws_the_lines_of_the_screen_and_names_them_in_a_legend(demo: Loaded) -> None:
    assert class_head.MOST_CLASSES == LINES
    it = view("class_head", demo, sample="cat")
    table = logit_lens(it.trace)
    drawn = sheet(it)
    lines = [mark for mark in drawn.marks if isinstance(mark, Polyline) and mark.colour != PALE]
    curves = [line for line in lines if len(line.points) == len(table)][::-1]  # the answer is drawn over the others
    swatches = [line for line in lines if len(line.points) == 2]
    looks = [(line.colour, line.width, line.dash) for line in curves]
    assert looks == [(line.colour, line.width, line.dash) for line in swatches]
    assert len(set(looks)) == len(looks) == 16
    words = [mark for mark in drawn.marks if isinstance(mark, Words)]
    one, nothing = (next(it.y for it in words if it.text == tick and it.anchor == "end") for tick in ("1", "0"))
    for curve, swatch in zip(curves, swatches, strict=True):
        name, value = sorted((it for it in words if it.y == swatch.points[0][1] + 5), key=lambda it: it.x)[-2:]
        which = demo.labels.index(name.lead + name.text)
        assert value.lead + value.text == small(float(table[-1, which]))
        heights = np.array([y for _, y in curve.points])
        np.testing.assert_allclose(
            (heights[-1] - heights) / (nothing - one), table[:, which] - table[-1, which], atol=1e-5
        )
        if which == table[-1].argmax():
            assert (curve.colour, curve.width) == (palette.HEAD, 4)
        else:
            assert curve.colour not in (palette.HEAD, palette.QUERY)


def test_a_figure_says_how_many_classes_it_draws(demo: Loaded) -> None:
    assert "8 of 16 classes are drawn." in sheet(view("overview", demo)).title
    assert "4 of 16 classes are drawn." in sheet(view("position_embedding", demo, moment="3")).title
    assert "classes are drawn" not in sheet(view("class_head", demo)).title
    large = opened(from_words("class_head", {"model": "vit_tiny_patch16_224", "sample": "tabby"}, PRINTED))
    assert "16 of 1,000 classes are drawn." in sheet(large).title
