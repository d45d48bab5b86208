"""vitviz: see every number of a Vision Transformer on its way to an answer."""
