"""The board in a notebook, on a model and a picture, without a server.

It shows every page that has a scene but the first, which offers pictures, and *Intervene*, which compares.

Where `anywidget` is installed it is live: the notebook's kernel answers for its numbers, `board.layer` and
`board.edits` tell what is chosen on it, and `board.layer = 5` shows another layer. Elsewhere it is one file in a frame,
the attention explorer of `vitviz.explore`.
"""

from importlib.util import find_spec

if find_spec("anywidget"):
    from vitviz.widget.live import Board
else:
    from vitviz.widget.chosen import Board  # type: ignore[assignment]

__all__ = ["Board"]
