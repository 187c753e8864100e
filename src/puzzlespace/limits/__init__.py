"""Limits of time, memory and positions; what engines go by; threads that keep to limits."""
