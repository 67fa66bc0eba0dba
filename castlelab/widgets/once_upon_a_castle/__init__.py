"""What only Once Upon a Castle needs."""
