"""vitviz: see every number of a Vision Transformer on its way to an answer."""

__version__ = "0.1.0"
