"""What the server imports and computes before it says that it is healthy."""

import plotly.graph_objects  # noqa: F401

import vitviz.measures  # noqa: F401
from vitviz.ui import samples, view


def warm_up() -> None:
    """Walk the picture that everybody sees first."""
    view.FIRST_CHOICE.walk(samples.first())
