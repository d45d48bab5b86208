"""Kinds of view of the chapter Counting."""

from vitviz.takeaway.kinds.model import COUNTS

KINDS = dict.fromkeys(("three_counts", "layer_table", "build_a_vit"), COUNTS)
