"""The roof stands over all points, and curves say their spread."""

import pytest

from tests.unit.figures.read import lines, panel, spots, texts
from vitviz.figures.counting.speed import Curve, Under, over, roofline


def under(name: str, intensity: float, rate: float) -> Under:
    return Under(name, "1", intensity, rate, "#123456", "circle", name)


def test_the_roof_bends_where_both_limits_meet_and_all_points_are_in_sight() -> None:
    points = [under("norms", 0.25, 2.0), under("MLP", 40.0, 90.0)]
    chart = roofline(points, peak=100.0, bandwidth=10.0, copied=10.0)
    (roof,) = lines(chart)
    (left, low), bend, (right, high) = roof.points
    assert bend == (10.0, 100.0)
    assert low == 10.0 * left
    assert high == 100.0
    assert (panel(chart).across.log, panel(chart).down.log) == (True, True)
    for spot in spots(chart):
        assert left < spot.x < right
        assert panel(chart).down.low < spot.y <= min(100.0, 10.0 * spot.x) < panel(chart).down.high


def test_what_memory_alone_reaches_is_drawn_where_a_cache_moves_more() -> None:
    chart = roofline([under("MLP", 40.0, 90.0)], peak=100.0, bandwidth=10.0, copied=4.0)
    roof, copy = lines(chart)
    assert copy.dash == "dash"
    assert copy.points[-1] == (25.0, 100.0)
    assert {key.row for key in chart.legend} >= {"roof", "copy"}
    assert roof.points[1] == (10.0, 100.0)


def test_a_label_stands_where_nothing_else_does_or_not_at_all() -> None:
    alone = roofline([under("norms", 0.25, 2.0), under("MLP", 40.0, 90.0)], 100.0, 10.0, 10.0)
    assert [text.row for text in texts(alone)] == ["norms", "MLP"]
    crowd = [under(str(at), 40.0 + 0.01 * at, 90.0) for at in range(9)]
    assert 0 < len(texts(roofline(crowd, 100.0, 10.0, 10.0))) < len(crowd)


@pytest.mark.parametrize("unit", ["ms", "bytes"])
def test_a_curve_says_median_and_spread(unit: str) -> None:
    curves = [Curve("ViT", [(2.0, 1.0, 4.0), (3.0, 3.0, 3.0)]), Curve("CNN", [(1.0, 1.0, 1.0), (5.0, 4.0, 6.0)])]
    chart = over((1, 8), curves, "pictures", unit)  # type: ignore[arg-type]
    assert [(spot.row, spot.x, spot.y) for spot in spots(chart)] == [
        ("ViT", 1, 2.0),
        ("ViT", 8, 3.0),
        ("CNN", 1, 1.0),
        ("CNN", 8, 5.0),
    ]
    spreads = [line.points for line in lines(chart) if len({x for x, _ in line.points}) == 1]
    assert spreads == [((1, 1.0), (1, 4.0)), ((8, 4.0), (8, 6.0))]
    assert panel(chart).across.ticks == ((1.0, "1"), (8.0, "8"))
    assert all(panel(chart).down.low < value < panel(chart).down.high for value in (1.0, 6.0))
