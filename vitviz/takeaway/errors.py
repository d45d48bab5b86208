"""What cannot be taken away, in one sentence."""


class TakeawayError(ValueError):
    """Why a view cannot be taken away as it was asked for, and the way out."""
