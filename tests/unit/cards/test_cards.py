"""Every switch has its card, and what a card says of the model is true of the model: its lines run, its counts hold."""

import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch

from tests.cases import each
from vitviz.cards import CARDS
from vitviz.cards.card import STAGES, Card, Choice
from vitviz.cards.change import compared, items, on_shelf, siblings, totals
from vitviz.config import FIELDS, PRESETS, ConfigError, ViTConfig
from vitviz.config.config import CHOICES as CHOICES_OF
from vitviz.edits import Edits
from vitviz.model import ViT
from vitviz.pages import PAGES
from vitviz.shelf.rows import SHELF
from vitviz.switches.scoring import _written_out
from vitviz.trace import record
from vitviz.ui.code import MODEL, source_of

SIZES = {"dim", "depth", "heads", "mlp_dim", "classes"}
TINY = ViTConfig(image_size=48, patch_size=4, dim=8, depth=2, heads=2, mlp_dim=12, classes=3)
CHOICES = [(card, choice) for card in CARDS.values() for choice in card.choices]


def called(it: Card | Choice) -> str:
    return it.field if isinstance(it, Card) else str(it.value)


def lines_that_run(config: ViTConfig) -> dict[str, str]:
    """The text of all lines of the model that run while it is built and looks at a picture, by file."""
    ran: dict[str, set[int]] = defaultdict(set)
    files = {str(path) for path in MODEL}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if (name := frame.f_code.co_filename) not in files:
            return None
        if event == "line":
            ran[name].add(frame.f_lineno)
        return trace

    _written_out.cache_clear()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        record(ViT(config), torch.zeros(1, config.channels, *config.image_sides), edits=Edits.in_training(config, 3))
    finally:
        sys.settrace(before)
    texts = {name: Path(name).read_text(encoding="utf-8").splitlines() for name in ran}
    return {name: "\n".join(texts[name][number - 1] for number in sorted(ran[name])) for name in ran}


def test_every_switch_has_a_card_in_the_order_of_the_model() -> None:
    assert set(CARDS) == set(FIELDS) - SIZES
    stages = [list(STAGES).index(card.stage) for card in CARDS.values()]
    assert stages == sorted(stages)
    for card in CARDS.values():
        assert [card.field in entry.cards for entry in PAGES.values()].count(True) == 1
        assert len({choice.value for choice in card.choices}) == len(card.choices) > 1
        assert card.has(ViTConfig(), card.usual) or card.usual.needs


@each(CHOICES, called)
def test_the_marked_lines_are_in_the_source_and_run_with_that_value(card: Card, choice: Choice) -> None:
    ran = "\n".join(lines_that_run(card.changed(TINY, choice)).values())
    for name, *fragments in choice.code:
        source = source_of(name)
        for fragment in fragments:
            assert fragment in source, (name, fragment)
            line = next(line for line in source.splitlines() if fragment in line)
            assert line.strip() in ran, (name, fragment)


@pytest.mark.parametrize("preset", ["vit_base_patch16_224", "deit_base_distilled_patch16_224", "demo"])
@each(CHOICES, called)
def test_a_card_counts_what_a_built_model_has(card: Card, choice: Choice, preset: str) -> None:
    config = PRESETS[preset]
    try:
        pair = compared(config, card, choice)
    except ConfigError:
        return
    assert config in pair
    figures = totals(*pair)
    built = list(map(parameters_of, pair))
    assert [figures[0].without, figures[0].having] == built
    assert sum(it.change for it in items(*pair)) == built[1] - built[0]
    assert [figures[2].without, figures[2].having] == [4 * count for count in built]


@pytest.mark.parametrize(
    ("field", "value", "published"),
    [
        ("pool", "mean", 86_566_120),
        ("qkv_bias", False, 86_540_008),
        ("positions", "none", 86_416_360),
        ("layer_scale", True, 86_586_088),
        ("qk_norm", True, 86_570_728),
        ("registers", 4, 86_573_800),
        ("pre_logits", 768, 86_567_656 + 590_592),
        ("stem", "r50", 98_659_112),
    ],
)
def test_a_card_counts_what_is_published_of_the_base_model(field: str, value: object, published: int) -> None:
    card = CARDS[field]
    parameters, *_ = totals(*compared(ViTConfig(), card, card.choice(value)))
    assert (parameters.without, parameters.having) == (86_567_656, published)


def test_every_word_that_a_switch_can_be_has_its_place_on_the_card() -> None:
    for field, words in CHOICES_OF.items():
        assert {choice.value for choice in CARDS[field].choices} == set(words)


@cache
def parameters_of(config: ViTConfig) -> int:
    with torch.device("meta"):
        return sum(it.numel() for it in ViT(config).parameters())


def test_what_was_measured_is_found_by_the_switch_alone() -> None:
    positions = CARDS["positions"]
    paper, none = siblings(positions, positions.choice("none"))
    assert (paper.row, none.row) == ("learned", "none")
    assert none.mean("relations") < 0.4 < 0.9 < paper.mean("relations")
    assert {on_shelf(paper.row), on_shelf(none.row)} <= set(SHELF)
    assert siblings(CARDS["epsilon"], CARDS["epsilon"].choice(1e-12)) == []
    assert siblings(CARDS["attention"], CARDS["attention"].choice("linear")) == []


def test_what_cannot_be_is_said_in_the_sentence_of_the_sizes() -> None:
    pool = CARDS["pool"]
    with pytest.raises(ConfigError, match="choose pool class"):
        compared(PRESETS["deit_base_distilled_patch16_224"], pool, pool.choice("mean"))


def test_a_model_that_has_the_value_is_compared_with_one_that_has_not() -> None:
    card = CARDS["qk_norm"]
    having = ViTConfig(qk_norm=True)
    assert compared(having, card, card.choice(True)) == (ViTConfig(), having)
    assert totals(*compared(having, card, card.choice(True)))[0].change == 12 * 4 * 64
