"""A puzzle as users see it: its board, its letters, its text, answers that can be drawn."""
