"""`vitviz explore` and its like, from the words on the command line to the file."""

import argparse
import ast
import csv
import errno
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.unit.takeaway.calculations.test_notebook import cells_of
from vitviz.__main__ import COMMANDS, main
from vitviz.images import PHOTOS
from vitviz.takeaway.calculations import CALCULATIONS
from vitviz.takeaway.commands.page_requests import add_views, page_requests
from vitviz.takeaway.explorer.explorer import explore
from vitviz.takeaway.opening import Opened
from vitviz.weights.loading import DEMO_FILE

ROOT = Path(__file__).parents[3]
DRAWN = {
    "svg",
    "title",
    "rect",
    "image",
    "text",
    "tspan",
    "path",
    "polyline",
    "polygon",
    "line",
    "circle",
    "g",
    "style",
}


def test_explore_writes_what_the_library_makes(cat: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cat.html"
    main(["explore", "cat", "--layer", "4", "--query", "60", "--out", str(out)])
    expected = explore(cat.trace, cat.loaded, model="demo", picture="Cat", layer=3, query=60)
    assert out.read_text(encoding="utf-8") == expected.html
    assert "kB" in capsys.readouterr().out


def test_explore_takes_a_photo_from_a_file(tmp_path: Path) -> None:
    photo, out = tmp_path / "<b>my.jpg", tmp_path / "x.html"
    photo.write_bytes((Path(__file__).parents[3] / "vitviz/samples/coffee.jpg").read_bytes())
    main(["explore", str(photo), "--layers", "1-2", "--edits", "h3.1*0", "--out", str(out)])
    text = out.read_text(encoding="utf-8")
    assert "“&lt;b&gt;my.jpg”" in text
    assert "edited: Head 1 of layer 3 off" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["explore", "nothing.jpg", "--out", "x.html"], "neither a file nor a sample"),
        (["explore", "cat", "--layer", "9", "--out", "x.html"], "there is no layer 9: they are 1 to 6"),
        (["explore", "cat", "--layers", "x", "--out", "x.html"], "are no layers"),
        (["explore", "cat", "--model", "nothing", "--out", "x.html"], "there is no model “nothing”"),
        (["explore", "cat", "--edits", "p3=paste", "--out", "x.html"], "need a second picture"),
        (["explore", "cat", "--out", "/nowhere/x.html"], "x.html could not be written"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(arguments)
    error = capsys.readouterr().err
    assert end.value.code == 1
    assert says in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


ASKED = [
    "--layer",
    "4",
    "--head",
    "2",
    "--query",
    "60",
    "--edits",
    "h3.1*0",
    "--model",
    "shelf_gap_0",
    "--picture",
    "left",
]
LINK = "http://localhost:8501/heads?layer=4&head=2&query=60&edits=h3.1*0&model=shelf_gap_0&sample=left"


@pytest.mark.parametrize("command", ["figure", "data", "notebook", "explore", "cite"])
def test_a_page_with_words_and_its_link_are_the_same(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ending = {"figure": "svg", "data": "npz", "notebook": "ipynb", "explore": "html", "cite": ""}[command]
    made: list[bytes] = []
    for given in (["heads", *ASKED], [LINK], ["heads?layer=1&model=demo&picture=own", *ASKED]):
        out = tmp_path / f"{len(made)}.{ending}"
        main([command, *given, *(["--out", str(out)] if ending else [])])
        said = capsys.readouterr().out
        made.append(out.read_bytes() if ending else said.encode())
    assert b"shelf_gap_0" in made[0] or command == "data"
    if command == "data":
        with np.load(tmp_path / "0.npz") as words, np.load(tmp_path / "1.npz") as link:
            assert words.files == link.files
            for name in words.files:
                np.testing.assert_array_equal(words[name], link[name], err_msg=name) if name != "about.link" else None
            assert parse_qs(str(words["about.link"]).partition("?")[2]) == parse_qs(LINK.partition("?")[2])
    else:
        assert made[0] == made[1] == made[2]


def test_words_stand_for_every_link_of_a_chapter_and_a_picture_for_those_of_one_s_own(tmp_path: Path) -> None:
    photo = tmp_path / "my.jpg"
    photo.write_bytes(PHOTOS[1].read())
    parser = argparse.ArgumentParser()
    add_views(parser, "a chapter")
    given = ["heads?sample=left", "depth?picture=own&layer=2", "parameters", "--picture", str(photo), "--layer", "3"]
    asked_for = page_requests(parser.parse_args(given), CALCULATIONS)
    assert [(view.page, view.picture) for view, *_ in asked_for] == [
        ("heads", "left"),
        ("depth", ""),
        ("parameters", "cat"),
    ]
    assert asked_for[0].view.layer == 2
    given = ["heads?sample=left", "heads", "--picture", str(photo)]
    asked_for = page_requests(parser.parse_args(given), CALCULATIONS)
    assert [view.picture for view, *_ in asked_for] == ["", ""]
    assert asked_for[0].link == "heads?sample=left&picture=own"


def test_a_file_is_the_model_of_both_columns_that_show_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    file.write_bytes(DEMO_FILE.read_bytes())
    parser = argparse.ArgumentParser()
    add_views(parser, "a chapter")
    for link, models in (
        ("heads?model=x&b.model=x", ["mine.safetensors", "mine.safetensors"]),
        ("heads?model=x&b.model=shelf_gap_0", ["mine.safetensors", "shelf_gap_0"]),
    ):
        both = page_requests(parser.parse_args([link, "--second", "--model", str(file)]), CALCULATIONS)
        assert [it.view.model for it in both] == models
        assert [it.loaded is not None for it in both] == [model == "mine.safetensors" for model in models]
    alone = argparse.ArgumentParser()
    add_views(alone)
    (it,) = page_requests(alone.parse_args(["heads?b.model=demo", "--second", "--model", str(file)]), CALCULATIONS)
    assert (it.view.model, it.view.column, it.loaded is not None) == ("mine.safetensors", "second", True)


def test_a_page_that_is_not_drawn_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    for page in ("parameters", "order"):
        with pytest.raises(SystemExit):
            main(["figure", page, "--out", "x.svg"])
        assert f"{page} has no figure for print here, but data and a notebook" in capsys.readouterr().err


def test_a_file_with_the_model_says_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vitviz.edits.running.REFERENCE_SCENES", 3)
    main(["explore", "cat", "--layers", "1", "--weights", "--out", str(tmp_path / "x.html")])
    told = "".join(f"\rthe model's means over scenes: {done} of 3" for done in (1, 2, 3))
    assert capsys.readouterr().err == f"{told}\n"


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "cat.jpg: the disk is full; make room, or choose another place"),
        (errno.EACCES, "cat.jpg: this user may not read or write it; choose another place, or change its permissions"),
        (errno.EIO, "cat.jpg: Input/output error"),
    ],
)
@pytest.mark.parametrize("command", ["figure", "lesson", "demo", "weights"])
def test_what_a_disk_refuses_is_one_sentence_of_any_command(
    command: str, number: int, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError(number, os.strerror(number), "/home/me/cat.jpg")

    monkeypatch.setattr(f"vitviz.{COMMANDS[command]}.main", fail)
    assert main([command, "x"]) == 1
    assert capsys.readouterr().err == f"vitviz: {says}\n"


def test_who_reads_no_further_is_no_error() -> None:
    program = "import sys; from vitviz.__main__ import main; sys.exit(main(['lesson', 'answers']))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as it:
        assert it.stdout
        assert it.stderr
        it.stdout.close()
        assert (it.stderr.read(), it.wait()) == (b"", 0)


def test_an_interrupt_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"vitviz.{COMMANDS['shelf']}.main", interrupted)
    assert main(["shelf", "train"]) == 130
    assert capsys.readouterr().err == "\nvitviz: interrupted\n"


@pytest.mark.parametrize("command", ["figure", "data", "notebook", "explore"])
@pytest.mark.parametrize("out", ["folder", "file/x", "nowhere/x"])
def test_what_cannot_be_written_says_why(
    command: str, out: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = {"figure": ".svg", "data": ".csv", "notebook": ".ipynb", "explore": ".html"}[command]
    (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit):
        main([command, "heads", "--out", str(tmp_path / f"{out}{ending}")])
    why = {"folder": "it is a folder", "file/x": "a file and no folder", "nowhere/x": "no such file or folder"}[out]
    error = capsys.readouterr().err
    assert f"could not be written: {'' if out != 'file/x' else 'a part of its path is '}" in error
    assert why in error
    assert error.count("\n") == 1


EVIL = "=1+1,`%run x`<u>{}\"';--\u202e猫.{}"


@pytest.mark.parametrize("command", ["figure", "data", "notebook", "explore", "cite"])
def test_names_of_files_stay_text_whatever_they_are(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, file = tmp_path / EVIL.format("a", "jpg"), tmp_path / EVIL.format("b", "safetensors")
    try:
        picture.write_bytes(PHOTOS[1].read())
    except UnicodeEncodeError:
        pytest.skip("no file can have this name where names of files are no UTF-8")
    file.write_bytes(DEMO_FILE.read_bytes())
    ending = {"figure": "svg", "data": "csv", "notebook": "ipynb", "explore": "html", "cite": ""}[command]
    out = tmp_path / f"x.{ending}"
    given = ["--picture", str(picture)] if command == "explore" else ["--model", str(file), "--picture", str(picture)]
    main([command, "heads?picture=own", *given, *(["--out", str(out)] if ending else [])])
    text = out.read_text(encoding="utf-8") if ending else capsys.readouterr().out
    assert "<u>" not in text or ending not in ("svg", "html")
    match ending:
        case "svg":
            assert {it.tag.rpartition("}")[2] for it in ElementTree.fromstring(text).iter()} <= DRAWN
        case "csv":
            rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
            assert not [cell for row in rows[1:] for cell in row[:-1] if cell[:1] in tuple("=+-@")]
        case "ipynb":
            cells = cells_of(text)
            assert not [cell for cell in cells if "%run" in "".join(it for it in cell.splitlines() if "load" not in it)]
            assert all(ast.parse(cell) for cell in cells)
        case "":
            assert text.count("@misc") == 2
    assert str(tmp_path) not in text
