"""A view is taken away whole: its column, its moment of training, and what its edits put in."""

from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest

from tests.unit.takeaway.calculations.test_notebook import cells_of, photo, run
from vitviz.__main__ import main
from vitviz.takeaway.calculations import CALCULATIONS, values
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.notebook.notebook import notebook, source
from vitviz.takeaway.notebook.scaling import scaled
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_link
from vitviz.weights import Loaded

OWN = "0123456789abcdef" * 4
COLUMNS = "heads?sample=left&layer=6&query=40&b.model=shelf_gap_0&b.image=above&b.edits=h2.1*0"


def shown(link: str, demo: Loaded) -> Opened:
    return opened(from_link(link, CALCULATIONS), loaded=demo)


def changed(cells: list[str], old: str, new: str) -> list[str]:
    """The same cells, of which some say something else."""
    assert any(old in cell for cell in cells)
    return [cell.replace(old, new) for cell in cells]


DONOR, MEANS = "donor=record(loaded.model, donor)", "reference_means(loaded)"
OTHER_MEANS = f"{{name: 0 * mean for name, mean in {MEANS}.items()}}"


@pytest.mark.parametrize(
    ("link", "old", "new"),
    [
        ("heads?sample=left&query=40&layer=4&donor=right&edits=r3.40", DONOR, "donor=trace"),
        ("overview?sample=left&donor=cat&edits=p1-70=paste", DONOR, "donor=trace"),
        ("class_head?sample=left&edits=h2.1-3=mean+m3=mean.all", MEANS, OTHER_MEANS),
    ],
)
def test_what_edits_put_in_is_put_in_again(link: str, old: str, new: str, demo: Loaded) -> None:
    it, plain = shown(link, demo), shown(link.partition("&edits")[0], demo)
    assert np.abs(values(it.view, it.trace) - values(plain.view, plain.trace)).max() > 1e-3
    text = notebook(it)
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = cells_of(text)
    run(cells)
    with pytest.raises(AssertionError, match="the numbers are others"):
        run(changed(cells, old, new))


def test_another_second_picture_fails(demo: Loaded) -> None:
    cells = cells_of(notebook(shown("heads?donor=right&edits=r3.40", demo)))
    with pytest.raises(AssertionError, match="the picture is another"):
        run(changed(cells, 'sample("right")', 'sample("left")'))


def test_an_own_second_picture_stays_away_unless_it_is_told_to_come(
    tmp_path: Path, demo: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = photo(tmp_path / "my dog's.jpg")
    link = f"heads?donor={OWN}&edits=p1-40=paste"
    with pytest.raises(TakeawayError, match="the second picture is somebody's own"):
        shown(link, demo)
    it = opened(from_link(link, CALCULATIONS), None, demo, donor=path.read_bytes())
    apart, embedded = notebook(it, donor=str(path)), notebook(it, donor=str(path), embed=True)
    assert len(apart) < len(embedded) - 10_000
    assert str(tmp_path) not in apart
    monkeypatch.chdir(tmp_path)
    run(cells_of(apart))
    path.unlink()
    known = run(cells_of(embedded))
    assert known["donor_crop"].info == {}
    assert "Secretcamera" not in embedded


def test_both_columns_make_a_chapter(tmp_path: Path) -> None:
    out = tmp_path / "columns.ipynb"
    main(["notebook", COLUMNS, "--second", "--out", str(out)])
    text = out.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = cells_of(text)
    known = run(cells)
    assert known["trace"].config.pool == "mean"
    assert str(known["trace"].edits) == "h2.1*0"
    for part, times in (("load(", 2), ("sample(", 2), ("assert values.shape", 2), ("except ImportError", 1)):
        assert sum(part in cell for cell in cells) == times, part
    with pytest.raises(AssertionError, match="the parameters are others"):
        run(changed(cells, 'load("shelf_gap_0"', 'load("demo"'))


def test_a_figure_and_an_explorer_are_those_of_the_second_column(tmp_path: Path) -> None:
    figure, second, page = (tmp_path / name for name in ("a.svg", "b.svg", "b.html"))
    main(["figure", COLUMNS, "--out", str(figure)])
    main(["figure", COLUMNS, "--second", "--out", str(second)])
    main(["explore", COLUMNS, "--second", "--out", str(page)])
    assert "Model demo, picture “Red ball left of blue ball”" in figure.read_text(encoding="utf-8")
    for path in (second, page):
        assert "shelf_gap_0" in path.read_text(encoding="utf-8")
        assert "Head 1 of layer 2 off" in path.read_text(encoding="utf-8")


def test_numbers_are_those_of_the_second_column(tmp_path: Path) -> None:
    out = tmp_path / "b.npz"
    main(["data", COLUMNS, "--second", "--out", str(out)])
    view = from_link(COLUMNS, CALCULATIONS, column="second")
    with np.load(out) as file:
        np.testing.assert_allclose(file["values"], values(view, opened(view).trace), atol=1e-5)
        assert file["about.model"] == "shelf_gap_0"


def test_whose_weights_to_cite_is_said_of_the_second_column(capsys: pytest.CaptureFixture[str]) -> None:
    main(["cite", COLUMNS, "--second"])
    assert "Weights: shelf_gap_0" in capsys.readouterr().out
    main(["cite", "heads?learned=166"])
    assert "Weights: demo" in capsys.readouterr().out


THEN, BESIDE = "heads?layer=4&learned=166", "position_embedding?moment=2&query=20&b.model=demo&b.moment=166"


@pytest.mark.parametrize(("link", "column"), [(THEN, "first"), (BESIDE, "second")])
def test_a_moment_of_training_is_made_again_and_another_one_fails(link: str, column: str) -> None:
    view = from_link(link, CALCULATIONS, column=column)
    assert view.learned == 166
    text = notebook(view)
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert "the model `demo` after 166 steps of training" in text
    cells = cells_of(text)
    known = run(cells)
    np.testing.assert_allclose(known["plain"], known["given"], atol=1e-5)
    assert np.abs(values(replace(view, learned=700)) - known["given"]).max() > 1e-3
    with pytest.raises(AssertionError, match="the numbers are others"):
        run(changed(cells, "step = 166", "step = 700"))
    with pytest.raises(AssertionError, match="the moment of training is another"):
        run(changed(cells, "digest(166)", "digest(700)"))


def test_the_last_moment_of_training_is_the_model(demo: Loaded) -> None:
    last = from_link("position_embedding?moment=2&b.model=demo&b.moment=1200", CALCULATIONS, column="second")
    it = shown("position_embedding?moment=2", demo)
    np.testing.assert_allclose(values(last), values(it.view, it.trace), atol=1e-5)


@pytest.mark.parametrize(
    "link", ["heads?learned=166&moment=2", "depth?learned=166", "heads?model=shelf_gap_0&learned=166", "heads"]
)
def test_where_a_page_shows_no_training_its_view_is_of_the_model_as_it_is(link: str) -> None:
    assert from_link(link, CALCULATIONS).learned is None


def test_a_moment_that_was_not_kept_is_said() -> None:
    for page in ("heads?", "heads?moment=2&", "position_embedding?moment=2&", "depth?"):
        with pytest.raises(TakeawayError, match=r"training 7 was not kept; there are steps 0, 6, 16"):
            from_link(f"{page}learned=7", CALCULATIONS)
    with pytest.raises(TakeawayError, match="none of this model"):
        from_link("heads?b.model=shelf_gap_0&b.moment=6", CALCULATIONS, column="second")


def test_a_moment_of_training_is_drawn(tmp_path: Path) -> None:
    figure, second = tmp_path / "then.svg", tmp_path / "beside.svg"
    main(["figure", THEN, "--out", str(figure)])
    main(["figure", BESIDE, "--second", "--out", str(second)])
    for path in (figure, second):
        assert "after 166 steps of training" in " ".join(path.read_text(encoding="utf-8").split())
    assert figure.read_text(encoding="utf-8").count("<image") == 9  # four scenes, four maps, their scale
    assert "patch 20" in second.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "link",
    [
        "overview?edits=h3.1*0+a5*0.5+m2*0+b4*0",
        "encoder_block?edits=h3.1-2*0.25+m3*2&layer=3&query=5",
        "depth?edits=h1.1*0+h3.1*0+b2*0&query=5",
        "intervene?edits=h3.1*0+b4*0.5+a4*0.5",
        "intervene?edits=h3.1*0&moment=5",
    ],
)
def test_parts_that_are_scaled_are_scaled_in_plain_pytorch(link: str, demo: Loaded) -> None:
    cells = cells_of(notebook(shown(link, demo)))
    known = run(cells)
    np.testing.assert_allclose(known["plain"], known["given"], atol=1e-5)
    assert len(source(scaled).splitlines()) <= 25
    if "moment" not in link:  # whose maps are of the unedited model
        forgotten = changed(cells, "w = scaled(loaded.model.state_dict()", "w = loaded.model.state_dict(); scaled(w")
        with pytest.raises(AssertionError, match="the numbers are others"):
            run(forgotten)


def test_other_edits_leave_plain_pytorch_out(demo: Loaded) -> None:
    known = run(cells_of(notebook(shown("heads?edits=h3.1*0+t2=0.5", demo))))
    assert "plain" not in known
