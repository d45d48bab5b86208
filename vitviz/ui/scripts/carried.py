"""What Python says to the board, and the numbers that it sends: elements that show nothing themselves."""

from functools import cache
from pathlib import Path

from vitviz.scripts.bundle import bundle
from vitviz.scripts.lean import lean_script
from vitviz.ui.scripts.shown import Code, component

CARRIER = Path(__file__).parents[1] / "board" / "frontend" / "carrier.js"


@cache
def _carrier() -> Code:
    return Code(lean_script(bundle(CARRIER)))


tell = component("vitviz.data", _carrier)
carry = component("vitviz.parcel", _carrier)
carry_to_many = component("vitviz.parcel", _carrier, kept=32)  # what a whole class asks for is written and hashed once
