"""Trace to numbers: pure functions from a trace (or a model) to numpy arrays, by chapter."""

from vitviz.measures.attention import attention_column, attention_row, attention_weights, class_attention, rollout

__all__ = ["attention_column", "attention_row", "attention_weights", "class_attention", "rollout"]
