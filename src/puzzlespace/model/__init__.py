"""The model that engines get: rules as data, goals, metrics, and facts computed from the rules."""
