"""Speed: the measured beside the counted, on this device."""

import streamlit as st

from vitviz import counts
from vitviz.charts import counts as charts
from vitviz.measures.speed import speed
from vitviz.numbers import exact, short, small
from vitviz.ui import page
from vitviz.ui.results import measure_long
from vitviz.ui.sections.counting.speed import REST, Line, fastest, lines, show
from vitviz.ui.selection import current

selection = current()
page.sentence(
    "The same number of operations can take different time. Layer norms and GELU cost time although they have no "
    "multiply-accumulates. Beside the count of each stage stands the time that this device takes for it."
)
st.session_state.setdefault("speed_run", 0)
st.button("Measure again", on_click=lambda: st.session_state.update(speed_run=st.session_state["speed_run"] + 1))
measured = measure_long(selection, speed, st.session_state["speed_run"])
rows = lines(selection.config, measured)
total = counts.total_macs(selection.config)
forward = Line("The whole forward pass", total, measured.forward, 1)
what, peak = fastest([*rows, forward], measured)
inside, beside = ([row for row in rows if bool(row.calls) == called] for called in (True, False))

page.chart(
    charts.counted_and_measured(
        [(row.stage, row.macs / total, row.seconds / measured.forward) for row in inside if row.stage != REST]
    ),
    "Stages, counted and measured",
    f"{short(total)}MAC in {small(1000 * measured.forward)} ms: {short(forward.rate)}MAC per second. The highest rate "
    f"measured here is that of {what}, {short(peak)}MAC per second. The quickest of a few rounds counts; on a busy "
    "machine the figures scatter.",
    "speed",
)
show("Stages of the forward pass, counted and measured", inside, measured, peak, forward)
st.caption(
    "The rest: residual additions, joining the tokens, and all that is no stage of its own; below 0 where the stages "
    "take longer one by one than within the forward pass."
)
st.markdown(
    "**The same arithmetic, another time.** Written out, attention makes the same products as the fused one, and "
    "stores the weights between them. Token by token, the projections make the same products as all at once, but every "
    "token fetches the whole matrix from memory again."
)
show("Same arithmetic, other time", beside, measured, peak)
page.formula(
    r"\text{rate} = \frac{\text{MAC counted}}{\text{seconds measured}}",
    rf"\frac{{{exact(total)}}}{{{measured.forward:.4f}\,\text{{s}}}} = "
    rf"{exact(round(forward.rate / 1e6))}\,\text{{million per second}}",
)
page.source(speed)
