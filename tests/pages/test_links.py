"""Links that ask for what there is not: a word about it, the usual value, and never an error page."""

import re
from functools import cache, partial

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from benchmarks.links import PARAMETERS, link
from tests.pages.app import healthy, live, shown, turn_to, visit
from vitviz.addresses.place import numbers as places
from vitviz.addresses.ranges import SIDED
from vitviz.choices import NUMBERS, SWITCHES, refusal
from vitviz.config import PRESETS
from vitviz.machine import price
from vitviz.page import Page
from vitviz.pages import PAGES
from vitviz.ui.board.second import OWN_FIELDS
from vitviz.ui.links import MOST_LETTERS, escaped, quoted

SMALL = {
    "model": "build-your-own",
    "image_size": "16",
    "patch_size": "8",
    "dim": "8",
    "depth": "2",
    "heads": "2",
    "mlp_dim": "8",
    "classes": "3",
}
# What the board reads of a model; only one size grows at a time, and a file alone is read in another way.
PLACES = (*places(PRESETS["demo"]), "learned", "answer", "against", "removed", "randomised")
GROWN = {name for name in NUMBERS if name.startswith("grown_")}
ENTRY = {entry.stem: entry for entry in PAGES.values()}
NO_NUMBERS = ("Infinity", "inf", "1e999", "9" * 5000, "nan", "-1", "+5", "1e1", "1_0", " 3", "0x3", "٣", "2.5.1", "NaN")


def bound_numbers(app: AppTest) -> dict[str, float]:
    """Name and value of all numbers on the page that the URL may set."""
    inputs = {widget.proto.query_param_key: widget.value for widget in app.number_input if widget.proto.query_param_key}
    sliders = {it["name"]: it["at"] for it in live(app, "slider").values() if it["name"] not in it["untold"]}
    charts = (handle for it in live(app, "chart").values() for handle in it["handles"] if handle["name"] in NUMBERS)
    return inputs | sliders | {handle["name"]: handle["at"] for handle in charts}


def bound_words(app: AppTest) -> set[str]:
    """Names of all else on the page that the URL may set."""
    widgets = (
        *(app.selectbox, app.select_slider, app.pills, app.segmented_control, app.toggle, app.checkbox),
        *(app.text_input, app.radio, app.multiselect),
    )
    return {widget.proto.query_param_key for kind in widgets for widget in kind} - {""}


@cache
def pages_with_parameters() -> dict[Page, tuple[list[str], set[str]]]:
    """The numbers and words of each page that a link may hold, those of the sidebar on all of them."""
    app = visit()
    found: dict[Page, tuple[list[str], set[str]]] = {}
    for entry in PAGES.values():
        words = bound_words(turn_to(app, entry.stem))  # of the demo model, some of whose pages have more
        found[entry] = [], words
    app = visit(**SMALL)
    for entry in PAGES.values():
        numbers = [*bound_numbers(turn_to(app, entry.stem)), *(PLACES if entry.on_board else ())]
        found[entry] = numbers, found[entry][1] | bound_words(app)
    return found


@pytest.mark.usefixtures("few")
def test_all_parameters_of_links_are_known() -> None:
    numbers, words = (set[str]().union(*kinds) for kinds in zip(*pages_with_parameters().values(), strict=True))
    chosen = {name for name in words if name in NUMBERS}  # in a select box
    assert numbers | chosen | GROWN | set(SIDED) | {"training"} == set(NUMBERS)
    numbers |= GROWN
    choices = {"beside", "cell", "chapter", "there", "switch", "value"}
    choices |= {"shots_of_3", "shots_of_4"}  # where there are as many classes
    board = {"query", "key", "moment", "open", *SWITCHES}
    drawers = {"training", "positions_off", "positions_shuffled"}
    elsewhere = {"preprocess", "file", "file_size", "size", "picture", "edits", "donor", "lesson", "step"}
    second = {f"b.{name}" for name in ("model", "image", "edits", "donor", "moment", *OWN_FIELDS)}
    assert numbers | words | choices | board | drawers | elsewhere | second == set(PARAMETERS), (
        "what the benchmark of links tries"
    )


@pytest.mark.usefixtures("few")
def test_sliders_stop_where_links_do() -> None:
    app = visit(model="demo")
    found: dict[str, list[str]] = {}
    for entry in PAGES.values():
        turn_to(app, entry.stem)
        sliders = (it for it in live(app, "slider").values() if it["name"] not in it["untold"])
        found |= {it["name"]: [stop["value"] for stop in it["stops"]] for it in sliders}
    found.pop("training", None)  # the moments of training that were kept
    config = PRESETS["demo"]
    assert found == {name: list(map(str, NUMBERS[name].stops(config))) for name in found}
    assert all(not refusal(name, text, config) for name, texts in found.items() for text in texts)


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: value[:9])
def test_what_is_no_number_is_taken_out_and_the_usual_one_shown(value: str) -> None:
    app = visit(model="build-your-own", **dict.fromkeys(NUMBERS, value))
    assert [error.value for error in app.exception] == []
    assert bound_numbers(app) == bound_numbers(visit(model="build-your-own"))
    assert dict(app.query_params) == {"model": "build-your-own"}
    assert len(app.toast) == 1
    said = app.toast[0].value.split("\n\n")
    assert len(said) == 5
    assert said[-1] == f"Of this link, {len(NUMBERS) - 4} more cannot be had as they stand."


@pytest.mark.usefixtures("few")
def test_infinity_ends_no_page() -> None:
    for entry, (numbers, _) in pages_with_parameters().items():
        app = healthy(visit(entry.stem, model="shelf_none_0", **dict.fromkeys(numbers, "Infinity")))
        assert set(app.query_params) == {"model"}


def test_the_word_about_it_is_said_once_and_short() -> None:
    app = visit(layer="inf", seed="9" * 5000, budget="www.evil.example")
    assert [toast.value.split("\n\n") for toast in app.toast] == [
        [
            "The link asks for layer “inf”, and that is no whole number; there is only layer 1 to 6; 1 is shown.",
            f"The link asks for seed “{'9' * 39}…”, and there is only seed 0 to 2,147,483,647; it is left out.",
            f"The link asks for budget “{escaped('www.evil.example')}”, and that is no number; there is only budget "
            "0.1 to 10,000.0; it is left out.",
        ]
    ]
    assert not app.run().toast


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("head", "-3", "there is only head 1 to 4; 1 is shown."),
        ("head", "0", "there is only head 1 to 4; 1 is shown."),
        ("layer", "99", "there is only layer 1 to 6; 1 is shown."),
        ("after", "7", "there is only after 0 to 6; 6 is shown."),
        ("component", "2.5", "that is no whole number; there is only component 1 to 128; 1 is shown."),
        ("through", "all", "that is no whole number; there is only through 1 to 6; 1 is shown."),
        ("query", "145", "there are only [class] and patches 1 to 144; class is shown."),
    ],
)
def test_a_place_that_the_model_has_not_is_said_with_what_there_is_and_what_is_shown(
    name: str, text: str, says: str
) -> None:
    app = visit("heads", **{name: text})
    assert [it.value for it in app.toast] == [f"The link asks for {name} “{text}”, and {says}"]


def test_a_number_that_is_given_twice_is_none() -> None:
    app = visit("patch_grid", component=["3", "Infinity"])  # type: ignore[arg-type]
    assert any("component “3 Infinity”" in toast.value for toast in app.toast)
    assert "component" not in app.query_params


def test_a_link_out_of_range_falls_back() -> None:
    app = visit("patch_grid", model="resnet50", sample="unicorn", layer="99", query="145")
    assert [error.value for error in app.exception] == []
    assert (shown(app).model.name, shown(app).picture.id) == ("demo", "cat")
    assert any("query “145”, and there are only [class] and patches 1 to 144" in toast.value for toast in app.toast)


def test_a_step_of_training_that_was_not_kept_is_said_with_those_that_were() -> None:
    said = [toast.value for toast in visit("heads", learned="100").toast]
    assert any("learned “100”, and there are only steps 0, 6, 16, 34" in text for text in said)
    assert not visit("heads", learned="166").toast


def test_what_a_link_cannot_have_is_said_without_its_markup() -> None:
    said = [toast.value for toast in visit(model="![x](http://a.b)", sample="unicorn").toast]
    assert len(said) == 1
    said = said[0].split("\n\n")
    assert said[0].startswith("The link asks for sample “unicorn”, and there are only the samples of the list")
    assert said[1].startswith("The link asks for model “xhttpa.b”")


@pytest.mark.parametrize(
    "words",
    [
        "www.evil.example",
        "see WWW.evil.example",
        "a@evil.example",
        "https://evil.example",
        "_a_ **b** ~c~ `d` $e$ :f: <g>",
    ],
)
def test_a_strangers_words_hold_nothing_that_markdown_makes_a_link_or_a_style_of(words: str) -> None:
    for made in (quoted(words), escaped(words)):
        bare = re.sub(r"\\.", "", made)  # an escaped letter stands for itself
        assert not re.search(r"www\.|\w@\w|://|[*_~`$<>\[\]]|:\w", bare, re.IGNORECASE)


def test_a_strangers_words_are_short() -> None:
    assert quoted("x" * 900_000) == "x" * (MOST_LETTERS - 1) + "…"
    assert quoted("model.safetensors\n\n# head\u202e") == "model.safetensors head"


@pytest.mark.parametrize("value", ["1e999", "inf", "Infinity", "nan", "-1", "9" * 400, "٣", "99999999999", ""])
@pytest.mark.parametrize("back", [False, True], ids=["goes on", "Back"])
def test_no_number_ends_a_session_that_goes_on(back: bool, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit("three_counts", **SMALL)
    sizes = bound_numbers(app)
    monkeypatch.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=back))
    for name in ("dim", "depth", "seed", "patch_size"):
        app.query_params.clear()
        app.query_params.update(SMALL | {name: value})
        assert [error.value for error in app.run().exception] == []
        assert name not in app.query_params
        assert bool(app.toast) == bool(value)
    app.query_params.clear()
    app.query_params.update(SMALL)
    assert bound_numbers(app.run()) == sizes


def test_no_random_link_ends_a_session_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit("three_counts")
    for number in range(150):
        one = link(25, number)
        monkeypatch.setattr(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=number % 3 > 0))
        app.query_params.clear()
        app.query_params.update(one.asks)
        if number % 10 == 0 and not ENTRY[one.stem].forward:
            turn_to(app, one.stem)
        else:
            app.run()
        assert [error.value for error in app.exception] == [], f"link {number}: {one}"
        assert not any(refusal(name, text) for name, text in app.query_params.items() if isinstance(text, str))


@pytest.mark.parametrize("number", range(40))
def test_no_random_link_ends_in_an_error_page(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price, "MOST_DRAWN", 5_000_000)  # the larger ones take their time in `make links`
    monkeypatch.setattr(price, "MOST_MACS", 1_000_000_000)
    one = link(2, number)
    app = visit(one.stem, **one.asks)
    assert [error.value for error in app.exception] == []
