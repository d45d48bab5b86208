"""What edits cost against the plain fused forward pass, and the maps that ask everything once in seconds."""

from functools import partial

import torch

from benchmarks.report import Report
from benchmarks.timing import Work, cpu_seconds, interleaved, ratio
from vitviz.config import PRESETS
from vitviz.edits import NO_EDITS, Edits
from vitviz.machine.price import runs_at_once
from vitviz.measures.interventions import heads_off, occluded, put_in
from vitviz.measures.quantised import quantised_forward
from vitviz.model import ViT
from vitviz.trace import Trace, record

MODELS = {"demo": 40, "vit_base_patch16_224": 11}
TEMPERATURE = "t=2"
EDITS = {
    "one head of layer 1": "h1.1*0",
    "one patch, grey": "p40=grey",
    "a masked patch": "p40",
    "temperature, all layers": TEMPERATURE,
}


def measure(report: Report) -> None:
    """Edits, and the maps."""
    for preset, rounds in MODELS.items():
        report.section(f"Edits, {preset}: CPU time of {rounds} interleaved rounds, medians of the paired ratios")
        config = PRESETS[preset]
        model = ViT(config).eval().requires_grad_(False)
        images = torch.randn(2, 1, config.channels, config.image_size, config.image_size)
        trace, other = (record(model, image) for image in images)
        _time(report, trace, rounds)
        _maps(report, trace, other)


def _time(report: Report, trace: Trace, rounds: int) -> None:
    model, image, config = trace.model, trace["image"].tensor, trace.config
    late = f"h{config.depth // 2 + 1}.1*0"

    def run(text: str) -> object:
        return record(model, image, edits=Edits.parse(text, config), plain=trace)

    def run_with_maps() -> object:
        return quantised_forward(model, image, edits=Edits.parse(TEMPERATURE, config), plain=trace)

    works: dict[str, Work] = {name: partial(run, text) for name, text in EDITS.items()}
    works["record"] = lambda: record(model, image)
    works["no edits"] = lambda: record(model, image, edits=NO_EDITS, plain=trace)
    works["half"] = partial(run, late)
    works["maps"] = lambda: quantised_forward(model, image)
    works["edited maps"] = run_with_maps
    samples = interleaved(works, rounds)
    report.at_most("no edits / record(model, image)", ratio(samples, "no edits", "record"), 1.03, "the same run")
    for name in EDITS:
        report.at_most(f"{name} / record(model, image)", ratio(samples, name, "record"), 1.2, "all layers run again")
    report.at_most(
        "an edit in the middle / record(model, image)", ratio(samples, "half", "record"), 0.65, "half of the layers"
    )
    report.at_most(
        "temperature, with all coded maps / the same, plain",
        ratio(samples, "edited maps", "maps"),
        1.2,
        "scores are written out once, for the run and for the maps",
    )


def _maps(report: Report, trace: Trace, other: Trace) -> None:
    config, share = trace.config, (trace.config.depth + 1) / 2  # of a run from layer 1 on, over all layers
    many = runs_at_once(config, 0)
    heads = cpu_seconds(lambda: heads_off(trace, 0, 0, config.heads))
    occlusion = cpu_seconds(lambda: occluded(trace, "grey", 0, many)) / many
    causal = cpu_seconds(lambda: put_in(trace, other, 0, 0, many)) / many
    report.note("all heads", heads * share, f"{config.heads} of layer 1, times {share:g}", " s")
    report.note("occlusion", occlusion * config.patches, f"{many} patches, times {config.patches / many:g}", " s")
    report.note("causal trace", causal * config.tokens * share, f"{many} tokens at layer 1, as many as there are", " s")
