"""Links to every page of which there is something to take away."""

from vitviz.pages import PAGES

CHOSEN = "sample=fish&layer=4&head=2&query=60"
SIZES = "model=build-your-own&dim=32&heads=4&depth=2&image_size=32&patch_size=8&mlp_dim=64&seed=5"
SMALL = f"sample=fish&layer=2&head=2&query=6&{SIZES}"


def chosen_on(page: str) -> str:
    """A link to a page: of the demo, and where a page runs it many times, of a model that takes a moment."""
    return f"{page}?{SMALL if PAGES[page].chapter == 'Laboratory' else CHOSEN}"
