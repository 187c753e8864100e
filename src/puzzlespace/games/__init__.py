"""Games written in PuzzleScript: read, expanded into concrete rules, played turn by turn, searched as a space."""
