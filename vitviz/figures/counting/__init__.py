"""Figures of what models cost, and of how they compare."""
