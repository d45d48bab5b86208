"""What counts become when sizes change, one at a time or to meet a budget, and what a stage moves to be computed."""
