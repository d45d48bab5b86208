"""Scripts that a board is handed when it needs them: what they make, and their styles."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from vitviz.installed import FRONTEND
from vitviz.page import Page
from vitviz.scripts.bundle import bundle_for, exports, sheet_of

EDITING = FRONTEND / "editing/editing.css"  # of the scene that is made of switches; others fetch it with theirs


def styles(folder: Path, name: str = "*", *first: Path) -> str:
    """The style sheets in and under a folder, after those that are `first`, as a text of JavaScript."""
    return json.dumps(sheet_of(*first, *sorted(folder.rglob(f"{name}.css"))))


def handed(path: Path, host: Path, what: str, sent: str, others: Mapping[str, Path] | None = None) -> tuple[str, str]:
    """A way to `what` a module exports, called `load` in what is `sent`; and the statement that hands it to the board.

    Modules that the script of `host` has as well are that one's.
    """
    return bundle_for(path, host, what, others), f"(globalThis.__vitviz_inbox ??= []).push({sent});"


def scene(page: Page, host: Path) -> tuple[str, str]:
    """The same of what makes the scene of a page."""
    make = re.sub(r"_(\w)", lambda found: found[1].upper(), page.stem)
    css = styles(page.folder, "scene", *([EDITING] if page.compares else []))
    return handed(page.folder / "scene.js", host, make, f"{{ stem: {json.dumps(page.address)}, load, css: {css} }}")


def later(page: Page, host: Path) -> tuple[str, str]:
    """The same of all that its scene asks for later, where it can fetch nothing; a page has it as `later.js`."""
    path = page.folder / "later.js"
    sent = f"{{ stem: {json.dumps(page.address)}, later: load }}"
    return handed(path, host, f"{{ {', '.join(exports(path))} }}", sent)
