"""Every kind of view that can be taken away, in the order of the pages."""

from vitviz.takeaway.kinds.kind import Kind
from vitviz.takeaway.kinds.model import COUNTS
from vitviz.takeaway.kinds.repeating import (
    KINDS,
    draws_otherwise,
    kind_of,
    lacks_head,
    named_values,
    names_of,
    part_of,
    patch_of,
    places_of,
    usual_kind,
    values,
)

__all__ = [
    "COUNTS",
    "KINDS",
    "Kind",
    "draws_otherwise",
    "kind_of",
    "lacks_head",
    "named_values",
    "names_of",
    "part_of",
    "patch_of",
    "places_of",
    "usual_kind",
    "values",
]
