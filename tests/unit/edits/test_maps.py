"""Maps that ask everything once: each cell against the edit that it stands for."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.unit.edits.conftest import logits, picture
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.measures import attention_weights, interventions
from vitviz.measures.attention import attention_by_layer, attention_row, attention_steps, rollout
from vitviz.measures.classes import logit_lens
from vitviz.measures.quantised import dequantise, quantised_forward, quantised_layer, quantised_rows
from vitviz.model import ViT
from vitviz.trace import Trace, record

Run = Callable[..., Trace]


def close(one: object, other: object) -> None:
    np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=2e-6)


@pytest.mark.parametrize("before", ["", "h1.2*0.5 p3 d=0.1"])
@pytest.mark.parametrize("end", ["*0", "=mean"])
def test_a_cell_of_the_heads_map_is_that_head_off_or_at_its_mean(
    before: str, end: str, edited: Run, means: dict[str, torch.Tensor]
) -> None:
    base, instead = edited(before), means if end == "=mean" else None
    for layer in range(3):
        changes = interventions.heads_off(base, layer, 0, 4, instead)
        close(interventions.heads_off(base, layer, 1, 3, instead), changes[1:3])
        for head in range(4):
            expected = logits(edited(f"{before} h{layer + 1}.{head + 1}{end}")) - logits(base)
            close(changes[head], expected[0])


@pytest.mark.parametrize("way", interventions.WAYS)
@pytest.mark.parametrize("before", ["", "w=1 e=off p9"])
def test_a_cell_of_the_occlusion_map_is_that_patch_hidden(before: str, way: str, edited: Run) -> None:
    base = edited(before)
    changes = interventions.occluded(base, way, 2, 6)
    for patch in range(2, 6):
        close(changes[patch - 2], (logits(edited(f"{before} p{patch + 1}={way}")) - logits(base))[0])


def test_a_patch_is_hidden_from_a_model_without_prefix_tokens(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(pool="attention"), seed=2)
    base = record(model, picture(0), edits=Edits.parse("w=0", model.config))
    changes = interventions.occluded(base, "masked", 2, 4)
    for patch in (2, 3):
        hidden = record(model, picture(0), edits=Edits.parse(f"w=0 p{patch + 1}", model.config))
        close(changes[patch - 2], (logits(hidden) - logits(base))[0])


def test_the_last_patch_of_all_cannot_be_hidden(tiny_config: ViTConfig) -> None:
    model = ViT(tiny_config.with_(pool="attention", image_size=8), seed=2)
    plain = record(model, torch.ones(1, 3, 8, 8))
    assert np.isnan(interventions.occluded(plain, "masked", 0, 1)).all()
    assert np.isfinite(interventions.occluded(plain, "grey", 0, 1)).all()


def test_a_cell_of_the_causal_trace_is_the_donors_state_put_in(edited: Run, tiny_trace: Trace, donor: Trace) -> None:
    for layer in range(3):
        found = interventions.put_in(tiny_trace, donor, layer, 0, 6)
        close(found[0], logits(edited(f"r{layer + 1}.x1"))[0])
        close(found[5], logits(edited(f"r{layer + 1}.5"))[0])


def test_the_share_that_moves_is_0_at_the_host_and_1_at_the_donor(tiny_trace: Trace, donor: Trace) -> None:
    host, other = (logits(trace)[0].numpy() for trace in (tiny_trace, donor))
    assert interventions.moved_share(host, host, other, 1, 3) == 0
    assert interventions.moved_share(other, host, other, 1, 3) == 1
    halfway = np.stack([host, (host + other) / 2])
    close(interventions.moved_share(halfway, host, other, 1, 3), [0, 0.5])
    assert np.isnan(interventions.moved_share(halfway, host, host, 1, 3)).all()


def test_enough_and_needed_are_the_same_share_told_from_both_ends(tiny_trace: Trace, donor: Trace) -> None:
    host, other = (logits(trace)[0].numpy() for trace in (tiny_trace, donor))
    found = interventions.put_in(tiny_trace, donor, 1, 0, 17)
    gained = interventions.moved_share(found, host, other, 1, 3)
    close(gained, interventions.moved_share(found, host, other, 3, 1))


def test_an_edited_run_stands_beside_the_plain_one(edited: Run, tiny_trace: Trace) -> None:
    trace = edited("h2.1*0 t3=0.5")
    answers = interventions.compared_answers(trace)
    close(answers.plain, logits(tiny_trace)[0])
    close(answers.edited, logits(trace)[0])
    close(answers.change, answers.edited - answers.plain)
    close(answers.edited_probabilities, logits(trace)[0].softmax(0))
    rows = interventions.compared_rows(trace, 2, 5)
    close(rows[0], attention_row(trace, 2, 5))
    close(rows[1], attention_row(tiny_trace, 2, 5))
    close(rows[2], rows[0] - rows[1])
    lenses = interventions.compared_lenses(trace)
    assert np.array_equal(lenses[0], logit_lens(trace))
    assert np.array_equal(lenses[1], logit_lens(tiny_trace))
    assert np.array_equal(lenses[0][:2], lenses[1][:2])
    assert not interventions.compared_answers(tiny_trace).change.any()


def test_what_leaves_moves_by_its_cosine_and_its_length(edited: Run, tiny_trace: Trace) -> None:
    cosine, length = interventions.moved(edited("h2.1*0 t3=0.5"))
    close(cosine[:2], np.ones(2))
    close(length[:2], np.zeros(2))
    own, other = (np.asarray(logits(it)[0], np.float64) for it in (tiny_trace, edited("h2.1*0 t3=0.5")))
    assert cosine[-1] == pytest.approx(own @ other / np.sqrt((own @ own) * (other @ other)), abs=1e-5)
    assert length[-1] ** 2 == pytest.approx((other @ other - 2 * own @ other) / (own @ own) + 1, abs=1e-5)


@pytest.mark.parametrize("text", ["t2=0.25", "k=3", "w=1", "p5-7", "s=none", "h2.1*0", "e=off", "r2.all", "d=0.1"])
def test_measures_of_attention_show_the_edited_run(text: str, edited: Run) -> None:
    trace = edited(text)
    for layer in range(3):
        inside = trace.inside(layer)
        scores = inside["attn.scores"].tensor[0]
        weights = attention_weights(trace, layer)
        close(weights, scores.softmax(-1))
        close(attention_row(trace, layer, 5), weights[:, 5])
        close(attention_steps(trace, layer, 2, 5).weights, weights[2, 5])
        assert dequantise(quantised_layer(trace, layer)) == pytest.approx(weights, abs=0.01)
    close(rollout(trace).sum(-1), np.ones((3, 17)))
    assert np.isfinite(attention_by_layer(trace).distance).all()
    assert dequantise(quantised_rows(trace, 3)).sum() == pytest.approx(12)


@pytest.mark.parametrize(
    ("text", "some"),
    [
        *(("h2.1-3*0", True), ("h2.1=mean", True), ("h2.4*1.5 a2*0.5", True)),
        *(("h2.1*2 b2*0", False), ("a2=mean.all", False), ("l=0.5@1", False), ("l=0.5@2", True)),
    ],
)
def test_a_rollout_counts_heads_as_far_as_edits_let_them_into_the_stream(text: str, some: bool, edited: Run) -> None:
    trace = edited(text)
    passed = [_through(trace, "blocks.1.attn.z", head, 17, 6) for head in range(4)]
    shares = np.array(passed) * _through(trace, "blocks.1.attn.out", 0, 17, 24)
    assert shares.any() == some
    before, after, _ = rollout(trace)
    step = (np.tensordot(shares, attention_weights(trace, 1), 1) / 4 + np.eye(17)) / (1 + shares.mean())
    close(after, step @ before)
    assert np.array_equal(after, before) != some


def _through(trace: Trace, name: str, head: int, tokens: int, dim: int) -> float:
    """Of a one that an edited value holds, how much is left of it."""
    ones = torch.ones(1, 4, tokens, dim) if name.endswith("z") else torch.ones(1, tokens, dim)
    return float((trace.change(name, ones) - trace.change(name, 0 * ones))[0, head].flatten()[0])


def test_maps_are_coded_in_passing_from_the_first_edited_layer_on(tiny_model: ViT, tiny_trace: Trace) -> None:
    image = tiny_trace["image"].tensor
    for text, ran in (("t2=0.25", 2), ("h3.1*0", 1), ("k=3 p5", 3)):
        edits = Edits.parse(text, tiny_model.config)
        trace, maps = quantised_forward(tiny_model, image, edits=edits, plain=tiny_trace)
        assert len(maps) == ran
        for layer, coded in enumerate(maps, start=3 - ran):
            assert np.array_equal(coded, quantised_layer(trace, layer))


def test_a_trace_counts_what_it_does_not_share_with_the_plain_one(edited: Run, tiny_trace: Trace) -> None:
    stream = 4 * 17 * 24
    assert edited("h3.1*0").nbytes == stream + 4 * 5
    assert edited("t=2").nbytes == 3 * stream + 4 * 5
    assert edited("t=2", shortcut=False).nbytes == tiny_trace.nbytes


def test_pictures_are_read_under_the_same_edits(edited: Run) -> None:
    trace = edited("h2.1*0 e=off k=3")
    close(trace.logits_of(trace["image"].tensor), logits(trace))
    assert torch.equal(trace.logits_of(picture(3)), trace.logits_of(picture(3)))
