"""Watchtower: a duel on three towers, as a package of its own."""
