"""A view as a figure, for print, for notebooks and as data."""
