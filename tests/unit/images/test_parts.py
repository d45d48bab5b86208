"""Parts of sample photographs: squares of them, always the same, and no two alike."""

from vitviz.images import open_image
from vitviz.images.photos import BY_TITLE, PART, parts


def test_parts_are_squares_within_the_photograph_and_always_the_same() -> None:
    for title, photo in BY_TITLE.items():
        shorter = min(open_image(photo.read()).size)
        made = list(parts(title, 0, 6))
        assert all(it.width == it.height and PART[0] <= it.width / shorter <= PART[1] for it in made)
        again = [*parts(title, 0, 2), *parts(title, 2, 6)]
        assert all(one.tobytes() == other.tobytes() for one, other in zip(made, again, strict=True))
        assert len({it.tobytes() for it in made}) == 6
