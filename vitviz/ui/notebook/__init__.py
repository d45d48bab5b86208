"""The notebook on screen: cells, what stands above them, and what tells that one has come into sight."""
