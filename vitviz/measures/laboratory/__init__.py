"""Measures of the laboratory's experiments, by page."""
