"""A logit as a sum: it ends at the logit of the run, and each share is what leaves when its part is taken out."""

from typing import Any

import numpy as np
import pytest
import torch
from einops import rearrange

from tests.cases import each
from tests.unit.counts.random_models import random_configs
from tests.unit.switches.test_every_switch import SWITCHES, lifted, picture
from vitviz.config import ViTConfig
from vitviz.images import open_image
from vitviz.measures.classes import result
from vitviz.measures.logit_sum import NONE, LogitSum, logit_sum, two_classes
from vitviz.model import ViT
from vitviz.samples import samples
from vitviz.trace import Trace, record
from vitviz.weights import Loaded

CLOSE = 1e-5  # of the logit, or of the largest share where they cancel each other


def is_whole(found: LogitSum) -> bool:
    largest = max(abs(found.logit), *(np.abs(it).max() for it in (found.heads, found.mlps, found.embedding)))
    return abs(found.total - found.logit) <= CLOSE * largest


def traced(config: ViTConfig, seed: int = 2) -> Trace:
    """The run of a random model in float64: what its sum lacks is no rounding."""
    return record(lifted(ViT(config, seed)).double(), picture(config).double())


@each(SWITCHES)
def test_with_every_switch_all_shares_add_up_to_the_logit(name: str, tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(**SWITCHES[name]))
    for label, against in ((NONE, NONE), (2, NONE), (1, 3)):
        found = logit_sum(trace, label, against)
        assert is_whole(found), (label, against, found.total, found.logit)


@pytest.mark.parametrize("seed", range(4))
def test_so_they_do_with_any_mixture_of_switches(seed: int) -> None:
    for config in random_configs(8, seed):
        found = logit_sum(traced(config, seed), 0 if config.classes == 1 else NONE)
        assert is_whole(found), (config, found.total, found.logit)


def test_of_the_demo_they_do_for_every_class_and_every_pair(demo: Loaded) -> None:
    trace = record(demo.model, demo.preprocess(open_image(samples()["fish"].data)))
    logits, best = result(trace), int(result(trace).argmax())
    assert two_classes(trace, NONE) == (best, NONE) == two_classes(trace, best, best)
    singles = [logit_sum(trace, label) for label in range(demo.config.classes)]
    for label, found in enumerate(singles):
        assert found.logit == logits[label]
        assert abs(found.total - found.logit) <= CLOSE * abs(found.logit)
    pair = logit_sum(trace, best, 3)
    np.testing.assert_allclose(pair.heads, singles[best].heads - singles[3].heads, atol=1e-5)
    np.testing.assert_allclose(pair.mlps, singles[best].mlps - singles[3].mlps, atol=1e-5)
    np.testing.assert_allclose(pair.layers[:, : demo.config.heads], pair.heads.sum(axis=2), atol=1e-5)


def test_a_share_is_what_one_head_hands_on_of_one_token(demo: Loaded) -> None:
    """By another way: autograd's slope of the logit behind a norm whose statistics are numbers."""
    trace = record(demo.model, demo.preprocess(open_image(samples()["cat"].data)))
    w, depth = {name: it.double() for name, it in demo.model.state_dict().items()}, demo.config.depth
    token = trace.residual_stream(depth)[0, 0].double()
    mean, deviation = token.mean(), (token.var(correction=0) + demo.config.epsilon).sqrt()
    leaf = token.clone().requires_grad_()
    normed = (leaf - leaf.mean() - mean + mean) / deviation * w["norm.weight"] + w["norm.bias"]
    logit = normed @ w["head.weight"][5] + w["head.bias"][5]
    (slope,) = torch.autograd.grad(logit, leaf)
    inside = trace.inside(2)
    weights, values = (inside[name].tensor[0].double() for name in ("attn.weights", "attn.v"))
    proj = rearrange(w["blocks.2.attn.proj.weight"], "d (h i) -> h i d", h=demo.config.heads)
    share = weights[1, 0, 70] * values[1, 70] @ proj[1] @ slope
    assert logit_sum(trace, 5).heads[2, 1, 70] == pytest.approx(float(share), rel=1e-5)


@pytest.mark.parametrize(
    ("changes", "read"),
    [({}, 1), ({"distilled": True}, 2), ({"pool": "mean", "registers": 2}, 16), ({"pool": "flatten"}, 16)],
    ids=str,
)
def test_how_many_tokens_are_read(changes: dict[str, Any], read: int, tiny_config: ViTConfig) -> None:
    config = tiny_config.with_(**changes)
    assert config.patches == 16
    assert logit_sum(traced(config), 1).read == read


def test_a_component_of_a_model_without_classes_is_such_a_sum(tiny_config: ViTConfig) -> None:
    trace = traced(tiny_config.with_(classes=0))
    found = logit_sum(trace, 7)
    assert found.logit == result(trace)[7]
    assert is_whole(found)


def test_nothing_is_left_on_the_model(demo: Loaded) -> None:
    before = {name: (it.requires_grad, it.grad) for name, it in demo.model.named_parameters()}
    logit_sum(record(demo.model, picture(demo.config)), NONE)
    assert {name: (it.requires_grad, it.grad) for name, it in demo.model.named_parameters()} == before
