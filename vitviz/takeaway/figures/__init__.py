"""A view as a figure, for print, for notebooks and as data."""

# Pages that have a figure of their own; those of the others are the figures that they draw.
PRINTED = (
    *("overview", "patch_grid", "patch_embedding", "position_embedding", "query_key_value", "heads", "depth"),
    *("encoder_block", "class_head"),
)
