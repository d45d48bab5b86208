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


@dataclass(frozen=True, slots=True)
class Moment:
    """One of the views that a page goes through.

    `name` stands in addresses, `sentence` over the view, roles in braces, and `untrained` in its place where that holds
    of trained models alone. Moments with `columns` can stand beside those of a second model or picture, those that are
    `embedded` show only what stands before the first block.
    """

    name: str
    sentence: str
    untrained: str = ""
    columns: bool = False
    embedded: bool = False

    def said(self, untrained: bool) -> str:
        """Its sentence, which claims nothing that only training brings where a model is `untrained`."""
        return (untrained and self.untrained) or self.sentence
