"""Broken files by the hundred, made as `make fuzz` makes its hundred thousand; and fuzz finds what it looks for."""

import os
import signal
import time
import warnings
from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image

from benchmarks.fuzz import frame
from benchmarks.fuzz.frame import Outcome, judge, outcomes, summary
from benchmarks.fuzz.pictures import PICTURES, broken
from tests.cases import each
from tests.image_files import noise, seeds
from vitviz.images import ImageError, open_image

SEED = 1


def test_every_broken_file_gives_a_picture_or_a_sentence() -> None:
    found = list(outcomes(PICTURES, SEED, range(600)))
    assert [outcome.number for outcome in found] == list(range(600))
    assert [outcome for outcome in found if outcome.wrong] == []
    pictures = sum(outcome.what == "picture" for outcome in found)
    assert 100 < pictures < 400
    assert len({outcome.what for outcome in found}) > 8
    assert "gone wrong: 0" in summary(PICTURES, found, SEED)


@each(seeds())
def test_what_is_broken_was_a_picture(name: str) -> None:
    assert open_image(seeds()[name]).mode == "RGB"


def test_a_seed_and_a_number_name_a_file() -> None:
    assert broken(SEED, 5) == broken(SEED, 5)
    assert len({broken(seed, number)[1] for seed in (1, 2) for number in range(50)}) > 90
    assert {broken(SEED, number)[0] for number in range(1000)} == set(seeds())


def raises(data: bytes) -> Image.Image:
    raise KeyError(data)


def mumbles(data: bytes) -> Image.Image:
    raise ImageError("broken data stream")


def runs_out_of_memory(data: bytes) -> Image.Image:
    raise ImageError("There is not enough memory for this picture now; upload a smaller copy.")


def warns(data: bytes) -> Image.Image:
    warnings.warn("corrupt", stacklevel=2)
    raise ImageError("The file is empty; choose another.")


def is_grey(data: bytes) -> Image.Image:
    return noise().convert("L")


def is_large(data: bytes) -> Image.Image:
    return noise(2049, 1025)


def tells_who_took_it(data: bytes) -> Image.Image:
    image = noise()
    image.info = {"notes": (), "transparent": False, "exif": b"me"}
    return image


@pytest.mark.parametrize(
    ("opener", "wrong"),
    [
        (raises, "KeyError"),
        (mumbles, "no sentence for people"),
        (runs_out_of_memory, "not enough memory"),
        (warns, "warns: corrupt"),
        (is_grey, "in L"),
        (is_large, r"(2049, 1025)"),
        (tells_who_took_it, "metadata is left"),
    ],
)
def test_what_goes_wrong_is_seen(opener: Callable[[bytes], Image.Image], wrong: str) -> None:
    assert wrong in judge(replace(PICTURES, opened=opener), SEED, 0).wrong


def dies_now_and_then(data: bytes) -> Image.Image:
    if data == broken(SEED, 2)[1]:
        os.kill(os.getpid(), signal.SIGSEGV)
    return open_image(data)


def sleeps(data: bytes) -> Image.Image:
    time.sleep(60)
    return noise()


def takes_memory(data: bytes) -> Image.Image:
    Image.new("L", (25_000, 20_000), 1)
    return open_image(seeds()["BMP"])


def test_a_file_that_kills_its_process_is_named_and_the_next_are_opened() -> None:
    found = list(outcomes(replace(PICTURES, opened=dies_now_and_then), SEED, range(5)))
    assert [outcome.number for outcome in found] == [0, 1, 2, 3, 4]
    assert [outcome.wrong for outcome in found] == ["", "", "ends its process, exit status -11", "", ""]
    assert "python -m benchmarks.fuzz 1 --only pictures --seed 1 --first 2" in summary(PICTURES, found, SEED)


def test_a_file_that_hangs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "SILENT_S", 3)
    assert [outcome.wrong for outcome in outcomes(replace(PICTURES, opened=sleeps), SEED, range(1))] == ["hangs"]


def test_a_file_that_takes_too_much_memory_is_named() -> None:
    (outcome,) = outcomes(replace(PICTURES, opened=takes_memory), SEED, range(1))
    assert 450_000_000 < outcome.held < 550_000_000
    assert outcome.wrong.startswith("holds ")


def test_the_slowest_and_the_largest_are_named() -> None:
    found = [
        Outcome(7, "GIF", "picture", 1.25, 5_000_000),
        Outcome(8, "BMP 1 bit", "The BMP file is damaged", 0.5, 250_000_000),
    ]
    lines = summary(PICTURES, found, 3)
    assert "slowest: 1.25 s of CPU time, file 7 (GIF: picture)" in lines
    assert "largest: 250 MB, file 8 (BMP 1 bit: The BMP file is damaged)" in lines
    assert "pictures: 1 of 2" in lines
