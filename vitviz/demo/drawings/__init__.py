"""The drawings of scenes: things that people make, things that grow, and the canvas they are drawn on."""
