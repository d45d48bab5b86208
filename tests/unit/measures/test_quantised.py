"""Attention weights quantised to one byte each, and what is kept of them."""

import zlib
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.cases import each
from vitviz.config import PRESETS, ViTConfig
from vitviz.images import PHOTOS, open_image
from vitviz.measures.attention import attention_weights
from vitviz.measures.quantised import (
    FULL_LIGHT,
    TIMES_UNIFORM,
    deflated_light,
    dequantise,
    exact_weights,
    largest_variation,
    quantise,
    quantised_bytes,
    quantised_forward,
    quantised_layer,
    quantised_rows,
)
from vitviz.model import ViT
from vitviz.pages import FIRST
from vitviz.trace import Trace, record
from vitviz.weights import load


def variation(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Total variation between rows: the share of weight that lies elsewhere."""
    return np.abs(one - other).sum(axis=-1) / 2


@each(product([2, 65, 197, 1370], [0.01, 1, 2, 4, 20], [0, 3, 6]))
def test_a_row_keeps_its_weights(tokens: int, spread: float, peak: int) -> None:
    scores = spread * torch.randn(3, 50, tokens, generator=torch.Generator().manual_seed(2))
    scores[..., 0] += peak * spread + peak
    quantised, truth = quantise(scores.clone()), scores.double().softmax(dim=-1).numpy()
    assert quantised.dtype == np.uint8
    assert (quantised.max(axis=-1) == 255).all()
    np.testing.assert_allclose(dequantise(quantised).sum(axis=-1), 1, atol=1e-12)
    assert variation(dequantise(quantised), truth).max() < largest_variation(tokens)
    share = truth / truth.max(axis=-1, keepdims=True)
    assert np.abs((quantised / 255) ** 2 - share).max() <= 1.001 / 255


def worst_rows(tokens: int) -> Tensor:
    """Scores of rows with one large weight and equal others, each as far from its byte as rounding goes."""
    roots = np.concatenate([np.arange(1, 254) + off for off in (-0.499, 0.499)]) / 255
    scores = np.repeat(2 * np.log(roots)[:, None], tokens, axis=1)
    scores[:, 0] = 0
    return torch.from_numpy(scores)


@pytest.mark.parametrize(("tokens", "percent"), [(2, 0.13), (62, 0.99), (145, 1.53), (197, 1.78), (1370, 4.71)])
def test_the_bound_on_a_row_is_reached_and_not_passed(tokens: int, percent: float) -> None:
    scores = worst_rows(tokens)
    off = variation(dequantise(quantise(scores)), scores.softmax(dim=-1).numpy()).max()
    assert 0.99 * largest_variation(tokens) < off < largest_variation(tokens)
    assert round(100 * largest_variation(tokens), 2) == percent


def test_what_stands_under_the_root_of_the_bound_is_at_most_27_of_256() -> None:
    largest, rest = np.meshgrid(np.linspace(0, 1, 801), np.linspace(0, 1, 801))
    others = 1 - largest - rest
    under = largest * rest * (rest * others + (largest + others) ** 2)
    assert under[others >= 0].max() == pytest.approx(27 / 256, abs=1e-12)


def test_quantising_leaves_the_scores_alone() -> None:
    scores = torch.randn(2, 5, 5)
    kept = scores.clone()
    quantise(scores)
    assert torch.equal(scores, kept)


def test_a_layer_is_the_code_of_its_attention_weights(tiny_trace: Trace) -> None:
    for layer in range(tiny_trace.config.depth):
        quantised = quantised_layer(tiny_trace, layer)
        assert quantised.nbytes == quantised_bytes(tiny_trace.config)
        assert variation(dequantise(quantised), attention_weights(tiny_trace, layer)).max() < largest_variation(17)


def test_a_forward_quantises_in_passing_what_is_quantised_afterwards(tiny_model: ViT, tiny_trace: Trace) -> None:
    trace, maps = quantised_forward(tiny_model, tiny_trace["image"].tensor)
    assert len(maps) == tiny_trace.config.depth
    for layer, quantised in enumerate(maps):
        np.testing.assert_array_equal(quantised, quantised_layer(tiny_trace, layer))
    for name in tiny_trace.names:
        assert torch.equal(trace[name].tensor, tiny_trace[name].tensor)


@pytest.mark.parametrize("query", [0, 9])
def test_rows_of_one_query_are_rows_of_the_layers(tiny_trace: Trace, query: int) -> None:
    layers = np.stack([quantised_layer(tiny_trace, layer)[:, query] for layer in range(tiny_trace.config.depth)])
    assert np.abs(quantised_rows(tiny_trace, query).astype(int) - layers).max() <= 1


def test_exact_numbers_are_those_of_the_measures(tiny_trace: Trace) -> None:
    weights = attention_weights(tiny_trace, 1)
    np.testing.assert_array_equal(exact_weights(tiny_trace, 1, 9), [weights[:, 9], weights[:, :, 9]])


def test_rows_of_the_demo_model_are_as_near_as_the_docstring_says() -> None:
    demo = load("demo")
    off = []
    for photo in PHOTOS[:2]:
        trace = record(demo.model, demo.preprocess(open_image(photo.read())))
        off += [
            variation(dequantise(quantised_layer(trace, layer)), attention_weights(trace, layer))
            for layer in range(trace.config.depth)
        ]
    assert np.mean(off) < 0.002
    assert np.max(off) < 0.005


def test_bytes_of_a_published_size() -> None:
    config = PRESETS["vit_base_patch16_224"]
    assert config.depth * quantised_bytes(config) == 5_588_496


def steps_of(deflated: np.ndarray, layers: int, patches: int) -> np.ndarray:
    """Steps of light as a browser reads them: `layer q k`."""
    found = np.frombuffer(zlib.decompress(deflated.tobytes()), np.uint8)
    steps = np.stack([found & 15, found >> 4], axis=-1).ravel()[: layers * patches**2]
    return steps.reshape(layers, patches, patches).transpose(0, 2, 1)


def test_light_grows_with_the_root_of_the_weight() -> None:
    loaded = load("demo")
    trace = record(loaded.model, loaded.preprocess(open_image(PHOTOS[0].read())))
    layers = (0, 5)
    for layer, steps in zip(layers, steps_of(deflated_light(trace, layers), 2, 144), strict=True):
        weights = attention_weights(trace, layer).mean(axis=0)[1:, 1:]
        light = np.sqrt(np.minimum(1, weights * 145 / TIMES_UNIFORM))
        assert np.abs(steps / FULL_LIGHT - light).max() <= 0.5 / FULL_LIGHT + 1e-5


def test_an_odd_number_of_pairs_ends_in_half_a_byte() -> None:
    config = ViTConfig(image_size=12, patch_size=4, dim=8, depth=1, heads=2, mlp_dim=16, classes=3)
    trace = record(ViT(config).eval(), torch.zeros(1, 3, 12, 12))
    light = np.frombuffer(zlib.decompress(deflated_light(trace, (0,)).tobytes()), np.uint8)
    assert len(light) == 41
    assert light[-1] >> 4 == 0


@pytest.mark.parametrize(
    ("name", "size", "promised"),
    [
        ("demo", 96, True),
        ("demo", 8, True),
        ("vit_large_patch16_224", 224, True),
        ("vit_base_patch16_224", 1024, False),
    ],
)
def test_the_front_page_promises_light_where_some_is_sent(name: str, size: int, promised: bool) -> None:
    config = replace(PRESETS[name], image_size=size)
    says = FIRST.headline(FIRST.moments(config)[0], config)
    assert says.startswith("Move over the picture. Light:" if promised else "This is a Vision Transformer.")
