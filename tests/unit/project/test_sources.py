"""No paper is cited without a line in docs/sources.md that says what of it was read."""

import re

from tests.cases import each
from tests.unit.project.test_borders import ROOT
from vitviz.cards import papers
from vitviz.cards.card import Paper

LIST = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
READ = {"words", "code", "cited", "memory"}
ADDRESS = re.compile(
    r"https://(?:arxiv\.org/abs/[\d.]*\d|doi\.org/[\w./]*\w|jmlr\.org/papers/[\w./]+|www\.lesswrong\.com/posts/\w+)"
)
ROWS = [line.strip("|").split("|") for line in LIST.splitlines() if line.startswith("| ") and "---" not in line][1:]


def cited() -> dict[str, str]:
    """Addresses of papers that the product names, each with a place that does."""
    found = {it.address: "cards/papers.py" for it in vars(papers).values() if isinstance(it, Paper)}
    for folder in ("vitviz", "pages", "examples"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".js", ".toml", ".ipynb", ".md"}:
                text = path.read_text(encoding="utf-8")
                found |= {address: str(path.relative_to(ROOT)) for address in ADDRESS.findall(text)}
    return found


def test_every_cited_paper_is_listed() -> None:
    places = cited()
    assert len(places) > 30
    assert {address: place for address, place in places.items() if address not in LIST} == {}


@each(ROWS)
def test_a_row_says_what_was_read_and_none_is_left_over(row: list[str]) -> None:
    source, says, read = (cell.strip() for cell in row)
    assert says
    assert set(read.split(", ")) <= READ
    assert set(ADDRESS.findall(source)) <= set(cited()) | {"https://arxiv.org/abs/2105.10497"}
