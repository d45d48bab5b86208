"""What the hand feels: the board in Chromium."""
