"""`vitviz words`: all words of the pages as one list for a translator, and what each place in braces stands for."""

import argparse
import ast
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from vitviz.addresses.ranges import Number
from vitviz.calculation import Calculation
from vitviz.choice import ON_OFF, Choice
from vitviz.installed import FRONTEND
from vitviz.page import Page
from vitviz.pages import PAGES, module_of
from vitviz.scripts.texts import texts_of
from vitviz.sentences import PLACES, Sentence, alternatives, condition, places_in
from vitviz.takeaway.explorer.page import EXPLORED

SAYS = """Words of the pages, by page and moment. A name in braces is a place; below it is said what stands there.
Of several texts of a moment a model is told the first whose conditions, in brackets, hold. The texts of .py and .js
files are as code has them: what stands in ‹ › is computed, and some are parts of a sentence."""
READ = re.compile(r"[^\W\d_]{2,}.* .*[^\W\d_]{2,}|[A-Z][a-z]{2,}", re.DOTALL)  # two words, or one with a capital
COMPUTED = re.compile(r"‹[^›]*›")
FORMULA = re.compile(r"\\[A-Za-z]")
Words = Iterator[tuple[str, list[str]]]  # what they are, and their texts


def main(arguments: Sequence[str]) -> None:
    """Print them."""
    says = "All words of the pages, for a translator, and what each place in braces stands for."
    argparse.ArgumentParser(prog="vitviz words", description=says).parse_args(arguments)
    print(SAYS)
    for page in PAGES.values():
        print(f"\n{page.stem} ({page.chapter})", *lines(of_page(page)), sep="\n")
    print("\nThe explorer in one file", *lines(of_moments(EXPLORED)), sep="\n")
    print("\nThe board", *lines(of_scripts(FRONTEND)), sep="\n")


def lines(words: Words) -> Iterator[str]:
    """Each text once, under what it is."""
    for what, texts in words:
        if texts:
            yield f"  {what}"
            yield from (f"    {text}" for text in dict.fromkeys(texts))


def of_page(page: Page) -> Words:
    """All words of a page."""
    yield "title", [page.title]
    yield "says first", _texts(page.says) if page.says else []
    if page.on_board:
        yield "in the strip", [page.label, *_texts(page.shape)]
    yield from of_moments(page)
    controls = {it.word: _of_control(it) for it in page.choices if it.label}
    yield from ((f"control {word}", texts) for word, texts in controls.items())
    calculations = [it for it in vars(module_of(page, "page")).values() if isinstance(it, Calculation)]
    numbers = [text for it in calculations for text in _of_numbers(it) if text]
    yield "numbers", numbers
    sentences = [it for sentence in page.sentences for with_when in alternatives(sentence).items() for it in with_when]
    others = [*page.places, *(it.stands_for for it in page.places.values()), *(it.axes for it in calculations)]
    known = {page.title, page.label, *sentences, *chain(*controls.values()), *numbers, *others}
    for path in sorted(page.folder.glob("*.py")):
        found = texts_in(ast.parse(path.read_text(encoding="utf-8")))
        yield path.name, [text for text in found if path.stem != "page" or text not in known]
    yield from of_scripts(page.folder)


def of_scripts(folder: Path) -> Words:
    """What the scripts of a folder say, file by file."""
    for path in sorted(folder.rglob("*.js")):
        texts = texts_of(path.read_text(encoding="utf-8"))
        read = [text for text in texts if READ.search(COMPUTED.sub("", text))]
        yield path.relative_to(folder).as_posix(), [" ".join(text.split()) for text in read]


def _of_control(choice: Choice) -> list[str]:
    few = () if isinstance(choice.values, Number) or choice.values is ON_OFF else choice.few({}, None)
    return [text for text in (choice.label, *few, choice.there) if text]


def _of_numbers(it: Calculation) -> tuple[str, ...]:
    names = (name for name, _ in it.papers)
    return it.says, *it.places, it.lacks, it.note, it.after, it.printed.strongest if it.printed else "", *names


def of_moments(page: Page) -> Words:
    """What is said at each moment, and what stands in the places of that."""
    for it in page.all_moments:
        yield f"moment {it.name}{condition(it.when)}", _texts(it.sentence)
        if it.untrained:
            yield f"moment {it.name} of an untrained model", _texts(it.untrained)
    places = {**PLACES, **page.places}
    named = dict.fromkeys(
        name for it in page.sentences for text in alternatives(it).values() for name in places_in(text)
    )
    yield "places", [f"{{{name}}}: {places[name].stands_for}" for name in named]


def _texts(sentence: Sentence) -> list[str]:
    return [f"{text}{condition(when)}" for when, text in alternatives(sentence).items()]


def texts_in(node: ast.AST) -> Iterator[str]:
    """The texts of code that people read, not docstrings, types, formulas and keys; what is computed in them in ‹ ›."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    types = getattr(node, "annotation", None), getattr(node, "returns", None)
    if not isinstance(node, ast.JoinedStr | ast.Constant):
        for child in ast.iter_child_nodes(node):
            if child not in types:
                yield from texts_in(child)
        return
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    fixed = [it.value for it in parts if isinstance(it, ast.Constant) and isinstance(it.value, str)]
    if READ.search(" ".join(fixed)) and not FORMULA.search(" ".join(fixed)):
        parts_ = (f"‹{ast.unparse(it.value)}›" if isinstance(it, ast.FormattedValue) else fixed.pop(0) for it in parts)
        yield " ".join("".join(parts_).split())
