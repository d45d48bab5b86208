"""An engine in a process of its own: the client on this side of a pipe, the host on the other."""

from vitviz.engine.process.client import ProcessEngine

__all__ = ["ProcessEngine"]
