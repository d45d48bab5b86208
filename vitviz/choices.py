"""What can be chosen: the words that an address may hold on any page, and what they choose on one."""

from typing import Any

from vitviz.addresses.old import moment_said
from vitviz.addresses.ranges import NUMBERS as OF_MODELS
from vitviz.addresses.ranges import Number
from vitviz.addresses.words import BOARD, SHARED
from vitviz.choice import Choice, ChoiceError, Read, Words, found_in
from vitviz.config import ViTConfig
from vitviz.pages import ON_BOARD, PAGES

# Words keep what they choose while another page is open.
OF_PAGES = {it.word: it for page in PAGES.values() for it in page.choices if it.word not in SHARED}
WORDS = frozenset((*SHARED, *OF_PAGES))
SWITCHES = BOARD | {it.word: tuple(it.few({}, None)) for it in OF_PAGES.values() if it.scene}  # the usual value first
LEAVES = tuple(word for word, it in OF_PAGES.items() if it.leaves)
HERE_ALONE = ("open", "moment", "take", *LEAVES)  # words that no other page gets
NUMBERS = OF_MODELS | {word: it.values for word, it in OF_PAGES.items() if isinstance(it.values, Number)}


def choice_of(page: str, word: str) -> Choice | None:
    """What a word chooses on a page, or on another one."""
    return PAGES[page].choice(word) or OF_PAGES.get(word)


def refusal(word: str, text: str, config: ViTConfig | None = None) -> str:
    """Why the app does not take what an address says of a number, as half a sentence; "" where it does.

    Of a model that is known only what it has is taken.

    >>> refusal("depth", "-2000")
    'there is only depth 1 to 1,024'
    """
    return NUMBERS[word].refusal(word, text, config) if word in NUMBERS else ""


def choices_of(page: str, words: Words, config: ViTConfig, model: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What an address chooses on a page, as a notebook calls it, and a sentence for each choice that there is not.

    For that, and for what an address leaves unsaid, stands what is usual on the page with the `model` of that name.
    """
    its = PAGES[page]
    reads: dict[str, Read] = {"moment": _moment_of(page)} if page in ON_BOARD else {}
    reads |= {it.name: it.read for it in its.choices if it.name}
    found, refused, usual = {}, [], {"model": model}
    for name, read in {**reads, **its.follows}.items():
        try:
            found[name] = read({**words, **usual}, config)
        except ChoiceError as error:
            refused.append(str(error))
            found[name] = read(usual, config)
    return found, tuple(dict.fromkeys(refused))


def _moment_of(page: str) -> Read:
    """The moment of a page, by its name."""

    def read(words: Words, config: ViTConfig) -> str:
        names, text = PAGES[page].moment_names(config), words.get("moment", "")
        found = moment_said(text, page, names)
        return found_in("moment", text, dict.fromkeys(names)) if found is None else found

    return read
