"""The picture of a step: the printed figure of its page, or, of sizes, the numbers themselves."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from html import escape
from pathlib import PurePath

from vitviz import counts
from vitviz.config import ViTConfig
from vitviz.figures.pixels import png_file
from vitviz.figures.printed.svg import svg
from vitviz.lecture import Step
from vitviz.lecture.answers import counted
from vitviz.numbers import percent
from vitviz.pages import FIRST, PAGES
from vitviz.shelf.measured import all_of, mean_and_range
from vitviz.shelf.rows import ROWS
from vitviz.shown import html_table
from vitviz.takeaway.calculations import CALCULATIONS, PRINTED, calculation_of
from vitviz.takeaway.figures.drawing import NARROW, WIDTH, sheet
from vitviz.takeaway.lesson.step_numbers import StepNumbers, view_of
from vitviz.takeaway.opening import Opened
from vitviz.weights.arrays import pixels_of

FLOWS = ("Tensor", "Axes", "Shape")
BLOCKS, FIRST_BLOCK = "blocks.", "blocks.0."
MEASURED = ("Trained", "Parameters", "Seeds", "Right on scenes never seen, mean and range")
IMAGE = re.compile(r'<image x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" (?P<rest>[^>]+)/>')
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"')


class Pictures:
    """The pictures of a file, in order; one that was there already is drawn again by its name."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._images: dict[str, tuple[str, float, float]] = {}  # their names, and where they were first

    def of(self, step: Step, it: StepNumbers) -> str:
        """The picture of a step as HTML, or "" where there is none."""
        answer = step.question.answer if step.question else ""
        if "rows" in PAGES[step.view.page].follows or answer == "best_sibling":
            rows = [row for _, row in step.question.options] if step.question else view_of(step).choices["rows"]
            return _figure(_measured(rows))
        if it.opened is None or (step.view.page == FIRST.stem and hasattr(counted, answer)):
            view = it.opened.view if it.opened else view_of(step)
            if view.page in CALCULATIONS and calculation_of(view).axes == "tensor":
                return _figure(_shapes(view.config))
            return _figure(_counts(view.config, PurePath(view.model).name))
        return "".join(self._drawn(each) for each in (it.opened, it.second) if each)

    def _drawn(self, it: Opened) -> str:
        opened = it
        if not calculation_of(it.view).printed:  # a table: instead of it what a page draws as it begins
            page = it.view.page if it.view.page in PRINTED else FIRST.stem
            opened = replace(it, view=replace(it.view, page=page, choices={}))
        wide, narrow = (self._once(svg(sheet(opened, width=width))) for width in (WIDTH, NARROW))
        return _figure(f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>')

    def _once(self, drawn: str) -> str:
        if name := self._names.get(drawn):
            width, height = (float(side) for side in SIZE.search(drawn).groups())  # type: ignore[union-attr]
            return (
                f'<svg width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img" '
                f'aria-label="As at an earlier step."><use href="#{name}"/></svg>'
            )
        name = self._names[drawn] = f"sheet-{len(self._names) + 1}"
        return IMAGE.sub(self._image, drawn).replace("<svg ", f'<svg id="{name}" ', 1)

    def _image(self, found: re.Match[str]) -> str:
        """An image of a sheet; one that was in another at that size is shown again, and moved to its place."""
        x, y = float(found["x"]), float(found["y"])
        if before := self._images.get(found["rest"]):
            name, left, top = before
            return f'<use href="#{name}" x="{x - left:g}" y="{y - top:g}"/>'
        name = f"image-{len(self._images) + 1}"
        self._images[found["rest"]] = name, x, y
        return found[0].replace("<image ", f'<image id="{name}" ', 1)


def photo(it: Opened) -> str:
    """What the model sees, as the address of an image in the file itself."""
    return f"data:image/png;base64,{b64encode(png_file(pixels_of(it.trace, it.loaded))).decode()}"


def _figure(inside: str) -> str:
    return f'<div class="picture">{inside}</div>'


def _counts(config: ViTConfig, model: str) -> str:
    of = f"of {escape(model)}"
    parts = _shares(counts.parameter_split(config), "Part", "Parameters")
    products = _shares(counts.mac_split(config), "Product", "Multiply-adds")
    return (
        f"<section><h3>Parameters {of}</h3>{parts}</section>"
        f"<section><h3>Multiply-adds {of}, one picture</h3>{products}</section>"
    )


def _shapes(config: ViTConfig) -> str:
    """What flows, with its axes and its shape; of the blocks the first, which all others equal."""
    rows = [
        (row.name, row.axes, row.shape)
        for row in counts.tensors(config)
        if row.kind == "activation" and (row.name.startswith(FIRST_BLOCK) or not row.name.startswith(BLOCKS))
    ]
    return f"<section><h3>What flows; of the blocks the first</h3>{html_table(FLOWS, rows)}</section>"


def _shares(items: tuple[counts.Item, ...], what: str, number: str) -> str:
    total = sum(item.count for item in items)
    rows = [(item.name, item.count, percent(item.count / total)) for item in items]
    return html_table((what, number, "of all"), rows, ("all", total, ""))


def _measured(rows: list[str]) -> str:
    found = all_of(row for row in rows if row in ROWS)
    cells = [(ROWS[it.row].title, it.parameters, len(it.seeds), mean_and_range(it.accuracy["all"])) for it in found]
    return f"<section><h3>Small models, each trained</h3>{html_table(MEASURED, cells)}</section>"
