"""What no file says: it stands on the page with a control, and what is chosen there is kept."""

import json
from pathlib import Path

import pytest
from safetensors.torch import save as as_bytes
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from tests.checkpoints import TIMM, save, shaken_state
from tests.pages.app import healthy, shown, turn_to, visit
from tests.pages.sidebar.test_uploads import with_upload
from vitviz import results
from vitviz.config import ViTConfig
from vitviz.ui.sidebar import checkpoints

WIDE = TIMM.with_(dim=96)  # with three heads, which nobody says
SILENT = "The file does not say these."
POOL = "Answer: that of the class token, assumed; a mean of all tokens would leave no trace."


def brought(**card: object) -> AppTest:
    """The app with a file of three heads, and its card if there is one."""
    files = [("mine.safetensors", as_bytes(shaken_state(WIDE)))]
    return with_upload(*files, *([("config.json", json.dumps(card).encode())] if card else []))


def box(app: AppTest, field: str) -> Selectbox:
    """The control of what was assumed, on the page and not in the sidebar."""
    return next(it for it in app.main.selectbox if (it.key or "").startswith(f"{field} "))


def test_what_is_assumed_stands_on_the_page_with_its_control() -> None:
    app = healthy(brought())
    assert f"{SILENT} {POOL}" in [caption.value for caption in app.main.caption]
    assert box(app, "heads").options[:4] == ["Heads: 1 × 96 assumed", "Heads: 2 × 48", "Heads: 3 × 32", "Heads: 4 × 24"]
    assert box(app, "activation").options == [
        "Activation: GELU assumed",
        "Activation: tanh GELU",
        "Activation: quick GELU",
        "Activation: ReLU",
    ]
    assert box(app, "epsilon").options == ["Epsilon: 10⁻⁵", "Epsilon: 10⁻⁶ assumed", "Epsilon: 10⁻¹²"]
    assert shown(app).config == WIDE.with_(heads=1)


def test_what_is_chosen_is_what_runs_and_is_kept_on_every_page_and_when_the_model_comes_back() -> None:
    app = brought()
    before = shown(app).key
    box(app, "heads").set_value(3)
    box(app, "activation").set_value("quick_gelu")
    box(app, "epsilon").set_value(1e-5).run()
    chosen = WIDE.with_(activation="quick_gelu", epsilon=1e-5)
    for stem in ("heads", "parameters", "encoder_block"):
        healthy(turn_to(app, stem))
        assert shown(app).config == results.model_info(shown(app).model).config == chosen
    assert shown(app).key != before
    app.selectbox(key="model").set_value("demo").run()
    assert SILENT not in " ".join(caption.value for caption in app.main.caption)
    app.selectbox(key="model").set_value(checkpoints.FILE).run()
    assert shown(app).config == chosen
    box(app, "heads").set_value(1).run()
    assert shown(app).config == chosen.with_(heads=1)


@pytest.mark.parametrize(
    ("config", "name", "card"),
    [
        (
            WIDE,
            "mine",
            {"num_attention_heads": 3, "hidden_act": "gelu", "layer_norm_eps": 1e-6, "global_pool": "token"},
        ),
        (TIMM.with_(dim=192), "mine", {"architecture": "vit_tiny_patch16_224"}),
        (TIMM.with_(dim=192), "vit_tiny_patch16_224", {}),
    ],
)
def test_where_all_is_said_nothing_is_asked(
    config: ViTConfig, name: str, card: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(shaken_state(config), tmp_path / f"{name}.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setenv(checkpoints.FOLDER, str(tmp_path))
    app = visit(model=checkpoints.FILE)
    app.selectbox(key="server_file").set_value(f"{name}.safetensors").run()
    assert shown(app).config == config
    assert [it.key for it in app.main.selectbox if it.key and it.key.startswith(("heads ", "epsilon "))] == []
    assert SILENT not in " ".join(caption.value for caption in app.main.caption)


def test_what_the_card_says_is_not_asked_again() -> None:
    app = brought(num_attention_heads=3)
    assert shown(app).config == WIDE
    assert {it.key.split()[0] for it in app.main.selectbox if it.key} >= {"activation", "epsilon"}
    assert not any(it.key.startswith("heads ") for it in app.main.selectbox if it.key)


def test_another_file_starts_with_what_is_assumed_of_it() -> None:
    app = brought()
    box(app, "heads").set_value(3).run()
    other = as_bytes(shaken_state(WIDE, seed=1))
    app.file_uploader(key="checkpoint_1").upload("other.safetensors", other).run()
    assert shown(app).config == WIDE.with_(heads=1)
