"""What is written beside the code is true of it: links and paths lead somewhere, and one version is told."""

import re
from pathlib import Path

import pytest

import vitviz
from tests.cases import each

ROOT = Path(__file__).parents[3]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")]
TOP = ("vitviz", "pages", "tests", "benchmarks", "deploy", "docs", "examples")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
BY_NAME = re.compile(r"pip3? install\b[^\n`]*?[\s\"']vitviz(?![-\w/])")
PATH = re.compile(rf"`((?:{'|'.join(TOP)})/[\w./-]*)")


@each(DOCUMENTS)
def test_links_and_paths_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [link for link in LINK.findall(text) if not (document.parent / link).exists()] == []
    assert [path for path in PATH.findall(text) if not (ROOT / path).exists()] == []


def test_every_test_that_is_named_is_there() -> None:
    paths = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("tests/**/*.js")]
    there = {path.stem for path in paths}
    there |= {name for path in paths for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
    for document in set(DOCUMENTS) - {ROOT / "CHANGELOG.md"}:
        text = document.read_text(encoding="utf-8")
        assert set(re.findall(r"\btest_\w+", text)) <= there, document
        assert [it for it in re.findall(r"\btests/[\w./-]*\w", text) if not (ROOT / it).exists()] == [], document


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = LINK.findall((folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in folder.glob("0*.md"))


def test_the_citation_and_the_changelog_tell_the_version() -> None:
    assert f"\nversion: {vitviz.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {vitviz.__version__} - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_commands_of_the_readme_are_those_of_the_makefile() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8")))
    named = {name for path in DOCUMENTS for name in re.findall(r"`make ([a-z-]+)", path.read_text(encoding="utf-8"))}
    assert named <= targets


@pytest.mark.parametrize(
    "text", ["pip install vitviz[ray]", '%pip install -q \\"vitviz==0.1.0\\"', "pip install a vitviz"]
)
def test_a_name_to_install_is_seen(text: str) -> None:
    assert BY_NAME.search(text)
    assert not BY_NAME.search("`pip install .` brings vitviz; pip install ./vitviz-0.1.0-py3-none-any.whl")


def test_nobody_is_told_to_install_a_name_that_is_free_on_the_index() -> None:
    kinds = (
        "*.md",
        "*.py",
        "*.ipynb",
        "*.yaml",
        "*.toml",
        "*.txt",
        "*.js",
        "*.html",
        "Containerfile",
        "Dockerfile",
        "Makefile",
    )
    told = [
        path
        for part in (".", *TOP)
        for kind in kinds
        for path in (ROOT / part).glob(f"**/{kind}" if part != "." else kind)
    ]
    assert len(told) > 500
    found = [path for path in told if path != Path(__file__) and BY_NAME.search(path.read_text(encoding="utf-8"))]
    assert found == []
