"""What only Castell needs."""
