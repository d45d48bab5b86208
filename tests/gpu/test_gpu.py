"""The same numbers on a GPU as on the processor, in every precision that it is offered in."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.unit.edits.conftest import logits, picture
from tests.unit.edits.test_record import EVERYTHING
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.engine import Request
from vitviz.engine.process import ProcessEngine
from vitviz.images import open_image
from vitviz.images.photos import PHOTOS
from vitviz.machine.device import describe, precisions
from vitviz.measures.attention import attention_by_layer, attention_row, attention_weights
from vitviz.measures.classes import logit_lens
from vitviz.measures.interventions import component_means
from vitviz.measures.laboratory.gradients import USUAL, gradients
from vitviz.model import ViT
from vitviz.trace import Trace, record
from vitviz.weights import load

# Of the largest number: 2⁻²⁴, 2⁻⁸ and 2⁻¹¹ a rounding, over all layers of the demo.
CLOSE = {"fp32": 1e-5, "bf16": 0.1, "fp16": 0.01}
MEASURES: dict[str, Callable[[Trace], NDArray[np.float32]]] = {
    "weights": lambda trace: attention_weights(trace, trace.config.depth - 1),
    "row": lambda trace: attention_row(trace, 2, 40),
    "distance": lambda trace: attention_by_layer(trace).distance,
    "rollout": lambda trace: attention_by_layer(trace).rollout,
    "lens": logit_lens,
}


def seen(where: str, precision: str = "fp32") -> Trace:
    """What the demo sees in the first photograph."""
    loaded = load("demo", device=where, precision=precision)
    pixels = loaded.preprocess(open_image(PHOTOS[0].read()))
    return record(loaded.model, pixels.to(loaded.model.device, loaded.model.dtype))


@pytest.fixture(scope="module")
def here() -> Trace:
    """On the processor."""
    return seen("cpu")


def test_models_lie_on_the_gpu_unless_somebody_asks_for_the_processor() -> None:
    assert {it.device.type for it in load("demo").model.parameters()} == {"cuda"}
    assert describe().kind == "cuda"
    assert describe().name == torch.cuda.get_device_name()
    assert describe().total == torch.cuda.get_device_properties(0).total_memory


@pytest.mark.parametrize("precision", CLOSE)
@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_is_that_of_the_processor(name: str, precision: str, here: Trace) -> None:
    if precision not in precisions(torch.device("cuda")):
        pytest.skip(f"this GPU is not offered in {precision}")
    measured, expected = MEASURES[name](seen("cuda", precision)), MEASURES[name](here)
    assert np.abs(measured - expected).max() < CLOSE[precision] * np.abs(expected).max()


@pytest.mark.parametrize("precision", CLOSE)
def test_a_block_run_again_is_what_the_walk_left(precision: str) -> None:
    if precision not in precisions(torch.device("cuda")):
        pytest.skip(f"this GPU is not offered in {precision}")
    trace = seen("cuda", precision)
    for layer in range(trace.config.depth):
        assert torch.equal(trace.inside(layer)["resid_post"].tensor, trace.residual_stream(layer + 1))


def test_gradients_are_those_of_the_processor(here: Trace) -> None:
    there, expected = gradients(seen("cuda"), 0, USUAL), gradients(here, 0, USUAL)
    assert there.loss == pytest.approx(expected.loss, rel=1e-4)
    np.testing.assert_allclose(there.stages, expected.stages, rtol=1e-3)
    np.testing.assert_allclose(there.streams, expected.streams, rtol=1e-3)


@pytest.mark.parametrize("text", EVERYTHING)
def test_an_edit_does_what_it_does_on_the_processor(text: str, tiny_config: ViTConfig) -> None:
    answers = []
    for where in ("cuda", "cpu"):
        model = ViT(tiny_config, seed=3).to(where)
        plain, other = (record(model, picture(seed).to(where)) for seed in (0, 1))
        edits, means = Edits.parse(text, tiny_config), component_means(model, [picture(2).to(where)])
        trace = record(model, picture(0).to(where), edits=edits, plain=plain, donor=other, means=means)
        assert torch.equal(trace.inside(2)["resid_post"].tensor, trace.residual_stream(3))
        answers.append(logits(trace).cpu())
    torch.testing.assert_close(*answers, rtol=1e-3, atol=1e-4)


def test_the_engine_of_its_own_process_has_the_gpu() -> None:
    engine = ProcessEngine()
    try:
        assert engine.submit(Request(describe)).result(120).value.kind == "cuda"
    finally:
        engine.close()
