"""`vitviz lesson check FILE`: whether a lesson's file is right; `vitviz lesson answers`: what can be asked."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from vitviz.lecture import LessonError, read_lesson
from vitviz.lecture.answers import QUANTITIES
from vitviz.lecture.lesson import KINDS
from vitviz.numbers import many

HOME = "`vitviz lesson home LESSON --out FILE` writes a lesson as one HTML file to take home."


def main(arguments: Sequence[str] | None = None) -> int:
    """Check files, or list the quantities by the kind of question that they answer; 1 where a file is wrong."""
    parser = argparse.ArgumentParser(prog="vitviz lesson", description="Lessons, as files.", epilog=HOME)
    commands = parser.add_subparsers(dest="command", required=True)
    files = commands.add_parser("check", help="whether files are lessons, or the line and step of what is wrong")
    files.add_argument("files", nargs="+", type=Path, metavar="file")
    commands.add_parser("answers", help="what a question can ask of a model")
    options = parser.parse_args(arguments)
    if options.command == "check":
        return max(map(_check, options.files))
    for kind in KINDS:
        print(f"{kind}:", *(f"  {name:<30} {it.says}" for name, it in QUANTITIES.items() if it.kind == kind), sep="\n")
    return 0


def _check(file: Path) -> int:
    try:
        lesson = read_lesson(file.read_bytes())
    except (LessonError, OSError) as error:
        print(f"{file}: {error}")
        return 1
    steps, questions = many(len(lesson.steps), "step"), many(lesson.questions, "question")
    print(f"{file}: {lesson.title}, {lesson.minutes:g} minutes, {steps}, {questions}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
