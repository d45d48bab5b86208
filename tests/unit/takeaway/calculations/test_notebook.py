"""Every kind of view becomes a notebook that Jupyter takes and that runs, and fails with other weights or pictures."""

import ast
import builtins
import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from symtable import Function as Names
from symtable import symtable
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image

from tests.unit.takeaway.calculations.links import CHOSEN, SIZES, SMALL, chosen_on
from vitviz.__main__ import main
from vitviz.config import ViTConfig
from vitviz.measures.attention import attention_steps
from vitviz.measures.deletion import FILLS
from vitviz.measures.relevance import SLOPES
from vitviz.pages import CHAPTERS, PAGES
from vitviz.takeaway.calculations import CALCULATIONS, calculation_of
from vitviz.takeaway.notebook.cells import quoted
from vitviz.takeaway.notebook.notebook import notebook, source
from vitviz.takeaway.opening import model, opened
from vitviz.takeaway.view import from_link
from vitviz.view import View
from vitviz.weights import Loaded
from vitviz.weights.loading import DEMO_FILE

PICTURED = [page for page, its in CALCULATIONS.items() if its.usual.pictured]


def config(words: str) -> ViTConfig:
    """The sizes of the model of an address."""
    return from_link(f"heads?{words}", CALCULATIONS).config


ODD = (
    "heads?layer=3&edits=h2.1*0+t3=2",
    "heads?sample=tabby&shows=column&query=class&layer=6",
    "heads?model=shelf_relative_0&query=20",
    "class_head?model=shelf_gap_0",
    "heads?model=build-your-own&dim=48&heads=3&depth=2&image_size=64x96&activation=swiglu&registers=2&seed=5",
    "overview?sample=coffee&crop=100-50-600",
    "intervene?moment=5",
    f"heads?{CHOSEN}&moment=2&mean=1",
    *(f"query_key_value?{CHOSEN}&divide=all&moment={moment}" for moment in ("softmax", "values")),
    *(f"depth?{CHOSEN}&edits=h2.1*0+a4*0.5&moment={moment}" for moment in ("reach", "journey")),
    *(f"{it.stem}?{SMALL}&moment={moment.name}" for it in PAGES.values() for moment in it.moments(config(SMALL))),
    *(f"why_this_answer?{SMALL}&answer=4&against=7&moment=maps&map={of}" for of in (*SLOPES, "occlusion", "chance")),
    *(f"why_this_answer?{SMALL}&moment=trial&map=rollout&fill={fill}" for fill in FILLS[1:]),
    f"what_a_token_knows?{SMALL}&moment=colours&of=token",
)


def of(link: str, demo: Loaded | None = None) -> str:
    """The notebook of a link."""
    view = from_link(link, CALCULATIONS)
    loaded = demo if view.model == "demo" else None
    return notebook(opened(view, loaded=loaded) if calculation_of(view).pictured else view)


def cells_of(text: str) -> list[str]:
    return [cell.source for cell in nbformat.reads(text, as_version=4).cells if cell.cell_type == "code"]


def run(cells: list[str]) -> dict[str, Any]:
    """Run code cells one after the other, as a notebook does."""
    known: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            exec(cell, known)
    return known


@pytest.mark.parametrize("link", [*map(chosen_on, CALCULATIONS), *ODD])
def test_it_is_whole_and_repeats_the_numbers(link: str, demo: Loaded) -> None:
    text = of(link, demo)
    nbformat.validate(nbformat.reads(text, as_version=4))
    known = run(cells_of(text))
    np.testing.assert_allclose(known["values"], known["given"], atol=1e-5)
    if "plain" in known:
        np.testing.assert_allclose(known["plain"], known["given"], atol=1e-5)
    has_plain = calculation_of(from_link(link, CALCULATIONS)).plain is not None and link not in ODD[:1] + ODD[2:5]
    assert ("plain" in known) == has_plain
    assert ("The same in plain PyTorch is left out" in text) != has_plain


def test_scores_are_divided_as_on_screen(demo: Loaded) -> None:
    """Undivided they are so large that float32 leaves four decimals of them."""
    known = run(cells_of(of(f"query_key_value?{CHOSEN}&divide=one&moment=scores", demo)))
    steps = attention_steps(known["trace"], 3, 1, 60)
    scores, weights = known["values"]
    np.testing.assert_array_equal(scores, steps.products)
    apart = np.exp(scores.astype(np.float64) - scores.max())
    np.testing.assert_allclose(weights, apart / apart.sum(), atol=1e-6)
    assert np.abs(weights - steps.weights).max() > 0.1


@pytest.mark.parametrize("name", ["🐈.safetensors", "𝔙iT\u2028.npz", 'a"b\\c\ud83d', "my cat's.jpg"])
def test_every_name_is_read_back_by_python(name: str) -> None:
    assert ast.literal_eval(quoted(name)) == name
    assert quoted(name).isprintable()


@pytest.mark.parametrize("link", [f"heads?{CHOSEN}", chosen_on("order"), chosen_on("switches"), "growth"])
def test_the_same_view_is_the_same_bytes(link: str, demo: Loaded) -> None:
    assert of(link, demo) == of(link, demo)


@pytest.mark.parametrize("link", [*CALCULATIONS, *(link for link in ODD if "&moment" in link or "divide" in link)])
def test_plain_pytorch_takes_no_more_than_25_lines(link: str) -> None:
    texts = [source(function) for function in calculation_of(from_link(link, CALCULATIONS)).sources]
    assert sum(len([line for line in text.splitlines() if line.strip()]) for text in texts) <= 25
    assert not any(re.search(r"\bvitviz\b|Tensor|->", text) for text in texts)


def test_functions_of_numbers_need_no_more_than_a_notebook_has() -> None:
    """Neither PyTorch nor Streamlit is imported with them; what they import stands in their sources."""
    for its in {calculation_of(from_link(link, CALCULATIONS)) for link in (*CALCULATIONS, *ODD)}:
        functions = [it for it in (its.make, its.names, its.figure, its.anew, *its.given.values()) if it]
        for function in functions:
            (table,) = symtable(source(function), "", "exec").get_children()
            assert isinstance(table, Names)
            assert {*table.get_globals()} <= {"np", *vars(builtins)}, function.__name__
    imported = (
        "import sys, vitviz.takeaway.calculations; sys.exit(bool({'torch', 'streamlit', 'plotly'} & {*sys.modules}))"
    )
    subprocess.run([sys.executable, "-c", imported], check=True)


@pytest.mark.parametrize("page", PICTURED)
def test_another_model_or_another_picture_fails(page: str, demo: Loaded) -> None:
    link = chosen_on(page)
    cells = cells_of(of(link, demo))
    old, new = ('load("demo"', 'load("shelf_gap_0"') if link.endswith(CHOSEN) else ("seed=5,", "seed=6,")
    other_model = [cell.replace(old, new) for cell in cells]
    other_picture = [cell.replace('sample("fish")', 'sample("cat")') for cell in cells]
    for changed, says in ((other_model, "the parameters are others"), (other_picture, "the picture is another")):
        assert changed != cells
        with pytest.raises(AssertionError, match=says):
            run(changed)


@pytest.mark.parametrize("page", [page for page in CALCULATIONS if page not in (*PICTURED, "siblings")])
def test_another_model_s_counts_fail(page: str) -> None:
    """Of siblings nothing is counted: they are what trainings wrote down."""
    cells = cells_of(of(chosen_on(page)))
    assert any("patch_size=8" in cell for cell in cells)
    with pytest.raises(AssertionError, match="the numbers are others"):
        run([cell.replace("patch_size=8", "patch_size=4") for cell in cells])


@pytest.mark.parametrize("page", ["overview", "patch_embedding", "query_key_value", "heads", "class_head", "order"])
def test_the_numbers_alone_tell_another_picture_or_other_parameters(page: str, demo: Loaded) -> None:
    """Even where nobody looks at digests."""
    cells = [re.sub(r"^assert \w+_digest.*$", "", cell, flags=re.M) for cell in cells_of(of(f"{page}?{CHOSEN}", demo))]
    run(cells)
    loading = 'loaded = load("demo", device="cpu")\n'
    trained_on = "torch.no_grad(), [value.mul_(1.01) for value in loaded.model.parameters()]\n"
    for old, new in (('sample("fish")', 'sample("cat")'), (loading, loading + trained_on)):
        assert any(old in cell for cell in cells)
        with pytest.raises(AssertionError, match="the numbers are others"):
            run([cell.replace(old, new).replace("plain = ", "plain = values; 0 and ") for cell in cells])


def test_several_links_make_a_chapter(tmp_path: Path) -> None:
    links = [f"query_key_value?{CHOSEN}", f"heads?{CHOSEN}", "parameters", "depth?sample=cat", "class_head?sample=cat"]
    out = tmp_path / "chapter.ipynb"
    main(["notebook", *links, "--out", str(out)])
    text = out.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = cells_of(text)
    run(cells)
    for part, times in (("load(", 2), ("sample(", 2), ("assert values.shape", 5), ("except ImportError", 1)):
        assert sum(part in cell for cell in cells) == times, part


def test_a_chapter_leaves_out_what_there_is_not() -> None:
    headless = f"{SIZES}&classes=0&sample=fish"
    views = [from_link(f"{page}?{headless}", CALCULATIONS) for page in ("chance", "encoder_block", "parameters")]
    text = notebook(*(opened(view) if calculation_of(view).pictured else view for view in views))
    assert "Left out: this model has no head" in nbformat.reads(text, as_version=4).cells[0].source
    assert sum("assert values.shape" in cell for cell in cells_of(text)) == 2
    run(cells_of(text))


@pytest.mark.parametrize("chapter", ["Laboratory", "Counting"])
def test_a_whole_chapter_runs_as_one_notebook(chapter: str) -> None:
    views = [from_link(f"{entry.stem}?{SMALL}", CALCULATIONS) for entry in CHAPTERS[chapter]]
    loaded = model(views[0].model, views[0])
    text = notebook(*(opened(view, loaded=loaded) if calculation_of(view).pictured else view for view in views))
    cells = cells_of(text)
    assert sum("assert values.shape" in cell for cell in cells) == len(views)
    run(cells)


def test_counts_build_nothing_and_name_the_model_s_sizes() -> None:
    text = of("parameters?model=vit_huge_patch14_224")
    known = run(cells_of(text))
    assert int(known["values"].sum()) == 632_045_800
    assert "ViTConfig(patch_size=14, dim=1280, depth=32, heads=16, mlp_dim=5120)" in text
    assert calculation_of(from_link("parameters", CALCULATIONS)) is CALCULATIONS["parameters"].usual


def photo(path: Path) -> Path:
    """A photo with a camera's name and a place in it."""
    exif = Image.Exif()
    exif[0x010F], exif[0x010E] = "Secretcamera", "47.11 N, 8.15 E"
    pixels = np.random.default_rng(0).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path, "JPEG", exif=exif)
    assert b"Secretcamera" in path.read_bytes()
    return path


def test_an_own_picture_stays_away_unless_it_is_told_to_come(
    tmp_path: Path, demo: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = photo(tmp_path / "my cat's.jpg")
    view = from_link("heads?picture=0123&layer=2", CALCULATIONS)
    it = opened(view, path.read_bytes(), demo)
    apart, embedded = notebook(it, file=str(path)), notebook(it, file=str(path), embed=True)
    assert len(apart) < len(embedded) - 10_000
    assert str(tmp_path) not in apart
    assert 'Path("my cat\'s.jpg")' in json.loads(apart)["cells"][5]["source"][4]
    monkeypatch.chdir(tmp_path)
    run(cells_of(apart))
    path.unlink()
    known = run(cells_of(embedded))
    assert known["crop"].info == {}
    assert "Secretcamera" not in embedded
    with pytest.raises(FileNotFoundError):
        run(cells_of(apart))


@pytest.mark.parametrize(
    "name", ["../../x`\n# <script>alert(1)</script>.safetensors", "a\"); import os #'.safetensors"]
)
def test_names_of_files_stay_words(name: str, demo: Loaded) -> None:
    base = from_link("overview", CALCULATIONS)
    view = View(**{field: getattr(base, field) for field in View.__slots__} | {"model": name})
    text = notebook(opened(view, loaded=demo))
    book = nbformat.reads(text, as_version=4)
    heading = book.cells[0].source
    assert "<script>" not in heading
    assert heading.count("`") == 2
    assert "../" not in text
    model = next(cell for cell in cells_of(text) if "parameters_digest" in cell)
    calls: list[str] = []
    stub = {"load": lambda name, **_: calls.append(name)}
    exec(next(line for line in model.splitlines() if line.startswith("loaded")), stub)
    assert calls == [name.rpartition("/")[2]]


def test_the_command_writes_the_notebook_of_a_link(tmp_path: Path, demo: Loaded) -> None:
    out = tmp_path / "view.ipynb"
    link = f"http://localhost:8501/heads?{CHOSEN}"
    main(["notebook", link, "--out", str(out)])
    assert out.read_text(encoding="utf-8") == of(link, demo)


def test_a_checkpoint_is_loaded_from_its_file_beside_the_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.safetensors"
    path.write_bytes(DEMO_FILE.read_bytes())
    out = tmp_path / "view.ipynb"
    main(["notebook", "heads?model=own+file&layer=2", "--model", str(path), "--out", str(out)])
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(cells_of(out.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["status"], "nothing can be taken away from “status”"),
        (["heads?picture=0123"], "no link holds; give its file"),
        (["heads?picture=0123", "--picture", "no.jpg"], "no.jpg is neither a file nor a sample"),
        (["heads?model=mine"], "give the path of its file"),
        (["heads?sample=nothing"], "there is no sample “nothing”"),
        (["heads?model=dinov2_small"], "vitviz weights fetch dinov2_small"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit):
        main(["notebook", *arguments, "--out", str(tmp_path / "x.ipynb")])
    assert says in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
