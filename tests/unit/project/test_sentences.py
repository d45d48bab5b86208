"""Sentences are plain text with named places: every place is known, and every text is said of some model."""

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.unit.counts.random_models import random_configs
from vitviz.config import ADDED, PRESETS
from vitviz.page import Page
from vitviz.pages import ON_BOARD
from vitviz.sentences import PLACES, alternatives, chosen, holds, places_in

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
    sentences = [it for moment in page.all_moments for it in (moment.sentence, moment.untrained)]
    return [text for it in sentences for text in alternatives(it).values()]


@pytest.mark.parametrize("page", ON_BOARD.values(), ids=ON_BOARD)
def test_every_place_of_a_sentence_is_known_and_each_of_the_page_s_own_is_used(page: Page) -> None:
    used = {place for text in texts(page) for place in places_in(text)}
    assert used <= PLACES.keys() | page.places.keys()
    assert page.places.keys() <= used - PLACES.keys()
    for config in MODELS:
        for untrained in (False, True):
            said = [page.headline(moment, config, untrained) for moment in page.moments(config)]
            assert all(said), config
            assert len({*page.moment_names(config)}) == len(said), config


@pytest.mark.parametrize("page", ON_BOARD.values(), ids=ON_BOARD)
def test_every_text_is_said_of_some_model(page: Page) -> None:
    for moment in page.all_moments:
        with_it = [config for config in MODELS if holds(moment.when, config)]
        for sentence in (moment.sentence, moment.untrained):
            said = {chosen(sentence, config) for config in with_it}
            assert {*alternatives(sentence).values()} <= said, moment.name


def composed(source: str) -> Iterator[str]:
    """What of the moments of a page code puts together: theirs are texts, and names of such."""
    tree = ast.parse(source)
    named = {ast.unparse(it.targets[0]): it.value for it in tree.body if isinstance(it, ast.Assign)}
    waiting = [it for it in ast.walk(tree) if isinstance(it, ast.Call) and ast.unparse(it.func) == "Moment"]
    for call in waiting:
        parts = [*call.args, *(it.value for it in call.keywords)]
        parts += [
            named[it.id] for part in parts for it in ast.walk(part) if isinstance(it, ast.Name) and it.id in named
        ]
        found = (it for part in parts for it in ast.walk(part))
        yield from (ast.unparse(it) for it in found if isinstance(it, ast.JoinedStr | ast.BinOp | ast.Call | ast.IfExp))


@pytest.mark.parametrize("page", ON_BOARD.values(), ids=ON_BOARD)
def test_no_code_puts_a_sentence_together(page: Page) -> None:
    assert list(composed(Path(page.file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'Moment("wall", f"One token asks in {config.heads} heads.")',
        'Moment("wall", {"heads=1": "One head.", "": many(config.heads, "head")})',
        'SAYS = {"": "The answer" + " grows."}\nMoment("lens", SAYS)',
        'Moment("way", "answer" if config.classes else "result")',
    ],
)
def test_a_sentence_put_together_is_found(source: str) -> None:
    assert len(list(composed(source))) == 1
