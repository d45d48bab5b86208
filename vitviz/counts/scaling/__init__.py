"""What counts become when sizes change: one at a time, a patch size for another, to meet a budget."""
