"""Where a ViT comes from: boxes hold what was counted, and nothing takes over from what came later."""

import re

import pytest
from vitviz.pages.overview.overview import lineage

from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import total_parameters
from vitviz.figures.counting import lineage as charts
from vitviz.model import Block, ViT

CONFIGS = [PRESETS["demo"], PRESETS["vit_base_patch16_224"], ViTConfig(layer_scale=True, norm_order="post")]


@pytest.mark.parametrize("config", CONFIGS)
def test_the_boxes_of_the_encoder_hold_the_whole_model(config: ViTConfig) -> None:
    boxes = lineage.encoder(config)
    chart = charts.halves(boxes, lineage.decoder())
    once = sum(box.parameters for box in boxes if box.text in ("embedding", "+ positions", "head"))
    each = sum(box.parameters for box in boxes) - once
    left_out = (
        config.dim * (1 + 2) + 2 * config.dim * config.depth * config.layer_scale
    )  # class token, last norm, scales
    assert once + config.depth * each + left_out == total_parameters(config)
    assert chart.numbers[0].values.tolist() == [box.parameters for box in boxes]
    assert all("here" in box.says for box in boxes)


@pytest.mark.parametrize("config", CONFIGS)
def test_a_decoders_block_has_another_attention_with_its_norm(config: ViTConfig) -> None:
    (block,) = ViT(config.with_(depth=1)).blocks
    assert isinstance(block, Block)
    scales = 0 if block.ls1 is None else sum(it.numel() for it in block.ls1.parameters())
    attends = [it for part in (block.attn, block.norm1) for it in part.parameters()]
    assert lineage.parameters_apart(config) == sum(it.numel() for it in attends) + scales


def test_nothing_takes_over_from_what_came_later() -> None:
    by_name = {it.name: it for it in lineage.MODELS}
    assert len(by_name) == len(lineage.MODELS)
    for model in lineage.MODELS:
        assert all(lineage.when(by_name[parent].paper) < lineage.when(model.paper) for parent in model.parents)
        said = re.search(r"\d{4}", model.paper.words)
        assert said
        assert int(lineage.when(model.paper)) == int(said[0])
    assert lineage.when(by_name["ViT"].paper) == pytest.approx(2020 + 9.5 / 12)
