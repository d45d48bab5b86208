"""What a model sees, as pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vitviz.trace import Trace
    from vitviz.weights import Loaded


def pixels_of(trace: Trace, loaded: Loaded | None) -> NDArray[np.uint8]:
    """The picture of a trace, `h w c`; where its model's rule is not known, from the smallest value to the largest."""
    image = trace["image"].tensor
    if loaded is not None:
        return loaded.preprocess.pixels(image)
    values = image[0].float().cpu().numpy().transpose(1, 2, 0)
    low, high = values.min(), values.max()
    stretched: NDArray[np.uint8] = (255 * (values - low) / max(high - low, 1e-9)).round().astype(np.uint8)
    return stretched
