"""What only Castle Keep needs."""
