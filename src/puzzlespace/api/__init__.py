"""What a person calls from Python, and the choice of the engine that answers."""
