"""Figures from pixels to tokens: every pixel and every number where it belongs."""

import base64
import io

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from vitviz import palette
from vitviz.figures import tiles
from vitviz.figures.strips import strips
from vitviz.figures.tokens import patch_embedding, patch_grid, position_embedding

RNG = np.random.default_rng(0)
CROP = RNG.integers(0, 256, (24, 24, 3), np.uint8)  # 3 x 3 patches of 8 x 8 pixels


def shown(figure: go.Figure, trace: int = 0) -> np.ndarray:
    """The pixels of a picture in a figure."""
    data = figure.data[trace].source.partition(",")[2]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


def framed(figure: go.Figure) -> tuple[float, ...]:
    """Row and column of the cell that is framed."""
    (box,) = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    return box.y0 + 0.5, box.x0 + 0.5


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
    cells = tiles.hover(tiles.PLACE, tiles.places(np.arange(5), 2), per_line=3)
    assert cells.customdata[1][0].tolist() == [4, 2, 2]  # the fourth patch of a grid with two columns
    assert np.isnan(cells.z[1][2])
    assert not np.isnan(cells.z[1][1])


def test_the_grid_lies_on_exactly_the_crop() -> None:
    figure = patch_grid.patch_grid(CROP, 3, 3, chosen=5)
    assert np.array_equal(shown(figure), CROP)
    assert figure.data[0].dx * 24 == pytest.approx(3)
    assert framed(figure) == (1, 2)
    assert figure.data[1].customdata[1][2].tolist() == [6, 2, 3]


def test_the_frame_on_the_original_is_the_crop_box() -> None:
    figure = patch_grid.original(CROP, size=(640, 480), box=(80, 0, 560, 480))
    (box,) = figure.layout.shapes
    assert (box.x0 + 0.5, box.x1 + 0.5, box.y0 + 0.5, box.y1 + 0.5) == (80, 560, 0, 480)
    assert figure.data[0].dx * 24 == pytest.approx(640)


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
    assert figure.data[1].customdata[2][3].tolist() == [3, 4, *CROP[10, 19].tolist()]


def test_flattened_channels_are_strips_in_order() -> None:
    values = RNG.normal(size=3 * 64).astype(np.float32)
    figure = patch_grid.flattened(values, chosen=5)
    assert np.array_equal(np.concatenate([strip.z[0] for strip in figure.data]), values)


def test_strips_share_one_scale_and_write_their_beginning() -> None:
    figure = strips({"a": np.array([0.5, -4.0, 1.0, 2.0]), "b": np.array([0.25, 0.0, 0.0, 0.0])}, mark=2)
    assert {(strip.zmin, strip.zmax) for strip in figure.data} == {(-4, 4)}
    assert [strip.showscale for strip in figure.data] == [True, False]
    assert list(figure.data[0].colorbar.ticktext) == ["−4.00", "0", "4.00"]
    assert [note.text for note in figure.layout.annotations] == [
        "<b>a</b>  0.500  −4.00  1.00 …",
        "<b>b</b>  0.250  0  0 …",
    ]
    assert [(box.x0, box.x1) for box in figure.layout.shapes] == [(2.5, 3.5)] * 2


def test_strips_of_nothing_are_drawn() -> None:
    figure = strips({"b": np.zeros(3)})
    assert (figure.data[0].zmin, figure.data[0].zmax) == (-1, 1)


def test_products_of_one_component_are_summed_over_colours() -> None:
    patch, column = RNG.normal(size=(2, 3, 8, 8))
    figure = patch_embedding.one_component(patch, column, component=4)
    product = next(trace for trace in figure.data if trace.type == "heatmap" and trace.showscale)
    assert product.z.sum() == pytest.approx((patch * column).sum(), abs=1e-4)
    assert product.zmin == -product.zmax == -np.abs((patch * column).sum(axis=0)).max()


def test_each_filter_has_its_own_scale_around_grey() -> None:
    directions = np.stack([np.full(3 * 64, 0.1), np.full(3 * 64, -7.0)])
    picture = shown(patch_embedding.filters(directions.reshape(2, 3, 8, 8)))
    assert [picture[9, 9].tolist(), picture[9, 27].tolist()] == [[255, 255, 255, 255], [0, 0, 0, 255]]


def test_shares_are_percent() -> None:
    assert patch_embedding.shares(np.array([0.75, 0.25])).data[0].y.tolist() == [75, 25]


def test_tokens_have_the_colour_of_their_components() -> None:
    coordinates = np.zeros((9, 3))
    coordinates[4] = [2, -8, 0]
    picture = shown(patch_embedding.token_grid(coordinates, 3, 3, chosen=4))
    assert picture[1, 1].tolist() == [255, 0, 128]
    assert picture[0, 0].tolist() == [128, 128, 128]


def test_points_have_the_mean_colour_of_their_patch() -> None:
    coordinates = RNG.normal(size=(9, 3))
    points, chosen = patch_embedding.token_cloud(coordinates, CROP, 3, 3, chosen=5).data
    red, green, blue = CROP[8:16, 16:24].mean(axis=(0, 1)).round().astype(int)
    assert points.marker.color[5] == f"rgb({red},{green},{blue})"
    assert (chosen.x[0], chosen.y[0]) == (coordinates[5, 0], coordinates[5, 1])
    assert points.customdata[5].tolist() == [6, 2, 3]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_tokens_with_few_components_are_drawn(k: int) -> None:
    coordinates = RNG.normal(size=(9, k))
    assert shown(patch_embedding.token_grid(coordinates, 3, 3, 0)).shape == (3, 3, 3)
    assert len(patch_embedding.token_cloud(coordinates, CROP, 3, 3, 0).data[0].y) == 9


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
    assert figure.data[1].customdata[2][1].tolist() == [8, 3, 2]


def test_the_enlarged_map_is_on_the_scale_of_all() -> None:
    similarity = RNG.uniform(-1, 1, (3, 3)).astype(np.float32)
    figure = position_embedding.similarity_map(similarity, chosen=7)
    heat = figure.data[0]
    assert np.array_equal(heat.z, similarity)
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert framed(figure) == (2, 1)
    assert heat.customdata[2][1].tolist() == [8, 3, 2]
    assert heat.colorscale[0][1] == "rgb(5,48,97)", palette.SIGNED


def test_the_table_is_the_table() -> None:
    positions = RNG.normal(size=(3, 4)).astype(np.float32)
    heat = position_embedding.table(positions, ["[class]", "patch 1", "patch 2"]).data[0]
    assert np.array_equal(heat.z, positions)
    assert list(heat.y) == ["[class]", "patch 1", "patch 2"]
