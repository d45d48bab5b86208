"""What the words of an address choose on a page besides model, picture and place."""

from collections.abc import Mapping
from typing import Any

from vitviz.addresses.old import moment_said
from vitviz.choice import ChoiceError, Read, Words, found_in
from vitviz.config import ViTConfig
from vitviz.pages import ON_BOARD, PAGES


def choices_of(page: str, asked: Words, config: ViTConfig, model: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What an address chooses on a page, as a notebook calls it, and a sentence for each choice that there is not.

    For that, and for what an address leaves unsaid, stands what is usual on the page with the `model` of that name.
    """
    found, refused, usual = {}, [], {"model": model}
    moment: Mapping[str, Read] = {"moment": _moment_of(page)} if page in ON_BOARD else {}
    for name, read in {**moment, **PAGES[page].choices}.items():
        try:
            found[name] = read({**asked, **usual}, config)
        except ChoiceError as error:
            refused.append(str(error))
            found[name] = read(usual, config)
    return found, tuple(dict.fromkeys(refused))


def _moment_of(page: str) -> Read:
    """The moment of a page, by its name."""

    def read(asked: Words, config: ViTConfig) -> str:
        names, text = PAGES[page].moment_names(config), asked.get("moment", "")
        found = moment_said(text, page, names)
        return found_in("moment", text, dict.fromkeys(names)) if found is None else found

    return read
