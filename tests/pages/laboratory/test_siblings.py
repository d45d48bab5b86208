"""The page Siblings: its numbers are those that were measured, and a click puts the model on screen."""

import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from vitviz.pages.laboratory.siblings.measured import LOSSES
from vitviz.pages.laboratory.siblings.page import DIFFERS
from vitviz.pages.laboratory.siblings.shown import LOSSES as DEMO_LOSSES

from tests.pages.app import captions, healthy, live, shown, visit, words
from tests.pages.chapters.test_counting import tables
from vitviz.demo.artifacts import read_metrics
from vitviz.shelf.measured import MEASURES, METRICS, PUBLISHED
from vitviz.shelf.rows import DATA, FIGURE_9, RATES, ROWS, SCENES, SHELF, SWITCHES, TABLE_8

KEPT = json.loads((DATA / METRICS).read_text(encoding="utf-8"))
OF_VIEW = {"Positions": list(TABLE_8), "Switches": ["learned", *SWITCHES], "Learning rates": list(FIGURE_9)}


def last(row: str) -> list[dict[str, Any]]:
    """The last test of each training of a row."""
    return [it["tested"][-1] for name, it in KEPT.items() if name != "recipe" and it["row"] == row]


def cells(app: AppTest) -> dict[str, list[str]]:
    """The table's rows by their first cell."""
    table = tables(app)[0]
    rows = re.findall(r"<tr.*?</tr>", table.split("<tbody>")[1])
    texts = [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    return {first: rest for first, *rest in texts}


@pytest.mark.parametrize("view", OF_VIEW)
def test_the_numbers_on_the_page_are_those_that_were_measured(view: str) -> None:
    found = cells(healthy(visit("siblings", differs=view)))
    rows = [row for row in OF_VIEW[view] if last(row)]
    assert len(found) == len(rows) > 1
    for row in rows:
        parameters, seeds, *accuracies = found[ROWS[row].title]
        assert int(seeds) == len(last(row))
        assert int(parameters.replace(",", "")) == KEPT[f"{row}_0"]["parameters"]
        for text, key in zip(accuracies, MEASURES.values(), strict=False):
            values = [it[key] for it in last(row)]
            assert text.startswith(f"{np.mean(values):.3f}")
            assert len(values) == 1 or f"({min(values):.3f} to {max(values):.3f})" in text
        if view == "Positions":
            assert accuracies[3] == (f"{PUBLISHED[row]:.5f}" if row in PUBLISHED else "–")


def test_the_verdict_on_figure_9_is_what_was_measured() -> None:
    """As good: their best seeds overlap; but both are best at one rate, so that another rate is not borne out."""
    best = {
        pool: max((np.mean([it["accuracy"] for it in last(f"{pool}_at_{rate:g}")]), rate) for rate in RATES)[1]
        for pool in ("class", "gap")
    }
    spans = [[it["accuracy"] for it in last(f"{pool}_at_{rate:g}")] for pool, rate in best.items()]
    said = words(visit("siblings", differs="Learning rates"))
    overlap = min(spans[1]) <= max(spans[0]) and min(spans[0]) <= max(spans[1])
    assert ("Borne out that it is as good" in said) is overlap
    assert (f"here both do best at {best['class']:g}" in said) is (best["class"] == best["gap"])


@pytest.mark.parametrize("view", DIFFERS.few({}, None))
def test_every_view_says_what_was_found_and_how(view: str) -> None:
    app = healthy(visit("siblings", differs=view))
    assert "600 steps of 80 pictures" in captions(app)
    assert "1,000 unseen scenes" in captions(app)
    assert any(re.search(r"0\.\d\d", it.value) for it in app.main.markdown)


def test_a_click_on_a_row_leads_to_that_model_and_the_one_on_screen_is_framed() -> None:
    (chart,) = live(visit("siblings", model="shelf_relative_0"), "chart").values()
    assert [area["row"] for area in chart["areas"] if area["framed"]] == ["shelf_relative_0"]
    ways = [area["leads"] for area in chart["areas"] if not area["framed"]]
    assert ways == [f"position_embedding?model=shelf_{row}_0&moment=similarity" for row in TABLE_8]
    (other,) = live(visit("siblings", model="demo"), "chart").values()
    assert not any(area["framed"] for area in other["areas"])


def test_links_lead_to_models_that_are_there() -> None:
    bodies = "".join(it.proto.body for view in OF_VIEW for it in visit("siblings", differs=view).get("html"))
    links = set(re.findall(r'href="position_embedding\?model=(\w+)&amp;moment=similarity"', bodies))
    assert links == set(SHELF)
    assert set(re.findall(r'href="heads\?model=(\w+)&amp;b.model=demo"', bodies)) == set(SHELF)
    assert {row for row in ROWS if f"shelf_{row}_0" in links} <= set(TABLE_8) | set(SWITCHES)
    assert shown(healthy(visit("position_embedding", model=min(links), moment="2"))).model.name == min(links)


@pytest.mark.parametrize("stem", ["siblings", "switches", "order", "shift", "side_by_side", "arithmetic"])
def test_a_sibling_is_read_by_its_title_and_linked_by_its_name(stem: str) -> None:
    app = healthy(visit(stem, model="shelf_relative_0", switch="positions", value="none"))
    assert "shelf_" not in words(app)
    assert any(title in words(app) for title in ("Relative positions", "No positions (seed 0)"))
    seen = app.sidebar.selectbox(key="model_shown")
    assert (seen.value, "Relative positions (seed 0)" in seen.options) == ("shelf_relative_0", True)
    assert app.query_params["model"] == "shelf_relative_0"
    assert shown(seen.set_value("shelf_none_0").run()).model.name == "shelf_none_0"


def everywhere(row: str) -> float:
    """The mean accuracy of a row, over all scenes and seeds."""
    return float(np.mean([it["accuracy"] for it in last(row)]))


def test_what_the_page_says_was_found_is_what_was_measured() -> None:
    for scenes in SCENES:  # the curves come nearer and do not cross
        assert everywhere(f"cnn_of_{scenes}") > everywhere(f"vit_of_{scenes}")
    gaps = [everywhere(f"cnn_of_{scenes}") - everywhere(f"vit_of_{scenes}") for scenes in (SCENES[0], SCENES[-1])]
    assert gaps[1] < 0.5 * gaps[0]
    words = " ".join(it.value for it in visit("siblings", differs="Data sizes").main.markdown)
    assert f"from {100 * gaps[0]:.0f} points to {100 * gaps[1]:.0f}" in words
    assert {everywhere(f"gap_at_{rate:g}") > everywhere(f"class_at_{rate:g}") for rate in RATES} == {True, False}
    usual = [it["accuracy"] for it in last("learned")]
    words = " ".join(it.value for it in visit("siblings", differs="Switches").main.markdown)
    worse = words.partition("worse: ")[2].partition("\n")[0]
    for row in (it for it in SWITCHES if last(it)):
        assert (ROWS[row].title in worse.split(".\n")[0]) == (everywhere(row) < min(usual)), row
    early = {row: np.mean(KEPT[f"{row}_0"]["losses"][15:20]) for row in LOSSES if last(row)}
    assert f"{early['no_layer_norm']:.2f} after 200 steps" in words
    assert all(early[row] > early["learned"] for row in ("no_layer_norm", "post_norm", "post_norm_no_warm_up"))
    assert everywhere("post_norm_no_warm_up") > min(usual)


def test_the_demos_recipe_is_that_of_its_record() -> None:
    app = healthy(visit("siblings", differs="Learning rates"))
    metrics = read_metrics()
    plan, (_, falling, _) = metrics["training"], live(app, "chart").values()
    said = " ".join(it.value for it in app.main.markdown)
    assert f"{plan['steps']:,} steps of {plan['batch']} pictures, out of {plan['pictures']:,}" in said
    losses = {line["row"].split(",")[0]: line["points"] for line in falling["lines"]}
    for key, (title, _) in DEMO_LOSSES.items():
        kept = [it for it in metrics["history"] if key in it]
        assert [x for x, _ in losses[title]] == [it["step"] for it in kept]
        assert losses[title][-1][1] == pytest.approx(np.mean([it[key] for it in kept[-5:]]))
