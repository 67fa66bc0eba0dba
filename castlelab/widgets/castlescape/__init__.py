"""What only CastleScape needs."""
