"""The form that every page fills, and nothing about any page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from vitviz.calculation import Calculation, Calculations
from vitviz.choice import Choice, Read
from vitviz.config import ViTConfig
from vitviz.sentences import PLACES, Place, Sentence, When, chosen, filled, holds

if TYPE_CHECKING:
    from vitviz.view import View

OPENING = 101  # the order of the page that the app opens on


@dataclass(frozen=True, slots=True)
class Moment:
    """One of the views that a page goes through.

    `name` stands in addresses, `sentence` over the view, and `untrained` in its place where that holds of trained
    models alone. `numbers` are those that it shows, or what says which of a view; where there are none, those of its
    page. The moment is there `when` its conditions hold. Moments with `columns` can stand beside those of a
    second model or picture, those that are `embedded`, always or when conditions hold, show only what stands before the
    first block.
    """

    name: str
    sentence: Sentence = field(hash=False)
    numbers: Calculation | Callable[[View], Calculation] | None = None
    untrained: Sentence = field(default="", hash=False)
    when: When = ""
    columns: bool = False
    embedded: bool | When = False

    def is_embedded(self, config: ViTConfig) -> bool:
        """Whether it shows only what stands before the first block of such a model."""
        return self.embedded if isinstance(self.embedded, bool) else holds(self.embedded, config)


@dataclass(frozen=True, slots=True)
class Page:
    """One page: a folder of its own under `pages/<chapter>/`, whose name is its address.

    `file` is that of the module that holds the value. Pages and chapters stand in the order of `order`; `stage` is that
    of its count line or ""; `forward` says whether it shows a forward pass. A page without moments `says` first what to
    look at; sentences may have `places` of the page's own. `choices` are what it lets one choose besides model,
    picture, place and moment, and `follows` reads what its numbers need and what follows from them, by the names of a
    notebook; an `unedited` page shows the model as it is, whatever edits an address holds; `calculations` are its
    numbers, where there are any to take away, and `cards` the switches whose cards lead to it.

    A page on the board has moments, `all_moments` with whatever model, and in the strip a `label`, a `colour` and a
    `shape`. One that looks into `others` is given the visitor's own pictures, and that of the other column. One that
    `compares` is given the model without the edits of the address, and shows itself what they lead
    to. Beside one that is `switched` stand the switches of the model: it has the plain run and that with the edits,
    and shows the latter. From the page that `leads` a lecture is given, the one that `teaches` has all lessons, and
    gives them to take home, and on the one that `gathers` stand the cells of all others, in their words. `tensors` are
    the beginnings of the names of those that it shows; of two pages the longer holds.

    Where an address `shows` a word, the numbers may be those of another page: the one `elsewhere` under that word. The
    layer of a page that goes `through` layers is the last of them. A page that is `explored` opens the attention
    explorer of offline files, which shows that of it.
    """

    file: str
    title: str
    order: int
    says: Sentence = field(default="", hash=False)
    stage: str = ""
    forward: bool = True
    label: str = ""
    colour: str = ""
    shape: Sentence = field(default="", hash=False)
    all_moments: tuple[Moment, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, hash=False)
    others: bool = False
    compares: bool = False
    switched: bool = False
    leads: bool = False
    teaches: bool = False
    gathers: bool = False
    unedited: bool = False
    cards: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict, hash=False)
    through: bool = False
    explored: Literal["", "row", "rollout"] = ""
    choices: tuple[Choice, ...] = field(default=(), hash=False)
    follows: Mapping[str, Read] = field(default_factory=dict, hash=False)
    calculations: Calculations | None = None

    @property
    def folder(self) -> Path:
        """Where all of the page lies."""
        return Path(self.file).parent

    @property
    def stem(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def chapter(self) -> str:
        """The title of its chapter, after the folder that it lies in."""
        return self.folder.parent.name.capitalize()

    @property
    def address(self) -> str:
        """The last part of the page's address; the first page has none."""
        return "" if self.order == OPENING else self.stem

    def choice(self, word: str) -> Choice | None:
        """Its choice under a word of the address."""
        return next((it for it in self.choices if it.word == word), None)

    @property
    def on_board(self) -> bool:
        """Whether it is a scene of the board, and has moments with every model."""
        return bool(self.all_moments)

    def moments(self, config: ViTConfig) -> tuple[Moment, ...]:
        """Those that there are with such a model."""
        return tuple(it for it in self.all_moments if holds(it.when, config))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All that it says first, in the strip and over its moments."""
        return (
            self.says,
            self.shape,
            *(it for moment in self.all_moments for it in (moment.sentence, moment.untrained)),
        )

    def moment(self, name: str) -> Moment | None:
        """Its moment of a name."""
        return next((it for it in self.all_moments if it.name == name), None)

    def moment_names(self, config: ViTConfig) -> tuple[str, ...]:
        """The names of its moments with such a model; none where the page has no moments."""
        return tuple(it.name for it in self.moments(config))

    def headline(self, moment: Moment, config: ViTConfig, untrained: bool = False) -> str:
        """What stands over a moment, which claims nothing that only training brings where a model is `untrained`."""
        return (untrained and self.text_of(moment.untrained, config)) or self.text_of(moment.sentence, config)

    def text_of(self, sentence: Sentence, config: ViTConfig) -> str:
        """What a sentence of the page says of such a model, roles in braces."""
        return filled(chosen(sentence, config), config, {**PLACES, **self.places})

    def same_moment(self, name: str, first: ViTConfig, second: ViTConfig) -> str:
        """Its moment with another model: of the same name, or where there is none, in the same place.

        `sameMoment` in frontend/state/moments.js says the same.
        """
        names = self.moment_names(second)
        return name if name in names or not names else names[min(self.moment_names(first).index(name), len(names) - 1)]
