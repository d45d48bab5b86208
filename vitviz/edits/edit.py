"""One edit: which part of the model or of the picture, and what is done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from vitviz.config import MOST_DROPPED, ViTConfig

REFERENCE_SCENES = 64  # over which means are taken, four of each class


class EditsError(ValueError):
    """An edit that this model cannot have, said in one sentence with a way out."""


@dataclass(frozen=True, slots=True)
class Range:
    """What a number behind a `sign` may be: its `most` may be a size of the model, and a `whole` one has no point.

    `texts` are what people read in place of a number, or of any other: "".
    """

    name: str
    least: float
    most: float | Literal["tokens", "patches", "furthest"]
    sign: Literal["=", "*"] = "="
    whole: bool = False
    texts: Mapping[str, str] = field(default_factory=lambda: {"": "{number}"})

    def most_of(self, config: ViTConfig) -> float:
        """The largest number of this model."""
        sizes = {"tokens": config.tokens, "patches": config.patches, "furthest": max(config.grid) - 1}
        return sizes[self.most] if isinstance(self.most, str) else self.most


@dataclass(frozen=True, slots=True)
class Kind:
    """What a word of one letter may say; the browser reads words by the same table.

    `layer`: "one", "any" (one or all) or "" (it has none). `places`: "heads", "patches", "tokens", "patch" (one, or
    none for all) or ""; `runs` is how one and how several are called whose equal neighbours are one word. What is done
    is a number of `range`, or one of `words`, of which `usual` is not written; the one that is `seeded` may have a
    seed ("": the number). `neutral` is the end of a word that leaves things as they are. What more a word `does`, ""
    stands for any: it "hides" patches, "paints" pixels, takes a "second" picture, or "waits" for Python, which alone
    knows what it comes to.

    What it `says` to people names the `{run}`, the `{layer}` or `{where}`, and what is `{done}` by the number or word;
    `together` is what is said, before that, of # of them.
    """

    name: str
    letter: str
    says: str
    example: str
    words: Mapping[str, str] = field(default_factory=dict)
    layer: Literal["", "one", "any"] = ""
    places: Literal["", "heads", "patches", "tokens", "patch"] = ""
    runs: tuple[str, str] | None = None
    range: Range | None = None
    usual: str = ""
    seeded: str | None = None
    neutral: str = ""
    does: Mapping[str, str] = field(default_factory=dict)
    together: str = ""


SCALE = Range("scale", 0, 2, sign="*", texts={"0": "off", "": "times {number}"})
SCORES = Range("number of scores", 1, "tokens", whole=True, texts={"1": "largest score", "": "{number} largest scores"})
OTHER = Range("patch", 1, "patches", whole=True, texts={"": "patches {first} and {number} swapped"})
SHIFT = Range("shift", 0, 32, texts={"1": "1 column", "": "{number} columns"})
RATE = Range("rate", 0, MOST_DROPPED)
MEANS = {
    "mean": f"at the mean of {REFERENCE_SCENES} scenes, token by token",
    "mean.all": f"at the mean of {REFERENCE_SCENES} scenes, over all tokens",
}
WAYS = {
    "masked": "hidden: masked as keys",
    "removed": "hidden: removed as tokens",
    "grey": "painted grey",
    "blur": "painted with their mean colour",
    "paste": "pasted from the second picture",
}
DOES = {"masked": "hides", "removed": "hides", "grey": "paints", "blur": "paints", "paste": "paints second"}
OFF = {"off": "all patches off"}
SHUFFLED = {"shuffled": "all patches shuffled (seed {seed})"}
DIVISORS = {"sqrt": "divided by √dₕ", "dh": "divided by dₕ", "none": "not divided"}
MASKS = {"causal": "Causal", "full": "No causal"}
TEMPERATURE, RADIUS = Range("temperature", 0.01, 100), Range("number of patches", 0, "furthest", whole=True)
PUT_IN = "{run} of the second picture put in before layer {layer}"
BEFORE_IT = "attention maps show the weights before it"
PATCHES = ("Patch", "Patches")
_scaled = partial(Kind, words=MEANS, layer="one", range=SCALE, neutral="*1")
_anywhere = partial(Kind, layer="any")
_exchanged = partial(Kind, places="patch", range=OTHER, seeded="shuffled")
_dropped = partial(Kind, range=RATE, seeded="", neutral="=0")
KINDS = {
    it.name: it
    for it in (
        _scaled(
            "head",
            "h",
            "{run} of layer {layer} {done}",
            "h3.1*0, h3.1-4*0.5 or h3.1=mean",
            places="heads",
            runs=("Head", "Heads"),
            together="# heads",
        ),
        _scaled(
            "attention", "a", "Attention of layer {layer} {done}", "a3*0 or a3=mean", together="Attention of # layers"
        ),
        _scaled("mlp", "m", "MLP of layer {layer} {done}", "m5*0.5 or m5=mean", together="MLPs of # layers"),
        _scaled("block", "b", "Layer {layer} {done}", "b2*0", words={}, together="# layers"),
        _anywhere("temperature", "t", "Temperature {done} {where}", "t2=0.25 or t=4", range=TEMPERATURE, neutral="=1"),
        _anywhere("scale", "s", "Scores {where} {done}", "s2=sqrt, s2=dh or s=none", DIVISORS, neutral="=sqrt"),
        _anywhere("top_k", "k", "Only the {done} of a row {where}", "k2=16 or k=1", range=SCORES),
        _anywhere("window", "w", "Patches see no further than {done} patches {where}", "w2=3 or w=1", range=RADIUS),
        _anywhere("causal", "c", "{done} mask {where}", "c2, c or c2=full", MASKS, usual="causal", neutral="=full"),
        Kind(
            "patch",
            "p",
            "{run} {done}",
            "p40-45, p7=removed, p7=grey, p7=blur or p7=paste",
            WAYS,
            places="patches",
            runs=PATCHES,
            usual="masked",
            does=DOES,
            together="# patches",
        ),
        _exchanged("pixels", "i", "Pixels of {done}", "i12=40 or i=shuffled@7", SHUFFLED, does={"": "paints"}),
        _exchanged("positions", "e", "Positions of {done}", "e12=40, e=off or e=shuffled@7", OFF | SHUFFLED),
        Kind(
            "shift",
            "o",
            "Position of {run} moved to the right by {done}",
            "o40=0.5 or o40-45=3",
            places="patches",
            runs=("patch", "patches"),
            range=SHIFT,
            neutral="=0",
            together="Positions of # patches moved to the right by",
        ),
        _dropped("dropout", "d", f"Dropout {{done}} (seed {{seed}}; {BEFORE_IT})", "d=0.1 or d=0.1@7"),
        _dropped("drop_path", "l", "Drop path {done} (seed {seed})", "l=0.1 or l=0.1@7", does={"": "waits"}),
        Kind(
            "donor",
            "r",
            PUT_IN,
            "r3.40-45, r3.x1 or r3.all",
            layer="one",
            places="tokens",
            runs=PATCHES,
            does={"": "second"},
        ),
    )
}
BY_LETTER = {kind.letter: kind for kind in KINDS.values()}
ORDER = {name: place for place, name in enumerate(KINDS)}


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
        return f"{self.target}{self.what}"

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
        return KINDS[self.kind].places == "patch" and self.first is not None

    @property
    def what(self) -> str:
        """What is done, as text: "*0.5", "=shuffled@7"."""
        kind = KINDS[self.kind]
        seed = f"@{self.seed}" if self.seed else ""
        if self.word:
            return "" if self.word == kind.usual else f"={self.word}{seed}"
        return f"{kind.range.sign}{written(self.number + self.is_swap)}{seed}" if kind.range else ""

    def does(self, what: str) -> bool:
        """Whether it "hides", "paints", takes a "second" picture or "waits", as `Kind` says."""
        does = KINDS[self.kind].does
        return what in does.get(self.word, does.get("", "")).split()

    def neutral(self, config: ViTConfig) -> bool:
        """Whether it leaves things as they are."""
        kind = KINDS[self.kind]
        if self.is_swap:
            return self.first == self.number
        most = kind.range and isinstance(kind.range.most, str) and self.number == kind.range.most_of(config)
        return bool(most) or self.what.partition("@")[0] == kind.neutral != ""

    def in_words(self, config: ViTConfig) -> str:
        """What it does, in words: "Head 1 of layer 3 off"."""
        kind = KINDS[self.kind]
        number = written(self.number + self.is_swap)
        texts = kind.range.texts if kind.range else {}
        done = kind.words[self.word] if self.word else texts.get(number, texts.get("", ""))
        layer = (self.layer or 0) + 1
        places = {
            "layer": layer,
            "where": "in all layers" if self.layer is None else f"in layer {layer}",
            "run": self._named(kind, config),
            "first": (self.first or 0) + 1,
            "number": number,
            "seed": self.seed,
        }
        return kind.says.replace("{done}", done).format_map(places)

    def _named(self, kind: Kind, config: ViTConfig) -> str:
        """The places in words."""
        if self.prefix:
            return ", ".join(f"[{config.prefix_tokens[place]}]" for place in self.places)
        one, many = kind.runs or ("", "")
        return f"{many} {_run(self, ' to ')}" if len(self.places) > 1 else f"{one} {_run(self)}"


def written(number: float) -> str:
    """A number with as many of its three digits after the point as it needs."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _run(edit: Edit, to: str = "-") -> str:
    places = edit.places
    return to.join(str(place + 1) for place in dict.fromkeys((places[0], places[-1]))) if places else ""
