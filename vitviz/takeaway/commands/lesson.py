"""`vitviz lesson home NAME --out lesson.html`: a lesson to take home; `vitviz.lecture` does the rest of `lesson`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.lecture import LESSONS, LessonError, __main__
from vitviz.lecture.shipped import named
from vitviz.numbers import bytes_
from vitviz.takeaway.commands.page_requests import saying
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import write_whole
from vitviz.takeaway.lesson.home import home
from vitviz.takeaway.lesson.step_numbers import give


def main(arguments: Sequence[str]) -> int:
    """Take a lesson home, or check files of lessons."""
    if arguments[:1] != ["home"]:
        return __main__.main(arguments)
    take_home(arguments[1:])
    return 0


@saying
def take_home(arguments: Sequence[str]) -> None:
    """Write the file, and say how large it is."""
    parser = argparse.ArgumentParser(
        prog="vitviz lesson home", description="All steps of a lesson in one HTML file that works offline."
    )
    parser.add_argument("lesson", help=f"a lesson's file, or one of {', '.join(LESSONS)}")
    parser.add_argument("--out", required=True, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        lesson = named(options.lesson)
    except LessonError as error:
        raise TakeawayError(f"{Path(options.lesson).name}: {error}") from error
    file = write_whole(options.out, home(lesson, give(lesson)).data)
    print(f"{file}: {bytes_(file.stat().st_size)}")
