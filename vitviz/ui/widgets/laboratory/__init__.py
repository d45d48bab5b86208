"""What pages of the laboratory begin with."""
