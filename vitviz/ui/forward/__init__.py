"""The forward pass of a small model in the browser: which models, and what is delivered to it.

`vitviz/frontend/forward/` is the forward pass itself, in JavaScript with a kernel in WebAssembly; it runs in a worker
of the browser. Where the browser or the model is not made for it, the server runs as ever.
"""
