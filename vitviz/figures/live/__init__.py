"""A figure as the browser draws it: at once under the hand, and for keys and screen readers."""

from vitviz.figures.live.message import message

__all__ = ["message"]
