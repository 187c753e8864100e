"""A puzzle as a person sees it: its board, its letters, what was written, answers that can be drawn."""
