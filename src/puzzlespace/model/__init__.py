"""The model that engines get: rules as data, goals, metrics, and what follows from the rules."""
