"""What pages ask an engine for, imported before its first request.

What is imported in the middle of one is waited for by whoever asked, and where two threads import at once, either may
see half of what the other has begun. Files to take away are made in one thread alone, so what writes them can wait.
"""

import numpy.random  # noqa: F401
from einops import rearrange

from vitviz import trace  # noqa: F401
from vitviz.demo import dataset, training  # noqa: F401
from vitviz.edits import running  # noqa: F401
from vitviz.laboratory import batches, fine_tuning, network, recipe, resizing, shots, timed  # noqa: F401
from vitviz.machine.pytorch import torch
from vitviz.measures import heads, shared_components  # noqa: F401
from vitviz.measures.laboratory import chance, first_values, five_shots, gradients, norms, order, resolution, shift  # noqa: F401
from vitviz.shelf import cnn  # noqa: F401
from vitviz.weights import build, load  # noqa: F401


def import_all() -> None:
    """Import what libraries keep for the first tensor, too."""
    with torch.device("meta"):
        rearrange(torch.empty(1), "n -> 1 n")
