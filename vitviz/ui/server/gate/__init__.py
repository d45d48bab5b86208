"""Between a connection and the app: which hosts, how many frames, how much faults print, how few bytes files have."""
