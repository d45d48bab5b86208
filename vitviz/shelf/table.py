"""What the shelf's models reached, as Markdown for the README: `vitviz shelf table`."""

from typing import Any

from vitviz.shelf.measured import MEASURES, Measured, all_of, as_published, mean_and_range
from vitviz.shelf.rows import KINDS, POOLS, RATES, SCENES, SWITCHES, TABLE_8

HEADS = ("things", "relations (chance 0.25)", "all")


def tables(results: dict[str, Any]) -> str:
    """Table 8, the other switches, the learning rates and the data sizes, one after the other."""
    return "\n\n".join(table(results) for table in (table_8, switches, rates, data_sizes))


def table_8(results: dict[str, Any]) -> str:
    """Table 8 of Dosovitskiy et al. 2020 (appendix D.4) in miniature, the published numbers beside ours."""
    rows = []
    for it in all_of(TABLE_8, results):
        kind, _, at = it.row.partition("_every_layer")
        where = f"every_layer{at}" if kind != it.row else "stem"
        rows.append([kind, where, str(len(it.seeds)), *_accuracies(it), as_published(it.row)])
    return _markdown(["positions", "added at", "seeds", *HEADS, "the paper's"], rows, words=2)


def switches(results: dict[str, Any]) -> str:
    """The other siblings, beside the one with usual switches."""
    rows = [[it.row, str(len(it.seeds)), *_accuracies(it)] for it in all_of(["learned", *SWITCHES], results)]
    return _markdown(["sibling", "seeds", *HEADS], rows)


def rates(results: dict[str, Any]) -> str:
    """Figure 9 in miniature: accuracy over learning rates, read off the class token or the mean."""
    pairs = {f"{rate:g}": [f"{pool}_at_{rate:g}" for pool in POOLS] for rate in RATES}
    return _curves(["learning rate", "seeds", "class token", "mean (GAP)"], pairs, results)


def data_sizes(results: dict[str, Any]) -> str:
    """Accuracy over the number of scenes to learn from, for a ViT and a CNN of as many parameters."""
    pairs = {f"{scenes:,}": [f"{kind}_of_{scenes}" for kind in KINDS] for scenes in SCENES}
    return _curves(["scenes", "seeds", "ViT", "CNN"], pairs, results)


def _curves(head: list[str], pairs: dict[str, list[str]], results: dict[str, Any]) -> str:
    """A line for each place of the curves where all of them are measured."""
    found = {place: all_of(rows, results) for place, rows in pairs.items()}
    rows = [
        [place, str(min(len(it.seeds) for it in those)), *(mean_and_range(it.accuracy["all"]) for it in those)]
        for place, those in found.items()
        if len(those) == len(pairs[place])
    ]
    return _markdown(head, rows)


def _accuracies(it: Measured) -> list[str]:
    return [mean_and_range(it.accuracy[measure]) for measure in MEASURES]


def _markdown(head: list[str], rows: list[list[str]], words: int = 1) -> str:
    sides = [":--"] * words + ["--:"] * (len(head) - words)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, sides, *rows))
