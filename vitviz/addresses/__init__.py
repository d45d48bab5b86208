"""What addresses say, in the same words for the app, for lessons and for what is taken away."""
