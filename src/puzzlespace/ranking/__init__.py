"""Rankings: one-to-one maps from the positions of a puzzle to 0 … size-1, derived from its rules."""
