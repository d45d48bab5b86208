"""The attention explorer: every layer, head and query at the speed of the hand, drawn in the browser."""

from vitviz.ui.explorer.component import draw

__all__ = ["draw"]
