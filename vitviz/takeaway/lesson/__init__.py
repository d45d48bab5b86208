"""A lesson to take home: its steps with pictures, what they ask and what is right, in one file that works offline."""
