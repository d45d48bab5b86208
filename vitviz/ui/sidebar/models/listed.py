"""The list of models: in groups, each under its heading, with what each is: here, to fetch, untrained."""

from vitviz.config import OWN, PRESETS, TRAINED
from vitviz.pretrained import KNOW_PHOTOGRAPHS, PRETRAINED
from vitviz.selection import titled
from vitviz.shelf.rows import SHELF
from vitviz.ui.sidebar.checkpoints import FILE
from vitviz.weights import hub

TRAINED_HERE = ("demo", *SHELF)
UNTRAINED = (OWN, *(name for name in PRESETS if name not in TRAINED))
CHOICES = (*TRAINED_HERE, *KNOW_PHOTOGRAPHS, FILE, *UNTRAINED)
HEADINGS = (
    "Trained here",
    "Knows photographs, here",
    "Knows photographs, to fetch",
    "Your own",
    "Untrained, for counting",
)


def listed() -> list[str]:
    """All models, each group under its heading; a model moves when it has been fetched, and keeps its label."""
    here = [name for name in KNOW_PHOTOGRAPHS if name not in PRETRAINED or hub.local(name)]
    to_fetch = [name for name in KNOW_PHOTOGRAPHS if name not in here]
    groups = zip(HEADINGS, (TRAINED_HERE, here, to_fetch, (FILE,), UNTRAINED), strict=True)
    return [entry for heading, names in groups if names for entry in (heading, *names)]


def label(entry: str) -> str:
    """What the list says of a model, or of a heading, which chooses nothing."""
    if entry in HEADINGS:
        return f"── {entry} ──"
    if entry in PRETRAINED:
        return f"{PRETRAINED[entry].title}, {PRETRAINED[entry].megabytes:,} MB"
    return f"{entry} (untrained)" if entry in UNTRAINED else titled(entry)
