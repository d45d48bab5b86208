"""Widgets that answer the hand while it moves: a slider, a chart, a list of tensors."""
