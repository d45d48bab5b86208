"""The numbers of a view as files: the same numbers, with names, that neither Python nor a spreadsheet would run."""

import csv as commas
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import vitviz
from tests.cases import each
from tests.unit.takeaway.calculations.links import CHOSEN, chosen_on
from vitviz.__main__ import main
from vitviz.figures.figure import Numbers
from vitviz.measures.attention import attention_weights
from vitviz.measures.tokens import token_components
from vitviz.takeaway.calculations import CALCULATIONS, calculation_of, values
from vitviz.takeaway.data import about, csv, named, npz, outlines, size_of, spreadsheet
from vitviz.takeaway.errors import TakeawayError
from vitviz.takeaway.file import MOST_BYTES
from vitviz.takeaway.opening import Opened, opened
from vitviz.takeaway.view import from_link
from vitviz.view import View
from vitviz.weights import Loaded

HOSTILE = (
    '=HYPERLINK("http://example.org","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1;2)",
    "\t=1+1",
    '"=1+1',
    "＝1+1",
    '#, "comma" ; and\r\nline',
    "\ud800\x00köln",
)


def view_of(link: str, demo: Loaded) -> Opened | View:
    view = from_link(link, CALCULATIONS)
    return opened(view, loaded=demo if view.model == "demo" else None) if calculation_of(view).pictured else view


def arrays_of(it: Opened | View) -> list[Numbers]:
    return named(it) if isinstance(it, View) else named(it.view, it.trace, it.loaded)


def loaded_from(file: bytes) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(file), allow_pickle=False))


def rows_of(file: bytes) -> list[list[str]]:
    """The cells of a CSV file, without the lines that say what it is."""
    lines = file.decode("utf-8-sig").splitlines()
    return list(commas.reader(line for line in lines if not line.startswith("#")))


@each([*map(chosen_on, CALCULATIONS), f"heads?{CHOSEN}&shows=column"])
def test_both_files_give_back_the_numbers_and_their_names(link: str, demo: Loaded) -> None:
    it = view_of(link, demo)
    arrays, said = arrays_of(it), about(it, link)
    first = arrays[0]
    given = values(it) if isinstance(it, View) else values(it.view, it.trace, it.loaded)
    assert first.values.dtype in (np.float32, np.int64)
    np.testing.assert_array_equal(first.values.ravel(), given.ravel())
    assert set(first.names) == set(first.axes)  # nothing is only counted
    file, table = npz(arrays, said), csv(arrays, said)
    assert (file, table) == (npz(arrays, said), csv(arrays, said))
    found, (header, *rows) = loaded_from(file), rows_of(table)
    assert found["about.link"] == link
    for array in arrays:
        np.testing.assert_array_equal(found[array.name], array.values, strict=True)
        assert tuple(found[f"{array.name}.axes"]) == array.axes
        for axis, names in array.names.items():
            assert list(found[f"{array.name}.names.{axis}"]) == list(names)
        own = [dict(zip(header, row, strict=True)) for row in rows if len(arrays) == 1 or row[0] == array.name]
        places = np.indices(array.values.shape).reshape(len(array.axes), -1).T
        cells = {tuple(row[axis] for axis in array.axes): row["value"] for row in own}
        named_places = (zip(array.axes, place, strict=True) for place in places)
        read = np.array([cells[tuple(array.names[axis][at] for axis, at in it)] for it in named_places]).astype(
            array.values.dtype
        )
        np.testing.assert_array_equal(read.reshape(array.values.shape), array.values, strict=True)


def test_axes_are_called_by_their_words(demo: Loaded) -> None:
    heads, matrix = arrays_of(view_of(f"heads?{CHOSEN}", demo))
    assert (heads.axes, matrix.axes) == (("head", "key"), ("query", "key"))
    assert heads.names["head"][1] == "head 2"
    assert [heads.names["key"][at] for at in (0, 1, -1)] == ["[class]", "patch 1", "patch 144"]
    patch = arrays_of(view_of(f"patch_grid?{CHOSEN}", demo))[0]
    assert (patch.axes, patch.values.shape) == (("channel", "pixel_row", "pixel_column"), (3, 8, 8))
    lens = arrays_of(view_of(f"class_head?{CHOSEN}", demo))[0]
    assert (lens.axes, list(lens.names["class"])) == (("after", "class"), list(demo.labels))
    assert lens.names["after"][:2] == ["embedding", "layer 1"]
    steps = arrays_of(view_of(f"query_key_value?{CHOSEN}&moment=scores", demo))[0]
    assert steps.names["what"] == ("score", "weight")
    counts = arrays_of(view_of("parameters?model=vit_base_patch16_224", demo))[0]
    found = dict(zip(counts.names["tensor"], counts.values, strict=True))
    assert (found["patch_embed.proj.weight"], sum(found.values())) == (589_824, 86_567_656)


def test_the_moment_of_the_matrix_gives_it_alone(demo: Loaded) -> None:
    it = view_of(f"heads?{CHOSEN}&moment=2", demo)
    assert isinstance(it, Opened)
    (whole,) = arrays_of(it)
    assert whole.axes == ("query", "key")
    np.testing.assert_array_equal(whole.values, attention_weights(it.trace, 3)[1])


def test_the_moment_of_the_points_gives_where_each_token_lies(demo: Loaded) -> None:
    it = view_of(f"patch_embedding?{CHOSEN}&moment=5", demo)
    assert isinstance(it, Opened)
    (points,) = arrays_of(it)
    assert (points.axes, points.names["patch"][59]) == (("patch", "component"), "patch 60")
    assert list(points.names["component"]) == ["principal component 1", "principal component 2"]
    np.testing.assert_array_equal(points.values, token_components(it.trace, 2).coordinates)


def test_the_matrix_is_that_of_the_chosen_head(cat: Opened) -> None:
    matrix = arrays_of(cat)[1]
    np.testing.assert_array_equal(matrix.values, attention_weights(cat.trace, 0)[0])
    np.testing.assert_allclose(matrix.values[0], values(cat.view, cat.trace)[0], atol=1e-6)


def test_a_name_is_never_a_formula_nor_a_line() -> None:
    array = Numbers(
        "../../x", ("=axis",), np.arange(len(HOSTILE), dtype=np.float32), 'a,=1+1 "b', names={"=axis": HOSTILE}
    )
    said = {"=model\n1": 'x",=1+1;@SUM(1)\n=2', "picture": "köln"}
    text = csv([array], said).decode("utf-8-sig")
    comments = [line for line in text.split("\n") if line.startswith("#")]
    assert len(comments) == 3
    for separator in ",;":
        cells = [cell for row in commas.reader(comments, delimiter=separator) for cell in row]
        assert not [cell for cell in cells if cell.strip()[:1] in tuple("=+-@")]
    header, *rows = rows_of(text.encode())
    assert header == ["'=axis", "value"]
    assert len(rows) == len(HOSTILE)
    assert all(row[0].startswith("'") for row in rows[:-1])
    assert rows[-1] == ["köln", "8.0"]
    found = loaded_from(npz([array, array], said))
    assert {"_.._x", "_.._x_2", "_.._x.names._axis", "about._model_1"} <= set(found)
    names = ZipFile(BytesIO(npz([array], said))).namelist()
    assert not [name for name in names if "/" in name or name.startswith(".")]


def test_no_clock_and_no_system_is_in_the_file(cat: Opened) -> None:
    entries = ZipFile(BytesIO(npz(arrays_of(cat), about(cat)))).infolist()
    assert {(entry.date_time, entry.create_system) for entry in entries} == {((1980, 1, 1, 0, 0, 0), 3)}


def test_arrays_of_one_name_stay_apart() -> None:
    alike = [Numbers("values", (axis,), np.full(1, number, np.float32)) for number, axis in enumerate("ab")]
    assert rows_of(csv(alike, {})) == [
        ["array", "a", "b", "value"],
        ["values", "0", "", "0.0"],
        ["values_2", "", "0", "1.0"],
    ]
    found = loaded_from(npz(alike, {}))
    assert (found["values"], found["values_2"]) == (0, 1)


def test_numbers_that_are_none_come_back() -> None:
    given = np.array([[-np.inf, np.inf, np.nan], [1e-45, 3.4028235e38, -0.1]], np.float32)
    array = Numbers("values", ("row", "column"), given)
    header, *rows = rows_of(csv([array], {}))
    assert header == ["row", "column", "value"]
    assert [row[:2] for row in rows[:4]] == [["0", "0"], ["0", "1"], ["0", "2"], ["1", "0"]]
    np.testing.assert_array_equal(np.array([row[2] for row in rows], np.float32), given.ravel())
    np.testing.assert_array_equal(loaded_from(npz([array], {}))["values"], given)


def test_any_float32_comes_back_to_the_bit() -> None:
    bits = np.random.default_rng(0).integers(0, 2**32, 20_000, np.uint32).view(np.float32)
    array = Numbers("values", ("at",), bits[np.isfinite(bits)])
    found = [row[1] for row in rows_of(csv([array], {}))[1:]]
    np.testing.assert_array_equal(np.array(found, np.float64).astype(np.float32), array.values)


def test_too_large_a_file_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheet, "_cell", lambda _: pytest.fail("written"))
    tokens = [f"patch {number}" for number in range(1, 1025)]
    weights = np.zeros((1024, 1024), np.float32)
    matrix = Numbers("matrix", ("query", "key"), weights, names={"query": tokens, "key": tokens})
    with pytest.raises(TakeawayError, match=r"1,048,576 numbers make a file of about .* 25\.0 MB; take the \.npz"):
        csv([matrix], {})
    large = Numbers("values", ("at",), np.broadcast_to(np.float32(0), (7_000_000,)))
    with pytest.raises(TakeawayError, match=r"about 28\.0 MB and the limit is 25\.0 MB; choose"):
        npz([large], {})


def test_how_large_a_spreadsheet_will_be_is_told_before(cat: Opened) -> None:
    arrays = arrays_of(cat)
    told = sum(spreadsheet._bytes(it, 3) for it in arrays)
    assert len(csv(arrays, {})) == pytest.approx(told, rel=0.1)


def test_it_says_which_model_and_picture_it_was(cat: Opened) -> None:
    said = about(cat, "heads?sample=cat")
    assert (said["model"], said["picture"], said["layer"], said["query"]) == ("demo", "Cat", "1", "[class]")
    assert len(said["parameters sha256"]) == len(said["picture sha256"]) == 64
    assert "edits" not in said
    assert said["config"] == cat.view.config.key
    assert StringIO(csv(arrays_of(cat), said).decode()).readline() == f"# made with: {said['made with']}\n"


def test_what_it_says_does_not_lead_to_somebody_s_picture(cat: Opened) -> None:
    shared = f"{'0a' * 32}-{'Ab_-' * 8}"
    said = about(
        replace(cat, view=replace(cat.view, picture=""), title="Smith.jpg"),
        f"http://x/heads?picture={shared}&layer=2#s",
    )
    assert said["link"] == "http://x/heads?picture=own&layer=2"
    assert said["picture"] == "somebody's own"
    assert "Smith" not in str(said)


def test_the_command_writes_the_numbers_of_a_link(
    tmp_path: Path, demo: Loaded, capsys: pytest.CaptureFixture[str]
) -> None:
    link = f"http://localhost:8501/heads?{CHOSEN}"
    it = view_of(link, demo)
    for write in (npz, csv):
        out = tmp_path / f"view.{write.__name__}"
        main(["data", link, "--out", str(out)])
        assert out.read_bytes() == write(arrays_of(it), about(it, link))
    photo = tmp_path / "=my photo.jpg"
    photo.write_bytes((Path(vitviz.__file__).parent / "samples" / "coffee.jpg").read_bytes())
    main(["data", "resolution?picture=own", "--picture", str(photo), "--out", str(tmp_path / "sizes.csv")])
    written = (tmp_path / "sizes.csv").read_text(encoding="utf-8")
    assert "# picture: somebody's own\n" in written
    assert "photo" not in written
    with pytest.raises(SystemExit):
        main(["data", "parameters", "--out", str(tmp_path / "view.xlsx")])
    assert "written as .npz or .csv, not as “.xlsx”" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("link", "listed"),
    [
        ("heads?model=vit_base_patch16_224", True),
        ("heads?model=build-your-own&image_size=384&patch_size=8&dim=48&heads=3&depth=1", False),
        ("chance?model=vit_tiny_patch16_224", True),
        ("chance?model=build-your-own&dim=48&heads=3&depth=1&classes=21843", False),
        ("resolution?model=build-your-own&dim=48&heads=3&depth=1&classes=21843", True),
    ],
)
def test_what_is_too_large_for_a_spreadsheet_is_known_before_it_is_computed(link: str, listed: bool) -> None:
    view = from_link(link, CALCULATIONS)
    outlined = outlines(view)
    assert (size_of(outlined) <= MOST_BYTES) == listed
    if not listed:
        with pytest.raises(TakeawayError, match=r"the limit is 25.* MB; take the \.npz"):
            csv(outlined, {})


def test_outlines_are_as_large_as_what_they_stand_for(demo: Loaded) -> None:
    for link in ("heads?sample=cat", "chance?sample=cat", "patch_embedding?moment=filters"):
        it = view_of(link, demo)
        assert isinstance(it, Opened)
        outlined = outlines(it.view)
        whole = {array.name: array for array in arrays_of(it)}
        for array in outlined:
            assert (array.axes, array.values.shape) == (whole[array.name].axes, whole[array.name].values.shape)
            assert set(array.values.strides) == {0}
