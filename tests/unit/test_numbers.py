"""Numbers as text: the three forms, and the edges where rounding changes the unit."""

import random
from decimal import ROUND_HALF_UP, Decimal

import pytest

from vitviz.numbers import bytes_, exact, power, short, small


@pytest.mark.parametrize(
    ("number", "text"), [(86_567_656, "86,567,656"), (0, "0"), (768, "768"), (-152_064, "−152,064")]
)
def test_exact_shows_every_digit(number: int, text: str) -> None:
    assert exact(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (17.56e9, "17.6 G"),
        (1_253_683_200, "1.25 G"),
        (167.3e9, "167 G"),
        (86_567_656, "86.6 M"),
        (10**12, "1.00 T"),
        (768, "768"),
        (12.0, "12"),
        (0.5, "0.500"),
        (999, "999"),
        (1000, "1.00 k"),
        (999_499, "999 k"),
        (999_500, "1.00 M"),
        (-1_500, "−1.50 k"),
    ],
)
def test_short_keeps_three_figures(number: float, text: str) -> None:
    assert short(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.01312, "0.013"),
        (0.1312, "0.131"),
        (0.001312, "0.0013"),
        (0.0001312, "0.00013"),
        (0.00001312, "1.3·10⁻⁵"),
        (1.0, "1.00"),
        (0.9996, "1.00"),
        (12.345, "12.3"),
        (1234.5, "1,234"),
        (0, "0"),
        (-0.25, "−0.250"),
        (-3.2e-7, "−3.2·10⁻⁷"),
        (float("-inf"), "−∞"),
        (float("nan"), "nan"),
    ],
)
def test_small_never_hides_a_number(number: float, text: str) -> None:
    assert small(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(1e-6, "10⁻⁶"), (1e-12, "10⁻¹²"), (2e-5, "2·10⁻⁵"), (0.00125, "1.25·10⁻³"), (1, "10⁰")]
)
def test_power_has_no_digit_more_than_the_number(number: float, text: str) -> None:
    assert power(number) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (7_300_000, "7.3 MB"),
        (346_270_624, "346 MB"),
        (99_960_000, "100 MB"),
        (10**9, "1.0 GB"),
        (1_045_670, "1.0 MB"),
        (1_050_000, "1.1 MB"),
        (99_949_999, "99.9 MB"),
        (99_950_000, "100 MB"),
        (999_499_999, "999 MB"),
        (999_500_000, "1.0 GB"),
    ],
)
def test_bytes_in_decimal_units(count: int, text: str) -> None:
    assert bytes_(count) == text


def test_bytes_are_rounded_once() -> None:
    draw = random.Random(5)
    for _ in range(20_000):
        count = draw.randrange(1000, 10 ** draw.randint(4, 15))
        text, unit = bytes_(count).split()
        exactly = Decimal(count) / 1000 ** " kMGTP".index(unit[0])
        decimals = Decimal("0.1") if "." in text else Decimal(1)
        assert Decimal(text) == exactly.quantize(decimals, ROUND_HALF_UP), count
        assert ("." in text) == (Decimal(text) < 100)
        assert 1 <= Decimal(text) < 1000
