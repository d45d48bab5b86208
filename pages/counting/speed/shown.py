"""What stands on *Speed*."""

import streamlit as st

from vitviz import counts
from vitviz.counts.formula import tex
from vitviz.counts.tensors import DTYPE_BYTES
from vitviz.laboratory.timed import models_in_turn, vit_and_cnn
from vitviz.machine.device import PRECISIONS
from vitviz.measures.laboratory.memory import most_held
from vitviz.measures.speed import Speed, roof, speed
from vitviz.numbers import bytes_, exact, short, small
from vitviz.results import measure_long, measurement
from vitviz.selection import Selection
from vitviz.ui import page
from vitviz.ui.fallback import sentence
from vitviz.ui.server.client import engine

from . import networks, roofline, stages


def show(selection: Selection) -> None:
    config, size = selection.config, DTYPE_BYTES[PRECISIONS[selection.model.precision]]
    total = counts.total_macs(config)

    def draw(measured: Speed) -> None:
        """Stages, and the roof that they stand under."""
        rows = stages.lines(config, measured)
        forward = stages.StageTime("The whole forward pass", total, measured.forward, 1)
        alone = stages.spent(config, measured, size)
        highest = roof(alone, measured)
        peak = highest.peak / 2  # FLOPs are two to a multiply-accumulate
        inside, outside = ([row for row in rows if bool(row.calls) == called] for called in (True, False))

        with picture.container():
            stages.draw(
                inside,
                measured,
                forward,
                f"{short(total)}MAC in {small(1000 * measured.forward)} ms: {short(forward.rate)}MAC per second. The "
                f"highest rate measured here is that of {highest.peak_of}, {short(peak)}MAC per second. The quickest "
                "of a few rounds counts; on a busy machine the figures scatter.",
            )
        stages.show("Stages of the forward pass, counted and measured", inside, measured, peak, forward)
        st.caption(
            f"{stages.attention_told(config)}The rest: residual additions, joining the tokens, and all that is no "
            "stage of its own; below 0 where the stages take longer one by one than within the forward pass."
        )
        st.markdown(f"**The same arithmetic, another time.** {stages.same_arithmetic(config)}")
        stages.show("Same arithmetic, other time", outside, measured, peak)

        st.subheader("Roofline", anchor=False)
        page.sentence(
            "Find what stands left of the bend: it waits for memory. A stage reads its inputs and parameters and "
            "writes its result, each once: the fewer FLOPs for each of these bytes, the less the arithmetic of the "
            "device helps."
        )
        models, why_none = roofline.alike(selection.model, size, run)
        works = [*alone, *(it.spent for it in models)]
        top = roof(works, measured)
        roofline.draw(
            works, counts.stages_beside(config), (stages.WHOLE, *(it.spent.name for it in models)), top, measured
        )
        roofline.compare(config, models, top, why_none)
        st.caption(
            "One MAC is two FLOPs. [Williams et al. 2009](https://doi.org/10.1145/1498765.1498785) draw the roof; "
            "[Ma et al. 2018](https://arxiv.org/abs/1807.11164) call what is read and written memory access cost, also "
            "written MAC, and FLOPs an indirect metric. What a cache holds is not fetched again, and then memory seems "
            f"faster than it is; a cache of more than {bytes_(measured.copied)} may hold both ends of the large copy, "
            "too."
        )

    st.session_state.setdefault("speed_run", 0)
    st.button("Measure again", on_click=lambda: st.session_state.update(speed_run=st.session_state["speed_run"] + 1))
    run: int = st.session_state["speed_run"]
    picture = st.empty()
    if not engine().cached(measurement(selection, speed, run)):
        with picture.container():
            stages.await_clock(config)
    measured: Speed | None = None
    try:
        measured = measure_long(selection, speed, run)
    except RuntimeError as error:
        picture.caption(f"No stages are timed: {sentence(error)}.")
    if measured is not None:
        draw(measured)

    st.subheader("A ViT and a CNN", anchor=False)
    page.sentence(
        "Let the batch grow, or the picture: which of two networks of equal size bears it better on this device?"
    )
    networks.show(selection.model, run)

    if measured is not None:
        page.formula(
            r"\text{rate} = \frac{\text{MAC counted}}{\text{seconds measured}}",
            rf"\frac{{{exact(total)}}}{{{measured.forward:.4f}\,\text{{s}}}} = "
            rf"{exact(round(total / measured.forward / 1e6))}\,\text{{million per second}}",
        )
    fc1 = counts.traffic(config)["MLP, first layer"]
    page.formula(
        r"\frac{\text{FLOP}}{\text{byte}} = \frac{2\,\text{MAC}}{\text{bytes of a number} \cdot \text{numbers}}",
        rf"\text{{MLP, first layer: }} {size} \cdot ({tex(fc1.formula)}) = {size} \cdot ({tex(fc1.numbers)}) = "
        rf"{exact(size * fc1.count)}\,\text{{bytes}}",
    )
    page.formula(
        r"\frac{\text{FLOP}}{\text{s}} \le \min\left(\text{peak},\ \frac{\text{bytes}}{\text{s}} \cdot "
        r"\frac{\text{FLOP}}{\text{byte}}\right)"
    )
    page.source(speed, roof, counts.traffic, models_in_turn, vit_and_cnn, most_held)
