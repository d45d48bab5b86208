"""Statements of the lecture's documents that a page says in this model's own numbers."""

import numpy as np

from tests.pages.app import captions, healthy, live, shown, trace, visit
from vitviz.config import PRESETS
from vitviz.counts import block_split
from vitviz.measures.attention import attention_by_layer
from vitviz.measures.heads import kernels
from vitviz.measures.tokens import patch_positions, projection
from vitviz.numbers import exact, percent, small

BASE = PRESETS["vit_base_patch16_224"]


def test_a_block_is_twelve_squares_and_a_text_model_has_the_same_blocks() -> None:
    app = healthy(visit("parameters", model="vit_base_patch16_224"))
    said = captions(app)
    assert "squares of d · d = 589,824 numbers: 3 + 1 + 8 = 12" in said
    assert f"this one has {exact(sum(it.count for it in block_split(BASE)))}, and 12·d² is 7,077,888" in said
    assert "30,522 · 768 = 23,440,896" in said
    rule = next(it.value for it in app.main.markdown if "How good is" in it.value)
    assert "84,934,656 for 86,567,656 parameters, 98.1 %" in rule
    squares = next(data for alt, data in live(app, "chart").items() if alt.startswith("The matrices"))
    assert [area["width"] for area in squares["areas"] if area["row"]] == [3, 1, 8]
    text = next(data for alt, data in live(app, "chart").items() if alt.startswith("A word"))
    words = next(area for area in text["areas"] if area["row"] == "vocabulary")
    assert words["width"] == 23_440_896


def test_a_position_added_is_a_position_joined() -> None:
    app = healthy(visit("position_embedding", open="details", patch="31"))
    assert any("one-hot place" in it.value for it in app.main.success)
    own = trace(shown(app))
    tokens, places = projection(own).tokens, patch_positions(own)
    cosines = [t @ p / np.linalg.norm(t) / np.linalg.norm(p) for t, p in zip(tokens, places, strict=True)]
    angles = np.degrees(np.arccos(cosines))
    assert f"mean {small(angles.mean())}°, from {small(angles.min())}° to {small(angles.max())}°" in captions(app)


def test_a_head_stands_beside_a_convolution() -> None:
    app = healthy(visit("heads", open="details", layer="2", head="3"))
    own = trace(shown(app))
    kernel = kernels(own, 1, 3)[2]
    distance = attention_by_layer(own).distance
    said = captions(app)
    assert f"{percent(float(kernel[2:5, 2:5].sum()))} lies within 3 × 3" in said
    assert f"Mean distance {small(distance[1, 2])} patches" in said
    for layer, head in np.argwhere(distance <= 1):
        assert f"layer {layer + 1} head {head + 1} ({small(distance[layer, head])})" in said


def test_pixels_are_told_in_positions_of_bert_and_a_batch_repeats_what_is_learned_once() -> None:
    grid = healthy(visit("patch_grid", model="vit_base_patch16_224", open="details"))
    assert any("98.0 times as long as the 512 positions of BERT" in it.value for it in grid.main.markdown)
    shapes = healthy(visit("tensor_shapes", model="vit_base_patch16_224"))
    words = next(it.value for it in shapes.main.markdown if "batch of one" in it.value)
    assert "2 × 197 × 768" in words
    assert "1 × 1 × 768 → 2 × 1 × 768" in words
    qkv = healthy(visit("query_key_value", open="formula"))
    assert "√h or √n mean √dₕ" in captions(qkv)
