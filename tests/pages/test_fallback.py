"""What people see when the device cannot: the same model lighter, or the last good one, and always a sentence."""

from typing import Any

import pytest
import torch

from tests.engine_calls import GO
from tests.pages.app import inline_only, shown, tell_of_device, visit
from vitviz import forward
from vitviz.engine import Engine
from vitviz.forward import Forward
from vitviz.ui.server import client

TINY = "vit_tiny_patch16_224"
REAL = forward.run_forward
REFUSED: list[str] = []


def run_in_halves(loaded: Any, *rest: Any) -> Forward:
    """`run_forward` on a device that has room for two bytes a parameter."""
    if loaded.model.pos_embed.dtype == torch.float32 and loaded.config.dim == 192:
        raise torch.OutOfMemoryError("CUDA out of memory")
    return REAL(loaded, *rest)


def run_the_third_time(loaded: Any, *rest: Any) -> Forward:
    """`run_forward` on a machine whose GPU has no room for the model, where the engine tries twice, and whose memory
    has.
    """
    if loaded.config.dim == 192 and len(REFUSED) < 2:
        REFUSED.append("on the GPU")
        raise torch.OutOfMemoryError("CUDA out of memory")
    return REAL(loaded, *rest)


def run_the_demo_only(loaded: Any, *rest: Any) -> Forward:
    """`run_forward` on a device that has room for the demo model."""
    if loaded.config.dim == 192:
        raise torch.OutOfMemoryError("CUDA out of memory")
    return REAL(loaded, *rest)


def run_for_ever_but_the_demo(loaded: Any, *rest: Any) -> Forward:
    """`run_forward` of a model that comes to no end before the test does: a thread goes on after it, and would take a
    processor from all tests that follow.
    """
    if loaded.config.dim == 192:
        GO.wait()
    return REAL(loaded, *rest)


def test_a_model_too_large_in_fp32_is_shown_in_bf16_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "run_forward", run_in_halves)
    app = visit("depth", model=TINY, seed="101")
    for _ in range(2):  # the second run knows already
        assert not app.exception
        assert [warning.value for warning in app.warning] == [
            "the device is out of memory for this model and picture; choose a smaller model. "
            "Shown: the same model in bf16, which is approximate."
        ]
        assert (shown(app).model.precision, shown(app).model.seed) == ("bf16", 101)
        app.run()
    app.selectbox(key="model").set_value("demo").run()
    assert (shown(app).model.name, shown(app).model.precision) == ("demo", "fp32")
    assert not app.warning


def test_on_a_gpu_the_cpu_comes_last_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tell_of_device(monkeypatch, "fp32", kind="cuda")
    monkeypatch.setattr(forward, "run_forward", run_the_third_time)
    app = visit("depth", model=TINY, seed="102")
    assert not app.exception
    assert [warning.value for warning in app.warning] == [
        "the device is out of memory for this model and picture; choose a smaller model. "
        "Shown: the same model on the CPU, which is slower."
    ]
    assert (shown(app).model.device, shown(app).model.precision) == ("cpu", "fp32")


def test_where_nothing_lighter_fits_the_last_model_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "run_forward", run_the_demo_only)
    app = visit("depth")
    app.selectbox(key="model").set_value(TINY).run()
    assert not app.exception
    assert "out of memory" in app.error[0].value
    assert app.error[0].value.endswith("The previous model is still shown.")
    assert shown(app).model.name == "demo"


@inline_only
def test_a_full_queue_leaves_the_last_view_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit("depth")
    before = shown(app)
    usual, full = client.engine(), Engine(most_waiting=0)
    assert isinstance(usual, Engine)
    monkeypatch.setattr(full, "_results", usual._results)
    monkeypatch.setattr(client, "engine", lambda: full)
    app.selectbox(key="model").set_value("vit_small_patch16_224").run()  # which no other test has left in the results
    assert not app.exception
    assert app.error[0].value.startswith("0 requests are waiting and the limit is 0; try again in about")
    assert shown(app) == before


@pytest.mark.usefixtures("fresh_calls")
def test_a_forward_that_does_not_end_leaves_the_last_view_on_screen_and_the_next_one_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = visit("depth")
    before = shown(app)
    engine = Engine(deadline=3.0)
    monkeypatch.setattr(client, "engine", lambda: engine)
    monkeypatch.setattr(forward, "run_forward", run_for_ever_but_the_demo)
    app.selectbox(key="model").set_value(TINY).run()
    for _ in range(2):
        assert not app.exception
        assert [error.value for error in app.error] == [
            "this took longer than the 3 s that one request may take; choose a smaller model or fewer, larger patches. "
            "The previous model is still shown."
        ]
        assert shown(app) == before
        app.run()
    assert (engine.status().failed, engine.status().restarts) == (1, 1)
    app.pills(key="sample").set_value("left")
    app.selectbox(key="model").set_value("demo").run()
    assert not app.error
    assert (shown(app).model.name, shown(app).picture.id) == ("demo", "left")


def test_a_link_whose_numbers_are_none_leaves_the_last_view_on_screen() -> None:
    sizes = {"image_size": "32", "patch_size": "8", "dim": "1", "depth": "2", "heads": "1", "mlp_dim": "4"}
    app = visit("query_key_value", model="build-your-own", epsilon="1e-300", **sizes)
    assert [error.value for error in app.exception] == []
    assert "leaves the range of float32 numbers" in app.error[0].value
    assert shown(app).model.name == "demo"
