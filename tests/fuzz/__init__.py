"""Random tiny puzzles of every kind, held against a separate reading of the format."""
