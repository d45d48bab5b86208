"""What the explorer says of a row of weights, and what an entry of a menu saves."""

import numpy as np
from playwright.sync_api import Locator, expect

from vitviz.numbers import small


def strongest(row: np.ndarray, sign: str = "") -> str:
    """What is said of a row of weights of a model whose class token comes first."""
    best = int(row.argmax())
    name = f"patch {best}" if best else "[class]"
    return f"{name}: {sign}{small(row[best])}, {small(len(row) * row[best])} times uniform attention"


def saved(menu: Locator, name: str, file: str) -> bytes:
    """What an entry of a menu saves, under the name that the file should have."""
    with menu.page.expect_download() as download:
        menu.get_by_role("button", name=name, exact=True).click()
    expect(menu.get_by_role("status")).to_contain_text("is in your downloads")
    assert download.value.suggested_filename == file
    return download.value.path().read_bytes()
