"""`vitviz explore` and its like, from the words on the command line to the file."""

from pathlib import Path

import pytest

from vitviz.__main__ import main
from vitviz.takeaway.explorer.explorer import explore
from vitviz.takeaway.opening import Opened


def test_explore_writes_what_the_library_makes(cat: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cat.html"
    main(["explore", "cat", "--layer", "4", "--query", "60", "--out", str(out)])
    expected = explore(cat.trace, cat.loaded, model="demo", picture="Cat", layer=3, query=60)
    assert out.read_text() == expected.html
    assert "kB" in capsys.readouterr().out


def test_explore_takes_a_photo_from_a_file(tmp_path: Path) -> None:
    photo, out = tmp_path / "<b>my.jpg", tmp_path / "x.html"
    photo.write_bytes((Path(__file__).parents[3] / "vitviz/samples/coffee.jpg").read_bytes())
    main(["explore", str(photo), "--layers", "1-2", "--edits", "h3.1*0", "--out", str(out)])
    text = out.read_text()
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
