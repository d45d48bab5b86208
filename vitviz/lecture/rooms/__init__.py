"""A room: one lecturer moves, many follow and guess. One small state in memory, and nothing of a person in it."""
