"""Lower bounds on the number of moves to the goal: each the depth table of a simpler puzzle, but for one formula."""
