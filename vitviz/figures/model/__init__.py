"""Figures of an encoder block and of the class head."""
