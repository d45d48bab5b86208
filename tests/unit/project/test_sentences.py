"""Sentences are plain text with named places: every place is known, and every text is said of some model."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.cases import each
from tests.unit.counts.random_models import random_configs
from vitviz import palette
from vitviz.__main__ import main
from vitviz.calculation import Calculation
from vitviz.config import ADDED, PRESETS
from vitviz.page import Page
from vitviz.pages import PAGES, module_of
from vitviz.scripts.texts import texts_of
from vitviz.sentences import PLACES, alternatives, chosen, holds, places_in
from vitviz.takeaway.commands.words import texts_in

ROOT = Path(__file__).parents[3]
DEMO = PRESETS["demo"]
MODELS = (
    *PRESETS.values(),
    *random_configs(300, seed=29),
    *(
        DEMO.with_(positions=kind, positions_at=at)
        for kind, at in product(ADDED, ("every_layer", "every_layer_shared"))
    ),
    DEMO.with_(image_size=512),  # too many patches for light on the first page
    DEMO.with_(stem="conv", dim=1, heads=1),
)


def texts(page: Page) -> list[str]:
    return [text for it in page.sentences for text in alternatives(it).values()]


@each(PAGES.values())
def test_every_place_of_a_sentence_is_known_and_each_of_the_page_s_own_is_used(page: Page) -> None:
    used = {place for text in texts(page) for place in places_in(text)}
    assert used <= PLACES.keys() | page.places.keys()
    assert page.places.keys() <= used - PLACES.keys()
    for config in MODELS:
        for untrained in (False, True):
            said = [page.headline(moment, config, untrained) for moment in page.moments(config)]
            assert all(said), config
            assert len({*page.moment_names(config)}) == len(said), config


@each(PAGES.values())
def test_every_text_is_said_of_some_model(page: Page) -> None:
    over = [(it, moment.when) for moment in page.all_moments for it in (moment.sentence, moment.untrained)]
    for sentence, when in [(page.says, ""), (page.shape, ""), *over]:
        said = {chosen(sentence, config) for config in MODELS if holds(when, config)}
        assert {*alternatives(sentence).values()} <= said


@pytest.mark.parametrize(
    ("page", "moment", "changes", "says"),
    [
        ("heads", "wall", {}, "One token asks in 4 heads: what does each {query} look at?"),
        ("heads", "wall", {"heads": 1}, "One token, one head: what does its {query} look at?"),
        ("query_key_value", "softmax", {}, "Divided by √dₕ, softmax makes the scores weights that sum to 1."),
        (
            "query_key_value",
            "softmax",
            {"attention": "top_k", "top_k": 5, "score_scale": 0.25},
            "Times 0.25, the 5 largest scores stay; softmax makes them weights.",
        ),
        (
            "query_key_value",
            "softmax",
            {"attention": "linear"},
            "φ(q)·φ(k), divided by their sum over all keys: weights without softmax.",
        ),
        (
            "encoder_block",
            "activation",
            {"activation": "quick_gelu"},
            "The MLP's hidden units: quick GELU passes large positive inputs, suppresses the rest.",
        ),
        (
            "patch_embedding",
            "filters",
            {"dim": 1, "heads": 1},
            "E has 1 column. Each is a filter: a small template to compare with.",
        ),
        (
            "patch_grid",
            "patches",
            {"image_size": 2000},
            "The model does not see a picture. It sees 62,500 squares: the {patches}.",
        ),
        ("patch_grid", "pixels", {"channels": 1}, "A {patch} is 8 × 8 pixels of 1 colour: 64 numbers."),
        (
            "patch_grid",
            "sequence",
            {"image_size": (16, 96)},
            "Row by row, 2 × 12 {patches} become a sequence of 24.",
        ),
        (
            "position_embedding",
            "sum",
            {"positions": "learned_2d", "positions_at": "every_layer_shared"},
            "Where was the {patch}? Every layer adds the same halves for row and column.",
        ),
        ("class_head", "way", {"classes": 0}, "The whole way of one {patch}, from its pixels to the result."),
    ],
)
def test_a_model_is_told_what_holds_of_it(page: str, moment: str, changes: dict[str, Any], says: str) -> None:
    config = DEMO.with_(**changes)
    (it,) = (it for it in PAGES[page].moments(config) if it.name == moment)
    assert PAGES[page].headline(it, config) == says


def composed(source: str) -> Iterator[str]:
    """What of the sentences of a page code puts together: they are texts, and names of such."""
    tree = ast.parse(source)
    named = {ast.unparse(it.targets[0]): it.value for it in tree.body if isinstance(it, ast.Assign)}
    for call in (it for it in ast.walk(tree) if isinstance(it, ast.Call)):
        parts = [it.value for it in call.keywords if it.arg in ("says", "shape")]
        if ast.unparse(call.func) == "Moment":
            parts = [*call.args[:2], *(it.value for it in call.keywords if it.arg != "numbers")]
        parts += [
            named[it.id] for part in parts for it in ast.walk(part) if isinstance(it, ast.Name) and it.id in named
        ]
        found = (it for part in parts for it in ast.walk(part))
        yield from (ast.unparse(it) for it in found if isinstance(it, ast.JoinedStr | ast.BinOp | ast.Call | ast.IfExp))


@each(PAGES.values())
def test_no_code_puts_a_sentence_together(page: Page) -> None:
    assert list(composed(Path(page.file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'Moment("wall", f"One token asks in {config.heads} heads.")',
        'Moment("wall", {"heads=1": "One head.", "": many(config.heads, "head")})',
        'SAYS = {"": "The answer" + " grows."}\nMoment("lens", SAYS)',
        'Moment("way", "answer" if config.classes else "result")',
        'Page("Depth", shape=many(DEPTH, "block"))',
    ],
)
def test_a_sentence_put_together_is_found(source: str) -> None:
    assert len(list(composed(source))) == 1


def test_vitviz_words_lists_each_page_and_moment_once(capsys: pytest.CaptureFixture[str]) -> None:
    main(["words"])
    _, *parts, _, board = capsys.readouterr().out.split("\n\n")
    for page, part in zip(PAGES.values(), parts, strict=True):
        name, *lines = part.splitlines()
        assert name == f"{page.stem} ({page.chapter})"
        moments = [line.split()[1] for line in lines if line.startswith("  moment ") and "untrained" not in line]
        assert moments == [it.name for it in page.all_moments]
        for place in {place for text in texts(page) for place in places_in(text)}:
            assert f"    {{{place}}}: " in part
        value = ast.parse(Path(page.file).read_text(encoding="utf-8"))
        axes = {it.axes for it in vars(module_of(page, "page")).values() if isinstance(it, Calculation)}
        assert {text for text in texts_in(value) if text not in part} <= axes
        assert {f"  {it.relative_to(page.folder).as_posix()}" for it in page.folder.rglob("*.js")} >= {
            line for line in lines if line.endswith(".js")
        }
    assert any("    Draw across the wall: layers and heads pass by." in part for part in parts)
    assert "  columns/columns.js\n" in board
    assert "    B is on its way." in board


def test_texts_of_code_are_found_with_what_is_computed_in_them() -> None:
    source = r'''
"""A docstring."""
def show(values: "list[Own Kind]"):
    say(f"{many(2, 'head')} of the {{query}}", key="own_key", tex=r"\text{a formula}")
'''
    assert [*texts_in(ast.parse(source))] == ["‹many(2, 'head')› of the {query}"]


def test_texts_of_scripts_are_found_with_what_is_computed_in_them() -> None:
    script = r"""
import { small } from "./a b.js"; // "a comment"
const half = total / 2, found = /"no text"/.test(`${name} is \`here\` ${half > 1 ? "more than `one`" : ""}`);
say('in \'one\' line', "\u03b2");
"""
    told = ["more than `one`", "", '‹name› is `here` ‹half > 1 ? "more than `one`" : ""›', "in 'one' line", "β"]
    assert [*texts_of(script)] == told


def test_no_ending_is_hung_on_a_role() -> None:
    ending = re.compile(rf"\{{({'|'.join(palette.ROLES)})\}}+[a-z]")
    files = [*ROOT.glob("pages/*/*/*.py"), *ROOT.glob("vitviz/lecture/lessons/*.toml")]
    assert [path.name for path in files if ending.search(path.read_text(encoding="utf-8"))] == []
    assert ending.search("the {patch}es")
    assert ending.search('f"the {{position}}s"')
