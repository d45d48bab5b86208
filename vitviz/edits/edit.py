"""One edit: which part of the model or of the picture, and what is done to it."""

from dataclasses import dataclass

from vitviz.config import MOST_DROPPED


class EditsError(ValueError):
    """An edit that this model cannot have, said in one sentence with a way out."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a word of one letter may say.

    `layer`: "one", "any" (one or all) or "" (it has none). `places`: "heads", "patches", "tokens", "patch" (one, or
    none for all) or "". `number` is what a number after `sign` means, "" where none may stand, with its `least` and
    `most` (-1: the model says); `words` may stand after "=", `usual` is the one that is not written, and `seeded` are
    those with a seed ("": the number).
    """

    name: str
    letter: str
    layer: str = ""
    places: str = ""
    sign: str = "="
    number: str = ""
    least: float = 0
    most: float = -1
    words: tuple[str, ...] = ()
    usual: str = ""
    seeded: tuple[str, ...] = ()


MEANS = ("mean", "mean.all")
SCALE, LARGEST_SCALE = "scale", 2
KINDS = {
    it.name: it
    for it in (
        Kind("head", "h", "one", "heads", "*", SCALE, 0, LARGEST_SCALE, MEANS),
        Kind("attention", "a", "one", "", "*", SCALE, 0, LARGEST_SCALE, MEANS),
        Kind("mlp", "m", "one", "", "*", SCALE, 0, LARGEST_SCALE, MEANS),
        Kind("block", "b", "one", "", "*", SCALE, 0, LARGEST_SCALE),
        Kind("temperature", "t", "any", number="temperature", least=0.01, most=100),
        Kind("scale", "s", "any", words=("sqrt", "dh", "none")),
        Kind("top_k", "k", "any", number="number of scores", least=1),
        Kind("window", "w", "any", number="number of patches"),
        Kind("causal", "c", "any", words=("causal", "full"), usual="causal"),
        Kind("patch", "p", places="patches", words=("masked", "removed", "grey", "blur", "paste"), usual="masked"),
        Kind("pixels", "i", places="patch", number="patch", words=("shuffled",), seeded=("shuffled",)),
        Kind("positions", "e", places="patch", number="patch", words=("off", "shuffled"), seeded=("shuffled",)),
        Kind("dropout", "d", number="rate", most=MOST_DROPPED, seeded=("",)),
        Kind("drop_path", "l", number="rate", most=MOST_DROPPED, seeded=("",)),
        Kind("donor", "r", "one", "tokens"),
    )
}
BY_LETTER = {kind.letter: kind for kind in KINDS.values()}
ORDER = {name: place for place, name in enumerate(KINDS)}
SWAPS = ("pixels", "positions")


@dataclass(frozen=True, slots=True)
class Edit:
    """What is done to one place, or to a run of equal ones; everything counts from 0, unlike in the text.

    `kind` is one of `KINDS`. `layer` is None for all layers, or where there is none. `first` to `last` are heads,
    patches, or tokens (prefix tokens where `prefix`, else patches), None for no place. What is done is a `word` or a
    `number` (of a swap: the other patch), with a `seed` where chance decides.
    """

    kind: str
    layer: int | None = None
    first: int | None = None
    last: int | None = None
    prefix: bool = False
    word: str = ""
    number: float = 0
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.target}{self._what}"

    @property
    def target(self) -> str:
        """Where, as text: "h3.1-4"."""
        layer = "" if self.layer is None else str(self.layer + 1)
        point = "." if layer and self.first is not None else ""
        return f"{KINDS[self.kind].letter}{layer}{point}{'x' if self.prefix else ''}{_run(self)}"

    @property
    def places(self) -> range:
        """The heads, patches or tokens."""
        return range(0) if self.first is None or self.last is None else range(self.first, self.last + 1)

    @property
    def is_swap(self) -> bool:
        """Whether two patches change places."""
        return self.kind in SWAPS and self.first is not None

    @property
    def _what(self) -> str:
        kind = KINDS[self.kind]
        seed = f"@{self.seed}" if self.seed else ""
        if self.word:
            return "" if self.word == kind.usual else f"={self.word}{seed}"
        return f"{kind.sign}{written(self.number + self.is_swap)}{seed}" if kind.number else ""


def written(number: float) -> str:
    """A number with as many of its three digits after the point as it needs."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _run(edit: Edit) -> str:
    places = edit.places
    if not places:
        return ""
    return f"{places[0] + 1}-{places[-1] + 1}" if len(places) > 1 else f"{places[0] + 1}"
