"""The form that every page fills, and nothing about any page."""

from dataclasses import dataclass
from pathlib import Path

OPENING = 101  # the order of the page that the app opens on


@dataclass(frozen=True, slots=True)
class Page:
    """One page: a folder of its own under `pages/<chapter>/`, whose name is its address.

    `file` is that of the module that holds the value. Pages and chapters stand in the order of `order`; `stage` is that
    of its count line or ""; `forward` says whether it shows a forward pass.
    """

    file: str
    title: str
    order: int
    stage: str = ""
    forward: bool = True

    @property
    def folder(self) -> Path:
        """Where all of the page lies."""
        return Path(self.file).parent

    @property
    def stem(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def chapter(self) -> str:
        """The title of its chapter, after the folder that it lies in."""
        return self.folder.parent.name.capitalize()

    @property
    def address(self) -> str:
        """The last part of the page's address; the first page has none."""
        return "" if self.order == OPENING else self.stem
