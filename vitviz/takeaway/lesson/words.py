"""Sentences of a lesson as HTML: what somebody wrote stays words, and roles in braces get their colour."""

import re
from html import escape

from vitviz import palette
from vitviz.addresses.place import of_second
from vitviz.demo.samples import BY_ID
from vitviz.images import PHOTOS
from vitviz.lecture.lesson import Question
from vitviz.lecture.views import View
from vitviz.numbers import exact, small
from vitviz.pages import PAGES
from vitviz.view import View as Chosen

ROLE = re.compile(r"\{([^{}]+)\}(\w*)")  # "{patch}es" is one word
NAMED_WORDS = (
    "model",
    "sample",
    "layer",
    "through",
    "head",
    "query",
)  # of an address; edits may be what a question asks
WORDS_OF_SECOND = ("model", "image", "edits")  # the same of the second column
TITLES = {scene.id: scene.title for scene in BY_ID.values()} | {photo.id: photo.title for photo in PHOTOS}
HOW = {"patch": "Choose a patch.", "pair": "Choose two patches."}


def with_roles(text: str) -> str:
    """Words in braces underlined in the colour of their role, as on the board."""
    parts, at = [], 0
    for found in ROLE.finditer(text):
        colour = palette.DRAWN.get(found[1], "currentColor")
        word = f'<span class="role" style="border-color:{colour}">{escape(found[1] + found[2])}</span>'
        parts += [escape(text[at : found.start()]), word]
        at = found.end()
    return "".join([*parts, escape(text[at:])])


def without_roles(text: str) -> str:
    """The same as plain words."""
    return ROLE.sub(r"\1\2", text)


def where(view: View) -> str:
    """What a step shows: its page, and what is chosen there that is not as usual."""
    parts = [PAGES[view.page].title, *(_named(name, text) for name, text in view.words if name in NAMED_WORDS)]
    second = [f"{name} {text}" for name, text in of_second(dict(view.words)).items() if name in WORDS_OF_SECOND]
    return " · ".join([*parts, *(["beside it", *second] if second else [])])


def _named(name: str, text: str) -> str:
    if name == "sample":
        return TITLES.get(text, text)
    return f"query {f'patch {text}' if text.isdecimal() else f'[{text}]'}" if name == "query" else f"{name} {text}"


def choices(question: Question) -> str:
    """What can be answered, for who reads on paper."""
    if question.kind == "choose":
        return f"<ol>{''.join(f'<li>{escape(text)}</li>' for text, _ in question.options)}</ol>"
    if question.kind == "number":
        ends = " to ".join(exact(round(end)) if end >= 1 else small(end) for end in (question.low, question.high))
        return f"<p>A number from {ends}{f' {escape(question.unit)}' if question.unit else ''}.</p>"
    return f"<p>{HOW[question.kind]}</p>"


def place(view: Chosen) -> str:
    """Where the explorer opens: "layer 5, head 1, query [class]"."""
    prefix = view.config.prefix_tokens
    token = f"[{prefix[view.query]}]" if view.query < len(prefix) else f"patch {view.query - len(prefix) + 1}"
    head = f", head {view.head + 1}" if PAGES[view.page].explored == "row" else ""
    return f"layer {view.layer + 1}{head}, query {token}"
