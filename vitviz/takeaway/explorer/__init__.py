"""The attention explorer in one file: what it is told, the page that holds it, and its front end."""
