"""A lecture that two hundred follow."""
