"""What a card says of one switch of the architecture, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vitviz.config import ViTConfig
from vitviz.config.sides import written

Setting = int | float | str | tuple[int, int] | None
Code = tuple[str, ...]  # a function of the model, and what stands in those of its lines that the switch is about

STAGES = {
    "picture and patches": "patch",
    "tokens and positions": "position",
    "attention": "attention",
    "block": "MLP",
    "read-out": "head",
    "initialisation": "layer norms",
}  # in the order of the model, and the role whose colour a stage has


class Paper(NamedTuple):
    """What a paper is called, "Authors year, title" in short; its address; its whole title where that is another."""

    words: str
    address: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a switch: what it does, its equation, where it is written in the model, and who came up with it.

    In LaTeX, `\\new{...}` is what differs from the paper's model. `needs` are other fields that it cannot be without.
    """

    value: Setting
    says: str
    equation: str
    code: tuple[Code, ...]
    paper: Paper
    needs: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def in_link(self) -> str:
        """The value as an address has it: auto, true, 96x128, 1e-6."""
        if isinstance(self.value, float):
            return repr(self.value).replace("e-0", "e-")
        if isinstance(self.value, tuple):
            return written(self.value)
        return "auto" if self.value is None else str(self.value).lower()


@dataclass(frozen=True, slots=True)
class Card:
    """A field of `ViTConfig` with the values that are shown of it, the paper's first."""

    field: str
    title: str
    stage: str
    choices: tuple[Choice, ...]

    @property
    def usual(self) -> Choice:
        """The value of the paper's model."""
        return self.choices[0]

    def choice(self, value: Setting) -> Choice:
        """The choice of this value; the paper's where there is none."""
        return next((it for it in self.choices if it.value == value), self.usual)

    def changed(self, config: ViTConfig, choice: Choice) -> ViTConfig:
        """The model with that value, and what the value needs; raises `ConfigError` where there can be none."""
        return config.with_(**choice.needs, **{self.field: choice.value})

    def has(self, config: ViTConfig, choice: Choice) -> bool:
        """Whether a model has that value already, and what the value needs."""
        values = {**choice.needs, self.field: choice.value}
        if self.field == "head_dim" and choice.value is None:
            return config.usual_head_dim
        return all(getattr(config, name) == value for name, value in values.items())


def numbers(*values: Setting, says: str, equation: str, code: tuple[Code, ...], paper: Paper) -> tuple[Choice, ...]:
    """Choices that differ in their number alone."""
    return tuple(Choice(value, says, equation, code, paper) for value in values)
