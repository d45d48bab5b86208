"""What is chosen on the board, as an address says it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from vitviz.addresses.old import moment_said
from vitviz.addresses.place import MOST_LEARNED, Place, patch_of, read_place, same_place, whole
from vitviz.addresses.words import DRAWERS
from vitviz.choices import SWITCHES
from vitviz.config import ViTConfig
from vitviz.edits import Edits
from vitviz.pages import PAGES
from vitviz.selection import Selection

NONE = -1


@dataclass(frozen=True, slots=True)
class Address(Place):
    """What is chosen on the board: a place in the model, and what is done and shown there."""

    patch: int  # of the query; one in the middle where the query is no patch
    answer: int  # the class that is asked about, and the one it is compared with; NONE: not chosen
    against: int
    learned: int  # steps of training after which the model is looked at; NONE: as it is
    moment: str  # by its name; "" where the page has none
    open: str
    edits: Edits
    switches: Mapping[str, str]


def read_words(words: Mapping[str, str], config: ViTConfig, page: str = "") -> Address:
    """What these words ask for on a page; defaults stand for what is missing or out of range."""
    place, _ = read_place(words, config)
    learned = whole(words.get("learned", ""), 0, MOST_LEARNED)
    opened = words.get("open", "")
    answer, against = (whole(words.get(word, ""), 1, config.classes) for word in ("answer", "against"))
    names = PAGES[page].moment_names(config) if page else ()
    return Address(
        **asdict(place),
        patch=patch_of(place.query, config),
        answer=NONE if answer is None else answer - 1,
        against=NONE if against is None else against - 1,
        learned=NONE if learned is None else learned,
        moment=moment_said(words.get("moment", ""), page, names) or moment_said("", page, names) or "",
        open=opened if opened in DRAWERS else "",
        edits=Edits.read(words.get("edits", ""), config)[0],
        switches={name: words[name] if words.get(name) in values else values[0] for name, values in SWITCHES.items()},
    )


def of_second(address: Address, page: str, first: ViTConfig, second: Selection) -> Address:
    """The same place in the model of the second column, with what that column has of its own."""
    there = same_place(address, first, second.config)
    return replace(
        address,
        **asdict(there),
        patch=patch_of(there.query, second.config),
        moment=PAGES[page].same_moment(address.moment, first, second.config),
        learned=NONE if second.learned is None else second.learned,
        edits=second.edits,
    )
