"""`vitviz lesson check LESSON`: whether a lesson is right; `vitviz lesson answers`: what can be asked."""

import argparse
from collections.abc import Sequence

from vitviz.lecture import LESSONS, LessonError
from vitviz.lecture.answers import QUANTITIES
from vitviz.lecture.lesson import KINDS
from vitviz.lecture.shipped import named
from vitviz.numbers import many

HOME = "`vitviz lesson home LESSON --out FILE` writes a lesson as one HTML file to take home."


def main(arguments: Sequence[str] | None = None) -> int:
    """Check files, or list the quantities by the kind of question that they answer; 1 where a file is wrong."""
    parser = argparse.ArgumentParser(prog="vitviz lesson", description="Lessons, as files.", epilog=HOME)
    commands = parser.add_subparsers(dest="command", required=True)
    files = commands.add_parser("check", help="whether files are lessons, or the line and step of what is wrong")
    files.add_argument("lessons", nargs="+", metavar="lesson", help=f"a file, or one of {', '.join(LESSONS)}")
    commands.add_parser("answers", help="what a question can ask of a model")
    options = parser.parse_args(arguments)
    if options.command == "check":
        return max(map(_check, options.lessons))
    for kind in KINDS:
        print(f"{kind}:", *(f"  {name:<30} {it.says}" for name, it in QUANTITIES.items() if it.kind == kind), sep="\n")
    return 0


def _check(name: str) -> int:
    try:
        lesson = named(name)
    except LessonError as error:
        print(f"{name}: {error}")
        return 1
    steps, questions = many(len(lesson.steps), "step"), many(lesson.questions, "question")
    print(f"{name}: {lesson.title}, {lesson.takes}, {steps}, {questions}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
