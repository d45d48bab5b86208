"""Where a model is, and of which numbers."""

import torch
from torch import nn


class Placed(nn.Module):
    """A module that says where its parameters are."""

    @property
    def device(self) -> torch.device:
        """Where the parameters are, and where pictures must be."""
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """The numbers that the parameters are, and that pictures must be."""
        return next(self.parameters()).dtype
