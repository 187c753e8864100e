"""One file for each kind of puzzle: the rule kinds slide, jump and apply, and puzzles by size such as `slide:4x4`."""
