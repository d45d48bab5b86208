"""Counting a Vision Transformer from its configuration: parameters, multiply-accumulates, shapes and bytes.

Everything follows from one table of the model's parts, exact to the unit, and allocates nothing; rows are data first
and text second.
"""

from vitviz.counts.anatomy import WAYS
from vitviz.counts.conventions import Convention, CountedItem, Slip, article_slips, conventions, itemised, paper_figure
from vitviz.counts.count_line import CountLine, count_line, count_terms
from vitviz.counts.formula import Item
from vitviz.counts.groups import (
    Step,
    block_matrices,
    block_split,
    columns,
    fused_macs,
    mac_split,
    mac_steps,
    parameter_split,
    steps,
)
from vitviz.counts.layers import (
    LayerMemory,
    LayerRow,
    Node,
    layer_table,
    layer_table_memory,
    layer_table_text,
    layer_tree,
)
from vitviz.counts.memory import MemoryItem, activation_memory, inference_memory, training_memory
from vitviz.counts.rows import Row, csv_text, macs, parameters
from vitviz.counts.scaling.complexity import Complexity, complexity
from vitviz.counts.scaling.growth import Overtaking, Point, growth, law, overtaking, resized
from vitviz.counts.scaling.search import Found, deep_and_wide, nearest
from vitviz.counts.scaling.traffic import stages_beside, total_traffic, traffic
from vitviz.counts.tensors import ActivationRow, TensorRow, activations, layer_normed, tensors
from vitviz.counts.totals import attention_weights, total_macs, total_parameters

__all__ = [
    "WAYS",
    "ActivationRow",
    "Complexity",
    "Convention",
    "CountLine",
    "CountedItem",
    "Found",
    "Item",
    "LayerMemory",
    "LayerRow",
    "MemoryItem",
    "Node",
    "Overtaking",
    "Point",
    "Row",
    "Slip",
    "Step",
    "TensorRow",
    "activation_memory",
    "activations",
    "article_slips",
    "attention_weights",
    "block_matrices",
    "block_split",
    "columns",
    "complexity",
    "conventions",
    "count_line",
    "count_terms",
    "csv_text",
    "deep_and_wide",
    "fused_macs",
    "growth",
    "inference_memory",
    "itemised",
    "law",
    "layer_normed",
    "layer_table",
    "layer_table_memory",
    "layer_table_text",
    "layer_tree",
    "mac_split",
    "mac_steps",
    "macs",
    "nearest",
    "overtaking",
    "paper_figure",
    "parameter_split",
    "parameters",
    "resized",
    "stages_beside",
    "steps",
    "tensors",
    "total_macs",
    "total_parameters",
    "total_traffic",
    "traffic",
    "training_memory",
]
