"""Parts that several engines use."""
