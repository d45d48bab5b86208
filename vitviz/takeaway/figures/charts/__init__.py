"""Charts and live pictures of the app for print."""

from vitviz.takeaway.figures.charts.chart import arrays_of, sheet_of

__all__ = ["arrays_of", "sheet_of"]
