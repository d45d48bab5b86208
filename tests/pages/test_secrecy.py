"""What a stranger may learn and may do: nothing of the server in an error, and no markup in a name they bring."""

import errno
import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
from safetensors.torch import save as as_bytes
from streamlit.testing.v1 import AppTest

from tests.checkpoints import TIMM, save, shaken_state
from tests.pages.app import healthy, html, turn_to, visit
from vitviz.ui import page, results
from vitviz.ui.links import escaped
from vitviz.ui.navigation import ENTRIES
from vitviz.ui.sidebar import checkpoints, panel
from vitviz.ui.widgets import predictions

SECRET = "/srv/secret/key.pem"
NAMES = [
    "![x](http://h.invalid/a.png)",
    "<img src=http://h.invalid/b.png>",
    "<script>document.title = 'x'</script>",
    "$x^2$ :material/home: :red[x]",
    "[a](javascript:alert(1)) <a href='http://h.invalid'>a</a> {query} **b**",
]
TAG = re.compile(r'<(img|script)\b|<a\b(?! href="\w+\?)')  # links of our own lead to pages
MARKUP = re.compile(r"(?<!\\)(!\[x|<img|<script>d|\$x|:material|\[a\]|<a\b|\{query|\*\*b)|http:/")


def everything(app: AppTest) -> str:
    """All that is sent to the browser, as text."""
    return "\n".join(str(element.proto) for element in (*app.main, *app.sidebar) if hasattr(element, "proto"))


def with_strange_names(app: AppTest) -> AppTest:
    """The app with a checkpoint whose file and classes bear names that are markup."""
    state = shaken_state(TIMM)
    state["head.weight"].zero_()
    state["head.bias"].copy_(state["head.bias"].sort(descending=True).values)  # every class is named, in this order
    card = json.dumps({"num_attention_heads": 3, "id2label": dict(enumerate(NAMES))}).encode()
    uploader = app.file_uploader(key="checkpoint_0")
    uploader.upload(f"{' '.join(NAMES)}.safetensors", as_bytes(state)).upload("config.json", card)
    return app.run()


@pytest.mark.parametrize(
    ("home", "name", "error"),
    [
        (panel, "_live_count", RuntimeError(f"cannot read {SECRET}")),
        (page, "drawer", PermissionError(errno.EACCES, "Permission denied", SECRET)),
        (predictions, "final", ValueError(f"{SECRET} is not a picture")),
        (predictions, "final", KeyError(SECRET)),
    ],
    ids=["beside the page", "at the drawers", "in a drawer", "in a drawer, of another kind"],
)
def test_an_error_that_nobody_foresaw_is_shown_without_its_words(
    home: object, name: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(home, name, fail)
    app = visit(open="details")
    (shown,) = app.exception
    assert "This app has encountered an error" in shown.value
    assert (shown.proto.type, list(shown.proto.stack_trace)) == ("", [])
    for told in (SECRET, "Traceback", type(error).__name__, str(Path(__file__).parents[2])):
        assert told not in everything(app)


def test_no_page_tells_the_browser_where_a_file_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "nobodys-business"
    folder.mkdir()
    save(shaken_state(TIMM), folder / "mine.safetensors")
    (folder / "broken.safetensors").write_bytes(b"")
    monkeypatch.setenv(checkpoints.FOLDER, str(folder))
    app = visit(model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value("broken.safetensors").run()
    assert "broken.safetensors is empty" in app.error[0].value
    assert folder.name not in everything(app)
    app.selectbox(key="server_file").set_value("mine.safetensors").run()
    for entry in ENTRIES:
        turn_to(app, entry.stem)
        assert "mine.safetensors" in everything(app)
        assert folder.name not in everything(app), entry.title


def test_no_page_makes_markup_of_the_names_in_a_file() -> None:
    app = with_strange_names(visit(model=checkpoints.FILE))
    assert results.labels(app.session_state["selection"]) == tuple(NAMES)
    shown = ""
    for entry in ENTRIES:
        healthy(turn_to(app, entry.stem))
        texts = [html(app)] + [
            text for chart in app.get("plotly_chart") for text in strings(json.loads(chart.proto.spec))
        ]
        written = [element.value for element in (*app.markdown, *app.caption)]
        assert [found.string for found in map(TAG.search, texts) if found] == [], entry.title
        assert [found.string for found in map(MARKUP.search, written) if found] == [], entry.title
        shown += "\n".join([*written, *texts])
    assert escaped(NAMES[0]) in shown
    assert escape(NAMES[1]) in shown


def strings(value: object) -> Iterator[str]:
    """All texts in a figure."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)
