"""What `pip install .` installs: all of the library, the app that travels inside it, and the command line."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import vitviz
from tests import wheel
from tests.unit.project.test_borders import FILES, imported, part_of
from vitviz.__main__ import main
from vitviz.installed import APP
from vitviz.ui import start

ROOT = wheel.ROOT


def pinned(file: str) -> dict[str, Version]:
    """The packages of a file and their versions, without those of the files that it includes."""
    lines = (ROOT / file).read_text().splitlines()
    pins = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    return {canonicalize_name(it.name): Version(str(it.specifier).removeprefix("==")) for it in pins}


def ranges() -> dict[str, list[Requirement]]:
    """What the package asks for, by its extra; "" is the library."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = {"": project["dependencies"]} | project["optional-dependencies"]
    return {extra: [Requirement(text) for text in texts] for extra, texts in lists.items()}


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


def test_the_metadata_says_version_python_and_command(built: ZipFile) -> None:
    (name,) = [name for name in built.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = message_from_bytes(built.read(name))
    assert metadata["Version"] == vitviz.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Provides-Extra") == ["app", "notebook", "ray"]
    assert b"vitviz = vitviz.__main__:main" in built.read(name.replace("METADATA", "entry_points.txt"))


def test_a_package_gives_ranges_and_what_make_run_pins_lies_within() -> None:
    asked = ranges()
    files = {"app": "requirements.txt", "notebook": "requirements-notebook.txt", "ray": "requirements-ray.txt"}
    for extra, file in files.items():
        pins = pinned(file)
        for requirement in [*asked[extra], *(asked[""] if extra == "app" else [])]:
            operators = sorted(it.operator for it in requirement.specifier)
            if requirement.name == "vitviz":
                assert requirement.extras == {"app"}
            elif requirement.name != "numpy":  # comes with PyTorch
                assert operators == ["<", ">="], requirement
                assert requirement.specifier.contains(pins.pop(canonicalize_name(requirement.name)))
        assert pins == {}, "pinned, and the package does not ask for it"


def test_the_library_asks_for_no_more_than_it_imports() -> None:
    """Below the app, and in the app beside that."""
    inside = {"vitviz", "app", "pages", *sys.stdlib_module_names}
    with_streamlit = {"starlette", "uvicorn", "websockets", "anyio", "google"}
    with_others = {*with_streamlit, "filelock", "httpx2"}  # these of the hub
    names = {"PIL": "pillow", "huggingface_hub": "huggingface-hub"}
    found: dict[bool, set[str]] = {False: set(), True: set()}
    for path in FILES:
        app = part_of(".".join(path.relative_to(ROOT).with_suffix("").parts)) in ("ui", "app", "pages.drawn")
        for _, name in imported(path.read_text(encoding="utf-8"), "vitviz"):
            if (package := name.split(".")[0]) not in inside:
                found[app].add(names.get(package, package))
    optional = {"ray", "anywidget", "traitlets", "onnx"}
    library, beside = ({canonicalize_name(it.name) for it in ranges()[extra]} for extra in ("", "app"))
    assert found[False] - optional - with_others == library
    assert found[True] - library - with_others == beside


def test_in_the_repository_the_app_lies_beside_the_package() -> None:
    assert ROOT == APP
    assert Path(vitviz.__file__).parent.parent == APP


@pytest.mark.parametrize(
    ("desktop", "arguments", "run"),
    [
        (False, [], []),
        (False, ["--server.port=8502", "--", "x"], ["--server.port=8502", "--", "x"]),
        (True, [], ["--server.headless=false", "--server.showEmailPrompt=false"]),
        (True, ["--server.headless=true"], ["--server.headless=true"]),
    ],
)
def test_without_a_command_the_app_is_served_and_opened_where_there_is_a_desktop(
    desktop: bool, arguments: Sequence[str], run: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from streamlit.web import cli

    given: list[list[str]] = []
    monkeypatch.setattr(cli, "main", given.append)
    monkeypatch.setattr(start, "has_desktop", lambda: desktop)
    monkeypatch.delenv("STREAMLIT_SERVER_HEADLESS", raising=False)
    assert main(arguments) == 0
    assert given == [["run", str(ROOT / "app.py"), *run]]


def test_the_library_alone_says_how_the_app_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r'needs Streamlit.*`pip install "\.\[app\]"` in the repository'):
        main([])


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
