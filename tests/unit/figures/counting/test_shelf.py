"""Charts of the shelf: every accuracy stands in view, and a row is what is clicked."""

from tests.unit.figures.read import areas, lines, panel, spots
from vitviz.figures.counting.shelf import curves, losses, published, rows, schedule
from vitviz.shelf.measured import PRE_TRAINED, PUBLISHED_BY_DATA


def test_a_row_holds_its_accuracies_from_least_to_most() -> None:
    siblings = [
        ("shelf_a_0", "a", {"things": (0.9, 0.8, 1.0), "relations": (0.25, 0.2, 0.3)}, 0.61, "a: …", "heads?model=a"),
        ("shelf_b_0", "b", {"things": (0.7, 0.7, 0.7), "relations": (0.5, 0.5, 0.5)}, None, "b: …", ""),
    ]
    chart = rows(siblings, "shelf_a_0")
    assert [(area.leads, area.framed) for area in areas(chart)] == [("heads?model=a", False), ("", True), ("", False)]
    assert [spot.x for spot in spots(chart)] == [0.9, 0.25, 0.61, 0.7, 0.5]
    assert [(line.points[0][0], line.points[1][0]) for line in lines(chart)[:2]] == [(0.8, 1.0), (0.2, 0.3)]
    assert all(area.y < spot.y < area.y + 1 for area, spot in zip(areas(chart)[::2], spots(chart)[::3], strict=True))
    assert [key.text for key in chart.legend] == ["things", "relations", "○ the paper's, ImageNet 5-shot"]
    assert [key.text for key in rows(siblings[1:], "").legend] == ["things", "relations"]


def test_curves_stand_over_their_ticks() -> None:
    points = [(500, (0.5, 0.4, 0.6)), (1000, (0.7, 0.7, 0.7))]
    chart = curves([("ViT", "#000", points)], "scenes", [(500, "500"), (1000, "1,000")], 0.3)
    assert panel(chart).across.log
    assert lines(chart)[0].points == ((500, 0.5), (1000, 0.7))
    assert spots(chart)[0].says == "ViT, scenes 500: 0.500, from 0.400 to 0.600"
    assert [text for _, text in panel(chart).down.ticks] == ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]


def test_losses_end_at_their_last_step() -> None:
    chart = losses([("as usual", "#000", [2.0, 1.0, 0.5])], 10)
    assert lines(chart)[0].points == ((10, 2.0), (20, 1.5), (30, 3.5 / 3))
    assert lines(chart)[0].says == "as usual: 1.17 at step 30"
    assert panel(chart).down.high > 2


def test_the_published_curves_cross_as_the_page_says() -> None:
    base, large = PUBLISHED_BY_DATA["ViT-B/16"], PUBLISHED_BY_DATA["ViT-L/16"]
    assert [of_large > of_base for of_base, of_large in zip(base, large, strict=True)] == [False, True, True]
    ticks = [(float(pictures), name) for name, pictures in PRE_TRAINED.items()]
    chart = published([(name, "#000", "solid", values) for name, values in PUBLISHED_BY_DATA.items()], ticks)
    drawn = {spot.y for spot in spots(chart)}
    assert drawn == {value for values in PUBLISHED_BY_DATA.values() for value in values}
    assert panel(chart).down.low <= min(drawn) < max(drawn) <= panel(chart).down.high
    assert [text for _, text in panel(chart).down.ticks] == ["70", "75", "80", "85", "90"]


def test_a_schedule_has_every_step() -> None:
    (line,) = lines(schedule([0.5, 1, 0.02]))
    assert line.points == ((1, 0.5), (2, 1), (3, 0.02))
    assert line.says == "learning rate: 0.02 at the end"
