"""Figures of the counting lab."""
