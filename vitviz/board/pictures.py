"""Pictures on their way to the board."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitviz import results
from vitviz.demo.samples import second_sample
from vitviz.samples import samples
from vitviz.selection import Selection

ALIGNED = "column"  # the sample with balls in one column, and in no other relation


def png(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`h w c` as the bytes of a PNG file."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return np.frombuffer(buffer.getvalue(), np.uint8)


def seen(selection: Selection) -> NDArray[np.uint8]:
    """What the model sees, as a PNG file."""
    return np.frombuffer(results.crop_file(selection), np.uint8)


def knows_scenes(selection: Selection) -> bool:
    """Whether the classes are those of the scenes that a demo model is trained on."""
    from vitviz.demo.scenes import CLASSES

    return tuple(results.labels(selection)) == CLASSES


def aligned_balls(selection: Selection) -> int:
    """Where the sample with balls in one column stands among the samples, from 1; 0 where it is shown already, or where
    the model knows no balls."""
    there = selection.picture.id == ALIGNED or not knows_scenes(selection)
    return 0 if there else 1 + list(samples()).index(ALIGNED)


def of_aligned_balls(selection: Selection) -> list[tuple[str, float]]:
    """What the model says of that sample and how surely: as it is, with positions off and with positions shuffled; none
    where `aligned_balls` has none."""
    from vitviz.measures import positions
    from vitviz.measures.classes import answer

    if not aligned_balls(selection):
        return []
    balls = Selection(selection.model, samples()[ALIGNED])
    answers = (
        results.measure(balls, answer, balls.config.depth).probabilities,
        results.measure(balls, positions.probabilities_without_positions),
        results.measure(balls, positions.probabilities_with_shuffled_positions),
    )
    names = results.labels(balls)
    return [(names[int(it.argmax())], float(it.max())) for it in answers]


def second_run(selection: Selection) -> Selection:
    """The same model on the second picture: the one that the address names, or the usual sample."""
    return Selection(selection.model, selection.donor or samples()[second_sample(selection.picture.id)])
