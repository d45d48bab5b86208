"""Which of the two models that ship knows pictures of a kind, and how it says so."""
