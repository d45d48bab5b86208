"""What an edit does to a forward pass, each against a computation that knows nothing of edits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.cases import each
from tests.unit.edits.conftest import logits, picture
from vitviz.config import ViTConfig
from vitviz.edits import NO_EDITS, Edits, EditsError
from vitviz.measures import heads
from vitviz.measures.interventions import component_means
from vitviz.model import ViT
from vitviz.recording import into
from vitviz.trace import Trace, record

FAMILIES: list[dict[str, Any]] = [
    {},
    {"distilled": True, "patch_norm": True},
    {"registers": 2, "prefix_positions": False, "layer_scale": True, "activation": "swiglu"},
    {"input_norm": True, "pool": "attention", "activation": "gelu_tanh"},
    {"positions": "relative"},
    {"positions": "rotary", "head_dim": 8},
    {"positions": "learned_2d", "positions_at": "every_layer"},
]
EVERYTHING = (
    "h3.1*0",
    "a2*0.5",
    "m3*0",
    "b2*0",
    "t2=0.25",
    "s=none",
    "k3=4",
    "w=1",
    "c2",
    "p5-7",
    "p5-7=removed",
    "p5-7=grey",
    "p5-7=blur",
    "p5-7=paste",
    "i2=9",
    "i=shuffled@3",
    "e2=9",
    "e=off",
    "o6=1.5",
    "d=0.2@7",
    "l=0.5@3",
    "r2.3-9",
    "r3.all",
    "h3.1=mean",
    "a2=mean.all",
    "m1=mean",
)


def test_no_edits_are_the_plain_run_to_the_last_bit(tiny_model: ViT, tiny_trace: Trace, donor: Trace) -> None:
    image = tiny_trace["image"].tensor
    for none in (NO_EDITS, Edits.parse("h3.1*0 h3.1*1 t=1", tiny_model.config)):
        again = record(tiny_model, image, edits=none, plain=donor)
        assert again.names == tiny_trace.names
        for name in again.names:
            assert torch.equal(again[name].tensor, tiny_trace[name].tensor)


@each(EVERYTHING)
def test_every_edit_changes_the_answer_and_can_be_looked_into(
    text: str, edited: Callable[..., Trace], tiny_trace: Trace
) -> None:
    trace = edited(text)
    assert str(trace.edits) == str(Edits.parse(text, trace.config))
    assert trace.names == tiny_trace.names
    assert not torch.equal(logits(trace), logits(tiny_trace))
    assert torch.equal(logits(trace), logits(edited(text, shortcut=False)))
    assert torch.equal(trace.embedding()["resid_post"].tensor, trace.residual_stream(0))
    for layer in range(trace.config.depth):
        inside = trace.inside(layer)
        assert set(inside.names) == set(tiny_trace.inside(layer).names)
        assert torch.equal(inside["resid_post"].tensor, trace.residual_stream(layer + 1))
    assert torch.equal(trace.readout()["logits"].tensor, logits(trace))


@each(EVERYTHING)
def test_what_lies_before_the_first_edit_comes_out_of_the_plain_trace(
    text: str, edited: Callable[..., Trace], tiny_model: ViT, tiny_trace: Trace, donor: Trace, means: dict[str, Tensor]
) -> None:
    values: dict[str, Tensor] = {}
    trace, seen = edited(text), into(values)
    first = trace.edits.first
    assert first is not None
    record(
        tiny_model,
        tiny_trace["image"].tensor,
        seen,
        edits=trace.edits,
        plain=tiny_trace,
        donor=donor,
        means=means,
    )
    ran = {int(name.split(".")[1]) for name in values if name.endswith("norm1")}
    assert ran == set(range(max(first, 0), trace.config.depth))
    assert ("embed.patches" in values) == (first < 0)
    for layer in range(first):
        assert trace.residual_stream(layer) is tiny_trace.residual_stream(layer)


@each(product(EVERYTHING, FAMILIES))
def test_families_can_be_edited(text: str, changes: dict[str, Any], tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(**changes), seed=3)
    plain, other = record(model, picture(0)), record(model, picture(1))
    edits = Edits.parse(text, model.config)
    means = component_means(model, [picture(2)])
    trace = record(model, picture(0), edits=edits, plain=plain, donor=other, means=means)
    assert logits(trace).isfinite().all()
    assert not torch.equal(logits(trace), logits(plain))
    for layer in range(3):
        inside = trace.inside(layer)
        assert torch.equal(inside["resid_post"].tensor, trace.residual_stream(layer + 1))
        rows = inside["attn.weights"].tensor.sum(dim=-1)
        torch.testing.assert_close(rows, torch.ones_like(rows))
    assert torch.equal(trace.readout()["logits"].tensor, logits(trace))


def test_a_head_is_its_slice_before_the_output_projection(tiny_config: ViTConfig) -> None:
    model, dh = ViT(tiny_config, seed=2), tiny_config.head_dim
    trace = record(model, picture(0), edits=Edits.parse("h2.3*0", tiny_config))
    with torch.no_grad():
        model.get_parameter("blocks.1.attn.proj.weight")[:, 2 * dh : 3 * dh] = 0
    torch.testing.assert_close(logits(trace), logits(record(model, picture(0))))


def test_a_block_that_is_off_is_the_identity(edited: Callable[..., Trace], tiny_model: ViT) -> None:
    trace = edited("b2*0")
    assert torch.equal(trace.residual_stream(2), trace.residual_stream(1))
    blocks = tiny_model.blocks
    expected = tiny_model.classify(blocks[2](blocks[0](tiny_model.embed(trace["image"].tensor))))
    assert torch.equal(logits(trace), expected)
    everything = edited("b1*0 b2*0 b3*0")
    assert torch.equal(everything.residual_stream(3), everything.residual_stream(0))


def test_a_block_that_is_off_is_its_attention_and_its_mlp_off(edited: Callable[..., Trace]) -> None:
    assert torch.equal(logits(edited("b2*0")), logits(edited("a2*0 m2*0")))
    torch.testing.assert_close(logits(edited("b2*0.5")), logits(edited("a2*0.5 m2*0.5")))


def test_the_bias_of_the_output_projection_belongs_to_no_head(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config, seed=2)
    with torch.no_grad():
        model.get_parameter("blocks.1.attn.proj.bias").normal_(generator=torch.Generator().manual_seed(0))
    no_heads, no_attention = (
        record(model, picture(0), edits=Edits.parse(text, tiny_config)) for text in ("h2.1-4*0", "a2*0")
    )
    left = no_heads.inside(1)["attn.out"].tensor
    bias = model.get_parameter("blocks.1.attn.proj.bias")
    assert torch.equal(left, bias.expand_as(left))
    assert not no_attention.inside(1)["attn.out"].tensor.any()
    difference = no_heads.inside(1)["resid_mid"].tensor - no_attention.inside(1)["resid_mid"].tensor
    torch.testing.assert_close(difference, bias.expand_as(difference))


@pytest.mark.parametrize("text", ["", "h2.1*0.5 h2.3*0"])
def test_the_shares_of_the_heads_and_the_bias_are_what_attention_adds(text: str, edited: Callable[..., Trace]) -> None:
    trace = edited(text)
    shares = torch.tensor(heads.head_shares(trace, 1, 5))
    bias = trace.block(1).attn.proj.bias
    torch.testing.assert_close(shares.sum(0) + bias, trace.inside(1)["attn.out"].tensor[0, 5])


def test_scales_multiply_what_is_added(edited: Callable[..., Trace], tiny_trace: Trace) -> None:
    before = tiny_trace.inside(1)
    half, more = edited("a2*0.5").inside(1), edited("m2*1.5").inside(1)
    assert torch.equal(half["attn.out"].tensor, before["attn.out"].tensor * 0.5)
    assert torch.equal(more["mlp.out"].tensor, before["mlp.out"].tensor * 1.5)
    assert torch.equal(edited("h2.4*0.5").inside(1)["attn.z"].tensor[:, 3], before["attn.z"].tensor[:, 3] * 0.5)


def test_means_are_over_the_reference_set_and_never_over_features(
    edited: Callable[..., Trace], tiny_model: ViT, tiny_trace: Trace
) -> None:
    traces = [record(tiny_model, image[None]) for image in (*picture(5, 3), *picture(6, 2))]

    def mean(name: str) -> Tensor:
        return torch.stack([trace.inside(1)[name].tensor[0] for trace in traces]).mean(0)

    each, all_tokens = edited("h2.3=mean").inside(1), edited("h2.3=mean.all").inside(1)
    torch.testing.assert_close(each["attn.z"].tensor[0, 2], mean("attn.z")[2])
    torch.testing.assert_close(all_tokens["attn.z"].tensor[0, 2, 7], mean("attn.z")[2].mean(0))
    assert torch.equal(each["attn.z"].tensor[:, [0, 1, 3]], tiny_trace.inside(1)["attn.z"].tensor[:, [0, 1, 3]])
    torch.testing.assert_close(edited("a2=mean").inside(1)["attn.out"].tensor[0], mean("attn.out"))
    torch.testing.assert_close(edited("m2=mean.all").inside(1)["mlp.out"].tensor[0, 4], mean("mlp.out").mean(0))


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_the_donors_states_at_all_tokens_are_the_donors_logits(
    layer: int, edited: Callable[..., Trace], donor: Trace
) -> None:
    assert torch.equal(logits(edited(f"r{layer}.all")), logits(donor))


def test_the_donors_states_at_some_tokens_leave_the_others(
    edited: Callable[..., Trace], tiny_trace: Trace, donor: Trace
) -> None:
    stream = edited("r2.x1 r2.4-6").residual_stream(1)
    put_in = [0, 4, 5, 6]
    kept = [token for token in range(17) if token not in put_in]
    assert torch.equal(stream[:, put_in], donor.residual_stream(1)[:, put_in])
    assert torch.equal(stream[:, kept], tiny_trace.residual_stream(1)[:, kept])


def test_an_edited_run_leaves_nothing_on_the_model(tiny_model: ViT, edited: Callable[..., Trace]) -> None:
    before = {name: set(vars(module)) for name, module in tiny_model.named_modules()}
    parameters = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    for text in EVERYTHING:
        edited(text).inside(1)
    assert {name: set(vars(module)) for name, module in tiny_model.named_modules()} == before
    assert all(torch.equal(value, parameters[name]) for name, value in tiny_model.state_dict().items())
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in tiny_model.modules())


def test_people_with_different_edits_never_mix(edited: Callable[..., Trace]) -> None:
    alone = {text: logits(edited(text)) for text in EVERYTHING}
    with ThreadPoolExecutor(4) as people:
        together = list(people.map(lambda text: (text, logits(edited(text))), EVERYTHING * 8))
    assert all(torch.equal(answer, alone[text]) for text, answer in together)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("r2.5", "“r2.5” needs a second picture, and there is none; choose one"),
        ("p5=paste", "“p5=paste” needs a second picture, and there is none; choose one"),
        ("m1=mean", "“m1=mean” needs means over a reference set, and there are none; scale by 0 instead"),
    ],
)
def test_what_is_missing_beside_the_model_is_said(text: str, sentence: str, tiny_model: ViT) -> None:
    with pytest.raises(EditsError) as raised:
        record(tiny_model, picture(0), edits=Edits.parse(text, tiny_model.config))
    assert str(raised.value) == sentence


@each(EVERYTHING)
def test_edits_are_made_in_the_numbers_of_the_model(text: str, tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config, seed=3).bfloat16()
    plain, other = (record(model, picture(seed).bfloat16()) for seed in (0, 1))
    edits, means = Edits.parse(text, tiny_config), component_means(model, [picture(2).bfloat16()])
    trace = record(model, picture(0).bfloat16(), edits=edits, plain=plain, donor=other, means=means)
    assert logits(trace).dtype == torch.bfloat16
    assert torch.equal(trace.inside(2)["resid_post"].tensor, trace.residual_stream(3))
