"""Every page there is, with several models: whole, and in the form of all pages. A new page is tested by existing."""

import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import ask, healthy, live, shown, true_to_the_unit, visit
from tests.pages.figures import drawn_in_every_way
from vitviz.choices import OF_PAGES
from vitviz.figures.figure import Figure
from vitviz.machine.device import describe
from vitviz.page import Page
from vitviz.pages import FOLDER, ON_BOARD, PAGES
from vitviz.ui.takeaway import pictures

ODD = {
    "model": "build-your-own",
    "image_size": "24",
    "patch_size": "24",
    "dim": "8",
    "depth": "1",
    "heads": "1",
    "mlp_dim": "8",
    "classes": "1",
}
SMALL = {**ODD, "patch_size": "8", "dim": "24", "depth": "2", "heads": "3", "layer_scale": "true", "input_norm": "true"}
GATED = {**SMALL, "distilled": "true", "registers": "2", "prefix_positions": "false", "activation": "swiglu"}
HEADLESS = {**SMALL, "classes": "0"}
POOLED = {**SMALL, "pool": "attention", "patch_bias": "false", "activation": "gelu_tanh"}
MODELS = {
    "demo": {"model": "demo"},
    "tiny": {"model": "vit_tiny_patch16_224", "sample": "coffee"},
    "photo": {"model": "photo", "sample": "tabby"},
    "finer": {"model": "photo", "sample": "tabby", "size": "448"},
    "odd": ODD,
    "gated": GATED,
    "pooled": POOLED,
    "sibling": {"model": "shelf_none_0"},
    "relative": {"model": "shelf_relative_0"},
}
DRAWN = ("demo", "tiny", "photo", "gated")  # whose figures are drawn in every way, too


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that pages offer to take away, in order."""
    found: list[Figure] = []
    offer = pictures.of_figure

    def watched(drawn: Figure | Callable[[], Figure], title: str, caption: str, **how: bool) -> None:
        found.append(drawn() if callable(drawn) else drawn)
        offer(drawn, title, caption, **how)

    monkeypatch.setattr(pictures, "of_figure", watched)
    return found


def test_the_menu_holds_every_page_file() -> None:
    assert {path.parent for path in FOLDER.rglob("*.py")} == {entry.folder for entry in PAGES.values()}
    assert len(list(FOLDER.rglob("page.py"))) == len(PAGES) == len({entry.title for entry in PAGES.values()})


@pytest.mark.parametrize("entry", PAGES.values(), ids=lambda entry: entry.stem)
@pytest.mark.parametrize("name", MODELS)
def test_a_page_and_its_figures_are_whole(
    entry: Page, name: str, figures: list[Figure], request: pytest.FixtureRequest
) -> None:
    query = MODELS[name]
    if name != "demo":
        request.getfixturevalue("few")
    if entry.on_board:
        app = healthy(visit(entry.stem, **query))
        assert not drawn(app), "a scene's page draws nothing before it is asked to"
        arrives_as_values(app, entry)
        for drawer in ("formula", "code", "details"):
            # By a link of the demo model alone: a visitor who is there costs half of one who comes.
            app = visit(entry.stem, open=drawer, **query) if name == "demo" else ask(app, open=drawer)
            if drawer == "code":
                assert healthy(app).code
            else:
                assert true_to_the_unit(healthy(app)).latex or drawer == "details"
    else:
        app = true_to_the_unit(healthy(visit(entry.stem, open="code", **query)))
        assert app.title[0].value == entry.title
        assert app.code
        arrives_as_values(app, entry)
        if entry.gathers:  # the words of others
            return
        assert app.latex
    assert drawn(app)
    for figure in figures if name in DRAWN else ():
        drawn_in_every_way(figure)
    assert {key: tuple(OF_PAGES[key].few({}, None)) for key in offered(app)} == offered(app)
    pages_own = [caption.value for caption in app.main.caption]
    if entry.stem == "gradients" and not shown(app).config.classes:
        assert any("no loss and no gradient" in it.value for it in app.markdown)
    else:
        assert any(any(letter.isdigit() for letter in caption) for caption in pages_own), "no caption has a number"


def offered(app: AppTest) -> dict[str, tuple[str, ...]]:
    """What controls of the page offer that the address holds, but for guesses."""
    named = {it.key: tuple(option.content for option in it.proto.options) for it in app.main.get("button_group")}
    return {key: texts for key, texts in named.items() if key in OF_PAGES and not key.startswith("guess_")}


def drawn(app: AppTest) -> list[object]:
    """Everything on the page that is a picture or a table; the board and its parcels are not of the page."""
    return [
        *app.get("plotly_chart"),
        *live(app, "chart"),
        *app.get("image"),
        *app.get("imgs"),
        *app.dataframe,
        *(it for it in app.main.get("html") if not it.proto.body.startswith("<style>")),
    ]


@pytest.mark.parametrize("entry", PAGES.values(), ids=lambda entry: entry.stem)
def test_what_python_says_to_the_board_of_a_model_without_classes_arrives_as_values(entry: Page) -> None:
    arrives_as_values(healthy(visit(entry.stem, **HEADLESS)), entry)


def arrives_as_values(app: AppTest, entry: Page) -> None:
    """What Python says to the board does."""
    (board,) = (it.proto for it in app.get("bidi_component") if it.proto.component_name == "vitviz.data")
    (said,) = json.loads(board.json)
    assert said["page"] == entry.address
    assert said["device"] == describe().short, "on pages without a forward pass, too"
    assert (said["meta"] is None) is not entry.forward
    names = [stage["stem"] for stage in said["stages"]] + [other["stem"] for other in said["others"]]
    assert names == [each.address for each in sorted(PAGES.values(), key=lambda each: each.stem not in ON_BOARD)]
    assert all(1 <= len(stage["moments"]) <= 6 for stage in said["stages"])


def test_code_comes_once_it_is_unfolded() -> None:
    app = healthy(visit("growth"))
    assert not app.code
    app.session_state["folded The code that ran"] = True
    assert healthy(app.run()).code
