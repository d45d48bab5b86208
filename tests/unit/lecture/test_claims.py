"""What the lessons say of the pictures beside them: each claim stands in a lesson, word for word, and is computed."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.lecture.test_lessons import trace
from vitviz.demo.dataset import GRID, PATCH
from vitviz.demo.samples import BY_ID
from vitviz.demo.scenes import BLUE, CLASSES, RED, THINGS, paint
from vitviz.lecture import lesson
from vitviz.measures.attention import attention_row, attention_weights, rollout, score_row
from vitviz.measures.classes import answer, result
from vitviz.measures.interventions import heads_off, occluded
from vitviz.measures.positions import probabilities_without_positions
from vitviz.measures.tokens import embedded
from vitviz.shelf.measured import all_of

LONG, HEAD = "vit_in_45_minutes", "what_a_head_looks_at"
NEARLY = 0.9  # of a weight of 1: nearly everything
CLASS, CORNER, LAST = 0, 1, GRID**2  # tokens


def patch(number: int) -> int:
    """A patch as screens and lessons count, as an index."""
    return number - 1


def per_patch(pixels: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of the pixels `y x` each patch holds."""
    return pixels.reshape(GRID, PATCH, GRID, PATCH).sum(axis=(1, 3)).ravel()


@cache
def shows(sample: str) -> NDArray[np.uint8]:
    """Which object each pixel shows."""
    return paint(BY_ID[sample].seed)[1]


def covers(sample: str, thing: int | None = None) -> NDArray[np.int64]:
    """How many pixels of each patch show a ball, or whatever the picture is of."""
    return per_patch(shows(sample) > 0 if thing is None else shows(sample) == thing)


def says(sample: str, after: int = 6, edits: str = "") -> tuple[str, float]:
    """The answer and its probability after a layer."""
    probabilities = answer(trace(sample, edits), after).probabilities
    return CLASSES[int(probabilities.argmax())], float(probabilities.max())


def looked_at(sample: str, layer: int, head: int, query: int = CLASS) -> tuple[int, float]:
    """The patch that a head looks at most, and its weight; layers and heads count from 1."""
    row = attention_row(trace(sample), layer - 1, query)[head - 1, 1:]
    return int(row.argmax()), float(row.max())


def ball_of(head: int) -> int:
    """At which ball a head of the last layer looks: nearly all of what the class token gets there is of one."""
    row = attention_row(trace("above"), 5, CLASS)[head - 1, 1:]
    shares = {ball: float(row[covers("above", ball) > 0].sum()) for ball in (RED, BLUE)}
    ball, share = max(shares.items(), key=lambda it: it[1])
    assert share > NEARLY
    return ball


def green() -> NDArray[np.int64]:
    """Pixels of the cat's eyes in each patch."""
    r, g, b = np.moveaxis(np.asarray(BY_ID["cat"].scene.image).astype(int), -1, 0)
    return per_patch((g > r + 40) & (g > b + 40) & (shows("cat") > 0))


def the_left_eye() -> bool:
    """Of the patches of the left half with a piece of an eye in them, patch 53 holds the most of its pupil."""
    dark = per_patch((np.asarray(BY_ID["cat"].scene.image).max(axis=-1) < 90) & (shows("cat") > 0))
    left = np.where((np.arange(GRID**2) % GRID < 5) & (green() > 0), dark, 0)
    return int(left.argmax()) == patch(53)


def wall_is_like_wall() -> bool:
    tokens = embedded(trace("cat"), "patch_tokens")
    tokens = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    alike, wall, face = tokens @ tokens.T, covers("cat") == 0, covers("cat") == PATCH**2
    return bool(alike[np.ix_(wall, wall)].mean() > 1.5 * alike[np.ix_(wall, face)].mean())


def one_right_above_the_other_and_it_says_left() -> bool:
    (down, across), (below, there) = (np.argwhere(shows("column") == ball).mean(axis=0) for ball in (RED, BLUE))
    without = probabilities_without_positions(trace("column"))
    return bool(abs(across - there) < 2 < below - down and CLASSES[without.argmax()] == "red ball left of blue ball")


def it_still_sees_two_balls() -> bool:
    return float(probabilities_without_positions(trace("column"))[len(THINGS) :].sum()) > NEARLY


FINS = patch(101), patch(105)  # their tips


def fins(divided: bool = True) -> list[float]:
    """What softmax gives the tips of the rocket's two fins, with the division of scores or without."""
    scores = score_row(trace("rocket"), 2, CLASS)[1].astype(float)
    raised = np.exp((scores - scores.max()) * (1 if divided else np.sqrt(trace("rocket").config.head_dim)))
    return [float(raised[1 + at] / raised.sum()) for at in FINS]


def the_tips_of_two_fins() -> bool:
    """They are the outermost patches of the rocket, left and right, and on one height."""
    rows, columns = np.divmod(np.flatnonzero(covers("rocket")), GRID)
    (row, left), (same, right) = (divmod(it, GRID) for it in FINS)
    return bool(
        row == same and abs(left - columns.min()) <= 1 and abs(right - columns.max()) <= 1 and row > rows.mean()
    )


def products_of_the_fins() -> bool:
    """Before the division, as the step shows them."""
    scores = score_row(trace("rocket"), 2, CLASS)[1] * np.sqrt(trace("rocket").config.head_dim)
    tips = [round(float(scores[1 + at]), 1) for at in FINS]
    return tips == [53.8, 55.0] and float(np.sort(scores)[-3]) < 30 and int((scores < 0).sum()) == 132


def the_corner_asks_and_the_other_eye_is_looked_at() -> bool:
    """Green and dark as the left one, right of it on one height, far from the corner; and the left eye comes second."""
    row = attention_row(trace("cat"), 1, LAST)[0, 1:]
    second, first = (int(it) for it in row.argsort()[-2:])
    apart = np.hypot(*(np.array(divmod(LAST - 1, GRID)) - divmod(first, GRID))) / np.hypot(GRID - 1, GRID - 1)
    eyes = (first, second) == (patch(55), patch(53)) and bool(green()[first]) and first // GRID == second // GRID
    return bool(eyes and apart > 0.5 and round(float(row[second]), 2) == 0.24 and not covers("cat")[LAST - 1])


def two_lines() -> dict[int, int]:
    """How many tokens look most at which patch."""
    found = attention_weights(trace("cat"), 1)[0][:, 1:].argmax(axis=1)
    return {int(at): int((found == at).sum()) for at in np.unique(found)}


def the_brightest_lines_are_the_eyes() -> bool:
    """Four columns of the matrix hold nearly all of it, those of the eyes four fifths, and all four show the cat."""
    columns = attention_weights(trace("cat"), 1)[0].mean(axis=0)[1:]
    bright = columns.argsort()[::-1][:4]
    few = columns[bright].sum() > 0.95 and bool(covers("cat")[bright].all())
    return few and {*map(int, bright[:2])} == {*two_lines()} and float(columns[bright[:2]].sum()) > 0.8


def even_without_it_a_cat() -> bool:
    """Painting the most needed patch grey takes less than a twentieth from the probability of the cat."""
    logits = result(trace("cat"))
    cat = int(logits.argmax())
    changes = occluded(trace("cat"), "grey", 0, GRID**2)
    after = logits + changes[changes[:, cat].argmin()]
    sure, left = (1 / float(np.exp(it - it[cat]).sum()) for it in (logits, after))
    return int(after.argmax()) == cat and 0 < sure - left < 0.05


def no_single_head_is_enough() -> bool:
    logits = result(trace("cat"))
    off = np.concatenate([logits + heads_off(trace("cat"), layer, 0, 4) for layer in range(6)])
    return len(off) == 24 and bool((off.argmax(axis=1) == logits.argmax()).all())


def right_across_at_a_ball() -> bool:
    (found, weight), (same, _) = looked_at("above", 6, 4, CORNER), looked_at("above", 6, 4)
    apart = np.hypot(*divmod(found, GRID)) / np.hypot(GRID - 1, GRID - 1)
    return bool(weight > NEARLY and found == same and covers("above")[found] and apart > 0.5)


def one_line(head: int, ball: int) -> bool:
    """Whether all tokens look at one patch, and it shows that ball."""
    found = set(attention_weights(trace("above"), 5)[head - 1][:, 1:].argmax(axis=1))
    return len(found) == 1 and bool(covers("above", ball)[found.pop()])


def rollout_spreads() -> bool:
    rows = rollout(trace("above"))[:, CLASS]
    entropy = -(rows * np.log(np.maximum(rows, 1e-30))).sum(axis=1)
    return bool((np.diff(entropy) > 0).all())


def two_balls_then_a_rocket_then_a_fish() -> bool:
    found = [says("fish", after) for after in range(7)]
    early = all(sure < 0.5 for _, sure in found[:4])
    said = [name for name, _ in found]
    return (
        early and "ball" in said[1] and said[2:4] == ["rocket"] * 2 and said[4:] == ["fish"] * 3 and said[0] != "fish"
    )


def a_piece_of_an_eye_below_the_chin() -> bool:
    chin = int(np.flatnonzero(covers("cat")).max()) // GRID
    return bool(green()[patch(43)] and patch(101) // GRID > chin and says("cat", edits="i43=101")[0] == "cat")


def a_dark_spot_on_the_wall() -> bool:
    found, weight = looked_at("cat", 5, 1)
    light = np.asarray(BY_ID["cat"].scene.image.convert("L")).astype(float)
    dark = per_patch(light < 100)
    return bool(weight > NEARLY and not covers("cat")[found] and dark[found] == dark[covers("cat") == 0].max() > 0)


def the_cat_again() -> bool:
    row = rollout(trace("cat"))[5, CLASS, 1:]
    cover = covers("cat") / PATCH**2
    return bool((row * cover).sum() / row.sum() > 3 * cover.mean())


CLAIMS: list[tuple[str, str, Callable[[], bool]]] = [
    (LONG, "the left eye", the_left_eye),
    (LONG, "Wall is like wall before any layer has run", wall_is_like_wall),
    (
        LONG,
        "The red ball is above the blue one, and the model knows",
        lambda: says("column")[0].endswith("above blue ball"),
    ),
    (LONG, "One stands right above the other, and it says left", one_right_above_the_other_and_it_says_left),
    (LONG, "It still sees a red ball and a blue one", it_still_sees_two_balls),
    (LONG, "the tips of the two fins, patches 101 and 105", the_tips_of_two_fins),
    (
        LONG,
        "The fins have 53.8 and 55.0, no other token has even 30, and 132 of 145 sums are below zero",
        products_of_the_fins,
    ),
    (
        LONG,
        "they share it all, 55 to 44 percent",
        lambda: [round(it, 2) for it in fins()] == [0.44, 0.55] and sum(fins()) > 0.99,
    ),
    (LONG, "78 to 22 percent", lambda: [round(it, 2) for it in fins(divided=False)] == [0.22, 0.78]),
    (LONG, "a good half of one fin, a little less of the other", lambda: 0.4 < fins()[0] < 0.5 < fins()[1] < 0.6),
    (
        LONG,
        "The left eye, and nearly nothing else",
        lambda: looked_at("cat", 2, 1) > (patch(53), NEARLY) and bool(green()[looked_at("cat", 2, 1)[0]]),
    ),
    (LONG, "where there is nothing", lambda: not covers("cat")[LAST - 1]),
    (LONG, "At the other eye", the_corner_asks_and_the_other_eye_is_looked_at),
    (LONG, "it comes second, with 24 percent", the_corner_asks_and_the_other_eye_is_looked_at),
    (LONG, "A few upright lines, and the two brightest are the eyes", the_brightest_lines_are_the_eyes),
    (LONG, "every row looks most at one of them", lambda: {*two_lines()} == {patch(53), patch(55)}),
    (
        LONG,
        "56 rows look most at the left eye, 89 at the right one",
        lambda: two_lines() == {patch(53): 56, patch(55): 89},
    ),
    (LONG, "It spreads", rollout_spreads),
    (
        LONG,
        "only a few of them speak up",
        lambda: float((trace("above").inside(2)["mlp.hidden"].tensor[0, CLASS] > 0).float().mean()) < 0.2,
    ),
    (
        LONG,
        "After one layer it would say two balls, after two or three a rocket, without much conviction",
        two_balls_then_a_rocket_then_a_fish,
    ),
    (LONG, "A piece of an eye below the chin is not enough", a_piece_of_an_eye_below_the_chin),
    (LONG, "No single head is enough", no_single_head_is_enough),
    (LONG, "Not the eye that the head looked at, and even without it a cat", even_without_it_a_cat),
    (LONG, "for this answer the pieces are enough", lambda: says("cat", edits="i=shuffled") > ("cat", NEARLY)),
    (LONG, "For the balls it needed the places", lambda: says("column", edits="i=shuffled")[0] != says("column")[0]),
    (
        LONG,
        "Each of the two was trained once, from one seed",
        lambda: all(len(it.seeds) == 1 for it in all_of(["vit_of_500", "cnn_of_500"])),
    ),
    (HEAD, "One ball gets nearly all of it", lambda: ball_of(4) == BLUE),
    (HEAD, "Three heads of this layer bring the blue one", lambda: [ball_of(head) for head in (1, 3, 4)] == [BLUE] * 3),
    (HEAD, "this one alone brings the red one", lambda: ball_of(2) == RED),
    (HEAD, "At the same ball", right_across_at_a_ball),
    (HEAD, "Everybody looks at the same place", lambda: one_line(4, BLUE)),
    (HEAD, "It looks at a spot on the wall", a_dark_spot_on_the_wall),
    (HEAD, "It still says the same", lambda: says("cat", edits="h5.1*0")[0] == says("cat")[0]),
    (HEAD, "Multiply the attention of all six, and you see the cat again", the_cat_again),
]


@pytest.mark.parametrize(("name", "claim", "is_so"), CLAIMS, ids=[claim for _, claim, _ in CLAIMS])
def test_what_a_lesson_says_of_the_picture_beside_it_is_so(name: str, claim: str, is_so: Callable[[], bool]) -> None:
    said = " ".join(text for step in lesson(name).steps for text in (step.says, step.notes, step.explains) if text)
    assert claim in said
    assert is_so()
