"""A Plotly figure of ours as marks: its axes, its traces, and what stands over and around them."""
