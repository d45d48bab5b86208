"""Every page fills the form, and its value costs next to nothing to read."""

import subprocess
import sys

from vitviz.pages import PAGES, module_of

HEAVY = ("torch", "streamlit", "plotly")


def test_pages_on_the_board_are_those_with_a_scene() -> None:
    for page in PAGES.values():
        assert (page.folder / "scene.js").is_file() == page.on_board, page.stem
        assert page.on_board or (page.folder / "shown.py").is_file(), page.stem
        assert bool(page.label and page.colour) == page.on_board, page.stem
        assert page.on_board or not (page.switched or page.compares), page.stem
    with_numbers = [page for page in PAGES.values() if (page.folder / "scene.py").is_file()]
    assert all(page.on_board and callable(module_of(page, "scene").parcels) for page in with_numbers)


def test_one_page_leads_and_one_gathers() -> None:
    assert [page.leads for page in PAGES.values()].count(True) == 1
    assert [page.gathers for page in PAGES.values()].count(True) == 1


def test_what_pages_say_is_read_without_what_computes_or_draws_them() -> None:
    program = f"import sys, vitviz.pages; print(*sorted({{*sys.modules}} & {{*{HEAVY!r}}}))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.strip() == ""
