"""Wrong codes: a hall that mistypes and knocks is told at once, a program that goes through all of them is not."""

from itertools import product

from vitviz.lecture.rooms.limits import ADDRESSES, WRONG_AT_ONCE, WRONG_PER_SECOND
from vitviz.lecture.rooms.tries import Tries

ALL = ["".join(letters) for letters in product("BCDFGHJKLMNPQRSTVWXZ", repeat=4)]
LECTURE = 90 * 60  # seconds


def test_in_a_lecture_a_program_sees_less_than_two_in_a_hundred_codes() -> None:
    tries = Tries()
    codes = iter(ALL)
    code = next(codes)
    told = 0
    for tenth in range(10 * LECTURE):
        while tries.take("a stranger", code, tenth / 10):
            told += 1
            code = next(codes)
    assert LECTURE * WRONG_PER_SECOND < told <= LECTURE * WRONG_PER_SECOND + WRONG_AT_ONCE < 0.02 * len(ALL)
    assert tries.take("a hall", code, LECTURE), "nobody else is held up"


def test_the_same_code_again_is_free() -> None:
    tries = Tries()
    for code in ALL[:WRONG_AT_ONCE]:
        assert tries.take("a hall", code, 0.0)
    assert not tries.take("a hall", "ZZZZ", 0.0)
    assert all(tries.take("a hall", code, 0.0) for _ in range(100) for code in ALL[:WRONG_AT_ONCE])
    assert tries.has("a hall", ALL[0])
    assert not tries.has("a hall", "ZZZZ")


def test_who_has_tried_nothing_for_longest_is_forgotten() -> None:
    tries = Tries()
    for number in range(ADDRESSES + 5):
        tries.take(str(number), "BCDF", 0.0)
    assert len(tries._tried) == ADDRESSES
    assert not tries.has("4", "BCDF")
