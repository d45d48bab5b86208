"""Lectures in real browsers: alone, in a room, and being made."""
