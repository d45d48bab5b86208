"""What recording costs, what it holds, and what it costs to look inside: against the plain fused forward pass."""

from collections.abc import Iterable

import torch
from torch import Tensor

from benchmarks.report import Report
from benchmarks.timing import interleaved, ratio
from vitviz import measures
from vitviz.config import PRESETS, ViTConfig
from vitviz.model import ViT
from vitviz.trace import Trace, record

MODELS = {"vit_base_patch16_224": 15, "vit_large_patch16_224": 9}
REPEATS = {"weights": 4, "row": 40}


def measure(report: Report) -> None:
    """Recording and looking inside, in time and bytes."""
    for preset, rounds in MODELS.items():
        report.section(f"Recording, {preset}: CPU time of {rounds} interleaved rounds, medians of the paired ratios")
        config = PRESETS[preset]
        model = ViT(config).eval().requires_grad_(False)
        image = torch.randn(1, config.channels, config.image_size, config.image_size)
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


def bytes_held(tensors: Iterable[Tensor]) -> int:
    """Bytes of the distinct storages behind `tensors`: a view keeps all of what it views."""
    storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
    return sum(storages.values())
