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

from tests.checkpoints import TIMM, shaken_state
from tests.pages.app import ask, healthy, html, turn_to, visit
from vitviz import results
from vitviz.pages import PAGES
from vitviz.ui import page
from vitviz.ui.links import escaped
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
TAG = re.compile(r'<(img|script)\b|<a\b(?! href="(\./)?\w*\?)')  # links of our own lead to pages
MARKUP = re.compile(r"(?<!\\)(!\[x|<img|<script>d|\$x|:material|\[a\]|<a\b|\{query|\*\*b)|http:/")


def everything(app: AppTest) -> str:
    """All that is sent to the browser, as text."""
    protos = [getattr(element, "proto", None) for element in (*app.main, *app.sidebar)]
    return "\n".join(it.SerializeToString().decode(errors="replace") for it in protos if it)


def strange() -> tuple[bytes, bytes]:
    """A checkpoint and its card, whose classes bear names that are markup, and are all named in this order."""
    state = shaken_state(TIMM)
    state["head.weight"].zero_()
    state["head.bias"].copy_(state["head.bias"].sort(descending=True).values)
    card = json.dumps({"num_attention_heads": 3, "id2label": dict(enumerate(NAMES))})
    return as_bytes(state), card.encode()


@pytest.mark.parametrize(
    ("home", "name", "error"),
    [
        (panel, "_live_count", RuntimeError(f"cannot read {SECRET}")),
        (page, "drawer", PermissionError(errno.EACCES, "Permission denied", SECRET)),
        (predictions, "warn", ValueError(f"{SECRET} is not a picture")),
        (predictions, "warn", KeyError(SECRET)),
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


def drawn(app: AppTest) -> list[str]:
    """Texts of a page that are markup of our own, with names escaped in it, and those of its charts."""
    return [html(app)] + [text for chart in app.get("plotly_chart") for text in strings(json.loads(chart.proto.spec))]


def written(app: AppTest) -> list[str]:
    """Texts of a page in Markdown."""
    return [element.value for element in (*app.markdown, *app.caption)]


def markup(app: AppTest) -> list[str]:
    """Those in which something is markup that nobody here wrote."""
    return [*filter(TAG.search, drawn(app)), *filter(MARKUP.search, written(app))]


def test_no_page_tells_where_a_file_lies_or_makes_markup_of_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name = tmp_path / "nobodys-business", f"mine {' '.join(NAMES).replace('/', '')}.safetensors"
    folder.mkdir()
    model, card = strange()
    (folder / name).write_bytes(model)
    (folder / "config.json").write_bytes(card)
    (folder / "broken.safetensors").write_bytes(b"")
    monkeypatch.setenv(checkpoints.FOLDER, str(folder))
    app = visit(model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value("broken.safetensors").run()
    assert "broken.safetensors is empty" in app.error[0].value
    assert folder.name not in everything(app)
    app.selectbox(key="server_file").set_value(name).run()
    assert results.labels(app.session_state["selection"]) == tuple(NAMES)
    shown = ""
    for entry in PAGES.values():
        sent = everything(healthy(turn_to(app, entry.stem)))
        assert "mine" in sent
        assert folder.name not in sent, entry.title
        assert markup(app) == [], entry.title
        shown += "\n".join([*drawn(app), *written(app)])
    assert escaped(NAMES[0]) in shown
    detailed = drawn(healthy(ask(turn_to(app, "class_head"), open="details")))
    assert not any(map(TAG.search, detailed))
    assert escape(NAMES[1]) in "\n".join(detailed)


def test_the_name_of_an_uploaded_file_is_no_markup_either() -> None:
    model, card = strange()
    app = visit(model=checkpoints.FILE)
    app.file_uploader(key="checkpoint_0").upload(f"{' '.join(NAMES)}.safetensors", model).upload("config.json", card)
    assert markup(healthy(app.run())) == []
    assert results.labels(app.session_state["selection"]) == tuple(NAMES)


def strings(value: object) -> Iterator[str]:
    """All texts in a figure."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)
