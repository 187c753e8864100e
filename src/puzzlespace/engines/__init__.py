"""Ways of searching, one per file. An engine sees positions and moves, never a puzzle's name."""
