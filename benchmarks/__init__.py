"""Ratios against peers and limits, one command: `make bench`."""
