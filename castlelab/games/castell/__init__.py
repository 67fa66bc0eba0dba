"""Castell: build human towers at the festivals of Catalonia."""

from castlelab.games.castell.tower import Level, Skills, Team, Tower, check, skill_uses

__all__ = ["Level", "Skills", "Team", "Tower", "check", "skill_uses"]
