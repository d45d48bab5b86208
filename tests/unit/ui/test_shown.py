"""Components that only show, beside Streamlit's own way to mount one."""

import re

from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st
from vitviz.ui.components import Code, component
js, html, css = "export default () => {};\\n", "<p>\\n</p>", "p {\\n}"
own = component("vitviz.any", lambda: Code(js, html, css))
streamlits = st.components.v2.component("vitviz.any", js=js, html=html, css=css)
for name, show in (("own", own), ("streamlits", streamlits)):
    for data in ([{"a": 1}], None):
        show(key=f"{name} {type(data)}", data=data)
"""


def test_they_reach_the_browser_as_streamlits_do_and_leave_nothing_in_the_session() -> None:
    app = AppTest.from_string(PAGE, default_timeout=60).run()
    assert not app.exception
    sent = [element.proto for element in app.get("bidi_component")]
    assert len(sent) == 4
    digest = re.compile("[0-9a-f]{32}")
    for own, streamlits in zip(sent[:2], sent[2:], strict=True):
        assert digest.sub("", own.id) == digest.sub("", streamlits.id).replace("streamlits", "own")
        own.id = streamlits.id = ""
        assert own == streamlits
    kept = str(app.session_state)
    assert "streamlits" in kept
    assert "own" not in kept


KEPT = """
import streamlit as st
from vitviz.ui import components as shown
made = st.session_state.setdefault("made", [])
written = shown.written
shown.written = lambda kind, element: made.append(element.json) or written(kind, element)
show = shown.component("vitviz.any", lambda: shown.Code(""), cache_size=2)
for data in "aabacda":
    show(key="one", data=data)
shown.written = written
"""


def test_messages_that_are_kept_are_written_once_as_long_as_they_are_asked_for() -> None:
    app = AppTest.from_string(KEPT, default_timeout=60).run()
    assert not app.exception
    assert "".join(element.proto.json for element in app.get("bidi_component")) == "aabacda"
    assert app.session_state["made"] == [*"abcda"]
