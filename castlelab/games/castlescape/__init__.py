"""CastleScape: walls, baileys, a deck of cards and the King's inspections."""
