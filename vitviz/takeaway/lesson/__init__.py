"""A lesson to take home: every step with its picture, what it asks and what is right, in one file that works offline."""
