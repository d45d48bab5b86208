"""Numbers in addresses: what passes is finite, in range, and what the controls of the app take."""

import random
from math import isfinite

from benchmarks.links import STRANGE
from tests.cases import each
from vitviz.addresses.ranges import AUTO, SIDED
from vitviz.choices import NUMBERS, WORDS, refusal
from vitviz.config import PRESETS
from vitviz.config.sides import read, sides_of
from vitviz.ui.sidebar.own_model import FIELDS

LETTERS = "0123456789" * 3 + "+-.,_exXinfatyNA ٣१½²\u202e\0"


def test_ranges_are_those_of_the_controls() -> None:
    whole = {name: field.values for name, field in FIELDS.items() if field.whole}
    assert {name: (values[0], values[-1]) for name, values in whole.items()} == {
        name: NUMBERS[name].ends() for name in whole
    }


def test_of_ten_thousand_strange_words_only_finite_numbers_in_range_pass() -> None:
    chance = random.Random(25)
    passed = 0
    for _ in range(10_000):
        name = chance.choice(list(NUMBERS))
        text = "".join(chance.choices(LETTERS, k=chance.choice((1, 2, 3, 5, 12, 13, 400))))
        text = chance.choice((text, chance.choice(STRANGE), str(int(10 ** chance.uniform(0, 15)))))
        if refusal(name, text) or text == AUTO:
            continue
        passed += 1
        numbers = sides_of(read(text) or 0) if name in SIDED else (float(text),)
        few = () if NUMBERS[name].ends() else NUMBERS[name].there
        least, most = NUMBERS[name].ends() or (min(few), max(few))
        assert all(isfinite(it) and least <= it <= most for it in numbers), (name, text)
        assert not few or numbers[0] in few
    assert passed > 1_000


@each(
    [
        ("depth", "12", ""),
        ("depth", "0", "there is only depth 1 to 1,024"),
        ("depth", "-3", "there is only depth 1 to 1,024"),
        ("depth", "2.5", "that is no whole number; there is only depth 1 to 1,024"),
        ("depth", "deep", "that is no whole number; there is only depth 1 to 1,024"),
        ("epsilon", "1e-6", ""),
        ("epsilon", "3e-7", ""),
        ("epsilon", "0.0", "there is only epsilon 1e-300 to 0.99"),
        ("dropout", "0.0", ""),
        ("dropout", "0.10", "there is only dropout 0.0 to 0.99"),
        ("head_dim", "auto", ""),
        ("head_dim", "513", "there is only head dim auto, 1 to 512"),
        ("batch_size", "3", "there is only batch size 2, 4, 8, 16"),
        ("image_size", "96x128", ""),
        ("image_size", "96x9999", "there is only image size 1 to 4,096, for rows and columns apart as in 96x128"),
        ("classes", "0", ""),
        ("seed", "2147483648", "there is only seed 0 to 2,147,483,647"),
        ("budget", "86.6", ""),
        ("budget", "0.05", "there is only budget 0.1 to 10,000.0"),
        ("kernel", "16", "there is only kernel 1 to 15"),
        ("sample", "1e999", ""),  # no number
    ]
)
def test_what_is_refused_is_said_with_the_range(name: str, text: str, why: str) -> None:
    assert refusal(name, text) == why


def test_of_a_model_that_is_known_only_what_it_has_is_taken() -> None:
    demo = PRESETS["demo"]
    assert refusal("head", "5") == ""
    assert refusal("head", "5", demo) == "there is only head 1 to 4"
    assert refusal("sequence", "145", demo) == ""
    assert refusal("sequence", "144", demo).startswith("there is only sequence 1, 2, 4")
    assert refusal("dropout_rate", "0.07", demo.with_(dropout=0.07)) == ""
    assert refusal("dropout_rate", "0.07", demo).startswith("there is only dropout rate 0.0, 0.05")
    assert list(NUMBERS["norm_layer"].stops(demo)) == [1, 2, 3, 4, 5, 6]


def test_every_number_has_stops_of_its_own() -> None:
    words = {name for name in WORDS if (text := refusal(name, "no such")) and "there is only" in text}
    assert words == set(NUMBERS)
