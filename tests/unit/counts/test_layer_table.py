"""The layer table, as a well-known summary prints it: its rows, memory lines, text and tree."""

from collections.abc import Iterator

import pytest

from tests.unit.counts.test_published import BASE, BASE_32_FLOWERS, MODELS
from vitviz.config import PRESETS, ViTConfig
from vitviz.counts import (
    LayerRow,
    conventions,
    layer_table,
    layer_table_memory,
    layer_table_text,
    layer_tree,
)
from vitviz.counts.layers import Node


def test_published_rows_of_the_layer_table() -> None:
    rows = layer_table(BASE_32_FLOWERS)
    assert [row.index for row in rows] == list(range(1, 200))
    assert {
        row.index: (row.name, row.shape, row.parameters) for row in rows if row.index in (1, 5, 6, 7, 8, 13, 16)
    } == {
        1: ("Conv2d-1", (-1, 768, 7, 7), 2_360_064),
        5: ("LayerNorm-5", (-1, 50, 768), 1_536),
        6: ("Linear-6", (-1, 50, 2304), 1_771_776),
        7: ("Dropout-7", (-1, 12, 50, 50), 0),
        8: ("Linear-8", (-1, 50, 768), 590_592),
        13: ("Linear-13", (-1, 50, 3072), 2_362_368),
        16: ("Linear-16", (-1, 50, 768), 2_360_064),
    }
    assert (rows[198].name, rows[198].shape, rows[198].parameters) == ("Linear-199", (-1, 5), 3_845)


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("vit_base_patch32_224", (0.57, 95.61, 333.48, 429.66)),
        ("vit_base_patch16_224", (0.57, 408.54, 326.73, 735.84)),
        ("vit_large_patch32_224", (0.57, 253.01, 1165.25, 1418.84)),
        ("vit_huge_patch14_224", (0.57, 2358.66, 2404.94, 4764.17)),
    ],
)
def test_memory_lines_of_the_layer_table(name: str, memory: tuple[float, ...]) -> None:
    lines = layer_table_memory(PRESETS[name].with_(classes=5))
    shown = [lines.input, lines.forward_backward, lines.parameters, lines.total]
    assert tuple(round(line, 2) for line in shown) == memory


def test_layer_table_as_text() -> None:
    lines = layer_table_text(BASE_32_FLOWERS).split("\n")
    assert lines[3] == "            Conv2d-1            [-1, 768, 7, 7]       2,360,064"
    assert len(lines) == 3 + 199 + 10
    assert lines[-10:] == [
        "=" * 64,
        "Total params: 87,419,909",
        "Trainable params: 87,419,909",
        "Non-trainable params: 0",
        "-" * 64,
        "Input size (MB): 0.57",
        "Forward/backward pass size (MB): 95.61",
        "Params size (MB): 333.48",
        "Estimated Total Size (MB): 429.66",
        "-" * 64,
    ]


def test_layer_table_misses_the_bare_tensors_of_any_model() -> None:
    for config in MODELS:
        assert sum(row.parameters for row in layer_table(config)) == conventions(config)[1].total


@pytest.mark.parametrize("config", [BASE_32_FLOWERS, PRESETS["deit_base_distilled_patch16_224"], BASE.with_(classes=0)])
def test_the_tree_holds_every_row_of_the_layer_table_once(config: ViTConfig) -> None:
    def rows(nodes: tuple[Node, ...]) -> Iterator[LayerRow]:
        for node in nodes:
            yield from rows(node.parts)
            if node.row:
                yield node.row

    def check(nodes: tuple[Node, ...]) -> None:
        for node in nodes:
            if node.parts:
                assert node.parameters == sum(part.parameters for part in node.parts)
                check(node.parts)

    table = layer_table(config)
    branches = layer_tree(table)
    assert list(rows(branches)) == list(table)
    check(branches)
    assert [node.name for node in branches][:3] == ["patch_embed", "pos_drop", "blocks"]
