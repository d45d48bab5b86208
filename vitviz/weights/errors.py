"""What goes wrong with checkpoints."""


class WeightsError(ValueError):
    """A checkpoint that cannot be used, said in one sentence with a way out."""
