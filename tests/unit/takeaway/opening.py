"""Opening files that were taken away, each as the programs do that people have for them."""

import ast
import csv
import json
import re
from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree

import nbformat
import numpy as np
from PIL import Image

from vitviz.takeaway.file import MOST_LETTERS, File

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet begins to compute
SEPARATORS = re.compile("[,;|\t]")  # at which it cuts a line, as its owner has set it


def opened(what: str, file: File) -> str:
    """Open a file of this kind, which must be whole: what of it a program takes for markup, or else all of its text."""
    ending, read = FILES[what]
    assert re.fullmatch(rf"[A-Za-z0-9][A-Za-z0-9._-]*\.{ending}", file.name)
    assert len(file.name) <= MOST_LETTERS
    return read(file.data)


def _svg(data: bytes) -> str:
    root = ElementTree.fromstring(data)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {it.tag.rpartition("}")[2] for it in root.iter()}.isdisjoint({"script", "foreignObject", "a"})
    return data.decode()


def _png(data: bytes) -> str:
    with Image.open(BytesIO(data)) as image:
        assert image.format == "PNG"
        assert image.width == 2 * 960
        pixels = np.asarray(image.convert("RGB"))
    assert Image.fromarray(pixels[::3, ::3]).getcolors(2) is None, "an empty sheet, of two colours at most"
    return ""  # of pixels alone


def _npz(data: bytes) -> str:
    with np.load(BytesIO(data), allow_pickle=False) as file:
        numbers = [name for name in file.files if f"{name}.axes" in file.files]
        assert numbers
        for name in numbers:
            assert file[name].dtype in (np.float32, np.int64)
            assert file[name].size
            assert file[name].ndim == len(file[f"{name}.axes"])
        assert str(file["about.link"])
        return "\n".join(str(file[name]) for name in file.files if name.startswith("about."))


def _csv(data: bytes) -> str:
    lines = data.decode("utf-8-sig").splitlines(keepends=True)
    said = [line for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert said
    assert rows
    for cell in (cell for line in said for cell in SEPARATORS.split(line)):
        assert not cell.strip().startswith(FORMULAS)
    for row in rows:
        for name, cell in row.items():
            assert cell is not None
            assert name == "value" or not cell.startswith(FORMULAS)
        float(row["value"])
    return data.decode()


def _notebook(data: bytes) -> str:
    book = nbformat.reads(data.decode(), as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            ast.parse(
                "\n".join(f"pass  # {line}" if line.startswith("%") else line for line in cell.source.split("\n"))
            )
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    assert "assert" in code
    return "".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def _page(data: bytes) -> str:
    text = data.decode()
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    assert "default-src 'none'" in text
    for said in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text):
        json.loads(said)
    return text


def _cited(data: bytes) -> str:
    text = data.decode()
    entries = re.split(r"^@", text, flags=re.MULTILINE)[1:]
    assert any(entry.startswith("misc{") for entry in entries)
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert re.match(r"\w+\{[\w:-]+,", entry)
    return text


# What each is opened by, and the ending of its name.
FILES: dict[str, tuple[str, Callable[[bytes], str]]] = {
    "png": ("png", _png),
    "svg": ("svg", _svg),
    "npz": ("npz", _npz),
    "csv": ("csv", _csv),
    "notebook": ("ipynb", _notebook),
    "chapter": ("ipynb", _notebook),
    "file": ("html", _page),
    "file_weights": ("html", _page),
    "cite": ("txt", _cited),
}
