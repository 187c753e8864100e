"""What the loops of all depth-first searches share: what they return, and the first numbers of their array `state`.

state  int64: the depth, positions to generate before the loop pauses, positions generated in this round, by how much
       the best position that was left out passes the bound (`NEVER`: none was left out); then the loop's own numbers
"""

PAUSED, ENDED, FOUND = 0, 1, 2
"""What a loop returns: its budget is spent, nothing is left to try, or it stands on a solution."""

DEPTH, BUDGET, GENERATED, LEAST, OWN = range(5)

NEVER = 1 << 20
"""More than any search may pass its bound by; as the cost of a move: this piece cannot make it."""
