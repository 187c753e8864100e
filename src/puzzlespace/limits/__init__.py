"""Limits of time, memory and positions; thresholds of engines; threads that obey limits."""
