"""The letters of a PNG: all that figures may say is drawn, and what no font has is said in another way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import ImageFont

import vitviz
from vitviz.figures.printed import letters
from vitviz.pages import FOLDER as PAGES

FOLDER = Path(vitviz.__file__).parent
NAMING = ("figures", "takeaway", "cards", "lecture", "numbers.py", "shelf")


def named() -> set[str]:
    """Every letter of the files that name axes, panels, classes and captions."""
    folders = [*(FOLDER / name for name in NAMING), PAGES]
    files = [file for folder in folders for file in [folder, *folder.rglob("*")] if file.suffix == ".py"]
    assert len(files) > 50
    return {letter for file in files for letter in file.read_text(encoding="utf-8")}


@pytest.fixture(params=["Streamlit's", "Pillow's"])
def whose(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    caches = letters.font, letters._has, letters.blank
    if request.param == "Streamlit's":
        pytest.importorskip("streamlit", reason="the library alone has Pillow's letters")
    else:
        monkeypatch.setattr(letters, "find_spec", lambda name: None)
    for each in caches:
        each.cache_clear()
    yield request.param
    for each in caches:
        each.cache_clear()


def boxes(text: str) -> list[str]:
    """The letters that the font draws as the empty box of what it lacks."""
    font = letters.font(40)

    def drawn(letter: str) -> tuple[tuple[int, int], bytes]:
        mask = font.getmask(letter)
        return mask.size, bytes(mask)

    return [letter for letter in text if drawn(letter) == drawn("\U0010ffff")]


def test_every_letter_that_figures_name_is_drawn(whose: str) -> None:
    said = named() | set("αβγδσφΣΦ⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂ₖₒᵀ√×·−≈≤≥→“”‘’–…°éñçøßŁż日本中한😀☃")
    for letter in sorted(said):
        assert boxes(letters.written(letter)) == [], letter
        assert letters.written(letter) or not letter.isprintable(), letter


def test_what_the_font_lacks_is_said_in_its_letters(whose: str) -> None:
    assert boxes("日") == ["日"]
    full = whose == "Streamlit's"
    assert letters.written("1.3·10⁻⁵ × √2 ≤ α") == ("1.3·10⁻⁵ × √2 ≤ α" if full else "1.3·10^-5 x sqrt 2 <= alpha")
    assert letters.written("Łódź xᵀ dₖ") == ("Łódź xᵀ dk" if full else "?odz x^T dk")
    assert letters.width_of("αα", 15) == pytest.approx(2 * letters.width_of("α", 15), abs=1)


@pytest.mark.parametrize("text", ["日本の猫.jpg", "قطة.png", "고양이", "बिल्ली", "cat 😀👍🏽.webp", "✈\ufe0f"])
def test_what_no_font_has_is_a_blank_that_is_explained(whose: str, text: str) -> None:
    shown = letters.written(text)
    blank = "□" if whose == "Streamlit's" else "?"
    assert boxes(shown) == []
    assert blank in shown
    said = letters.lacking(["Picture", text])
    first = next(letter for letter in text if blank in letters.written(letter))
    assert said.startswith(f"{blank} stands for U+{ord(first):04X}")
    assert said.endswith("letters that a PNG's font lacks, and the SVG has.")
    assert boxes(said) == []
    assert letters.lacking(["Red ball left of blue ball, α ≤ 1.3·10⁻⁵"]) == ""


def test_a_long_name_says_how_many_letters_are_not_named() -> None:
    assert "U+4E03 and 16 more: letters" in letters.lacking(["".join(map(chr, range(0x4E00, 0x4E14)))])


def test_it_is_the_font_of_the_app(whose: str) -> None:
    font = letters.font(30)
    assert isinstance(font, ImageFont.FreeTypeFont)
    assert font.getname()[0] == ("SourceSans3VF" if whose == "Streamlit's" else "Aileron")
