"""What the maps of *Why this answer* take, and their trial, on the processor: `make bench`.

Works are done in turn, and of each the fastest time counts: whatever else runs can only slow one down.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from math import ceil
from typing import Any

import torch

from benchmarks.report import Report
from vitviz.config import PRESETS
from vitviz.counts import total_macs
from vitviz.images import open_image
from vitviz.machine import price
from vitviz.measures.deletion import pieces, put_to_trial, seen_in_part, tried
from vitviz.measures.interventions import occluded
from vitviz.measures.logit_sum import NONE
from vitviz.measures.relevance import MAPS, gradient_maps, maps_down_to, relevance
from vitviz.model import ViT
from vitviz.samples import first
from vitviz.trace import Trace, record
from vitviz.weights import load

BASE = "vit_base_patch16_224"
AT_ONCE = ("sum", "attention", "rollout", "chance")  # which a browser gets first, together
ROUNDS = {"demo": 5, BASE: 2}
SHARED = 0.1  # of the multiply-adds of two runs at most are the same


def measure(report: Report) -> None:
    """Of the demo model, and of ViT-B/16, whose parameters are drawn: time does not depend on them."""
    loaded = load("demo")
    trace = record(loaded.model, loaded.preprocess(open_image(first().data)))
    report.section(f"Why this answer: the fastest of some times, {torch.get_num_threads()} threads")
    took = fastest(
        {
            "maps": partial(of_one_run, trace),
            "occlusion": lambda: relevance(trace, "occlusion", NONE),
            "curves": lambda: put_all_to_trial(trace),
        },
        ROUNDS["demo"],
    )
    report.at_most("demo: five maps and chance", 1000 * took["maps"], 150, "of one run and its way back", " ms")
    runs, most = trace.config.patches, 1000 * (took["maps"] + took["occlusion"])
    why = f"with occlusion, whose {runs} runs are {runs * total_macs(trace.config) / 1e9:.0f} G multiply-adds"
    report.at_most("demo: all six maps and chance", most, 150, why, " ms")
    why = "six maps and chance, 13 points each way; in a reader's browser: `make bench-browser`"
    report.at_most("demo: all curves", took["curves"], 2, why, " s")
    base(report)


def base(report: Report) -> None:
    """ViT-B/16: what it takes, of pieces that are each as good as another, and what is said of that before."""
    config = PRESETS[BASE]
    model = ViT(config).eval().requires_grad_(False)
    image = torch.randn(1, 3, *config.image_sides)
    trace = record(model, image)
    hidden, first_piece = price.pieces(config, config.patches), pieces(config)[0]
    many, order = len(range(*hidden[0])), tuple(range(config.patches))
    took = fastest(
        {
            "run": lambda: record(model, image),
            "first": lambda: [relevance(trace, name, NONE) for name in AT_ONCE],
            "gradients": lambda: gradient_maps(trace, NONE),
            "hidden": lambda: occluded(trace, "grey", *hidden[0]),
            "part": lambda: maps_down_to(trace, 3, NONE),
            "trial": lambda: seen_in_part(trace, order, "blur", *first_piece),
        },
        ROUNDS[BASE],
    )
    each = took["hidden"] / many
    whole = took["first"] + took["gradients"] + config.patches * each
    macs = total_macs(config)
    report.at_most(f"{BASE}: first maps", took["first"], 1, "exact sum, attention, rollout, chance", " s")
    limit = (
        f"{config.patches} runs hide a patch each: {config.patches * macs / 1e12:.1f} T multiply-adds at "
        f"{macs / each / 1e9:.0f} G a second, of which two runs share {SHARED:.0%} at most: the last block's other "
        "rows, and q, k, v of the first; fewer bits would move the numbers"
    )
    report.at_most(f"{BASE}: six maps and chance", whole, 15, limit, " s")
    of_trial = took["trial"] / len(range(*first_piece))
    for name, said, is_so in (
        ("hiding every patch", took["run"], each),
        ("a point of a trial", took["run"], of_trial),
    ):
        off = max(said / is_so, is_so / said)
        report.at_most(f"{BASE}: {name}, said and so", off, 1.5, "before the first piece: as its own run took", "-fold")
    report.note("maps of a model drawn anew, in runs", took["part"] / took["run"], f"{ceil(took['part'])} s at most")


def of_one_run(trace: Trace) -> None:
    """All maps that take no further run."""
    for name in AT_ONCE:
        relevance(trace, name, NONE)
    gradient_maps(trace, NONE)


def put_all_to_trial(trace: Trace) -> None:
    """Six maps and chance, as pages have them put to trial: of maps that are there, with ends that all share."""
    made = kept(trace)
    for name in MAPS:
        if name != "occlusion":
            tried(made, trace.config, name, NONE, "grey")
    put_to_trial(trace, range(trace.config.patches), NONE, "grey")  # as many runs as occlusion's


def kept(trace: Trace) -> Callable[..., Any]:
    """Measures of a trace, each made once."""
    return cache(lambda function, *args: function(trace, *args))


def fastest(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of each work, the least of so many rounds, after one to warm up."""
    least: dict[str, float] = {}
    for turn in range(rounds + 1):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            if turn:
                least[name] = min(least.get(name, float("inf")), time.perf_counter() - began)
    return least
