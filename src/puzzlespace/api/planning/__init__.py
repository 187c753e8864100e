"""What a count takes, before it starts: sizes of layers, rates of this machine, a simulated cluster."""
