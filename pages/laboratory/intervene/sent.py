"""What a browser that does not run the model asks for of edits: edited runs, and maps that ask everything once."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vitviz.board.address import Address
from vitviz.board.lens import read_out
from vitviz.board.scene import Parcels
from vitviz.results import forward_info, measure
from vitviz.scripts.parcels import Arrays
from vitviz.selection import Selection
from vitviz.ui import pieces
from vitviz.ui.server.client import ask

if TYPE_CHECKING:
    from vitviz.measures.arrays import Array


def edited_run(selection: Selection, address: Address) -> Parcels:
    """The logit lens with the edits, or the vectors where there is none, and what the query looks at, `head k`."""
    text, layer, query = str(selection.edits), address.layer, address.query
    if text:
        name, make = read_out(selection.config)
        yield f"{name} {text}", lambda: make(selection)
    yield f"row {layer} {query} {text}", lambda: _row(selection, layer, query)


def _row(selection: Selection, layer: int, query: int) -> Arrays:
    from vitviz.measures.attention import attention_row

    return {"rows": measure(selection, attention_row, layer, query)}


def maps(selection: Selection, address: Address, second: Selection) -> Parcels:
    """Those of the moment that is shown, of the unedited model, piece by piece and then whole."""
    if address.moment == "everything":
        best = _best(selection)
        donor = address.switches["taken"]
        yield from _pieces(f"heads {donor}", lambda: pieces.heads_map(selection, donor), lambda change: change[:, best])
        way = address.switches["hides"]
        occluded = lambda: pieces.occlusion_map(selection, way)  # noqa: E731
        yield from _pieces(f"patches {way}", occluded, lambda change: change[:, best])
    direction = address.switches["traced"]
    if address.moment == "tracing" and direction in ("enough", "needed"):
        yield from _traced(selection, second, direction)


def _traced(selection: Selection, second: Selection, direction: Any) -> Parcels:
    name = replace(selection, donor=second.picture).donor_link
    from vitviz.measures.interventions import moved_share

    own, other = forward_info(selection).logits, forward_info(second).logits
    host, donor = (own, other) if direction == "needed" else (other, own)
    target, against = int(own.argmax()), int(other.argmax())

    def share(logits: "Array") -> "Array":
        return moved_share(logits, host, donor, target, against)

    traced = lambda: pieces.causal_map(selection, second.picture, direction)  # noqa: E731
    yield from _pieces(f"trace {direction} {name}", traced, share)


def _best(selection: Selection) -> int:
    return int(forward_info(selection).logits.argmax())


def _pieces(name: str, make: "Callable[[], list[pieces.Piece[Array]]]", value: "Callable[[Array], Array]") -> Parcels:
    """Each piece as it comes, and all of them, or why there are none."""
    from vitviz.machine.device import DeviceError

    try:
        parts = make()
    except DeviceError as error:
        sentence = str(error).encode()
        yield name, lambda: {"sentence": np.frombuffer(sentence, np.uint8)}
        return
    at = 0
    for part in parts:
        yield f"{name} from {at}", lambda part=part: {"values": value(_array(part))}  # type: ignore[misc]
        at += part.last - part.first
    yield name, lambda: {"values": np.concatenate([value(_array(part)) for part in parts])}


def _array(part: "pieces.Piece[Array]") -> "Array":
    return ask(part.request, "Running the model once for every cell").value


def accuracy(selection: Selection) -> Parcels:
    """Scenes that the edited and the unedited model answer rightly: things, of how many, relations, of how many."""
    for each in (selection, replace(selection.plain, donor=None)):
        yield f"accuracy {each.edits}", lambda each=each: {"hits": _hits(pieces.scene_accuracy(each))}  # type: ignore[misc]


def _hits(parts: "Iterable[pieces.Piece[Any]]") -> "np.ndarray[Any, Any]":
    listed = list(parts)
    hits = [result for _, result in pieces.painted(listed, f"Answering {pieces.SCENES} scenes")]
    return np.sum(hits, axis=0).astype(np.int32)
