"""Searches over any space: `layers` is the one driver of breadth-first layers, `best_first` has A* and IDA*."""
