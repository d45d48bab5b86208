"""What the page Speed draws: stages, the roof that they stand under, and networks of equal size in turn."""
