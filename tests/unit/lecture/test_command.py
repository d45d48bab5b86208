"""`vitviz lesson`: files checked, and what can be asked."""

from pathlib import Path

import pytest

from vitviz.__main__ import main
from vitviz.lecture import LESSONS, lesson
from vitviz.lecture.answers import QUANTITIES
from vitviz.lecture.shipped import FOLDER


def test_lessons_that_ship_are_right_and_are_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "check", *(str(FOLDER / f"{name}.toml") for name in LESSONS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(LESSONS)
    its = lesson("vit_in_45_minutes")
    assert lines[0].endswith(f"vit_in_45_minutes.toml: {its.title}, {its.takes}, 36 steps, 15 questions")


def test_a_lesson_that_ships_has_a_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["lesson", "check", *LESSONS]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [*LESSONS]
    assert main(["lesson", "check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{tmp_path}: it is a folder; name a file in it\n"


def test_a_wrong_file_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, missing = tmp_path / "wrong.toml", tmp_path / "missing.toml"
    wrong.write_text('title = "T"\n[[step]]\nview = "heads?layer=9"\nsays = "x"', encoding="utf-8")
    assert main(["lesson", "check", str(wrong), str(missing)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{wrong}: line 3, step 1: layer “9”, and there is only layer 1 to 6"
    assert second == f"{missing}: neither a file nor a lesson; lessons are {', '.join(LESSONS)}"


def test_a_number_of_a_thousand_digits_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "large.toml"
    file.write_text(f'title = "T"\n[[step]]\nview = "heads"\nsays = "x"\nminutes = {"9" * 1_000}', encoding="utf-8")
    assert main(["lesson", "check", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{file}: line 5: a number of more than 300 digits")


def test_every_quantity_is_listed_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "answers"]) == 0
    said = capsys.readouterr().out
    for name, quantity in QUANTITIES.items():
        assert f"  {name} " in said
        assert quantity.says.endswith((".", "…")) or "..." in quantity.says, name
        assert quantity.says in said
