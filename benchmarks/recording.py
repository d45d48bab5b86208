"""What recording costs, what it holds, and what looking inside and edits cost: against the plain fused forward pass."""

from collections.abc import Iterable
from functools import partial

import torch
from torch import Tensor

from benchmarks.report import Report
from benchmarks.timing import Work, cpu_seconds, interleaved, ratio
from vitviz import measures
from vitviz.config import PRESETS, ViTConfig
from vitviz.edits import NO_EDITS, Edits
from vitviz.machine.price import runs_at_once
from vitviz.measures.interventions import heads_off, occluded, put_in
from vitviz.measures.quantised import quantised_forward
from vitviz.model import ViT
from vitviz.trace import Trace, record

MODELS = {"vit_base_patch16_224": 15, "vit_large_patch16_224": 9}
REPEATS = {"weights": 4, "row": 40}
EDITED = {"demo": 40, "vit_base_patch16_224": 11}
TEMPERATURE = "t=2"
EDITS = {
    "one head of layer 1": "h1.1*0",
    "one patch, grey": "p40=grey",
    "a masked patch": "p40",
    "temperature, all layers": TEMPERATURE,
}


def measure(report: Report) -> None:
    """Recording and looking inside, in time and bytes."""
    for preset, rounds in MODELS.items():
        report.section(f"Recording, {preset}: CPU time of {rounds} interleaved rounds, medians of the paired ratios")
        config = PRESETS[preset]
        model = ViT(config).eval().requires_grad_(False)
        image = torch.randn(1, config.channels, *config.image_sides)
        trace = record(model, image)
        _time(report, model, image, trace, rounds)
        _exactness(report, trace)
        _bytes(report, trace)
        if preset == "vit_base_patch16_224":
            _bytes_of_a_peer(report, config, trace)


def _time(report: Report, model: ViT, image: Tensor, trace: Trace, rounds: int) -> None:
    depth, layer = trace.config.depth, trace.config.depth // 2
    query = trace.config.tokens // 2

    @torch.no_grad()
    def plain() -> Tensor:
        return model(image)

    samples = interleaved(
        {
            "plain": plain,
            "record": lambda: record(model, image),
            "inside": lambda: trace.inside(layer),
            "weights": lambda: measures.attention_weights(trace, layer),
            "row": lambda: measures.attention_row(trace, layer, query),
        },
        rounds,
        REPEATS,
    )
    share = {name: ratio(samples, name, "plain") for name in samples}
    report.at_most(
        "record(model, image) / plain forward pass", share["record"], 1.03, "the trace keeps references only"
    )
    report.at_most("inside(layer) · depth / forward", share["inside"] * depth, 1.15, "one block again, all of it kept")
    report.at_most("attention weights of a layer / forward", share["weights"], 0.025, "queries and keys of one block")
    report.at_most("one attention row, all heads / forward", share["row"], 0.002, "no key is projected")


def _exactness(report: Report, trace: Trace) -> None:
    same = all(
        torch.equal(trace.inside(layer)["resid_post"].tensor, trace.residual_stream(layer + 1))
        for layer in range(trace.config.depth)
    )
    report.holds(
        "re-run block torch.equal to the forward pass, all layers", same, "same kernels, same shapes, same bits"
    )


def _bytes(report: Report, trace: Trace) -> None:
    config = trace.config
    beside = trace["image"].tensor.nbytes + trace["logits"].tensor.nbytes
    closed_form = 4 * (config.depth + 1) * config.tokens * config.dim
    held = bytes_held(activation.tensor for activation in trace.values())
    report.holds(
        f"bytes held: {held:,}", held == closed_form + beside, f"4·(depth+1)·t·dim = {closed_form:,}, image and logits"
    )


def _bytes_of_a_peer(report: Report, config: ViTConfig, trace: Trace) -> None:
    from transformers import ViTConfig as PeerConfig
    from transformers import ViTModel

    peer = ViTModel(
        PeerConfig(
            image_size=config.image_size,
            patch_size=config.patch_size,
            hidden_size=config.dim,
            num_hidden_layers=config.depth,
            num_attention_heads=config.heads,
            intermediate_size=config.mlp_dim,
        ),
        add_pooling_layer=False,
    ).eval()
    peer.set_attn_implementation("eager")
    with torch.no_grad():
        answer = peer(trace["image"].tensor, output_attentions=True, output_hidden_states=True)
    theirs = bytes_held([answer.last_hidden_state, *answer.attentions, *answer.hidden_states])
    ours = bytes_held(activation.tensor for name, activation in trace.items() if name != "image")
    why = f"all attentions and hidden states are {theirs:,}; the picture, given to both, is left out"
    report.at_least(f"bytes held by transformers' ViTModel / our {ours:,}", theirs / ours, 3.9, why)


def measure_edits(report: Report) -> None:
    """Edits, and the maps."""
    for preset, rounds in EDITED.items():
        report.section(f"Edits, {preset}: CPU time of {rounds} interleaved rounds, medians of the paired ratios")
        config = PRESETS[preset]
        model = ViT(config).eval().requires_grad_(False)
        images = torch.randn(2, 1, config.channels, *config.image_sides)
        trace, other = (record(model, image) for image in images)
        _time_edits(report, trace, rounds)
        _time_maps(report, trace, other)


def _time_edits(report: Report, trace: Trace, rounds: int) -> None:
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


def _time_maps(report: Report, trace: Trace, other: Trace) -> None:
    config, share = trace.config, (trace.config.depth + 1) / 2  # of a run from layer 1 on, over all layers
    many = runs_at_once(config, 0)
    heads = cpu_seconds(lambda: heads_off(trace, 0, 0, config.heads))
    occlusion = cpu_seconds(lambda: occluded(trace, "grey", 0, many)) / many
    causal = cpu_seconds(lambda: put_in(trace, other, 0, 0, many)) / many
    report.note("all heads", heads * share, f"{config.heads} of layer 1, times {share:g}", " s")
    report.note("occlusion", occlusion * config.patches, f"{many} patches, times {config.patches / many:g}", " s")
    report.note("causal trace", causal * config.tokens * share, f"{many} tokens at layer 1, as many as there are", " s")


def bytes_held(tensors: Iterable[Tensor]) -> int:
    """Bytes of the distinct storages behind `tensors`: a view keeps all of what it views."""
    storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
    return sum(storages.values())
