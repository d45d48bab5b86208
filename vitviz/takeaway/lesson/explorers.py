"""The attention explorers of a lesson's file: one for each model and picture, which its steps open where they look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import PurePath
from typing import Any

from vitviz.lecture import Lesson
from vitviz.pages import PAGES
from vitviz.scripts.parcels import bundle
from vitviz.takeaway.explorer.explorer import Explorer, explore
from vitviz.takeaway.explorer.page import as_json, packed, page
from vitviz.takeaway.lesson.step_numbers import StepNumbers, explored_layers, is_explored, key_of
from vitviz.takeaway.lesson.words import place
from vitviz.view import View


class Explorers:
    """All of a lesson, each with the uncoded weights of every query that one of its steps looks from."""

    def __init__(self, lesson: Lesson, answers: Sequence[StepNumbers]) -> None:
        views = [it.opened for it in answers if it.opened and is_explored(it.opened.view)]
        layers = explored_layers(lesson)
        self._explorers: dict[View, Explorer] = {}
        for it in views:
            key = key_of(it.view)
            before = self._explorers.get(key) or explore(
                it.trace,
                it.loaded,
                model=PurePath(it.view.model).name,
                picture=it.title,
                layers=layers[key],
                layer=it.view.layer,
                head=it.view.head,
                query=it.view.query,
            )
            self._explorers[key] = replace(before, queries=(*before.queries, it.view.query))

    def way(self, view: View) -> str:
        """The button that opens an explorer where a view looks; "" where the view has none."""
        if not is_explored(view) or key_of(view) not in self._explorers:
            return ""
        it = self._explorers[key_of(view)]
        number = list(self._explorers).index(key_of(view)) + 1
        whole = len(it.layers) == view.config.depth
        chosen = {
            "layer": view.layer,
            "head": view.head,
            "query": view.query,
            "shows": PAGES[view.page].explored if whole else "row",
        }
        return (
            f'<p><button type="button" class="explore" data-explorer="{number}" '
            f'data-chosen="{escape(as_json(chosen))}">Explore it: {escape(place(view))}</button></p>'
        )

    @property
    def blocks(self) -> str:
        """Their numbers, and once what shows them, as elements of the file; "" where there is none."""
        if not self._explorers:
            return ""
        shell = page("", {}, [], "", "").encode()
        blocks_ = [f'<script type="text/plain" id="explorer">{packed(shell)}</script>']
        for number, it in enumerate(self._explorers.values(), 1):
            message: Mapping[str, Any] = {"caption": it.caption, "source": it.source, "said": it.message}
            blocks_.append(f'<script type="application/json" id="said-{number}">{as_json(dict(message))}</script>')
            numbers = packed(bundle(list(it.packed)))
            blocks_.append(f'<script type="text/plain" id="numbers-{number}">{numbers}</script>')
        return "\n".join(blocks_)
