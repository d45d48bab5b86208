"""What cannot be taken away, in one sentence."""

NEEDS_TICK = "these numbers are those of your picture; tick “with my picture”"


class TakeawayError(ValueError):
    """Why a view cannot be taken away as it was asked for, and the way out."""
