"""The style sheets of this folder: what the theme cannot say, as one element of the page."""

import re
from functools import cache
from pathlib import Path

from vitviz import __version__, palette

FOLDER = Path(__file__).parent
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@cache
def style() -> str:
    """All sheets, with the palette and the version as variables."""
    sheets = " ".join(sheet.read_text(encoding="utf-8") for sheet in sorted(FOLDER.glob("*.css")))
    roles = "".join(
        f"--{name.replace(' ', '-')}: {colour};" for name, colour in (palette.ROLES | {"head": palette.HEAD}).items()
    )
    version = f'--version: "{__version__}";'
    return f"<style>:root {{{roles}{version}}} {' '.join(COMMENT.sub('', sheets).split())}</style>"
