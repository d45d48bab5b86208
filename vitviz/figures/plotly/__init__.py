"""A figure as Plotly draws it, for its hover and zoom: in Details, in notebooks, and by `vitviz.show`."""

from vitviz.figures.plotly.hover import Spec, escaped
from vitviz.figures.plotly.layout import FONT_SIZE
from vitviz.figures.plotly.spec import plotly_figure, spec, template

__all__ = ["FONT_SIZE", "Spec", "escaped", "plotly_figure", "spec", "template"]
