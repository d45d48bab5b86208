"""Which models run in a browser."""

from vitviz.scripts import fitting
from vitviz.ui.selection import ModelChoice


def fits(model: ModelChoice) -> bool:
    """Whether a browser can run this model: plain, small, and in full precision."""
    return model.precision == "fp32" and fitting.fits(model.config)
