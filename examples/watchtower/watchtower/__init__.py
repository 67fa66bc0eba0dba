"""Watchtower: a duel on three towers, as a package of its own."""

from watchtower.puzzle_forms import puzzle as puzzle
