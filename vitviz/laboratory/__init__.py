"""What the engine runs for pages of the laboratory: like `forward.py`, for many pictures, or for other models."""
