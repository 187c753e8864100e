"""Random tiny puzzles of every kind, compared with a second implementation of the format."""
