"""vitviz as a folder of static files: the same pages, whose numbers the reader's browser makes.

`vitviz site --out FOLDER` writes it. `models` has what a browser is sent of each, `code` the scripts and the page,
and `build` puts them into the folder. The front end's part is `vitviz/frontend/doors/site`.
"""
