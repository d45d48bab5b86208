"""A choice: declared once, and read by notebooks, lessons and controls."""

import pytest

from vitviz.addresses.ranges import DECIMAL, Number, Span, to
from vitviz.choice import HEAD_CLASSES, Choice, ChoiceError
from vitviz.choices import OF_PAGES, SHARED, SWITCHES, choice_of
from vitviz.config import PRESETS, ViTConfig
from vitviz.pages import PAGES

DEMO = PRESETS["demo"]
WORD = Choice("of", {"heads": 1, "all layers": 2}, name="of", label="Mean of")
DRAW = Choice("draw", Number(to(4), of=lambda config: to(min(4, config.heads))), usual=2)
BUDGET = Choice("budget", Number(Span(0.5, 20.0), DECIMAL), usual=4.0, typed=True)
TURNED = Choice("turn", among=lambda asked, _: ["left"] if asked.get("of") == "heads" else ["up", "down"])


@pytest.mark.parametrize(
    ("choice", "asked", "found"),
    [
        (WORD, {}, 1),
        (WORD, {"of": ""}, 1),
        (WORD, {"of": "all layers"}, 2),
        (DRAW, {}, 2),
        (DRAW, {"draw": "4"}, 4),
        (BUDGET, {}, 4.0),
        (BUDGET, {"budget": "0.75"}, 0.75),
        (HEAD_CLASSES, {}, DEMO.classes),
        (HEAD_CLASSES, {"head_classes": "0"}, 0),
        (TURNED, {}, "up"),
        (TURNED, {"of": "heads"}, "left"),
    ],
)
def test_what_an_address_chooses(choice: Choice, asked: dict[str, str], found: object) -> None:
    assert choice.read(asked, DEMO) == found
    assert type(choice.read(asked, DEMO)) is type(found)


@pytest.mark.parametrize(
    ("choice", "text", "config", "says"),
    [
        (WORD, "tokens", DEMO, "there is no of “tokens”; there are heads, all layers"),
        (DRAW, "5", DEMO, "there is no draw “5”; there are 2, 1, 3, 4"),
        (DRAW, "3", DEMO.with_(heads=2), "there is no draw “3”; there are 2, 1"),
        (BUDGET, "30", DEMO, "there is no budget 30: they are 0.5 to 20"),
        (TURNED, "left", DEMO, "there is no turn “left”; there are up, down"),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is_the_usual_first(
    choice: Choice, text: str, config: ViTConfig, says: str
) -> None:
    with pytest.raises(ChoiceError, match="there is no") as raised:
        choice.read({choice.word: text}, config)
    assert str(raised.value) == says


def test_every_usual_value_is_one_that_there_is() -> None:
    for page in PAGES.values():
        for choice in page.choices:
            few, usual = choice.few({}, DEMO), str(choice.usual_of({}, DEMO))
            assert not few or usual in few, choice.word
            assert not isinstance(choice.values, Number) or not choice.values.refusal(choice.word, usual, DEMO)


def test_no_page_declares_a_word_that_another_reads_otherwise() -> None:
    for page in PAGES.values():
        for choice in page.choices:
            assert choice_of(page.stem, choice.word) is choice
            assert choice.word in SHARED or OF_PAGES[choice.word] is choice
            assert choice.scene <= page.on_board
            assert choice.scene == (choice.word in SWITCHES), "drawn by a scene, and no control"
