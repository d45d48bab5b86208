"""*Why this answer*, measured: what its maps and their trial take, and whether the trial is that of other code."""
