"""Which models run in a browser."""

from vitviz.scripts import fitting
from vitviz.ui.selection import ModelChoice


def reads(model: ModelChoice, runs: str) -> bool:
    """Whether a browser is sent pictures as the model reads them; a larger model has been asked for where it `runs`."""
    return fits(model) and (fitting.small(model.config) or runs != "server")


def fits(model: ModelChoice) -> bool:
    """Whether a browser can run this model: plain, small, and in full precision."""
    return model.precision == "fp32" and fitting.fits(model.config)
