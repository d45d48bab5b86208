"""What the engine runs for pages of the laboratory that look at more than one picture: like `forward.py`, for many."""
