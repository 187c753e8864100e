"""Puzzlespace: shortest solutions, depth tables and hardest positions of any puzzle of moves."""

__version__ = "0.1.0"
