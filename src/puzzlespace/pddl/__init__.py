"""Puzzles as planning tasks: a domain and a problem in PDDL, for planners. `text.task` writes both."""
