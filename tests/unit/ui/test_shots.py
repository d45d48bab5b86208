"""What Five shots says while pictures are still on their way."""

from typing import Any

import numpy as np
import pytest
from vitviz.pages.laboratory.five_shots import read_out

from tests.unit.figures.read import areas
from vitviz.laboratory.shots import ClassOf, Seen
from vitviz.ui import page


def test_of_a_class_whose_first_picture_was_seen_one_shot_is_framed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Any, str]] = []
    monkeypatch.setattr(page, "drawing", lambda figure, said, **_: drawn.append((figure, said)))
    seen = [Seen(np.eye(count, 4, dtype=np.float32), np.zeros((count, 2, 2, 3), np.uint8)) for count in (1, 3)]
    found = [ClassOf(str(at), 3, 3, False, it) for at, it in enumerate(seen)]
    read_out.pictures(found, 3, read_out.solved(found, 3, 1.0))
    ((figure, said),) = drawn
    assert said.startswith("4 shots of 2 classes")
    assert [area.x + area.width for area in areas(figure) if area.framed] == [0.5, 2.5]
