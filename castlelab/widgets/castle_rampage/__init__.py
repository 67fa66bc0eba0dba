"""What only Castle Rampage needs."""
