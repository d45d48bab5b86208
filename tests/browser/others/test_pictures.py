"""A picture file is opened as in Python in these browsers, too."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.others.tab import Tab
from tests.browser.picture.serving import served
from tests.browser.picture.test_decoding import OPEN, START, cut_off, pixels_of, put_scripts, text
from tests.image_files import encoded, exif, seeds
from vitviz.images import PHOTOS, open_image
from vitviz.images.photos import parts

RUNS = "BMP 4-bit runs"  # what its runs leap over is transparent here, and black in Python


@pytest.fixture
def opened(tab: Tab, tmp_path: Path) -> Iterator[Callable[[bytes], dict[str, Any]]]:
    """A function that opens a file in the browser."""
    put_scripts(tmp_path)
    with served(tmp_path) as url:
        tab.driver.get(url)
        tab.look(f"return ({START})()")
        yield lambda data: tab.look(f"return ({OPEN})(arguments[0])", text(data))


def test_photographs_of_all_turns_are_decoded_as_in_python(opened: Callable[[bytes], dict[str, Any]]) -> None:
    for turn in range(1, 9):
        picture = next(parts(PHOTOS[turn % len(PHOTOS)].title.lower(), turn, turn + 1))
        data = encoded(picture, "JPEG", exif=exif(turn), subsampling=turn % 3, icc_profile=b"p" * 99)
        assert np.array_equal(pixels_of(opened(data)), np.asarray(open_image(data)))


def test_files_of_every_kind_are_nearly_those_of_python(opened: Callable[[bytes], dict[str, Any]]) -> None:
    for name, data in seeds().items():
        if name != RUNS:
            most = 8 if "16" in name else 1 if any(it in name for it in ("alpha", "RGBA", "palette", "large")) else 0
            assert np.abs(pixels_of(opened(data)) - np.asarray(open_image(data)).astype(int)).max() <= most, name


def test_what_has_no_end_is_refused(opened: Callable[[bytes], dict[str, Any]]) -> None:
    for name, data in cut_off().items():
        assert "damaged or incomplete" in opened(data).get("says", ""), name
