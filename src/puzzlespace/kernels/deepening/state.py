"""What the loops of all depth-first searches share: their results, and the head of their array `state`.

state  int64: the depth, positions to generate before the loop pauses, positions generated in this round, the least
       excess over the bound among the positions that were pruned (`NEVER`: none were), whether the position at this
       depth is still to be opened, the bound: moves that this round allows, positions expanded in this round; then
       the loop's own numbers
"""

PAUSED, ENDED, FOUND = 0, 1, 2
"""The results of a loop: its budget is spent, nothing is left to try, it is at a solution."""

DEPTH, BUDGET, GENERATED, LEAST, FRESH, BOUND, EXPANDED, OWN = range(8)

NEVER = 1 << 20
"""Sentinel above every excess; as the cost of a link: the piece cannot use it."""
