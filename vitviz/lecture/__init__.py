"""Lectures: lessons as data, and the rooms in which a class follows them."""
