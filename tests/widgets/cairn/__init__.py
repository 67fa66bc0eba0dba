"""A game with nothing that a game need not have."""
