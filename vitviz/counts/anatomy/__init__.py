"""What the table of a model's parts is made of."""
