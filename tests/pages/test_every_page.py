"""Every page there is, with several models: whole, and in the form of the house. A new page is tested by existing."""

import pytest

from tests.pages.app import healthy, turn_to, visit
from vitviz.ui.navigation import ENTRIES, PAGES, Entry

ODD = {
    "model": "build-your-own",
    "image_size": "24",
    "patch_size": "24",
    "dim": "8",
    "depth": "1",
    "heads": "1",
    "mlp_dim": "8",
    "classes": "1",
}
SMALL = {**ODD, "patch_size": "8", "dim": "24", "depth": "2", "heads": "3", "layer_scale": "true", "input_norm": "true"}
GATED = {**SMALL, "distilled": "true", "registers": "2", "prefix_positions": "false", "activation": "swiglu"}
POOLED = {**SMALL, "pool": "attention", "patch_bias": "false", "activation": "gelu_tanh"}


def test_the_menu_holds_every_page_file() -> None:
    files = {path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.py")}
    assert files == {entry.file for entry in ENTRIES}
    assert len({entry.stem for entry in ENTRIES}) == len({entry.title for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.stem)
@pytest.mark.parametrize(
    "query",
    [{"model": "demo"}, {"model": "vit_tiny_patch16_224", "sample": "coffee"}, ODD, GATED, POOLED],
    ids=["demo", "tiny", "odd", "gated", "pooled"],
)
def test_a_page_is_whole(entry: Entry, query: dict[str, str]) -> None:
    app = healthy(visit(entry.stem, **query))
    assert app.title[0].value == entry.title
    assert any(expander.label == "The code that ran" for expander in app.expander)
    assert (
        len(app.get("plotly_chart")) + len(app.get("image")) + len(app.get("bidi_component")) + len(app.dataframe) > 0
    )
    assert len(app.latex) > 0
    pages_own = [caption.value for caption in app.main.caption]
    assert any(any(letter.isdigit() for letter in caption) for caption in pages_own), "no caption has a number"


def test_a_distilled_model_is_shown_on_every_page() -> None:
    app = visit(model="deit_base_distilled_patch16_224")
    for entry in ENTRIES[1:]:
        healthy(turn_to(app, entry.stem))
