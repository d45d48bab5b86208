"""The forward pass in the browser, held to PyTorch's."""
