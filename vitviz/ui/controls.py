"""What a token is called on screen, and where it lies."""

from vitviz.ui.selection import Selection


def token_name(view: Selection, token: int) -> str:
    """What a token is called on screen: "[class]", or "patch 38 (row 4, column 2)"."""
    specials = view.config.prefix_tokens
    if token < len(specials):
        return f"[{specials[token]}]"
    place = token - len(specials)
    row, column = divmod(place, view.config.grid[1])
    return f"patch {place + 1} (row {row + 1}, column {column + 1})"


def cell(view: Selection, token: int) -> tuple[int, int] | None:
    """Row and column of a patch token on the grid, counted from 0; a special token has none."""
    patch = token - len(view.config.prefix_tokens)
    return divmod(patch, view.config.grid[1]) if patch >= 0 else None
