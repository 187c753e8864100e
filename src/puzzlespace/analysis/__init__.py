"""What can be said of a puzzle without a search: placements, why a goal is out of reach, solutions counted."""
