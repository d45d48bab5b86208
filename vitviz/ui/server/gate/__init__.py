"""What is asked of a connection before the app hears of it: its host, its frames, and how much its faults may print."""
