"""A figure for print: marks on a sheet, which become SVG with text as text, or a PNG of twice the size."""
