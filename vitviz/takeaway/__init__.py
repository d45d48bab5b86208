"""What goes with somebody: a view as one file that works offline, as a figure, as a notebook that repeats its numbers.

It needs neither the app nor a network, and knows no Streamlit: the command line, notebooks and the app use the same.
"""
