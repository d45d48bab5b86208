"""The equations of a model as it is, with all its switches, in LaTeX: what pages print as its formula.

A card says what one switch changes in the paper's equation; here all of them are in one, and what has parameters stands
in it where the table of the model's parts has them.
"""
