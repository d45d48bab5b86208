"""What is said of a ViT beside a CNN follows from the rounds, whichever way they come out."""

import pytest
from vitviz.pages.counting.speed.networks import caption, sized, weighed

from vitviz.laboratory.timed import Timed
from vitviz.shelf.rows import CNNSizes

ALONE = (1.0, 1.1, 0.9)


def rounds(*medians: float, held: int = 1) -> tuple[Timed, ...]:
    """Rounds in which both are slowed down alike, and the second network by a little more."""
    slower = (1.0, 1.5, 0.9), (1.0, 1.6, 0.95)
    return tuple(Timed(tuple(it * by for by in factors), held) for it, factors in zip(medians, slower, strict=True))


@pytest.mark.parametrize(
    ("batch", "ends"),
    [
        ((4.0, 8.0), "× 0.500 the time that it took, the CNN × 1.00: the ViT gains more from the batch."),
        ((8.0, 4.0), "× 1.00 the time that it took, the CNN × 0.500: the CNN gains more from the batch."),
        ((8.0, 8.5), ": the rounds overlap, and neither is ahead for sure."),
    ],
)
def test_who_gains_from_a_batch(batch: tuple[float, float], ends: str) -> None:
    words = caption("batch", (1, 8), [rounds(1.0, 1.0), rounds(*batch)])
    assert words.startswith("In a batch of 8 a picture takes the ViT × ")
    assert words.endswith(ends)


@pytest.mark.parametrize(
    ("large", "ends"),
    [
        ((90.0, 16.0), "the ViT × 90.0 the time that it took, the CNN × 16.0: the ViT is strained more."),
        ((16.0, 90.0), "the ViT × 16.0 the time that it took, the CNN × 90.0: the CNN is strained more."),
        ((16.0, 17.0), ": the rounds overlap, and neither is ahead for sure."),
    ],
)
def test_who_is_strained_by_a_large_picture(large: tuple[float, float], ends: str) -> None:
    words = caption("picture", (32, 128), [rounds(1.0, 1.0), rounds(*large)])
    assert words.startswith("With 16 times the pixels it takes the ViT ")
    assert words.endswith(ends)


@pytest.mark.parametrize(
    ("held", "ends"),
    [
        ((200, 100), "the ViT holds 200 B, the CNN 100 B: the ViT needs × 2.00."),
        ((100, 200), "the ViT holds 100 B, the CNN 200 B: the CNN needs × 2.00."),
        ((100, 100), "the ViT holds 100 B, the CNN 100 B: as much."),
    ],
)
def test_who_holds_more(held: tuple[int, int], ends: str) -> None:
    found = [rounds(1.0, 1.0), tuple(Timed(ALONE, it) for it in held)]
    assert weighed((1, 32), found) == f"At 32 {ends}"


def test_equal_size_is_said_in_numbers() -> None:
    assert "in parameters, to 0.4 %: the siblings' ViT has 407,536, its CNN 409,072" in sized()
    assert CNNSizes().parameters == 409_072
