"""Colours mean one thing: no two of them look alike, and none looks like what is chosen."""

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

from vitviz import palette

THEMES = {"light": "#ffffff", "dark": "#0e1117"}  # backgrounds of Streamlit's themes
COLOURS = sorted(
    {
        *palette.ROLES.values(),
        *palette.STAGES.values(),
        *palette.MEMORY.values(),
        *palette.LAYERS.values(),
        palette.NORM,
        palette.OUTPUT,
    }
)


def linear(colour: str) -> list[float]:
    """Red, green, blue of "#rrggbb" as light, from 0 to 1."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in shares]


def lab(colour: str) -> tuple[float, float, float]:
    """CIELAB of a colour under D65."""

    def root(t: float) -> float:
        return float(t ** (1 / 3)) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29

    r, g, b = linear(colour)
    x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    y = root(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    z = root((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """CIEDE2000 of two colours in CIELAB (Sharma, Wu & Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    grey = 1.5 - sqrt(chroma**7 / (chroma**7 + 25**7)) / 2
    c1, c2 = hypot(grey * a1, b1), hypot(grey * a2, b2)
    h1, h2 = degrees(atan2(b1, grey * a1)) % 360, degrees(atan2(b2, grey * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    light, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360
    t = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    t += 0.32 * cos(radians(3 * hue + 6)) - 0.2 * cos(radians(4 * hue - 63))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    turned = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""
    weights = (0.2126, 0.7152, 0.0722)
    dark, light = sorted(sum(w * c for w, c in zip(weights, linear(it), strict=True)) for it in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_is_that_of_the_paper(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


def test_no_two_roles_look_alike() -> None:
    near = {(a, b): difference(lab(a), lab(b)) for a, b in combinations(COLOURS, 2)}
    assert {pair: it for pair, it in near.items() if it < palette.APART} == {}


def test_nothing_looks_like_what_is_chosen() -> None:
    chosen = lab(palette.FRAME)
    assert {it: difference(lab(it), chosen) for it in COLOURS if difference(lab(it), chosen) < palette.FAR} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_is_seen_on_both_themes(theme: str) -> None:
    assert {it: contrast(it, THEMES[theme]) for it in COLOURS if contrast(it, THEMES[theme]) < 3} == {}


def test_what_stands_in_one_picture_has_colours_of_its_own() -> None:
    products = ["q k v projections", "QKᵀ", "AV", "output projection", "MLP", "patch embedding", "head"]
    assert len({palette.STAGES[it] for it in products}) == len(products)
    assert not {palette.STAGES[it] for it in products[:5]} & {palette.QUERY, palette.KEY, palette.VALUE}
    assert palette.STAGES["class token"] != palette.STAGES["head"]
    assert len(set(palette.MEMORY.values())) == len(palette.MEMORY)
    assert not set(palette.MEMORY.values()) & (set(palette.ROLES.values()) - {palette.RESIDUAL})
    assert len(set(palette.LAYERS.values())) == len(palette.LAYERS)
