"""Figures from pixels to tokens: every pixel and every number where it belongs."""

import base64

import numpy as np
import pytest

from tests.unit.figures.read import areas, marks, panel, panels, texts
from vitviz import palette
from vitviz.figures import tiles
from vitviz.figures.figure import Figure
from vitviz.figures.marks import Bars, Colours, Grid, Heat, Line, Picture, Points
from vitviz.figures.numbers import numbers_of
from vitviz.figures.plotly import spec
from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding, patch_grid, position_embedding

RNG = np.random.default_rng(0)
CROP = RNG.integers(0, 256, (24, 24, 3), np.uint8)  # 3 x 3 patches of 8 x 8 pixels


def shown(figure: Figure) -> np.ndarray:
    """The pixels of the picture in a figure."""
    (picture,) = marks(figure, Picture)
    return picture.pixels


def framed(figure: Figure) -> tuple[float, ...]:
    """Row and column of the cell that is framed."""
    (box,) = areas(figure)
    assert (box.width, box.height, box.framed) == (1, 1, True)
    return box.y + 0.5, box.x + 0.5


def said(mark: Heat | Picture | Points, *place: int) -> dict[str, float]:
    """What is said of one place."""
    assert mark.says
    return {name: float(np.asarray(column)[place]) for name, column in mark.says.columns.items()}


def test_tiles_are_cut_in_raster_order() -> None:
    cut = tiles.cut(CROP, 3, 3)
    assert cut.shape == (9, 8, 8, 3)
    assert np.array_equal(cut[5], CROP[8:16, 16:24])


def test_a_mosaic_holds_every_tile_with_a_gap_around() -> None:
    cut = tiles.cut(CROP, 3, 3)[:5]
    picture = tiles.mosaic(cut, per_line=3)
    height, width = picture.shape[0] // 2, picture.shape[1] // 3
    assert (height, width) == (18, 18)  # doubled, so that a gap of one pixel is thin
    for place, tile in enumerate(cut):
        row, column = divmod(place, 3)
        cell = picture[row * height : (row + 1) * height, column * width : (column + 1) * width]
        assert np.array_equal(cell[1:-1:2, 1:-1:2, :3], tile)
        assert (cell[1:-1, 1:-1, 3] == 255).all()
        assert not cell[0].any()
        assert not cell[:, -1].any()
    assert not picture[height:, 2 * width :].any()


def test_colours_around_grey() -> None:
    assert tiles.tinted(np.array([-2.0, 0.0, 2.0])).tolist() == [0, 128, 255]
    assert tiles.tinted(np.array([-2.0, 0.0, 1.0]), limit=1).tolist() == [0, 128, 255]
    assert tiles.tinted(np.zeros(3)).tolist() == [128, 128, 128]


def test_signed_numbers_are_clear_at_0_and_white_there_on_paper() -> None:
    low, middle, high = tiles.glazed(np.array([-1.0, 0.0, 1.0]), limit=1)
    below, above = (list(bytes.fromhex(colour[1:])) for colour in (palette.BELOW, palette.ABOVE))
    assert (low.tolist(), high.tolist()) == ([*below, 255], [*above, 255])
    assert middle[3] == 0
    assert tiles.on_white(np.stack([low, middle, high])).tolist() == [below, [255] * 3, above]
    assert tiles.on_white(CROP) is CROP


def test_hover_reads_the_numbers_of_its_cell() -> None:
    cells = {name: tiles.in_lines(it, 3) for name, it in tiles.places(np.arange(5), 2).items()}
    assert {name: it[1, 0] for name, it in cells.items()} == {"patch": 4, "row": 2, "column": 2}  # of two columns
    assert np.isnan(cells["patch"][1, 2])
    assert not np.isnan(cells["patch"][1, 1])
    assert all(np.array_equal(tiles.places_of(3, 2)[name].ravel()[:5], it.ravel()[:5]) for name, it in cells.items())


def test_nothing_is_said_between_the_tiles() -> None:
    blank = spec(patch_embedding.filter_components(RNG.normal(size=(8, 3, 2, 2))))["data"][1]
    cells = np.frombuffer(base64.b64decode(blank["z"]["bdata"]), np.float32)
    assert (np.isnan(cells).sum(), blank["hoverongaps"]) == (6, False)


def test_the_grid_lies_on_exactly_the_crop() -> None:
    figure = patch_grid.patches(CROP, 3, 3, chosen=5)
    assert np.array_equal(shown(figure), CROP)
    (picture,) = marks(figure, Picture)
    assert (picture.rows, picture.columns, picture.photo) == (3, 3, True)
    assert [(grid.rows, grid.columns) for grid in marks(figure, Grid)] == [(3, 3)]
    assert framed(figure) == (1, 2)
    assert said(picture, 1, 2) == {"patch": 6, "row": 2, "column": 3}


def test_the_frame_on_the_original_is_the_crop_box() -> None:
    figure = patch_grid.original(CROP, size=(640, 480), box=(80, 0, 560, 480))
    (box,), (picture,) = areas(figure), marks(figure, Picture)
    assert (box.x + 0.5, box.y + 0.5, box.width, box.height) == (80, 0, 480, 480)
    assert (picture.columns, picture.rows) == (640, 480)


@pytest.mark.parametrize(("rows", "lines", "per_line"), [(1, 1, 1), (3, 1, 9), (14, 7, 28), (24, 8, 72)])
def test_the_sequence_breaks_into_lines_like_text(rows: int, lines: int, per_line: int) -> None:
    crop = RNG.integers(0, 256, (rows * 2, rows * 2, 3), np.uint8)
    chosen = rows * rows - 1
    figure = patch_grid.sequence(crop, rows, rows, chosen)
    assert framed(figure) == divmod(chosen, per_line)
    strip = shown(figure)
    height, width = strip.shape[0] // lines, strip.shape[1] // per_line
    row, column = divmod(chosen, per_line)
    cell = strip[row * height : (row + 1) * height, column * width : (column + 1) * width]
    inside = cell[cell[..., 3] == 255][:, :3].reshape(12, 12, 3)
    assert np.array_equal(inside[::6, ::6], crop[-2:, -2:])


def test_the_enlarged_patch_is_the_patch() -> None:
    figure = patch_grid.enlarged(CROP, 3, 3, chosen=5)
    assert np.array_equal(shown(figure), CROP[8:16, 16:24])
    assert list(said(marks(figure, Picture)[0], 2, 3).values()) == [3, 4, *CROP[10, 19].tolist()]


def test_flattened_channels_are_strips_in_order() -> None:
    values = RNG.normal(size=3 * 64).astype(np.float32)
    figure = patch_grid.flattened(values, chosen=5)
    assert np.array_equal(np.concatenate([strip.values[0] for strip in marks(figure, Heat)]), values)
    assert [it.name for it in numbers_of(figure)] == ["red", "green", "blue"]
    assert not numbers_of(figure, photos=False)


def test_strips_share_one_scale_and_write_their_beginning() -> None:
    figure = strips({"a": np.array([0.5, -4.0, 1.0, 2.0]), "b": np.array([0.25, 0.0, 0.0, 0.0])}, mark=2)
    assert {strip.colours for strip in marks(figure, Heat)} == {figure.scale} == {Colours(4, signed=True)}
    scales = [trace for trace in spec(figure)["data"] if trace["showscale"]]
    assert [scale["colorbar"]["ticktext"] for scale in scales] == [["−4.00", "0", "4.00"]]
    assert [(note.lead, note.text.strip()) for note in texts(figure)] == [
        ("a", "0.500  −4.00  1.00 …"),
        ("b", "0.250  0  0 …"),
    ]
    assert [(box.x, box.width) for box in areas(figure)] == [(2.5, 1)] * 2


def test_strips_of_nothing_are_drawn() -> None:
    figure = strips({"b": np.zeros(3)})
    assert marks(figure, Heat)[0].colours == Colours(1, signed=True)


def test_products_of_one_component_are_summed_over_colours() -> None:
    patch, column = RNG.normal(size=(2, 3, 8, 8))
    figure = patch_embedding.one_component(patch, column, component=4)
    (product,), factors = marks(figure, Heat), marks(figure, Picture)
    assert product.values.sum() == pytest.approx((patch * column).sum(), abs=1e-4)
    assert product.colours == figure.scale == Colours(np.abs((patch * column).sum(axis=0)).max(), signed=True)
    assert [said(it, 2, 3) for it in factors] == [
        dict(zip(("red", "green", "blue"), it[:, 2, 3], strict=True)) for it in (patch, column)
    ]
    assert [*(it.photo for it in factors), product.photo] == [True, False, True]
    assert [it.title for it in panels(figure)] == ["patch", "· filter 5", "= product"]
    assert [it.name for it in numbers_of(figure, photos=False)] == ["filter 5"]
    assert len(marks(figure, Line)) == 3, "white pixels end somewhere too"


def test_a_sheet_of_one_channel_is_grey_and_says_its_number() -> None:
    patch, column = RNG.normal(size=(2, 1, 4, 6))
    first, _ = marks(patch_embedding.one_component(patch, column, 0), Picture)
    assert (first.pixels == first.pixels[..., :1]).all()
    assert said(first, 3, 5) == {"grey": patch[0, 3, 5]}


def test_each_filter_has_its_own_scale_around_grey() -> None:
    directions = np.stack([np.full(3 * 64, 0.1), np.full(3 * 64, -7.0)])
    figure = patch_embedding.filters(directions.reshape(2, 3, 8, 8), 128)
    picture = shown(figure)
    assert [picture[9, 9].tolist(), picture[9, 27].tolist()] == [[255, 255, 255, 255], [0, 0, 0, 255]]
    assert figure.rows[0][0].title == "2 of 128 filters"
    assert said(marks(figure, Picture)[0], 0, 1) == {"number": 2}


def test_shares_are_percent() -> None:
    (values,) = numbers_of(patch_embedding.shares(np.array([0.75, 0.25])))
    assert values.values.tolist() == [75, 25]
    assert (values.name, values.axes, values.names) == ("values", ("component",), {"component": ["1", "2"]})


def test_tokens_have_the_colour_of_their_components() -> None:
    coordinates = np.zeros((9, 3))
    coordinates[4] = [2, -8, 0]
    picture = shown(patch_embedding.token_grid(coordinates, 3, 3, chosen=4))
    assert picture[1, 1].tolist() == [255, 0, 128]
    assert picture[0, 0].tolist() == [128, 128, 128]


def test_points_have_the_mean_colour_of_their_patch() -> None:
    coordinates = RNG.normal(size=(9, 3))
    figure = patch_embedding.token_cloud(coordinates, CROP, 3, 3, chosen=5)
    points, chosen = marks(figure, Points)
    red, green, blue = CROP[8:16, 16:24].mean(axis=(0, 1)).round().astype(int)
    assert points.colours[5] == f"#{red:02x}{green:02x}{blue:02x}"
    assert (chosen.x[0], chosen.y[0]) == (coordinates[5, 0], coordinates[5, 1])
    assert said(points, 5) == {"patch": 6, "row": 2, "column": 3, "across": coordinates[5, 0]}
    assert points.photo
    assert chosen.photo
    assert not numbers_of(figure, photos=False)
    it = panel(figure)
    for axis, places in ((it.across, points.x), (it.down, points.y)):
        assert axis.low < places.min() < places.max() < axis.high


def test_a_word_is_a_row_of_the_table() -> None:
    one_hot, table = np.eye(4, dtype=np.float32)[[3, 1]], RNG.normal(size=(4, 5)).astype(np.float32)
    figure = patch_embedding.look_up(["<b>a</b>", "cat"], [3, 1], one_hot, table, one_hot @ table)
    assert [(it.x, it.values.shape) for it in marks(figure, Heat)] == [(0, (2, 4)), (6, (4, 5)), (13, (2, 5))]
    assert [(box.x, box.y, box.width) for box in areas(figure)] == [
        (5.5, 2.5, 5), (5.5, 0.5, 5), (12.5, -0.5, 5), (12.5, 0.5, 5),
    ]  # fmt: skip
    assert [it.name for it in numbers_of(figure)] == ["one-hot", "table", "tokens"]
    layout = spec(figure)["layout"]
    assert layout["yaxis"]["ticktext"] == ["&lt;b&gt;a&lt;/b&gt;", "cat"]
    assert "<b>" not in layout["title"]["text"]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_tokens_with_few_components_are_drawn(k: int) -> None:
    coordinates = RNG.normal(size=(9, k))
    assert shown(patch_embedding.token_grid(coordinates, 3, 3, 0)).shape == (3, 3, 3)
    assert len(marks(patch_embedding.token_cloud(coordinates, CROP, 3, 3, 0), Points)[0].y) == 9


def test_every_similarity_map_lies_where_its_patch_lies() -> None:
    maps = np.zeros((3, 3, 3, 3))
    maps[2, 1, 0, 2] = 1
    figure = position_embedding.similarity_maps(maps, np.arange(9).reshape(3, 3), chosen=(2, 1))
    picture = shown(figure)
    cell = picture.shape[0] // 3
    one = picture[2 * cell + 1 : 3 * cell - 1, cell + 1 : 2 * cell - 1]
    assert one[0, -1].tolist() == [178, 24, 43, 255]
    assert one[-1, 0, 3] == 0, "the ground shows through"
    assert framed(figure) == (2, 1)
    assert said(marks(figure, Picture)[0], 2, 1) == {"patch": 8, "row": 3, "column": 2}
    (numbers,) = numbers_of(figure, photos=False)
    assert (numbers.name, numbers.axes) == ("similarity", ("map_row", "map_column", "row", "column"))


def test_the_enlarged_map_is_on_the_scale_of_all() -> None:
    similarity = RNG.uniform(-1, 1, (3, 3)).astype(np.float32)
    figure = position_embedding.similarity_map(similarity, chosen=7)
    (heat,) = marks(figure, Heat)
    assert np.array_equal(heat.values, similarity)
    assert heat.colours == figure.scale == Colours(1, signed=True)
    assert framed(figure) == (2, 1)
    assert said(heat, 2, 1) == {"patch": 8, "row": 3, "column": 2}
    assert spec(figure)["data"][0]["colorscale"][0][1] == "#053061"


def test_the_table_is_the_table() -> None:
    positions = RNG.normal(size=(3, 4)).astype(np.float32)
    names = ["<b>", "patch 1", "patch 2"]
    figure = position_embedding.table(positions, names)
    (heat,) = marks(figure, Heat)
    assert np.array_equal(heat.values, positions)
    assert [text for _, text in panel(figure).down.ticks] == heat.called == names
    (numbers,) = numbers_of(figure)
    assert (numbers.name, numbers.axes, numbers.names) == ("values", ("row", "number"), {"row": names})
    drawn = spec(figure)
    assert drawn["data"][0]["y"] == drawn["layout"]["yaxis"]["ticktext"] == ["&lt;b&gt;", *names[1:]]
    assert drawn["data"][0]["hovertemplate"].startswith("%{y}<br>number %{x}: %{z:.4f}")


def test_every_angle_is_counted() -> None:
    (bars,) = marks(position_embedding.angles(np.array([0.0, 1, 90, 180])), Bars)
    assert bars.values.sum() == 4
    assert (bars.values[0], bars.values[30], bars.values[-1]) == (2, 1, 1)
