"""Counting a Vision Transformer from its configuration: parameters, multiply-accumulates, shapes and bytes.

Everything is closed form, exact to the unit, and allocates nothing; rows are data first and text second.
"""

from vitviz.counts.rows import Row, macs, parameters
from vitviz.counts.stages import Ledger, ledger
from vitviz.counts.tensors import ActivationRow, activations
from vitviz.counts.totals import total_macs, total_parameters

__all__ = [
    "ActivationRow",
    "Ledger",
    "Row",
    "activations",
    "ledger",
    "macs",
    "parameters",
    "total_macs",
    "total_parameters",
]
