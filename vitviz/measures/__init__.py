"""Trace to numbers: pure functions from a trace (or a model) to NumPy arrays, by the question they answer.

Attention: what tokens look at, how far and how evenly. Similarity: what is alike, in one picture and over several.
Answer: what the head reads, layer by layer; an exact sum; maps of what it rests on, and what they are worth.
Positions: what the model knows of places. Edits: what changes where a head is off, a patch hidden, a state put in.
Each says in its docstring the shape of what it returns, its unit and its source.
"""

from vitviz.measures.attention import (
    attention_column,
    attention_distance,
    attention_entropy,
    attention_row,
    attention_weights,
    class_attention,
    rollout,
)
from vitviz.measures.classes import answer, logit_lens
from vitviz.measures.deletion import area_under, put_to_trial, trial
from vitviz.measures.heads import head_shares, layer_values
from vitviz.measures.interventions import component_means, heads_off, occluded, put_in
from vitviz.measures.positions import read_places
from vitviz.measures.relevance import gradient_maps, randomised_maps, rank_correlation
from vitviz.measures.shared_components import patch_states
from vitviz.measures.similarity import cosines, lengths, nearest, patch_vectors
from vitviz.measures.tokens import filters, position_maps, relative_maps

__all__ = [
    "answer",
    "area_under",
    "attention_column",
    "attention_distance",
    "attention_entropy",
    "attention_row",
    "attention_weights",
    "class_attention",
    "component_means",
    "cosines",
    "filters",
    "gradient_maps",
    "head_shares",
    "heads_off",
    "layer_values",
    "lengths",
    "logit_lens",
    "nearest",
    "occluded",
    "patch_states",
    "patch_vectors",
    "position_maps",
    "put_in",
    "put_to_trial",
    "randomised_maps",
    "rank_correlation",
    "read_places",
    "relative_maps",
    "rollout",
    "trial",
]
