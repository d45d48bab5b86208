"""What `pip install .` installs: all of the library, the app that travels inside it, and the command line."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

import vitviz
from tests import wheel
from vitviz.__main__ import main
from vitviz.installed import APP

ROOT = wheel.ROOT


def pinned(file: str) -> set[str]:
    """The requirements of a file, without those of the files that it includes."""
    lines = (ROOT / file).read_text().splitlines()
    return {line.replace("_", "-") for line in lines if line and line[0] not in "#-"}


def files(folder: str) -> set[str]:
    """All files below a folder of the repository but what Python compiled."""
    there = (path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.as_posix() for path in there if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    pytest.importorskip("hatchling", reason="`make test` installs hatchling")
    return ZipFile(wheel.build(tmp_path_factory.mktemp("wheel")))


def test_the_wheel_holds_every_file_of_the_library_and_the_app_inside_it(built: ZipFile) -> None:
    library, pages = files("vitviz"), files("pages")
    beside = {"app.py", "requirements.txt", ".streamlit/config.toml"}
    packed = {name for name in built.namelist() if not re.match(r"vitviz-[^/]+\.dist-info/", name)}
    assert packed == library | {f"vitviz/_app/{name}" for name in pages | beside}
    assert {
        "vitviz/py.typed",
        "vitviz/demo/data/demo.safetensors",
        "vitviz/shelf/data/positions/none_0.safetensors",
        "vitviz/photo/photo.safetensors",
        "vitviz/photo/LICENSE-APACHE-2.0.txt",
        "vitviz/_app/pages/overview/overview/page.py",
    } <= packed


def test_no_pages_lie_beside_the_main_script(built: ZipFile) -> None:
    """Streamlit's old page mechanism would run them without menu and sidebar."""
    assert "vitviz/ui/main.py" in built.namelist()
    assert not [name for name in built.namelist() if name.startswith("vitviz/ui/pages/")]


def test_version_and_requirements_stand_in_one_place(built: ZipFile) -> None:
    (name,) = [name for name in built.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(built.read(name))
    assert metadata["Version"] == vitviz.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    asked: dict[str, set[str]] = {}
    for line in metadata.get_all("Requires-Dist", []):
        requirement, _, extra = line.partition("; extra == ")
        asked.setdefault(extra.strip("'"), set()).add(requirement)
    extras = {extra: pinned(f"requirements-{extra}.txt") for extra in ("notebook", "ray", "dev")}
    assert asked == {"": pinned("requirements.txt")} | extras
    assert b"vitviz = vitviz.__main__:main" in built.read(name.replace("METADATA", "entry_points.txt"))


def test_in_the_repository_the_app_lies_beside_the_package() -> None:
    assert ROOT == APP
    assert Path(vitviz.__file__).parent.parent == APP


@pytest.mark.parametrize(
    ("arguments", "run"),
    [([], []), (["--server.port=8502", "--", "x"], ["--server.port=8502", "--", "x"])],
)
def test_without_a_command_the_app_is_served(
    arguments: Sequence[str], run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from streamlit.web import cli

    given: list[list[str]] = []
    monkeypatch.setattr(cli, "main", given.append)
    assert main(arguments) == 0
    assert given == [["run", str(ROOT / "app.py"), *run]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--version"], f"vitviz {vitviz.__version__}"),
        (["--help"], "vitviz weights list | download NAME"),
        (["count", "vit_base_patch16_224"], "parameters: 86,567,656"),
        (["count", "vit_base_patch16_224", "image_size=384"], "= 577·768"),
        (["weights", "list"], "vit_tiny_patch16_224"),
    ],
)
def test_commands_answer(arguments: Sequence[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not main(arguments)
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["weights", "--help"], ["demo", "train", "--help"], ["demo", "report", "--help"]]
)
def test_every_tool_has_help(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 0
    assert f"usage: vitviz {arguments[0]}" in capsys.readouterr().out


def test_an_unknown_command_is_no_setting_of_streamlit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cuont"]) == 2
    assert "no command 'cuont'" in capsys.readouterr().err


def test_a_terminal_that_lacks_a_letter_ends_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vitviz", "count", "demo"],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        encoding="latin-1",
        check=True,
    )
    assert "·" in done.stdout
    assert "?" in done.stdout


def test_counting_on_the_command_line_imports_neither_pytorch_nor_streamlit() -> None:
    program = (
        "import sys; from vitviz.__main__ import main; main(['count', 'demo']);"
        "print([name for name in ('torch', 'streamlit', 'plotly') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")
