"""How a configuration shows itself in a notebook."""

from dataclasses import fields
from typing import Any

from vitviz.shown import html_table

ALWAYS = 8  # the first fields are sizes; of the others only what is unlike the paper's model is worth a line


class Shown:
    """A dataclass that a notebook shows as a table: its sizes, and what else is not as it usually is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        usual: Any = type(self)()
        named = [(it.name, getattr(self, it.name)) for it in fields(self)]  # type: ignore[arg-type]
        follows = {"head_dim"} if getattr(self, "usual_head_dim", False) else set()
        shown = named[:ALWAYS] + [
            (name, value) for name, value in named[ALWAYS:] if name not in follows and value != getattr(usual, name)
        ]
        return html_table([type(self).__name__, ""], shown)
