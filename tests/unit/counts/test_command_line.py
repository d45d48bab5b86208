"""Counting as text: `vitviz count`, and rows as CSV."""

import csv
import io
import subprocess
import sys

import pytest

from tests.unit.counts.test_published import BASE, BASE_32_FLOWERS
from vitviz.counts import (
    csv_text,
    layer_table_text,
    parameters,
    total_parameters,
)
from vitviz.counts.__main__ import main


def test_layer_table_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch32_224", "classes=5", "--layer-table"])
    assert capsys.readouterr().out == layer_table_text(BASE_32_FLOWERS) + "\n"


def test_counts_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch16_224"])
    out = capsys.readouterr().out
    for figure in ("86,567,656", "86,415,592", "86,443,776", "17,563,828,224", "17.6 GMAC = 35.1 GFLOP", "173 MB"):
        assert figure in out


def test_any_field_can_be_changed_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["vit_base_patch16_224", "distilled=true", "activation=gelu_tanh", "epsilon=1e-5"])
    assert "87,338,192" in capsys.readouterr().out  # DeiT-B distilled


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ("patch_size=15", "224 divides by 14 or 16"),
        ("patch-size=16", "'patch-size' is no field of a model; there are image_size, patch_size, channels"),
        ("distilled=yes", "distilled is false, and 'yes' is nothing of that kind"),
        ("depth=true", "depth is 12, and 'true' is nothing of that kind"),
        ("heads", "heads is 12, and '' is nothing of that kind"),
        ("activation=elu", "activation 'elu' is none of gelu"),
    ],
)
def test_the_command_line_says_what_is_wrong_with_a_field(
    pair: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["vit_base_patch16_224", pair])
    assert sentence in capsys.readouterr().err


def test_csv_sums_to_the_total() -> None:
    table = list(csv.DictReader(io.StringIO(csv_text(parameters(BASE)))))
    assert sum(int(row["count"]) for row in table) == total_parameters(BASE)
    assert table[0]["shape"] == "768 3 16 16"


def test_counting_imports_no_tensor_library() -> None:
    program = "import sys, vitviz.counts; print([m for m in ('torch', 'numpy', 'einops') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
