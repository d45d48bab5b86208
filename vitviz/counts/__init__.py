"""Counting a Vision Transformer from its configuration: parameters, multiply-accumulates, shapes and bytes.

Everything is closed form, exact to the unit, and allocates nothing; rows are data first and text second.
"""

from vitviz.counts.complexity import Complexity, complexity
from vitviz.counts.formula import Item
from vitviz.counts.growth import Point, growth, law, overtaking, resized
from vitviz.counts.itemised import WAYS, Part, itemised
from vitviz.counts.layers import LayerMemory, LayerRow, layer_table, layer_table_memory, layer_table_text
from vitviz.counts.memory import MemoryItem, activation_memory, inference_memory, training_memory
from vitviz.counts.published import Convention, Slip, article_slips, conventions, paper_figure
from vitviz.counts.rows import Row, macs, parameters
from vitviz.counts.search import Found, nearest
from vitviz.counts.splits import mac_split, parameter_split
from vitviz.counts.stages import Ledger, ledger
from vitviz.counts.steps import Step, columns, steps
from vitviz.counts.table import csv_text
from vitviz.counts.tensors import ActivationRow, TensorRow, activations, tensors
from vitviz.counts.terms import ledger_terms
from vitviz.counts.totals import total_macs, total_parameters
from vitviz.counts.tree import Node, layer_tree

__all__ = [
    "WAYS",
    "ActivationRow",
    "Complexity",
    "Convention",
    "Found",
    "Item",
    "LayerMemory",
    "LayerRow",
    "Ledger",
    "MemoryItem",
    "Node",
    "Part",
    "Point",
    "Row",
    "Slip",
    "Step",
    "TensorRow",
    "activation_memory",
    "activations",
    "article_slips",
    "columns",
    "complexity",
    "conventions",
    "csv_text",
    "growth",
    "inference_memory",
    "itemised",
    "law",
    "layer_table",
    "layer_table_memory",
    "layer_table_text",
    "layer_tree",
    "ledger",
    "ledger_terms",
    "mac_split",
    "macs",
    "nearest",
    "overtaking",
    "paper_figure",
    "parameter_split",
    "parameters",
    "resized",
    "steps",
    "tensors",
    "total_macs",
    "total_parameters",
    "training_memory",
]
