"""Places: a stranger's made-up lines shut nobody out, and a hall behind one address is hurt by nobody."""

import pytest

from vitviz.lecture.rooms.limits import FOLLOWERS
from vitviz.lecture.rooms.places import FullError, Origin, Places

HALL, STRANGER = "10.0.0.1", "10.0.0.2"


def crowd(
    places: Places[str], address: str, many: int, browser: str = "", most: int = FOLLOWERS
) -> tuple[int, list[str]]:
    """How many lines came in, each of a browser of its own unless one is named, and those that went for them."""
    inside, out = 0, []
    for number in range(many):
        name = browser or str(number)
        try:
            gone = places.come(f"{address} {name} {number}", Origin(address, name), most)
        except FullError:
            continue
        inside += 1
        out += [gone] if gone else []
    return inside, out


def test_of_two_thousand_lines_of_one_address_half_a_room_is_had_and_all_others_come_in() -> None:
    places: Places[str] = Places()
    assert crowd(places, STRANGER, 2_000) == (FOLLOWERS // 2, [])
    elsewhere = [crowd(places, f"192.0.2.{number}", 1) for number in range(100)]
    assert elsewhere == [(1, [])] * 100
    assert crowd(places, HALL, 200) == (200, [])


@pytest.mark.parametrize("strangers", [2, 3, 4])
def test_a_hall_of_two_hundred_comes_in_though_several_addresses_have_filled_the_room(strangers: int) -> None:
    places: Places[str] = Places()
    for number in range(strangers):
        crowd(places, f"198.51.100.{number}", 2_000)
    assert len(places) == FOLLOWERS
    inside, out = crowd(places, HALL, 200)
    assert (inside, len(out), len(places)) == (200, 200, FOLLOWERS)
    assert all(line.startswith("198.51.100.") for line in out)
    for number in range(strangers):
        assert crowd(places, f"198.51.100.{number}", 2_000)[1] == [], "nobody of the hall goes for them"
    assert [crowd(places, f"192.0.2.{number}", 1)[0] for number in range(100)] == [1] * 100


def test_who_came_last_goes_first() -> None:
    places: Places[str] = Places()
    crowd(places, STRANGER, 3, browser="x", most=6)
    crowd(places, "10.0.0.3", 3, most=6)
    assert places.come("one", Origin(HALL), 6) in ("10.0.0.2 x 2", "10.0.0.3 2 2")
    assert len(places) == 6


def test_within_an_address_a_browser_with_many_lines_gives_way() -> None:
    places: Places[str] = Places()
    assert crowd(places, HALL, 900, browser="one program")[0] == FOLLOWERS // 2
    inside, out = crowd(places, HALL, 200)
    assert inside == 200
    assert out == [f"{HALL} one program {number}" for number in range(499, 299, -1)]


def test_where_all_have_one_line_nobody_goes_for_anybody() -> None:
    places: Places[str] = Places()
    for number in range(6):
        assert places.come(str(number), Origin(f"10.9.0.{number}"), 6) is None
    with pytest.raises(FullError, match="of 6 places your network has 0, and no more are to be had"):
        places.come("one more", Origin(HALL), 6)
    places.leave("3")
    places.leave("3")
    assert places.come("one more", Origin(HALL), 6) is None
