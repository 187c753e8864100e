"""Lower bounds on the number of moves to the goal. Each is the depth table of a simpler puzzle, except one formula."""
