"""The model inside the file: what a browser needs to run it, and to switch parts of it off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.scripts.fitting import forward_sizes, small
from vitviz.scripts.parcels import pack
from vitviz.takeaway.errors import TakeawayError

if TYPE_CHECKING:
    from vitviz.trace import Trace
    from vitviz.weights import Loaded

CANNOT = "this browser cannot run the model in this file"
Progress = Callable[[int, int], None]  # how many are done, and of how many


@dataclass(frozen=True, slots=True)
class Running:
    """`facts` are what the switches are told; `parcels` the parameters, and the means that may take a part's place."""

    facts: dict[str, Any]
    parcels: Mapping[str, bytes]


def unseen(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def running(trace: Trace, loaded: Loaded | None, progress: Progress = unseen) -> Running:
    """The model of a trace, to be run in a browser; `progress` is told of each scene that its means are made of.

    Means over the reference scenes have half precision. Raises `TakeawayError` for a model that a browser does not run.
    """
    from vitviz.edits.running import reference_means
    from vitviz.weights.arrays import parameters

    if loaded is None:
        raise TakeawayError("a file with the model needs what `load` returned: explore(trace, loaded, weights=True)")
    if trace.edits:
        raise TakeawayError("a file with the model edits itself; give it the trace without edits")
    if not small(trace.config) or trace["image"].tensor.element_size() != 4:
        raise TakeawayError("browsers run small models with the anatomy of the paper, in fp32; leave the weights out")
    means = {
        name: it.cpu().numpy()
        for name, it in reference_means(loaded, progress).items()
        if not name.endswith("attn.out")
    }
    return Running(
        {"folded": "here", "forward": {"config": forward_sizes(trace.config)}, "runs": CANNOT},
        {
            "parameters": pack("", "parameters", parameters(loaded)),
            "means": pack("", "means", {name: mean.astype(np.float16) for name, mean in means.items()}),
        },
    )
