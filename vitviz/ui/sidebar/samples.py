"""The buttons of the samples: each bears its picture."""

from functools import cache

from vitviz.samples import samples, thumbnails


@cache
def style() -> str:
    """Small pictures of all samples for the whole page, and on their buttons."""
    rules = "".join(
        f".st-key-sample button:nth-of-type({place}){{background-image:var(--sample-{id})}}"
        for place, id in enumerate(samples(), start=1)
    )
    return f"<style>:root{{{thumbnails()}}}{rules}</style>"
