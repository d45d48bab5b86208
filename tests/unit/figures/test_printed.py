"""Figures for print: pixels against numbers, words as text, equal bytes, and nothing of a picture that stays."""

import re
from base64 import b64decode
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from plotly.colors import sample_colorscale

from vitviz import palette
from vitviz.figures import tiles
from vitviz.figures.attention import depth, maps
from vitviz.figures.axes import linear, names
from vitviz.figures.figure import Figure, Key, Panel
from vitviz.figures.laboratory import curves, five_shots, norms
from vitviz.figures.marks import Bars, Colours, Heat
from vitviz.figures.model import blocks, classes
from vitviz.figures.parts import pictured
from vitviz.figures.printed.captioned import sheet_of
from vitviz.figures.printed.marks import Box, Dot, Picture, Polyline, Sheet, Words
from vitviz.figures.printed.png import png
from vitviz.figures.printed.svg import svg
from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding, patch_grid
from vitviz.takeaway.data import named_numbers, size_of
from vitviz.takeaway.errors import TakeawayError

RANDOM = np.random.default_rng(0)
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert(1)</script><a href="https://a.test">&"\x00\x1b[2J'


def pictures(sheet: Sheet) -> list[Picture]:
    return [mark for mark in sheet.marks if isinstance(mark, Picture)]


def words(sheet: Sheet) -> list[str]:
    return [mark.lead + mark.text for mark in sheet.marks if isinstance(mark, Words)]


def shades(values: np.ndarray, low: float, high: float, scale: str) -> np.ndarray:
    """The colours that Plotly's own Python gives numbers."""
    shares = np.clip((values.ravel() - low) / (high - low), 0, 1).tolist()
    return 255 * np.array(sample_colorscale(scale, shares, colortype="tuple")).reshape(*values.shape, 3)


@pytest.mark.parametrize("signed", [False, True])
def test_a_heat_map_has_the_colours_of_its_scale(signed: bool) -> None:
    """Within one grey level in the SVG's picture and in the PNG, at every cell."""
    values = RANDOM.normal(size=(7, 9)).astype(np.float32)
    limit = float(np.abs(values).max())
    sheet = sheet_of(Figure(((pictured((Heat(values, Colours(limit, signed)),), 7, 9, 300),),)), "A map.")
    expected = shades(values, -limit if signed else 0, limit, "RdBu_r" if signed else "Viridis")
    box = pictures(sheet)[0]
    whole = np.asarray(Image.open(BytesIO(png(sheet)))).astype(float)
    rows = (2 * (box.y + (np.arange(7) + 0.5) * box.height / 7)).astype(int)
    columns = (2 * (box.x + (np.arange(9) + 0.5) * box.width / 9)).astype(int)
    assert np.abs(whole[np.ix_(rows, columns)] - expected).max() <= 1
    image = next(ElementTree.fromstring(svg(sheet)).iter(f"{SVG}image"))
    inside = np.asarray(Image.open(BytesIO(b64decode(image.get("href", "").partition(",")[2])))).astype(float)
    high, wide = inside.shape[0] // 7, inside.shape[1] // 9
    assert np.abs(inside[high // 2 :: high, wide // 2 :: wide] - expected).max() <= 1
    assert box.width / box.height == pytest.approx(9 / 7)


def test_weights_over_a_photo_are_mixed_as_plotly_mixes_them() -> None:
    weights = RANDOM.random((4, 4)).astype(np.float32)
    photo = RANDOM.integers(0, 256, (4, 4, 3), np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    sheet = sheet_of(maps.overlay(photo, weights, 1.0, (1, 2)), "Weights.")
    box = pictures(sheet)[1]
    below = maps.grey(photo).astype(float)[4::8, 4::8]
    expected = maps.COVER * shades(weights, 0, 1, "Viridis") + (1 - maps.COVER) * below
    whole = np.asarray(Image.open(BytesIO(png(sheet)))).astype(float)
    # within the pixel of the photo that lies at the middle of each patch
    places = [(2 * (start + (np.arange(4) + 0.52) * box.width / 4)).astype(int) for start in (box.y, box.x)]
    assert np.abs(whole[np.ix_(*places)] - expected).max() <= 2  # each of two colours may be half a level off
    framed = [mark for mark in sheet.marks if isinstance(mark, Box) and mark.frame]
    assert [(it.x, it.y, it.width) for it in framed] == [
        pytest.approx((box.x + box.width / 2, box.y + box.height / 4, box.width / 4))
    ]


def test_maps_on_a_wall_stand_apart_and_are_given_whole() -> None:
    values = RANDOM.random((5, 3, 4)).astype(np.float32)
    fig = maps.wall(values, "head", 1.0, 2)
    sheet = sheet_of(fig, "Heads.")
    panels = pictures(sheet)[:5]
    assert {round(it.width, 3) for it in panels} == {round(panels[0].width, 3)}
    for one, other in pairwise(panels):
        assert other.x >= one.x + one.width or other.y >= one.y + one.height
    for panel, expected in zip(panels, values, strict=True):
        drawn = panel.pixels[panel.pixels.shape[0] // 6 :: panel.pixels.shape[0] // 3]
        drawn = drawn[:, panel.pixels.shape[1] // 8 :: panel.pixels.shape[1] // 4].astype(float)
        assert np.abs(drawn - shades(expected, 0, 1, "Viridis")).max() <= 1
    assert {f"head {number}" for number in range(1, 6)} <= set(words(sheet))
    (given,) = named_numbers(fig)
    assert given.axes == ("head", "row", "column")
    np.testing.assert_array_equal(given.values, values)


def test_bars_and_curves_lie_where_their_numbers_are() -> None:
    bars = sheet_of(classes.probabilities(["cat", "dog", "tree"], np.array([0.75, 0.2, 0.05])), "Bars.")
    lengths = [mark.width for mark in bars.marks if isinstance(mark, Box)]
    assert np.array(lengths) / lengths[0] == pytest.approx(np.array([0.75, 0.2, 0.05]) / 0.75)
    assert {"cat", "dog", "tree", "0.750", "0.200", "0.050"} <= set(words(bars))

    values = np.array([0.01, 0.1, 1.0, 10.0])
    fig = curves.by_layer({"as it is": values}, ["1", "2", "3", "4"], (0.01, 10), "length", [0])
    sheet = sheet_of(fig, "Curve.")
    curve = next(mark for mark in sheet.marks if isinstance(mark, Polyline) and len(mark.points) == 4)
    steps = np.diff([y for _, y in curve.points])
    assert steps == pytest.approx(np.full(3, steps[0])), "powers of ten are equally far apart"
    dots = [mark for mark in sheet.marks if isinstance(mark, Dot)]
    assert [(it.x, it.y) for it in dots[:4]] == [pytest.approx(point) for point in curve.points]
    assert {"layer", "length", "as it is", "0.1"} <= set(words(sheet))
    tick = {mark.text: mark.y for mark in sheet.marks if isinstance(mark, Words)}
    assert tick["0.1"] - 5 == pytest.approx(curve.points[1][1])


def test_two_scales_and_a_level_share_a_plot() -> None:
    sheet = sheet_of(depth.distance(np.linspace(1, 5, 6).reshape(3, 2), 4.0, 16), "Distance.")
    assert {"patches", "pixels", "layer", "80"} <= set(words(sheet))
    level = next(mark for mark in sheet.marks if isinstance(mark, Polyline) and mark.dash == "dash")
    assert level.points[0][1] == level.points[1][1]
    at = {mark.text: mark.y - 5 for mark in sheet.marks if isinstance(mark, Words) and mark.anchor == "start"}
    assert level.points[0][1] < at["60"], "4 patches of 16 pixels are 64"


def test_nothing_is_clipped_and_no_letter_is_small() -> None:
    names = ["a class with a name that is very long, as some of ImageNet's are, and longer still, and longer", "cat"]
    sheets = [
        sheet_of(classes.logits(names, np.array([2.0, -1.0]), {}), "Long names. " * 30),
        sheet_of(classes.lens(RANDOM.random((4, 2)), names, [0, 1, None, 0], 2), "Lens."),
        sheet_of(strips({"x": RANDOM.normal(size=40)}, "A title", mark=3), "Strips."),
        sheet_of(five_shots.by_shots(np.array([[3, 4], [5, 6]]), 8, 0.25, 1), "Shots."),
        sheet_of(blocks.activation(RANDOM.normal(size=300), RANDOM.normal(size=300), "gelu"), "GELU."),
    ]
    for sheet in sheets:
        root = ElementTree.fromstring(svg(sheet))
        assert "Made with vitviz" in [element.text or "" for element in root.iter(f"{SVG}text")][-1]
        white = np.asarray(Image.open(BytesIO(png(sheet))))
        edges = (white[:16], white[-16:], white[:, :16], white[:, -16:])
        assert all((edge == 255).all() for edge in edges), "something reaches the edge of the sheet"
        assert all(mark.size >= 14 for mark in sheet.marks if isinstance(mark, Words))


def test_equal_figures_make_equal_bytes() -> None:
    def made() -> tuple[bytes, str]:
        sheet = sheet_of(classes.probabilities(["cat", "dog"], np.array([0.75, 0.25])), "Bars.")
        return png(sheet), svg(sheet)

    assert made() == made()


def test_names_stay_words() -> None:
    bars = Bars(np.zeros(1), np.ones(1), (palette.HEAD,), texts=(HOSTILE,))
    axes = names([HOSTILE]), linear(1, HOSTILE)
    hostile = Figure(((Panel(*axes, (bars,), 300, HOSTILE),),), HOSTILE, legend=(Key(HOSTILE, palette.HEAD),))
    figures = [classes.probabilities([HOSTILE, "cat"], np.array([0.7, 0.3])), hostile]
    for fig in figures:
        text = svg(sheet_of(fig, HOSTILE))
        root = ElementTree.fromstring(text)
        allowed = ("svg", "title", "rect", "image", "text", "tspan", "polyline", "polygon", "circle")
        assert {element.tag for element in root.iter()} <= {f"{SVG}{name}" for name in allowed}
        assert "<script>alert(1)</script>" in " ".join(element.text or "" for element in root.iter(f"{SVG}text"))
        assert not re.search(r"[\x00-\x08\x1b]", text)
        assert 'href="http' not in text


def test_somebody_s_picture_can_be_left_out() -> None:
    pixels = RANDOM.integers(0, 256, (24, 24, 3), np.uint8)
    for fig in (maps.crop(pixels, (3, 3), None), patch_grid.flattened(RANDOM.normal(size=48), 0)):
        bare = sheet_of(fig, "A picture.", photos=False)
        assert not [it for it in pictures(bare) if it.pixels.shape[0] > 1 and it.pixels.shape[1] > 1 and it.width > 20]
        assert "the picture is left out" in words(bare)
        with pytest.raises(TakeawayError, match="tick “with my picture”"):
            named_numbers(fig, photos=False)
    (given,) = named_numbers(maps.crop(pixels, (3, 3), None))
    np.testing.assert_array_equal(given.values, pixels)
    mixed = patch_embedding.one_component(RANDOM.normal(size=(3, 4, 4)), RANDOM.normal(size=(3, 4, 4)), 0)
    assert "the picture is left out" in words(sheet_of(mixed, "Product.", photos=False))
    assert [it.name for it in named_numbers(mixed)] == ["patch", "filter 1", "product"]
    assert [it.name for it in named_numbers(mixed, photos=False)] == ["filter 1"]


def test_what_leads_back_to_somebody_s_picture_is_left_out_too() -> None:
    """Mean colours, tokens before the first block in the order of their patches, and their first numbers in words."""
    pixels = RANDOM.integers(0, 256, (24, 36, 3), np.uint8)
    places = RANDOM.normal(size=(6, 3)).astype(np.float32)
    cloud = patch_embedding.token_cloud(places, pixels, 2, 3, 4)
    means = tiles.cut(pixels, 2, 3).mean(axis=(1, 2)).round().astype(int)
    colours = ["#{:02x}{:02x}{:02x}".format(*mean) for mean in means]
    assert all(colour in svg(sheet_of(cloud, "Tokens.")) for colour in colours)
    bare = sheet_of(cloud, "Tokens.", photos=False)
    drawn = [mark for mark in bare.marks if isinstance(mark, Dot)]
    assert len({mark.colour for mark in drawn}) == 1
    assert not [colour for colour in colours if colour in svg(bare)]
    *points, _ = drawn  # the last one marks the patch that is chosen
    assert [mark.x for mark in points] == sorted(mark.x for mark in points), "in no order of patches"

    secret = np.array([0.1234, -0.5678, 0.4321] * 16)
    seen = [
        cloud,
        patch_embedding.token_grid(places, 2, 3, 4),
        patch_embedding.stem_map(places, 2, 3, 1),
        norms.pairs(RANDOM.normal(size=(2, 2, 9)), photo=True),
        strips({"token": secret}, "Its token", photo=True),
        patch_grid.flattened(secret, 0),
    ]
    for fig in seen:
        text = " ".join(words(sheet_of(fig, "A picture.", photos=False)))
        assert not [number for number in ("0.123", "0.432") if number in text]
        assert named_numbers(fig)
        with pytest.raises(TakeawayError, match="tick “with my picture”"):
            named_numbers(fig, photos=False)
    assert "0.123" in " ".join(words(sheet_of(seen[-2], "")))


def test_an_outline_has_the_names_and_the_size_of_a_figure_s_numbers() -> None:
    photo = RANDOM.integers(0, 256, (32, 48, 3), np.uint8)
    for fig in (
        maps.matrix(np.eye(3, dtype=np.float32), ["[class]", "patch 1", "patch 2"], ["class"], 0),
        maps.overlay(photo, RANDOM.random((4, 6)).astype(np.float32), 1.0, (1, 2)),
        classes.probabilities(["cat", "dog"], np.array([0.75, 0.25])),
        strips({"token": RANDOM.normal(size=48)}, "Its token"),
    ):
        whole, outlined = named_numbers(fig), named_numbers(fig, whole=False)
        assert [(it.name, it.axes, it.names, it.values.shape) for it in whole] == [
            (it.name, it.axes, it.names, it.values.shape) for it in outlined
        ]
        assert size_of(whole) == size_of(outlined) > 0


def test_the_numbers_of_a_figure_have_named_axes() -> None:
    fig = maps.matrix(np.eye(3, dtype=np.float32), ["[class]", "patch 1", "patch 2"], ["class"], 0)
    (matrix,) = named_numbers(fig)
    assert matrix.axes == ("query token", "key token")
    assert matrix.names["key token"] == ["[class]", "patch 1", "patch 2"]
    bars = named_numbers(classes.probabilities(["cat", "<b>"], np.array([0.75, 0.25])))[0]
    assert (bars.axes, bars.names) == (("bar",), {"bar": ["cat", "<b>"]})
    assert bars.values.dtype == np.float32
    lines = named_numbers(curves.by_layer({"a": np.ones(2), "b": np.ones(2)}, ["1", "2"], (1, 2), "length", [0, 1]))
    assert [(it.name, it.names["coordinate"]) for it in lines] == [
        ("a", ("layer", "length")),
        ("b", ("layer", "length")),
    ]
