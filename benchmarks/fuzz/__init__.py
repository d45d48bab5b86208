"""Broken files by the hundred thousand: each must give a right picture, a right model, or one sentence."""
