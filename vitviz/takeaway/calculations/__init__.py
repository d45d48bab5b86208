"""Every view's numbers that can be taken away, by page, in the order of the pages."""

from vitviz.takeaway.calculations.calculation import Calculation, Calculations, parameters
from vitviz.takeaway.calculations.model import COUNTS
from vitviz.takeaway.calculations.repeating import (
    CALCULATIONS,
    calculation_of,
    draws_otherwise,
    lacks_head,
    named_values,
    names_of,
    part_of,
    patch_of,
    places_of,
    title_of,
    usual_calculation,
    values,
)

__all__ = [
    "CALCULATIONS",
    "COUNTS",
    "Calculation",
    "Calculations",
    "calculation_of",
    "draws_otherwise",
    "lacks_head",
    "named_values",
    "names_of",
    "parameters",
    "part_of",
    "patch_of",
    "places_of",
    "title_of",
    "usual_calculation",
    "values",
]
