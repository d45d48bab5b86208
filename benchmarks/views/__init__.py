"""What some two hundred views say, hold and look like, before a change and after it."""
