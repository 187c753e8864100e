"""Loops of iterative deepening and of the tables of its lower bounds."""
