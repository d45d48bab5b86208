"""A view as a notebook: its cells, the same numbers in plain PyTorch, and what proves model and picture."""
