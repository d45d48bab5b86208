"""The lecturer's own window."""
