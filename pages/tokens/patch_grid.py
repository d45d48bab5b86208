"""Patch grid: the picture becomes a sequence."""

from vitviz.figures import tokens as figures
from vitviz.measures.tokens import flat_patches
from vitviz.ui import controls
from vitviz.ui import furniture as page
from vitviz.ui.view import current

view = current()
config = view.config
rows, columns = config.grid

page.sentence("The model reads the picture as a sequence of square {patch}es, row by row.")
chosen = controls.patch(view)
page.picture(
    view,
    figures.patch_grid(view.crop, rows, columns, chosen),
    f"{rows} × {columns} = {config.patches} patches of {config.patch_size} × {config.patch_size} pixels; "
    f"patch {chosen + 1} is framed.",
)
page.formula(
    r"n = \frac{h}{p} \cdot \frac{w}{p}",
    rf"{config.patches} = \frac{{{config.image_size}}}{{{config.patch_size}}} \cdot "
    rf"\frac{{{config.image_size}}}{{{config.patch_size}}}",
)
page.code(flat_patches, figures.patch_grid)
