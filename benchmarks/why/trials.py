"""The areas under the deletion curves of the demo over held-out scenes, by code of their own: `make bench`.

Held to what this was when it was first measured, and to what ships beside the model.
"""

from statistics import mean

import torch

from benchmarks.report import Report
from benchmarks.why.plainly import areas
from vitviz.demo.dataset import TEST, draw, to_input
from vitviz.demo.trial import SCENES, means, own_model
from vitviz.demo.trial import areas as shipped

MANY = 120  # scenes
CLOSE = 0.02
FIRST = {  # measured on as many scenes before anything of it was in the library
    "gradient_attention": 0.166,
    "attention": 0.180,
    "sum": 0.182,
    "rollout": 0.192,
    "occlusion": 0.644,
    "gradient_input": 0.670,
    "chance": 0.742,
}


def measure(report: Report) -> None:
    """All maps of all scenes, picture by picture."""
    report.section(f"Maps on trial: areas under deletion with grey, {MANY} held-out scenes, in plain PyTorch")
    model, pictures = own_model().eval(), to_input(torch.from_numpy(draw(TEST[:MANY]).image))
    found = [areas(model, picture) for picture in pictures.split(1)]
    kept = shipped({"grey": means("grey")})["grey"]
    for name, first in FIRST.items():
        area = mean(it[name] for it in found)
        report.at_most(f"{name}, from {first:.3f}", abs(area - first), CLOSE, f"{area:.3f} over {MANY} scenes")
        first_ones = mean(it[name] for it in found[: len(SCENES)])
        ships = kept[name][0]
        report.at_most(
            f"{name}, from what ships", abs(first_ones - ships), 0.001, f"{first_ones:.4f} over {len(SCENES)} scenes"
        )
