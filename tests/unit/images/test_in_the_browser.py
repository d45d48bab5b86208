"""The browser resizes and crops as Pillow does: one file holds both, with tests/frontend/picture."""

from importlib.metadata import version

import pytest

from tests.references.write_pictures import FILE, written


@pytest.mark.skipif(int(version("pillow").split(".")[0]) < 13, reason="Pillow took rows first, always, until 13.0")
def test_the_file_holds_what_pillow_makes() -> None:
    assert written() == FILE.read_text(encoding="utf-8")
