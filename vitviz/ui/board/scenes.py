"""The scenes of the board by the stem of their page, in the order of the strip."""

from vitviz.pages import PAGES, part_of
from vitviz.ui.board.scene import Scene

SCENES: dict[str, Scene] = {
    page.stem: part_of(page, "scene").SCENE for page in PAGES.values() if (page.folder / "scene.py").is_file()
}
