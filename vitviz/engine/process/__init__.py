"""An engine in a process of its own: the client on this side of a pipe or a socket, the host on the other."""

from vitviz.engine.process.client import ProcessEngine
from vitviz.engine.process.private_socket import Attached

__all__ = ["Attached", "ProcessEngine"]
