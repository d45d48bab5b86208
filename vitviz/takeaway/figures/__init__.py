"""A view as a figure for print: marks on a sheet, which become SVG with text as text, or a PNG of twice the size."""

# Pages that have a figure for print of their own; those of the others are made of the charts that they draw.
PRINTED = (
    *("overview", "patch_grid", "patch_embedding", "position_embedding", "query_key_value", "heads", "depth"),
    *("encoder_block", "class_head"),
)
