"""The lines of Speed: rows that sum to the measured forward."""

import pytest
from vitviz.pages.counting.speed.stages import REST, lines, spent

from vitviz.config import PRESETS
from vitviz.counts import mac_steps
from vitviz.measures.speed import PRODUCT, Speed, Timing, roof

CONFIG = PRESETS["demo"]


@pytest.mark.parametrize("forward", [0.05, 0.001], ids=["some rest", "stages that are slower by themselves"])
def test_the_rest_makes_the_rows_sum_to_the_forward(forward: float) -> None:
    stages = (
        Timing("patch embedding", 0.001, 1),
        Timing("MLP, first layer", 0.002, CONFIG.depth),
        Timing("softmax", 0.003, 0),
    )
    found = lines(CONFIG, Speed(stages, forward, 1e9, 1e10, 1 << 27))
    assert sum(line.seconds for line in found if line.calls) == pytest.approx(forward, rel=1e-12)
    (rest,) = (line for line in found if line.stage == REST)
    assert (rest.macs, rest.seconds < 0) == (0, forward == 0.001)
    assert sum(line.macs for line in found if line.calls) == sum(
        mac_steps(CONFIG)[step] for step in ("patch embedding", "MLP, first layer")
    )


@pytest.mark.parametrize("seconds", [1.0, 1e-12], ids=["slower than the large product", "faster than it"])
def test_no_stage_is_faster_than_the_yardstick(seconds: float) -> None:
    measured = Speed(
        (Timing("MLP, first layer", seconds, CONFIG.depth), Timing("softmax", 0.003, 0)), 50.0, 1e9, 1e10, 1 << 27
    )
    rows = lines(CONFIG, measured)
    highest = roof(spent(CONFIG, measured, 4), measured)
    assert highest.peak_of == (PRODUCT if seconds == 1 else "MLP, first layer")
    assert max(2 * row.rate for row in rows) <= highest.peak
    assert highest.peak >= 2 * measured.peak
