"""Whose guesses count when somebody makes browsers up: all of those who are there, and no more than were."""

from vitviz.lecture.rooms.ballot import Ballot, Hall
from vitviz.lecture.rooms.limits import FOLLOWERS, VOTES


def come_and_guess(hall: Hall, ballot: Ballot, browser: str, address: str, guess: int = 0) -> None:
    hall.come(browser, address)
    ballot.cast(browser, guess)


def test_two_thousand_guesses_over_one_line_are_one() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(15):
        come_and_guess(hall, ballot, f"real {number}", f"192.0.2.{number}", 1)
    for number in range(2_000):
        come_and_guess(hall, ballot, f"made up {number}", "198.51.100.1")
        hall.go(f"made up {number}")
    assert sorted(ballot.guesses()) == [0, *[1] * 15]
    assert all(f"real {number}" in ballot for number in range(15))


def test_a_class_whose_phones_fall_asleep_counts_whole() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(200):
        hall.come(str(number), "a hall")
    for number in range(200):
        ballot.cast(str(number), 1)
        hall.go(str(number))
    assert list(ballot.guesses()) == [1] * 200


def test_those_who_are_there_count_before_those_who_have_gone() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(30):
        come_and_guess(hall, ballot, f"early {number}", "a hall")
    for number in range(10):
        hall.go(f"early {number}")
    for number in range(20):
        come_and_guess(hall, ballot, f"late {number}", "a hall", 1)
    assert sorted(ballot.guesses()) == [0] * 20 + [1] * 20, "thirty and ten more were there at once"
    assert [number for number in range(30) if f"early {number}" not in ballot] == list(range(10))
    hall.come("early 3", "a hall")
    ballot.cast("early 3", 2)
    assert list(ballot.guesses())[-1] == 2, "who comes back guesses again"


def test_the_last_guess_of_a_browser_counts_also_of_two_windows() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    come_and_guess(hall, ballot, "one", "a hall", 0)
    come_and_guess(hall, ballot, "one", "a hall", 1)
    assert list(ballot.guesses()) == [1]
    hall.go("one")
    assert "one" in hall
    hall.go("one")
    assert "one" not in hall


def test_no_more_guesses_are_kept_than_agreed_and_none_of_somebody_who_is_there_goes() -> None:
    hall = Hall()
    ballot = Ballot(hall)
    for number in range(100):
        come_and_guess(hall, ballot, f"real {number}", f"192.0.2.{number}", 1)
    for wave in range(8):
        for number in range(FOLLOWERS - 100):
            come_and_guess(hall, ballot, f"{wave} {number}", f"2001:db8:{wave}:{number}::/64")
        for number in range(FOLLOWERS - 100):
            hall.go(f"{wave} {number}")
    assert len(ballot.guesses()) == VOTES
    assert sum(ballot.guesses()) == 100


def test_a_new_step_forgets_how_many_were_there() -> None:
    hall = Hall()
    for number in range(500):
        hall.come(str(number), "a stranger")
    for number in range(500):
        hall.go(str(number))
    hall.begin()
    ballot = Ballot(hall)
    for number in range(500):
        come_and_guess(hall, ballot, f"again {number}", "a stranger")
        hall.go(f"again {number}")
    assert len(ballot.guesses()) == 1
