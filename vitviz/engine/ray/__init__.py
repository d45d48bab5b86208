"""Many engines behind one door, as replicas on Ray Serve: the client on this side, a replica and its router there.

Nothing here is imported before `VITVIZ_ENGINE` asks for Ray, and nothing on this side imports PyTorch.
"""

from vitviz.engine.ray.client import RayEngine

__all__ = ["RayEngine"]
