"""Old links: the one place that knows what the words of an address and their values were once called.

Names of words changed when the board came, the texts of buttons stood in links before that, and until November 2026
the moments of a page were numbered. Whatever a link said then leads to the same view for ever.
"""

import re
from collections.abc import Mapping, Sequence

PAGES: dict[str, str] = {}  # what a page was called: what it is called now
NAMES = {"patch": "query", "number": "component", "step": "moment"}
VALUES = {
    ("shows", "looks at"): "row",
    ("shows", "is looked at by"): "column",
    ("scale", "per head"): "own",
    ("mean", "true"): "1",
    ("moment", "Residual stream"): "stream",
    ("moment", "Layer norm"): "norm",
    ("moment", "Activation"): "activation",
    ("moment", "Similarity"): "similarity",
}
MOVED = {("positions", "off"): "placed", ("positions", "shuffled"): "placed"}  # "positions" is a model's kind of them
DROPPED = ("pinned",)
OF_LESSON = ("lesson", "room")  # beside these, "step" is that of a lesson
# The moments of every page in the order in which they were numbered; a model that lacks one began with the next.
NUMBERED: Mapping[str, tuple[str, ...]] = {
    "overview": ("light", "stages"),
    "patch_grid": ("patches", "sequence", "pixels", "sizes", "crop"),
    "patch_embedding": ("product", "filters", "components", "colours", "points"),
    "position_embedding": ("sum", "similarity", "answers", "swap"),
    "query_key_value": ("matrices", "scores", "softmax", "values", "output"),
    "heads": ("wall", "matrix", "pair"),
    "depth": ("rollout", "reach", "journey"),
    "encoder_block": ("stream", "norm", "activation", "similarity"),
    "class_head": ("lens", "scores", "token", "result", "way"),
    "intervene": ("heads", "patches", "attention", "experiments", "everything", "tracing"),
}
NUMBER = re.compile("0{0,5}[1-9]", re.ASCII)

Parameters = Sequence[tuple[str, str]]


def translated(words: Parameters) -> list[tuple[str, str]]:
    """The parameters of a link as they are called today; where old and new name are given, the new one holds."""
    present = {name for name, _ in words}
    names = {old: new for old, new in NAMES.items() if old != "step" or present.isdisjoint(OF_LESSON)}
    rest = [(name, text) for name, text in words if name not in DROPPED and names.get(name) not in present]
    renamed = [(names.get(name) or MOVED.get((name, text), name), text) for name, text in rest]
    return [(name, VALUES.get((name, text), text)) for name, text in renamed]


def page_now(name: str) -> str:
    """What a page that a link names is called today."""
    return PAGES.get(name, name)


def moment_said(text: str, page: str, names: Sequence[str]) -> str | None:
    """The moment that an address says, by its name or its old number; the first where it says none.

    `names` are those of the page with the model of the address. A number past the last one is the last, and says
    nothing on a page without moments. None for any other text.

    >>> moment_said("2", "heads", ("wall", "matrix")), moment_said("9", "heads", ("wall", "matrix"))
    ('matrix', 'matrix')
    """
    if text in names:
        return text
    if text and not NUMBER.fullmatch(text):
        return None
    if not text or not names:
        return names[0] if names else ""
    before = [it for it in NUMBERED.get(page, ()) if it in names] or list(names[:1])
    return before[min(int(text), len(before)) - 1]


def places_of_numbers(page: str, names: Sequence[str]) -> list[int]:
    """The places from 0 of the moments that old links call 1, 2 ... 9, for the browser; none where none had a number.

    >>> places_of_numbers("heads", ("wall", "new", "matrix"))
    [0, 2, 2, 2, 2, 2, 2, 2, 2]
    """
    if page not in NUMBERED:
        return []
    return [names.index(moment_said(str(number), page, names) or names[0]) for number in range(1, 10)]
