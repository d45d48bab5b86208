"""The uncoded numbers of a view, with named axes, as files: `.npz` for Python, `.csv` for a spreadsheet.

In Python:

    file = np.load("view.npz")
    file["values"]  # float32; file["values.axes"] are its axes: "head", "key"
    file["values.names.key"]  # what the places along "key" are called: "[class]", "patch 1" ...
    file["about.model"]
    pandas.read_csv("view.csv", comment="#")  # one row for each number
"""

from vitviz.takeaway.data.named import about, named, named_numbers, outlines
from vitviz.takeaway.data.numpy_file import npz
from vitviz.takeaway.data.spreadsheet import csv, size_of

__all__ = ["about", "csv", "named", "named_numbers", "npz", "outlines", "size_of"]
