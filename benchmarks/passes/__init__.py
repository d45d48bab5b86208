"""The forward pass of browsers in Node.js: its time, its memory, and whether its answers are PyTorch's."""
